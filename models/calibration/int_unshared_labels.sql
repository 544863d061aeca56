-- People and judges that call the same summaries by labels of which they share none, as true and false beside good and bad:
-- kappa would be 0 or below whatever they agree on, so that there is none (finrag.metrics.calibration).
{%- set most_labels = 10 %}
with

human_scores as (

    select * from {{ ref('int_human_scores') }}
    where label is not null

),

judge_scores as (

    select * from {{ ref('int_judge_scores') }}
    where label is not null

),

summaries as (

    select
        summary_id,
        file_path,
    from {{ ref('int_calibration_summaries') }}

),

raters as (

    select
        human_scores.dataset,
        human_scores.dimension,
        judge_scores.judge,
        judge_scores.compared_with,
        min(summaries.file_path) as file_path,
        list_sort(list(distinct human_scores.label)) as said_by_people,
        list_sort(list(distinct judge_scores.label)) as said_by_judge,
    from human_scores
    inner join judge_scores
        on human_scores.summary_id = judge_scores.summary_id
    inner join summaries
        on human_scores.summary_id = summaries.summary_id
    group by human_scores.dataset, human_scores.dimension, judge_scores.judge, judge_scores.compared_with

),

final as (

    select
        dataset,
        file_path,
        0 as source_row,
        judge,
        'unshared_labels' as reason,
        format(
            'human_{} says {} and judge {} ({}) {}: they share no label, so that they have no kappa',
            dimension,
            array_to_string(said_by_people[:{{ most_labels }}], ', '),
            judge,
            compared_with,
            array_to_string(said_by_judge[:{{ most_labels }}], ', ')
        ) as detail,
    from raters
    where not list_has_any(said_by_people, said_by_judge)

)

select * from final
