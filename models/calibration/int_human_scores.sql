with

calibration_rows as (

    select * from {{ ref('int_calibration_rows') }}
    where reason is null

),

ratings as (

    select
        dataset || ':' || source_id as summary_id,
        dataset,
        dataset || ':' || document_id as document_id,
        unnest(ratings) as rating,
    from calibration_rows

),

int_human_scores as (

    select
        summary_id,
        dataset,
        document_id,
        rating.name as dimension,
        rating.score,
        rating.label,
    from ratings
    where rating.rater = 'human'

)

select * from int_human_scores
