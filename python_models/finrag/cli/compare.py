"""Which of two runs is better, and is it sure: metrics.verdicts in words. Of two builds, what each figure was."""

from __future__ import annotations

from finrag.build.results import counted
from finrag.errors import FinragError
from finrag.metrics.registry import ANCHOR_SUITES
from finrag.project import command, existing_warehouse

# Of the two ways to read a pair, the one whose candidate holds the first word, or else the one that is shown first.
VERDICTS = """
    with

    verdicts as (

        select
            *,
            concat_ws(' ', coalesce(suite, dataset), nullif(setting, '')) as place,
            -- of two regimes each stands in brackets behind what it is the regime of
            translate(concat_ws(
                ' ', '', place, comparison_kind, candidate, reference, metric, candidate_run_id, reference_run_id, ''
            ), '()', '') as told,
        from metrics.verdicts

    )

    select
        place,
        sentence,
        metric || if(k > 0, '@' || k, '') as metric,
        candidate_value,
        reference_value,
        floor_value,
        if(comparison_kind = 'regime', reference_floor_value, null) as reference_floor_value,
        n,
        n_clusters,
        p_adjusted,
    from verdicts
    where if(len($words) = 0, is_headline, list_bool_and([contains(told, ' ' || word || ' ') for word in $words]))
    qualify row_number() over (
        partition by
            least(candidate_run_id, reference_run_id), greatest(candidate_run_id, reference_run_id), comparison_kind,
            metric, k, gold_window, gold_predicate
        order by
            coalesce(contains(' ' || translate(candidate, '()', '') || ' ', ' ' || $words[1] || ' '), false) desc,
            is_headline desc,
            is_primary desc
    ) = 1
    order by is_headline desc, place desc, abs(difference) desc, candidate, reference
    limit $limit
"""

BUILD = "build:"
# A build by the beginning of its id or commit, or as last, last-1 and so on.
BUILDS = """
    select build_id, strftime(started_at, '%Y-%m-%d %H:%M'), coalesce(git_commit, '')
    from metrics.builds
    where
        $name != '' and (starts_with(build_id, $name) or starts_with(git_commit, $name))
        or $name = 'last' || if(n_later = 0, '', '-' || n_later)
    order by started_at desc
    limit 1
"""
# What stands in the same place in both: of the same model, or of any where that model no longer runs. Then what stands
# in one of them alone.
BUILD_VALUES = """
    with

    named as (

        select
            *,
            concat_ws(
                ' ', nullif(suite, 'none'), nullif(dataset, 'none'), if(task = 'retrieval', null, task),
                nullif(regime, 'none'), nullif(strategy, 'none'), nullif(judge_model, 'none'),
                nullif(question_model, 'none'), if(replicate > 1, '#' || replicate, null)
            ) as place,
            concat_ws(
                ' ', if(task = 'retrieval', null, system), if(task = 'retrieval', null, nullif(model_id, system)),
                nullif(embedding_model, 'none')
            ) as model,
        from metrics.build_values
        where strategy != 'random'

    ),

    before as (select * from named where build_id = $before),
    now as (select * from named where build_id = $now),

    pairs as (

        select
            columns(now.*) as 'now_\\0',
            columns(before.*) as 'before_\\0',
        from now
        inner join before
            on
                now.place = before.place
                and (now.metric, now.k, now.gold_window, now.variant)
                = (before.metric, before.k, before.gold_window, before.variant)
        where
            now.model = before.model
            or (before.place, before.model) not in (select (now.place, now.model) from now)

    ),

    told as (

        from pairs
        union all by name
        select columns(now.*) as 'now_\\0' from now
        where (run_id, metric, k, gold_window, variant) not in (
            select (now_run_id, now_metric, now_k, now_gold_window, now_variant) from pairs
        )
        union all by name
        select columns(before.*) as 'before_\\0' from before
        where (run_id, metric, k, gold_window, variant) not in (
            select (before_run_id, before_metric, before_k, before_gold_window, before_variant) from pairs
        )

    )

    select
        coalesce(now_place, before_place) as place,
        coalesce(now_metric, before_metric) || if(coalesce(now_k, before_k) > 0, '@' || coalesce(now_k, before_k), '')
            as metric,
        [before_run_id, now_run_id] as runs,
        [before_model, now_model] as models,
        (before_value, before_ci_low, before_ci_high, before_n) as was,
        (now_value, now_ci_low, now_ci_high, now_n) as is_now,
    from told
    order by
        coalesce(before_run_id = now_run_id, false), abs(now_value - before_value) desc nulls last, place,
        now_model nulls last, before_model
"""


