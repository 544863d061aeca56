select
    suite, label_a as reference, label_b as candidate,
    metric || if(k > 0, '@' || k, '') as figure,
    n_pairs as n, value_a as reference_value, value_b as candidate_value,
    difference, ci_low, ci_high, p_adjusted, verdict
from bi_run_comparisons_slices
where is_primary and stratum_by = 'overall'
order by suite, abs(difference) desc
