-- The evidence that a question names, found in the corpus: by sentence id, else by text. Two splitters number sentences
-- differently, so the same sentence can be there under another id. Its text is known where the suite states spans, one
-- per id, or where the only sentence of a span answer is the answer itself; it counts within the question's company and
-- year.
with

questions as (

    select * from {{ ref('int_suite_questions') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

named as (

    select distinct on (question_key, stated_sentence_id)
        question_key,
        suite,
        question_id,
        cik_ints,
        years,
        evidence_rank,
        stated_sentence_id,
        stated_text,
    from (
        select
            *,
            unnest(evidence_sentence_ids) as stated_sentence_id,
            generate_subscripts(evidence_sentence_ids, 1) as evidence_rank,
            case
                when len(evidence_spans) = len(evidence_sentence_ids)
                    then evidence_spans[generate_subscripts(evidence_sentence_ids, 1)]
                when len(evidence_sentence_ids) = 1 and answer_type = 'span' then answer_text
            end as stated_text,
        from questions
    ) as exploded
    order by question_key, stated_sentence_id, evidence_rank

),

by_id as (

    select
        named.*,
        sentences.sentence_id as sentence_id_by_id,
    from named
    left join sentences
        on named.stated_sentence_id = sentences.sentence_id

),

missing as (

    select
        question_key,
        evidence_rank,
        cik_ints,
        years,
        md5(lower(trim(regexp_replace(stated_text, '\s+', ' ', 'g')))) as text_hash,
    from by_id
    where
        sentence_id_by_id is null
        and stated_text is not null

),

by_text as (

    select
        missing.question_key,
        missing.evidence_rank,
        min(sentences.sentence_id) as sentence_id_by_text,
    from missing
    inner join sentences
        on missing.text_hash = sentences.text_hash
        and list_contains(missing.cik_ints, sentences.cik)
        and list_contains(missing.years, sentences.report_year)
    group by missing.question_key, missing.evidence_rank

),

final as (

    select
        by_id.question_key,
        by_id.suite,
        by_id.question_id,
        by_id.evidence_rank,
        by_id.stated_sentence_id,
        coalesce(by_id.sentence_id_by_id, by_text.sentence_id_by_text) as sentence_id,
        case
            when by_id.sentence_id_by_id is not null then 'id'
            when by_text.sentence_id_by_text is not null then 'text'
        end as matched_by,
        sentences.cik,
        sentences.report_year,
        sentences.section_id,
        sentences.text_hash,
        sentences.duplicate_count,
        sentences.word_count,
        sentences.sentence_text,
    from by_id
    left join by_text
        on by_id.question_key = by_text.question_key
        and by_id.evidence_rank = by_text.evidence_rank
    left join sentences
        on coalesce(by_id.sentence_id_by_id, by_text.sentence_id_by_text) = sentences.sentence_id

)

select * from final