def show_builds(connection, before: str, now: str, limit: int) -> None:
    """Print each primary endpoint of the second build beside that of the first."""
    first, second = (build_named(connection, name) for name in (before, now))
    print(f"Builds of {' '.join(filter(None, first[1:]))} and {' '.join(filter(None, second[1:]))}:")
    rows = connection.execute(BUILD_VALUES, {"before": first[0], "now": second[0]}).fetchall()
    for row in rows[:limit]:
        print(beside(*row))
    if len(rows) > limit:
        print(f"{len(rows) - limit:,} lines more: --limit {len(rows)}.")
    print(f"Whether a run is worse than one before is tested item by item against a baseline: {command('gate')}.")


def beside(place: str, metric: str, runs: list, models: list, *values: tuple) -> str:
    """What a figure was and is, of one run, of one and what is in its place, or of one that the other build has not."""
    was, is_now = (figure(each) for each in values)
    (run, other), (model, now) = runs, models
    if run is None or other is None:
        named = " ".join(filter(None, (place, metric, now or model)))
        return f"{named}: in the second only, {is_now}" if run is None else f"{named}: in the first only, {was}"
    swapped = "" if model == now else f", {model or 'no model'} then {now or 'no model'}"
    return f"{place} {metric}{swapped}: {was}{', the same run' if run == other else f', then {is_now}'}"


def figure(value: tuple) -> str:
    *values, n = value
    told, low, high = ("nothing" if each is None else f"{each:.3f}" for each in values)
    return f"{told} ({low} to {high}), n {n or 0:,}"


def build_named(connection, name: str) -> tuple[str, str, str]:
    numbered = "(select *, row_number() over (order by started_at desc) - 1 as n_later from metrics.builds)"
    found = connection.execute(BUILDS.replace("metrics.builds", numbered), {"name": name}).fetchone()
    if not found:
        [count] = connection.execute("select count(*) from metrics.builds").fetchone()
        raise FinragError(
            f"Of {counted(count, 'build')} so far none is '{name}'. Allowed: {BUILD}last, {BUILD}last-1 for the one "
            "before, or the beginning of a build_id or commit of metrics.builds."
        )
    return found


def show(words: list[str], limit: int) -> None:
    """Print the verdicts that hold every word, the first word's as the candidate; without words, the headlines."""
    import duckdb

    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        try:
            if len(words) == 2 and all(word.startswith(BUILD) for word in words):
                return show_builds(connection, *(word.removeprefix(BUILD) for word in words), limit)
            found = connection.execute(VERDICTS, {"words": words, "limit": limit}).fetchall()
        except duckdb.CatalogException as error:
            raise FinragError(f"The warehouse holds no comparisons. Build it: {command('build')}") from error
    if not found:
        raise FinragError(
            f"No comparison speaks of {' and '.join(words) or 'a primary endpoint'}. {command('compare')} lists those "
            "that decide; each word is one of a suite, regime, strategy, model, system or metric, or a run_id."
        )
    for place, sentence, *figures in found:
        print(f"{place}: {sentence}\n    {in_figures(figures)}")
    if any(place.split()[0] in ANCHOR_SUITES for place, *_ in found):
        print(
            f"Figures of {' and '.join(ANCHOR_SUITES)} are means of the anchors as drawn, as many of short items as of "
            "long ones; a build's lines and the scorecards weigh them to the corpus."
        )


def in_figures(figures: list) -> str:
    """`hit@5 0.874 against 0.269, blind draws 0.000; n 238, 80 clusters; p 0.0004, corrected`."""
    metric, candidate, reference, *floors, n, n_clusters, p_adjusted = figures
    blind = " against ".join(f"{floor:.3f}" for floor in floors if floor is not None)
    blind = f", blind draws {blind}" if blind else ""
    tested = "no test" if p_adjusted is None else f"p {p_adjusted:.4f}, corrected"
    return f"{metric} {candidate:.3f} against {reference:.3f}{blind}; n {n:,}, {n_clusters:,} clusters; {tested}"
