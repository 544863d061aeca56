-- Every score of every answer. A failed call has is_error and no score: it is neither 0 nor left out of the counts.
--   rouge_l, bertscore, bleurt, cosine   answer against gold answer; *_shuffled against another question's
--   is_correct                by answer type: numeric_match, boolean_match, list_match, or abstaining where no_answer is
--                             right; null for spans, which have no such verdict
--   answered_from             where the evidence was given with other figures (altered_numeric is the answer by them):
--                             context, memory where the answer states the filing's figure, neither or abstained. The
--                             filing's answer is not right there, nor is any other: numeric_match, is_correct are null
--   key_points_stated, key_points_total    points that a right answer states by its suite, and those that this one does;
--                             null where the suite names none
--   is_false_abstention       abstains though the question has an answer
--   gold_year_coverage, gold_company_coverage    share of the question's years and companies that the context has
--   context_redundancy        1 - distinct texts / texts of the context
--   evidence_in_context       share of the facts of the gold evidence in the corpus that the context has, in whichever
--                             sentence states them (gold.p3_evidence.stands_for)
--   answer_relevance          share of the question's words that the answer takes up; null where it abstains
--   is_copied                 half of the answer's words or more stand in runs of eight in the context or the evidence
--   is_fragmented             the seed's flag: cosine < 0.60 though the facts are covered (BERTScore >= 0.75), in two
--                             sentences or more
--   is_bad_question_seed      the seed's rule: ROUGE-L < 0.05, BERTScore > 0.75, and both texts talk about where data is
--   is_bad_question           ours, which reads the gold answer alone; that its evidence is not in the corpus is no fault
--                             of the question, and is_covered says it
-- is_covered: gold evidence is in the corpus, as in retrieval, or the right answer is that there is none. External
-- systems searched a corpus of their own, so their answers are always covered.
{%- set scores = ['rouge_l', 'bertscore', 'bleurt', 'cosine'] %}
with

runs as (

    select * from {{ ref('answer_runs') }}

),

answers as (

    select * from {{ ref('answers') }}

),

scored as (

    select * from {{ ref('int_scored_answers') }}

),

questions as (

    select * from {{ ref('p3_questions') }}

),

gold_counts as (

    select * from {{ ref('int_question_gold_counts') }}
    {{ by_evidence('query_id') }}

),

pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

similarity as (

    select * from {{ ref('int_similarity_scores') }}

),

verdicts as (

    select * from {{ ref('int_answer_verdicts') }}

),

contexts as (

    select * from {{ ref('int_answer_contexts') }}

),

evidence as (

    select
        suite,
        suite || ':' || question_id as query_id,
        len(list_distinct(flatten(list(stands_for)))) as fact_count,
        list({ 'sentence_id': sentence_id, 'stands_for': stands_for }) as statements,
    from {{ ref('p3_evidence') }}
    where grade > 0
    group by
        suite,
        question_id

),

context_facts as (

    select
        suite,
        query_id,
        list_id,
        count(*) as context_count,
        count(distinct text_hash) as context_distinct_count,
        list(distinct cik) as ciks,
        list(distinct report_year) as years,
        list_distinct(flatten(list(sentence_ids))) as sentence_ids,
    from contexts
    group by
        suite,
        query_id,
        list_id

),

own_scores as (

    select
        pairs.answer_id,
        similarity.*,
    from pairs
    inner join similarity
        on pairs.pair_id = similarity.pair_id
    where pairs.kind = 'own'

),

shuffled_scores as (

    select
        pairs.answer_id,
        pairs.partner_query_id,
        similarity.rouge_l,
        similarity.bertscore,
        similarity.bleurt,
        similarity.cosine,
    from pairs
    inner join similarity
        on pairs.pair_id = similarity.pair_id
    where pairs.kind = 'shuffled'

),

