{#
    Of what a question has by gold predicate the row that it is judged by: that of its evidence, or, where its suite quotes
    nothing, that of pages. Stands in place of where, last in a select.

    columns: what else tells one question from another there, SQL.
#}
{% macro by_evidence(columns) -%}
    where gold_predicate in ('evidence', 'page')
    qualify row_number() over (partition by {{ columns }} order by gold_predicate) = 1
{%- endmacro %}
