"""Which columns of an items model are rolled up, and how: the rows of seeds/metrics.csv."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Sequence

# Suites whose queries are sentences of the corpus; those of the others are questions.
ANCHOR_SUITES = ("p1", "p2")
# What a run must be for a metric to apply to it.
APPLIES_TO = {
    "every_run": lambda run: True,
    "anchor_runs": lambda run: not run["is_external"] and run["suite"] in ANCHOR_SUITES,
    "dense_runs": lambda run: run["method"] == "dense",
    "answer_runs": lambda run: run.get("answer_model", "none") != "none",
    "altered_runs": lambda run: run.get("method") == "altered_evidence",
}
UNBOUNDED = float("inf")
# What the values of each kind lie between.
RANGES = {
    "proportion": (0.0, 1.0),
    "mean": (0.0, 1.0),
    "pooled": (0.0, 1.0),
    "ratio": (0.0, 1.0),
    "cosine": (-1.0, 1.0),
    "correlation": (-1.0, 1.0),
    "percentile": (0.0, 2.0),
    "amount": (0.0, UNBOUNDED),
    "score": (-UNBOUNDED, UNBOUNDED),
}
KINDS = tuple(RANGES)
# Between the column of what counts and that of all, in a pooled share.
POOLED_OVER = " / "


@dataclass(frozen=True)
class Metric:
    """One metric at one cut-off (k is 0 for those without)."""

    name: str
    k: int
    column: str
    kind: str
    share: float  # of the values below a percentile, else 0
    populations: tuple[str, ...]
    applies_to: str
    is_compared: bool
    tie_columns: tuple[str, ...] = ()  # at best and at worst over the order of hits of equal score

    @property
    def range(self) -> tuple[float, float]:
        """What its value can be at least and at most."""
        return RANGES[self.kind]

    @property
    def has_score_interval(self) -> bool:
        """Whether its interval is Wilson's: a mean of values between 0 and 1."""
        return self.kind in ("proportion", "mean", "pooled")

    @property
    def is_per_item(self) -> bool:
        """Whether every item has a value of its own: neither a percentile of all hits, nor a ratio of counts."""
        return self.kind not in ("percentile", "ratio")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is made of: one, the two counts of a pooled share, or none: a ratio counts labels."""
        return () if self.kind == "ratio" else tuple(self.column.split(POOLED_OVER))

    def applies(self, run: dict) -> bool:
        return APPLIES_TO[self.applies_to](run)


def read_metrics(registry, items: str, cutoffs: Sequence[int] = ()) -> list[Metric]:
    """The metrics of one items model, those with cut-offs once for each.

    registry: relation of seeds.metrics. items: name of the items model. cutoffs: var metric_ks.
    """
    columns = ("metric", "item_column", "best_column", "worst_column", "is_per_k", "kind", "percentile", "populations")
    columns += ("applies_to", "is_compared")
    rows = registry.filter(f"items = '{items}'").project(", ".join(columns)).order("metric").fetchall()
    metrics = []
    for name, column, best, worst, is_per_k, kind, percentile, populations, applies_to, is_compared in rows:
        require(kind in KINDS, name, "kind", kind, KINDS)
        require(applies_to in APPLIES_TO, name, "applies_to", applies_to, APPLIES_TO)
        require(
            (percentile is not None) == (kind == "percentile"),
            name,
            "percentile",
            percentile,
            ("1 to 99, for that kind",),
        )
        require(("{k}" in column) == is_per_k, name, "item_column", column, ("{k} in the name when is_per_k is true",))
        require(
            (POOLED_OVER in column) == (kind == "pooled"), name, "item_column", column, ("a / b, for kind pooled only",)
        )
        require(
            (best is None) == (worst is None), name, "worst_column", worst, ("a column beside best_column, or neither",)
        )
        for k in cutoffs if is_per_k else [0]:
            metrics.append(
                Metric(
                    name=name,
                    k=k,
                    column=column.replace("{k}", str(k)),
                    kind=kind,
                    share=(percentile or 0) / 100,
                    populations=tuple(populations.split()),
                    applies_to=applies_to,
                    is_compared=is_compared,
                    tie_columns=tuple(bound.replace("{k}", str(k)) for bound in (best, worst) if bound),
                )
            )
    return metrics


def require(condition: bool, metric: str, column: str, value, allowed) -> None:
    if not condition:
        raise FinragError(
            f"seeds/metrics.csv, metric {metric}: {column} is {value!r}. Allowed: {', '.join(allowed)}. "
            "Correct the row."
        )


def code_checksum() -> str:
    """Version of the code that turns items into values, so that a change of it recomputes them."""
    return code_version("finrag.metrics")
