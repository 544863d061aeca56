-- Runs of all tasks in the same columns. Where a task has none of what a column names, the column says `none`. Values of
-- answers and of quizzes are kept from earlier builds, so their runs are those of the items.
{%- set quizzes = [('closed_question', 'qag_items'), ('statement', 'statement_items'), ('choice', 'choice_items')] %}
with

retrieval_runs as (

    select * from {{ ref('retrieval_runs') }}

),

chunking_runs as (

    select * from {{ ref('int_chunking_runs') }}

),

answer_items as (

    select * from {{ ref('answer_items') }}

),

answer_runs as (

    select * from {{ ref('answer_runs') }}

),

int_judged_runs as (

    select * from {{ ref('int_judged_runs') }}

),

quiz_items as (

    {%- for task, items in quizzes %}
        select
            '{{ task }}' as task,
            run_id,
            dataset,
            system,
            provider,
            is_baseline,
            replicate,
            question_model,
            judge_model,
        from {{ ref(items) }}
        {%- if not loop.last %}

            union all
        {% endif %}
    {%- endfor %}

),

int_quiz_runs as (

    select * from {{ ref('int_quiz_runs') }}

),

int_sentiment_runs as (

    select * from {{ ref('int_sentiment_runs') }}

),

of_retrieval as (

    select
        run_id,
        'retrieval' as task,
        suite,
        strategy as system,
        strategy,
        regime,
        embedding_model,
        false as is_baseline,
        is_current,
        built_at,
    from retrieval_runs

),

of_chunkings as (

    select
        run_id,
        'chunking' as task,
        suite,
        chunking as system,
        strategy,
        regime,
        embedding_model,
        false as is_baseline,
        true as is_current,
    from chunking_runs

),

of_answers as (

    select
        answer_items.run_id,
        'answer' as task,
        any_value(answer_items.suite) as suite,
        any_value(if(answer_items.source = 'external', answer_items.strategy, answer_items.answer_model)) as system,
        any_value(answer_items.answer_model) as model_id,
        any_value(answer_items.strategy) as strategy,
        any_value(answer_items.regime) as regime,
        any_value(answer_items.embedding_model) as embedding_model,
        any_value(if(answer_items.source = 'warehouse', answer_items.replicate, null)) as replicate,
        any_value(answer_items.is_baseline) as is_baseline,
        any_value(answer_runs.run_id) is not null as is_current,
    from answer_items
    left join answer_runs
        on answer_items.run_id = answer_runs.run_id
    group by answer_items.run_id

),

of_judged_texts as (

    select
        run_id,
        'faithfulness' as task,
        suite,
        dataset,
        system,
        if(item_type = 'summary' and provider = 'external', null, system) as model_id,
        strategy,
        regime,
        embedding_model,
        judge_model,
        replicate,
        is_baseline,
        true as is_current,
    from int_judged_runs

),

of_quizzes as (

    select
        quiz_items.run_id,
        any_value(quiz_items.task) as task,
        any_value(quiz_items.dataset) as dataset,
        any_value(quiz_items.system) as system,
        any_value(if(quiz_items.provider = 'external', null, quiz_items.system)) as model_id,
        any_value(quiz_items.judge_model) as judge_model,
        any_value(quiz_items.question_model) as question_model,
        any_value(quiz_items.replicate) as replicate,
        any_value(quiz_items.is_baseline) as is_baseline,
        any_value(int_quiz_runs.run_id) is not null as is_current,
    from quiz_items
    left join int_quiz_runs
        on quiz_items.run_id = int_quiz_runs.run_id
    group by quiz_items.run_id

),

of_sentiment as (

    select
        run_id,
        'sentiment' as task,
        dataset,
        system,
        model_id,
        replicate,
        is_baseline,
        true as is_current,
    from int_sentiment_runs

),

together as (

    select * from of_retrieval
    union all by name
    select * from of_chunkings
    union all by name
    select * from of_answers
    union all by name
    select * from of_judged_texts
    union all by name
    select * from of_quizzes
    union all by name
    select * from of_sentiment

),

all_runs as (

    select
        run_id,
        task,
        coalesce(suite, 'none') as suite,
        coalesce(dataset, 'none') as dataset,
        system,
        coalesce(model_id, 'none') as model_id,
        coalesce(strategy, 'none') as strategy,
        coalesce(regime, 'none') as regime,
        coalesce(embedding_model, 'none') as embedding_model,
        coalesce(judge_model, 'none') as judge_model,
        coalesce(question_model, 'none') as question_model,
        replicate,
        is_baseline,
        is_current,
        built_at,
    from together

)

select * from all_runs
