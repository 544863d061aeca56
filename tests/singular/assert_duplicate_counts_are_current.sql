-- duplicate_count is stored, and adding or removing a filing changes it in other filings: it must equal a fresh count.
with

sentences as (

    select * from {{ ref('fct_sentences') }}

)

select
    text_hash,
    count(*) as row_count,
    min(duplicate_count) as smallest_duplicate_count,
    max(duplicate_count) as largest_duplicate_count,
from sentences
group by text_hash
having
    min(duplicate_count) != count(*)
    or max(duplicate_count) != count(*)
