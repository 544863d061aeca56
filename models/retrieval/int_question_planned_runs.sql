-- A question does not say which item to look in, so it is searched without a filter. Nothing here can embed a question
-- with a model whose vectors were made elsewhere.
with

gold_versions as (

    select * from {{ ref('int_question_gold_versions') }}
    where query_count > 0

),

external_retrievers as (

    select * from {{ ref('int_question_external_rows') }}
    where kind = 'run'

),

-- what multi_path filters by is found in the questions, so it decides the result like an index does
entity_versions as (

    select
        suite,
        sum({{ stable_hash(['query_id', 'entity_checksum']) }})::varchar as entity_version,
    from {{ ref('question_entities') }}
    group by suite

),

-- multi_path may leave out kinds of sentences, so which sentence is of which kind decides its result too
sentence_kinds as (

    select sum({{ stable_hash(['sentence_id', 'sentence_kind']) }})::varchar as kind_version
    from {{ ref('fct_sentences') }}
    where sentence_kind != 'prose'

),

input_versions as (

    select
        gold_versions.suite,
        concat_ws('|', entity_versions.entity_version, sentence_kinds.kind_version) as input_version,
    from gold_versions
    cross join sentence_kinds
    left join entity_versions
        on gold_versions.suite = entity_versions.suite

),

{{ planned_runs("regimes.filter_columns = '' and not models_of_methods.is_imported") }}

select * from final
