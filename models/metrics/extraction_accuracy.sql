-- Exact-set accuracy per field, with its 95 % Wilson interval: wordings of a question are a cluster. The rows items_named
-- and items_likely split items by whether the question names one.
with

int_extraction_accuracy as (

    select * from {{ ref('int_extraction_accuracy') }}

),

extraction_accuracy as (

    select
        suite,
        field,
        n_questions,
        n_right,
        accuracy,
        ci_low,
        ci_high,
        n_clusters,
        n_eff,
    from int_extraction_accuracy

)

select * from extraction_accuracy
