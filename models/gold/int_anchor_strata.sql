-- The groups that results of anchors are broken down by.
--
-- A query is numeric-heavy when at least two of its words, and at least a fifth of them, hold a digit: figures then
-- outweigh what tells the sentence from others like it.
with

queries as (

    select * from {{ ref('int_anchor_queries') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

sections as (

    select * from {{ ref('int_gold_sections') }}

),

-- A company is called what it was called last, as in corpus.dim_companies.
companies as (

    select
        cik,
        arg_max(company_name, (report_year, filing_id)) as company_name,
    from {{ ref('dim_filings') }}
    group by cik

),

anchors as (

    select
        queries.suite,
        queries.query_id,
        sections.section_length_bucket,
        queries.section_id,
        queries.report_year,
        companies.company_name,
        sentences.duplicate_count,
        string_split_regex(trim(queries.query_text), '\s+') as words,
        len(list_filter(words, lambda word: regexp_matches(word, '[0-9]'))) as numeric_word_count,
    from queries
    inner join sentences
        on queries.sentence_id = sentences.sentence_id
    inner join sections
        on queries.filing_id = sections.filing_id
        and queries.section_id = sections.section_id
    inner join companies
        on queries.cik = companies.cik

),

anchor_groups as (

    select
        suite,
        query_id,
        'all' as overall,
        section_length_bucket,
        section_id,
        report_year::varchar as report_year,
        company_name as company,
        case
            when numeric_word_count >= 2 and 5 * numeric_word_count >= len(words) then 'yes'
            else 'no'
        end as numeric_heavy,
        case
            when duplicate_count < 2 then '1'
            when duplicate_count < 10 then '2-9'
            when duplicate_count < 100 then '10-99'
            else '100+'
        end as boilerplate_cluster,
    from anchors

),

final as (

    select
        suite,
        query_id,
        stratum_by,
        stratum,
    from anchor_groups
    unpivot (
        stratum for stratum_by in (
            overall,
            section_length_bucket,
            section_id,
            report_year,
            company,
            numeric_heavy,
            boilerplate_cluster
        )
    )

)

select * from final
