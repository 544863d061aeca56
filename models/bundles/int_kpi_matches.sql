-- A sentence carries a KPI label when one of the label's phrases occurs in it, other than inside one of the label's
-- excluded phrases, and the sentence states something: a figure or a direction, no risk, definition or terms; for labels
-- with forms of a statement, it has one of them (seeds.kpi_statement_patterns). A row of a table that gives others' figures
-- carries none. A sentence can carry several labels.
{%- set rules = label_rules('kpi_patterns', 'kpi_label') %}
{%- set statement_rules = label_rules('kpi_statement_patterns', 'kpi_label', named=rules) %}
with

sentences as (

    select * from {{ ref('fct_sentences') }}
    where
        report_year is distinct from 0
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

rows_of_others as (

    select * from {{ ref('int_rows_of_others') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- One pass over the text for all labels together; most sentences carry none or state nothing, and go no further.
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
    anti join rows_of_others
        on sentences.sentence_id = rows_of_others.sentence_id
    where
        -- a heading or a line of an index states nothing
        sentence_kind not in ('heading', 'index_line', 'written_row')
        and {{ matches_any_rule('sentence_text', rules) }}
    {%- for rule in statement_rules if rule.label == 'all' and rule.include %}
        and {{ any_alternation_matches('sentence_text', rule.includes) }}
        and not {{ any_alternation_matches('sentence_text', rule.excludes) }}
        {%- endfor %}

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

-- Forms are looked for where all spaces are single ones and excluded phrases and what is blanked are gone.
stated as (

    select
        *,
        regexp_replace(
            translate(sentence_text, chr(160) || chr(8201) || chr(8239) || chr(10) || chr(8209), '    -'), ' {2,}', ' ', 'g'
        ) as plain_text,
        case kpi_label
        {%- for statement_rule in statement_rules if statement_rule.blank %}
            {%- for rule in rules if rule.label == statement_rule.label %}
                when '{{ rule.label }}'
                    then regexp_replace({{ without_excluded('plain_text', rule) }}, {{ statement_rule.blank }}, ' # ', 'g')
            {%- endfor %}
            {%- endfor %}
            else sentence_text
        end as stated_text,
    from labelled
    where
        matched_phrase is not null
    {%- for rule in statement_rules if rule.label != 'all' %}
        {%- if rule.include and not rule.blank %}
        and (kpi_label != '{{ rule.label }}' or {{ any_alternation_matches('sentence_text', rule.includes) }})
        {%- endif %}
        {%- if rule.exclude %}
        and (kpi_label != '{{ rule.label }}' or not {{ any_alternation_matches('sentence_text', rule.excludes) }})
        {%- endif %}
        {%- endfor %}

),

matches as (

    select * exclude (plain_text, stated_text)
    from stated
    where
        true
    {%- for rule in statement_rules if rule.include and rule.blank %}
        and (kpi_label != '{{ rule.label }}' or {{ any_alternation_matches('stated_text', rule.includes) }})
        {%- endfor %}

)

select * from matches
