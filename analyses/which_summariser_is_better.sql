-- Which of two summarisers is more faithful and leaves out less, and am I sure?
-- Every pair of summarisers on the sources that both have read, under the same judge and the same questions: the
-- difference of each measure with its 95 % interval, the corrected p-value (for all primary comparisons of the build, or
-- within an exploratory one's family), the smallest difference that these sources could have shown, and the verdict in
-- words. What a judge says that was not held against people is marked as uncalibrated.
with

system_comparisons as (

    select * from {{ ref('system_comparisons') }}

)

select
    dataset,
    system_a as against,
    system_b as candidate,
    metric,
    concat_ws(', ', judge_model, judge_calibration) as judged_by,
    n_pairs as sources,
    round(difference, 3) as difference,
    format('{:.3f} to {:.3f}', ci_low, ci_high) as interval_95,
    round(minimum_detectable_effect, 3) as could_have_shown,
    round(p_adjusted, 4) as p_adjusted,
    is_primary,
    verdict,
from system_comparisons
where
    task != 'sentiment'
    and stratum_by = 'overall'
    and metric in ('faithfulness', 'qag_inclusion', 'qag_alignment', 'choice_accuracy')
order by
    is_primary desc,
    dataset,
    metric,
    against,
    candidate
