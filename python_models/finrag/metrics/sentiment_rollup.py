"""Values of the sentiment metrics by run, rule and class, in the columns of int_anchor_metric_values.

The rule by which a reply is read for a label (finrag.sentiment.matching) stands in variant, the data set in
regime. Over all headlines of a run, stratum `all`: accuracy, what always giving the most frequent label would reach,
macro-F1, Matthews' correlation and the share of replies without a label. Per class, stratum_by `class`: precision over
the headlines that were given the class, recall over those that have it, F1 over both. A failed call is in none of them;
a reply without a label is wrong in all, and so is none at all of a system elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from finrag.metrics.estimates import Estimate, mean_estimates, resampled_estimate
from finrag.metrics.registry import Metric
from finrag.metrics.rollup import rollup_versions, table_of_runs
from finrag.sentiment.matching import RULES
from finrag.statistics import confusion as tables
from finrag.statistics.agreement import telling_clusters
from finrag.statistics.bootstrap import seed_of
from finrag.statistics.clustered import balanced_clusters

if TYPE_CHECKING:
    import numpy as np

SUITE = "sentiment"
OVERALL = {"macro_f1": tables.macro_f1, "mcc": tables.mcc}
PER_CLASS = {"class_f1": tables.f1}


def roll_up_sentiment(metrics: Sequence[Metric], *, items, done: set[tuple[str, str]]):
    """Arrow table of the values of the runs in items, without those that done holds as (run_id, rollup_version).

    items: relation of sentiment_items. Its strata are the labels that its headlines could get.
    """
    suite = f"'{SUITE}' as suite"
    runs = items.project(f"run_id, {suite}, dataset as regime, system as strategy").distinct()
    runs = runs.project("*, 'none' as embedding_model")
    versioned = items.project(f"*, {suite}, items_version as metrics_version")
    no_strata = items.project(f"{suite}, headline_id as query_id, 'overall' as stratum_by, 'all' as stratum").limit(0)

    def values_of(run: dict, _) -> Iterator[tuple]:
        of_run = items.filter(f"run_id = '{run['run_id']}'")
        for rule in RULES:
            yield from (("none", rule, *values) for values in rule_values(of_run, metrics, rule))

    return table_of_runs(runs, no_strata, rollup_versions(versioned, no_strata, metrics), done, values_of)


def rule_values(items, metrics: Sequence[Metric], rule: str) -> Iterator[tuple]:
    """The values of one run by one rule, finrag.metrics.rollup.COLUMNS."""
    import numpy as np

    columns = f"text_hash, choices, gold_label, label_{rule}, is_error, is_majority"
    rows = items.order("text_hash, headline_id").project(columns).fetchall()
    labels = list(dict.fromkeys(choice for row in rows for choice in row[1]))
    measured = [row for row in rows if not row[4]]
    gold = np.array([labels.index(row[2]) for row in measured], int)
    predicted = np.array([len(labels) if row[3] is None else labels.index(row[3]) for row in measured], int)
    clusters = np.unique([row[0] for row in measured], return_inverse=True)[1] if measured else np.zeros(0, int)
    totals = (len(rows), len(rows), len(rows) - len(measured))
    strata = [("overall", "all"), *(("class", label) for label in labels)]
    shares = share_columns(gold, predicted, len(labels))
    shares.append(("majority_accuracy", 0, np.array([row[5] for row in measured], float)))
    ratios = ratio_columns(gold, predicted, clusters, len(labels))
    estimates = label_estimates(shares, ratios, clusters, {metric.name: metric for metric in metrics})
    for (name, place), estimate in sorted(estimates.items(), key=lambda named: named[0][1]):
        yield ("all", *strata[place], name, 0, *totals, *estimate)


def label_estimates(
    shares: list[tuple], ratios: Iterable[tuple], clusters: np.ndarray, of: dict[str, Metric]
) -> dict[tuple[str, int], Estimate]:
    """By metric and number of the stratum. shares, ratios: as of share_columns and ratio_columns."""
    import numpy as np

    chosen = [of[name] for name, _, _ in shares]
    found = mean_estimates(
        np.stack([values for *_, values in shares], axis=1), [clusters], None, chosen, seed_of(SUITE)
    )
    of_shares = zip(shares, found, strict=True)
    estimates = {(name, place): estimate for (name, place, _), estimate in of_shares}
    for name, place, value, low, high, members, *known_from in ratios:
        counts = (int(members.sum()), len(np.unique(clusters[members])), *known_from)
        estimates[name, place] = resampled_estimate(of[name], value, low, high, *counts)
    return estimates


def share_columns(gold, predicted, labels: int) -> list[tuple[str, int, np.ndarray]]:
    """Metric, number of the stratum (0 for all, then the labels) and right or wrong by item; nan where not meant."""
    import numpy as np

    is_right = (gold == predicted).astype(float)
    columns = [("label_accuracy", 0, is_right), ("missing_rate", 0, (predicted == labels).astype(float))]
    for label in range(labels):
        columns.append(("class_precision", label + 1, np.where(predicted == label, is_right, np.nan)))
        columns.append(("class_recall", label + 1, np.where(gold == label, is_right, np.nan)))
    return columns


def ratio_columns(gold, predicted, clusters, labels: int) -> Iterator[tuple]:
    """The same for what is no share: value, bounds of the bootstrap, the items that it is made of, how many of their
    clusters it is known from, in how many the rarer of right and wrong was seen, and as many clusters of one size as
    would be worth them. A mean over classes is known from twice the clusters of the rarest, of one size or not, and its
    right or wrong ones are those of the class that has fewest."""
    import numpy as np

    by_cluster = cluster_tables(gold, predicted, clusters, labels)
    total, seed = by_cluster.sum(0), seed_of(SUITE)
    of_class = [(gold == label) | (predicted == label) for label in range(labels)]
    n_clusters = [len(np.unique(clusters[members])) for members in of_class]
    balanced = [float(balanced_clusters(np.bincount(clusters[members]))) for members in of_class]
    of_all = float(balanced_clusters(np.bincount(clusters)))
    balanced_of = {"macro_f1": min(of_all, 2 * min((n for n in balanced if n), default=0.0)), "mcc": of_all}
    rarer = tables.rarer_by_label(by_cluster).tolist()
    rarer_of = {
        "macro_f1": min((n for n, known in zip(rarer, n_clusters, strict=True) if known), default=0),
        "mcc": tables.rarer_of_all(by_cluster),
    }
    telling = {
        "macro_f1": 2 * min((n for n in n_clusters if n), default=0),
        "mcc": telling_clusters(gold, predicted, clusters),
    }
    for name, statistic in OVERALL.items():
        low, high = tables.table_intervals(by_cluster, statistic, seed)
        known_from = (np.ones(len(gold), bool), telling[name], rarer_of[name], balanced_of[name])
        yield name, 0, float(statistic(total)), float(low), float(high), *known_from
    for name, statistic in PER_CLASS.items():
        values, (low, high) = statistic(total), tables.table_intervals(by_cluster, statistic, seed)
        for label, known_from in enumerate(zip(of_class, n_clusters, rarer, balanced, strict=True)):
            yield name, label + 1, float(values[label]), float(low[label]), float(high[label]), *known_from


def cluster_tables(gold, predicted, clusters, labels: int) -> np.ndarray:
    """One table per cluster (clusters × labels × labels + 1)."""
    import numpy as np

    count = int(clusters.max()) + 1 if len(clusters) else 0
    cells = (clusters * labels + gold) * (labels + 1) + predicted
    shape = (count, labels, labels + 1)
    return np.bincount(cells, minlength=count * labels * (labels + 1)).reshape(shape).astype(float)
