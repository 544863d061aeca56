{# Whether a number is one that a company without a known number was given (finrag.corpus.names): beyond EDGAR's. #}
{% macro is_made_up(cik) -%}
    ({{ cik }} >= 9000000000)
{%- endmacro %}
