-- Question candidates from Item 1A (V2) and from cross-company risk bundles (V4), where a sentence says what might
-- happen and what it could do (int_stated_risks).
-- C consequence: what the company says could follow. E risks: a risk that each of two to four companies names.
with

stated_risks as (

    select * from {{ ref('int_stated_risks') }}

),

cross_company_sentences as (

    select * from {{ ref('v4_cross_company_bundles_sentences') }}
    where bundle_type = 'risk_cross_company'

),

risks as (

    select
        *,
        {
            'condition': condition,
            'cause': cause,
            'modal': modal,
            'effect': effect
        } as statement,
    from stated_risks

),

consequence_questions as (

    select
        'C_consequence_' || sentence_id as candidate_id,
        'C' as category,
        'consequence' as shape,
        'v2_' || sentence_id || '_' || risk_topic as bundle_id,
        risk_topic as topic_label,
        case when topic_cue_count >= 2 then 'easy' else 'medium' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        least(risk_cue_count, 3)::integer as quality,
        json_object('statements', [statement], 'is_on_topic', topic_cue_count >= 2) as details,
    from risks

),

peer_risks as (

    select
        risks.*,
        cross_company_sentences.bundle_id,
        cross_company_sentences.company_rank,
    from risks
    inner join cross_company_sentences
        on risks.sentence_id = cross_company_sentences.sentence_id
        and risks.risk_topic = cross_company_sentences.topic_label
    qualify row_number() over (
            partition by cross_company_sentences.bundle_id, risks.cik
            order by risks.topic_cue_count desc, risks.sentence_id
        ) = 1

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
        list(cik order by company_rank) as cik_ints,
        [report_year] as years,
        list(sentence_id order by company_rank) as evidence_ids,
        (count(*) >= 3)::integer + (min(topic_cue_count) >= 2)::integer as quality,
        json_object('statements', list(statement order by company_rank)) as details,
    from peer_risks
    where company_rank <= 4
    group by bundle_id, risk_topic, report_year
    having count(*) >= 2

),

united as (

    select * from consequence_questions

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
