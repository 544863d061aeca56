"""What a table of gold against predicted labels says, for one table or a stack of resampled ones.

A table is G × (G + 1): a row per gold label, a column per predicted label in the same order, and a last column for
items without a prediction, which are wrong. Arrays of tables have them in their last two axes. All agree with
scikit-learn: precision, recall and F1 with zero_division=nan, F1 averaged over the labels that occur (as gold or as a
prediction), and the correlation with a missing prediction as a label of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from finrag.statistics.bootstrap import RESAMPLES, TAILS, resample_weights
from finrag.statistics.clustered import balanced_clusters

if TYPE_CHECKING:
    import numpy as np


def accuracy(tables: np.ndarray) -> np.ndarray:
    return _share(_hits(tables).sum(-1), tables.sum((-2, -1)))


def missing_rate(tables: np.ndarray) -> np.ndarray:
    return _share(tables[..., -1].sum(-1), tables.sum((-2, -1)))


def precision(tables: np.ndarray) -> np.ndarray:
    """By label; nan for one that was never predicted."""
    return _share(_hits(tables), tables[..., :-1].sum(-2))


def recall(tables: np.ndarray) -> np.ndarray:
    """By label; nan for one that no item has."""
    return _share(_hits(tables), tables.sum(-1))


def f1(tables: np.ndarray) -> np.ndarray:
    """By label; nan for one that is neither gold nor predicted, 0 for one that was never hit."""
    return _share(2 * _hits(tables), tables.sum(-1) + tables[..., :-1].sum(-2))


def macro_f1(tables: np.ndarray) -> np.ndarray:
    """Mean of F1 over the labels that occur."""
    import numpy as np

    values = f1(tables)
    occurs = ~np.isnan(values)
    return _share(np.where(occurs, values, 0.0).sum(-1), occurs.sum(-1))


def mcc(tables: np.ndarray) -> np.ndarray:
    """Matthews' correlation of several classes; 0 where gold or predictions are all alike, as scikit-learn has it.

    B. W. Matthews, Biochim. Biophys. Acta 405 (1975); J. Gorodkin, Comput. Biol. Chem. 28 (2004), for several classes.
    """
    import numpy as np

    gold, predicted, total = tables.sum(-1), tables.sum(-2), tables.sum((-2, -1))
    covariance = _hits(tables).sum(-1) * total - (gold * predicted[..., :-1]).sum(-1)
    spread = (total**2 - (gold**2).sum(-1)) * (total**2 - (predicted**2).sum(-1))
    return np.where(spread > 0, _share(covariance, np.sqrt(spread)), np.where(total > 0, 0.0, np.nan))


def rarer_clusters(hits: np.ndarray, of: np.ndarray) -> np.ndarray:
    """In how many clusters, the first axis, the rarer of hits and misses was seen, counted by how many each has: four
    wrong headlines of which one stands there ten times are 1.6. hits: how many of so many items."""
    import numpy as np

    return np.minimum(balanced_clusters(hits), balanced_clusters(of - hits))


def rarer_by_label(tables: np.ndarray) -> np.ndarray:
    """The same by label, of items that have it or were given it. tables: clusters × rows × columns."""
    hits = _hits(tables)
    return rarer_clusters(hits, tables.sum(-1) + tables[..., :-1].sum(-2) - hits)


def rarer_of_all(tables: np.ndarray) -> float:
    """The same of all items of the clusters' tables."""
    return float(rarer_clusters(_hits(tables).sum(-1), tables.sum((-2, -1))))


def table_intervals(
    tables: np.ndarray, statistic: Callable[[np.ndarray], np.ndarray], seed: int, resamples: int = RESAMPLES
) -> tuple[np.ndarray, np.ndarray]:
    """95 % bounds of a statistic of the sum of the clusters' tables (clusters × rows × columns).

    The bootstrap of finrag.statistics.bootstrap. nan as there: fewer than two clusters, or no spread. Resamples in
    which the statistic is undefined do not count. Bounds are widened to hold the value where the percentiles of a
    statistic that is no mean miss it.
    """
    import numpy as np

    value = np.asarray(statistic(tables.sum(0)), float)
    if len(tables) < 2:
        return np.full(value.shape, np.nan), np.full(value.shape, np.nan)
    flat = tables.reshape(len(tables), -1)
    drawn = [
        np.asarray(statistic((weights @ flat).reshape(-1, *tables.shape[1:])))
        for weights in resample_weights(len(tables), seed, resamples)
    ]
    return percentile_bounds(np.concatenate(drawn), value)


def percentile_bounds(drawn: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of what the resamples gave (first axis), see table_intervals. value: what all items together give."""
    import numpy as np

    low, high = np.full(value.shape, np.nan), np.full(value.shape, np.nan)
    for place in np.ndindex(value.shape):
        column = drawn[(slice(None), *place)]
        column = column[~np.isnan(column)]
        if not len(column) or np.isnan(value[place]):
            continue
        lower, upper = np.quantile(column, TAILS)
        if upper - lower > 1e-12 * max(1, abs(value[place])):
            low[place], high[place] = min(lower, value[place]), max(upper, value[place])
    return low, high


def _hits(tables: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.diagonal(tables[..., :-1], axis1=-2, axis2=-1)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole; nan where whole is 0."""
    import numpy as np

    part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
