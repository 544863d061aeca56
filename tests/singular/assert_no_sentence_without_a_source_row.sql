-- The other direction of the balance: nothing may be in the warehouse that no source file holds.
with

sentences as (

    select * from {{ ref('fct_sentences') }}

),

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

)

select sentences.sentence_id
from sentences
anti join filing_versions
    on sentences.filing_id = filing_versions.filing_id
    and sentences.source = filing_versions.source
