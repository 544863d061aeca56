-- A trend needs two years and a reason: every bundle spans at least two distinct fiscal years, its header agrees with
-- its sentences, and every sentence holds a causal connector.
with

bundles as (

    select * from {{ ref('v3_trend_bundles') }}

),

bundle_sentences as (

    select * from {{ ref('v3_trend_bundles_sentences') }}

),

causal_matches as (

    select * from {{ ref('int_causal_matches') }}

),

counted as (

    select
        bundle_sentences.bundle_id,
        count(distinct bundle_sentences.report_year) as year_count,
        count(*) as sentence_count,
        count(causal_matches.sentence_id) as causal_sentence_count,
    from bundle_sentences
    left join causal_matches
        on bundle_sentences.sentence_id = causal_matches.sentence_id
    group by bundle_sentences.bundle_id

)

select
    coalesce(bundles.bundle_id, counted.bundle_id) as bundle_id,
    counted.*,
from bundles
full outer join counted
    on bundles.bundle_id = counted.bundle_id
where
    coalesce(counted.year_count < 2, true)
    or counted.causal_sentence_count != counted.sentence_count
    or len(bundles.years) is distinct from counted.year_count
    or len(bundles.sentences) is distinct from counted.sentence_count
