-- Where the gold evidence of a question was lost on its way to the answer: of its facts (of suites that name pages or
-- documents and quote nothing, of these) the share that got no further than each stage, for a search to the context, for
-- answers made from it to the answer. The stages up to the context are those of metrics.int_fact_fates. Then
--   answer       shown, but the answer is wrong
--   not judged   shown, but no rule says whether the answer is right (a span)
--   kept         what got through all stages: to the context for a search, into a right answer for answers
-- The shares add up to 1. A row without shares has a reason: a failed call is no loss, and counts as n_error.
{%- set stages = ['corpus', 'company', 'document', 'section', 'sentence', 'context'] %}
with

runs as (

    select * from {{ ref('int_question_runs') }}
    where
        is_current
        and method != 'random'

),

items as (

    select * from {{ ref('int_question_items') }}
    {{ by_evidence('run_id, query_id') }}

),

answer_runs as (

    select * from {{ ref('answer_runs') }}

),

answers as (

    select * from {{ ref('answers') }}

),

answer_items as (

    select * from {{ ref('answer_items') }}

),

questions as (

    select * from {{ ref('p3_questions') }}

),

fact_fates as (

    select * from {{ ref('int_fact_fates') }}

),

searches as (

    select
        items.run_id,
        'retrieval' as task,
        items.suite,
        items.regime,
        items.strategy,
        items.embedding_model,
        'none' as answer_model,
        false as is_baseline,
        items.run_id as retrieval_run_id,
        items.run_id as list_id,
        null as answer_id,
        items.query_id,
        items.cluster_id,
        items.is_error,
        if(items.is_error, 'query_failed', null) as failure,
        null::boolean as is_correct,
    from items
    inner join runs
        on items.run_id = runs.run_id

),

-- Of the last build: answers of earlier ones keep their scores, but not the hits that they were made from.
given_answers as (

    select
        answer_items.run_id,
        'answer' as task,
        answer_items.suite,
        answer_runs.regime,
        answer_items.strategy,
        answer_items.embedding_model,
        answer_items.answer_model,
        answer_items.is_baseline,
        answers.retrieval_run_id,
        coalesce(answers.retrieval_run_id, answers.source_answer_id) as list_id,
        answer_items.answer_id,
        answer_items.query_id,
        answer_items.cluster_id,
        answer_items.is_error or coalesce(searches.is_error, false) as is_error,
        case
            when searches.is_error then 'query_failed'
            when answer_items.is_error then 'answer_failed'
            when answer_items.context_count is null then 'context_unknown'
        end as failure,
        answer_items.is_correct,
    from answer_items
    inner join answer_runs
        on answer_items.run_id = answer_runs.run_id
    inner join answers
        on answer_items.answer_id = answers.answer_id
    left join searches
        on answers.retrieval_run_id = searches.run_id
        and answers.query_id = searches.query_id
    -- what is answered without a search loses nothing on the way
    where coalesce(answers.retrieval_run_id, answers.source_answer_id) is not null

),

traced as (

    select * from searches

    union all

    select * from given_answers

),

fact_counts as (

    select
        list_id,
        query_id,
        count(*) as n_facts,
        count(*) filter (where stages_passed > 0) as n_facts_in_corpus,
        {%- for stage in stages %}
            count(*) filter (where lost_at = '{{ stage }}') as n_lost_at_{{ stage }},
        {%- endfor %}
        count(*) filter (where lost_at is null) as n_shown,
        list(best_rank order by best_rank) filter (where best_rank is not null) as found_ranks,
    from fact_fates
    group by
        list_id,
        query_id

),

counted as (

    select
        traced.*,
        coalesce(fact_counts.n_facts, 0) as n_facts,
        coalesce(fact_counts.n_facts_in_corpus, 0) as n_facts_in_corpus,
        case
            when traced.failure is not null then traced.failure
            when fact_counts.n_facts is not null then null
            when questions.answer_type = 'no_answer' then 'nothing_to_find'
            else 'no_evidence_named'
        end as reason,
        fact_counts.* exclude (list_id, query_id, n_facts, n_facts_in_corpus),
        fact_counts.n_shown / fact_counts.n_facts as share_shown,
    from traced
    inner join questions
        on traced.query_id = questions.query_id
    left join fact_counts
        on traced.list_id = fact_counts.list_id
        and traced.query_id = fact_counts.query_id

),

final as (

    select
        run_id,
        task,
        suite,
        regime,
        strategy,
        embedding_model,
        answer_model,
        is_baseline,
        retrieval_run_id,
        answer_id,
        query_id,
        cluster_id,
        is_error,
        reason,
        n_facts,
        n_facts_in_corpus,
        n_facts_in_corpus > 0 as is_covered,
        {%- for stage in stages %}
            if(reason is null, n_lost_at_{{ stage }} / n_facts, null) as lost_at_{{ stage }},
        {%- endfor %}
        -- a search gives no answer
        case when reason is null and task = 'answer' then if(not is_correct, share_shown, 0) end as lost_at_answer,
        case when reason is null and task = 'answer' then if(is_correct is null, share_shown, 0) end as not_judged,
        case when reason is null then if(task = 'retrieval' or is_correct, share_shown, 0) end as kept,
        if(reason is null, coalesce(found_ranks, []), null) as found_ranks,
        is_correct,
    from counted

)

select
    *,
    md5(bit_xor(hash(final)) over (partition by run_id)::varchar) as metrics_version,
from final
