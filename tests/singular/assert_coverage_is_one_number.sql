-- A suite's coverage was 150 of 164 in one table and 164 of 164 in another. A question is covered when it has gold in the
-- corpus, in every table; an answer to a question that has none is covered as well when the right answer is that there is
-- none. Every question counts in every denominator, but one without a gold answer in none of answers: nobody is asked it.
with

suite_coverage as (

    select * from {{ ref('p3_suite_coverage') }}

),

gold_versions as (

    select * from {{ ref('gold_versions') }}

),

gold_counts as (

    select * from {{ ref('int_question_gold_counts') }}
    {{ by_evidence('query_id') }}

),

asked as (

    select
        questions.suite,
        count(*) as question_count,
        count(*) filter (where gold_counts.is_covered or questions.answer_type = 'no_answer') as covered_question_count,
    from {{ ref('p3_questions') }} as questions
    left join gold_counts
        on questions.query_id = gold_counts.query_id
    where questions.answer_type != 'unstated'
    group by questions.suite

),

retrieval_values as (

    select * from {{ ref('metric_values_by_run') }}
    where
        task = 'retrieval'
        and is_current
        and metric = 'coverage'
        and variant = 'evidence'
        and stratum_by = 'overall'

),

scorecard as (

    select p3_scorecard.*
    from {{ ref('p3_scorecard') }} as p3_scorecard
    inner join {{ ref('answer_runs') }} as answer_runs
        on p3_scorecard.run_id = answer_runs.run_id
    where
        p3_scorecard.is_current
        and p3_scorecard.stratum_by = 'overall'
        and p3_scorecard.population = 'all'
        -- answers made elsewhere are those that their maker chose to give
        and answer_runs.source != 'external'
        -- evidence with other figures is put to the numeric questions alone
        and p3_scorecard.strategy not in (
            select strategies.strategy
            from {{ ref('retrieval_strategies') }} as strategies
            where strategies.method = 'altered_evidence'
        )

),

counts as (

    select
        'gold_versions' as counted_in,
        suite,
        query_count as questions,
        covered_count as covered,
    from gold_versions
    semi join suite_coverage
        on gold_versions.suite = suite_coverage.suite

    union all

    select
        'metric_values' as counted_in,
        suite,
        n_total as questions,
        n_covered as covered,
    from retrieval_values

),

expected as (

    select
        counts.*,
        suite_coverage.question_count,
        suite_coverage.covered_question_count,
    from counts
    left join suite_coverage
        on counts.suite = suite_coverage.suite

    union all

    select
        'p3_scorecard' as counted_in,
        scorecard.suite,
        scorecard.n_total as questions,
        scorecard.n_covered as covered,
        asked.question_count,
        asked.covered_question_count,
    from scorecard
    inner join asked
        on scorecard.suite = asked.suite

)

select *
from expected
where
    question_count is null
    or questions != question_count
    or covered != covered_question_count
