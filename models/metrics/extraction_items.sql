-- A field is right when the set found is the set in the gold, no more and no less. Items: those that the question
-- names, or where it names none those that its terms make likely; the gold's hints say where the evidence stands, which a
-- question need not say, so is_item_named tells the two apart.
with

entities as (

    select * from {{ ref('question_entities') }}

),

questions as (

    select
        *,
        suite || ':' || question_id as query_id,
    from {{ ref('p3_questions') }}

),

compared as (

    select
        questions.suite,
        questions.query_id,
        questions.suite || ':' || coalesce(questions.paraphrase_group_id, questions.question_id) as cluster_id,
        questions.category,
        questions.question_text,
        list_sort(list_distinct(questions.cik_int)) as gold_ciks,
        list_sort(entities.ciks) as found_ciks,
        list_sort(list_distinct(questions.years)) as gold_years,
        list_sort(entities.years) as found_years,
        list_sort(list_distinct(coalesce(questions.section_hints, []))) as gold_section_ids,
        len(entities.section_ids) > 0 as is_item_named,
        list_sort(if(is_item_named, entities.section_ids, entities.likely_section_ids)) as found_section_ids,
        questions.retrieval_scope as gold_scope,
        entities.scope as found_scope,
    from questions
    inner join entities
        on questions.suite = entities.suite
        and questions.query_id = entities.query_id

),

final as (

    select
        suite,
        query_id,
        cluster_id,
        category,
        question_text,
        gold_ciks,
        found_ciks,
        gold_ciks = found_ciks as are_companies_right,
        gold_years,
        found_years,
        gold_years = found_years as are_years_right,
        gold_section_ids,
        found_section_ids,
        is_item_named,
        gold_section_ids = found_section_ids as are_items_right,
        gold_scope,
        found_scope,
        gold_scope = found_scope as is_scope_right,
    from compared

)

select * from final
