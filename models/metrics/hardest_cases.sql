-- Where retrieval fails, and what is known about why. A case is a query whose first gold sentence comes late, or not within
-- the largest cut-off at all: a covered one, or a question with an answer whose evidence the corpus does not hold. What is
-- drawn by lot (random) fails for no reason and has no cases.
--
-- Reasons are computed, and several may hold. Of an anchor:
--   boilerplate    the corpus holds the query's text at least `boilerplate_repetitions` times more, or more than
--                  `boilerplate_share` of the hits above the first gold sentence are near-duplicates of it. Two texts
--                  are near-duplicates when their sets of words, with every number taken for the same, have a Jaccard
--                  similarity of at least `near_duplicate_similarity`.
--   short_section  the section has fewer than `short_section_sentences` sentences.
--   numeric_heavy  as in gold.int_anchor_strata.
-- reason_class is the first that holds in this order: a text that is repeated is ambiguous whatever its section, and a
-- section that has little to offer explains a miss better than the look of a sentence.
--
-- Of a question reason_class is the first that holds of these; most is more than half of the hits above its gold:
--   not_in_corpus  no evidence of it is in the corpus.
--   index_line     most are lines of indexes, contents, signatures, or headings.
--   other_company  most are of companies that the question does not ask about.
--   other_year     most are of other companies, or of years that it does not ask about.
--   other_wording  one is of a company and year asked about and has the words of the evidence, `other_wording_similarity`
--                  of them by Jaccard: the fact in other words, or one that reads like it.
--   below_cut      none of these: the evidence is there, and the search ranks it low.
{%- set depth = var('metric_ks') | max %}
with

runs as (

    select * from {{ ref('retrieval_runs') }}
    where
        is_current
        and method != 'random'

),

items as (

    select * from {{ ref('retrieval_items') }}
    -- what stands above its gold is told of sentences
    where gold_predicate != 'place'

),

