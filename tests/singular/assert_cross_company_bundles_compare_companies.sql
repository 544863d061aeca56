-- A published set of these bundles had 113 of 316 with a single company, which compare nothing: every bundle has two to
-- five distinct companies, of one year, and its header agrees with its sentences.
with

bundles as (

    select * from {{ ref('v4_cross_company_bundles') }}

),

bundle_sentences as (

    select * from {{ ref('v4_cross_company_bundles_sentences') }}

),

counted as (

    select
        bundle_id,
        count(distinct cik_int) as company_count,
        count(distinct report_year) as year_count,
        count(*) as sentence_count,
    from bundle_sentences
    group by bundle_id

)

select
    coalesce(bundles.bundle_id, counted.bundle_id) as bundle_id,
    counted.*,
from bundles
full outer join counted
    on bundles.bundle_id = counted.bundle_id
where
    coalesce(counted.company_count not between 2 and 5, true)
    or counted.year_count != 1
    or bundles.company_count is distinct from counted.company_count
    or len(bundles.cik_ints) is distinct from counted.company_count
    or len(bundles.company_sentences) is distinct from counted.sentence_count
