"""Values of every metric of answers by run and stratum: the rollup of retrieval metrics over other items.

An item is an answer. Its cluster is its question with all its phrasings, so several answers to one question, as
external runs have, do not count as independent.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from finrag.metrics.items import read_items
from finrag.metrics.registry import Metric, read_metrics
from finrag.metrics.rollup import RUN, Stratum, read_strata, roll_up, rollup_versions, to_table
from finrag.threads import one_blas_thread

ITEMS = "answer_items"
# No windows around anchors here: the columns of metric_values that tell gold sets apart.
VARIANT = ("none", "answer")


def roll_up_answers(*, runs, items, strata, registry, done: set[tuple[str, str]]):
    """Arrow table of the values of the current runs, without those that done holds as (run_id, rollup_version).

    runs, items, strata, registry: relations of answer_runs, answer_items, int_query_strata of the questions, and the
    seed metrics. The columns are those of int_anchor_metric_values.
    """
    metrics = read_metrics(registry, ITEMS, [])
    versions = rollup_versions(runs, items, strata, metrics)
    rows: list[tuple] = []
    strata_of: dict[str, list[Stratum]] = {}
    with one_blas_thread():
        for head in runs.project(", ".join(RUN)).order("suite, run_id").fetchall():
            run_id, suite = head[:2]
            if run_id not in versions or (run_id, versions[run_id]) in done:
                continue
            if suite not in strata_of:
                strata_of[suite] = read_strata(strata.filter(f"suite = '{suite}'"))
            of_run = items.filter(f"run_id = '{run_id}'")
            for values in run_values(of_run, metrics, strata_of[suite]):
                rows.append((*head, *VARIANT, *values, versions[run_id]))
    return to_table(rows)


def run_values(items, metrics: Sequence[Metric], strata: Sequence[Stratum]) -> Iterator[tuple]:
    """The values of one run, see roll_up. items: its rows of answer_items."""
    answers_of: dict[str, list[str]] = {}
    for answer_id, query_id in items.project("answer_id, query_id").fetchall():
        answers_of.setdefault(query_id, []).append(answer_id)
    of_answers = [
        dataclasses.replace(
            stratum, ids=frozenset(answer for query in stratum.ids for answer in answers_of.get(query, ()))
        )
        for stratum in strata
    ]
    for variant in read_items(items, metrics, variant=(), item_id="answer_id"):
        yield from roll_up(variant, metrics, of_answers)
