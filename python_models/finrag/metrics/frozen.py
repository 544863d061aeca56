"""The current runs under the metrics of primary endpoints, item by item, as `finrag baseline` freezes them and a later
build is held against them.

A frozen score belongs to an item and its text, so that only what both builds measured on the same text is a pair: other
questions drawn, or a changed corpus, make fewer pairs. The gold is not part of it: a question whose gold was edited is
still a pair, and its score may have changed by that alone.

What a run was measured on, and others of this build still are, but the run itself has no score of (a call that failed,
an answer that is missing), counts as nothing found: a system that no longer answers what it got wrong is no better.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.reader import reader
from finrag.metrics.items import TASKS
from finrag.metrics.registry import read_metrics
from finrag.metrics.system_comparisons import ITEMS as OF_SYSTEMS
from finrag.metrics.system_comparisons import compare_systems
from finrag.project import own_registries, seeds_folder

if TYPE_CHECKING:
    import pyarrow

FILE = "baseline_scores.parquet"
# The items model of each kind of endpoint that is compared item by item; systems have scores already.
ITEMS = {"runs": "retrieval_items", "answers": "answer_items"}
# What blind draws score is no run that could get worse.
CHANCE = "random"
SCORE = (
    "run_id", "place", "model", "unit_id", "cluster_id", "second_cluster_id", "gold_window", "gold_predicate",
    "stratum_by", "stratum", "metric", "k", "score", "weight",
)  # fmt: skip
GROUP = ("gold_window", "gold_predicate", "metric", "k")
RUNS = ("run_id_a", "run_id_b")
FROZEN = "frozen "
# What a run is of, but for the model in it, and the model.
PLACE = (
    "concat_ws(' ', nullif(suite, 'none'), nullif(dataset, 'none'), if(task in ('retrieval', 'answer'), null, task), "
    "nullif(regime, 'none'), nullif(strategy, 'none'), if(task = 'answer', 'answers', null), "
    "if(judge_model = 'none', null, 'judged by ' || judge_model), nullif(question_model, 'none'), "
    "if(replicate > 1, '#' || replicate, null))"
)
MODEL = (
    "concat_ws(' ', if(task = 'retrieval', null, if(system = model_id, system, concat_ws(' ', system, model_id))), "
    "nullif(embedding_model, 'none'))"
)


def frozen_file() -> Path:
    """What a person froze, else what came with the product: the demo's own runs."""
    own = own_registries() / FILE
    return own if own.exists() else seeds_folder() / FILE


def current_scores(endpoints, registry, runs, queries, systems, items: dict[str, object]):
    """Relation with the columns SCORE: one row per current run, item and metric of a primary endpoint.

    endpoints: of int_suite_endpoints; registry: the seed metrics; runs: of all runs; queries: of
    gold.retrieval_queries; systems: of int_system_scores; items: of the items models of ITEMS, by name.
    """
    named = current_runs(runs, items["answer_items"]).project("run_id as of_run, place, model")
    texts = queries.project("suite as of_suite, query_id as of_query, left(text_hash, 12) as text_version")
    parts = [*scores_of_items(endpoints, registry, texts, items), scores_of_systems(endpoints, systems)]
    return reduce(lambda one, other: one.union(other), parts).join(named, "run_id = of_run").project(", ".join(SCORE))


def current_runs(runs, answers):
    """Relation of run_id, place and model of what runs now. runs: of all runs; answers: of answer_items, for of several
    answers to a question it is not known which would be the pair, and none of them is missing."""
    several = answers.filter("not is_error").aggregate(
        "run_id as of_several, count(*) - count(distinct query_id) as more"
    )
    of_now = runs.filter(f"is_current and strategy != '{CHANCE}'").join(
        several.filter("more > 0"), "run_id = of_several", "anti"
    )
    return of_now.project(f"run_id, {PLACE} as place, {MODEL} as model")


