-- Recall@k of an index: the share of the exact k nearest other sentences that LanceDB's answer holds, the query's own
-- removed from both. An answer is right when
-- its exact score reaches the k-th exact score, so that copies of a text that tie at the cut count alike.
with

int_index_recall as (

    select * from {{ ref('int_index_recall') }}
    where is_interval_reliable is not null

),

int_sentence_index as (

    select * from {{ ref('int_sentence_index') }}

),

retrieval_regimes as (

    select * from {{ ref('retrieval_regimes') }}

),

-- measurements of the indexes as they are now, under the regimes as they are now
current_measurements as (

    select
        int_index_recall.model_id,
        int_index_recall.regime,
        int_index_recall.k,
        int_index_recall.recall,
        int_index_recall.ci_low,
        int_index_recall.ci_high,
        int_index_recall.is_interval_reliable,
        int_index_recall.n_queries,
        int_index_recall.n_clusters,
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