joined as (

    select
        answers.answer_id,
        answers.run_id,
        answers.suite,
        runs.regime,
        answers.strategy,
        runs.embedding_model,
        answers.model_id as answer_model,
        answers.provider,
        answers.is_baseline,
        answers.replicate,
        answers.source,
        answers.query_id,
        answers.suite || ':' || coalesce(questions.paraphrase_group_id, answers.query_id) as cluster_id,
        questions.answer_type,
        answers.status,
        answers.is_error,
        answers.source = 'external'
        or gold_counts.is_covered
        or questions.answer_type = 'no_answer' as is_covered,
        {%- for score in ['rouge_l_precision', 'rouge_l_recall', 'rouge_l', 'bertscore_precision', 'bertscore_recall',
                          'bertscore', 'bertscore_rescaled', 'bleurt', 'cosine'] %}
            own_scores.{{ score }},
        {%- endfor %}
        {%- for score in scores %}
            shuffled_scores.{{ score }} as {{ score }}_shuffled,
        {%- endfor %}
        shuffled_scores.partner_query_id,
        own_scores.bertscore_model,
        own_scores.bertscore_layer,
        own_scores.bleurt_model,
        own_scores.bleurt_reason,
        own_scores.cosine_model,
        own_scores.is_candidate_truncated,
        own_scores.is_reference_truncated,
        if(scored.altered_numeric is null, verdicts.numeric_match, null) as numeric_match,
        verdicts.numeric_reason,
        verdicts.numeric_source,
        verdicts.numeric_difference,
        verdicts.boolean_match,
        verdicts.boolean_reason,
        verdicts.list_match,
        verdicts.list_jaccard,
        verdicts.list_reason,
        verdicts.key_points_stated,
        verdicts.key_points_total,
        verdicts.abstention_kind,
        verdicts.abstention_phrase,
        verdicts.abstention_kind = 'full' as is_abstention,
        if(questions.answer_type = 'no_answer', verdicts.abstention_kind = 'full', null) as no_answer_match,
        if(questions.answer_type != 'no_answer', verdicts.abstention_kind = 'full', null) as is_false_abstention,
        case questions.answer_type
            when 'numeric' then if(scored.altered_numeric is null, verdicts.numeric_match, null)
            when 'boolean' then verdicts.boolean_match
            when 'list' then verdicts.list_match
            when 'no_answer' then verdicts.abstention_kind = 'full'
        end as is_correct,
        scored.altered_numeric,
        verdicts.answered_from,
        verdicts.answered_from = 'context' as follows_context,
        verdicts.answered_from = 'memory' as is_from_memory,
        verdicts.answered_from = 'neither' as states_neither,
        verdicts.cited_count,
        verdicts.cited_count + verdicts.label_count > 0 as has_citation,
        verdicts.citation_existing_share,
        verdicts.citation_in_context_share,
        verdicts.citation_support_share,
        verdicts.citation_evidence_recall,
        verdicts.label_count,
        verdicts.label_support_share,
        verdicts.attribution_checked_count,
        verdicts.misattributed_count,
        verdicts.misattributed_share,
        verdicts.misattributed_clauses,
        (
            own_scores.rouge_l < 0.05 and own_scores.bertscore > 0.75 and verdicts.is_meta_commentary
        ) as is_bad_question_seed,
        len(
            list_filter(verdicts.bad_question_reasons, lambda reason: reason != 'out_of_corpus')
        ) > 0 as is_bad_question,
        verdicts.bad_question_reasons,
        verdicts.answer_relevance,
        verdicts.copied_share,
        verdicts.copied_share >= 0.5 as is_copied,
        -- several sentences that one embedding does not bring together with the gold answer, though their words do
        if(
            verdicts.abstention_kind = 'full',
            null,
            verdicts.sentence_count >= 2 and own_scores.cosine < 0.60 and own_scores.bertscore >= 0.75
        ) as is_fragmented,
        if(
            answers.source = 'warehouse', coalesce(context_facts.context_count, 0), context_facts.context_count
        ) as context_count,
        (answers.source = 'warehouse' or context_facts.context_count is not null) as is_context_known,
        if(
            context_facts.context_count > 0,
            1 - context_facts.context_distinct_count / context_facts.context_count,
            null
        ) as context_redundancy,
        len(list_intersect(list_distinct(questions.years), coalesce(context_facts.years, [])))
        / nullif(len(list_distinct(questions.years)), 0) as year_share,
        len(list_intersect(list_distinct(questions.cik_int), coalesce(context_facts.ciks, [])))
        / nullif(len(list_distinct(questions.cik_int)), 0) as company_share,
        len(list_distinct(flatten(list_transform(
            list_filter(
                evidence.statements,
                lambda statement: list_contains(coalesce(context_facts.sentence_ids, []), statement.sentence_id)
            ),
            lambda statement: statement.stands_for
        )))) / nullif(evidence.fact_count, 0) as evidence_share,
        answers.input_tokens,
        answers.output_tokens,
        answers.cost_usd,
        answers.latency_seconds,
    from answers
    inner join runs
        on answers.run_id = runs.run_id
    inner join questions
        on answers.suite = questions.suite
        and answers.query_id = questions.query_id
    inner join gold_counts
        on questions.query_id = gold_counts.query_id
    inner join scored
        on answers.answer_id = scored.answer_id
    left join own_scores
        on answers.answer_id = own_scores.answer_id
    left join shuffled_scores
        on answers.answer_id = shuffled_scores.answer_id
    left join verdicts
        on scored.content_key = verdicts.content_key
        and not answers.is_error
    left join evidence
        on answers.suite = evidence.suite
        and answers.query_id = evidence.query_id
    left join context_facts
        on answers.suite = context_facts.suite
        and answers.query_id = context_facts.query_id
        and coalesce(answers.retrieval_run_id, answers.source_answer_id, answers.strategy) = context_facts.list_id

),

items as (

    select
        * exclude (year_share, company_share, evidence_share, is_context_known),
        if(is_context_known and answer_type != 'no_answer' and not is_error, year_share, null) as gold_year_coverage,
        if(
            is_context_known and answer_type != 'no_answer' and not is_error, company_share, null
        ) as gold_company_coverage,
        if(is_context_known and not is_error, evidence_share, null) as evidence_in_context,
    from joined

),

{{ unstored_runs('items') }}

select
    *,
    current_timestamp as scored_at,
from unstored
