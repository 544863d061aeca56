with

headline_rows as (

    select * from {{ ref('int_sentiment_rows') }}
    where kind = 'rejected'

),

reply_rows as (

    select * from {{ ref('int_external_sentiment') }}
    where kind = 'rejected'

),

rejected_sentiment_rows as (

    select
        'headline' as row_kind,
        dataset as named,
        file_path,
        source_row,
        source_id,
        reason,
        detail,
    from headline_rows

    union all

    select
        'reply' as row_kind,
        system as named,
        file_path,
        source_row,
        source_id,
        reason,
        detail,
    from reply_rows

)

select * from rejected_sentiment_rows
