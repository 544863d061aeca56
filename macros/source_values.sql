{#
    Values as sources write them. These run on every row of the corpus.
#}

{#
    A whole number, from text such as 5, 0005 or, as columns of floats are written, 5.0; else null. A cast alone rounds 1.5
    and takes 1e6, 0x1F and 1_000 for numbers.
#}
{% macro whole_number(value, type='bigint') -%}
    case when regexp_full_match({{ value }}, '\s*[+-]?\d+(\.0*)?\s*') then try_cast({{ value }} as {{ type }}) end
{%- endmacro %}


{# A company's SEC number, from text such as 0000104169 or 104169.0; null where there is none of up to ten digits. #}
{% macro parse_cik(value) -%}
    case when try_cast({{ value }} as bigint) between 1 and 9999999999 then {{ whole_number(value) }} end
{%- endmacro %}


{# A report year, from text such as 2018, 2018.0 or FY2018; null outside 1980 to 2100. #}
{% macro parse_report_year(value) -%}
    {%- set year -%}
        coalesce(
            {{ whole_number(value, 'integer') }},
            try_cast(nullif(regexp_extract({{ value }}, '(?i)^\s*FY\s?(\d{4})\s*$', 1), '') as integer)
        )
    {%- endset -%}
    case when {{ year }} between 1980 and 2100 then {{ year }} end
{%- endmacro %}


{#
    The fiscal year of a period by its last day: the year in which it ends, of one that ends in the first seven days of
    January the year before. Years of 52 or 53 weeks end near the end of December, one or two of seven in January.
#}
{% macro fiscal_year_of(day) -%}
    year({{ day }} - 7)
{%- endmacro %}


{# `7A` from a source's name of an item: item_7A, ITEM 7a., section_7A, 7A; empty where it names none. #}
{% macro item_label(value) -%}
    upper(regexp_extract({{ value }}, '(?i)^\s*(?:item|section)?[\s_.]*(\d{1,2}[abc]?)[\s.]*$', 1))
{%- endmacro %}


{# Whether a text has a letter or a digit: what has none is no sentence to finrag.corpus.splitting either. #}
{% macro has_words(value) -%}
    coalesce(regexp_matches({{ value }}, '[\pL\pN]'), false)
{%- endmacro %}


{# The form of a filing; one of which none is stated is taken for a 10-K. #}
{% macro form_type(value) -%}
    coalesce(nullif(trim({{ value }}), ''), '10-K')
{%- endmacro %}


{# `0000104169_10-K_2018`; null when a part is missing. #}
{% macro filing_id(cik, form_type, report_year) -%}
    lpad({{ cik }}::varchar, 10, '0') || '_' || {{ form_type }} || '_' || {{ report_year }}
{%- endmacro %}
