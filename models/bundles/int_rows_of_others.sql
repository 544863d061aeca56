-- Rows of tables whose figures are none of the company's own totals, as the sentence says that leads the table in: those of
-- companies that it holds a part of, of a business that it gave up, of a merger as if it had come earlier, and the effects
-- of derivatives on a line. "A summary of financial information for our equity method investees is as follows:".
{%- set others -%}
    \b(?:equity[ -]method|unconsolidated|investees?|joint ventures?|discontinued operations?|disposal group|pro[ -]forma {#- -#}
    |derivatives?|hedging instruments?)\b
{%- endset %}
{%- set leads_in -%} :\W*$|\b(?:follow\w*|tables?|below|summar\w+|present\w*)\b {%- endset %}
{#- A lead that is further away is of a table before. -#}
{%- set longest_table = 25 %}
with

sentences as (

    select
        *,
        regexp_matches(sentence_text, '[.:;][”"’)]*$') as is_ended,
    from {{ ref('fct_sentences') }}
    where
        sentence_kind != 'written_row'
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- What may lead a table in, or ends the one before.
leads as (

    select
        filing_id,
        section_id,
        sentence_pos,
        sentence_text,
    from sentences
    where
        sentence_kind = 'heading'
        or (sentence_kind in ('prose', 'list_item') and is_ended and word_count >= 5)

),

led_rows as (

    select
        rows.sentence_id,
        rows.filing_id,
        rows.sentence_pos - leads.sentence_pos as rows_below,
        leads.sentence_text as lead_text,
    from sentences as rows
    asof inner join leads
        on rows.filing_id = leads.filing_id
        and rows.section_id = leads.section_id
        and rows.sentence_pos > leads.sentence_pos
    where
        rows.sentence_kind in ('table_row', 'prose')
        and rows.has_number
        and not rows.is_ended

),

rows_of_others as (

    select
        sentence_id,
        filing_id,
        lead_text,
    from led_rows
    where
        rows_below <= {{ longest_table }}
        and regexp_matches(lead_text, '(?i){{ others }}')
        and regexp_matches(lead_text, '(?i){{ leads_in }}')
        -- a statement of both
        and not regexp_matches(lead_text, '(?i)\bcontinuing operations\b')

)

select * from rows_of_others
