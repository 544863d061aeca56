{#
    Lines for the end of a build: Hit@5 and MRR@30 of every current run with their 95 % intervals and n, for the widest
    gold window and the positional gold (questions: their evidence), over covered queries. Of anchors the corpus value
    comes first and Hit@5 of the draw beside it; questions are not drawn, so theirs is the value itself.
#}
{% macro retrieval_lines() -%}
    {%- set values = adapter.get_relation(target.database, 'metrics', 'metric_values_by_run') -%}
    {%- set lines = [] -%}
    {%- if values is not none -%}
        {%- set rows = run_query("
            with headline as (
                select
                    *,
                    format('{:.2f} ({:.2f}-{:.2f})', value, ci_low, ci_high)
                    || if(is_interval_reliable, '', '*') as drawn,
                    coalesce(
                        format('{:.2f} ({:.2f}-{:.2f})', corpus_value, corpus_ci_low, corpus_ci_high)
                        || if(is_interval_reliable, '', '*'),
                        drawn
                    ) as figure
                from " ~ values ~ "
                where
                    is_current
                    and stratum_by = 'overall'
                    and population = 'covered'
                    and variant in ('positional', 'evidence')
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
                coalesce(max(drawn) filter (where metric = 'hit' and corpus_value is not null), '') as hit_of_draw,
                max(estimand) as estimand,
                max(n_measured) as n
            from headline
            group by suite, strategy, embedding_model, regime
            -- questions as people ask them first, and in each regime the best strategy
            order by suite in ('p1', 'p2'), suite, regime, max(value) filter (where metric = 'hit') desc, strategy
        ") -%}
        {%- if rows.rows -%}
            {%- set form = '%-6s %-9s %-24s %-18s %-18s %-18s %5s  %s' -%}
            {%- do lines.append(form | format('suite', 'regime', 'strategy', 'Hit@5', 'MRR@30', 'Hit@5, draw', 'n', 'speaks of')) -%}
            {%- for row in rows.rows -%}
                {%- do lines.append(form | format(
                    row['suite'], row['regime'], row['strategy'], row['hit'], row['mrr'], row['hit_of_draw'], row['n'],
                    row['estimand']
                )) -%}
            {%- endfor -%}
            {%- do lines.append('Gold: positional; of questions their evidence. p1, p2: the corpus, anchors weighted by 1 / inclusion probability.') -%}
            {%- do lines.append('* too few clusters: the interval may hold less than 95 % (docs/coverage.md).') -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
