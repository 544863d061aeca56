-- Where a filing says in what its figures are: "(in millions, except per share amounts)", "(Dollars in thousands)",
-- "(Millions)", "($000)". Scales of something else ("shares in thousands") are none of money.
{%- set scales -%} (thousands|millions|billions) {%- endset -%}
{%- set ends -%} (?:[,;:.)(]|$|except|unless|of (?:u\.?s\.? )?dollars|-{3}) {%- endset -%}
{%- set subject -%}
    (?:\(\s?(?:[^()]{0,60}?[^()a-z])?|(?:dollars|dollar amounts|[$])\s|(?:amounts|figures|numbers)\s(?:\w+\s){0,3}?|\s[-–—]\s|^)
{%- endset -%}
{#- Blocks, not strings: a string would turn \b into a backspace. -#}
{%- set named -%}
    {{ subject }}(?:(?:are\s)?(?:stated|expressed|presented|shown)?\s?)in\s{1,2}(?:[$]\s?|u\.?s\.? )?{{ scales }}\s?{{ ends }}
{%- endset -%}
{%- set word_alone -%} \(\s?(?:(?:u\.?s\.?\s)?dollars?\s|[$]\s?)?{{ scales }}\s?(?:[,;)]|of dollars|except) {%- endset -%}
{%- set above_a_rule -%} \bin\s{{ scales }}\s{1,3}-{5} {%- endset -%}
{%- set of_dollars -%} ,\sin\s{{ scales }}\sof\s(?:u\.?s\.?\s)?dollars\b {%- endset -%}
{%- set zeros -%} (?:\(\s?(?:in\s)?[$]?|[$]\s?)000[’'']*s?(?:\somitted)?\s?\) {%- endset -%}
{%- set caption = [named, word_alone, above_a_rule, of_dollars, zeros] | join('|') %}
with

fct_sentences as (

    select * from {{ ref('fct_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

sentences as (

    select * from fct_sentences
    where
        sentence_kind is distinct from 'written_row'
        and regexp_matches(sentence_text, '(?i)\b(?:thousands|millions|billions)\b|000[’'']*s?(?: omitted)?\s?\)')

),

-- Where a table ends at the latest: running text, not the name of a line.
paragraphs as (

    select
        filing_id,
        section_id,
        sentence_pos,
    from fct_sentences
    where
        sentence_kind in ('prose', 'list_item')
        and word_count >= 6
        and regexp_matches(sentence_text, '[.;][”"’)]*$')

),

captioned as (

    select
        sentence_id,
        filing_id,
        section_id,
        sentence_pos,
        translate(sentence_text, chr(160) || chr(8201) || chr(8239) || chr(10), '    ') as plain_text,
        regexp_extract(plain_text, '(?i){{ caption }}') as caption,
        lower(regexp_extract(
            caption, '(?i)(thousand|million|billion|000)'
        )) as stated_scale,
    from sentences

),

scale_captions as (

    select
        sentence_id,
        filing_id,
        section_id,
        sentence_pos,
        caption,
        strpos(plain_text, caption) as caption_pos,
        if(stated_scale = '000', 'thousand', stated_scale) as caption_scale,
    from captioned
    where
        caption != ''
        and not regexp_matches(
            regexp_replace(caption, '(?i)^.*\b(?:dollars|amounts|[$]).*$', ''),
            '(?i)\b(?:shares|units|barrels|tons|tonnes|acres|feet|gallons|customers|subscribers|members'
            || '|pounds|people|ounces)\W(?:\w+\W)?in\s'
        )

),

scale_captions_with_ends as (

    select
        scale_captions.*,
        paragraphs.sentence_pos as table_end_pos,
    from scale_captions
    asof left join paragraphs
        on scale_captions.filing_id = paragraphs.filing_id
        and scale_captions.section_id = paragraphs.section_id
        and scale_captions.sentence_pos < paragraphs.sentence_pos

)

select * from scale_captions_with_ends
