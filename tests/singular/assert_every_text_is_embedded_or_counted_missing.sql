-- A text that silently has no vector is a sentence that no search can find: models that compute their vectors have all
-- of them, and those with imported vectors state how many are missing, each in int_rejected_vectors.
with

embedded_texts as (

    select * from {{ ref('int_embedded_texts') }}

),

missing as (

    select
        model_id,
        count(*) as missing_rows,
    from {{ ref('int_rejected_vectors') }}
    where reason = 'missing'
    group by model_id

)

select
    embedded_texts.model_id,
    embedded_texts.text_count,
    embedded_texts.embedded_count,
    embedded_texts.missing_count,
    coalesce(missing.missing_rows, 0) as missing_rows,
from embedded_texts
left join missing
    on embedded_texts.model_id = missing.model_id
where
    embedded_texts.text_count != embedded_texts.embedded_count + embedded_texts.missing_count
    or embedded_texts.missing_count != coalesce(missing.missing_rows, 0)
