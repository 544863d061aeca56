"""Values of the sentiment metrics by run, rule and class, in the columns of int_metric_values.

The rule by which a reply is read for a label (finrag.sentiment.matching) stands in gold_predicate, the data set in
regime. Over all headlines of a run, stratum `all`: accuracy, macro-F1, Matthews' correlation and the share of replies
without a label. Per class, stratum_by `class`: precision over the headlines that were given the class, recall over
those that have it, F1 over both. A failed call is in none of them; a reply without a label is wrong in all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from finrag.metrics.registry import code_checksum
from finrag.metrics.rollup import to_table
from finrag.sentiment.matching import RULES
from finrag.statistics import confusion as tables
from finrag.statistics.bootstrap import seed_of
from finrag.statistics.wilson import wilson_interval

if TYPE_CHECKING:
    import numpy as np

RUN = ("run_id", "dataset", "system")
SUITE = "sentiment"
OVERALL = {
    "label_accuracy": tables.accuracy,
    "missing_rate": tables.missing_rate,
    "macro_f1": tables.macro_f1,
    "mcc": tables.mcc,
}
PER_CLASS = {"class_precision": tables.precision, "class_recall": tables.recall, "class_f1": tables.f1}
PROPORTIONS = ("label_accuracy", "missing_rate", "class_precision", "class_recall")


def roll_up_sentiment(*, items, done: set[tuple[str, str]]):
    """Arrow table of the values of the runs in items, without those that done holds as (run_id, rollup_version).

    items: relation of sentiment_items.
    """
    rows: list[tuple] = []
    for run_id, dataset, system, items_version in (
        items.aggregate(f"{', '.join(RUN)}, max(items_version) as items_version", ", ".join(RUN))
        .order("all")
        .fetchall()
    ):
        version = hashlib.md5(f"{items_version}{code_checksum()}".encode(), usedforsecurity=False).hexdigest()
        if (run_id, version) in done:
            continue
        of_run = items.filter(f"run_id = '{run_id}'")
        for rule in RULES:
            head = (run_id, SUITE, dataset, system, "none", "none", rule)
            rows += [(*head, *values, version) for values in rule_values(of_run, rule)]
    return to_table(rows)


def rule_values(items, rule: str) -> Iterator[tuple]:
    """The values of one run by one rule, from population to n_clusters as in int_metric_values."""
    import numpy as np

    columns = f"text_hash, choices, gold_label, label_{rule}, is_error"
    rows = items.order("text_hash, headline_id").project(columns).fetchall()
    n_total = len(rows)
    labels = list(dict.fromkeys(choice for row in rows for choice in row[1]))
    measured = [row for row in rows if not row[4]]
    n_error = n_total - len(measured)
    gold = np.array([labels.index(row[2]) for row in measured], int)
    predicted = np.array([len(labels) if row[3] is None else labels.index(row[3]) for row in measured], int)
    clusters = np.unique([row[0] for row in measured], return_inverse=True)[1] if measured else np.zeros(0, int)
    by_cluster = cluster_tables(gold, predicted, clusters, len(labels))
    total = by_cluster.sum(0)

    def described(metric: str, value: float, low: float, high: float, members: np.ndarray) -> tuple:
        method = "wilson" if metric in PROPORTIONS else "bootstrap"
        counts = (n_total, n_total, int(members.sum()), n_error, len(np.unique(clusters[members])))
        return metric, 0, float(value), float(low), float(high), method, *counts

    everything = np.ones(len(measured), bool)
    seed = seed_of(SUITE)
    for metric, statistic in OVERALL.items():
        value = statistic(total)
        low, high = interval(metric, value, len(measured), by_cluster, statistic, seed)
        yield ("all", "overall", "all", *described(metric, value, low, high, everything))
    for metric, statistic in PER_CLASS.items():
        values = statistic(total)
        members = [members_of(metric, gold, predicted, place) for place in range(len(labels))]
        counts = np.array([chosen.sum() for chosen in members])
        low, high = interval(metric, values, counts, by_cluster, statistic, seed)
        for place, label in enumerate(labels):
            yield (
                "all", "class", label,
                *described(metric, values[place], low[place], high[place], members[place]),
            )  # fmt: skip


def interval(metric: str, value, counts, by_cluster, statistic, seed: int) -> tuple:
    """Wilson's interval of a share of counts, the bootstrap over clusters of anything else."""
    import numpy as np

    if metric in PROPORTIONS:
        return wilson_interval(value, counts)
    return tables.table_intervals(by_cluster, statistic, seed)


def members_of(metric: str, gold, predicted, place: int) -> np.ndarray:
    """Which items a class's value is made of."""
    given, meant = predicted == place, gold == place
    return {"class_precision": given, "class_recall": meant, "class_f1": given | meant}[metric]


def cluster_tables(gold, predicted, clusters, labels: int) -> np.ndarray:
    """One table per cluster (clusters × labels × labels + 1)."""
    import numpy as np

    count = int(clusters.max()) + 1 if len(clusters) else 0
    cells = (clusters * labels + gold) * (labels + 1) + predicted
    shape = (count, labels, labels + 1)
    return np.bincount(cells, minlength=count * labels * (labels + 1)).reshape(shape).astype(float)
