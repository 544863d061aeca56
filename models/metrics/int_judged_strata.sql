-- What judged texts are reported by: summaries by theme and by the length of their source, answers as their questions.
with

items as (

    select distinct
        suite,
        dataset,
        item_type,
        item_id,
        query_id,
        theme,
        length_stratum,
    from {{ ref('faithfulness_items') }}

),

question_strata as (

    select * from {{ ref('int_p3_strata') }}

),

of_summaries as (

    select
        suite,
        dataset,
        item_id,
        unnest([
            { 'stratum_by': 'overall', 'stratum': 'all' },
            { 'stratum_by': 'theme', 'stratum': theme },
            { 'stratum_by': 'length', 'stratum': length_stratum }
        ]) as level,
    from items
    where item_type = 'summary'

),

strata as (

    select
        suite,
        dataset,
        item_id as query_id,
        level.stratum_by,
        level.stratum,
    from of_summaries

    union all

    select
        items.suite,
        items.dataset,
        items.item_id as query_id,
        question_strata.stratum_by,
        question_strata.stratum,
    from items
    inner join question_strata
        on items.suite = question_strata.suite
        and items.query_id = question_strata.query_id
    where items.item_type = 'answer'

)

select * from strata
