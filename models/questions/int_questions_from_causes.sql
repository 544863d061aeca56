-- Question candidates from stated causes (int_stated_causes), where the bundles V3, V4 and V5 hold their sentences.
-- B cause: why a measure changed.              F drivers: the list of reasons, where the filing enumerates them.
-- D trend: the reasons over two to four years. E causes: the reasons that two or three companies state for one year.
-- G attributed: a driver named as the cause (yes). G offset: a driver asked for as the cause that the filing names as
-- what weighed against the change (no). G direction: whether the measure rose, or fell; a hash decides which is asked.
with

-- Only where the subject is said once in the filing, and where it cannot be mistaken for another part of the company: it
-- says which one, or is named with the part whose heading is above it.
stated_causes as (

    select * from {{ ref('int_stated_causes') }}
    where
        statement_count = 1
        and (is_company_wide or not is_plain_subject or part_name is not null)

),

trend_sentences as (

    select distinct
        sentence_id,
        bundle_id,
        topic_label,
    from {{ ref('v3_trend_bundles_sentences') }}
    where bundle_type = 'kpi_trend'

),

cross_company_sentences as (

    select * from {{ ref('v4_cross_company_bundles_sentences') }}
    where bundle_type = 'kpi_cross_company'

),

verification_sentences as (

    select * from {{ ref('v5_definition_bundles_sentences') }}
    where candidate_type = 'verification'

),

causes as (

    select
        stated_causes.*,
        coalesce(trend_sentences.bundle_id, 'v1_' || stated_causes.sentence_id || '_' || stated_causes.kpi_label)
            as bundle_id,
        trend_sentences.bundle_id is not null as is_trend_sentence,
        {
            'report_year': stated_causes.report_year,
            'subject': stated_causes.named_subject,
            'direction': stated_causes.direction,
            'connector': stated_causes.connector,
            'cause': stated_causes.cause,
            'counter_connector': stated_causes.counter_connector,
            'counter_cause': stated_causes.counter_cause
        } as statement,
    from stated_causes
    left join trend_sentences
        on stated_causes.sentence_id = trend_sentences.sentence_id
        and stated_causes.kpi_label = trend_sentences.topic_label

),

cause_questions as (

    select
        'B_cause_' || sentence_id as candidate_id,
        'B' as category,
        'cause' as shape,
        bundle_id,
        kpi_label as topic_label,
        case when counter_cause is null then 'easy' else 'medium' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        is_trend_sentence::integer + (len(string_split(cause, ' ')) between 4 and 30)::integer as quality,
        null::boolean as answer_boolean,
        json_object('statements', [statement]) as details,
    from causes
    where len(drivers) < 2

),

driver_questions as (

    select
        'F_drivers_' || sentence_id as candidate_id,
        'F' as category,
        'drivers' as shape,
        bundle_id,
        kpi_label as topic_label,
        'medium' as difficulty,
        'list' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        is_trend_sentence::integer as quality,
        null::boolean as answer_boolean,
        json_object('statements', [statement], 'drivers', drivers) as details,
    from causes
    where
        len(drivers) between 2 and 6
        and list_min(list_transform(drivers, lambda driver: len(string_split(driver, ' ')))) >= 2
        and list_max(list_transform(drivers, lambda driver: len(string_split(driver, ' ')))) <= 16
        -- the first reason may open with any word, if it is a reason: an ending list of names is none
        and not regexp_matches(drivers[1], ',')

),

-- The same subject in several years of a trend bundle: the latest four, one statement per year.
trend_statements as (

    select
        *,
        row_number() over (same_subject order by report_year desc) as recency,
    from causes
    where is_trend_sentence
    window same_subject as (partition by cik, kpi_label, lower(named_subject))
    qualify
        row_number() over (partition by cik, kpi_label, lower(named_subject), report_year order by sentence_id) = 1

),

