with

fetched_documents as (

    select * from {{ ref('int_fetched_documents') }}

)

select * from fetched_documents
