-- Sentences of Item 1A that report what has happened in the year and why, taken apart: "Deliveries from 13 suppliers were
-- late in 2018 because of shortages." gives event "Deliveries from 13 suppliers were late in 2018", connector "because of"
-- and reason "shortages". Left out is what points back, what names another year, and a part of a list of causes.
{%- set connector -%}
    because of|because|due (?:primarily |mainly |largely |in part )?to|as a result of|owing to {#- -#}
{%- endset -%}
{#- After a comma these open what explains the whole clause before it. -#}
{%- set comma_connector -%}
    (?:primarily |mainly |largely |all |mostly )?(?:driven by|resulting from|caused by) {#- -#}
{%- endset %}
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}
    where
        is_primary
        and risk_topic != 'general_risk'

),

sentences as (

    select
        * exclude (sentence_text),
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_1A'
        and word_count between 9 and 45

),

parsed as (

    select
        risk_atlas.sentence_id,
        risk_atlas.filing_id,
        risk_atlas.cik_int as cik,
        risk_atlas.report_year,
        risk_atlas.risk_topic,
        risk_atlas.topic_cue_count,
        sentences.sentence_text,
        regexp_extract(
            sentences.sentence_text,
            '^(?:(?:In|During) (?:the )?(?:fiscal )?(?:year )?(?:19|20)\d\d,? )?'
            || '([\pL\pN][^;:()]{15,180}?) ({{ connector }}) ([^;:()]+)[.]$',
            ['event', 'connector', 'reason']
        ) as plain,
        regexp_extract(
            sentences.sentence_text,
            '^(?:(?:In|During) (?:the )?(?:fiscal )?(?:year )?(?:19|20)\d\d,? )?'
            || '([\pL\pN][^;:()]{15,180}?), ({{ comma_connector }}) ([^;:()]+)[.]$',
            ['event', 'connector', 'reason']
        ) as after_comma,
        list_distinct(regexp_extract_all(sentences.sentence_text, '\b(?:19|20)\d\d\b')) as named_years,
    from risk_atlas
    inner join sentences
        on risk_atlas.sentence_id = sentences.sentence_id

),

parts as (

    select
        * exclude (plain, after_comma),
        case when plain.event != '' then plain.event else after_comma.event end as event,
        case when plain.event != '' then plain.connector else after_comma.connector end as connector,
        case when plain.event != '' then plain.reason else after_comma.reason end as reason,
    from parsed
    where
        plain.event != ''
        or after_comma.event != ''

),

final as (

    select
        sentence_id,
        filing_id,
        cik,
        report_year,
        risk_topic,
        topic_cue_count,
        event,
        connector,
        reason,
        sentence_text,
    from parts
    where
        named_years = [report_year::varchar]
        -- something that happened, said in a whole clause
        and regexp_matches(
            event, '\b(?:was|were|had|lost|rose|fell|grew|cost|led|took|paid|made|went|sold|held|closed|\w{3,}ed)\b'
        )
        and not regexp_matches(
            event, '(?i)\b(?:could|may|might|would|will|if|because|due to|driven|which|that|this|these|those|such|such as'
            || '|including|they|it|them|most of|also|both|above|following|not only|whether|for example)\b'
            || '|^(?:and|but|or|as|while|although|when|since|after|before|however|further|additionally|moreover)\b|,'
        )
        and not regexp_matches(
            reason, '(?i)\b(?:such|this|these|those|above|below|foregoing|following|which|it|they|them'
            || '|could|may|might|because|due to|as a result|resulting|while|although|whereas)\b'
        )
        and len(string_split(reason, ' ')) between 2 and 25

)

select * from final
