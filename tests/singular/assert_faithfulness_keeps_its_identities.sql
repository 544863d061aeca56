-- A claim is True, False or Unclear, so the three shares of a run add up to 1 in every group; a voided verdict is an
-- Unclear one; a text has claims when it is measured; and a theme that failed is no theme on which nothing is said.
with

metric_values as (

    select * from {{ ref('metric_values') }}
    where variant in ('faithful_to_source', 'faithful_to_evidence', 'faithful_to_context')

),

groups as (

    select
        run_id,
        variant,
        stratum_by,
        stratum,
        any_value(n_total) as n_total,
        any_value(n_error) as n_error,
        any_value(n_measured) filter (where metric = 'faithfulness') as n_measured,
        any_value(value) filter (where metric = 'faithfulness') as faithfulness,
        any_value(value) filter (where metric = 'contradicted_claims') as contradicted,
        any_value(value) filter (where metric = 'unclear_claims') as unclear,
        any_value(value) filter (where metric = 'voided_verdicts') as voided,
        any_value(value) filter (where metric = 'has_claims') as has_claims,
        any_value(n_measured) filter (where metric = 'has_claims') as n_judged,
    from metric_values
    group by
        run_id,
        variant,
        stratum_by,
        stratum

)

select * from groups
where
    abs(faithfulness + contradicted + unclear - 1) > 1e-9
    or voided > unclear + 1e-9
    or n_judged + n_error != n_total
    or abs(n_measured - has_claims * n_judged) > 1e-6
