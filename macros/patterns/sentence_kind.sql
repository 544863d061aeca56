{#
    What a sentence is by its form, from seeds.sentence_kind_patterns: the first kind by priority of which an include
    pattern matches the text, and still does when every match of the kind's exclude patterns is blanked; else prose.

    The patterns stay apart where label_rules joins them: joined, so many long ones outgrow RE2's cache of states and
    cost seven times as much.
#}
{% macro sentence_kind(text) -%}
    {%- set kinds = sentence_kind_rules() -%}
    {%- if kinds -%}
    case
        {%- for rule in kinds %}
        when
            ({{ any_pattern_matches(text, rule.includes) }})
            {%- if rule.exclude %}
            and ({{ any_pattern_matches("regexp_replace(" ~ text ~ ", " ~ rule.exclude ~ ", ' # ', 'g')", rule.includes) }})
            {%- endif %}
            then '{{ rule.kind }}'
        {%- endfor %}
        else 'prose'
    end
    {%- else -%}
        'prose'
    {%- endif -%}
{%- endmacro %}


{# Whether one of a list of pattern literals matches. #}
{% macro any_pattern_matches(text, patterns) -%}
    {%- for pattern in patterns -%}
        regexp_matches({{ text }}, {{ pattern }}){{ ' or ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}


{# [{kind, includes: [literal, …], exclude: literal or none}] in order of priority; empty while parsing. #}
{% macro sentence_kind_rules() -%}
    {%- set rules = label_rules('sentence_kind_patterns', 'kind') -%}
    {%- set kinds = [] -%}
    {%- for rule in rules -%}
        {%- set rows = run_query(
            "select pattern from " ~ adapter.get_relation(target.database, 'seeds', 'sentence_kind_patterns')
            ~ " where kind = '" ~ rule.label ~ "' and role = 'include' order by pattern_id"
        ) -%}
        {%- set includes = [] -%}
        {%- for row in rows.rows -%}{%- do includes.append(case_insensitive(row[0])) -%}{%- endfor -%}
        {%- do kinds.append({'kind': rule.label, 'includes': includes, 'exclude': rule.exclude}) -%}
    {%- endfor -%}
    {%- do return(kinds) -%}
{%- endmacro %}
