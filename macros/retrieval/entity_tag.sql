{# Whose text it is, as contexts and chunks state it before the text: [Larkspur & Vane Stores, Inc. | 2021 | Item 7]. #}
{% macro entity_tag(company_name, report_year, item_label, section_id) -%}
    concat(
        '[', {{ company_name }}, ' | ', {{ report_year }}, ' | ',
        coalesce('Item ' || {{ item_label }}, {{ section_id }}), ']'
    )
{%- endmacro %}
