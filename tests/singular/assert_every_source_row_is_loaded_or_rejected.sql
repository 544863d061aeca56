-- A corpus that silently loses rows makes every figure built on it wrong by an unknown amount. Per file: the sentences
-- (or items) it holds are those in fct_sentences plus those in rejected_rows. Of a file of filings, every row that was
-- read when it was admitted has items, or is unreadable.
with

source_files as (

    select * from {{ ref('source_files') }}

),

item_rows as (

    select * from {{ ref('int_item_rows') }}

),

sentence_rows as (

    select * from {{ ref('int_sentence_rows') }}

),

unreadable_rows as (

    select * from {{ ref('int_sentence_rows') }}
    where fault is not null

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

rejected_rows as (

    select * from {{ ref('rejected_rows') }}

),

-- What each file holds, as read when it was admitted (sentences) or as unpivoted in staging (items).
held as (

    select
        file_path,
        row_count as held_count,
    from source_files
    where
        status = 'loaded'
        and level = 'sentence'

    union all

    select
        file_path,
        count(*) as held_count,
    from item_rows
    group by file_path

    union all

    select
        unreadable_rows.file_path,
        count(*) as held_count,
    from unreadable_rows
    inner join source_files
        on unreadable_rows.file_path = source_files.file_path
    where source_files.level = 'filing'
    group by unreadable_rows.file_path

),

held_by_file as (

    select
        file_path,
        sum(held_count) as held_count,
    from held
    group by file_path

),

rejected as (

    select
        file_path,
        count(*) as rejected_count,
    from rejected_rows
    group by file_path

),

accepted as (

    select
        sentence_rows.file_path,
        count(*) as accepted_count,
    from sentence_rows
    anti join rejected_rows
        on sentence_rows.file_path = rejected_rows.file_path
        and sentence_rows.source_row = rejected_rows.source_row
    inner join sentences
        on sentence_rows.sentence_id = sentences.sentence_id
        and sentence_rows.sentence_text = sentences.sentence_text
    group by sentence_rows.file_path

    union all

    select
        item_rows.file_path,
        count(*) as accepted_count,
    from item_rows
    anti join rejected_rows
        on item_rows.file_path = rejected_rows.file_path
        and item_rows.source_row = rejected_rows.source_row
        and item_rows.section_label = rejected_rows.section_label
    semi join sentences
        on item_rows.filing_id = sentences.filing_id
        and item_rows.section_id = sentences.section_id
    group by item_rows.file_path

),

filing_rows as (

    select
        file_path,
        source_row,
    from item_rows

    union

    select
        file_path,
        source_row,
    from unreadable_rows

),

found_filings as (

    select
        file_path,
        count(*) as found_count,
    from filing_rows
    group by file_path

),

-- Without tables of documents, of which several rows may be pages of one.
lost_filings as (

    select
        source_files.file_path,
        source_files.row_count as held_count,
        coalesce(found_filings.found_count, 0) as accepted_count,
        0 as rejected_count,
    from source_files
    left join found_filings
        on source_files.file_path = found_filings.file_path
    where
        source_files.status = 'loaded'
        and source_files.level = 'filing'
        and source_files.layout != 'document_tables'

),

balance as (

    select
        held_by_file.file_path,
        held_by_file.held_count,
        coalesce(accepted.accepted_count, 0) as accepted_count,
        coalesce(rejected.rejected_count, 0) as rejected_count,
    from held_by_file
    left join accepted
        on held_by_file.file_path = accepted.file_path
    left join rejected
        on held_by_file.file_path = rejected.file_path

)

select * from balance
where held_count != accepted_count + rejected_count

union all

select * from lost_filings
where held_count != accepted_count + rejected_count
