-- What becomes of each question. Our own are kept when no gate objects and the quota of their category and difficulty
-- has room, in the order of the draw; all wordings of a question count as one, and none is kept without the first.
-- External questions are never dropped or changed: what the gates find is in flags. A reviewer's accept or edit
-- overrides every gate and the quota, a reject everything.
with

questions as (

    select * from {{ ref('int_suite_questions') }}

),

evidence_findings as (

    select * from {{ ref('int_gates_on_evidence') }}

),

wording_findings as (

    select * from {{ ref('int_gates_on_wording') }}

),

reviews as (

    select * from {{ ref('p3_reviews') }}

),

findings as (

    select
        question_key,
        gate,
    from evidence_findings

    union

    select
        question_key,
        gate,
    from wording_findings

),

flags as (

    select
        question_key,
        list(gate order by gate) as flags,
    from findings
    group by question_key

),

judged as (

    select
        questions.*,
        coalesce(flags.flags, []) as flags,
        case when questions.is_own then reviews.decision end as review_decision,
        reviews.reason as review_reason,
        reviews.reviewer,
    from questions
    left join flags
        on questions.question_key = flags.question_key
    left join reviews
        on questions.question_id = reviews.question_id
        and questions.is_own

),

passing as (

    select
        *,
        case
            when review_decision = 'reject' then false
            when review_decision in ('accept', 'edit') then true
            else len(flags) = 0
        end as is_passing,
    from judged

),

-- One vote per candidate: its first wording.
ranked as (

    select
        candidate_id,
        coalesce(review_decision in ('accept', 'edit'), false) as is_reviewed,
        quota,
        row_number() over (
            partition by category, difficulty
            order by coalesce(review_decision in ('accept', 'edit'), false) desc, draw_rank, question_id
        ) as quota_rank,
    from passing
    where
        is_own
        and is_passing
        and wording = 1
    qualify row_number() over (partition by candidate_id order by question_id) = 1

),

final as (

    select
        passing.*,
        case
            when not passing.is_own then 'kept'
            when passing.review_decision = 'reject' then 'review'
            when passing.review_decision in ('accept', 'edit') then 'kept'
            when not passing.is_passing then 'gate'
            when ranked.candidate_id is null then 'first_wording_rejected'
            when ranked.quota_rank > ranked.quota and not ranked.is_reviewed then 'over_quota'
            else 'kept'
        end as verdict,
    from passing
    left join ranked
        on passing.candidate_id = ranked.candidate_id

)

select * from final
