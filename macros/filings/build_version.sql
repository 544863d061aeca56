{#
    SQL expression for what a filing's rows in this model are built from: the filing's content (filing_version), the
    model's own code and the registries it reads (config meta `registries`). When any of them changes, so does it.
#}
{% macro build_version(filing_versions) -%}
    {%- set registries = (config.get('meta') or {}).get('registries', []) -%}
    md5(concat_ws(
        '|',
        {{ filing_versions }}.filing_version,
        '{{ local_md5(model.raw_code) }}'
        {%- for registry in registries %},
        (select md5(string_agg(registry::varchar, '' order by registry::varchar))
         from {{ api.Relation.create(database=target.database, schema='seeds', identifier=registry) }} as registry)
        {%- endfor %}
    ))
{%- endmacro %}
