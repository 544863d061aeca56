{#
    Lines for the end of a build: of every file set that a person named, how many rows it has, how many of the ids in it
    are known, and what was wrong with how many. `report_build` prints them. Shares are cut off: 100.0 % is all of them.
#}
{% macro input_lines() -%}
    {%- set problems = adapter.get_relation(target.database, 'staging', 'input_problems') -%}
    {%- set sentences = adapter.get_relation(target.database, 'corpus', 'fct_sentences') -%}
    {%- set metrics = adapter.get_relation(target.database, 'seeds', 'kpi_fact_metrics') -%}
    {%- set evidence = adapter.get_relation(target.database, 'questions', 'int_suite_evidence') -%}
    {%- set lines = [] -%}
    {%- if problems is none or sentences is none -%}
        {%- do return(lines) -%}
    {%- endif -%}
    {#- what the ids of a file are looked for in: a sentence's own in the corpus, evidence as questions state it, a metric's among
        those of KPIs -#}
    {%- set counts = [] -%}
    {%- for input, schema, table, name in [
        ('hits', 'retrieval', 'int_external_hits', "external_run || '@' || regime"),
        ('suites', 'questions', 'int_external_questions', 'suite'),
        ('answers', 'answers', 'int_external_answers', 'external_run'),
        ('summaries', 'summaries', 'int_summary_pairs', 'dataset'),
        ('headlines', 'sentiment', 'int_sentiment_rows', 'dataset'),
        ('replies', 'sentiment', 'int_external_sentiment', 'system'),
        ('calibration', 'calibration', 'int_calibration_rows', 'dataset'),
        ('chunks', 'retrieval', 'int_external_chunks', 'chunking'),
        ('facts', 'staging', 'stg_xbrl__company_facts', "'company_facts'"),
    ] if input != 'facts' or setting('company_facts') not in ('auto', '') -%}
        {%- set loaded = adapter.get_relation(target.database, schema, table) -%}
        {%- if loaded is not none -%}
            {%- do counts.append(
                "select '" ~ input ~ "' as input, " ~ name ~ " as name, "
                ~ ("count(distinct (l.file_path, l.source_row)) filter (l.source_row > 0)" if input in ('answers', 'replies') else 'count(*)')
                ~ " as row_count, "
                ~ {
                    'hits': "format(', {:.1f} % known ids', floor(1000 * count(s.sentence_id) / nullif(count(l.sentence_id), 0)) / 10)",
                    'facts': "format(', {:.1f} % of a KPI (kpi_fact_metrics)', floor(1000 * count(s.metric_key) / count(*)) / 10)",
                }.get(input, 'null')
                ~ "::varchar as known from " ~ loaded ~ " as l "
                ~ {
                    'hits': "left join " ~ sentences ~ " as s on l.sentence_id = s.sentence_id ",
                    'facts': "left join " ~ metrics ~ " as s on l.metric_key = s.metric_key ",
                }.get(input, '')
                ~ "group by all"
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set embedded = adapter.get_relation(target.database, 'retrieval', 'int_embedded_texts') -%}
    {%- if embedded is not none -%}
        {%- do counts.append(
            "select 'vectors' as input, model_id as name, embedded_count as row_count, "
            ~ "format(', {:.1f} % of the texts have one', floor(1000 * embedded_count / text_count) / 10) as known "
            ~ "from " ~ embedded ~ " where precision = 'imported'"
        ) -%}
    {%- endif -%}
    {%- if counts -%}
        {%- set rows = run_query("
            with loaded as (" ~ counts | join(' union all ') ~ "),

            of_evidence as (
                " ~ ("select suite as name, count(sentence_id) / count(*) as known from " ~ evidence ~ " group by suite"
                    if evidence is not none else "select null::varchar as name, null::double as known where false") ~ "
            ),

            problems as (
                select
                    input,
                    name || coalesce('@' || regime, '') as name,
                    replace(reason, '_', ' ') as reason,
                    count(*) as problem_count,
                from " ~ problems ~ "
                group by all
            ),

            told as (
                select
                    input,
                    name,
                    string_agg(format('{:,} ', problem_count) || reason, ', ' order by problem_count desc, reason) as problems,
                from problems
                group by input, name
            )

            select
                format('{:<11} {:<20} {:>9} rows', loaded.input, loaded.name, format('{:,}', loaded.row_count))
                || coalesce(loaded.known, format(', {:.1f} % of the evidence in the corpus', 100 * of_evidence.known), '')
                || coalesce('; ' || told.problems, '') as line,
            from loaded
            left join told
                on loaded.input = told.input and loaded.name = told.name
            left join of_evidence
                on loaded.input = 'suites' and loaded.name = of_evidence.name
            where loaded.name != 'demo'
            order by loaded.input, loaded.name
        ") -%}
        {%- do lines.extend(rows.columns[0].values()) -%}
    {%- endif -%}
    {%- do return(lines) -%}
{%- endmacro %}
