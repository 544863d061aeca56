-- The sentences that bundles are made of: a KPI in Items 7, 7A or 8, or the primary risk topic of a sentence in
-- Item 1A. Left out is what an analyst would not quote: cross-references, headings, lines of indexes and table rows; a
-- heading that the source runs into a sentence is cut off.
--
-- evidence_score ranks the sentences of a topic; each part is one point:
--   it says why (a causal connector)
--   it explains the topic: the KPI is what the connector gives a reason for, not the reason ("revenue rose due to …",
--     not "… due to revenue"); it stands before the connector, or behind one that opens the sentence ("Due to …,
--     revenue rose") or looks ahead ("contributed to lower revenue")
--   it measures: a KPI sentence states an amount; a risk sentence holds three or more cues
--   it is the company's own account: a KPI in Item 7; a risk sentence that no other company shares word for word
--   it is quotable: a whole sentence of 12 to 60 words
--   it is of the year: it names the report year, or no year at all
--
-- is_of_a_part: a KPI sentence tells of a segment, product or region, not of the company. Its KPI's first phrase names one
-- (int_kpi_phrase_parts), or it stands under the heading of one (int_part_headings), below which cash flows and earnings per
-- share are still the company's.
--
-- Left out as well is a KPI sentence that tells of an earlier year only, or of a later one: an annual report explains the
-- years before once more ("Fiscal 2019 compared to fiscal 2018: …" in the report of 2020, in the sentence or as a heading
-- above it; int_kpi_years) and says what it expects of the next, by what the filing calls its year (int_fiscal_year_names)
-- or by a verb ("we expect EPS to be", "capital spending is expected to increase").
{%- set kpi_rules = label_rules('kpi_patterns', 'kpi_label') -%}
{%- set expected_before = '(?i)\\b(?:' ~ expectations() ~ ')\\b[^.;]*$' -%}
{%- set expected_after = '(?i)^[^.;,]{0,30}?\\b(?:' ~ expectations() ~ ')\\b' %}
with

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where sentence_kind in ('prose', 'list_item')

),

causal_matches as (

    select * from {{ ref('int_causal_matches') }}

),

kpi_years as (

    select * from {{ ref('int_kpi_years') }}

),

phrase_parts as (

    select * from {{ ref('int_kpi_phrase_parts') }}

),

part_headings as (

    select * from {{ ref('int_part_headings') }}

),

year_names as (

    select * from {{ ref('int_fiscal_year_names') }}

),

topics as (

    select
        sentence_id,
        kpi_label as topic_label,
        'kpi' as topic_type,
        matched_phrase,
        amount_count > 0 as has_measure,
    from kpi_scan
    where section_name in ('ITEM_7', 'ITEM_7A', 'ITEM_8')

    union all

    select
        sentence_id,
        risk_topic as topic_label,
        'risk' as topic_type,
        null as matched_phrase,
        risk_cue_count >= 3 as has_measure,
    from risk_atlas
    where
        is_primary
        and risk_topic != 'general_risk'

),

-- Whose figure the sentence tells by its KPI's first phrase behind the heading.
told_parts as (

    select
        phrase_parts.sentence_id,
        phrase_parts.kpi_label,
        arg_min(phrase_parts.is_of_a_part, phrase_parts.phrase_pos) as is_of_a_part,
    from phrase_parts
    inner join sentences
        on phrase_parts.sentence_id = sentences.sentence_id
    where phrase_parts.phrase_pos > coalesce(length(sentences.heading_prefix), 0)
    group by phrase_parts.sentence_id, phrase_parts.kpi_label

),

shared_texts as (

    select text_hash
    from sentences
    where duplicate_count > 1
    group by text_hash
    having min(cik) != max(cik)

),

quotable as (

    select
        topics.*,
        sentences.* exclude (sentence_id),
        causal_matches.connectors,
        causal_matches.first_connector_pos,
        -- "higher revenue led to", "was the reason for": what stands before is the reason
        list_has_all(['led_to', 'reason_for'], causal_matches.connectors) as says_what_follows,
        strpos(sentences.sentence_text, topics.matched_phrase) as phrase_pos,
        substr(sentences.sentence_text, 1, coalesce(causal_matches.first_connector_pos, 1000) - 1) as explained_text,
        -- "costs of revenue", "margin as a percentage of revenue" and what else is not the KPI does not explain it
        case topics.topic_label
        {%- for rule in kpi_rules if rule.exclude %}
            when '{{ rule.label }}' then {{ without_excluded('explained_text', rule) }}
            {%- endfor %}
            else explained_text
        end as named_text,
    from topics
    inner join sentences
        on topics.sentence_id = sentences.sentence_id
    left join causal_matches
        on topics.sentence_id = causal_matches.sentence_id
    where
        sentences.word_count between 6 and 120
        and not {{ is_cross_reference('sentences.sentence_text') }}

),

