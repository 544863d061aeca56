-- Sentences with an amount that a fact could confirm, and whether one does: by all checkable amounts, and by those stated
-- as levels. A sentence that agrees for one of its labels agrees in `all`.
with

kpi_fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

amounts as (

    select
        sentence_id,
        cik,
        is_match,
        match_basis in ('level', 'prior_year_level') as is_level,
        unnest([kpi_label, 'all']) as kpi_label,
    from kpi_fact_matches

),

by_measure as (

    select
        *,
        unnest(
            if(is_level, ['amount agreement', 'level agreement'], ['amount agreement'])
        ) as measure,
    from amounts

),

sentences as (

    select
        kpi_label,
        measure,
        sentence_id,
        cik,
        bool_or(is_match) as is_agreeing,
    from by_measure
    group by kpi_label, measure, sentence_id, cik

)

select * from sentences
