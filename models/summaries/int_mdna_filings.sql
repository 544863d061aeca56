-- Filings whose management's discussion and analysis (Item 7) is long enough to be summarised, and of those the ones
-- that are: the first by a hash of their id, so that a sample does not favour a company or a year.
with

sentences as (

    select * from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_7'
        and sentence_kind is distinct from 'written_row'

),

texts as (

    select
        filing_id,
        any_value(cik) as cik,
        any_value(company_name) as company_name,
        any_value(report_year) as report_year,
        count(*) as sentence_count,
        trim(regexp_replace(
            string_agg(sentence_text, ' ' order by sentence_pos, sentence_id), '\s+', ' ', 'g'
        )) as source_text,
    from sentences
    group by filing_id

),

measured as (

    select
        *,
        len(string_split(source_text, ' ')) as word_count,
    from texts

),

ranked as (

    select
        *,
        word_count >= {{ setting('summary_min_words') }} as is_long_enough,
        row_number() over (
            partition by word_count >= {{ setting('summary_min_words') }}
            order by {{ stable_hash(['filing_id']) }}, filing_id
        ) as draw,
    from measured

),

filings as (

    select
        filing_id,
        cik,
        company_name,
        report_year,
        md5(source_text) as source_id,
        word_count,
        sentence_count,
        is_long_enough,
        is_long_enough and draw <= coalesce({{ anchor_limit('summary_filings') }}, draw) as is_summarised,
    from ranked

)

select * from filings
