{#
    Values as sources write them. Casts come before regular expressions because nearly every row is plain, and these run
    on every row of the corpus.
#}

{# A company's SEC number, from text such as 0000104169 or 104169.0; null where there is none of up to ten digits. #}
{% macro parse_cik(value) -%}
    case when try_cast({{ value }} as bigint) between 1 and 9999999999 then try_cast({{ value }} as bigint) end
{%- endmacro %}


{# A report year, from text such as 2018, 2018.0 or FY2018; null outside 1980 to 2100. #}
{% macro parse_report_year(value) -%}
    {%- set year -%}
        coalesce(
            try_cast({{ value }} as integer),
            try_cast(nullif(regexp_extract({{ value }}, '(?i)^\s*FY\s?(\d{4})\s*$', 1), '') as integer)
        )
    {%- endset -%}
    case when {{ year }} between 1980 and 2100 then {{ year }} end
{%- endmacro %}


{# `7A` from a source's name of an item: item_7A, ITEM 7a., section_7A, 7A; empty where it names none. #}
{% macro item_label(value) -%}
    upper(regexp_extract({{ value }}, '(?i)^\s*(?:item|section)?[\s_.]*(\d{1,2}[abc]?)[\s.]*$', 1))
{%- endmacro %}


{# Whether a text has a letter or a digit: what has none is no sentence to finrag.corpus.splitting either. #}
{% macro has_words(value) -%}
    coalesce(regexp_matches({{ value }}, '[\pL\pN]'), false)
{%- endmacro %}


{# `0000104169_10-K_2018`; null when a part is missing. #}
{% macro filing_id(cik, form_type, report_year) -%}
    lpad({{ cik }}::varchar, 10, '0') || '_' || {{ form_type }} || '_' || {{ report_year }}
{%- endmacro %}
