-- The regime `filtered` searches the anchor's company, year and section: gold elsewhere could not be found, and an
-- anchor that is its own gold would be found always.
with

gold as (

    select * from {{ ref('retrieval_gold') }}

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

)

select
    gold.query_id,
    gold.gold_window,
    gold.gold_predicate,
    gold.sentence_id,
from gold
inner join queries
    on gold.query_id = queries.query_id
left join sentences
    on gold.sentence_id = sentences.sentence_id
where
    queries.sentence_id is not null
    and (
        gold.sentence_id = queries.sentence_id
        or sentences.filing_id is distinct from queries.filing_id
        or sentences.cik is distinct from queries.cik
        or sentences.report_year is distinct from queries.report_year
        or sentences.section_id is distinct from queries.section_id
    )
