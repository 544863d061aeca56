{# What a build is sure of, in words, the largest difference of a suite first; of the other headlines how many there are. #}
{% macro verdict_lines() -%}
    {%- set verdicts = adapter.get_relation(target.database, 'metrics', 'verdicts') -%}
    {%- if verdicts is none -%}{%- do return([]) -%}{%- endif -%}
    {%- set lines = [] -%}
    {%- for row in run_query(
        "select concat_ws(' ', coalesce(suite, dataset), nullif(setting, '')) || ': ' || sentence as line from " ~ verdicts
        ~ " where is_headline and verdict in ('better', 'worse') order by coalesce(suite, dataset) desc, setting desc, "
        ~ "abs(difference) desc, candidate"
    ).rows -%}
        {%- do lines.append(row['line']) -%}
    {%- endfor -%}
    {%- for row in run_query(
        "select verdict, count(*) as n, string_agg(distinct coalesce(suite, dataset), ', ' order by coalesce(suite, dataset)) "
        ~ "as suites from " ~ verdicts ~ " where is_headline and verdict not in ('better', 'worse') group by verdict order by 1"
    ).rows -%}
        {%- do lines.append(row['n'] ~ ' pairs of ' ~ row['suites'] ~ ': ' ~ row['verdict']) -%}
    {%- endfor -%}
    {%- if setting('compare_reference') and not lines -%}
        {%- do lines.append('no pair has the reference ' ~ setting('compare_reference')) -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