def scores_of_items(endpoints, registry, texts, items: dict[str, object]) -> Iterator:
    names = "compared, suite, gold_window, gold_predicate, metric, k"
    for compared, suite, gold_window, gold_predicate, name, k in (
        endpoints.project(names).distinct().order("all").fetchall()
    ):
        if compared not in ITEMS:
            continue
        task = TASKS[ITEMS[compared]]
        [metric] = [each for each in read_metrics(registry, task.items, [k]) if each.name == name]
        measured = items[task.items].filter(
            f"is_covered and not is_error and {metric.column} is not null and {task.gold_window} = '{gold_window}' "
            f"and {task.variant} = '{gold_predicate}' and suite = '{suite}'"
        )
        # of several answers to a question it is not known which would be the pair
        counts = measured.aggregate("run_id as once_run, count(*) - count(distinct query_id) as more", "run_id")
        yield (
            measured.join(counts.filter("more = 0").set_alias("once"), "run_id = once_run", "semi")
            .join(texts, "suite = of_suite and query_id = of_query")
            .project(
                f"run_id, query_id || ' ' || text_version as unit_id, cluster_id, "
                f"({task.second_cluster_id})::varchar as second_cluster_id, '{gold_window}' as gold_window, "
                f"'{gold_predicate}' as gold_predicate, 'overall' as stratum_by, 'all' as stratum, "
                f"'{name}' as metric, {k} as k, {metric.column}::double as score, 1.0::double as weight"
            )
        )


def scores_of_systems(endpoints, systems):
    wanted = endpoints.filter("compared = 'systems'").project("gold_predicate as of_predicate, metric as of_metric")
    return (
        systems.filter("stratum_by = 'overall' and score is not null")
        .join(wanted.distinct(), "gold_predicate = of_predicate and metric = of_metric")
        .project(
            "run_id, unit_id, cluster_id, null::varchar as second_cluster_id, 'none' as gold_window, gold_predicate, "
            "stratum_by, stratum, metric, 0 as k, score, weight"
        )
    )


def freeze(scores, name: str) -> pyarrow.Table:
    """What is written to the file. scores: relation of int_headline_scores."""
    return scores.project(f"'{name}' as baseline_id, {', '.join(SCORE)}").order("all").to_arrow_table()


def compare_with_frozen(session, scores, runs, registry, baselines, file: Path) -> pyarrow.Table:
    """The columns of int_run_comparisons, of what is frozen (a) and what stands in its place now (b), and who they are:
    baseline_id, place, frozen_model, model, n_frozen, n_missing. What is frozen and shares no item with a run of now is
    a row with nothing but these and its metric. Without a file there is no row, nor where nothing is shared: it is of
    another corpus.

    A frozen run is held against the current one of its place and model, or, where that model no longer runs, against
    each that does: a model that was swapped is what a baseline is for. scores: relation of int_headline_scores; runs:
    of current_runs; baselines: of the seed, whose baselines count.
    """
    import pyarrow

    nothing = scores.project("'' as baseline_id, *").limit(0)
    frozen = session.sql(f"from {reader('parquet', str(file))}") if file.exists() else nothing
    known = baselines.project("baseline_id").distinct()
    frozen = frozen.join(known, "baseline_id", "semi").project(f"* replace ('{FROZEN}' || run_id as run_id)")
    names = "run_id, place, model"
    before = frozen.project(f"baseline_id, {names}").distinct().order("all").fetchall()
    now = runs.project(names).order("all").fetchall()
    models = {(place, model) for _, place, model in now}
    pairs = {
        f"{run_a}:{run_b}": (run_a, run_b, baseline_id, place, model_a, model_b)
        for baseline_id, run_a, place, model_a in before
        for run_b, place_b, model_b in now
        if place == place_b and (model_b == model_a or (place, model_a) not in models)
    }
    columns = ", ".join(SCORE)
    ids = pyarrow.table([[pair[0] for pair in pairs.values()], [pair[1] for pair in pairs.values()]], RUNS)
    held = session.from_arrow(ids.cast(pyarrow.schema([(name, pyarrow.string()) for name in RUNS])))
    missing = missing_items(frozen, scores, registry, held)
    together = scores.project(columns).union(frozen.project(columns)).union(missing.project(columns))
    # every pair reads them: once joined and read from the file is enough
    session.execute(f"create or replace temp table scores_to_compare as {together.sql_query()}")
    compared = compare_systems(
        pairs=held,
        scores=session.table("scores_to_compare"),
        registry=registry,
        done=set(),
        items=dict.fromkeys((*ITEMS.values(), *OF_SYSTEMS)),
    )
    names = ("baseline_id", "place", "frozen_model", "model")
    for column, name in enumerate(names, start=2):
        told = [pairs[pair_id][column] for pair_id in compared["pair_id"].to_pylist()]
        compared = compared.append_column(name, pyarrow.array(told, pyarrow.string()))
    sizes, lacking = counted(frozen, "run_id"), counted(missing, "run_id_a", "run_id")
    keys = list(zip(*(compared[name].to_pylist() for name in (*RUNS, *GROUP)), strict=True))
    for name, counts in (
        ("n_frozen", [sizes[run_a, *group] for run_a, _, *group in keys]),
        ("n_missing", [lacking.get((run_a, run_b, *group), 0) for run_a, run_b, *group in keys]),
    ):
        compared = compared.append_column(name, pyarrow.array(counts, pyarrow.int64()))
    found = set(compared["run_id_a"].to_pylist())
    if not found:
        return compared
    return pyarrow.concat_tables([compared, runs_without_pairs(frozen, scores, found, compared.schema)])


