with

hits as (

    select * from {{ ref('int_retrieval_hits') }}

),

final as (

    select
        run_id,
        query_id,
        sentence_id,
        raw_rank,
        rank,
        score,
        distance,
        is_query_sentence,
    from hits

)

select * from final
