{#
    What a sentence is by its form, from seeds.sentence_kind_patterns: the first kind by priority of which an include
    pattern matches the text, and still does when every match of the kind's exclude patterns is blanked; else prose.
#}
{% macro sentence_kind(text) -%}
    {%- set rules = label_rules('sentence_kind_patterns', 'kind') -%}
    {%- if rules -%}
    case
        {%- for rule in rules %}
        when
            {{ any_alternation_matches(text, rule.includes) }}
            {%- if rule.exclude %}
            {%- set blanked = "regexp_replace(" ~ text ~ ", " ~ rule.exclude ~ ", ' # ', 'g')" %}
            and {{ any_alternation_matches(blanked, rule.includes) }}
            {%- endif %}
            then '{{ rule.label }}'
        {%- endfor %}
        else 'prose'
    end
    {%- else -%}
        'prose'
    {%- endif -%}
{%- endmacro %}
