{#
    Two CTEs, `versioned` and `unstored`: the rows of a relation with metrics_version, a checksum of all rows of their
    run, which is what its values depend on, and of them those of the runs that an incremental model does not hold in
    that version yet.
#}
{% macro unstored_runs(relation) -%}
versioned as (

    select
        *,
        md5(bit_xor(hash({{ relation }})) over (partition by run_id)::varchar) as metrics_version,
    from {{ relation }}

),

unstored as (

    select * from versioned
    {% if is_incremental() -%}
        where (run_id, metrics_version) not in (
                select (stored.run_id, stored.metrics_version) from {{ this }} as stored
            )
    {%- endif %}

)
{%- endmacro %}
