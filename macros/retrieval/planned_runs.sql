{#
    CTEs up to `final`: one suite searched in one regime by one strategy with one embedding model is a run, and so are the
    hits of an external retriever for one suite in one regime. A run's id is a hash of everything that decides the result,
    so one that was done before is recognised, and anything that changes makes a new run.

    gold_versions, input_versions, external_retrievers: CTEs of the calling model. input_versions has, by suite, what
    multi_path reads beside the indexes (input_version).
    condition: SQL over strategies, regimes and models_of_methods; which of the runs there are.
#}
{% macro planned_runs(condition) -%}
{%- set named = {
    'retrieval_regimes': setting('retrieval_regimes').split(),
    'retrieval_strategies': setting('retrieval_strategies').split(),
} %}
regime_registry as (

    select * from {{ ref('retrieval_regimes') }}

),

strategy_registry as (

    select * from {{ ref('retrieval_strategies') }}

),

embedding_models as (

    select * from {{ ref('int_embedded_texts') }}

),

sentence_indexes as (

    select * from {{ ref('int_sentence_index') }}

),

rerankers as (

    select * from {{ ref('score_models') }}
    where
        kind = 'cross_encoder'
        and model_id = '{{ setting("pipeline_reranker") }}'

),

named_regimes as (

    select unnest({{ named.retrieval_regimes }}::varchar[]) as regime

),

regimes as (

    select
        named_regimes.regime,
        case
            when regime_registry.regime is null
                then error(
                        'retrieval_regimes names "' || named_regimes.regime || '". Allowed: '
                        || (select string_agg(known.regime, ', ' order by known.regime) from regime_registry as known)
                        || '. Add a row to seeds/retrieval_regimes.csv for another.'
                    )
            else coalesce(regime_registry.filter_columns, '')
        end as filter_columns,
    from named_regimes
    left join regime_registry
        on named_regimes.regime = regime_registry.regime

),

named_strategies as (

    select unnest({{ named.retrieval_strategies }}::varchar[]) as strategy

),

strategies as (

    select
        named_strategies.strategy,
        case
            when strategy_registry.strategy is null
                then error(
                        'retrieval_strategies names "' || named_strategies.strategy || '". Allowed: '
                        || (
                            select string_agg(known.strategy, ', ' order by known.strategy)
                            from strategy_registry as known
                        )
                        || '. Add a row to seeds/retrieval_strategies.csv for another.'
                    )
            else strategy_registry.method
        end as method,
        case
            when strategy_registry.method = 'hybrid'
                then to_json({ 'rrf_k': strategy_registry.rrf_k, 'depth': strategy_registry.depth })::varchar
            when strategy_registry.method = 'multi_path'
                then to_json({
                        'rrf_k': strategy_registry.rrf_k,
                        'depth': strategy_registry.depth,
                        'sentence_kinds': coalesce(strategy_registry.sentence_kinds, ''),
                        'searched_text': '{{ setting("pipeline_searched_text") }}',
                        'company_budget': {{ setting('pipeline_company_budget') }},
                        'year_budget': {{ setting('pipeline_year_budget') }},
                        'global_budget': {{ setting('pipeline_global_budget') }},
                        'expanded_hits': {{ setting('pipeline_expanded_hits') }},
                        'expansion_window': {{ setting('pipeline_expansion_window') }},
                        'expansion_weight': {{ setting('pipeline_expansion_weight') }},
                        'reranker': '{{ setting("pipeline_reranker") }}',
                        'reranker_weights': coalesce(
                            (select concat_ws('@', model_name, revision) from rerankers), ''
                        )
                    })::varchar
            when strategy_registry.method = 'random' then to_json({ 'seed': '{{ setting("gold_seed") }}' })::varchar
            when strategy_registry.method not in ('dense', 'bm25', 'gold', 'gold_filings')
                then to_json({
                        'rrf_k': strategy_registry.rrf_k,
                        'depth': strategy_registry.depth,
                        'sentence_kinds': strategy_registry.sentence_kinds,
                        'note': strategy_registry.note,
                        'code': code_of_strategy(strategy_registry.method)
                    })::varchar
            else '{}'
        end as parameters,
    from named_strategies
    left join strategy_registry
        on named_strategies.strategy = strategy_registry.strategy
    -- what models answer without a search
    where coalesce(strategy_registry.method, '') not in ('closed_book', 'altered_evidence')

),

methods_without_vectors as (

    select unnest(['bm25', 'random', 'gold']) as method

),

methods_with_vectors as (

    select unnest(['dense', 'hybrid', 'multi_path', 'gold_filings']) as method

),

-- of other packages (finrag.plugins); finrag says which method of a row is neither ours nor installed
methods_of_plugins as (

    select distinct method
    from strategies
    where method not in (select * from methods_without_vectors) and method not in (select * from methods_with_vectors)

),

-- bm25 and random know no vectors: they run once, whatever models are in use
models_of_methods as (

    select
        methods.method,
        'none' as embedding_model,
        '' as fingerprint,
        false as is_imported,
        sentence_indexes.checksum as index_checksum,
    from sentence_indexes
    cross join (select * from methods_without_vectors union all select * from methods_of_plugins) as methods
    where sentence_indexes.index_kind = 'fulltext'

    union all

    select
        methods.method,
        embedding_models.model_id as embedding_model,
        embedding_models.fingerprint,
        coalesce(embedding_models.model_name = 'imported', false) as is_imported,
        md5(concat_ws(
            '|',
            embedding_models.checksum,
            vector_indexes.checksum,
            case when methods.method in ('hybrid', 'multi_path') then fulltext_indexes.checksum end
        )) as index_checksum,
    from embedding_models
    inner join sentence_indexes as vector_indexes
        on
        embedding_models.model_id = vector_indexes.model_id
        and vector_indexes.index_kind = 'vector'
    inner join sentence_indexes as fulltext_indexes
        on fulltext_indexes.index_kind = 'fulltext'
    cross join methods_with_vectors as methods

),

own_runs as (

    select
        gold_versions.suite,
        regimes.regime,
        regimes.filter_columns,
        strategies.strategy,
        strategies.method,
        strategies.parameters,
        models_of_methods.embedding_model,
        models_of_methods.fingerprint,
        case
            when strategies.method = 'multi_path'
                then md5(concat_ws('|', models_of_methods.index_checksum, input_versions.input_version))
            else models_of_methods.index_checksum
        end as index_checksum,
        gold_versions.corpus_version,
        gold_versions.gold_version,
        false as is_external,
    from gold_versions
    cross join regimes
    cross join strategies
    inner join models_of_methods
        on strategies.method = models_of_methods.method
    left join input_versions
        on gold_versions.suite = input_versions.suite
    where {{ condition }}

),

external_runs as (

    select
        gold_versions.suite,
        external_retrievers.regime,
        coalesce(regime_registry.filter_columns, '') as filter_columns,
        external_retrievers.external_run as strategy,
        'external' as method,
        '{}' as parameters,
        'none' as embedding_model,
        '' as fingerprint,
        external_retrievers.content_checksum as index_checksum,
        gold_versions.corpus_version,
        gold_versions.gold_version,
        true as is_external,
    from external_retrievers
    inner join gold_versions
        on external_retrievers.suite = gold_versions.suite
    left join regime_registry
        on external_retrievers.regime = regime_registry.regime

),

all_runs as (

    select * from own_runs

    union all

    select * from external_runs

),

final as (

    select
        md5(to_json([
            suite, regime, filter_columns, strategy, method, parameters, embedding_model, fingerprint, index_checksum,
            corpus_version, gold_version, '{{ var("metric_ks") | max }}'
        ])::varchar)[:16] as run_id,
        *,
    from all_runs

)
{%- endmacro %}
