-- What became of each shape of question: how many the warehouse could ask, how many were asked for, and how many are in
-- the suite. A shape that is not in the suite has its reason beside it.
with

shapes as (

    select * from {{ ref('question_shapes') }}

),

categories as (

    select distinct
        category,
        category_name,
    from {{ ref('question_quotas') }}

),

pool as (

    select
        shape,
        count(*) as candidate_count,
        count(*) filter (where not has_repeated_evidence) as unrepeated_count,
    from {{ ref('int_question_pool') }}
    group by shape

),

candidates as (

    select
        candidate_id,
        shape,
    from {{ ref('int_question_candidates') }}

),

requests as (

    select item_id as candidate_id
    from {{ ref('int_question_requests') }}

),

verdicts as (

    select
        candidate_id,
        bool_or(verdict = 'kept') as is_kept,
        list_sort(list_distinct(flatten(list(
            case when verdict in ('over_quota', 'review') then [verdict] else flags end
        )))) as objections,
    from {{ ref('int_question_verdicts') }}
    where is_own
    group by candidate_id

),

drawn as (

    select
        candidates.shape,
        count(*) as drawn_count,
        count(*) filter (where verdicts.is_kept) as accepted_count,
        list_sort(list_distinct(flatten(list(
            coalesce(verdicts.objections, ['not_written'])
        ) filter (where not coalesce(verdicts.is_kept, false))))) as objections,
    from requests
    inner join candidates
        on requests.candidate_id = candidates.candidate_id
    left join verdicts
        on requests.candidate_id = verdicts.candidate_id
    group by candidates.shape

),

final as (

    select
        shapes.category,
        categories.category_name,
        shapes.shape,
        shapes.asks,
        coalesce(pool.candidate_count, 0) as candidate_count,
        coalesce(drawn.drawn_count, 0) as drawn_count,
        coalesce(drawn.accepted_count, 0) as accepted_count,
        case
            when drawn.accepted_count > 0 then null
            when pool.candidate_count is null then 'nothing in the corpus gives such a question'
            when pool.unrepeated_count = 0 then 'all evidence stands word for word in another year''s filing'
            when drawn.drawn_count is null then 'other questions came first in the draw'
            else 'turned down: ' || array_to_string(drawn.objections, ', ')
        end as reason,
    from shapes
    left join categories
        on shapes.category = categories.category
    left join pool
        on shapes.shape = pool.shape
    left join drawn
        on shapes.shape = drawn.shape

)

select * from final
