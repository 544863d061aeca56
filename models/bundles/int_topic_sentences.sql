-- The sentences that bundles are made of: a KPI in Items 7, 7A or 8, or the primary risk topic of a sentence in
-- Item 1A. Left out is what an analyst would not quote: cross-references, headings, lines of indexes and table rows; a
-- heading that the source runs into a sentence is cut off.
--
-- evidence_score ranks the sentences of a topic; each part is one point:
--   it says why (a causal connector)
--   it explains the topic: the KPI is named before the connector ("revenue rose due to …", not "… due to revenue")
--   it measures: a KPI sentence states an amount; a risk sentence holds three or more cues
--   it is the company's own account: a KPI in Item 7; a risk sentence that no other company shares word for word
--   it is quotable: a whole sentence of 12 to 60 words
--   it is of the year: it names the report year, or no year at all
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

shared_texts as (

    select text_hash
    from sentences
    where duplicate_count > 1
    group by text_hash
    having min(cik) != max(cik)

),

scored as (

    select
        topics.topic_type,
        topics.topic_label,
        sentences.sentence_id,
        sentences.filing_id,
        sentences.cik,
        sentences.company_name,
        sentences.report_year,
        sentences.section_id,
        sentences.sentence_pos,
        sentences.sentence_text,
        sentences.text_hash,
        causal_matches.connectors is not null as is_causal,
        coalesce(causal_matches.connectors, []) as connectors,
        (
            (causal_matches.connectors is not null)::integer
            + coalesce(
                strpos(sentences.sentence_text, topics.matched_phrase)
                between 1 and causal_matches.first_connector_pos - 1,
                false
            )::integer
            + topics.has_measure::integer
            + (
                (topics.topic_type = 'kpi' and sentences.section_id = 'ITEM_7')
                or (topics.topic_type = 'risk' and shared_texts.text_hash is null)
            )::integer
            + (
                sentences.word_count between 12 and 60
                and regexp_matches(sentences.sentence_text, '^[^\pL]*\p{Lu}.*[.!?][”"’)]*$')
            )::integer
            + (
                contains(sentences.sentence_text, sentences.report_year::varchar)
                or not regexp_matches(sentences.sentence_text, '\b(?:19|20)[0-9][0-9]\b')
            )::integer
        ) as evidence_score,
    from topics
    inner join sentences
        on topics.sentence_id = sentences.sentence_id
    left join causal_matches
        on topics.sentence_id = causal_matches.sentence_id
    left join shared_texts
        on sentences.text_hash = shared_texts.text_hash
    where
        sentences.word_count between 6 and 120
        and not {{ is_cross_reference('sentences.sentence_text') }}

)

select * from scored
