"""Precision, recall and F1 of two classes with a third answer, Uncertain, that is of neither.

As in scikit-learn with labels True and False and zero_division 0: a class that is never predicted has precision 0, and
what is Uncertain counts against the recall of its key. Macro values are means over the two classes. Values are those of
the counts of all items together; intervals resample clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from finrag.statistics.bootstrap import TAILS, resample_weights
from finrag.statistics.clustered import balanced_clusters
from finrag.statistics.confusion import f1, precision, rarer_clusters, recall

if TYPE_CHECKING:
    import numpy as np

CLASSES = ("True", "False")
VERDICTS = ("True", "False", "Uncertain")
MEASURES = {"precision": precision, "recall": recall, "f1": f1}


def count(keys: Sequence[str], verdicts: Sequence[str], clusters: np.ndarray) -> np.ndarray:
    """clusters × 2 keys × 3 verdicts. clusters: one number from 0 per item."""
    import numpy as np

    counts = np.zeros((int(clusters.max()) + 1 if len(clusters) else 0, len(CLASSES), len(VERDICTS)))
    rows = [CLASSES.index(key) for key in keys]
    columns = [VERDICTS.index(verdict) for verdict in verdicts]
    np.add.at(counts, (clusters, rows, columns), 1)
    return counts


def measures(counts: np.ndarray) -> dict[str, np.ndarray]:
    """precision_true … f1_macro over the first axes of counts (… × 2 keys × 3 verdicts); nan where there is no item."""
    import numpy as np

    found: dict[str, np.ndarray] = {}
    is_there = counts.sum((-2, -1)) > 0
    for measure, statistic in MEASURES.items():
        of_classes = np.where(is_there[..., None], np.nan_to_num(statistic(counts)), np.nan)
        for place, name in enumerate(CLASSES):
            found[f"{measure}_{name.lower()}"] = of_classes[..., place]
        found[f"{measure}_macro"] = sum(of_classes[..., place] for place in range(len(CLASSES))) / len(CLASSES)
    return found


def sizes(counts: np.ndarray) -> dict[str, tuple[int, int, int, float, float]]:
    """By measure, the items that it is made of, the clusters that have some, as many as it is known from, those with
    the rarer of hits and misses, what a resample draws too few of to tell how they vary, and as many clusters of one
    size as would be worth them.

    Precision is of the items with that verdict, recall of those with that key, F1 of either. The precision of a class
    that no verdict names is 0 by convention, of all items, and known from none. A mean over the classes is known from
    twice the clusters of the rarer one, of one size or not, and its hits or misses are the rarest of either. counts:
    clusters × 2 keys × 3 verdicts.
    """
    everything = counts.sum((1, 2))
    found = {f"{measure}_macro": everything for measure in MEASURES}
    found["precision_macro"] = counts[..., : len(CLASSES)].sum((1, 2))
    for place, name in enumerate(CLASSES):
        predicted, actual = counts[..., place].sum(-1), counts[:, place].sum(-1)
        found[f"precision_{name.lower()}"] = predicted
        found[f"recall_{name.lower()}"] = actual
        found[f"f1_{name.lower()}"] = predicted + actual - counts[:, place, place]
    telling = {measure: int((of > 0).sum()) for measure, of in found.items()}
    balanced = {measure: float(balanced_clusters(of)) for measure, of in found.items()}
    rarer = {}
    for measure in MEASURES:
        of_classes = [f"{measure}_{name.lower()}" for name in CLASSES]
        for place, name in enumerate(of_classes):
            rarer[name] = float(rarer_clusters(counts[:, place, place], found[name]))
        telling[f"{measure}_macro"] = 2 * min(telling[name] for name in of_classes)
        of_rarest = 2 * min(balanced[name] for name in of_classes)
        balanced[f"{measure}_macro"] = min(balanced[f"{measure}_macro"], of_rarest)
        rarer[f"{measure}_macro"] = min(rarer[name] for name in of_classes)
    of_clusters = {measure: of if of.any() else everything for measure, of in found.items()}
    return {
        measure: (int(of.sum()), int((of > 0).sum()), telling[measure], rarer[measure], balanced[measure])
        for measure, of in of_clusters.items()
    }


def intervals(counts: np.ndarray, seed: int) -> dict[str, tuple[float, float]]:
    """95 % bounds by measure, over resampled clusters; nan for fewer than two clusters or where none differs."""
    import numpy as np

    if len(counts) < 2:
        return dict.fromkeys(measures(counts), (np.nan, np.nan))
    flat = counts.reshape(len(counts), -1)
    drawn = [measures((w @ flat).reshape(-1, *counts.shape[1:])) for w in resample_weights(len(counts), seed)]
    bounds = {}
    for name in drawn[0]:
        low, high = np.quantile(np.concatenate([part[name] for part in drawn]), TAILS)
        bounds[name] = (float(low), float(high)) if high - low > 1e-12 else (np.nan, np.nan)
    return bounds
