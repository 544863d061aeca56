-- A sentence carries a KPI label when one of the label's phrases occurs in it, other than inside one of the label's
-- excluded phrases, and the sentence states something: a figure or a direction, no risk, definition or terms
-- (seeds.kpi_statement_patterns). A sentence can carry several labels.
{%- set rules = label_rules('kpi_patterns', 'kpi_label') %}
{%- set statement_rules = label_rules('kpi_statement_patterns', 'kpi_label') %}
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
    where
        matched_phrase is not null
    {%- for rule in statement_rules %}
        {%- set elsewhere = 'false' if rule.label == 'all' else "kpi_label != '" ~ rule.label ~ "'" %}
        {%- if rule.include %}
        and ({{ elsewhere }} or regexp_matches(sentence_text, {{ rule.include }}))
        {%- endif %}
        {%- if rule.exclude %}
        and ({{ elsewhere }} or not regexp_matches(sentence_text, {{ rule.exclude }}))
        {%- endif %}
        {%- endfor %}

)

select * from matches
