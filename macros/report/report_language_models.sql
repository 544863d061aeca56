{#
    Lines for the end of a build: of each first figure of the current runs of language models, or of the baseline in their
    place, the best three with 95 % intervals. Failed calls are counted beside them, and, where most questions whose
    answers are judged have no answer, these: of those who always abstains is right.
#}
{% macro language_model_lines() -%}
    {%- set values = adapter.get_relation(target.database, 'metrics', 'metric_values_by_run') -%}
    {%- set lines = [] -%}
    {%- if values is not none -%}
        {%- set rows = run_query("
            with headline as (
                select
                    if(suite = 'none', dataset, suite) as suite,
                    concat_ws(
                        ', ',
                        if(model_id = 'none', system, model_id),
                        if(task = 'sentiment', system, nullif(strategy, 'none'))
                    ) as run,
                    if(metric = 'faithfulness', variant, metric) as shown,
                    value,
                    judge_calibration,
                    format('{:.2f}', value) || coalesce(format(' ({:.2f}-{:.2f})', ci_low, ci_high), '')
                    || if(n_measured < max(n_measured) over (partition by if(suite = 'none', dataset, suite), shown), ' n ' || n_measured, '')
                    || if(n_error > 0, ' ' || n_error || ' failed', '') as figure,
                    n_measured,
                    max(n_measured) filter (metric = 'no_answer_accuracy') over (partition by run_id) as n_without_answer,
                    row_number() over (
                        partition by task, suite, dataset, metric, variant
                        order by value desc, model_id, system, strategy
                    ) as place
                from " ~ values ~ "
                where
                    is_current
                    and task != 'retrieval'
                    and stratum_by = 'overall'
                    and population = 'all'
                    and value is not null
                    and metric in ('answer_accuracy', 'no_answer_accuracy', 'faithfulness', 'exact_match', 'macro_f1')
                    -- the sentiment benchmark has each figure by three rules of reading replies
                    and variant not in ('exact', 'choice_order')
            )

            select
                suite,
                shown as metric,
                max(n_measured) as n,
                string_agg(run || ' ' || figure, '  ' order by place) filter (where place <= 3)
                || if(bool_or(judge_calibration = 'uncalibrated' and place <= 3), '; judge uncalibrated', '')
                || if(
                    shown = 'answer_accuracy' and 2 * max(n_without_answer) > max(n_measured),
                    format('; {} of them have no answer', max(n_without_answer)),
                    ''
                ) as figures
            from headline
            where shown != 'no_answer_accuracy'
            group by suite, shown
            order by suite, shown
        ") -%}
        {%- for row in rows.rows -%}
            {%- do lines.append('%-6s %-20s %5s  %s' | format(row['suite'], row['metric'], row['n'], row['figures'])) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}


{#
    What all calls have cost, in the line that ends a build: by the ledger, since a part of the graph may call models and
    leave the table of calls as it was.
#}
{% macro cost_lines(built) -%}
    {%- set calls = adapter.get_relation(target.database, 'answers', 'llm_calls') -%}
    {%- if 'llm_calls' in built -%}
        {%- set place = 'answers.llm_calls' -%}
    {%- elif calls is none -%}
        {%- set place = 'the ledger; answers.llm_calls is not built' -%}
    {%- else -%}
        {%- set place = 'the ledger; answers.llm_calls is of an earlier build' -%}
    {%- endif -%}
    {%- do return([run_query("select cost_of_calls('" ~ place ~ "')").columns[0].values()[0]]) -%}
{%- endmacro %}
