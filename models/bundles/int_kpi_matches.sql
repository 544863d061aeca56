-- A sentence carries a KPI label when one of the label's phrases occurs in it, other than inside one of the label's
-- excluded phrases. A sentence can carry several labels.
-- depends_on: {{ ref('kpi_patterns') }}
{%- set rules = label_rules('kpi_patterns', 'kpi_label') %}
with

sentences as (

    select * from {{ ref('fct_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- One pass over the text for all labels together; most sentences carry none and go no further.
candidates as (

    select
        sentence_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        sentence_pos,
        sentence_kind,
        sentence_text,
    from sentences
    where
        -- a heading or a line of an index states nothing
        sentence_kind not in ('heading', 'index_line')
        and regexp_matches(sentence_text, {{ any_rule(rules) }})

),

labelled as (

    select
        *,
        unnest([
            {%- for rule in rules %}
            {'kpi_label': '{{ rule.label }}', 'matched_phrase': {{ matched_phrase('sentence_text', rule) }}}
            {{- ',' if not loop.last }}
            {%- endfor %}
        ], recursive := true),
    from candidates

),

matches as (

    select * from labelled
    where matched_phrase is not null

)

select * from matches
