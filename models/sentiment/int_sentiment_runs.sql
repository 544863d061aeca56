-- Cost is taken over a run's distinct calls: equal requests share a call, which is paid once. A failed call costs what
-- its attempts cost; headlines that a system elsewhere left out are no calls.
with

answers as (

    select * from {{ ref('int_sentiment_answers') }}

),

calls as (

    select distinct on (run_id, coalesce(call_key, headline_id))
        run_id,
        cost_usd,
    from answers
    where status is distinct from 'no_reply'
    order by
        run_id,
        coalesce(call_key, headline_id),
        headline_id

),

costs as (

    select
        run_id,
        sum(cost_usd) as cost_usd,
        sum(cost_usd) / nullif(count(cost_usd), 0) as cost_per_call_usd,
    from calls
    group by run_id

),

runs as (

    select
        run_id,
        any_value(dataset) as dataset,
        any_value(system) as system,
        any_value(model_id) as model_id,
        any_value(provider) as provider,
        any_value(is_baseline) as is_baseline,
        any_value(replicate) as replicate,
        any_value(source) as source,
        count(*) as n_headlines,
        count(*) filter (where is_error) as n_error,
    from answers
    group by run_id

),

int_sentiment_runs as (

    select
        runs.run_id,
        runs.dataset,
        runs.system,
        runs.model_id,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        runs.source,
        runs.n_headlines,
        runs.n_error,
        costs.cost_usd,
        costs.cost_per_call_usd,
    from runs
    left join costs
        on runs.run_id = costs.run_id

)

select * from int_sentiment_runs
