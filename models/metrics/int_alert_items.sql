-- What each anchor has under each rule of seeds.alert_rules, in every current run that the rule applies to and in the
-- baseline that the run is compared with.
--
-- A baseline belongs to a suite, regime and strategy, not to a model: after a change of the model the new run is
-- compared with the old one's figures. Only where both models run, each is compared with its own figures and the added
-- one has no baseline yet. Of several baselines, one with anchors in this corpus is taken, then one of the run's model,
-- then the latest. Metrics of gold are taken over covered anchors.
--
-- A series (series_id) is a rule, the model that it watches, and what it holds a run against: the frozen run of a baseline,
-- or its threshold. What one model shows is no evidence against another.
{%- set cutoffs = var('metric_ks') %}
with

rules as (

    select * from {{ ref('alert_rules') }}
    where
        metric not in (
            select registry.metric from {{ ref('metrics') }} as registry where registry.items = 'answer_items'
        )

),

current_runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current

),

items as (

    select * from {{ ref('retrieval_items') }}
    where not is_error

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

int_query_strata as (

    select * from {{ ref('int_query_strata') }}

),

baselines as (

    select * from {{ ref('baselines') }}

),

baseline_items as (

    select * from {{ ref('baseline_items') }}

),

rule_runs as (

    select
        rules.*,
        current_runs.run_id,
        current_runs.regime as run_regime,
        current_runs.embedding_model,
    from rules
    inner join current_runs
        on rules.suite = current_runs.suite
        and rules.strategy = current_runs.strategy
        and coalesce(rules.regime, '') in ('', current_runs.regime)

),

rule_items as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        queries.query_id,
        queries.sentence_id,
        queries.text_hash,
        items.cluster_id,
        items.second_cluster_id,
        int_query_strata.query_id is not null as is_in_stratum,
        case
            when rule_runs.metric = 'self_at_1' then items.self_at_1::integer
            when rule_runs.metric = 'self_at_1_text' then items.self_at_1_text::integer
            when rule_runs.metric = 'coverage' then items.is_covered::integer
            when not items.is_covered then null
            when rule_runs.metric = 'median_gold_distance' then items.median_gold_distance
            {%- for k in cutoffs %}
                when rule_runs.metric = 'hit' and rule_runs.k = {{ k }} then items.hit_at_{{ k }}::integer
                when rule_runs.metric = 'recall' and rule_runs.k = {{ k }} then items.recall_at_{{ k }}
                when rule_runs.metric = 'mrr' and rule_runs.k = {{ k }} then items.rr_at_{{ k }}
                when rule_runs.metric = 'ndcg' and rule_runs.k = {{ k }} then items.ndcg_at_{{ k }}
            {%- endfor %}
        end::double as value,
    from rule_runs
    inner join items
        on rule_runs.run_id = items.run_id
        and rule_runs.gold_window = items.gold_window
        and rule_runs.gold_predicate = items.gold_predicate
    inner join queries
        on items.query_id = queries.query_id
        and items.suite = queries.suite
    left join int_query_strata
        on items.query_id = int_query_strata.query_id
        and items.suite = int_query_strata.suite
        and rule_runs.stratum_by = int_query_strata.stratum_by
        and rule_runs.stratum = int_query_strata.stratum

),

-- Anchors of each baseline that the corpus still holds.
present_anchors as (

    select
        baseline_items.baseline_id,
        baseline_items.suite,
        count(*) as n_present,
    from baseline_items
    inner join queries
        on baseline_items.suite = queries.suite
        and baseline_items.sentence_id = queries.sentence_id
        and baseline_items.text_hash = queries.text_hash
    group by
        baseline_items.baseline_id,
        baseline_items.suite

),

