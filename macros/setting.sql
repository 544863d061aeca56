{#
    A setting that is read when the model runs, as finrag.settings does: what `finrag` hands over in the environment, or
    else the var. While dbt parses it is the var, so that another value costs no parse.
#}
{% macro setting(name) -%}
    {%- if not execute -%}{%- do return(var(name)) -%}{%- endif -%}
    {%- do return(fromjson(env_var('FINRAG_SETTINGS', '{}')).get(name, var(name))) -%}
{%- endmacro %}
