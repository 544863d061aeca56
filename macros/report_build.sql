{#
    on-run-end of `dbt build`: what the warehouse now holds, and the files that were left out with the reason, where the
    eye falls: at the end of the output. After a build that failed most tables are those of an earlier one, so nothing is
    said of them; of what this build did make, the alerts and the files left out, which may be why it failed.
#}
{% macro report_build(results) -%}
    {%- if execute and flags.WHICH == 'build' and not invocation_args_dict.get('empty') -%}
        {%- set built = [] -%}
        {%- set failed = [] -%}
        {%- for result in results -%}
            {%- set status = result.status | string -%}
            {%- if status == 'success' -%}
                {%- do built.append(result.node.name) -%}
            {%- elif status not in ('pass', 'warn', 'no-op') -%}
                {%- do failed.append(result.node.name) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set files = adapter.get_relation(target.database, 'staging', 'source_files') -%}
        {%- if files is not none -%}
            {%- if not failed -%}
                {%- do report_rows('The warehouse holds', table_counts()) -%}
                {%- do report_rows('Retrieval, covered queries, with 95 % intervals (metrics.p1_scorecard, p2_scorecard, p3_scorecard)', retrieval_lines()) -%}
                {%- do report_rows('Language models, with 95 % intervals (metrics.metric_values_by_run)', language_model_lines()) -%}
            {%- endif -%}
            {%- if not failed or 'alerts' in built -%}
                {%- do report_alerts() -%}
            {%- endif -%}
            {%- if not failed -%}
                {%- do report_rows('Cost', cost_lines()) -%}
                {%- do report_rows('Corpus health (corpus.corpus_health)', corpus_health_lines()) -%}
            {%- endif -%}
            {%- if not failed or 'source_files' in built -%}
                {%- set rejected = run_query(
                    "select if(count(*) = 1, min(file_path), format('{:,} files, such as ', count(*)) || min(file_path)) "
                    ~ "|| ': ' || replace(min(reason), min(file_path), 'the file') from " ~ files ~ " where status = "
                    ~ "'rejected' group by replace(reason, file_path, 'the file') order by min(file_path)"
                ) -%}
                {%- do report_rows('Source files left out (staging.source_files)', rejected.columns[0].values()) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}


{# `12,345 rows in corpus.fct_sentences` for each table that an analyst starts from. #}
{% macro table_counts() -%}
    {%- set lines = [] -%}
    {%- for schema, table, noun in [
        ('corpus', 'dim_companies', 'companies'),
        ('corpus', 'dim_filings', 'filings'),
        ('corpus', 'fct_sentences', 'sentences'),
        ('corpus', 'rejected_rows', 'rejected source rows'),
        ('bundles', 'v1_kpi_scan', 'KPI statements'),
        ('bundles', 'v2_risk_atlas', 'risk statements'),
        ('bundles', 'v3_trend_bundles', 'trend bundles'),
        ('bundles', 'v4_cross_company_bundles', 'cross-company bundles'),
        ('bundles', 'v5_definition_bundles', 'definition bundles'),
        ('gold', 'retrieval_queries', 'gold queries'),
        ('retrieval', 'retrieval_hits', 'hits of all runs'),
        ('metrics', 'metric_values', 'metric values'),
    ] -%}
        {%- set relation = adapter.get_relation(target.database, schema, table) -%}
        {%- if relation is not none -%}
            {%- set count = run_query('select count(*) from ' ~ relation).columns[0].values()[0] -%}
            {%- do lines.append('%10s %-22s %s.%s' | format('{:,}'.format(count | int), noun, schema, table)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(lines) -%}
{%- endmacro %}


{% macro report_rows(title, lines) -%}
    {%- if lines -%}
        {%- do print('\n' ~ title ~ ':') -%}
        {%- for line in lines -%}
            {%- do print('  ' ~ line) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
