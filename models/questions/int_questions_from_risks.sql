-- Question candidates from Item 1A (V2) and from cross-company risk bundles (V4).
-- C consequence: what the company says could follow from a risk (int_stated_risks). C reason: the reason that it gives for
-- what has happened (int_stated_risk_reasons). E risks: one of the two, of each of two or three companies of a bundle.
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
            'effect': effect,
            'event': null::varchar,
            'connector': null::varchar,
            'reason': null::varchar
        } as statement,
    from stated_risks

),

reasons as (

    select
        *,
        {
            'condition': null::varchar,
            'cause': null::varchar,
            'modal': null::varchar,
            'effect': null::varchar,
            'event': event,
            'connector': connector,
            'reason': reason
        } as statement,
    from stated_reasons

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
        json_object('statements', [statement], 'is_on_topic', topic_cue_count >= 2) as details,
    from reasons

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

-- What a company of a bundle can be asked about; a risk that it repeats in other years comes last.
askable as (

    select
        risks.sentence_id,
        risks.cik,
        risks.report_year,
        risks.risk_topic,
        risks.topic_cue_count,
        risks.statement,
        len(risks_over_years.years) = 1 as is_of_one_year,
    from risks
    inner join risks_over_years
        on risks.cik = risks_over_years.cik
        and risks.text_key = risks_over_years.text_key

    union all

    select
        sentence_id,
        cik,
        report_year,
        risk_topic,
        topic_cue_count,
        statement,
        true as is_of_one_year,
    from reasons

),

-- The bundle says which companies; what each is asked about is the clearest statement of the topic in its filing.
peer_risks as (

    select
        askable.*,
        bundle_companies.bundle_id,
        bundle_companies.company_rank,
    from askable
    inner join bundle_companies
        on askable.cik = bundle_companies.cik
        and askable.report_year = bundle_companies.report_year
        and askable.risk_topic = bundle_companies.topic_label
    qualify row_number() over (
            partition by bundle_companies.bundle_id, askable.cik
            order by
                askable.is_of_one_year desc,
                askable.topic_cue_count desc,
                askable.statement.event is null desc,
                askable.sentence_id
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
        json_object(
            'statements', list(statement order by peer_rank), 'is_on_topic', min(topic_cue_count) >= 2
        ) as details,
    from ranked_peers
    where
        peer_rank <= 2
        or (peer_rank = 3 and is_of_one_year and statement.event is null)
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
