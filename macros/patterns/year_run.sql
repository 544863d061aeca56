{# Pattern of years named one after the other: "2021, 2022 and 2023", "2021 and in fiscal 2020", "2021 2020 2019". #}
{% macro year_run() -%}
    \b(?:19|20)\d\d(?:(?:,?\s(?:and\s)?)(?:(?:in|for)\s)?(?:fiscal\s)?(?:years?\s)?(?:19|20)\d\d\b)+
{%- endmacro %}


{# The years of such a run, as a list of integers. run: SQL for its text. #}
{% macro years_of_run(run) -%}
    list_transform(regexp_extract_all({{ run }}, '\d{4}'), lambda named_year: named_year::integer)
{%- endmacro %}
