{#
    Lines for the end of a build: Hit@5 and MRR@30 of every current run with their 95 % intervals and n, for the widest
    gold window and the positional gold (questions: their evidence), over covered queries.
#}
{% macro retrieval_lines() -%}
    {%- set values = adapter.get_relation(target.database, 'metrics', 'metric_values') -%}
    {%- set lines = [] -%}
    {%- if values is not none -%}
        {%- set rows = run_query("
            with headline as (
                select
                    *,
                    format('{:.2f}', value) || coalesce(format(' ({:.2f}-{:.2f})', ci_low, ci_high), '') as figure
                from " ~ values ~ "
                where
                    is_current
                    and stratum_by = 'overall'
                    and population = 'covered'
                    and gold_predicate in ('positional', 'evidence')
                    and ((metric = 'hit' and k = 5) or (metric = 'mrr' and k = 30))
                qualify gold_window = max(gold_window) over (partition by suite)
            )
            select
                suite,
                strategy || case when count(distinct embedding_model) over (partition by strategy) > 1
                    then ' ' || embedding_model else '' end as strategy,
                regime,
                max(figure) filter (where metric = 'hit') as hit,
                max(figure) filter (where metric = 'mrr') as mrr,
                max(n_measured) as n
            from headline
            group by suite, strategy, embedding_model, regime
            order by suite, regime, strategy
        ") -%}
        {%- if rows.rows -%}
            {%- do lines.append('%-6s %-10s %-24s %-18s %-18s %7s' | format('suite', 'regime', 'strategy', 'Hit@5', 'MRR@30', 'n')) -%}
            {%- for row in rows.rows -%}
                {%- do lines.append('%-6s %-10s %-24s %-18s %-18s %7s' | format(row['suite'], row['regime'], row['strategy'], row['hit'], row['mrr'], row['n'])) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
