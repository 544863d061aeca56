{#
    Pre-hook of an incremental model: in a table that an earlier version made, a column gets the name that it has now. Its
    rows stay, and rows of this version can be added.
#}
{% macro rename_older_column(old, new) -%}
    {%- if execute -%}
        {%- set stored = load_relation(this) -%}
        {%- if stored and old in adapter.get_columns_in_relation(stored) | map(attribute='name') -%}
            alter table {{ this }} rename column {{ old }} to {{ new }}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