chosen_baselines as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        baselines.baseline_id,
        baselines.embedding_model as baseline_model,
        baselines.run_id as baseline_run_id,
    from rule_runs
    inner join baselines
        on rule_runs.suite = baselines.suite
        and rule_runs.run_regime = baselines.regime
        and rule_runs.strategy = baselines.strategy
    -- the baseline's own model runs as well
    left join current_runs as own_runs
        on baselines.suite = own_runs.suite
        and baselines.regime = own_runs.regime
        and baselines.strategy = own_runs.strategy
        and baselines.embedding_model = own_runs.embedding_model
    left join present_anchors
        on baselines.baseline_id = present_anchors.baseline_id
        and baselines.suite = present_anchors.suite
    where
        rule_runs.comparison = 'absolute_change'
        and (own_runs.run_id is null or own_runs.run_id = rule_runs.run_id)
    qualify
        row_number() over (
            partition by rule_runs.rule_id, rule_runs.run_id
            order by
                present_anchors.n_present is not null desc,
                baselines.embedding_model = rule_runs.embedding_model desc,
                baselines.frozen_on desc,
                baselines.baseline_id asc
        ) = 1

),

frozen_anchors as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        baseline_items.sentence_id,
        baseline_items.text_hash,
        case
            when rule_runs.metric = 'self_at_1' then baseline_items.self_at_1::integer
            when rule_runs.metric = 'self_at_1_text' then baseline_items.self_at_1_text::integer
            when rule_runs.metric = 'coverage' then baseline_items.is_covered::integer
            when not baseline_items.is_covered then null
            when rule_runs.metric = 'median_gold_distance' then baseline_items.median_gold_distance
            when rule_runs.metric = 'hit' and rule_runs.k = 5 then baseline_items.hit_at_5::integer
            when rule_runs.metric = 'mrr' and rule_runs.k = 30 then baseline_items.rr_at_30
        end::double as baseline_value,
    from rule_runs
    inner join chosen_baselines
        on rule_runs.rule_id = chosen_baselines.rule_id
        and rule_runs.run_id = chosen_baselines.run_id
    inner join baseline_items
        on chosen_baselines.baseline_id = baseline_items.baseline_id
        and chosen_baselines.baseline_model = baseline_items.embedding_model
        and rule_runs.suite = baseline_items.suite
        and rule_runs.run_regime = baseline_items.regime
        and rule_runs.strategy = baseline_items.strategy
        and rule_runs.gold_window = baseline_items.gold_window
        and rule_runs.gold_predicate = baseline_items.gold_predicate

),

anchors as (

    select
        coalesce(rule_items.rule_id, frozen_anchors.rule_id) as rule_id,
        coalesce(rule_items.run_id, frozen_anchors.run_id) as run_id,
        coalesce(rule_items.query_id, frozen_anchors.sentence_id) as anchor_id,
        rule_items.cluster_id,
        rule_items.second_cluster_id,
        if(rule_items.is_in_stratum, rule_items.value, null) as run_value,
        frozen_anchors.baseline_value,
        frozen_anchors.rule_id is not null as is_of_baseline,
        rule_items.rule_id is not null as is_present,
    from rule_items
    full join frozen_anchors
        on rule_items.rule_id = frozen_anchors.rule_id
        and rule_items.run_id = frozen_anchors.run_id
        and rule_items.sentence_id = frozen_anchors.sentence_id
        and rule_items.text_hash = frozen_anchors.text_hash

),

alert_items as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        rule_runs.metric,
        rule_runs.comparison,
        rule_runs.threshold,
        rule_runs.relative_threshold,
        chosen_baselines.baseline_id,
        chosen_baselines.baseline_model,
        md5(concat_ws(
            '|',
            rule_runs.rule_id,
            rule_runs.run_regime,
            rule_runs.embedding_model,
            rule_runs.threshold,
            coalesce(chosen_baselines.baseline_id, ''),
            coalesce(chosen_baselines.baseline_run_id, '')
        )) as series_id,
        anchors.* exclude (rule_id, run_id),
        if(anchors.is_of_baseline, anchors.run_value, null) as value,
    from rule_runs
    inner join anchors
        on rule_runs.rule_id = anchors.rule_id
        and rule_runs.run_id = anchors.run_id
    left join chosen_baselines
        on rule_runs.rule_id = chosen_baselines.rule_id
        and rule_runs.run_id = chosen_baselines.run_id

)

select * from alert_items
