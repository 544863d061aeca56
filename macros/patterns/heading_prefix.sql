{#
    The heading that a source runs into a sentence ("Results of Operations Revenue increased …"), or null: what the
    first pattern of seeds.heading_prefix_patterns captures, else words that the sentence begins with again ("Interest
    Expense Interest expense rose"), which no RE2 pattern can say.

    words: SQL for the first words of the text in lower case without marks, null where they need no comparing.
#}
{% macro heading_prefix(text, words) -%}
    case
        when not {{ never_captured(text, 'heading_prefix_patterns') }}
            then
                coalesce(
                    {{ first_captured(text, 'heading_prefix_patterns') }},
                    {{ repeated_opening(text, words) }}
                )
    end
{%- endmacro %}


{#
    The words of a text up to where one to five words are said a second time, the second time as the opening of a
    sentence: in its first ten words, with a capital ("Income Taxes Income taxes rose"). Or up to where its first two
    words open a sentence after three to six words ("Fair Value Measurements Fair value is …"), or its first one does so
    before a verb ("Goodwill and Other Assets Goodwill represents …"). The heading may have a number.
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
        {%- for first in range(1, 3) %}
        {%- for length in range(first + 1, 8) %}
        {%- set opening = "array_to_string(" ~ parts ~ "[" ~ (length + 1) ~ ":" ~ (length + 2) ~ "], ' ')" %}
        when
            {% if first == 2 %}regexp_matches({{ parts }}[1], '^\(?\w{1,2}[.)]$') and {% endif -%}
            {{ words }}[{{ first }}] = {{ words }}[{{ length + 1 }}]
            and (
                regexp_matches({{ opening }}, '^[A-Z]\S* (?:is|are|was|were|represents?|consists?|includes?|means|refers?)$')
                or (
                    {{ words }}[{{ first + 1 }}] = {{ words }}[{{ length + 2 }}]
                    and regexp_matches({{ opening }}, '^[A-Z]\S* [a-z]')
                )
            )
            then array_to_string({{ parts }}[:{{ length }}], ' ')
        {%- endfor %}
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
