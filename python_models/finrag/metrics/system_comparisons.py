"""Two systems' summaries or sentiment labels compared source by source or headline by headline, with the tests of
finrag.metrics.comparisons.

A pair is what does not depend on another pair: a source, whose items count by their mean, or a headline.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import groupby

from finrag.metrics.comparisons import Pairs, compare, to_table
from finrag.metrics.registry import Metric, code_checksum, read_metrics
from finrag.threads import one_blas_thread

ITEMS = ("faithfulness_items", "qag_items", "statement_items", "choice_items", "sentiment_items")
# The column gold_window of int_run_comparisons: there are no windows here.
NO_WINDOW = "none"
GROUP = "gold_predicate, stratum_by, stratum, metric"


def compare_systems(*, pairs, scores, registry, done: set[tuple[str, str]]):
    """Arrow table of the comparisons of all pairs, without those that done holds as (pair_id, comparison_version).

    pairs, scores, registry: relations of int_system_pairs, int_system_scores and the seed metrics. The columns are
    those of int_run_comparisons.
    """
    metrics = {
        metric.name: metric for items in ITEMS for metric in read_metrics(registry, items, []) if metric.is_compared
    }
    versions = dict(
        scores.aggregate(f"run_id, bit_xor(hash({GROUP}, unit_id, cluster_id, score))", "run_id").fetchall()
    )
    rows: list[tuple] = []
    with one_blas_thread():
        for run_a, run_b in pairs.project("run_id_a, run_id_b").distinct().order("all").fetchall():
            pair_id = f"{run_a}:{run_b}"
            decided_by = repr((versions.get(run_a), versions.get(run_b), sorted(metrics.items()), code_checksum()))
            version = hashlib.md5(decided_by.encode(), usedforsecurity=False).hexdigest()
            if (pair_id, version) in done:
                continue
            for gold_predicate, values in compare_pair(scores, run_a, run_b, metrics):
                rows.append((pair_id, run_a, run_b, NO_WINDOW, gold_predicate, *values, version))
    return to_table(rows)


def compare_pair(scores, run_a: str, run_b: str, metrics: Mapping[str, Metric]) -> Iterator[tuple[str, tuple]]:
    """Gold predicate, and the columns from stratum_by to minimum_detectable_effect, of every metric with pairs."""
    import numpy as np

    shared = (
        scores.filter(f"run_id in ('{run_a}', '{run_b}')")
        .aggregate(
            f"{GROUP}, unit_id, any_value(cluster_id) as cluster_id, "
            f"any_value(score) filter (run_id = '{run_a}') as score_a, "
            f"any_value(score) filter (run_id = '{run_b}') as score_b",
            f"{GROUP}, unit_id",
        )
        .filter("score_a is not null and score_b is not null")
        .order("all")
    )
    for (gold_predicate, stratum_by, stratum, name), rows in groupby(shared.fetchall(), key=lambda row: row[:4]):
        if name not in metrics:
            continue
        ids, clusters, scores_a, scores_b = zip(*(row[4:] for row in rows), strict=True)
        pair = Pairs(
            ids=np.array(ids),
            clusters=np.unique(clusters, return_inverse=True)[1],
            values_a=np.array(scores_a, float)[:, None],
            values_b=np.array(scores_b, float)[:, None],
        )
        for _, (_, _, *values) in compare([pair], [metrics[name]], strata=()):
            yield gold_predicate, (stratum_by, stratum, *values)
