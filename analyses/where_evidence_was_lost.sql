-- Where was the evidence of the questions lost, and what is there to gain? For every search, and for the answers made from
-- it, the share of the gold evidence that got no further than each stage, over all questions that name any, and in words
-- the largest loss with its 95 % interval. Two arms say what a stage is worth, on the same questions without an interval:
--   a search   what multi_path shows of the questions in which it understood companies and years as the gold has them, so
--              that it searched within the right filings, beside what the search itself shows of these
--              (it also searches without headings and exhibits, and shows what stands beside the best hits)
--   answers    how many of those that a rule judges are right where all evidence was shown, and where some was not
--              (questions whose evidence is found may be the easier ones)
with

metric_values as (

    select * from {{ ref('metric_values_by_run') }}
    where
        variant = 'facts'
        and stratum_by = 'overall'
        and is_current

),

items as (

    select * from {{ ref('evidence_losses') }}

),

search_runs as (

    select * from {{ ref('retrieval_runs') }}

),

extraction as (

    select * from {{ ref('extraction_items') }}

),

-- What cannot be traced, since there is nothing to find or it is not known what was read, is in no share.
not_traced as (

    select
        run_id,
        count(*) as n_not_traced,
    from items
    where
        reason is not null
        and not is_error
    group by run_id

),

losses as (

    select
        *,
        kept + coalesce(lost_at_answer + not_judged, 0) as shown,
    from items
    where reason is null

),

stages as (

    select
        unnest(range(7)) as stage_order,
        unnest(['corpus', 'company', 'document', 'section', 'sentence', 'context', 'answer']) as stage,

),

lost as (

    select
        metric_values.run_id,
        string_agg(format('{} {:.1f}', stages.stage, 100 * metric_values.value), ', ' order by stages.stage_order)
            as percent_lost_at,
        -- of losses alike the earliest, which has to be mended first
        first(
            format(
                '{}: {:.0f} % ({:.0f} to {:.0f})',
                stages.stage,
                100 * metric_values.value,
                100 * metric_values.ci_low,
                100 * metric_values.ci_high
            ) order by metric_values.value desc, stages.stage_order
        ) as largest,
    from metric_values
    inner join stages
        on metric_values.metric = 'lost_at_' || stages.stage
    where metric_values.value is not null
    group by metric_values.run_id

),

kept as (

    select
        run_id,
        suite,
        task,
        concat_ws(' ', strategy, nullif(embedding_model, 'none'), 'answered by ' || nullif(model_id, 'none')) as system,
        n_measured as n,
        n_error as n_failed,
        format('{:.0f} % ({:.0f} to {:.0f})', 100 * value, 100 * ci_low, 100 * ci_high) as told,
    from metric_values
    where
        metric = 'evidence_kept'
        and value is not null

),

-- What multi_path shows of the questions that it understood, of its runs the one with the search's own vectors first.
in_right_filings as (

    select
        losses.query_id,
        losses.suite,
        losses.run_id,
        losses.embedding_model,
        losses.shown,
    from losses
    inner join search_runs
        on losses.run_id = search_runs.run_id
    inner join extraction
        on losses.query_id = extraction.query_id
    where
        losses.task = 'retrieval'
        and search_runs.method = 'multi_path'
        and extraction.are_companies_right
        and extraction.are_years_right

),

filing_arms as (

    select
        losses.run_id,
        count(*) as n_told,
        avg(losses.shown) as shown,
        avg(in_right_filings.shown) as shown_in_right_filings,
    from losses
    inner join in_right_filings
        on losses.query_id = in_right_filings.query_id
    where losses.task = 'retrieval'
    group by
        losses.run_id,
        losses.embedding_model,
        in_right_filings.run_id,
        in_right_filings.embedding_model
    qualify row_number() over (
            partition by losses.run_id
            order by losses.embedding_model = in_right_filings.embedding_model desc, in_right_filings.run_id
        ) = 1

),

answer_arms as (

    select
        run_id,
        count(*) filter (where shown > 1 - 1e-9) as n_all_shown,
        avg(is_correct::integer) filter (where shown > 1 - 1e-9) as right_with_all,
        count(*) filter (where shown <= 1 - 1e-9) as n_some_lost,
        avg(is_correct::integer) filter (where shown <= 1 - 1e-9) as right_without,
    from losses
    where
        task = 'answer'
        and is_correct is not null
    group by run_id

),

shown as (

    select
        run_id,
        any_value(regime) as regime,
        avg(shown) as shown,
        avg(not_judged) as not_judged,
        avg(len(list_filter(found_ranks, lambda rank: rank <= 5)) / n_facts) as found_at_5,
    from losses
    group by run_id

)

select
    kept.suite,
    shown.regime || ' ' || kept.system as system,
    concat(
        format('of the evidence of {} questions {} ', kept.n, kept.told),
        if(
            kept.task = 'answer',
            format('is in right answers, {:.0f} % in answers not judged', 100 * shown.not_judged),
            'was shown'
        ),
        '; largest loss at ' || lost.largest
    ) as in_words,
    case
        when kept.task = 'answer'
            then concat_ws(
                    '; ',
                    format('all shown: {:.0f} % of {} right', 100 * answer_arms.right_with_all, answer_arms.n_all_shown),
                    format('not all shown: {:.0f} % of {} right', 100 * answer_arms.right_without, answer_arms.n_some_lost)
                )
        when search_runs.method != 'multi_path' and shown.regime = 'open'
            then format(
                    'in the right filings {:.0f} % instead of {:.0f} % of {} questions',
                    100 * filing_arms.shown_in_right_filings, 100 * filing_arms.shown, filing_arms.n_told
                )
    end as what_it_is_worth,
    lost.percent_lost_at,
    round(100 * shown.found_at_5, 1) as percent_found_at_5,
    kept.n_failed,
    coalesce(not_traced.n_not_traced, 0) as n_not_traced,
from kept
inner join lost
    on kept.run_id = lost.run_id
inner join shown
    on kept.run_id = shown.run_id
left join not_traced
    on kept.run_id = not_traced.run_id
left join search_runs
    on kept.run_id = search_runs.run_id
left join filing_arms
    on kept.run_id = filing_arms.run_id
left join answer_arms
    on kept.run_id = answer_arms.run_id
order by
    kept.suite,
    kept.task desc,
    shown.shown desc,
    system
