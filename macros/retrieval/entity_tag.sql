{#
    Whose text it is, as contexts and chunks state it before the text: [Larkspur & Vane Stores, Inc. | 2021 | Item 7]. Of a
    document without items its heading, and no year where it states none.
#}
{% macro entity_tag(company_name, report_year, item_label, section_id, section_heading) -%}
    '[' || concat_ws(
        ' | ',
        {{ company_name }},
        nullif({{ report_year }}, 0),
        -- a section that is no item is its own label
        coalesce('Item ' || nullif({{ item_label }}, {{ section_id }}), {{ section_heading }})
    ) || ']'
{%- endmacro %}
