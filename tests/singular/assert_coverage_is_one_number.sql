-- A suite's coverage was 150 of 164 in one table and 164 of 164 in another. A question is covered when it has gold in the
-- corpus, in every table; an answer to a question that has none is covered as well when the right answer is that there is
-- none. Every question counts in every denominator.
with

suite_coverage as (

    select * from {{ ref('p3_suite_coverage') }}

),

gold_versions as (

    select * from {{ ref('gold_versions') }}

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

    union all

    select
        'p3_scorecard' as counted_in,
        scorecard.suite,
        scorecard.n_total as questions,
        scorecard.n_covered - suite_coverage.no_answer_count as covered,
    from scorecard
    inner join suite_coverage
        on scorecard.suite = suite_coverage.suite

)

select
    counts.*,
    suite_coverage.question_count,
    suite_coverage.covered_question_count,
from counts
left join suite_coverage
    on counts.suite = suite_coverage.suite
where
    suite_coverage.suite is null
    or counts.questions != suite_coverage.question_count
    or counts.covered != suite_coverage.covered_question_count
