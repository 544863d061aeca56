-- A question's company that the corpus holds goes by the name that dim_companies gives it: joined by another name, a table
-- of questions gives nothing and no error.
with

questions as (

    select * from {{ ref('p3_questions') }}

),

companies as (

    select * from {{ ref('dim_companies') }}

),

asked as (

    select
        query_id,
        unnest(cik_int) as cik,
        unnest(company_name) as company_name,
    from questions

)

select
    asked.query_id,
    asked.cik,
    asked.company_name,
    companies.company_name as name_of_the_corpus,
from asked
inner join companies
    on asked.cik = companies.cik
where asked.company_name is distinct from companies.company_name