hits as (

    select * from {{ ref('retrieval_hits') }}

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

numeric_heavy_queries as (

    select query_id
    from {{ ref('int_query_strata') }}
    where
        stratum_by = 'numeric_heavy'
        and stratum = 'yes'

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

gold as (

    select * from {{ ref('retrieval_gold') }}

),

questions as (

    select
        query_id,
        cik_int,
        years,
        answer_type != 'no_answer' as is_answerable,
    from {{ ref('p3_questions') }}

),

-- Equally hard cases are put in an order that has nothing to do with their company: by id, the first company would fill
-- the list.
ranked_items as (

    select
        items.*,
        row_number() over (
            partition by items.run_id, items.gold_window, items.gold_predicate
            -- what was there to be found comes before what was not
            order by
                items.is_covered desc, items.first_gold_rank desc nulls first, {{ stable_hash(['items.query_id']) }}
        ) as hardness_rank,
        questions.query_id is not null as is_question,
        questions.cik_int as asked_ciks,
        questions.years as asked_years,
    from items
    inner join runs
        on items.run_id = runs.run_id
    left join questions
        on items.query_id = questions.query_id
    where
        (items.is_covered or coalesce(questions.is_answerable, false))
        and not items.is_error
        and coalesce(items.first_gold_rank, {{ depth }} + 1) > 1

),

cases as (

    select
        ranked_items.*,
        queries.sentence_id,
        queries.company_name,
        queries.report_year,
        queries.section_id,
        queries.query_text,
        coalesce(query_sentences.duplicate_count - 1, 0) as repetition_count,
        coalesce(query_sentences.section_sentence_count < {{ setting('short_section_sentences') }}, false)
            as is_short_section,
    from ranked_items
    inner join queries
        on ranked_items.query_id = queries.query_id
    left join sentences as query_sentences
        on queries.sentence_id = query_sentences.sentence_id
    where ranked_items.hardness_rank <= {{ var('hardest_cases_per_run') }}

),

case_queries as (

    select distinct
        query_id,
        {{ word_set('query_text') }} as query_words,
    from cases

),

case_runs as (

    select
        run_id,
        query_id,
        max(coalesce(first_gold_rank, {{ depth }} + 1)) as latest_gold_rank,
    from cases
    group by run_id, query_id

),

case_hits as (

    select
        hits.run_id,
        hits.query_id,
        hits.sentence_id,
        hits.rank,
        hits.distance,
    from hits
    inner join case_runs
        on hits.run_id = case_runs.run_id
        and hits.query_id = case_runs.query_id
    where
        not hits.is_query_sentence
        and hits.rank < case_runs.latest_gold_rank

),

described_hits as (

    select
        case_hits.*,
        hit_sentences.sentence_text,
        hit_sentences.sentence_kind,
        hit_sentences.cik,
        hit_sentences.company_name,
        hit_sentences.report_year,
        hit_sentences.section_id,
        {{ word_set('hit_sentences.sentence_text') }} as hit_words,
        len(list_intersect(hit_words, case_queries.query_words)) as shared_word_count,
        shared_word_count / nullif(len(hit_words) + len(case_queries.query_words) - shared_word_count, 0)
            as similarity,
        coalesce(similarity >= {{ setting('near_duplicate_similarity') }}, false) as is_near_duplicate,
    from case_hits
    inner join case_queries
        on case_hits.query_id = case_queries.query_id
    left join sentences as hit_sentences
        on case_hits.sentence_id = hit_sentences.sentence_id

),

-- The evidence of the questions among the cases, as words.
case_gold as (

    select
        case_queries.query_id,
        gold.gold_predicate,
        {{ word_set('gold_sentences.sentence_text') }} as gold_words,
    from case_queries
    inner join gold
        on case_queries.query_id = gold.query_id
    inner join sentences as gold_sentences
        on gold.sentence_id = gold_sentences.sentence_id
    semi join questions
        on case_queries.query_id = questions.query_id

),

-- Hits above that are about what was asked and share the words of the evidence.
wordings_above as (

    select distinct
        cases.run_id,
        cases.query_id,
        cases.gold_predicate,
    from cases
    inner join described_hits
        on cases.run_id = described_hits.run_id
        and cases.query_id = described_hits.query_id
        and coalesce(cases.first_gold_rank, {{ depth }} + 1) > described_hits.rank
        and list_contains(cases.asked_ciks, described_hits.cik)
        and list_contains(cases.asked_years, described_hits.report_year)
        and described_hits.sentence_kind not in ('index_line', 'heading')
    inner join case_gold
        on cases.query_id = case_gold.query_id
        and cases.gold_predicate = case_gold.gold_predicate
    where
        len(list_intersect(described_hits.hit_words, case_gold.gold_words))
        >= {{ setting('other_wording_similarity') }}
        * len(list_distinct(described_hits.hit_words || case_gold.gold_words))

),

hits_above as (

    select
        cases.run_id,
        cases.query_id,
        cases.gold_window,
        cases.gold_predicate,
        count(*) as hit_count_above,
        count(*) filter (where described_hits.is_near_duplicate) as near_duplicate_count_above,
        count(*) filter (where described_hits.sentence_kind in ('index_line', 'heading')) as index_line_count_above,
        count(*) filter (where not list_contains(cases.asked_ciks, described_hits.cik)) as other_company_count_above,
        count(*) filter (
            where not list_contains(cases.asked_ciks, described_hits.cik)
            or not list_contains(cases.asked_years, described_hits.report_year)
        ) as other_year_count_above,
    from cases
    inner join described_hits
        on cases.run_id = described_hits.run_id
        and cases.query_id = described_hits.query_id
        and coalesce(cases.first_gold_rank, {{ depth }} + 1) > described_hits.rank
    group by cases.run_id, cases.query_id, cases.gold_window, cases.gold_predicate

),

classed as (

    select
        cases.*,
        coalesce(hits_above.hit_count_above, 0) as hit_count_above,
        coalesce(hits_above.near_duplicate_count_above, 0) as near_duplicate_count_above,
        coalesce(hits_above.index_line_count_above, 0) as index_line_count_above,
        if(cases.is_question, coalesce(hits_above.other_company_count_above, 0), null) as other_company_count_above,
        if(cases.is_question, coalesce(hits_above.other_year_count_above, 0), null) as other_year_count_above,
        wordings_above.query_id is not null as has_other_wording_above,
        {{ setting('boilerplate_share') }} * coalesce(hits_above.hit_count_above, 0) as most_hits_above,
        cases.repetition_count >= {{ setting('boilerplate_repetitions') }}
        or coalesce(
            hits_above.near_duplicate_count_above > {{ setting('boilerplate_share') }} * hits_above.hit_count_above, false
        ) as is_boilerplate,
        numeric_heavy_queries.query_id is not null as is_numeric_heavy,
    from cases
    left join hits_above
        on cases.run_id = hits_above.run_id
        and cases.query_id = hits_above.query_id
        and cases.gold_window = hits_above.gold_window
        and cases.gold_predicate = hits_above.gold_predicate
    left join wordings_above
        on cases.run_id = wordings_above.run_id
        and cases.query_id = wordings_above.query_id
        and cases.gold_predicate = wordings_above.gold_predicate
    left join numeric_heavy_queries
        on cases.query_id = numeric_heavy_queries.query_id

),

final as (

    select
        classed.run_id,
        classed.suite,
        classed.regime,
        classed.strategy,
        classed.embedding_model,
        classed.gold_window,
        classed.gold_predicate,
        classed.hardness_rank::integer as hardness_rank,
        classed.query_id,
        classed.sentence_id,
        classed.company_name,
        classed.report_year,
        classed.section_id,
        classed.query_text,
        classed.n_gold,
        classed.first_gold_rank,
        case
            when classed.is_question and not classed.is_covered then 'not_in_corpus'
            when classed.is_question and classed.index_line_count_above > classed.most_hits_above then 'index_line'
            when classed.is_question and classed.other_company_count_above > classed.most_hits_above then 'other_company'
            when classed.is_question and classed.other_year_count_above > classed.most_hits_above then 'other_year'
            when classed.is_question and classed.has_other_wording_above then 'other_wording'
            when classed.is_question then 'below_cut'
            when classed.is_boilerplate then 'boilerplate'
            when classed.is_short_section then 'short_section'
            when classed.is_numeric_heavy then 'numeric_heavy'
            else 'none'
        end as reason_class,
        classed.is_boilerplate,
        classed.is_short_section,
        classed.is_numeric_heavy,
        classed.repetition_count,
        classed.hit_count_above,
        classed.near_duplicate_count_above,
        classed.index_line_count_above,
        classed.other_company_count_above,
        classed.other_year_count_above,
        classed.has_other_wording_above,
        described_hits.sentence_id as nearest_sentence_id,
        described_hits.sentence_text as nearest_text,
        described_hits.company_name as nearest_company_name,
        described_hits.report_year as nearest_report_year,
        described_hits.section_id as nearest_section_id,
        described_hits.distance as nearest_distance,
    from classed
    left join described_hits
        on classed.run_id = described_hits.run_id
        and classed.query_id = described_hits.query_id
        and described_hits.rank = 1

)

select * from final
