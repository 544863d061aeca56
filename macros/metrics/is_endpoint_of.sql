{#
    Whether a primary endpoint is one of a suite: its own, that of every suite (empty), or p3, which stands for all suites
    of questions, whatever users call theirs. Both are SQL.
#}
{% macro is_endpoint_of(endpoint_suite, suite) -%}
    (
        coalesce({{ endpoint_suite }}, '') in ('', {{ suite }})
        or ({{ endpoint_suite }} = 'p3' and {{ suite }} not in ('p1', 'p2'))
    )
{%- endmacro %}
