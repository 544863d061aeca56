with

questions as (

    select * from {{ ref('p3_questions') }}

),

named_evidence as (

    select * from {{ ref('int_suite_evidence') }}

),

equal_evidence as (

    select * from {{ ref('int_equal_evidence') }}

),

-- An index line, a contents line, a signature or a heading answers nothing, whoever names it.
no_answers as (

    select sentence_id
    from {{ ref('fct_sentences') }}
    where sentence_kind in ('heading', 'index_line')

),

chosen as (

    select
        named_evidence.question_key,
        coalesce(named_evidence.sentence_id, named_evidence.stated_sentence_id) as sentence_id,
        named_evidence.sentence_id is not null as in_corpus,
        named_evidence.stated_sentence_id,
        named_evidence.matched_by,
        named_evidence.evidence_rank,
        case
            when named_evidence.sentence_id is null then null
            when no_answers.sentence_id is not null then 0
            else 2
        end as grade,
        [coalesce(named_evidence.sentence_id, named_evidence.stated_sentence_id)] as stands_for,
    from named_evidence
    left join no_answers
        on named_evidence.sentence_id = no_answers.sentence_id
    -- two stated ids can be one sentence
    qualify row_number() over (
            partition by
                named_evidence.question_key,
                coalesce(named_evidence.sentence_id, named_evidence.stated_sentence_id)
            order by named_evidence.evidence_rank
        ) = 1

),

equal as (

    select
        question_key,
        sentence_id,
        true as in_corpus,
        null::varchar as stated_sentence_id,
        same_by as matched_by,
        null::bigint as evidence_rank,
        -- the same tagged fact is the evidence itself in another place
        if(same_by = 'same_fact', 2, 1) as grade,
        stands_for,
    from equal_evidence

),

united as (

    select * from chosen

    union all

    select * from equal

),

final as (

    select
        questions.query_id,
        questions.question_id,
        questions.suite,
        united.sentence_id,
        united.in_corpus,
        united.stated_sentence_id,
        united.matched_by,
        united.evidence_rank,
        united.grade,
        united.stands_for,
    from united
    inner join questions
        on united.question_key = questions.query_id

)

select * from final
