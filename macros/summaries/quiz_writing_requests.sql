{#
    Requests to the writers of one kind of quiz question, so many from each text. A request holds nothing of the summaries
    of its source, so all summarisers of it face the same questions.
#}
{% macro quiz_writing_requests(kind, count) -%}
select
    md5(concat_ws('|', '{{ kind }}', text_id, {{ count }})) as item_id,
    '{{ kind }}' as kind,
    origin,
    text_id,
    source_id,
    {{ count }}::integer as wanted_count,
    json_object('text', text, 'count', {{ count }}, 'company_name', company_name)::varchar as inputs,
from texts
where {{ count }} > 0
{%- endmacro %}
