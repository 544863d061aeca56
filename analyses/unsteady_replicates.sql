-- How steady is a model? What one item scored when it was asked several times (var llm_replicates), the least steady first.
-- A rule of the gate may ask for several replicates (gate_replicates); this says of which items it has to.
with

scores as (

    select
        *,
        -- a place ends with the number of its replicate, but for the first
        regexp_replace(place, ' #\d+$', '') as of_replicates,
    from {{ ref('int_headline_scores') }}

),

replicate_values as (

    select
        of_replicates as place,
        model,
        unit_id,
        split_part(unit_id, ' ', 1) as item_id,
        gold_window,
        gold_predicate,
        metric,
        k,
        count(*) as n_replicates,
        avg((score >= 1)::integer) as pass_rate,
        avg(score) as value,
        max(score) - min(score) as spread,
    from scores
    group by all
    having count(*) > 1

)

select * from replicate_values
order by
    spread desc,
    place,
    model,
    item_id,
    metric,
    k
