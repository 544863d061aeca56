{# Sources by words, lower bounds included. The last stratum is what the MD&A notebook calls long. #}
{% macro length_stratum(word_count) -%}
    case
        when {{ word_count }} < 1000 then 'under 1,000 words'
        when {{ word_count }} < 5000 then '1,000 to 4,999 words'
        when {{ word_count }} < 20000 then '5,000 to 19,999 words'
        else '20,000 words and more'
    end
{%- endmacro %}
