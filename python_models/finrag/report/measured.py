"""What every figure of a measured value says of itself: its interval, its n, its model and its run."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.data import Column, Filter, Row, Section

METRIC = Filter("metric_name", "Metric", "hit@5")
TOLD = {
    "run": "run",
    "metric_name": "metric",
    "value": "value",
    "ci_low": "95 % from",
    "ci_high": "to",
    "n_measured": "n",
    "n_error": "errors",
    "model": "model",
    "run_id": "run id",
}
MEASURED = [
    Column("run", "Run"),
    Column("metric_name", "Metric"),
    Column("value", "Value", 3),
    Column("ci_low", "95 % from", 3),
    Column("ci_high", "to", 3),
    Column("n_measured", "n", 0),
    Column("n_total", "of", 0),
    Column("n_error", "Errors", 0),
    Column("model", "Model"),
    Column("run_id", "Run id"),
]


def defaults(section: Section) -> dict[str, str]:
    return {choice.name: choice.default for choice in section.filters}


def dots_by(
    rows: list[Row],
    group: str,
    group_title: str,
    chosen: dict[str, str],
    description: str,
    order: list[str] | None = None,
    axis_title: str = "the metric chosen, from 0 to 1",
    shape: str = "regime",
):
    return charts.dots(
        rows,
        group=group,
        group_title=group_title,
        shape=shape,
        axis_title=axis_title,
        told=TOLD,
        filters=chosen,
        description=description,
        order=order,
    )


def n_range(rows: list[Row], name: str = "n_measured") -> str:
    low, high = min(row[name] for row in rows), max(row[name] for row in rows)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def told_n(rows: list[Row], noun: str, chosen: dict[str, str]) -> str:
    """n of what is shown before anything else is chosen; of all rows where that is nothing."""
    shown = [row for row in rows if all(not value or row[name] == value for name, value in chosen.items())]
    rows = shown or rows
    errors = max(row["n_error"] for row in rows)
    return f"n = {n_range(rows)} {noun}" + (
        f"; up to {errors} failed and are left out." if errors else "; none failed."
    )
