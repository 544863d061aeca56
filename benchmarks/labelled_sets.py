"""What is made of counts of labels: F1, Matthews' correlation, precision, recall and kappa. Part of BENCH=coverage.

Items have a gold label and are given one. A cluster's items are given the right one with a probability that varies
between clusters as a beta distribution (ICC), else one of the others, each as likely, or none. The items of a text
that repeats have one gold label; statements of a source, and summaries of a document, have labels of their own. The
truth is the measure of the table that is expected. Clusters are skewed where their sizes vary as a log-normal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from finrag.metrics.calibration import agreement, with_interval
from finrag.metrics.classification import CLASSES, VERDICTS, count, measures
from finrag.metrics.registry import Metric
from finrag.metrics.rollup import count_estimates
from finrag.metrics.sentiment_rollup import label_estimates, ratio_columns, share_columns
from finrag.statistics import confusion
from finrag.statistics.agreement import kappa

SETS = 500
AGAIN = 4
"""Times as many sets for a case that is under and not flagged."""
ENOUGH = 0.93
LOG_SD = 1.2
SHARES = (0.5, 0.1)
"""Of the rarest label."""
# clusters, items of each on average, whether these are skewed, ICC
DESIGNS = {
    "headlines": [(n, *each) for n in (30, 60, 100, 300) for each in ((1, False, 0.0), (2, True, 0.9))],
    "statements": [
        (n, 8, is_skewed, icc) for n, is_skewed, icc in product((12, 30, 60, 120), (False, True), (0.0, 0.2))
    ],
    "a judge": [(n, *each) for n in (20, 60, 120) for each in ((1, False, 0.0), (4, False, 0.2), (4, True, 0.2))],
}
RIGHT = (0.7, 0.9)
RATIO, PROPORTION = (
    {name: Metric(name, 0, "", kind, 0, ("all",), "every_run", False) for name in names}
    for kind, names in (("ratio", ("macro_f1", "class_f1")), ("proportion", ("class_precision", "class_recall")))
)
SENTIMENT = (
    RATIO
    | PROPORTION
    | {
        name: Metric(name, 0, "", kind, 0, ("all",), "every_run", False)
        for name, kind in (("mcc", "correlation"), ("label_accuracy", "proportion"), ("missing_rate", "proportion"))
    }
)
STATEMENTS = ("precision_false", "recall_false", "f1_false", "f1_macro")
Estimates = dict[str, tuple[float, float, float, bool]]


def labelled_sets() -> Iterator[tuple]:
    """Kind, measure, clusters, items of each, whether these are skewed, ICC, share right, that of the rarest label, and
    the shares of sets that are covered and flagged."""
    for number, kind in enumerate(KINDS):
        for place, rates in enumerate(product(DESIGNS[kind], RIGHT, SHARES)):
            (clusters, each, is_skewed, icc), right, rarest = rates
            seed = (15, number, place)
            simulated = partial(shares_of, KINDS[kind], sizes_of(seed, clusters, each, is_skewed), (right, icc, rarest))
            found = simulated(np.random.default_rng((*seed, 1)), SETS)
            if any(covered < ENOUGH and flagged < 0.5 for covered, flagged in found.values()):
                found = simulated(np.random.default_rng((*seed, 2)), AGAIN * SETS)
            for measure, (covered, flagged) in found.items():
                yield kind, measure, clusters, each, is_skewed, icc, right, rarest, covered, flagged


def sizes_of(seed: tuple[int, ...], clusters: int, each: int, is_skewed: bool) -> np.ndarray:
    if not is_skewed:
        return np.full(clusters, each)
    sizes = np.exp(LOG_SD * np.random.default_rng(seed).normal(size=clusters))
    return np.maximum(1, np.round(each * sizes / sizes.mean())).astype(int)


def shares_of(
    estimates: Callable, sizes: np.ndarray, rates: tuple[float, float, float], generator, sets: int
) -> dict[str, tuple[float, float]]:
    """By measure, sets whose interval holds the truth and those that are flagged; sets without a value are none."""
    truths: dict[str, float] = {}
    seen = defaultdict(list)
    ids = np.repeat(np.arange(len(sizes)), sizes)
    for _ in range(sets):
        truths, found = estimates(generator, ids, *rates)
        for measure, (value, low, high, is_reliable) in found.items():
            if value == value:
                seen[measure].append((low <= truths[measure] <= high, not is_reliable))
    return {measure: tuple(np.mean(of, axis=0).tolist()) for measure, of in seen.items()}


def given(generator, ids: np.ndarray, gold: np.ndarray, right: float, icc: float, columns: int) -> np.ndarray:
    """The labels that items are given, of so many columns."""
    chances = right if icc == 0 else generator.beta(right * (1 - icc) / icc, (1 - right) * (1 - icc) / icc, ids[-1] + 1)
    is_right = generator.random(len(ids)) < np.broadcast_to(chances, ids[-1] + 1)[ids]
    # a text is mistaken for one label
    other = generator.integers(1, columns, ids[-1] + 1)[ids]
    return np.where(is_right, gold, (gold + other) % columns)


def expected(shares: list[float], right: float, columns: int) -> np.ndarray:
    table = np.repeat(np.array(shares)[:, None] * (1 - right) / (columns - 1), columns, axis=1)
    table[np.arange(len(shares)), np.arange(len(shares))] = np.array(shares) * right
    return table


def headlines(generator, ids: np.ndarray, right: float, icc: float, rarest: float) -> tuple[dict, Estimates]:
    """Three labels, the last the rarest, and none; a text has one."""
    shares = [(1 - rarest) / 2, (1 - rarest) / 2, rarest] if rarest < 1 / 3 else [1 / 3] * 3
    gold = generator.choice(3, ids[-1] + 1, p=shares)[ids]
    labels = given(generator, ids, gold, right, icc, 4)
    ratios, of_shares = ratio_columns(gold, labels, ids, 3), share_columns(gold, labels, 3)
    found = label_estimates(of_shares, ratios, ids, SENTIMENT)
    table = expected(shares, right, 4)
    truths = {
        "macro_f1": float(confusion.macro_f1(table)),
        "mcc": float(confusion.mcc(table)),
        "class_f1": float(confusion.f1(table)[2]),
        "class_precision": float(confusion.precision(table)[2]),
        "class_recall": float(confusion.recall(table)[2]),
    }
    return truths, {name: of_estimate(found[name, 3 if name.startswith("class") else 0]) for name in truths}


def statements(generator, ids: np.ndarray, right: float, icc: float, rarest: float) -> tuple[dict, Estimates]:
    """Keys True and False, the rarer one, judged so or Uncertain."""
    shares = [1 - rarest, rarest]
    gold = generator.choice(2, len(ids), p=shares)
    verdicts = given(generator, ids, gold, right, icc, 3)
    counts = count([CLASSES[key] for key in gold], [VERDICTS[verdict] for verdict in verdicts], ids)
    metrics = [Metric(name, 0, name, "ratio", 0, ("all",), "every_run", False) for name in STATEMENTS]
    truths = measures(expected(shares, right, 3))
    found = count_estimates(counts, metrics, seed=1)
    return {name: float(truths[name]) for name in STATEMENTS}, {
        metric.name: of_estimate(estimate) for metric, estimate in found.items()
    }


def judged(generator, ids: np.ndarray, right: float, icc: float, rarest: float) -> tuple[dict, Estimates]:
    """Yes and no of people, and of a judge who says the same or the other."""
    shares = [1 - rarest, rarest]
    gold = generator.choice(2, len(ids), p=shares)
    labels = given(generator, ids, gold, right, icc, 2)
    rows = [
        (document, None, str(person), None, str(judge), False, "")
        for document, person, judge in zip(ids.tolist(), gold.tolist(), labels.tolist(), strict=True)
    ]
    ((_, value, *sizes),) = agreement(rows, ("simulated", "labels"))
    truth = float(kappa(expected(shares, right, 2)[None]))
    return {"cohen_kappa": truth}, {"cohen_kappa": with_interval(*value, *sizes)}


def of_estimate(estimate) -> tuple[float, float, float, bool]:
    return estimate.value, estimate.ci_low, estimate.ci_high, estimate.is_interval_reliable


KINDS = {"headlines": headlines, "statements": statements, "a judge": judged}
