-- Key against verdict, for each run and side that the statements come from; combinations that do not occur have 0.
-- Statements whose call failed are in none of them.
with

items as (

    select * from {{ ref('statement_items') }}

),

cells as (

    select
        keys.key,
        verdicts.verdict,
    from (values ('True'), ('False')) as keys (key)
    cross join (values ('True'), ('False'), ('Uncertain')) as verdicts (verdict)

),

groups as (

    select distinct
        run_id,
        dataset,
        system,
        is_baseline,
        question_model,
        judge_model,
        judge_is_baseline,
        origin,
    from items
    where not is_error

),

counts as (

    select
        run_id,
        origin,
        key,
        verdict,
        count(*) as n_statements,
    from items
    where not is_error
    group by
        run_id,
        origin,
        key,
        verdict

),

confusion as (

    select
        groups.run_id,
        groups.dataset,
        groups.system,
        groups.is_baseline,
        groups.question_model,
        groups.judge_model,
        groups.judge_is_baseline,
        groups.origin,
        cells.key,
        cells.verdict,
        coalesce(counts.n_statements, 0) as n_statements,
    from groups
    cross join cells
    left join counts
        on groups.run_id = counts.run_id
        and groups.origin = counts.origin
        and cells.key = counts.key
        and cells.verdict = counts.verdict

)

select * from confusion
