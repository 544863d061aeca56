-- Does the model answer from its context, or from memory? Of every language model that was asked by a strategy of the
-- method closed_book (no context) or altered_evidence (the evidence with other figures in it), with 95 % intervals:
--   alone               how many questions it answers rightly with nothing to read: what it knows, or guesses
--   with a context      how many more with what a strategy shows it, question by question, as metrics.verdicts says
--   altered evidence    whose figure it states where the evidence has another one than the filing: the context's,
--                       or the filing's, which can only come from memory
-- Empty: neither strategy is in use, which the var retrieval_strategies changes.
with

strategies as (

    select
        strategy,
        method,
    from {{ ref('retrieval_strategies') }}
    where method in ('closed_book', 'altered_evidence')

),

metric_values as (

    select * from {{ ref('metric_values_by_run') }}
    where
        task = 'answer'
        and population = 'all'
        and stratum_by = 'overall'
        and is_current

),

verdicts as (

    select * from {{ ref('verdicts') }}
    where
        compared = 'answers'
        and comparison_kind = 'strategy'

),

altered_evidence as (

    select * from {{ ref('int_altered_evidence') }}

),

reasons as (

    select
        suite,
        reason,
        count(*) as n,
    from altered_evidence
    where reason is not null
    group by suite, reason

),

not_altered as (

    select
        suite,
        string_agg(n || ' ' || reason, ', ' order by n desc, reason) as not_altered,
    from reasons
    group by suite

),

told as (

    select
        metric_values.run_id,
        metric_values.suite,
        metric_values.model_id as model,
        metric_values.strategy,
        metric_values.replicate,
        strategies.method,
        metric_values.metric,
        metric_values.n_measured,
        metric_values.n_error,
        format(
            '{:.0f} % ({:.0f} to {:.0f})',
            100 * metric_values.value,
            100 * metric_values.ci_low,
            100 * metric_values.ci_high
        ) as share,
    from metric_values
    inner join strategies
        on metric_values.strategy = strategies.strategy
    where metric_values.value is not null

),

runs as (

    select
        run_id,
        suite,
        model,
        strategy,
        replicate,
        method,
        max(n_error) as n_failed,
        {%- for metric, name in [
            ('answer_accuracy', 'right'), ('false_abstention', 'unanswered'), ('follows_context', 'followed'),
            ('answers_from_memory', 'remembered'), ('states_neither_figure', 'neither'),
            ('no_answer_accuracy', 'absent')
        ] %}
            any_value(share) filter (where metric = '{{ metric }}') as share_{{ name }},
            any_value(n_measured) filter (where metric = '{{ metric }}') as n_{{ name }},
        {%- endfor %}
    from told
    group by
        run_id,
        suite,
        model,
        strategy,
        replicate,
        method

),

alone as (

    select
        runs.*,
        1 as place,
        'alone' as asked,
        runs.n_right as n,
        concat(
            format('of {} questions that a rule judges ', runs.n_right),
            runs.share_right,
            format(
                ' are answered rightly from nothing, {} of which have no answer and are right to be left; '
                || 'of {} others ',
                coalesce(runs.n_absent, 0), runs.n_unanswered
            ),
            runs.share_unanswered,
            ' are left'
        ) as in_words,
        null as not_altered,
    from runs
    where runs.method = 'closed_book'

),

with_context as (

    select
        runs.*,
        2 as place,
        'with a context' as asked,
        verdicts.n,
        verdicts.sentence as in_words,
        null as not_altered,
    from runs
    inner join verdicts
        on runs.run_id = verdicts.reference_run_id
    where runs.method = 'closed_book'

),

altered as (

    select
        runs.*,
        3 as place,
        'altered evidence' as asked,
        runs.n_followed as n,
        concat(
            format('of {} answers to evidence with other figures ', runs.n_followed),
            runs.share_followed,
            ' state its figure, ',
            runs.share_remembered,
            ' that of the filing from memory, ',
            runs.share_neither,
            ' another or both, ',
            runs.share_unanswered,
            ' none'
        ) as in_words,
        not_altered.not_altered,
    from runs
    left join not_altered
        on runs.suite = not_altered.suite
    where runs.method = 'altered_evidence'

),

together as (

    select * from alone
    union all
    select * from with_context
    union all
    select * from altered

)

select
    suite,
    model || if(replicate > 1, ' #' || replicate, '') as model,
    asked,
    n,
    in_words,
    n_failed,
    not_altered,
from together
order by
    suite,
    model,
    replicate,
    place,
    in_words
