-- What scorecards join: a judge without a row here, or with is_calibrated false, is shown as uncalibrated.
with

calibration as (

    select * from {{ ref('judge_calibration') }}

),

calibrated_judges as (

    select
        judge,
        -- the judge by rules is calibrated under the name of the score that it gives
        if(judge = 'baseline_faithfulness', 'baseline', judge) as judge_model,
        any_value(judge_kind) as judge_kind,
        bool_or(is_calibrated) as is_calibrated,
        count(distinct dataset) filter (where is_calibrated) as n_datasets,
        max(n_measured) filter (where is_calibrated) as most_summaries,
        list_sort(list(distinct dataset || ' ' || dimension) filter (where is_calibrated)) as calibrated_on,
    from calibration
    group by judge

)

select * from calibrated_judges
