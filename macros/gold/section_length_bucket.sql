{# The length bucket of a section, by the sentences of it that the corpus holds. #}
{% macro section_length_bucket(sentence_count) -%}
    case
        when {{ sentence_count }} < 10 then '<10'
        when {{ sentence_count }} < 20 then '10-19'
        when {{ sentence_count }} < 40 then '20-39'
        else '40+'
    end
{%- endmacro %}
