-- Which systems are compared: all that summarised the same sources, as the same judge and question writer see them, and
-- all that labelled the same headlines. b is read against a: baselines before others, then as their names sort; of a system
-- that ran several times, the first run. is_reference: a comes before all others. The majority class, which is what a
-- system has to beat that reads the headlines, is compared with every labeller and is no reference: such pairs are beside
-- those that were asked for before.
with

int_judged_runs as (

    select * from {{ ref('int_judged_runs') }}
    where item_type = 'summary'

),

int_quiz_runs as (

    select * from {{ ref('int_quiz_runs') }}

),

int_sentiment_runs as (

    select * from {{ ref('int_sentiment_runs') }}

),

runs as (

    select
        'faithfulness' as task,
        dataset,
        system,
        is_baseline,
        false as is_majority,
        replicate,
        judge_model,
        judge_is_baseline,
        judge_replicate,
        'none' as question_model,
        run_id,
    from int_judged_runs

    union all

    select
        kind as task,
        dataset,
        system,
        is_baseline,
        false as is_majority,
        replicate,
        judge_model,
        judge_is_baseline,
        judge_replicate,
        question_model,
        run_id,
    from int_quiz_runs

    union all

    select
        'sentiment' as task,
        dataset,
        concat_ws(' ', system, nullif(model_id, 'unknown')) as system,
        is_baseline,
        false as is_majority,
        replicate,
        'none' as judge_model,
        false as judge_is_baseline,
        1 as judge_replicate,
        'none' as question_model,
        run_id,
    from int_sentiment_runs

    union all

    select distinct
        'sentiment' as task,
        dataset,
        'majority class' as system,
        true as is_baseline,
        true as is_majority,
        1 as replicate,
        'none' as judge_model,
        false as judge_is_baseline,
        1 as judge_replicate,
        'none' as question_model,
        'majority:' || dataset as run_id,
    from int_sentiment_runs

),

first_runs as (

    select * from runs
    qualify row_number() over (
            partition by task, dataset, system, judge_model, judge_replicate, question_model
            order by replicate, run_id
        ) = 1

),

pairs as (

    select
        md5(concat_ws(':', a.run_id, b.run_id)) as comparison_id,
        a.task,
        a.dataset,
        a.judge_model,
        a.judge_is_baseline,
        a.judge_replicate,
        a.question_model,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        a.system as system_a,
        b.system as system_b,
        a.is_baseline as is_baseline_a,
        b.is_baseline as is_baseline_b,
        not a.is_majority
        and rank() over (
            partition by a.task, a.dataset, a.judge_model, a.judge_replicate, a.question_model, a.is_majority
            order by a.is_baseline desc, a.system
        ) = 1 as is_reference,
    from first_runs as a
    inner join first_runs as b
        on a.task = b.task
        and a.dataset = b.dataset
        and a.judge_model = b.judge_model
        and a.judge_replicate = b.judge_replicate
        and a.question_model = b.question_model
        and (not a.is_majority, not a.is_baseline, a.system) < (not b.is_majority, not b.is_baseline, b.system)

)

select * from pairs
