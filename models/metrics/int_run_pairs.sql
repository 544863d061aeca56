-- Which runs are compared, and which ways to ask the questions of a stress deck in one run. b is read against a: open
-- before filtered, the suite's reference strategy before dense before bm25 before hybrid before external runs, the
-- previous run before the current one, as written before other words; other pairs as their names sort. The var
-- compare_runs adds pairs in its own order. is_reference: a is what all others of its kind are set against.
with

runs as (

    select
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        is_current,
        built_at,
        len(string_split(trim(filter_columns), ' ')) - (trim(filter_columns) = '')::integer as filter_count,
        if(is_external, 'external', method) as method,
    from {{ ref('retrieval_runs') }}

),

reference_strategies as (

    select
        suite,
        strategy,
    from {{ ref('int_suite_endpoints') }}
    where compared = 'runs' and comparison_kind = 'strategy'

),

-- Earlier runs too, whatever else is still known of them.
scored_runs as (

    select distinct
        run_id,
        suite,
        strategy,
        concat_ws(' ', regime, strategy, nullif(embedding_model, 'none')) as label,
    from {{ ref('retrieval_items') }}

),

-- A run and a way to ask, as int_worded_items names them.
worded_runs as (

    select distinct
        run_id,
        suite,
        strategy,
        concat_ws(' ', regime, strategy, nullif(embedding_model, 'none'), split_part(run_id, '~', 2)) as label,
    from {{ ref('int_worded_items') }}

),

named_runs as (

    select * from scored_runs
    union all
    select * from worded_runs

),

current_runs as (

    select
        runs.*,
        case
            when runs.strategy = reference_strategies.strategy then 0
            else coalesce(list_position(['dense', 'bm25', 'hybrid'], runs.method), 4)
        end as method_order,
    from runs
    left join reference_strategies
        on runs.suite = reference_strategies.suite
    where
        runs.is_current
        -- what is told the gold is no candidate
        and runs.method not in ('gold', 'gold_filings')

),

-- The regimes of a strategy: the wider search first.
regime_pairs as (

    select
        'regime' as comparison_kind,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        rank() over (
            partition by a.suite, a.strategy, a.embedding_model
            order by a.filter_count, a.regime
        ) = 1 as is_reference,
    from current_runs as a
    inner join current_runs as b
        on a.suite = b.suite
        and a.strategy = b.strategy
        and a.embedding_model = b.embedding_model
        and (a.filter_count, a.regime) < (b.filter_count, b.regime)

),

-- The strategies of a regime. A strategy that uses no embedding model is compared with those of every model.
strategy_pairs as (

    select
        'strategy' as comparison_kind,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        a.method_order = 0 as is_reference,
    from current_runs as a
    inner join current_runs as b
        on a.suite = b.suite
        and a.regime = b.regime
        and (a.embedding_model = b.embedding_model or 'none' in (a.embedding_model, b.embedding_model))
        and (a.method_order, a.strategy) < (b.method_order, b.strategy)

),

model_pairs as (

    select
        'model' as comparison_kind,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        rank() over (
            partition by a.suite, a.regime, a.strategy
            order by a.embedding_model
        ) = 1 as is_reference,
    from current_runs as a
    inner join current_runs as b
        on a.suite = b.suite
        and a.regime = b.regime
        and a.strategy = b.strategy
        and a.embedding_model < b.embedding_model
    where 'none' not in (a.embedding_model, b.embedding_model)

),

-- What was in a current run's place before: the last built run of its suite, regime, strategy and model.
previous_pairs as (

    select
        'previous' as comparison_kind,
        runs.run_id as run_id_a,
        current_runs.run_id as run_id_b,
        true as is_reference,
    from current_runs
    inner join runs
        on current_runs.suite = runs.suite
        and current_runs.regime = runs.regime
        and current_runs.strategy = runs.strategy
        and current_runs.embedding_model = runs.embedding_model
    semi join scored_runs
        on runs.run_id = scored_runs.run_id
    where not runs.is_current
    qualify row_number() over (partition by current_runs.run_id order by runs.built_at desc, runs.run_id) = 1

),

wording_pairs as (

    select
        'wording' as comparison_kind,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        true as is_reference,
    from worded_runs as a
    inner join worded_runs as b
        on split_part(a.run_id, '~', 1) = split_part(b.run_id, '~', 1)
        and a.run_id != b.run_id
    where split_part(a.run_id, '~', 2) = 'as_written'

),

requested_pairs as (

    select distinct
        'requested' as comparison_kind,
        split_part(pair, ':', 1) as run_id_a,
        split_part(pair, ':', 2) as run_id_b,
        true as is_reference,
    from (select unnest(string_split({{ sql_strings([setting('compare_runs')]) }}, ' ')) as pair)
    where pair != ''

),

pairs as (

    select * from regime_pairs
    union all
    select * from strategy_pairs
    union all
    select * from model_pairs
    union all
    select * from previous_pairs
    union all
    select * from wording_pairs
    union all
    select * from requested_pairs

),

run_pairs as (

    select
        md5(concat_ws(':', pairs.comparison_kind, pairs.run_id_a, pairs.run_id_b)) as comparison_id,
        pairs.comparison_kind,
        b.suite,
        pairs.run_id_a,
        pairs.run_id_b,
        a.label as label_a,
        b.label as label_b,
        a.strategy as strategy_a,
        pairs.is_reference,
        -- what a strategy must beat is no candidate
        'random' in (a.strategy, b.strategy) as is_chance,
    from pairs
    left join named_runs as a
        on pairs.run_id_a = a.run_id
    left join named_runs as b
        on pairs.run_id_b = b.run_id

)

select * from run_pairs
