-- A text that silently has no vector is a sentence that no search can find: models that compute their vectors have all
-- of them, and those with imported vectors state how many are missing, each in int_rejected_vectors.
with

models_in_use as (

    select * from {{ ref('int_embedding_models_in_use') }}

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
    models_in_use.model_id,
    models_in_use.text_count,
    models_in_use.embedded_count,
    models_in_use.missing_count,
    coalesce(missing.missing_rows, 0) as missing_rows,
from models_in_use
left join missing
    on models_in_use.model_id = missing.model_id
where
    models_in_use.text_count != models_in_use.embedded_count + models_in_use.missing_count
    or models_in_use.missing_count != coalesce(missing.missing_rows, 0)