-- What names no year and a day is a balance of that day; what only compares with a year is of the year after it; what names
-- no year at all is of that of the comparison that it stands under.
dated as (

    select
        quotable.*,
        if(
            quotable.topic_type = 'kpi',
            coalesce(kpi_years.stated_year, kpi_years.balance_year, kpi_years.compared_year + 1, kpi_years.comparison_year),
            null
        ) as latest_year,
        kpi_years.earliest_year,
        substr(quotable.sentence_text, 1, greatest(quotable.phrase_pos - 1, 0)) as text_before_phrase,
        substr(quotable.sentence_text, quotable.phrase_pos + length(quotable.matched_phrase)) as text_after_phrase,
        regexp_matches(text_before_phrase, '{{ expected_before }}')
        or regexp_matches(text_after_phrase, '{{ expected_after }}') as is_outlook,
    from quotable
    left join kpi_years
        on quotable.sentence_id = kpi_years.sentence_id

),

of_the_year as (

    select dated.*
    from dated
    inner join year_names
        on dated.filing_id = year_names.filing_id
    where
        dated.topic_type = 'risk'
        or (
            not dated.is_outlook
            and (
                dated.latest_year is null
                or (
                    dated.latest_year >= coalesce(year_names.year_name, dated.report_year - 1)
                    and coalesce(dated.earliest_year <= coalesce(year_names.year_name, dated.report_year), true)
                )
            )
        )

),

explained as (

    select
        *,
        topic_type = 'risk'
        or coalesce(first_connector_pos > 1 and not says_what_follows and contains(named_text, matched_phrase), false)
        or coalesce(
            phrase_pos > first_connector_pos
            and (
                says_what_follows
                or list_has_any(connectors, ['contributed_to', 'had_effect'])
                or (
                    regexp_matches(explained_text, '^\W*(?:(?:\w+ly|also|in (?:large )?part|and|but),? )*$')
                    and phrase_pos > strpos(sentence_text, ', ')
                    and contains(sentence_text, ', ')
                )
            ),
            false
        ) as is_explained,
    from of_the_year

),

scored as (

    select
        explained.topic_type,
        explained.topic_label,
        explained.sentence_id,
        explained.filing_id,
        explained.cik,
        explained.company_name,
        explained.report_year,
        explained.section_id,
        explained.sentence_pos,
        explained.sentence_text,
        explained.text_hash,
        explained.connectors is not null as is_causal,
        explained.is_explained,
        coalesce(explained.connectors, []) as connectors,
        (
            (explained.connectors is not null)::integer
            + (explained.topic_type = 'kpi' and explained.is_explained)::integer
            + explained.has_measure::integer
            + (
                (explained.topic_type = 'kpi' and explained.section_id = 'ITEM_7')
                or (explained.topic_type = 'risk' and shared_texts.text_hash is null)
            )::integer
            + (
                explained.word_count between 12 and 60
                and regexp_matches(explained.sentence_text, '^[^\pL]*\p{Lu}.*[.!?][”"’)]*$')
            )::integer
            + (
                contains(explained.sentence_text, explained.report_year::varchar)
                or not regexp_matches(explained.sentence_text, '\b(?:19|20)[0-9][0-9]\b')
            )::integer
        ) as evidence_score,
        coalesce(told_parts.is_of_a_part, false)
        or (
            explained.topic_type = 'kpi'
            and explained.topic_label not in ('cash_from_ops', 'eps')
            and part_headings.sentence_id is not null
        ) as is_of_a_part,
    from explained
    left join shared_texts
        on explained.text_hash = shared_texts.text_hash
    left join told_parts
        on explained.sentence_id = told_parts.sentence_id
        and explained.topic_label = told_parts.kpi_label
    left join part_headings
        on explained.sentence_id = part_headings.sentence_id

)

select * from scored
