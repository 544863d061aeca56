-- What looks wrong with the text of a filing, item by item: a filing that was cut into items badly gives gold that is no
-- gold. The thresholds are the vars health_*.
--   short_item         an item that ought to hold text has under three sentences
--   points_elsewhere   the same, and what there is refers to another document or part: no fault of the source
--   contents_lines     half of such an item, or more, are lines of an index or of a table of contents
--   holds_other_items  another item's heading opens a sentence and text follows it (also one that the registry does not
--                      know, as 4A); an auditor's report, or a title of the notes or of one, stands in an item that holds
--                      none; or an item that is brief by its nature (var health_brief_items) is long
--   missing_item       a filing without an item that it must have
--   all_in_one_item    nine tenths of a filing's sentences are in one item
--   same_filing        another filing has its company, year and form, as a document has that is in the corpus beside the
--                      10-K itself: each sentence stands twice then, and a search that finds the other one misses
{%- set long_items = "('" ~ setting('health_long_items').split() | join("', '") ~ "')" %}
{%- set brief_items = "('" ~ setting('health_brief_items').split() | join("', '") ~ "')" %}
{%- set needed_items = "['" ~ setting('health_needed_items').split() | join("', '") ~ "']" %}
with

filings as (

    select * from {{ ref('dim_filings') }}

),

sentences as (

    select
        sentences.filing_id,
        sentences.section_id,
        sentences.sentence_id,
        sentences.sentence_pos,
        sentences.section_sentence_count,
        sentences.sentence_text,
        sentences.sentence_kind,
        -- `Item 8. Financial Statements`, at the beginning and not as the beginning of a reference; a heading in capitals
        -- is none, whatever sentence the source runs into it
        if(
            regexp_matches(left(sentences.sentence_text, 300), '(?i)\bcontinued\b')
            or (
                not regexp_matches(sentences.sentence_text, '^\W*(?:PART\s+[IVX]+\W+)?ITEM\b')
                and regexp_matches(
                    left(sentences.sentence_text, 300),
                    '(?i)\b(?:see|refer\w*|above|below|elsewhere|herein|included|contain\w+|describ\w+|discuss\w+)\b'
                )
            ),
            null,
            'ITEM_' || upper(regexp_extract(
                sentences.sentence_text, '(?i)^[^\w"“]*(?:part\s+[ivx]+\W+)?item\s*\.?\s*(\d{1,2}[abc]?)\b\W', 1
            ))
        ) as opened_section_id,
        row_number() over (
            partition by sentences.filing_id, sentences.section_id order by sentences.sentence_pos desc
        ) - 1 as following_count,
        regexp_matches(
            sentences.sentence_text,
            '(?i)\bin our opinion\b.{1,300}\bpresents? fairly\b'
            || '|^\W*notes to (?:the )?(?:consolidated )?financial statements\W*$'
            || '|^\W*(?-i:Note|NOTE)\s+\d+\s*[-–—.:]\W*(?-i:[A-Z])'
        ) as is_of_statements,
        -- the report on controls stands in item 9A
        regexp_matches(sentences.sentence_text, '(?i)\bwe have audited\b') as is_of_auditor,
    from {{ ref('fct_sentences') }} as sentences
    where
        sentences.sentence_kind is distinct from 'written_row'
        -- what is no 10-K has no items that could be wrong
        and sentences.section_id != 'DOCUMENT'

),

items as (

    select
        filing_id,
        section_id,
        count(*) as sentence_count,
        arg_min(sentence_id, sentence_pos) as first_sentence_id,
        count(*) filter (where sentence_kind = 'index_line') / count(*) as contents_share,
        bool_or({{ is_cross_reference('sentence_text') }}) as is_pointing,
        section_id in {{ long_items }} as is_long,
    from sentences
    group by
        filing_id,
        section_id

),

filing_sizes as (

    select
        filing_id,
        sum(sentence_count) as sentence_count,
        max(sentence_count) as longest_count,
        arg_max(section_id, (sentence_count, section_id)) as longest_section_id,
        list(section_id) as section_ids,
    from items
    group by filing_id

),

short_items as (

    select
        filing_id,
        section_id,
        if(is_pointing, 'points_elsewhere', 'short_item') as finding,
        first_sentence_id as sentence_id,
        sentence_count || if(sentence_count = 1, ' sentence', ' sentences')
        || if(is_pointing, ', which points elsewhere', '') as detail,
    from items
    where
        is_long
        and sentence_count < {{ setting('health_min_sentences') }}

),

