{# A condition that every row of a table meets; a row for which it is unknown fails too. #}
{% test every_row(model, condition) %}

    select *
    from {{ model }}
    where ({{ condition }}) is not true

{% endtest %}
