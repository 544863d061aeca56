{#
    Lines for the end of a build: the first figures of every current run of a language model, or of the baseline in its
    place, with their 95 % intervals and n. Failed calls are counted beside them.
#}
{% macro language_model_lines() -%}
    {%- set values = adapter.get_relation(target.database, 'metrics', 'metric_values_by_run') -%}
    {%- set lines = [] -%}
    {%- if values is not none -%}
        {%- set rows = run_query("
            select
                case when task = 'sentiment' then task when suite = 'none' then dataset else suite end as suite,
                concat_ws(
                    ', ',
                    if(model_id = 'none', system, model_id),
                    if(task = 'sentiment', system, nullif(strategy, 'none'))
                ) as run,
                if(metric = 'faithfulness', variant, metric) as metric,
                format('{:.2f}', value) || coalesce(format(' ({:.2f}-{:.2f})', ci_low, ci_high), '') as figure,
                n_measured as n,
                case when n_error > 0 then n_error || ' failed' else '' end as failed
            from " ~ values ~ "
            where
                is_current
                and task != 'retrieval'
                and stratum_by = 'overall'
                and population = 'all'
                and value is not null
                and metric in ('answer_accuracy', 'faithfulness', 'exact_match', 'macro_f1')
                -- the sentiment benchmark has each figure by three rules of reading replies
                and variant not in ('exact', 'choice_order')
            order by suite, metric, run
        ") -%}
        {%- if rows.rows -%}
            {%- do lines.append('%-10s %-24s %-22s %-18s %7s' | format('suite', 'model', 'metric', 'value', 'n')) -%}
            {%- for row in rows.rows -%}
                {%- set line = '%-10s %-24s %-22s %-18s %7s %s' | format(
                    row['suite'], row['run'], row['metric'], row['figure'], row['n'], row['failed']
                ) -%}
                {%- do lines.append(line | trim) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}


{# What all calls have cost, in the line that ends a build. #}
{% macro cost_lines() -%}
    {%- set calls = adapter.get_relation(target.database, 'answers', 'llm_calls') -%}
    {%- if calls is none -%}
        {%- do return([]) -%}
    {%- endif -%}
    {%- set row = run_query("
        select format('{:.2f}', coalesce(sum(cost_usd), 0)) as usd, count(*) as calls, count(*) filter (not is_final) as failed
        from (select distinct on (call_key) * from " ~ calls ~ ")
    ").rows[0] -%}
    {%- set failed = '; ' ~ row['failed'] ~ ' unfinished calls are tried again by the next build' if row['failed'] else '' -%}
    {%- do return(['$' ~ row['usd'] ~ ' for ' ~ row['calls'] ~ ' calls to language models so far (answers.llm_calls)' ~ failed]) -%}
{%- endmacro %}
