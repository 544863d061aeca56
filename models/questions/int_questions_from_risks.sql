-- Question candidates from Item 1A (V2) and from cross-company risk bundles (V4).
-- C consequence: what the company says could follow from a risk (int_stated_risks). C reason: the reason that it gives for
-- what has happened (int_stated_risk_reasons). E risks: one of the two, of each of two or three companies of a
-- bundle, where they are about the same. A risk that stands in the same words in several years' filings is asked about all
-- of them.
{#- Stems that risks of any kind hold; what two risks have in common beside them makes them alike. -#}
{%- set general_stems = [
    'abilit', 'additional', 'advers', 'applicabl', 'being', 'been', 'business?', 'certain', 'chang', 'condition', 'continued',
    'customer', 'existing', 'fail', 'failur', 'fell', 'futur', 'had', 'impact', 'inabilit', 'increased?', 'increas', 'loss?',
    'mor', 'new', 'on', 'operation', 'product', 'related', 'relating', 'result', 'ros', 'servic', 'significant', 'some', 'such',
    'unabl', 'us',
] | join('|') %}
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

-- The bundle says which companies.
peer_risks as (

    select
        askable.*,
        bundle_companies.bundle_id,
        bundle_companies.company_rank,
        {{ stems(content_words(
            "concat_ws(' ', statement.condition, statement.cause, statement.event, statement.reason)"
        )) }} as words,
        list_filter(words, lambda word: not regexp_matches(word, '^(?:{{ general_stems }})$')) as risk_words,
    from askable
    inner join bundle_companies
        on askable.cik = bundle_companies.cik
        and askable.report_year = bundle_companies.report_year
        and askable.risk_topic = bundle_companies.topic_label

),

-- Each risk with those of the other companies that are about the same: at least two words, and half of what the shorter
-- says, are common to both. Of a company the clearest. "Labor disputes" and "a supplier's delay" are of one topic, and
-- no answer compares them.
alike as (

    select
        one.sentence_id as compared_with,
        other.*,
    from peer_risks as one
    inner join peer_risks as other
        on one.bundle_id = other.bundle_id
    where
        one.sentence_id = other.sentence_id
        or (
            one.cik != other.cik
            -- what has happened and what might are not compared
            and (one.statement.event is null) = (other.statement.event is null)
            and len(list_intersect(one.risk_words, other.risk_words))
            >= greatest(2, least(len(one.risk_words), len(other.risk_words)) / 2)
        )
    qualify row_number() over (
            partition by one.bundle_id, one.sentence_id, other.cik
            order by
                other.is_of_one_year desc,
                other.topic_cue_count desc,
                other.statement.event is null desc,
                other.sentence_id
        ) = 1

),

-- Of a bundle the risk that most companies name, up to three, and of several the clearest.
compared as (

    select
        *,
        row_number() over same_risk as peer_rank,
        least(count(*) over (partition by bundle_id, compared_with), 3) as company_count,
        min(is_of_one_year::integer) over (partition by bundle_id, compared_with) as are_of_one_year,
        min(topic_cue_count) over (partition by bundle_id, compared_with) as fewest_cues,
    from alike
    window same_risk as (
        partition by bundle_id, compared_with
        order by sentence_id = compared_with desc, is_of_one_year desc, company_rank
    )

),

ranked_peers as (

    select *
    from compared
    where company_count >= 2
    qualify dense_rank() over (
            partition by bundle_id
            order by are_of_one_year desc, company_count desc, fewest_cues desc, compared_with
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
        json_object(
            'statements', list(statement order by company_rank), 'is_on_topic', min(topic_cue_count) >= 2
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
