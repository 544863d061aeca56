"""Two systems' summaries or sentiment labels compared source by source or headline by headline, with the tests of
finrag.metrics.comparisons.

A pair is what does not depend on another pair: a source or a headline. What is compared is what the values are: the
share of all claims or items of the sources that both have a score on, not the mean of the sources' shares. A ratio of
sums has no value per source, but contributions: with x true of n claims in a source, and r the share over both systems,

    m · (x - r · n) / (sum of n over the m sources) + r

has the system's share as its mean, so the differences of contributions have the difference of shares as theirs. Where
systems share r and could be exchanged on a source, a difference is as likely to be d as -d, up to how many claims each
system makes (the score form of the linearised ratio). Where all n are equal the contributions are the sources' shares.

A system that makes a few claims where the other makes many moves in larger steps, and differences are skewed: of 12
sources with 4 and 40 claims, 0.97 of them true in both, flipped signs reject in 11 of 100 sets. Where one makes over
OUTNUMBERED times as many claims in all, p is therefore at least that of claims that are all independent, which do not
depend on pairs: then in 0 to 6 of 100, and up to that ratio flips alone reject in 2 to 6 (J. P. Romano, cited in
finrag.statistics.sign_flip, on why). That is of systems that depend alike on the source. Where one fails whole sources
and the other a claim here and there, flips reject in 10 to 12 of 100 sets of 20 to 60 sources with 15 claims, 0.97 of
them true: there is_interval_reliable is false (finrag.statistics.reliability).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from finrag.metrics.comparisons import Pairs, compare, table_of_pairs
from finrag.metrics.registry import Metric, code_checksum, read_metrics
from finrag.metrics.rollup import checksum

if TYPE_CHECKING:
    import numpy as np

ITEMS = ("faithfulness_items", "qag_items", "statement_items", "choice_items", "sentiment_items")
# What scores have that need not say it: systems have no windows and cut-offs, and one way to cluster.
DEFAULTS = {"gold_window": "'none'", "k": "0", "second_cluster_id": "null::varchar"}
GROUP = "gold_window, gold_predicate, stratum_by, stratum, metric, k"
OUTNUMBERED = 2.0


def compare_systems(*, pairs, scores, registry, done: set[tuple[str, str]], items: Iterable[str] = ITEMS):
    """Arrow table of the comparisons of all pairs, without those that done holds as (pair_id, comparison_version).

    pairs, scores, registry: relations of int_system_pairs, int_system_scores and the seed metrics. The columns are
    those of int_run_comparisons. Scores may have the columns DEFAULTS. items: the items models whose metrics they are.
    """
    added = [f"{value} as {name}" for name, value in DEFAULTS.items() if name not in scores.columns]
    scores = scores.project(", ".join(["*", *added]))
    cutoffs = [k for (k,) in scores.project("k").distinct().order("k").fetchall() if k]
    metrics = {
        (metric.name, metric.k): metric
        for name in items
        for metric in read_metrics(registry, name, cutoffs)
        if metric.is_compared
    }
    hashed = f"bit_xor(hash({GROUP}, unit_id, cluster_id, second_cluster_id, score, weight))"
    versions = dict(scores.aggregate(f"run_id, {hashed}", "run_id").fetchall())
    base = (sorted(metrics.items()), code_checksum())
    return table_of_pairs(
        pairs,
        lambda a, b: checksum(versions.get(a), versions.get(b), base),
        done,
        lambda a, b: compare_pair(scores, a, b, metrics),
    )


def compare_pair(scores, run_a: str, run_b: str, metrics: Mapping[str, Metric]) -> Iterator[tuple]:
    """The columns from gold_window to minimum_detectable_effect, of every metric with pairs."""
    import numpy as np

    shared = (
        scores.filter(f"run_id in ('{run_a}', '{run_b}')")
        .aggregate(
            f"{GROUP}, unit_id, any_value(cluster_id) as cluster_id, "
            f"any_value(second_cluster_id) as second_cluster_id, "
            f"any_value(score) filter (run_id = '{run_a}') as score_a, "
            f"any_value(score) filter (run_id = '{run_b}') as score_b, "
            f"any_value(weight) filter (run_id = '{run_a}') as weight_a, "
            f"any_value(weight) filter (run_id = '{run_b}') as weight_b",
            f"{GROUP}, unit_id",
        )
        .filter("score_a is not null and score_b is not null")
        .order("all")
    )
    for (window, predicate, stratum_by, stratum, *metric), rows in groupby(shared.fetchall(), key=lambda row: row[:6]):
        if tuple(metric) not in metrics:
            continue
        ids, clusters, seconds, *columns = zip(*(row[6:] for row in rows), strict=True)
        shares = [np.array(column, float) for column in columns]
        values_a, values_b = contributions(*shares)
        pair = Pairs(
            ids=np.array(ids),
            clusters=np.unique(clusters, return_inverse=True)[1],
            values_a=values_a[:, None],
            values_b=values_b[:, None],
            second_clusters=None if None in seconds else np.unique(seconds, return_inverse=True)[1],
            least_p_value=least_p_value(*shares),
            outcomes=outcomes_of_source(*shares[2:]),
        )
        for _, (_, _, *values) in compare([pair], [metrics[tuple(metric)]], strata=()):
            yield window, predicate, stratum_by, stratum, *values


def contributions(
    scores_a: np.ndarray, scores_b: np.ndarray, weights_a: np.ndarray, weights_b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What each source adds to the two systems' shares, by source. scores: shares of weights claims or items."""
    if (weights_a == weights_a[0]).all() and (weights_b == weights_b[0]).all():
        return scores_a, scores_b
    total_a, total_b = weights_a.sum(), weights_b.sum()
    both = (scores_a @ weights_a + scores_b @ weights_b) / (total_a + total_b)
    count = len(scores_a)
    return (
        both + count * weights_a * (scores_a - both) / total_a,
        both + count * weights_b * (scores_b - both) / total_b,
    )


def outcomes_of_source(weights_a: np.ndarray, weights_b: np.ndarray) -> float:
    """How many claims or items the source of an average claim has, of both systems; 1 of headlines."""
    weights = weights_a + weights_b
    return float(weights @ weights / weights.sum() / 2)


def least_p_value(scores_a: np.ndarray, scores_b: np.ndarray, weights_a: np.ndarray, weights_b: np.ndarray) -> float:
    """That of a score test of two shares of independent claims where one system makes far more of them, else 0."""
    from scipy.stats import norm

    totals = weights_a.sum(), weights_b.sum()
    if max(totals) <= OUTNUMBERED * min(totals):
        return 0.0
    true_a, true_b = scores_a @ weights_a, scores_b @ weights_b
    share = (true_a + true_b) / sum(totals)
    variance = share * (1 - share) * (1 / totals[0] + 1 / totals[1])
    if not variance > 0:
        return 1.0
    return float(2 * norm.sf(abs(true_b / totals[1] - true_a / totals[0]) / variance**0.5))
