-- What a run cost. Two questions with equal requests share a call, which is paid once: all figures are taken over a
-- run's distinct calls. A failed call costs what its attempts cost; one that was never sent has no cost, tokens or seconds.
with

answers as (

    select * from {{ ref('answers') }}

),

runs as (

    select * from {{ ref('answer_runs') }}

),

calls as (

    select distinct on (run_id, call_key)
        run_id,
        call_key,
        input_tokens,
        output_tokens,
        cost_usd,
        latency_seconds,
        is_error,
    from answers
    order by
        run_id,
        call_key,
        answer_id

),

by_run as (

    select
        run_id,
        count(*) as n_calls,
        count(cost_usd) as n_calls_with_cost,
        count(*) filter (where is_error) as n_failed_calls,
        sum(cost_usd) as cost_usd,
        sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens,
        avg(input_tokens) as input_tokens_per_answer,
        avg(output_tokens) as output_tokens_per_answer,
        sum(latency_seconds) as latency_seconds,
        median(latency_seconds) as latency_seconds_p50,
        quantile_cont(latency_seconds, 0.95) as latency_seconds_p95,
        max(latency_seconds) as latency_seconds_max,
    from calls
    group by run_id

),

-- An external run can hold several answers to a question: the mean answer is what a question costs.
answer_costs as (

    select
        runs.run_id,
        runs.suite,
        runs.strategy,
        runs.answer_model,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        runs.source,
        runs.n_questions,
        runs.n_answers,
        by_run.n_calls,
        by_run.n_calls_with_cost,
        by_run.n_failed_calls,
        by_run.cost_usd,
        by_run.cost_usd / nullif(by_run.n_calls_with_cost, 0) as cost_per_answer_usd,
        by_run.cost_usd / nullif(by_run.n_calls_with_cost, 0) * 31 as cost_per_31_questions_usd,
        by_run.input_tokens::bigint as input_tokens,
        by_run.output_tokens::bigint as output_tokens,
        by_run.input_tokens_per_answer,
        by_run.output_tokens_per_answer,
        by_run.latency_seconds,
        by_run.latency_seconds_p50,
        by_run.latency_seconds_p95,
        by_run.latency_seconds_max,
    from runs
    inner join by_run
        on runs.run_id = by_run.run_id

)

select * from answer_costs
