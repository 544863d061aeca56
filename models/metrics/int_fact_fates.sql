-- How far every fact of a question's gold evidence got in every list of hits. A fact is a sentence of grade 2
-- (gold.p3_evidence.stands_for), of a suite that names pages or documents and quotes nothing a page or document that it
-- names; it gets as far as the best of the sentences that state it, or stand there. A list is what a current run
-- of a question suite found (without those drawn by lot, which nobody is shown), down to the deepest cut-off and whatever
-- of it is shown beyond; of an answer made elsewhere it is what the answer was given to read, since no more is known.
--   corpus     no sentence that states the fact is in the corpus; so is each text of a suite that stands nowhere in it
--   company    nothing found is of the company that states it
--   document   of the company, but nothing of that filing; a passage without sentences is of the filings of its year
--   section    of the filing, but nothing of that item, in a document of that heading
--   sentence   of the section, but no sentence that states it
--   context    found, but not shown to an answerer
with

runs as (

    select * from {{ ref('int_question_runs') }}
    where
        is_current
        and method != 'random'

),

items as (

    select * from {{ ref('int_question_items') }}

),

hits as (

    select * from {{ ref('int_question_hits') }}
    where rank is not null

),

contexts as (

    select * from {{ ref('contexts') }}

),

external_answers as (

    select * from {{ ref('answers') }}
    where source = 'external'

),

answer_contexts as (

    select * from {{ ref('int_answer_contexts') }}

),

evidence as (

    select * from {{ ref('p3_evidence') }}
    -- what is not in the corpus has no grade; headings and index lines have 0 and are no gold
    where coalesce(grade, 2) > 0

),

unfound_evidence as (

    select * from {{ ref('int_unfound_evidence') }}
    -- a page or a document that is only named is no fact; one that is judged is among the places below, without a sentence
    where best_score is not null

),

-- Of suites that name pages or documents and quote nothing.
judged_places as (

    select * from {{ ref('int_named_places') }}
    where is_judged_alone

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

-- A question is asked of every run, whatever was found for it and by whatever gold that is judged.
lists as (

    select distinct
        items.run_id as list_id,
        items.query_id,
    from items
    inner join runs
        on items.run_id = runs.run_id

    union all

    select
        source_answer_id as list_id,
        query_id,
    from external_answers

),

found_by_runs as (

    select
        hits.run_id as list_id,
        hits.query_id,
        hits.sentence_id,
        hits.rank,
        contexts.sentence_id is not null as is_shown,
    from hits
    inner join runs
        on hits.run_id = runs.run_id
    left join contexts
        on hits.run_id = contexts.run_id
        and hits.query_id = contexts.query_id
        and hits.sentence_id = contexts.sentence_id
    where
        hits.rank <= {{ var('metric_ks') | max }}
        or contexts.sentence_id is not null

),

passages as (

    select
        answer_contexts.list_id,
        answer_contexts.query_id,
        answer_contexts.context_position as rank,
        answer_contexts.cik,
        answer_contexts.report_year,
        -- a passage that names no sentence is one row all the same
        unnest(
            if(coalesce(len(answer_contexts.sentence_ids), 0) = 0, [null], answer_contexts.sentence_ids)
        ) as sentence_id,
    from answer_contexts
    semi join external_answers
        on answer_contexts.list_id = external_answers.source_answer_id

),

found as (

    select
        found_by_runs.list_id,
        found_by_runs.query_id,
        found_by_runs.sentence_id,
        found_by_runs.rank,
        found_by_runs.is_shown,
        sentences.cik,
        sentences.report_year,
        sentences.filing_id,
        sentences.section_id,
        sentences.section_heading,
    from found_by_runs
    inner join sentences
        on found_by_runs.sentence_id = sentences.sentence_id

    union all

    select
        passages.list_id,
        passages.query_id,
        passages.sentence_id,
        passages.rank,
        true as is_shown,
        coalesce(sentences.cik, passages.cik) as cik,
        coalesce(sentences.report_year, passages.report_year) as report_year,
        sentences.filing_id,
        sentences.section_id,
        sentences.section_heading,
    from passages
    left join sentences
        on passages.sentence_id = sentences.sentence_id

),

-- A page that the document does not have is not in the corpus.
sentences_of_places as (

    select
        judged_places.question_key as query_id,
        sentences.sentence_id,
        concat_ws('/page_', judged_places.filing_id, judged_places.page_no) as fact_id,
    from judged_places
    left join sentences
        on judged_places.filing_id = sentences.filing_id
        and (judged_places.page_no is null or judged_places.page_no = sentences.page_no)
        and sentences.sentence_kind not in ('heading', 'index_line')

),

stated as (

    select
        query_id,
        sentence_id,
        in_corpus,
        unnest(stands_for) as fact_id,
    from evidence

    union all

    select distinct
        suite || ':' || question_id as query_id,
        null as sentence_id,
        false as in_corpus,
        piece as fact_id,
    from unfound_evidence

    union all

    select
        query_id,
        sentence_id,
        sentence_id is not null as in_corpus,
        fact_id,
    from sentences_of_places

),

-- The sentences that state a fact, each with its place.
statements as (

    select
        stated.query_id,
        stated.fact_id,
        stated.sentence_id,
        stated.in_corpus,
        sentences.cik,
        sentences.report_year,
        sentences.filing_id,
        sentences.section_id,
        sentences.section_heading,
    from stated
    left join sentences
        on stated.sentence_id = sentences.sentence_id

),

statement_places as (

    select distinct
        query_id,
        fact_id,
        in_corpus,
        cik,
        report_year,
        filing_id,
        section_id,
        section_heading,
    from statements

),

-- How many stages the best pair of a place and a hit gets through, up to the section.
reached as (

    select
        lists.list_id,
        lists.query_id,
        places.fact_id,
        max(case
            when not places.in_corpus then 0
            when found.list_id is null then 1
            when
                found.filing_id = places.filing_id
                and found.section_id = places.section_id
                and found.section_heading is not distinct from places.section_heading
                then 4
            when found.filing_id = places.filing_id then 3
            when found.filing_id is null and found.report_year = places.report_year then 3
            else 2
        end)::integer as stages_passed,
    from lists
    inner join statement_places as places
        on lists.query_id = places.query_id
    left join found
        on lists.list_id = found.list_id
        and lists.query_id = found.query_id
        and places.cik = found.cik
    group by
        lists.list_id,
        lists.query_id,
        places.fact_id

),

found_statements as (

    select
        found.list_id,
        statements.query_id,
        statements.fact_id,
        bool_or(found.is_shown) as is_shown,
        min(found.rank)::integer as best_rank,
    from statements
    inner join found
        on statements.query_id = found.query_id
        and statements.sentence_id = found.sentence_id
    -- an answer made elsewhere may have read a sentence that this corpus does not have
    where statements.in_corpus
    group by
        found.list_id,
        statements.query_id,
        statements.fact_id

),

passed as (

    select
        reached.list_id,
        reached.query_id,
        reached.fact_id,
        case
            when found_statements.is_shown then 6
            when found_statements.list_id is not null then 5
            else reached.stages_passed
        end as stages_passed,
        found_statements.best_rank,
    from reached
    left join found_statements
        on reached.list_id = found_statements.list_id
        and reached.query_id = found_statements.query_id
        and reached.fact_id = found_statements.fact_id

),

final as (

    select
        *,
        -- the seventh stage is the answer, which a list says nothing of
        ['corpus', 'company', 'document', 'section', 'sentence', 'context'][stages_passed + 1] as lost_at,
    from passed

)

select * from final
