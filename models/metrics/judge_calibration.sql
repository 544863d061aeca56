-- A judge is calibrated by people's scores of real summaries: the demo set shows how the table works and calibrates
-- nothing. Its agreement with people has to lie above the threshold of seeds.judge_thresholds, with the lower bound that
-- holds of all figures of the judge together: the more ways to pass, the higher each. One exactly at it does not. A
-- statistic that is undefined (all summaries scored alike) is no calibration either, nor is an interval that hangs on a few
-- documents. Where summaries are of several systems the agreement within systems has to be above it too, that of labels
-- for kappa and that of ranks for all else: what a judge is used for is which summary is better, and one that only tells
-- systems apart cannot say. Where it is not known within systems, the judge is not calibrated.
with

calibration as (

    select * from {{ ref('int_judge_calibration') }}

),

summaries as (

    select distinct
        dataset,
        is_demo,
    from {{ ref('int_calibration_summaries') }}

),

thresholds as (

    select * from {{ ref('judge_thresholds') }}

),

-- a column of a file may have the name of a judge that runs here: it is compared with stated alone
judges as (

    select
        judge,
        compared_with,
        any_value(judge_kind) as judge_kind,
        any_value(judge_version) as judge_version,
    from {{ ref('int_judge_scores') }}
    group by judge, compared_with

),

-- one row for ratings of several systems, whether anything is known within them or not
within_systems as (

    select
        calibration.judge,
        calibration.dataset,
        calibration.dimension,
        calibration.compared_with,
        calibration.statistic = 'cohen_kappa' as is_of_labels,
        coalesce(
            bool_and(
                coalesce(calibration.is_interval_reliable and calibration.simultaneous_low > thresholds.threshold, false)
            ) filter (where calibration.level = 'within_systems'),
            false
        ) as is_above,
    from calibration
    inner join thresholds
        on calibration.statistic = thresholds.statistic
    where calibration.level != 'pooled'
    group by calibration.judge, calibration.dataset, calibration.dimension, calibration.compared_with, is_of_labels

),

judge_calibration as (

    select
        calibration.judge,
        judges.judge_kind,
        judges.judge_version,
        calibration.dataset,
        summaries.is_demo,
        calibration.dimension,
        calibration.compared_with,
        calibration.level,
        calibration.system,
        calibration.statistic,
        calibration.value,
        calibration.ci_low,
        calibration.ci_high,
        calibration.simultaneous_low,
        calibration.is_interval_reliable,
        calibration.n_total,
        calibration.n_measured,
        calibration.n_error,
        calibration.n_clusters,
        thresholds.threshold,
        not summaries.is_demo
        and calibration.level = 'pooled'
        and coalesce(calibration.is_interval_reliable and calibration.simultaneous_low > thresholds.threshold, false)
        and coalesce(within_systems.is_above, true) as is_calibrated,
    from calibration
    inner join summaries
        on calibration.dataset = summaries.dataset
    inner join judges
        on calibration.judge = judges.judge
        and calibration.compared_with = judges.compared_with
    left join thresholds
        on calibration.statistic = thresholds.statistic
    left join within_systems
        on calibration.dataset = within_systems.dataset
        and calibration.dimension = within_systems.dimension
        and calibration.judge = within_systems.judge
        and calibration.compared_with = within_systems.compared_with
        and (calibration.statistic = 'cohen_kappa') = within_systems.is_of_labels

)

select * from judge_calibration
