{#
    How much gold each query has under each variant (window and predicate) of its suite, also where it has none: coverage
    is counted from these rows. queries, gold, variants: CTEs of the calling model; variants has suite, gold_window and
    gold_predicate.
#}
{% macro gold_counts() -%}
counts as (

    select
        suite,
        query_id,
        gold_window,
        gold_predicate,
        count(*) as n_gold,
        count(*) filter (where grade = 2) as n_chosen,
    from gold
    group by suite, query_id, gold_window, gold_predicate

),

final as (

    select
        queries.suite,
        queries.query_id,
        variants.gold_window,
        variants.gold_predicate,
        coalesce(counts.n_gold, 0) as n_gold,
        coalesce(counts.n_chosen, 0) as n_chosen,
        coalesce(counts.n_gold, 0) > 0 as is_covered,
    from queries
    inner join variants
        on queries.suite = variants.suite
    left join counts
        on queries.suite = counts.suite
        and queries.query_id = counts.query_id
        and variants.gold_window = counts.gold_window
        and variants.gold_predicate = counts.gold_predicate

)
{%- endmacro %}
