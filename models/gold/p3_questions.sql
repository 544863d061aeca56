-- curation_confidence of our own questions is a sum of parts, each of which can be looked up; external ones keep
-- theirs:
--   0.50  no gate objects, or a reviewer accepted it
--   0.20  times the share of the answer's words that are in the evidence (numeric and no-answer questions: all of it)
--   0.15  something outside the text confirms the answer: XBRL facts, or the anti-join
--   0.10  times the share of evidence sentences that are quotable: whole, of 8 to 60 words
--   0.05  one sentence is all the evidence
-- A reviewer's accept or edit makes it at least 0.95.
with

verdicts as (

    select * from {{ ref('int_question_verdicts') }}
    where verdict = 'kept'

),

evidence as (

    select * from {{ ref('int_suite_evidence') }}

),

evidence_summary as (

    select
        question_key,
        count(*) as evidence_count,
        count(sentence_id) as known_count,
        avg((
            word_count between 8 and 60
            and regexp_matches(sentence_text, '^[^\pL]*\p{Lu}.*[.!?][”"’)]*$')
        )::integer) as quotable_share,
        string_agg(sentence_text, ' ') as evidence_text,
    from evidence
    group by question_key

),

measured as (

    select
        verdicts.*,
        evidence_summary.evidence_count,
        evidence_summary.quotable_share,
        coalesce(evidence_summary.known_count = evidence_summary.evidence_count, verdicts.answer_type = 'no_answer')
            as is_evidence_in_corpus,
        {{ content_words('verdicts.answer_text') }} as answer_words,
        {{ content_words("concat_ws(' ', evidence_summary.evidence_text, verdicts.question_text)") }} as known_words,
    from verdicts
    left join evidence_summary
        on verdicts.question_key = evidence_summary.question_key

),

final as (

    select
        question_key as query_id,
        question_id,
        suite,
        cik_ints as cik_int,
        company_names as company_name,
        years,
        question_text,
        answer_type,
        answer_text,
        answer_items,
        answer_numeric,
        answer_unit,
        tolerance,
        evidence_sentence_ids,
        evidence_spans,
        retrieval_scope,
        difficulty,
        section_hints,
        notes,
        gold_version,
        created_by,
        created_at::timestamptz as created_at,
        case
            when not is_own then stated_confidence
            else greatest(
                    case when review_decision in ('accept', 'edit') then 0.95 else 0 end,
                    round(
                        0.5
                        + 0.2 * case
                            when answer_type in ('numeric', 'no_answer') then 1
                            else len(list_intersect(answer_words, known_words)) / greatest(len(answer_words), 1)
                        end
                        + 0.15 * (shape in ('level', 'change', 'rose', 'highest') or answer_type = 'no_answer')::integer
                        + 0.1 * coalesce(quotable_share, (answer_type = 'no_answer')::integer)
                        + 0.05 * (coalesce(evidence_count, 1) = 1)::integer,
                        3
                    )
                )
        end::double as curation_confidence,
        category,
        paraphrase_group_id,
        bundle_id,
        is_own,
        flags,
        is_evidence_in_corpus,
    from measured

)

select * from final
