-- How fast LanceDB answered, apart from how well: a timing differs from build to build, a result does not.
with

int_index_recall as (

    select * from {{ ref('int_index_recall') }}
    where n_clusters is not null

),

int_sentence_index as (

    select * from {{ ref('int_sentence_index') }}

),

retrieval_regimes as (

    select * from {{ ref('retrieval_regimes') }}

),

-- measurements of the indexes as they are now, under the regimes as they are now
current_measurements as (

    select distinct
        int_index_recall.model_id,
        int_index_recall.regime,
        int_index_recall.n_queries,
        int_index_recall.queries_per_second,
        int_index_recall.index_type,
        int_sentence_index.row_count,
    from int_index_recall
    inner join int_sentence_index
        on int_index_recall.model_id = int_sentence_index.model_id
        and int_index_recall.index_checksum = int_sentence_index.checksum
        and int_index_recall.index_type = int_sentence_index.index_type
        and int_index_recall.index_parameters = int_sentence_index.index_parameters
    inner join retrieval_regimes
        on int_index_recall.regime = retrieval_regimes.regime
        and int_index_recall.filter_columns = {{ single_spaced("coalesce(retrieval_regimes.filter_columns, '')") }}

)

select * from current_measurements
