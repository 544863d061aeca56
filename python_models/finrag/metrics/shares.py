"""A share, or a mean of shares, with its 95 % interval, for tables that are no run's metrics.

Clusters that one outweighs count as fewer, and what is still too narrow is not reliable, as of a run's values.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from finrag.statistics.clustered import clustered_means
from finrag.statistics.reliability import is_wilson_reliable
from finrag.statistics.wilson import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow


class Share(NamedTuple):
    """The mean of n items of so many clusters."""

    n: int
    n_clusters: int
    n_eff: float
    share: float
    ci_low: float
    ci_high: float
    is_interval_reliable: bool


def share(values: Sequence[float], clusters: Sequence) -> Share:
    """values, between 0 and 1, and clusters by item, one at least; items of a cluster depend on each other."""
    import numpy as np

    places = np.unique(np.asarray(clusters), return_inverse=True)[1]
    found = clustered_means(np.asarray(values, float)[:, None], places)
    low, high = wilson_interval(found.mean, found.n_eff_balanced)
    counts = (len(values), int(found.n_clusters[0]))
    numbers = (float(column[0]) for column in (found.n_eff_balanced, found.mean, low, high))
    return Share(*counts, *numbers, bool(is_wilson_reliable(found)[0]))


def shares_by(keys: Sequence[str], *relations) -> pyarrow.Table:
    """Arrow table with the keys, which are text, the columns of Share and n_yes, how many of the n are a yes.

    relations: each of groups of its own; their columns are the keys, whether an item is a yes, and its cluster.
    """
    import pyarrow

    rows = [row for relation in relations for row in relation.order("all").fetchall()]
    found = []
    for key, group in groupby(rows, key=lambda row: row[: len(keys)]):
        *_, values, clusters = zip(*group, strict=True)
        found.append(dict(zip(keys, key, strict=True)) | share(values, clusters)._asdict() | {"n_yes": sum(values)})
    kinds = dict.fromkeys(keys, pyarrow.string())
    kinds |= dict.fromkeys(("n", "n_yes", "n_clusters"), pyarrow.int64())
    kinds |= dict.fromkeys(("n_eff", "share", "ci_low", "ci_high"), pyarrow.float64())
    kinds |= {"is_interval_reliable": pyarrow.bool_()}
    return pyarrow.Table.from_pylist(found, schema=pyarrow.schema(list(kinds.items())))
