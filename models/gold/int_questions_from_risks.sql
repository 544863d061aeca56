-- Question candidates from Item 1A (V2) and from cross-company risk bundles (V4).
-- C consequence: what the company says could follow from a risk (int_stated_risks). C reason: the reason that it gives for
-- what has happened (int_stated_risk_reasons). E risks: a risk that each of two or three companies of a bundle names.
-- A risk that stands in the same words in several years' filings is asked about all of them.
with

stated_risks as (

    select * from {{ ref('int_stated_risks') }}

),

stated_reasons as (

    select * from {{ ref('int_stated_risk_reasons') }}

),

cross_company_sentences as (

    select * from {{ ref('v4_cross_company_bundles_sentences') }}
    where bundle_type = 'risk_cross_company'

),

risks as (

    select
        *,
        lower(trim(regexp_replace(sentence_text, '\s+', ' ', 'g'))) as text_key,
        {
            'condition': condition,
            'cause': cause,
            'modal': modal,
            'effect': effect
        } as statement,
    from stated_risks

),

-- One risk of a company: the same words, whatever the year.
risks_over_years as (

    select
        cik,
        text_key,
        min(sentence_id) as first_sentence_id,
        min_by(risk_topic, sentence_id) as risk_topic,
        min_by(statement, sentence_id) as statement,
        max(topic_cue_count) as topic_cue_count,
        max(risk_cue_count) as risk_cue_count,
        list(distinct report_year order by report_year) as years,
        list(sentence_id order by report_year, sentence_id) as evidence_ids,
    from risks
    group by cik, text_key

),

consequence_questions as (

    select
        'C_consequence_' || first_sentence_id as candidate_id,
        'C' as category,
        'consequence' as shape,
        'v2_' || first_sentence_id || '_' || risk_topic as bundle_id,
        risk_topic as topic_label,
        case when topic_cue_count >= 2 then 'easy' else 'medium' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        years,
        evidence_ids,
        least(risk_cue_count, 3)::integer + 3 * (len(years) = 1)::integer as quality,
        json_object('statements', [statement], 'is_on_topic', topic_cue_count >= 2) as details,
    from risks_over_years

),

reason_questions as (

    select
        'C_reason_' || sentence_id as candidate_id,
        'C' as category,
        'reason' as shape,
        'v2_' || sentence_id || '_' || risk_topic as bundle_id,
        risk_topic as topic_label,
        case when topic_cue_count >= 2 then 'easy' else 'medium' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        1 as quality,
        json_object('statement', { 'event': event, 'connector': connector, 'reason': reason }) as details,
    from stated_reasons

),

bundle_companies as (

    select distinct
        bundle_id,
        report_year,
        topic_label,
        cik_int as cik,
        company_rank,
    from cross_company_sentences

),

-- The bundle says which companies; what each is asked about is the clearest risk of the topic in its filing, one that
-- stands in no other year's if there is one.
peer_risks as (

    select
        risks.*,
        bundle_companies.bundle_id,
        bundle_companies.company_rank,
        len(risks_over_years.years) = 1 as is_of_one_year,
    from risks
    inner join bundle_companies
        on risks.cik = bundle_companies.cik
        and risks.report_year = bundle_companies.report_year
        and risks.risk_topic = bundle_companies.topic_label
    inner join risks_over_years
        on risks.cik = risks_over_years.cik
        and risks.text_key = risks_over_years.text_key
    qualify row_number() over (
            partition by bundle_companies.bundle_id, risks.cik
            order by len(risks_over_years.years) = 1 desc, risks.topic_cue_count desc, risks.sentence_id
        ) = 1

),

ranked_peers as (

    select
        *,
        row_number() over (partition by bundle_id order by is_of_one_year desc, company_rank) as peer_rank,
    from peer_risks

),

peer_questions as (

    select
        'E_risks_' || bundle_id as candidate_id,
        'E' as category,
        'risks' as shape,
        bundle_id,
        risk_topic as topic_label,
        'hard' as difficulty,
        'list' as answer_type,
        list(cik order by peer_rank) as cik_ints,
        [report_year] as years,
        list(sentence_id order by peer_rank) as evidence_ids,
        (count(*) >= 3)::integer + (min(topic_cue_count) >= 2)::integer as quality,
        json_object('statements', list(statement order by peer_rank)) as details,
    from ranked_peers
    where peer_rank <= 3
    group by bundle_id, risk_topic, report_year
    having count(*) >= 2

),

united as (

    select * from consequence_questions

    union all

    select * from reason_questions

    union all

    select * from peer_questions

),

final as (

    select
        * exclude (details),
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        null::boolean as answer_boolean,
        details,
    from united

)

select * from final
