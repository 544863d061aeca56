{#
    What is known of a query in a run besides its hits. A query is lost that could not be asked, because imported vectors
    leave it without one, or whose call failed in a retriever of one's own, as its files say: it has no result, not an
    empty one. Runs share a state where they share suite, index and gold; the index of an external run is its hits.

    gold_distances, external_rows, gold_versions: CTEs of the calling model.
#}
{% macro query_states() -%}
vector_states as (

    select
        suite,
        index_checksum,
        gold_version,
        query_id,
        not has_vector as is_lost,
        gold_ids,
        distances,
    from gold_distances

),

failed_calls as (

    select distinct
        external_rows.suite,
        runs.content_checksum as index_checksum,
        gold_versions.gold_version,
        external_rows.query_id,
        true as is_lost,
        []::varchar[] as gold_ids,
        []::float[] as distances,
    from external_rows
    inner join external_rows as runs
        on external_rows.external_run = runs.external_run
        and external_rows.regime = runs.regime
        and external_rows.suite = runs.suite
        and runs.kind = 'run'
    inner join gold_versions
        on external_rows.suite = gold_versions.suite
    where external_rows.kind = 'failed'

),

final as (

    select * from vector_states

    union all

    select * from failed_calls

)
{%- endmacro %}
