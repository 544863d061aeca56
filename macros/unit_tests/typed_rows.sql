{# Rows as a unit test states them, as a list of values of the columns' types. One macro does all, since calls cost. #}
{% macro typed_rows(rows, names, types) -%}
    {%- for name in names if name not in types -%}
        {%- do exceptions.raise_compiler_error(
            'A unit test has a column ' ~ name ~ ' where there are only ' ~ types | join(', ') ~ '.'
        ) -%}
    {%- endfor -%}
    (values
    {%- for row in rows -%}
        {%- set stated = {} -%}
        {%- for name, value in row.items() -%}{%- do stated.update({name | lower: value}) -%}{%- endfor %}
        (
        {%- for name in names -%}
            {%- set value = stated.get(name) -%}
            cast(
            {%- if value is string -%}'{{ value | replace("'", "''") }}'
            {%- elif value is none -%}null
            {%- else -%}{{ value }}
            {%- endif %} as {{ types[name] }}){% if not loop.last %}, {% endif %}
        {%- endfor -%}
        ){% if not loop.last %},{% endif %}
    {%- endfor -%}
    ) as stated ({{ names | join(', ') }})
{%- endmacro %}

{# The types of a relation's columns, or of a query's in parentheses, by their names. #}
{% macro types_of_columns(relation) -%}
    {%- set types = {} -%}
    {%- set question = 'select column_name, column_type from (describe ' ~ relation ~ ')' -%}
    {%- for name, type in adapter.execute(question, fetch=true)[1].rows -%}
        {# as a table takes a column that is null in every row #}
        {%- do types.update({name | lower: 'integer' if type == '"NULL"' else type}) -%}
    {%- endfor -%}
    {%- do return(types) -%}
{%- endmacro %}
