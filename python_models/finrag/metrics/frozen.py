"""The current runs under the metrics of primary endpoints, item by item, as `finrag baseline` freezes them and a later
build is held against them.

A frozen score belongs to an item and its text, so that only what both builds measured on the same text is a pair: other
questions drawn, or a changed corpus, make fewer pairs. The gold is not part of it: a question whose gold was edited is
still a pair, and its score may have changed by that alone.
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
    named = runs.filter(f"is_current and strategy != '{CHANCE}'").project(
        f"run_id as of_run, {PLACE} as place, {MODEL} as model"
    )
    texts = queries.project("suite as of_suite, query_id as of_query, left(text_hash, 12) as text_version")
    parts = [*scores_of_items(endpoints, registry, texts, items), scores_of_systems(endpoints, systems)]
    return reduce(lambda one, other: one.union(other), parts).join(named, "run_id = of_run").project(", ".join(SCORE))


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


def compare_with_frozen(session, scores, registry, baselines, file: Path) -> pyarrow.Table:
    """The columns of int_run_comparisons, of what is frozen (a) and what stands in its place now (b), and who they are:
    baseline_id, place, frozen_model, model. What is frozen and shares no item with a run of now is a row with nothing
    but these and its metric. Without a file there is no row, nor where nothing is shared: it is of another corpus.

    A frozen run is held against the current one of its place and model, or, where that model no longer runs, against
    each that does: a model that was swapped is what a baseline is for. scores: relation of int_headline_scores;
    baselines: of the seed, whose baselines count.
    """
    import pyarrow

    nothing = scores.project("'' as baseline_id, *").limit(0)
    frozen = session.sql(f"from {reader('parquet', str(file))}") if file.exists() else nothing
    known = baselines.project("baseline_id").distinct()
    frozen = frozen.join(known, "baseline_id", "semi").project(f"* replace ('{FROZEN}' || run_id as run_id)")
    names = "run_id, place, model"
    before = frozen.project(f"baseline_id, {names}").distinct().order("all").fetchall()
    now = scores.project(names).distinct().order("all").fetchall()
    models = {(place, model) for _, place, model in now}
    pairs = {
        f"{run_a}:{run_b}": (run_a, run_b, baseline_id, place, model_a, model_b)
        for baseline_id, run_a, place, model_a in before
        for run_b, place_b, model_b in now
        if place == place_b and (model_b == model_a or (place, model_a) not in models)
    }
    columns = ", ".join(SCORE)
    of_metrics = dict.fromkeys((*ITEMS.values(), *OF_SYSTEMS))
    compared = compare_systems(
        pairs=session.from_arrow(
            pyarrow.table(
                {
                    "run_id_a": pyarrow.array([pair[0] for pair in pairs.values()], pyarrow.string()),
                    "run_id_b": pyarrow.array([pair[1] for pair in pairs.values()], pyarrow.string()),
                }
            )
        ),
        scores=scores.project(columns).union(frozen.project(columns)),
        registry=registry,
        done=set(),
        items=of_metrics,
    )
    names = ("baseline_id", "place", "frozen_model", "model")
    for column, name in enumerate(names, start=2):
        told = [pairs[pair_id][column] for pair_id in compared["pair_id"].to_pylist()]
        compared = compared.append_column(name, pyarrow.array(told, pyarrow.string()))
    found = set(compared["run_id_a"].to_pylist())
    if not found:
        return compared
    columns = (*names[:3], "run_id_a", "gold_window", "gold_predicate", "metric", "k")
    alone = frozen.project("baseline_id, place, model, run_id, gold_window, gold_predicate, metric, k").distinct()
    rows = [dict(zip(columns, row, strict=True)) for row in alone.order("all").fetchall() if row[3] not in found]
    lacking = pyarrow.Table.from_pylist(rows, schema=compared.schema)
    return pyarrow.concat_tables([compared, lacking])
