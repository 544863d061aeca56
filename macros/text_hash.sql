{# Identity of a text up to white space and case: embeddings are computed and duplicates counted once per text_hash. #}
{% macro text_hash(text) -%}
    md5(lower(trim(regexp_replace({{ text }}, '\s+', ' ', 'g'))))
{%- endmacro %}


{# Words are runs of anything but white space. #}
{% macro word_count(text) -%}
    len(regexp_split_to_array(trim({{ text }}), '\s+'))
{%- endmacro %}
