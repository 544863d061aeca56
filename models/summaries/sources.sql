-- Texts that are summarised: the MD&A of the drawn filings, and the sources of the pairs. A text that is given several
-- times is one source: the filing's where there is one, else that of the first data set by name.
with

filings as (

    select * from {{ ref('int_mdna_filings') }}
    where is_summarised

),

pairs as (

    select * from {{ ref('int_summary_pairs') }}
    where reason is null

),

pair_sentences as (

    select * from {{ ref('int_pair_sentences') }}

),

sentence_counts as (

    select
        source_id,
        count(*) as sentence_count,
    from pair_sentences
    group by source_id

),

of_pairs as (

    select distinct
        pairs.source_id,
        pairs.dataset,
        len(string_split(trim(regexp_replace(pairs.source_text, '\s+', ' ', 'g')), ' ')) as word_count,
        coalesce(sentence_counts.sentence_count, 0) as sentence_count,
    from pairs
    left join sentence_counts
        on pairs.source_id = sentence_counts.source_id

),

given as (

    select
        source_id,
        'mdna' as dataset,
        filing_id,
        cik,
        company_name,
        report_year,
        word_count,
        sentence_count,
    from filings

    union all

    select
        source_id,
        dataset,
        null as filing_id,
        null as cik,
        null as company_name,
        null as report_year,
        word_count,
        sentence_count,
    from of_pairs

),

sources as (

    select
        source_id,
        dataset,
        filing_id,
        coalesce(
            list(filing_id order by filing_id) filter (where filing_id is not null) over (partition by source_id), []
        ) as filing_ids,
        cik,
        company_name,
        report_year,
        word_count::bigint as word_count,
        -- the last stratum is what the MD&A notebook calls long
        case
            when word_count < 1000 then 'under 1,000 words'
            when word_count < 5000 then '1,000 to 4,999 words'
            when word_count < 20000 then '5,000 to 19,999 words'
            else '20,000 words and more'
        end as length_stratum,
        sentence_count,
    from given
    qualify row_number() over (
            partition by source_id
            order by filing_id nulls last, dataset, word_count
        ) = 1

)

select * from sources
