{#
    on-run-end of `dbt build`: what the warehouse now holds, and the files that were left out with the reason, where the
    eye falls: at the end of the output. After a build that failed most tables are those of an earlier one, so nothing is
    said of them; of what this build did make, the alerts, what calls have cost, which stands in the ledger, and the files left
    out, which may be why it failed.
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
                {%- do report_rows('Your inputs (staging.input_problems)', input_lines()) -%}
                {%- do report_rows('Retrieval: Hit@5, the best three and blind draws (metrics.p1_scorecard, p2_scorecard; all: metric_values_by_run)', retrieval_lines()) -%}
                {%- do report_rows('Language models: the best three (metrics.metric_values_by_run)', language_model_lines()) -%}
            {%- endif -%}
            {%- if not failed -%}
                {%- do report_rows('Verdicts (metrics.verdicts; ' ~ command('compare') ~ ')', verdict_lines()) -%}
            {%- endif -%}
            {%- if not failed or 'alerts' in built -%}
                {%- do report_alerts() -%}
            {%- endif -%}
            {%- for line in cost_lines(built) -%}
                {%- do print('\nCost: ' ~ line) -%}
            {%- endfor -%}
            {%- if not failed -%}
                {%- do report_rows('Corpus health (corpus.corpus_health)', corpus_health_lines()) -%}
            {%- endif -%}
            {%- if not failed or 'source_files' in built -%}
                {%- set rejected = run_query(
                    "select if(count(*) = 1, min(file_path), format('{:,} files, such as ', count(*)) || min(file_path)) "
                    ~ "|| ': ' || replace(min(reason), min(file_path), 'the file') from " ~ files ~ " where status = "
                    ~ "'rejected' group by replace(reason, file_path, 'the file') order by min(file_path)"
                ) -%}
                {%- do report_rows('Source files left out (staging.source_files)', rejected.columns[0].values()) -%}
                {%- do report_rows('Source files of which no row is used (corpus.rejected_rows)', unused_file_lines()) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}


{# `corpus: 9,321 sentences (fct_sentences)`: the rows of each table that an analyst starts from, a line per schema. #}
{% macro table_counts() -%}
    {%- set lines = [] -%}
    {%- for schema, tables in {
        'corpus': {
            'dim_companies': ('company', 'companies'), 'dim_filings': ('filing', 'filings'),
            'fct_sentences': ('sentence', 'sentences'), 'rejected_rows': ('row rejected', 'rows rejected'),
        },
        'bundles': {
            'v1_kpi_scan': ('KPI statement', 'KPI statements'), 'v2_risk_atlas': ('risk statement', 'risk statements'),
            'v3_trend_bundles': ('trend bundle', 'trend bundles'),
            'v4_cross_company_bundles': ('cross-company bundle', 'cross-company bundles'),
            'v5_definition_bundles': ('definition bundle', 'definition bundles'),
        },
        'gold': {'retrieval_queries': ('gold query', 'gold queries')},
        'retrieval': {'retrieval_hits': ('hit of all runs', 'hits of all runs')},
        'metrics': {'metric_values': ('metric value', 'metric values')},
    }.items() -%}
        {%- set counted = [] -%}
        {%- for table, (one, many) in tables.items() -%}
            {%- set relation = adapter.get_relation(target.database, schema, table) -%}
            {%- if relation is not none -%}
                {%- set count = run_query('select count(*) from ' ~ relation).columns[0].values()[0] -%}
                {%- do counted.append('{:,} {}'.format(count | int, one if count == 1 else many)) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if counted -%}
            {%- do lines.append('%-10s %s' | format(schema, counted | join(', '))) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return(lines) -%}
{%- endmacro %}


{#
    `23 files, such as a.htm: missing_cik`: loaded files whose every row is rejected, but for copies of filings, whose
    empty and unknown items are rejected for themselves.
#}
{% macro unused_file_lines() -%}
    {%- set contents = adapter.get_relation(target.database, 'corpus', 'int_filing_contents') -%}
    {%- set rejected_rows = adapter.get_relation(target.database, 'corpus', 'rejected_rows') -%}
    {%- if contents is none or rejected_rows is none -%}{%- do return([]) -%}{%- endif -%}
    {%- set files = run_query(
        "with held as (select file_path, sum(row_count) as held_count from " ~ contents ~ " group by file_path), "
        ~ "of_filings as (select file_path, reason, bool_or(reason = 'duplicate_filing') over (partition by file_path, filing_id) as is_copy "
        ~ "from " ~ rejected_rows ~ " where reason not in ('missing_item', 'incorporated_by_reference')), "
        ~ "rejected as (select file_path, count(*) as rejected_count, bool_and(is_copy) as is_of_copies, "
        ~ "string_agg(distinct reason, ', ' order by reason) as reasons from of_filings group by file_path) "
        ~ "select if(count(*) = 1, min(file_path), format('{:,} files, such as ', count(*)) || min(file_path)) || ': ' || reasons "
        ~ "from held inner join rejected using (file_path) where rejected_count >= held_count and not is_of_copies "
        ~ "group by reasons order by min(file_path)"
    ) -%}
    {%- do return(files.columns[0].values()) -%}
{%- endmacro %}


{% macro report_rows(title, lines) -%}
    {%- if lines -%}
        {%- do print('\n' ~ title ~ ':') -%}
        {%- for line in lines -%}
            {%- do print('  ' ~ line) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
