"""Items of one run and one gold variant as arrays, ready to be summed by stratum and cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.errors import FinragError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow

    from finrag.metrics.registry import Metric


@dataclass(frozen=True)
class Items:
    """n items of one run, in order of their ids."""

    variant: tuple[str, ...]
    ids: np.ndarray  # n texts
    is_covered: np.ndarray  # n booleans
    is_error: np.ndarray  # n booleans
    clusters: np.ndarray  # n integers from 0
    second_clusters: np.ndarray | None  # a second way to cluster the same items, where there is one
    parts: np.ndarray | None  # what the clusters are made of, as a company of filings, where that is known
    weights: np.ndarray | None  # 1 / the probability that the item was drawn, nan without one; None without a draw
    values: np.ndarray  # n × metrics with one value per item; nan where there is none, or an error
    trials: np.ndarray | None  # n × metrics: how many outcomes a pooled share is of; nan for other metrics
    bounds: np.ndarray | None  # n × metrics × 2: values at best and at worst over tie orders, alike for other metrics
    pools: dict[str, Pool]  # by column, of metrics that pool the items' lists

    def __len__(self) -> int:
        return len(self.ids)

    def ways(self, chosen: np.ndarray) -> list[np.ndarray]:
        """The ways to cluster the chosen items (one boolean per item).

        Items of a single cluster say nothing of others. They are about that one, and its parts are what varies.
        """
        first = self.clusters[chosen]
        if self.parts is not None and len(first) and (first == first[0]).all():
            first = self.parts[chosen]
        return [first] if self.second_clusters is None else [first, self.second_clusters[chosen]]


@dataclass(frozen=True)
class Pool:
    """All values of a list column, sorted, each with the item it belongs to."""

    values: np.ndarray
    items: np.ndarray

    def of(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (sorted) and items of the chosen items; chosen: one boolean per item."""
        mine = chosen[self.items]
        return self.values[mine], self.items[mine]


def read_items(
    relation,
    metrics: Sequence[Metric],
    *,
    variant: Sequence[str],
    item_id: str,
    cluster: str = "cluster_id",
    second_cluster: str | None = None,
    part: str | None = None,
    weight: str | None = None,
) -> Iterator[Items]:
    """Items of one run, split by the variant columns.

    relation: rows of the run. The others are names of columns. item_id: an item's id. cluster, second_cluster: what it
    depends on, the second all null where there is no second way. part: what a cluster is made of. weight: 1 / the
    probability that the item was drawn, all null where nothing is drawn.
    """
    columns = sorted({column for metric in metrics for column in (*metric.columns, *metric.tie_columns)})
    depends = {"cluster": cluster, "second_cluster": second_cluster, "part": part, "weight": weight}
    stated = [name for name in depends.values() if name]
    names = ", ".join(dict.fromkeys([*variant, item_id, *stated, "is_covered", "is_error", *columns]))
    table = relation.project(names).order(", ".join([*variant, item_id])).to_arrow_table().combine_chunks()
    keys = list(zip(*(table[name].to_pylist() for name in variant), strict=True)) if variant else [()] * len(table)
    first = 0
    while first < len(keys):
        last = first
        while last < len(keys) and keys[last] == keys[first]:
            last += 1
        yield to_items(table.slice(first, last - first), keys[first], metrics, item_id, depends)
        first = last


def to_items(
    table: pyarrow.Table,
    variant: tuple[str, ...],
    metrics: Sequence[Metric],
    item_id: str,
    depends: dict[str, str | None],
) -> Items:
    import numpy as np

    cluster = depends["cluster"]
    if table[cluster].null_count:
        raise FinragError(
            f"{table[cluster].null_count} items have no {cluster}, so it is not known what they depend on. "
            "Every row of an items model needs one; correct the model."
        )
    is_error = table["is_error"].to_numpy()
    single = [metric for metric in metrics if metric.kind != "percentile"]
    values = np.full((len(table), len(single)), np.nan)
    trials = np.full(values.shape, np.nan)
    for place, metric in enumerate(single):
        values[:, place], *rest = (table[column].cast("float64").to_numpy() for column in metric.columns)
        for outcomes in rest:
            trials[:, place] = np.where(outcomes > 0, outcomes, np.nan)
            values[:, place] /= trials[:, place]
    values[is_error.astype(bool)] = np.nan
    bounds = np.repeat(values[:, :, None], 2, axis=2) if any(metric.tie_columns for metric in single) else None
    for place, metric in enumerate(single):
        for side, column in enumerate(metric.tie_columns):
            bounds[:, place, side] = np.where(is_error, np.nan, table[column].cast("float64").to_numpy())
    return Items(
        variant=variant,
        ids=table[item_id].to_numpy(),
        is_covered=table["is_covered"].to_numpy().astype(bool),
        is_error=is_error.astype(bool),
        clusters=numbered(table[cluster]),
        second_clusters=numbered(filled(table, depends["second_cluster"])),
        parts=numbered(filled(table, depends["part"])),
        weights=weights_of(table, depends["weight"]),
        values=values,
        trials=None if np.isnan(trials).all() else trials,
        bounds=bounds,
        pools={
            metric.column: to_pool(table[metric.column], is_error.astype(bool))
            for metric in metrics
            if metric.kind == "percentile"
        },
    )


def weights_of(table: pyarrow.Table, name: str | None) -> np.ndarray | None:
    """The weights of the items, nan for those that were added to the draw; None where nothing was drawn."""
    if name is None or table[name].null_count == len(table):
        return None
    return table[name].cast("float64").to_numpy()


def filled(table: pyarrow.Table, name: str | None) -> pyarrow.ChunkedArray | None:
    """A column that every row has a value of."""
    return None if name is None or table[name].null_count else table[name]


def numbered(column: pyarrow.ChunkedArray | None) -> np.ndarray | None:
    """Distinct values as integers from 0."""
    import numpy as np

    return None if column is None else np.unique(column.to_numpy().astype(str), return_inverse=True)[1]


def to_pool(lists: pyarrow.ChunkedArray, is_error: np.ndarray) -> Pool:
    import numpy as np
    import pyarrow.compute

    items = pyarrow.compute.list_parent_indices(lists).to_numpy()
    values = pyarrow.compute.list_flatten(lists).to_numpy()
    kept = ~is_error[items]
    order = np.argsort(values[kept], kind="stable")
    return Pool(values=values[kept][order], items=items[kept][order])
