{# The grain of a table: no two rows share the values of the columns. #}
{% test unique_combination(model, columns) %}

    select
        {{ columns | join(', ') }},
        count(*) as row_count
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1

{% endtest %}
