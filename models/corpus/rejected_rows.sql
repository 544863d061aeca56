-- A source row is a sentence in the sentence-level layouts and an item in the filing-level ones. Every source row is
-- either in the warehouse or here, with the first reason that applies.
with

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

),

unprocessed_sentence_rows as not materialized (

    select
        *,
        source as copy_id,
        -- `0000104169_10-K_2018` of `0000104169_10-K_2018_section_7_221`: ids that are made here have this form, and one
        -- that names another filing than its row does may be that filing's
        regexp_extract(sentence_id, '^(.+)_section_[0-9A-Za-z]+_\d+$', 1) not in ('', filing_id) as is_of_another,
    from {{ ref('int_sentence_rows') }}
    {{ where_unprocessed() }}

),

sentence_rows as not materialized (

    select
        unprocessed_sentence_rows.*,
        -- a row that is rejected for anything else takes no id and no place from another
        coalesce(
            unprocessed_sentence_rows.fault is null
            and unprocessed_sentence_rows.copy_id = filing_versions.copy_id
            and unprocessed_sentence_rows.cik = filing_versions.stated_cik
            and unprocessed_sentence_rows.report_year = filing_versions.report_year
            and unprocessed_sentence_rows.section_id is not null
            and unprocessed_sentence_rows.sentence_pos is not null
            and length(unprocessed_sentence_rows.sentence_text) > 0
            and not unprocessed_sentence_rows.is_of_another,
            false
        ) as is_good_alone,
    from unprocessed_sentence_rows
    inner join filing_versions
        on unprocessed_sentence_rows.filing_id = filing_versions.filing_id

),

item_rows as (

    select * from {{ ref('int_item_rows') }}
    {{ where_unprocessed() }}

),

source_rows as not materialized (

    select
        source,
        file_path,
        source_row,
        filing_id,
        copy_id,
        sentence_id,
        section_label,
        section_code,
        section_id,
        cik,
        report_year,
        sentence_pos,
        sentence_text as source_text,
        is_of_another,
        fault,
        false as is_item,
    from sentence_rows

    union all

    select
        source,
        file_path,
        source_row,
        filing_id,
        copy_id,
        null as sentence_id,
        section_label,
        null as section_code,
        section_id,
        cik,
        report_year,
        0 as sentence_pos,
        item_text as source_text,
        false as is_of_another,
        fault,
        true as is_item,
    from item_rows

),

-- Few rows fail, so the sorting is confined to ids that occur twice, which are found by their hash: a number of eight
-- bytes where the ids have forty. Two ids that share a hash are told apart by the sorting.
repeated_id_hashes as (

    select hash(sentence_id) as id_hash
    from sentence_rows
    group by id_hash
    having count(*) > 1

),

repeats as (

    select
        sentence_rows.file_path,
        sentence_rows.source_row,
        row_number() over (
            partition by sentence_rows.sentence_id
            order by sentence_rows.file_path, sentence_rows.source_row
        ) as occurrence,
    from sentence_rows
    inner join repeated_id_hashes
        on hash(sentence_rows.sentence_id) = repeated_id_hashes.id_hash
    where sentence_rows.is_good_alone

),

-- Positions of a section that occur twice are found in the same way.
repeated_position_hashes as (

    select hash(filing_id, section_id, sentence_pos) as position_hash
    from sentence_rows
    group by position_hash
    having count(*) > 1

),

repeated_positions as (

    select
        sentence_rows.file_path,
        sentence_rows.source_row,
        row_number() over (
            partition by sentence_rows.filing_id, sentence_rows.section_id, sentence_rows.sentence_pos
            order by sentence_rows.file_path, sentence_rows.source_row
        ) as occurrence,
    from sentence_rows
    inner join repeated_position_hashes
        on hash(sentence_rows.filing_id, sentence_rows.section_id, sentence_rows.sentence_pos)
        = repeated_position_hashes.position_hash
    left join repeats
        on sentence_rows.file_path = repeats.file_path
        and sentence_rows.source_row = repeats.source_row
    where
        sentence_rows.is_good_alone
        and coalesce(repeats.occurrence, 1) = 1

),

judged as (

    select
        source_rows.*,
        case
            when source_rows.fault = 'states no item' then 'no_item'
            when source_rows.fault is not null and not source_rows.is_item then 'unreadable_row'
            when source_rows.cik is null then 'missing_cik'
            when source_rows.report_year is null then 'unparsable_year'
            when starts_with(source_rows.fault, 'missing item') then 'missing_item'
            when starts_with(source_rows.fault, 'incorporated by reference') then 'incorporated_by_reference'
            when source_rows.section_id is null then 'unknown_section'
            when length(coalesce(source_rows.source_text, '')) = 0 then 'empty_text'
            -- the splitter would make no sentence of it
            when source_rows.is_item and not {{ has_words('source_rows.source_text') }} then 'empty_text'
            when source_rows.copy_id != filing_versions.copy_id then 'duplicate_filing'
            when source_rows.sentence_pos is null then 'missing_position'
            when source_rows.cik != filing_versions.stated_cik or source_rows.report_year != filing_versions.report_year
                then 'other_company_or_year'
            when source_rows.is_of_another then 'id_of_another_filing'
            when repeats.occurrence > 1 then 'duplicate_sentence_id'
            when repeated_positions.occurrence > 1 then 'duplicate_position'
        end as reason,
        filing_versions.file_path as supplied_by,
        filing_versions.stated_cik as filing_cik,
        filing_versions.report_year as filing_year,
    from source_rows
    inner join filing_versions
        on source_rows.filing_id = filing_versions.filing_id
    left join repeats
        on source_rows.file_path = repeats.file_path
        and source_rows.source_row = repeats.source_row
        and source_rows.sentence_id is not null
    left join repeated_positions
        on source_rows.file_path = repeated_positions.file_path
        and source_rows.source_row = repeated_positions.source_row
        and not source_rows.is_item

),

rejected as (

    select
        source,
        file_path,
        source_row,
        filing_id,
        sentence_id,
        coalesce(section_label, section_code::varchar) as section_label,
        reason,
        case reason
            when 'duplicate_filing' then 'the filing is loaded from ' || supplied_by
            when 'other_company_or_year'
                then
                    'the row states company ' || cik || ' and year ' || report_year || ', most rows of the filing company '
                    || filing_cik || ' and year ' || filing_year
            when 'id_of_another_filing' then 'the id names another filing than the row does'
            when 'duplicate_sentence_id' then 'an earlier row has this id'
            when 'duplicate_position' then 'an earlier row of the section has position ' || sentence_pos
            when 'unknown_section' then 'not an item of Form 10-K: see seeds.sections'
            when 'unparsable_year' then 'expected a year from 1980 to 2100'
            when 'missing_cik' then 'expected a number of up to ten digits'
            when 'missing_position' then 'expected a whole number as sentence_index, or none and an id that ends in one'
            when 'empty_text' then if(is_item, 'no letter or digit', 'nothing but white space')
            else fault
        end as detail,
        left(replace(source_text, chr(30), ''), 500) as text_start,
        if(reason = 'duplicate_filing', supplied_by, null) as supplied_by,
    from judged
    where reason is not null

)

select * from rejected
