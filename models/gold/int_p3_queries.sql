-- Questions as retrieval queries. A question about several companies or years has no single filing: those columns are
-- null then, as is the section of every question, which is for the retriever to find.
with

questions as (

    select * from {{ ref('p3_questions') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

final as (

    select
        questions.suite,
        questions.query_id,
        null::varchar as sentence_id,
        questions.question_text as query_text,
        md5(lower(trim(regexp_replace(questions.question_text, '\s+', ' ', 'g')))) as text_hash,
        filings.filing_id,
        case when len(questions.cik_int) = 1 then questions.cik_int[1] end as cik,
        case when len(questions.cik_int) = 1 then questions.company_name[1] end as company_name,
        case when len(questions.years) = 1 then questions.years[1] end as report_year,
        null::varchar as section_id,
        null::varchar as section_heading,
        filings.form_type,
        false as is_frozen,
        -- wordings of one question stand or fall together
        questions.suite || ':' || coalesce(questions.paraphrase_group_id, questions.question_id) as cluster_id,
        null::varchar as second_cluster_id,
        null::double as inclusion_probability,
    from questions
    left join filings
        on len(questions.cik_int) = 1
        and len(questions.years) = 1
        and questions.cik_int[1] = filings.cik
        and questions.years[1] = filings.report_year
    qualify row_number() over (
            partition by questions.suite, questions.question_id
            order by filings.filing_id
        ) = 1

)

select * from final
