{#
    The rows of every loaded file of one layout, as the columns named, all text, plus file_path and source_row
    (1-based position in its file). Files of the layout may be Parquet, CSV or JSON and may lack some of the columns, or
    call them by another name that the setting corpus_columns gives. other_items: also those of JSON files that are no column.

    The file list is written into the statement so that a filter on file_path prunes whole files. Only Parquet states
    the number of a row; CSV and JSON rows are counted as they are read, file by file, because a count over several
    files at once would depend on which thread reads which. Files of one JSON object need no counting.

    Of a file with damaged lines (source_files.is_damaged), lines that are no JSON are rows of nulls to DuckDB, and
    records of a CSV with too few fields are filled up; these, and others that cannot be read
    (source_files.unreadable_rows), are left to int_sentence_rows.
#}
{% macro read_corpus_files(layout, columns, other_items=false) -%}
{%- set files = loaded_files(layout) -%}
{%- set columns = columns + unknown_columns(files, columns) if other_items else columns -%}
    select
        {% for column in columns -%}
        null::varchar as {{ column }},
        {% endfor -%}
        null::varchar as file_path,
        null::bigint as source_row
    where false
{%- if files.parquet %}

    union all by name

    select
        {{ present_columns(columns, "read_parquet([" ~ file_patterns(files.parquet) ~ "], union_by_name = true, hive_partitioning = false)") }}
        file_path,
        file_row_number + 1 as source_row
    from read_parquet(
        [{{ file_patterns(files.parquet) }}],
        union_by_name = true,
        hive_partitioning = false,
        filename = 'file_path',
        file_row_number = true
    )
{%- endif %}
{%- for columns_read, paths in files.json_objects.items() %}
{%- set stated = stated_names(columns, columns_read) %}

    union all by name

    select
        {{ named_columns(columns, stated) }}
        file_path,
        1 as source_row
    from {{ json_reader(paths, stated) }}
{%- endfor %}
{%- for file in files.json_rows %}
{%- set stated = stated_names(columns, file.columns_read) %}

    union all by name

    select
        counted.*,
        {{ sql_strings([file.path]) }} as file_path
    from (
        select
            {{ named_columns(columns, stated) }}
            row_number() over () as source_row
        from {{ json_reader([file.path], stated, file.is_damaged) }}
    ) as counted
    {%- if file.unreadable %}
    where source_row not in ({{ file.unreadable | join(', ') }})
    {%- endif %}
{%- endfor %}
{%- for file in files.csv %}
{%- set columns_read = fromjson(file.columns_read) if file.columns_read else none %}

    union all by name

    select
        counted.*,
        {{ sql_strings([file.path]) }} as file_path
    from (
        select
            {{ present_columns(columns, csv_reader(file.path, columns_read)) }}
            row_number() over () as source_row
        from {{ csv_reader(file.path, columns_read) }}
    ) as counted
    {%- if file.unreadable %}
    where source_row not in ({{ file.unreadable | join(', ') }})
    {%- endif %}
{%- endfor %}
{%- endmacro %}


{#
    The loaded files of a layout by how they are read; empty before source_files was first built. Of Parquet paths; of
    JSON files that are one object paths by columns_read, as text; of the others what source_files says of each.
#}
{% macro loaded_files(layout) %}
    {%- set found = {'parquet': [], 'json_objects': {}, 'json_rows': [], 'csv': []} -%}
    {%- do ref('source_files') -%}
    {%- if execute -%}
        {%- set files = adapter.get_relation(target.database, 'staging', 'source_files') -%}
        {%- if files is not none -%}
            {%- set rows = run_query(
                "select case when file_format != 'json' then file_format when row_count = 1 then 'json_objects' else 'json_rows' end, "
                ~ "file_path, coalesce(columns_read, ''), coalesce(unreadable_rows, '{}'), coalesce(is_damaged, false) "
                ~ "from " ~ files ~ " where layout = '" ~ layout ~ "' and status = 'loaded' order by file_path"
            ) -%}
            {%- for kind, path, columns_read, unreadable, is_damaged in rows.rows -%}
                {%- if kind == 'parquet' -%}
                    {%- do found.parquet.append(path) -%}
                {%- elif kind == 'json_objects' -%}
                    {%- do found.json_objects.setdefault(columns_read, []).append(path) -%}
                {%- else -%}
                    {%- do found[kind].append({
                        'path': path, 'columns_read': columns_read, 'is_damaged': is_damaged,
                        'unreadable': fromjson(unreadable).keys(),
                    }) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(found) -%}
{% endmacro %}


{# What the JSON files are read by (source_files.columns_read) and none of the columns is: items of no 10-K. #}
{% macro unknown_columns(files, columns) %}
    {%- set known = all_names(columns) | map('lower') | list -%}
    {%- set unknown = [] -%}
    {%- for columns_read in files.json_objects.keys() | list + files.json_rows | map(attribute='columns_read') | list if columns_read -%}
        {%- for name in fromjson(columns_read) if name | lower not in known -%}
            {%- do unknown.append(name) -%}
            {%- do known.append(name | lower) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(unknown) -%}
{% endmacro %}


{# Those of the columns that the table function has, as text; `union all by name` fills the others with null. #}
{% macro present_columns(columns, table_function) %}
    {%- set rows = run_query('select column_name from (describe select * from ' ~ table_function ~ ')') -%}
    {{- named_columns(columns, rows.columns[0].values()) -}}
{% endmacro %}


{# Each column that is among the names, by its own name or by that of corpus_columns, as text. #}
{% macro named_columns(columns, present) %}
    {%- for column in columns -%}
        {%- set found = [] -%}
        {%- for name in names_of(column) -%}
            {%- for held in present if held | lower == name | lower -%}{%- do found.append(held) -%}{%- endfor -%}
        {%- endfor -%}
        {%- if found -%}
        {% if found | length > 1 %}coalesce({% endif -%}
        {%- for held in found -%}
            "{{ held | replace('"', '""') }}"::varchar{{ ', ' if not loop.last }}
        {%- endfor -%}
        {%- if found | length > 1 %}){% endif %} as {{ column }},
        {% endif -%}
    {%- endfor -%}
{% endmacro %}


{# A column's own name and, after it, the one that the files of a project give it. #}
{% macro names_of(column) %}
    {%- set own = [] -%}
    {%- for name, theirs in setting('corpus_columns').items() if name | lower == column | lower -%}
        {%- do own.append(theirs) -%}
    {%- endfor -%}
    {%- do return([column] + own) -%}
{% endmacro %}


{# All of them, once in whatever case. #}
{% macro all_names(columns) %}
    {%- set names = {} -%}
    {%- for column in columns -%}
        {%- for name in names_of(column) -%}{%- do names.setdefault(name | lower, name) -%}{%- endfor -%}
    {%- endfor -%}
    {%- do return(names.values() | list) -%}
{% endmacro %}


{# The names that JSON is asked for: those wanted, or, where it has them in another case, as it writes them. #}
{% macro stated_names(columns, columns_read) %}
    {%- set wanted = all_names(columns) -%}
    {%- if not columns_read -%}{%- do return(wanted) -%}{%- endif -%}
    {%- set in_lower_case = wanted | map('lower') | list -%}
    {%- set stated = [] -%}
    {%- for name in fromjson(columns_read) if name | lower in in_lower_case -%}{%- do stated.append(name) -%}{%- endfor -%}
    {%- do return(stated) -%}
{% endmacro %}


{% macro json_reader(paths, columns, is_damaged=false) -%}
    read_json(
        [{{ file_patterns(paths) }}],
        columns = {{ text_columns(columns) }},
        filename = 'file_path',
        hive_partitioning = false,
        {% if is_damaged -%}
        format = 'newline_delimited',
        ignore_errors = true,
        {% endif -%}
        maximum_object_size = 268435456
    )
{%- endmacro %}


{% macro text_columns(columns) -%}
    { {%- for column in columns %}{{ sql_strings([column]) }}: 'VARCHAR'{{ ', ' if not loop.last }}{% endfor -%} }
{%- endmacro %}


{# The dialect is stated rather than sniffed, as in finrag.corpus.reader.CSV_DIALECT; so is, of a damaged file, BY_RECORD. #}
{% macro csv_reader(path, columns_read=none) -%}
    read_csv(
        {{ file_patterns([path]) }},
        all_varchar = true,
        header = true,
        skip = 0,
        comment = '',
        delim = ',',
        quote = '"',
        escape = '"',
        {% if columns_read is not none -%}
        columns = {{ text_columns(columns_read) }},
        auto_detect = false,
        null_padding = true,
        parallel = false,
        {% endif -%}
        hive_partitioning = false
    )
{%- endmacro %}


{# Files as DuckDB reads each by itself: it takes every path for a glob, as finrag.corpus.reader.pattern_of says. #}
{% macro file_patterns(paths) %}
    {%- set patterns = [] -%}
    {%- for path in paths -%}
        {%- do patterns.append(path if '://' in path else path | replace('[', '[[]') | replace('*', '[*]') | replace('?', '[?]')) -%}
    {%- endfor -%}
    {{- sql_strings(patterns) -}}
{% endmacro %}
