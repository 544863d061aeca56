-- Every answer with all that its scores depend on: the gold, what it was given to read, and which of its citations are
-- sentences of the corpus. content_key is a hash of it, so that equal content is judged once.
with

answers as (

    select * from {{ ref('answers') }}

),

questions as (

    select * from {{ ref('p3_questions') }}

),

suite_questions as (

    select * from {{ ref('int_suite_questions') }}

),

evidence as (

    select * from {{ ref('p3_evidence') }}
    where coalesce(grade, 2) > 0

),

contexts as (

    select * from {{ ref('int_answer_contexts') }}

),

altered_evidence as (

    select * from {{ ref('int_altered_evidence') }}

),

altering_strategies as (

    select strategy
    from {{ ref('retrieval_strategies') }}
    where method = 'altered_evidence'

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

companies as (

    select * from {{ ref('dim_companies') }}

),

company_names as (

    select * from {{ ref('int_company_names') }}

),

evidence_lists as (

    select
        evidence.suite,
        evidence.query_id,
        list({
            'sentence_id': evidence.sentence_id,
            'cik': sentences.cik,
            'report_year': sentences.report_year,
            'section_id': sentences.section_id,
            'text': sentences.sentence_text,
            'stands_for': evidence.stands_for
        } order by evidence.evidence_rank nulls last, evidence.sentence_id) as evidence,
    from evidence
    left join sentences
        on evidence.sentence_id = sentences.sentence_id
    group by
        evidence.suite,
        evidence.query_id

),

question_companies as (

    select
        questions.suite,
        questions.query_id,
        unnest(questions.cik_int) as cik,
        unnest(questions.company_name) as company_name,
    from questions

),

company_lists as (

    select
        question_companies.suite,
        question_companies.query_id,
        list({
            'cik': question_companies.cik,
            -- as the question calls it, and so an answer
            'company_name': coalesce(company_names.question_name, question_companies.company_name),
            'ticker': companies.ticker
        } order by question_companies.cik) as companies,
    from question_companies
    left join companies
        on question_companies.cik = companies.cik
    left join company_names
        on question_companies.cik = company_names.cik
    where question_companies.cik is not null and trim(question_companies.company_name) != ''
    group by
        question_companies.suite,
        question_companies.query_id

),

context_lists as (

    select
        list_id,
        query_id,
        list({ 'cik': cik, 'text': text, 'sentence_ids': sentence_ids } order by context_position) as contexts,
    from contexts
    group by
        list_id,
        query_id

),

mentioned_ids as (

    select
        answer_id,
        unnest(list_distinct(list_concat(
            coalesce(cited_sentence_ids, []),
            -- in the field, too, some stand beside others or in quotes; models write other hyphens for that of 10-K
            regexp_extract_all(
                translate(concat_ws(' ', answer_text, array_to_string(cited_sentence_ids, ' ')), '‐‑', '--'),
                '\d{10}_[A-Z0-9-]+_\d{4}_section_\w+_\d+'
            )
        ))) as sentence_id,
    from answers

),

existing_ids as (

    select
        mentioned_ids.answer_id,
        list(mentioned_ids.sentence_id order by mentioned_ids.sentence_id) as existing_sentence_ids,
    from mentioned_ids
    semi join sentences
        on mentioned_ids.sentence_id = sentences.sentence_id
    group by mentioned_ids.answer_id

),

joined as (

    select
        answers.answer_id,
        answers.run_id,
        answers.suite,
        answers.query_id,
        answers.is_error,
        {
            'question_text': questions.question_text,
            'answer_type': questions.answer_type,
            'gold_text': questions.answer_text,
            'gold_items': questions.answer_items,
            'gold_numeric': questions.answer_numeric,
            'gold_unit': questions.answer_unit,
            'tolerance': questions.tolerance,
            'altered_numeric': altered_evidence.altered_numeric,
            'key_points': suite_questions.key_points,
            'evidence': coalesce(evidence_lists.evidence, []),
            'companies': coalesce(company_lists.companies, []),
            'answer_text': answers.answer_text,
            'answer_items': answers.answer_items,
            'answer_numeric': answers.answer_numeric,
            'answer_unit': answers.answer_unit,
            'answer_boolean': answers.answer_boolean,
            'is_answerable': answers.is_answerable,
            'cited_sentence_ids': answers.cited_sentence_ids,
            'existing_sentence_ids': coalesce(existing_ids.existing_sentence_ids, []),
            'contexts': if(
                answers.source = 'warehouse',
                coalesce(context_lists.contexts, []),
                context_lists.contexts
            )
        } as content,
    from answers
    inner join questions
        on answers.suite = questions.suite
        and answers.query_id = questions.query_id
    left join suite_questions
        on questions.query_id = suite_questions.question_key
    left join evidence_lists
        on answers.suite = evidence_lists.suite
        and answers.query_id = evidence_lists.query_id
    left join company_lists
        on answers.suite = company_lists.suite
        and answers.query_id = company_lists.query_id
    left join context_lists
        on coalesce(answers.retrieval_run_id, answers.source_answer_id, answers.strategy) = context_lists.list_id
        and answers.query_id = context_lists.query_id
    left join altering_strategies
        on answers.source = 'warehouse'
        and answers.strategy = altering_strategies.strategy
    left join altered_evidence
        on altering_strategies.strategy is not null
        and answers.query_id = altered_evidence.query_id
    left join existing_ids
        on answers.answer_id = existing_ids.answer_id

),

scored_answers as (

    select
        answer_id,
        run_id,
        suite,
        query_id,
        is_error,
        md5(to_json(content)::varchar) as content_key,
        unnest(content),
    from joined

)

select * from scored_answers
