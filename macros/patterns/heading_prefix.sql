{#
    The heading that a source runs into a sentence ("Results of Operations Revenue increased …"), or null: what the
    first pattern of seeds.heading_prefix_patterns captures, else words that the sentence begins with again ("Interest
    Expense Interest expense rose"), which no RE2 pattern can say.

    words: SQL for the first words of the text in lower case without marks, null where they need no comparing.
#}
{% macro heading_prefix(text, words) -%}
    {%- set seed = adapter.get_relation(target.database, 'seeds', 'heading_prefix_patterns') if execute else none -%}
    {%- if seed is not none -%}
        {%- set rows = run_query('select role, pattern from ' ~ seed ~ ' order by priority, pattern_id').rows -%}
        {%- set never = [] -%}
        {%- for row in rows if row[0] == 'never' -%}{%- do never.append(sql_strings([row[1]])) -%}{%- endfor -%}
        case
            when not ({{ any_pattern_matches(text, never) }})
                then
                    coalesce(
                        {%- for row in rows if row[0] == 'capture' %}
                        nullif(trim(regexp_extract({{ text }}, {{ sql_strings([row[1]]) }}, 1)), ''),
                        {%- endfor %}
                        {{ repeated_opening(text, words) }}
                    )
        end
    {%- else -%}
        null::varchar
    {%- endif -%}
{%- endmacro %}


{#
    The words of a text up to where one to five words are said a second time, the second time as the opening of a
    sentence: in its first ten words, with a capital ("Income Taxes Income taxes rose"). Or up to where its first two
    words open a sentence after three to six words ("Fair Value Measurements Fair value is …").
#}
{% macro repeated_opening(text, words) -%}
    {%- set parts -%}
        string_split({{ text }}, ' ')
    {%- endset -%}
    case
        {%- for first in range(1, 6) %}
        {%- for length in range(1, 6) if first + 2 * length <= 11 %}
        {%- set next = first + length %}
        when
            {{ words }}[{{ first }}:{{ next - 1 }}] = {{ words }}[{{ next }}:{{ next + length - 1 }}]
            and regexp_matches({{ parts }}[{{ next }}], '^[A-Z]')
            and not ends_with({{ parts }}[{{ next - 1 }}], ',')
            then array_to_string({{ parts }}[:{{ next - 1 }}], ' ')
        {%- endfor %}
        {%- endfor %}
        {%- for length in range(3, 7) %}
        when
            {{ words }}[1:2] = {{ words }}[{{ length + 1 }}:{{ length + 2 }}]
            and regexp_matches(array_to_string({{ parts }}[{{ length + 1 }}:{{ length + 2 }}], ' '), '^[A-Z].* [a-z]')
            then array_to_string({{ parts }}[:{{ length }}], ' ')
        {%- endfor %}
    end
{%- endmacro %}


{# The text of a sentence without the heading that runs into it. #}
{% macro without_heading(text, heading_prefix) -%}
    case
        when {{ heading_prefix }} is null then {{ text }}
        else ltrim(substr({{ text }}, length({{ heading_prefix }}) + 1))
    end
{%- endmacro %}