trend_questions as (

    select
        'D_trend_' || lpad(cik::varchar, 10, '0') || '_' || kpi_label || '_' || md5(lower(named_subject))[:8]
            as candidate_id,
        'D' as category,
        'trend' as shape,
        any_value(bundle_id) as bundle_id,
        kpi_label as topic_label,
        case when count(*) = 2 then 'medium' else 'hard' end as difficulty,
        'span' as answer_type,
        [cik] as cik_ints,
        list(report_year order by report_year) as years,
        list(sentence_id order by report_year) as evidence_ids,
        count(*)::integer as quality,
        null::boolean as answer_boolean,
        json_object('statements', list(statement order by report_year)) as details,
    from trend_statements
    where recency <= 4
    group by cik, kpi_label, lower(named_subject)
    having
        count(*) >= 2
        -- years that follow each other and reasons that differ tell a trend
        and max(report_year) - min(report_year) + 1 = count(*)
        and count(distinct cause) = count(*)

),

-- One statement per company of a cross-company bundle, of the KPI of the whole company.
peer_statements as (

    select
        causes.*,
        cross_company_sentences.bundle_id as cross_company_bundle_id,
        cross_company_sentences.company_rank,
    from causes
    inner join cross_company_sentences
        on causes.sentence_id = cross_company_sentences.sentence_id
        and causes.kpi_label = cross_company_sentences.topic_label
    qualify row_number() over (
            partition by cross_company_sentences.bundle_id, causes.cik
            order by causes.is_company_wide desc, causes.sentence_id
        ) = 1

),

peer_questions as (

    select
        'E_causes_' || cross_company_bundle_id as candidate_id,
        'E' as category,
        'causes' as shape,
        cross_company_bundle_id as bundle_id,
        kpi_label as topic_label,
        'hard' as difficulty,
        'list' as answer_type,
        list(cik order by company_rank) as cik_ints,
        [report_year] as years,
        list(sentence_id order by company_rank) as evidence_ids,
        (count(*) >= 3)::integer as quality,
        null::boolean as answer_boolean,
        json_object('statements', list(statement order by company_rank)) as details,
    from peer_statements
    where
        company_rank <= 4
        and is_company_wide
    group by cross_company_bundle_id, kpi_label, report_year
    having count(*) >= 2

),

-- A driver of V5 that stands in the cause alone, or in what offset the change alone.
driver_statements as (

    select
        causes.*,
        verification_sentences.bundle_id as verification_bundle_id,
        verification_sentences.topic_label as driver_label,
        contains(causes.cause, verification_sentences.matched_phrase) as is_in_cause,
        contains(coalesce(causes.counter_cause, ''), verification_sentences.matched_phrase) as is_in_counter_cause,
    from causes
    inner join verification_sentences
        on causes.sentence_id = verification_sentences.sentence_id

),

attribution_questions as (

    select
        'G_' || case when is_in_cause then 'attributed' else 'offset' end || '_' || sentence_id || '_' || driver_label
            as candidate_id,
        'G' as category,
        case when is_in_cause then 'attributed' else 'offset' end as shape,
        verification_bundle_id as bundle_id,
        driver_label as topic_label,
        case when is_in_cause then 'medium' else 'hard' end as difficulty,
        'boolean' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        2 as quality,
        is_in_cause as answer_boolean,
        json_object('statements', [statement], 'driver', driver_label) as details,
    from driver_statements
    where
        is_in_cause != is_in_counter_cause
        -- "offset" alone may have outweighed the cause
        and (is_in_cause or regexp_matches(counter_connector, 'partially|partly|in part|somewhat'))

),

directions as (

    select
        *,
        case when md5('{{ setting("gold_seed") }}|direction|' || sentence_id) < '8' then 'increase' else 'decrease' end
            as asked_direction,
    from causes

),

direction_questions as (

    select
        'G_direction_' || sentence_id as candidate_id,
        'G' as category,
        'direction' as shape,
        bundle_id,
        kpi_label as topic_label,
        'medium' as difficulty,
        'boolean' as answer_type,
        [cik] as cik_ints,
        [report_year] as years,
        [sentence_id] as evidence_ids,
        1 as quality,
        asked_direction = direction as answer_boolean,
        json_object('statements', [statement], 'asked_direction', asked_direction) as details,
    from directions

),

united as (

    select * from cause_questions

    union all

    select * from driver_questions

    union all

    select * from trend_questions

    union all

    select * from peer_questions

    union all

    select * from attribution_questions

    union all

    select * from direction_questions

),

final as (

    select
        * exclude (answer_boolean, details),
        null::double as answer_numeric,
        null::varchar as answer_unit,
        null::double as tolerance,
        answer_boolean,
        details,
    from united

)

select * from final
