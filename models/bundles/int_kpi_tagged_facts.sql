-- Tagged facts that are a KPI's, in sentences that V1 reads.
with

tagged_facts as (

    select * from {{ ref('fct_tagged_facts') }}

),

kpi_concepts as (

    select * from {{ ref('kpi_concepts') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind not in ('heading', 'index_line')

),

named as (

    select
        *,
        split_part(concept, ':', -1) as concept_name,
    from tagged_facts

),

kpi_facts as (

    select
        named.fact_id,
        named.sentence_id,
        named.cik,
        kpi_concepts.kpi_label,
    from named
    inner join kpi_concepts
        on regexp_full_match(named.concept_name, kpi_concepts.concept)
        and not coalesce(regexp_full_match(named.concept_name, kpi_concepts.not_concept), false)
    inner join sentences
        on named.sentence_id = sentences.sentence_id
    where
        named.value is not null
        -- a rate or a count is no amount of the KPI
        and named.unit != 'pure'

)

select * from kpi_facts
