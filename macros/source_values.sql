{# A company's SEC number as a number, from text such as 0000104169; null where there is none. #}
{% macro parse_cik(value) -%}
    try_cast(nullif(regexp_extract({{ value }}, '^\s*(\d{1,10})(?:\.0)?\s*$', 1), '') as bigint)
{%- endmacro %}


{# A report year as a number, from text such as 2018, 2018.0 or FY2018; null outside 1980 to 2100. #}
{% macro parse_report_year(value) -%}
    case
        when try_cast(regexp_extract({{ value }}, '^\s*(?:FY\s?)?(\d{4})(?:\.0)?\s*$', 1) as integer) between 1980 and 2100
            then regexp_extract({{ value }}, '^\s*(?:FY\s?)?(\d{4})(?:\.0)?\s*$', 1)::integer
    end
{%- endmacro %}


{# `7A` from a source's name of an item: item_7A, ITEM 7a., section_7A, 7A. #}
{% macro item_label(value) -%}
    upper(regexp_extract({{ value }}, '(?i)^\s*(?:item|section)?[\s_.]*(\d{1,2}[abc]?)[\s.]*$', 1))
{%- endmacro %}


{# `0000104169_10-K_2018`; null when a part is missing. #}
{% macro filing_id(cik, form_type, report_year) -%}
    lpad({{ cik }}::varchar, 10, '0') || '_' || {{ form_type }} || '_' || {{ report_year }}
{%- endmacro %}
