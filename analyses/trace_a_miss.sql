-- Where on its way from the search to the context was the evidence of a question lost? For one question, in the order
-- of the pipeline: what was understood of it, then for every gold sentence and strategy the fate at each step. A step
-- that a gold sentence does not appear in is "not found"; the first row that is not "kept" is the place to look.
-- VARS='{"traced_query": "p3:…"}' names the question.
{%- set traced = "'" ~ (setting("traced_query") | string | replace("'", "''")) ~ "'" %}
with

items as (

    select * from {{ ref('retrieval_items') }}

),

runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

entities as (

    select * from {{ ref('question_entities') }}

),

gold as (

    select * from {{ ref('retrieval_gold') }}
    where gold_predicate = 'evidence'

),

steps as (

    select * from {{ ref('pipeline_steps') }}
    where strategy != 'random'

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

traced as (

    select items.query_id
    from items
    inner join runs
        on items.run_id = runs.run_id
    where
        items.gold_predicate = 'evidence'
        and items.is_covered
        and case
            when {{ traced }} = '' then runs.method = 'multi_path'
            else items.query_id = {{ traced }}
        end
    order by
        items.recall_at_{{ var('metric_ks') | max }},
        items.query_id
    limit 1

),

strategy_paths as (

    select
        strategy,
        embedding_model,
        path,
        case path when 'entity' then 1 when 'global' then 2 when 'expansion' then 3 else 4 end as step_order,
        -- whether this question was searched along the path at all, and where
        list(distinct path_detail order by path_detail) filter (where path != 'expansion') as searched,
    from steps
    inner join traced
        on steps.query_id = traced.query_id
    group by strategy, embedding_model, path

),

understood as (

    select
        0 as step_order,
        null as strategy,
        null as embedding_model,
        null as gold_sentence_id,
        null as grade,
        'question' as step,
        entities.scope as outcome,
        concat_ws(
            ' | ',
            'companies ' || array_to_string(entities.company_names, ', '),
            'years ' || array_to_string(entities.years, ', '),
            'items ' || array_to_string(entities.section_ids, ', '),
            'unresolved ' || array_to_string(entities.unresolved, ', ')
        ) as detail,
        null as step_rank,
        queries.query_text as text,
    from traced
    inner join queries
        on traced.query_id = queries.query_id
    left join entities
        on traced.query_id = entities.query_id

),

fates as (

    select
        strategy_paths.step_order,
        strategy_paths.strategy,
        strategy_paths.embedding_model,
        gold.sentence_id as gold_sentence_id,
        gold.grade,
        strategy_paths.path as step,
        case
            when steps.status is null then 'not found'
            else concat_ws(': ', steps.status, steps.reason)
        end as outcome,
        coalesce(steps.path_detail, array_to_string(strategy_paths.searched, ', ')) as detail,
        steps.step_rank,
        sentences.sentence_text as text,
    from traced
    inner join gold
        on traced.query_id = gold.query_id
    cross join strategy_paths
    left join steps
        on
        gold.query_id = steps.query_id
        and gold.sentence_id = steps.sentence_id
        and strategy_paths.strategy = steps.strategy
        and strategy_paths.embedding_model = steps.embedding_model
        and strategy_paths.path = steps.path
    left join sentences
        on gold.sentence_id = sentences.sentence_id

),

trace as (

    select * from understood

    union all

    select * from fates

)

select
    step,
    strategy,
    embedding_model,
    gold_sentence_id,
    grade,
    outcome,
    step_rank,
    detail,
    text,
from trace
order by
    strategy nulls first,
    embedding_model,
    gold_sentence_id,
    step_order,
    step_rank
