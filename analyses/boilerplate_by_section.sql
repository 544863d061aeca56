-- How much of each item is repeated word for word, within a company from year to year, and across companies?
-- Embedding and retrieval results on sections with much of it need reading with care. A sentence may be both.
with

sentences as (

    select * from {{ ref('fct_sentences') }}

),

texts as (

    select
        text_hash,
        count(distinct cik) as company_count,
    from sentences
    group by text_hash

),

texts_of_companies as (

    select
        cik,
        text_hash,
        count(distinct filing_id) as filing_count,
    from sentences
    where cik is not null
    group by cik, text_hash

)

select
    sentences.section_id,
    count(*) as sentence_count,
    round(100.0 * count(*) filter (where texts_of_companies.filing_count > 1) / count(*), 1)
        as repeated_by_company_percent,
    round(100.0 * count(*) filter (where texts.company_count > 1) / count(*), 1) as shared_across_companies_percent,
    round(100.0 * (1 - count(distinct sentences.text_hash) / count(*)), 1) as saved_by_embedding_once_percent,
from sentences
inner join texts
    on sentences.text_hash = texts.text_hash
left join texts_of_companies
    on sentences.cik = texts_of_companies.cik
    and sentences.text_hash = texts_of_companies.text_hash
group by sentences.section_id
order by sentence_count desc
