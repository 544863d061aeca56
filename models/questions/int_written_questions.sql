-- Questions of our own as they were written, wording by wording, and requests that gave none.
with

candidates as (

    select * from {{ ref('int_question_candidates') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

responses as (

    select
        *,
        output::json as reply,
    from {{ ref('int_question_responses') }}
    where replicate = 1

),

wordings as (

    select
        item_id as candidate_id,
        model_id,
        is_baseline,
        status,
        error,
        reply ->> '$.answer_text' as written_answer,
        coalesce((reply -> '$.answer_items')::varchar[], []) as answer_items,
        unnest(list_prepend(reply ->> '$.question_text', coalesce((reply -> '$.paraphrases')::varchar[], [])))
            as question_text,
        generate_subscripts(
            list_prepend(reply ->> '$.question_text', coalesce((reply -> '$.paraphrases')::varchar[], [])), 1
        ) as wording,
    from responses

),

cited as (

    select
        candidate_id,
        unnest(evidence_ids) as sentence_id,
    from candidates

),

sections as (

    select
        cited.candidate_id,
        list_sort(list(distinct sentences.section_id)) as section_hints,
    from cited
    inner join sentences
        on cited.sentence_id = sentences.sentence_id
    group by cited.candidate_id

),

final as (

    select
        'p3' as suite,
        'P3-' || candidates.category || '-' || md5(candidates.candidate_id || '|' || wordings.model_id)[:8]
        || case when wordings.wording > 1 then '-' || wordings.wording else '' end as question_id,
        true as is_own,
        candidates.candidate_id,
        'P3-' || candidates.category || '-' || md5(candidates.candidate_id)[:8] as paraphrase_group_id,
        wordings.wording,
        candidates.draw_rank,
        candidates.questions as quota,
        candidates.category,
        candidates.shape,
        candidates.topic_label,
        candidates.bundle_id,
        candidates.cik_ints,
        candidates.company_names,
        candidates.years,
        wordings.question_text,
        candidates.answer_type,
        case
            when candidates.answer_type = 'list' then array_to_string(wordings.answer_items, chr(10))
            else wordings.written_answer
        end as answer_text,
        case when candidates.answer_type = 'list' then wordings.answer_items else [] end as answer_items,
        candidates.answer_numeric,
        candidates.answer_unit,
        candidates.tolerance,
        candidates.evidence_ids as evidence_sentence_ids,
        []::varchar[] as evidence_spans,
        case
            when len(candidates.cik_ints) > 1 then 'cross_company'
            when len(candidates.years) > 1 then 'cross_year'
            else 'local'
        end as retrieval_scope,
        candidates.difficulty,
        coalesce(
            sections.section_hints,
            case when candidates.shape = 'absent_risk' then ['ITEM_1A'] else ['ITEM_7', 'ITEM_8'] end
        ) as section_hints,
        candidates.category_name || ': ' || replace(candidates.shape, '_', ' ') || ' of ' || candidates.topic_label
            as notes,
        'P3.rules.1' as gold_version,
        case when wordings.is_baseline then 'finrag_baseline' else wordings.model_id end as created_by,
        '{{ setting("questions_created_at") }}' as created_at,
        null::double as stated_confidence,
        wordings.status,
        wordings.error,
    from wordings
    inner join candidates
        on wordings.candidate_id = candidates.candidate_id
    left join sections
        on candidates.candidate_id = sections.candidate_id

)

select * from final
