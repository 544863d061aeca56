-- Every numeric fact that a reader of a 10-K in HTML sees, with the sentence and the cell that it stands in, or with the
-- reason why it is none.
with

html_filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

dim_filings as (

    select * from {{ ref('dim_filings') }}

),

sections as (

    select * from {{ ref('sections') }}

),

sentence_letters as (

    select * from {{ ref('int_sentence_letters') }}

),

filing_facts as (

    select
        html_filings.file_path,
        dim_filings.filing_id,
        dim_filings.cik,
        dim_filings.company_name,
        dim_filings.report_year,
        unnest(html_filings.facts, recursive := true),
    from html_filings
    left join dim_filings
        on html_filings.file_path = dim_filings.file_path
        and dim_filings.source = 'edgar_html'

),

identified as (

    select
        filing_facts.*,
        sections.section_id,
        concat_ws('_', filing_facts.filing_id, 'fact', filing_facts.fact_no) as fact_id,
        case
            when filing_facts.table_no is not null
                then concat_ws('_', filing_facts.filing_id, 'table', filing_facts.table_no)
        end as table_id,
        table_id || '_' || filing_facts.row_no || '_' || filing_facts.column_no as cell_id,
        -- a dash has no letter and stands behind the last one before it
        filing_facts.item_start - if(filing_facts.item_end = filing_facts.item_start, 0.5, 0) as item_place,
    from filing_facts
    left join sections
        on filing_facts.section_label = sections.item_label

),

in_sentences as (

    select
        identified.*,
        sentence_letters.sentence_id,
        sentence_letters.item_start as sentence_start,
        sentence_letters.item_end as sentence_end,
    from identified
    asof left join sentence_letters
        on identified.filing_id = sentence_letters.filing_id
        and identified.section_id = sentence_letters.section_id
        and identified.item_place >= sentence_letters.item_start

),

-- The characters of a sentence that are letters or digits, once for each sentence with a fact.
letter_places as (

    select
        sentence_id,
        sentence_text,
        list_filter(
            range(1, length(sentence_text) + 1),
            lambda place: regexp_matches(sentence_text[place], '[\p{L}\p{N}]')
        ) as places,
    from sentence_letters
    where sentence_id in (select in_sentences.sentence_id from in_sentences)

),

spanned as (

    select
        in_sentences.* exclude (sentence_id),
        -- behind the last sentence of its item stands none
        if(in_sentences.item_place < in_sentences.sentence_end, in_sentences.sentence_id, null) as sentence_id,
        -- signs before the first letter: "(5)", ".25"
        length(in_sentences.value_text)
        - length(regexp_replace(in_sentences.value_text, '^[^\p{L}\p{N}]+', '')) as leading_count,
        case
            when in_sentences.item_end > in_sentences.item_start and in_sentences.item_end <= in_sentences.sentence_end
                then
                    letter_places.places[in_sentences.item_start - in_sentences.sentence_start + 1] - leading_count
        end as char_start,
        if(
            substring(letter_places.sentence_text, char_start, length(in_sentences.value_text)) = in_sentences.value_text,
            char_start + length(in_sentences.value_text) - 1,
            null
        ) as char_end,
    from in_sentences
    left join letter_places
        on in_sentences.sentence_id = letter_places.sentence_id

),

judged as (

    select
        * exclude (char_start, leading_count, fact_no),
        fact_no + 1 as source_row,
        if(char_end is null, null, char_start) as char_start,
        case
            when fault is not null then 'unreadable_fact'
            when filing_id is null then 'filing_not_loaded'
        end as reason,
        case reason
            when 'unreadable_fact' then 'the tag ' || fault
            when 'filing_not_loaded' then 'no item of this file is in the corpus: see corpus.rejected_rows'
        end as detail,
    from spanned

)

select * from judged