contents_lines as (

    select
        filing_id,
        section_id,
        'contents_lines' as finding,
        first_sentence_id as sentence_id,
        round(100 * contents_share)::integer || ' % of ' || sentence_count || ' sentences are lines of an index' as detail,
    from items
    where
        is_long
        and sentence_count >= {{ setting('health_min_sentences') }}
        and contents_share >= {{ setting('health_contents_share') }}

),

-- Statements stand in item 8, or at the end: items 14 (until 2003), 15 and 16.
foreign_text as (

    select
        *,
        case
            when is_of_statements or is_of_auditor then if(sentence_text ilike '%internal control%', 'ITEM_9A', 'ITEM_8')
            else opened_section_id
        end as held_section_id,
    from sentences
    where
        following_count >= {{ setting('health_following_sentences') }}
        and (
            opened_section_id not in ('ITEM_', section_id)
            or (is_of_statements and section_id not in ('ITEM_8', 'ITEM_14', 'ITEM_15', 'ITEM_16'))
            or (is_of_auditor and section_id not in ('ITEM_8', 'ITEM_9A', 'ITEM_14', 'ITEM_15', 'ITEM_16'))
        )

),

holds_other_items as (

    select
        filing_id,
        section_id,
        'holds_other_items' as finding,
        arg_min(sentence_id, sentence_pos) as sentence_id,
        'holds text of ' || string_agg(distinct held_section_id, ', ' order by held_section_id)
        || ', at least from this sentence on: ' || max(following_count) || ' follow it' as detail,
    from foreign_text
    group by
        filing_id,
        section_id

),

too_long as (

    select
        items.filing_id,
        items.section_id,
        'holds_other_items' as finding,
        items.first_sentence_id as sentence_id,
        'has ' || items.sentence_count || ' sentences, more than an item of its kind' as detail,
    from items
    left join holds_other_items
        on items.filing_id = holds_other_items.filing_id
        and items.section_id = holds_other_items.section_id
    where
        items.section_id in {{ brief_items }}
        and items.sentence_count > {{ setting('health_brief_sentences') }}
        and holds_other_items.filing_id is null

),

needed as (

    select
        filing_id,
        section_ids,
        unnest({{ needed_items }}) as section_id,
    from filing_sizes

),

missing_items as (

    select
        filing_id,
        section_id,
        'missing_item' as finding,
        null::varchar as sentence_id,
        'the filing has no such item' as detail,
    from needed
    where not list_contains(section_ids, section_id)

),

all_in_one_item as (

    select
        filing_sizes.filing_id,
        filing_sizes.longest_section_id as section_id,
        'all_in_one_item' as finding,
        items.first_sentence_id as sentence_id,
        'holds ' || filing_sizes.longest_count || ' of the filing''s ' || filing_sizes.sentence_count || ' sentences'
            as detail,
    from filing_sizes
    inner join items
        on filing_sizes.filing_id = items.filing_id
        and filing_sizes.longest_section_id = items.section_id
    where filing_sizes.longest_count >= {{ setting('health_one_item_share') }} * filing_sizes.sentence_count

),

same_filings as (

    select
        filings.filing_id,
        filing_sizes.longest_section_id as section_id,
        'same_filing' as finding,
        null::varchar as sentence_id,
        'has the company, year and form of ' || string_agg(others.filing_id, ', ' order by others.filing_id) as detail,
    from filings
    inner join filing_sizes
        on filings.filing_id = filing_sizes.filing_id
    inner join filings as others
        on filings.cik = others.cik
        and filings.report_year = others.report_year
        and filings.form_type = others.form_type
        and filings.filing_id != others.filing_id
    -- of other forms, and of amendments, a company may have several in a year
    where
        filings.form_type like '10-K%'
        and filings.form_type not like '%/A'
        and filings.report_year > 0
    group by
        filings.filing_id,
        filing_sizes.longest_section_id

),

findings as (

    select * from short_items

    union all

    select * from contents_lines

    union all

    select * from holds_other_items

    union all

    select * from too_long

    union all

    select * from missing_items

    union all

    select * from all_in_one_item

    union all

    select * from same_filings

),

final as (

    select
        filings.filing_id,
        filings.cik,
        filings.company_name,
        filings.report_year,
        findings.section_id,
        findings.finding,
        coalesce(items.sentence_count, 0)::bigint as sentence_count,
        findings.detail,
        findings.sentence_id,
        left(sentences.sentence_text, 500) as text_start,
        filings.source,
        filings.file_path,
    from findings
    inner join filings
        on findings.filing_id = filings.filing_id
    left join items
        on findings.filing_id = items.filing_id
        and findings.section_id = items.section_id
    left join sentences
        on findings.sentence_id = sentences.sentence_id

)

select * from final
