-- The part of the company that a sentence of Items 7 and 8 stands under: what is said of "advertising revenues" below the
-- heading "Media Networks" is said of that segment, though the sentence does not name it again.
--
-- A heading names a part where the filing names the same words, with capitals, as a segment or in a list of segments: "the
-- Media Networks segment", "our segments are: North America; Greater China". Measures are no parts, though such lists hold
-- them, nor is a company, of whose name a line may hold the end alone ("Ventures, LLC"). In force is the last
-- such heading, below which others may divide it: those that compare years and those that name what several parts have,
-- their revenues, costs and results. Any other heading ends it: what stands below is of nobody in particular. An item
-- of a list that opens with its segment is of it, up to the next item.
{%- set measures -%}
    (?i)\b(?:tax(?:es)?|expenses?|income|costs?|revenues?|sales|margins?|profit|earnings|interest|research|restructuring {#- -#}
    |net|reportable|operating|primary|volumes?|segments?|other|consolidated|continuing|discontinued|note|total|business|general {#- -#}
    |divestitures|acquisitions|fiscal|company|growth|inventor(?:y|ies)|summary|overview|results|data {#- -#}
    |polic(?:y|ies)|estimates|statements|information {#- -#}
    |by|and|of|llc|inc|ltd)$|^(?:interest|segment|note|item|part)\b {#- -#}
{%- endset -%}
{%- set said_of_each -%}
    (?i)^\W*(?:(?:total|net|gross|operating|costs?|revenues?|sales|income|loss|margins?|profit|volumes?|results|expenses {#- -#}
    |earnings|ebitda?|adjusted|segment|of|and|from|in|goods|sold|services|products|before|interest|taxes|by|for|\W+)\b\W*)+$ {#- -#}
{%- endset -%}
{#- The part that an item of a list is about: "• Games segment revenues rose 4%." -#}
{%- set item_of_part -%}
    •\s*(?:(?:The|Our) )?((?:\p{Lu}[^\s,;:]*|&|and|of)(?:,? (?:\p{Lu}[^\s,;:]*|&|and|of)){0,5}) segment {# -#}
    (?i:(?:net |total )?(?:revenues?|sales|profit|operating income|margins?))\b {#- -#}
{%- endset %}
with

sentences as (

    select
        sentence_id,
        filing_id,
        section_id,
        sentence_pos,
        sentence_kind,
        sentence_text,
        if(sentence_kind = 'heading', sentence_text, heading_prefix) as heading,
    from {{ ref('fct_sentences') }}
    where
        section_id in ('ITEM_1', 'ITEM_7', 'ITEM_8')
        and sentence_kind in ('prose', 'list_item', 'heading')
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- "The Beef Segment Results:" is headed "Beef"; a page's own title may be run into its first heading. Figures head columns
-- of a table, and years a comparison within the part.
headings as (

    select
        *,
        regexp_replace(heading, '^(?i:(?:part \w+ )?item \d+a?[.]? |the )|(?: \d{1,3}[.])?[^\pL\pN)]*$', '', 'g') as title,
        trim(regexp_replace(
            title, '(?i) (?:segments?|division)(?: (?:results|information|data|performance))?$', ''
        )) as title_of_part,
        lower(title_of_part) as named,
        title_of_part != title and not regexp_matches(named, '\b(?:segment|division)\b') as is_called_segment,
    from sentences
    where
        section_id != 'ITEM_1'
        and regexp_matches(title, '\pL{3}')
        and not regexp_matches(title, '[$%\d]')

),

nameable as (

    select
        filing_id,
        named,
        any_value(title_of_part order by sentence_id) filter (is_called_segment) as called_segment,
    from headings
    where
        length(named) >= 3
        and len(string_split(named, ' ')) <= 8
        and not regexp_matches(named, '{{ measures }}')
    group by filing_id, named

),

segment_texts as (

    select
        filing_id,
        sentence_text,
    from sentences
    where
        sentence_kind != 'heading'
        and regexp_matches(sentence_text, '(?i)\bsegments?\b')

),

mentions as (

    select
        nameable.filing_id,
        nameable.named,
        strpos(lower(segment_texts.sentence_text), nameable.named) as named_at,
        substr(segment_texts.sentence_text, named_at, length(nameable.named)) as part_name,
        substr(segment_texts.sentence_text, 1, named_at - 1) as text_before,
        substr(segment_texts.sentence_text, named_at + length(nameable.named)) as text_after,
    from nameable
    inner join segment_texts
        on nameable.filing_id = segment_texts.filing_id
        and contains(lower(segment_texts.sentence_text), nameable.named)

),

named_segments as (

    select
        filing_id,
        named,
        mode(part_name order by part_name) as part_name,
    from mentions
    where
        regexp_matches(part_name, '^(?:(?:\p{Lu}[^\s,;:]*|&|and|of|the|for)(?:,? |$))+$')
        and not regexp_matches(text_before, '[\w&-]$')
        and (
            regexp_matches(
                text_after,
                '(?i)^[^\pL]*(?:is (?:also )?(?:an?|our) )?'
                || '(?:(?:reportable|operating|business|reporting|separate) )*segments?\b'
            )
            or (
                regexp_matches(
                    text_before,
                    '(?i)\bsegments?(?:,? (?:and|which)?)?(?: [(][^)]*[)])?(?: for [\w ,.]{1,40}?)?'
                    || '(?::|,? (?:are|is|include|comprise|consist(?:s|ing)? of|consisted of)\b|,| [-–—])[^.]*$'
                )
                and regexp_matches(text_after, '^(?:\W|$)')
            )
        )
    group by filing_id, named

),

parts as (

    select
        nameable.filing_id,
        nameable.named,
        coalesce(named_segments.part_name, nameable.called_segment) as part_name,
    from nameable
    left join named_segments
        on nameable.filing_id = named_segments.filing_id
        and nameable.named = named_segments.named

),

turns as (

    select
        sentences.sentence_id,
        sentences.filing_id,
        sentences.section_id,
        sentences.sentence_pos,
        sentences.sentence_kind,
        headings.named,
        coalesce(regexp_matches(headings.title, '{{ said_of_each }}'), false) as is_said_of_each,
        case
            when headings.sentence_id is not null and not is_said_of_each
                then struct_pack(part_name := parts.part_name)
        end as turn,
        if(
            sentences.sentence_kind != 'prose' or contains(sentences.sentence_text, '•'),
            struct_pack(
                part_name := nullif(regexp_extract(sentences.sentence_text, '{{ item_of_part }}', 1), '')
            ),
            null
        ) as item,
    from sentences
    left join headings
        on sentences.sentence_id = headings.sentence_id
    left join parts
        on headings.filing_id = parts.filing_id
        and headings.named = parts.named
    where sentences.section_id != 'ITEM_1'

),

below as (

    select
        *,
        last_value(turn ignore nulls) over (
            partition by filing_id, section_id
            order by sentence_pos, sentence_id
        ) as above,
    from turns

),

-- What is said of each part has the same heading below several; below one alone it is of the whole company again.
divided as (

    select
        *,
        if(
            is_said_of_each
            and count(distinct above.part_name) over (partition by filing_id, section_id, is_said_of_each, named) < 2,
            struct_pack(part_name := null),
            turn
        ) as last_turn,
    from below

),

in_force as (

    select
        sentence_id,
        filing_id,
        sentence_kind,
        last_value(last_turn ignore nulls) over (
            partition by filing_id, section_id
            order by sentence_pos, sentence_id
        ) as turn,
        last_value(item ignore nulls) over (
            partition by filing_id, section_id
            order by sentence_pos, sentence_id
        ) as last_item,
    from divided

),

final as (

    select
        sentence_id,
        filing_id,
        coalesce(last_item.part_name, turn.part_name) as part_name,
    from in_force
    where
        sentence_kind != 'heading'
        and coalesce(last_item.part_name, turn.part_name) is not null

)

select * from final
