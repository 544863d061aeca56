-- All questions in one form: our own and those of external suites. A reviewer's edits of our own texts are in.
-- question_key tells apart questions of two suites that share an id.
with

written_questions as (

    select * from {{ ref('int_written_questions') }}
    where status in ('ok', 'repaired')

),

external_questions as (

    select
        suite,
        question_id,
        source_row,
        record::json as record,
    from {{ ref('int_external_questions') }}
    where reason is null

),

reviews as (

    select * from {{ ref('p3_reviews') }}
    where decision = 'edit'

),

own as (

    select
        written_questions.* exclude (question_text, answer_text, answer_items, status, error),
        coalesce(reviews.edited_question_text, written_questions.question_text) as question_text,
        coalesce(reviews.edited_answer_text, written_questions.answer_text) as answer_text,
        case
            when reviews.edited_answer_text is null then written_questions.answer_items
            when written_questions.answer_type = 'list' then string_split(reviews.edited_answer_text, chr(10))
            else []
        end as answer_items,
    from written_questions
    left join reviews
        on written_questions.question_id = reviews.question_id

),

external as (

    select
        suite,
        question_id,
        false as is_own,
        null::varchar as candidate_id,
        record ->> '$.paraphrase_group_id' as paraphrase_group_id,
        1::bigint as wording,
        source_row as draw_rank,
        null::integer as quota,
        record ->> '$.category' as category,
        null::varchar as shape,
        null::varchar as topic_label,
        record ->> '$.bundle_id' as bundle_id,
        (record -> '$.cik_int')::bigint[] as cik_ints,
        (record -> '$.company_name')::varchar[] as company_names,
        (record -> '$.years')::integer[] as years,
        record ->> '$.question_text' as question_text,
        record ->> '$.answer_type' as answer_type,
        case
            when record ->> '$.answer_type' = 'list'
                then array_to_string((record -> '$.answer_text')::varchar[], chr(10))
            else record ->> '$.answer_text'
        end as answer_text,
        case
            when record ->> '$.answer_type' = 'list' then (record -> '$.answer_text')::varchar[]
            else []
        end as answer_items,
        (record ->> '$.answer_numeric')::double as answer_numeric,
        record ->> '$.answer_unit' as answer_unit,
        (record ->> '$.tolerance')::double as tolerance,
        (record -> '$.evidence_sentence_ids')::varchar[] as evidence_sentence_ids,
        coalesce((record -> '$.evidence_spans')::varchar[], []) as evidence_spans,
        record ->> '$.retrieval_scope' as retrieval_scope,
        record ->> '$.difficulty' as difficulty,
        coalesce((record -> '$.section_hints')::varchar[], []) as section_hints,
        record ->> '$.notes' as notes,
        record ->> '$.gold_version' as gold_version,
        record ->> '$.created_by' as created_by,
        record ->> '$.created_at' as created_at,
        (record ->> '$.curation_confidence')::double as stated_confidence,
        (record -> '$.key_points')::varchar[] as key_points,
    from external_questions

),

final as (

    select
        *,
        suite || ':' || question_id as question_key,
    from (
        select * from own

        union all by name

        select * from external
    ) as united

)

select * from final
