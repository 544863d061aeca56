-- What holds by construction of answers' values: the verdicts by type are parts of answer_accuracy, every answer is one
-- of a question with or without an answer, and shares lie between 0 and 1.
with

metric_values as (

    select * from {{ ref('metric_values') }}
    where variant = 'answer'

),

verdicts as (

    select
        run_id,
        population,
        stratum_by,
        stratum,
        sum(n_measured) filter (
            where metric in ('numeric_accuracy', 'boolean_accuracy', 'list_accuracy', 'no_answer_accuracy')
        ) as n_of_types,
        sum(value * n_measured) filter (
            where metric in ('numeric_accuracy', 'boolean_accuracy', 'list_accuracy', 'no_answer_accuracy')
        ) as sum_of_types,
        max(n_measured) filter (where metric = 'answer_accuracy') as n_accuracy,
        max(value * n_measured) filter (where metric = 'answer_accuracy') as sum_accuracy,
        max(n_measured) filter (where metric = 'no_answer_accuracy')
        + max(n_measured) filter (where metric = 'false_abstention') as n_abstentions,
        max(n_measured) filter (where metric = 'has_citation') as n_answered,
    from metric_values
    group by
        run_id,
        population,
        stratum_by,
        stratum

)

select
    concat_ws(' ', run_id, population, stratum_by, stratum) as found,
    'verdicts by type are not those of all types' as problem,
from verdicts
-- numbers can be gold of questions of another type, which answer_accuracy judges by that type
where
    n_accuracy > n_of_types
    or coalesce(sum_accuracy, 0) > coalesce(sum_of_types, 0) + 1e-6
    or n_abstentions != n_answered
union all
select
    concat_ws(' ', run_id, population, stratum_by, stratum, metric) as found,
    'value out of range' as problem,
from metric_values
where
    metric not in ('bleurt', 'bleurt_shuffled', 'bertscore_rescaled', 'cosine', 'cosine_shuffled')
    and metric not in ('cost_usd', 'input_tokens', 'output_tokens', 'latency_seconds')
    and (value < -1e-9 or value > 1 + 1e-6)
