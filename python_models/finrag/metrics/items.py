"""Items of one run and one variant as arrays, ready to be summed by stratum and cluster, whatever the task."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING

from finrag.errors import FinragError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow

    from finrag.metrics.registry import Metric


@dataclass(frozen=True)
class Task:
    """What tells the items of one model from those of another: all but items are SQL over the model's columns."""

    items: str  # the model, as seeds/metrics.csv names it
    item_id: str = "item_id"
    member_id: str = "item_id"  # what strata hold, and what two runs share: the item, or its query
    gold_window: str = "'none'"
    variant: str = "'none'"
    family: str = "''"  # what the names of an item's metrics begin with
    cluster_id: str = "cluster_id"
    second_cluster_id: str = "null"  # a second way to cluster, null where there is none
    part_id: str = "null"  # what a cluster is made of
    weight: str = "null"  # 1 / the probability that the item was drawn, null where nothing is drawn
    gold: str = "null"  # of metrics that are counts of gold against given labels
    given: str = "null"

    @property
    def columns(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "items"}


RETRIEVAL = Task(
    items="retrieval_items",
    item_id="query_id",
    member_id="query_id",
    gold_window="gold_window",
    variant="gold_predicate",
    second_cluster_id="second_cluster_id",
    part_id="filing_id",
    weight="sampling_weight",
)
TASKS = {
    task.items: task
    for task in (
        RETRIEVAL,
        # answers of external runs to one question do not count as independent: its cluster is theirs
        Task(items="answer_items", item_id="answer_id", member_id="query_id", variant="'answer'"),
        Task(items="evidence_losses", item_id="coalesce(answer_id, query_id)", member_id="query_id", variant="'facts'"),
        Task(
            items="chunking_items",
            item_id="query_id",
            member_id="query_id",
            gold_window="gold_window",
            variant="gold_predicate",
        ),
        Task(items="faithfulness_items", variant="'faithful_to_' || basis"),
        # questions of a source and those of a summary have metrics of their own and are never in one value
        Task(
            items="qag_items",
            variant="'closed_question'",
            family="if(origin = 'source', 'qag_inclusion', 'qag_alignment')",
            cluster_id="source_id",
        ),
        Task(
            items="statement_items",
            variant="'statement'",
            family="if(origin = 'source', 'statement_', 'summary_statement_')",
            cluster_id="source_id",
            gold="key",
            given="verdict",
        ),
        Task(items="choice_items", variant="'choice'", cluster_id="source_id"),
    )
}
# What items are split by; the metrics of each part are those of its family.
SPLIT = ("gold_window", "variant", "family")


@dataclass(frozen=True)
class Items:
    """n items of one run, in order of their ids."""

    variant: tuple[str, ...]  # gold_window and variant of metric_values
    metrics: tuple[Metric, ...]  # those of the values, and the percentiles and ratios
    ids: np.ndarray  # n texts, of what strata hold and two runs share; several answers may be to one question
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
    labels: tuple[np.ndarray, np.ndarray]  # n gold and n given labels, of metrics that count them

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


def read_items(relation, metrics: Sequence[Metric], task: Task = RETRIEVAL) -> Iterator[Items]:
    """Items of one run, by variant and family. relation: rows of the run."""
    stated = [f"{expression} as _{name}" for name, expression in task.columns.items()]
    columns = sorted({column for metric in metrics for column in (*metric.columns, *metric.tie_columns)})
    names = dict.fromkeys(["is_covered", "is_error", *columns])
    order = ", ".join(f"_{name}" for name in (*SPLIT, "item_id"))
    table = relation.project(", ".join([*stated, *names])).order(order).to_arrow_table().combine_chunks()
    keys = list(zip(*(table[f"_{name}"].to_pylist() for name in SPLIT), strict=True))
    first = 0
    for key, group in groupby(keys):
        size = len(list(group))
        mine = [metric for metric in metrics if metric.name.startswith(key[-1])]
        yield to_items(table.slice(first, size), key[:-1], mine)
        first += size


def to_items(table: pyarrow.Table, variant: tuple[str, ...], metrics: Sequence[Metric]) -> Items:
    import numpy as np

    if table["_cluster_id"].null_count:
        raise FinragError(
            f"{table['_cluster_id'].null_count} items have no cluster_id, so it is not known what they depend on. "
            "Every row of an items model needs one; correct the model."
        )
    is_error = table["is_error"].to_numpy().astype(bool)
    single = [metric for metric in metrics if metric.is_per_item]
    values = np.full((len(table), len(single)), np.nan)
    trials = np.full(values.shape, np.nan)
    for place, metric in enumerate(single):
        values[:, place], *rest = (table[column].cast("float64").to_numpy() for column in metric.columns)
        for outcomes in rest:
            trials[:, place] = np.where(outcomes > 0, outcomes, np.nan)
            values[:, place] /= trials[:, place]
    values[is_error] = np.nan
    bounds = np.repeat(values[:, :, None], 2, axis=2) if any(metric.tie_columns for metric in single) else None
    for place, metric in enumerate(single):
        for side, column in enumerate(metric.tie_columns):
            bounds[:, place, side] = np.where(is_error, np.nan, table[column].cast("float64").to_numpy())
    return Items(
        variant=variant,
        metrics=tuple(metrics),
        ids=table["_member_id"].to_numpy(),
        is_covered=table["is_covered"].to_numpy().astype(bool),
        is_error=is_error,
        clusters=numbered(table["_cluster_id"]),
        second_clusters=numbered(filled(table["_second_cluster_id"])),
        parts=numbered(filled(table["_part_id"])),
        weights=weights_of(table["_weight"]),
        values=values,
        trials=None if np.isnan(trials).all() else trials,
        bounds=bounds,
        pools={m.column: to_pool(table[m.column], is_error) for m in metrics if m.kind == "percentile"},
        labels=(table["_gold"].to_numpy(), table["_given"].to_numpy()),
    )


def weights_of(column: pyarrow.ChunkedArray) -> np.ndarray | None:
    """The weights of the items, nan for those that were added to the draw; None where nothing was drawn."""
    return None if column.null_count == len(column) else column.cast("float64").to_numpy()


def filled(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray | None:
    """A column that every row has a value of."""
    return None if column.null_count else column


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
