{#
    Two CTEs, `adjusted` and `comparisons`: pairs of one kind with what may be concluded from them.
    compared: the kind, as metrics.int_adjusted_comparisons names it.
    sides: columns of `pairs`, a CTE before, that say what is held against what.
    others: columns of the comparison that not all kinds have.
#}
{% macro comparisons(compared, sides, others) -%}
adjusted as (

    select * from {{ ref('int_adjusted_comparisons') }}
    where compared = '{{ compared }}'

),

comparisons as (

    select
        pairs.comparison_id,
        {%- for column in sides %}
        pairs.{{ column }},
        {%- endfor %}
        {%- for column in others %}
        adjusted.{{ column }},
        {%- endfor %}
        adjusted.stratum_by,
        adjusted.stratum,
        adjusted.metric,
        adjusted.n_pairs,
        adjusted.n_clusters,
        adjusted.deff,
        adjusted.value_a,
        adjusted.value_b,
        adjusted.difference,
        adjusted.ci_low,
        adjusted.ci_high,
        adjusted.is_interval_reliable,
        adjusted.mean_absolute_difference,
        adjusted.minimum_detectable_effect,
        adjusted.test,
        adjusted.p_value,
        adjusted.is_primary,
        adjusted.adjustment,
        adjusted.family,
        adjusted.family_size,
        adjusted.p_adjusted,
        adjusted.is_significant,
        adjusted.verdict,
    from pairs
    inner join adjusted
        on pairs.comparison_id = adjusted.comparison_id

)
{%- endmacro %}
