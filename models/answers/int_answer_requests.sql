-- What each question is asked with: the context that a strategy assembled, in its order. A question for which a
-- strategy found nothing is asked all the same; "the sentences do not hold it" is the right answer then.
-- The form of the answer is told for every type but no_answer, which would give the answer away: those questions are
-- asked in the form that their wording has.
-- Two strategies do without a search: closed_book asks every question without a context, under a prompt of its own
-- (task), altered_evidence those whose evidence has other figures now, with that.
with

questions as (

    select * from {{ ref('p3_questions') }}
    -- without a gold answer there is nothing to compare with
    where answer_type != 'unstated'

),

contexts as (

    select * from {{ ref('contexts') }}

),

entities as (

    select * from {{ ref('question_entities') }}

),

altered_evidence as (

    select * from {{ ref('int_altered_evidence') }}
    where reason is null

),

unsearched_strategies as (

    select
        strategy,
        method,
    from {{ ref('retrieval_strategies') }}
    where
        method in ('closed_book', 'altered_evidence')
        and strategy in (select unnest({{ setting('retrieval_strategies').split() }}::varchar[]))

),

strategies as (

    select distinct
        suite,
        run_id as retrieval_run_id,
        strategy,
        embedding_model,
    from contexts

),

context_lists as (

    select
        run_id as retrieval_run_id,
        query_id,
        list({
            'sentence_id': sentence_id,
            'company_name': company_name,
            'report_year': report_year,
            'section_id': section_id,
            'text': sentence_text
        } order by context_position) as sentences,
    from contexts
    group by
        run_id,
        query_id

),

asked as (

    select
        questions.query_id,
        'answer_question' as task,
        strategies.strategy,
        strategies.embedding_model,
        strategies.retrieval_run_id,
        to_json(coalesce(context_lists.sentences, [])) as contexts,
    from questions
    inner join strategies
        on questions.suite = strategies.suite
    left join context_lists
        on strategies.retrieval_run_id = context_lists.retrieval_run_id
        and questions.query_id = context_lists.query_id

    union all

    select
        questions.query_id,
        'answer_closed_book' as task,
        unsearched_strategies.strategy,
        'none' as embedding_model,
        null as retrieval_run_id,
        null as contexts,
    from questions
    cross join unsearched_strategies
    where unsearched_strategies.method = 'closed_book'

    union all

    select
        altered_evidence.query_id,
        'answer_question' as task,
        unsearched_strategies.strategy,
        'none' as embedding_model,
        null as retrieval_run_id,
        to_json(altered_evidence.contexts) as contexts,
    from altered_evidence
    cross join unsearched_strategies
    where unsearched_strategies.method = 'altered_evidence'

),

requests as (

    select
        md5(concat_ws('|', questions.query_id, asked.strategy, asked.embedding_model)) as item_id,
        asked.task,
        questions.suite,
        questions.query_id,
        asked.strategy,
        asked.embedding_model,
        asked.retrieval_run_id,
        json_object(
            'question_text', questions.question_text,
            'answer_type', case
                when questions.answer_type != 'no_answer' then questions.answer_type
                when regexp_matches(questions.question_text, '(?i)\b(what (was|were)|how (much|many))\b') then 'numeric'
                else 'span'
            end,
            'entities', case
                when len(entities.company_names) + len(entities.years) > 0
                    then json_object('companies', entities.company_names, 'years', entities.years)
                else 'null'::json
            end,
            'contexts', asked.contexts
        )::varchar as inputs,
    from asked
    inner join questions
        on asked.query_id = questions.query_id
    left join entities
        on questions.suite = entities.suite
        and questions.query_id = entities.query_id

)

select * from requests
