{#
    The words of a name, each once and without its ending, but for those that join words and "net": inventories and
    inventory, net are one.
#}
{% macro name_stems(text) -%}
    {%- set words -%}
        list_filter(
            {{ word_set(text) }},
            lambda word: not regexp_matches(word, '^(?:an?|and|at|by|for|from|in|net|of|on|or|s|the|to|with)$')
        )
    {%- endset -%}
    {{ stems(words) }}
{%- endmacro %}


{# Words without the endings of singular and plural, each once and in order. #}
{% macro stems(words) -%}
    list_sort(list_distinct(list_transform({{ words }}, lambda word: regexp_replace(word, '(?:ies|es|s|y|e)$', ''))))
{%- endmacro %}
