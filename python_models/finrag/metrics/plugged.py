"""Metrics of retrieval that other packages add, by entry points of the group finrag.metrics (finrag.plugins).

A metric is named package:name, by its package and its entry point, so that it is never taken for one of ours. It is a
function of one query: the ids of the sentences found, best first and without the query's own, and the grade (1 or 2)
of each gold sentence by id. It gives a number, or None where the query has no value. The number is between 0 and 1,
unless the function has an attribute kind, one of KINDS. A query without gold scores 0 unasked, as in retrieval_items;
documents and pages that are ranked as wholes have no such value. The values are rolled up as those of any other metric,
over covered and all queries; runs are not compared by them.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.metrics.registry import Metric
from finrag.plugins import METRICS, called, load, plugins

if TYPE_CHECKING:
    import duckdb

Scorer = Callable[[Sequence[str], Mapping[str, int]], float | None]
KINDS = ("mean", "cosine", "amount", "score")
ITEM = ("run_id", "query_id", "gold_window", "gold_predicate")
GOLD = ("suite", "query_id", "gold_window", "gold_predicate")


def add_plugged(metrics: Sequence[Metric], session: duckdb.DuckDBPyConnection, *, items, hits, gold):
    """The metrics with those of other packages, and the items with a column for each of them.

    items, hits, gold: relations of retrieval items, of the hits of their runs, and of the gold of their suites.
    """
    points = plugins(METRICS)
    added = {f"{points[name].dist.name}:{name}": load(METRICS, name) for name in sorted(points)}
    if not added:
        return list(metrics), items
    plugged = [
        Metric(name, 0, f"plugged_{place}", kind_of(name, scorer), 0, ("covered", "all"), "every_run", False)
        for place, (name, scorer) in enumerate(added.items())
    ]
    asked = cases(items, hits, gold).fetchall()
    columns = {
        metric.column: [score_of(metric, added[metric.name], *row[len(ITEM) :]) for row in asked] for metric in plugged
    }
    return [*metrics, *plugged], joined(session, items, asked, columns, version_of(added))


def cases(items, hits, gold):
    """ITEM, the ids that were found in order, and the gold of every item, as lists of ids and grades."""
    found = hits.filter("rank is not null").aggregate(
        "run_id, query_id, list(sentence_id order by rank) as ids", "run_id, query_id"
    )
    graded = gold.filter("grade > 0").aggregate(
        f"{', '.join(GOLD)}, list(sentence_id order by sentence_id) as gold_ids, "
        "list(grade order by sentence_id) as grades",
        ", ".join(GOLD),
    )
    # the hits are sentences, which documents and pages are not
    of_sentences = items.filter("gold_predicate != 'place'")
    both = of_sentences.join(found, "run_id, query_id", how="left").join(graded, ", ".join(GOLD), how="left")
    lists = ", ".join(f"coalesce({name}, []) as {name}" for name in ("ids", "gold_ids", "grades"))
    return both.project(f"{', '.join(ITEM)}, {lists}").order(", ".join(ITEM))


def score_of(metric: Metric, scorer: Scorer, ids: list[str], gold_ids: list[str], grades: list[int]) -> float | None:
    """The value of one item; raises FinragError where it is none that the metric may have."""
    with called(METRICS, metric.name.partition(":")[2]):
        value = scorer(ids, dict(zip(gold_ids, grades, strict=True))) if gold_ids else 0.0
    low, high = metric.range
    if value is not None and not (isinstance(value, Real) and low <= value <= high):
        raise FinragError(
            f"The plugin {metric.name!r} of {METRICS} gave {value!r}. Allowed: numbers from {low} to {high}, or None; "
            f"a metric of another range has an attribute kind, one of {', '.join(KINDS)}."
        )
    return None if value is None else float(value)


def kind_of(name: str, scorer: Scorer) -> str:
    kind = getattr(scorer, "kind", "mean")
    if kind not in KINDS:
        raise FinragError(f"The plugin {name!r} of {METRICS} has the kind {kind!r}. Allowed: {', '.join(KINDS)}.")
    return kind


def joined(session: duckdb.DuckDBPyConnection, items, asked: list[tuple], columns: dict[str, list], version: str):
    """The items with the columns; version is part of theirs, so that other code is rolled up anew."""
    import pyarrow

    keys = zip(*(row[: len(ITEM)] for row in asked), strict=True) if asked else [()] * len(ITEM)
    of_keys = {name: pyarrow.array(column, pyarrow.string()) for name, column in zip(ITEM, keys, strict=True)}
    of_scores = {name: pyarrow.array(column, pyarrow.float64()) for name, column in columns.items()}
    scores = session.from_arrow(pyarrow.table(of_keys | of_scores))
    versioned = items.project(f"* replace (metrics_version || '{version}' as metrics_version)")
    return versioned.join(scores, ", ".join(ITEM), how="left")


def version_of(added: Mapping[str, Scorer]) -> str:
    """A checksum of the plugins' names and of the files that they stand in."""
    digest = hashlib.md5(usedforsecurity=False)
    for name, scorer in added.items():
        digest.update(name.encode())
        path = getattr(sys.modules.get(scorer.__module__), "__file__", None)
        digest.update(Path(path).read_bytes() if path else b"")
    return digest.hexdigest()