def missing_items(frozen, scores, registry, runs):
    """Items of frozen runs that are measured now, but not of the run in their place: as rows of that run, with score 0,
    and run_id_a. Only of metrics of which more is better."""
    group = ", ".join((*GROUP, "unit_id"))
    rising = registry.filter("higher_is_better").project("metric as of_metric").distinct()
    asked = scores.project(group).distinct()
    of_runs = runs.project("run_id_a as frozen_run, run_id_b").join(
        frozen.join(rising, "metric = of_metric", "semi"), "frozen_run = run_id"
    )
    still_asked = (
        of_runs.project("* exclude (frozen_run)")
        .set_alias("before")
        .join(
            asked.set_alias("asked"),
            " and ".join(f"before.{name} = asked.{name}" for name in (*GROUP, "unit_id")),
            "semi",
        )
    )
    same = " and ".join(f"was.{name} = has.{name}" for name in (*GROUP, "unit_id"))
    lost = still_asked.set_alias("was").join(
        scores.project(f"run_id as run_now, {group}").set_alias("has"), f"run_id_b = run_now and {same}", "anti"
    )
    return lost.project("* exclude (run_id, run_id_b, score), run_id as run_id_a, run_id_b as run_id, 0.0 as score")


def runs_without_pairs(frozen, scores, found: set[str], schema: pyarrow.Schema) -> pyarrow.Table:
    """Frozen runs that share no item with a current one, by metric; n_missing: what others are still measured on."""
    import pyarrow

    names = ("baseline_id", "place", "frozen_model", "run_id_a", *GROUP)
    asked = set(scores.project(", ".join((*GROUP, "unit_id"))).distinct().fetchall())
    rows: dict[tuple, list] = {}
    told = f"baseline_id, place, model, run_id, {', '.join(GROUP)}, unit_id"
    for *row, unit_id in frozen.project(told).order("all").fetchall():
        if row[3] not in found:
            rows.setdefault(tuple(row), []).append((*row[4:], unit_id) in asked)
    return pyarrow.Table.from_pylist(
        [
            dict(zip(names, row, strict=True)) | {"n_frozen": len(units), "n_missing": sum(units)}
            for row, units in rows.items()
        ],
        schema=schema,
    )


def counted(items, *runs: str) -> dict[tuple, int]:
    """How many rows there are of each run, or pair of runs, and metric."""
    by = ", ".join((*runs, *GROUP))
    return {tuple(row): count for *row, count in items.aggregate(f"{by}, count(*)", by).fetchall()}
