"""Scorecards as rows of one value each, whichever way round their table is."""

from __future__ import annotations

from finrag.report.data import Reader, Row

# What a value is called where a row has one, and how the ends of its interval are named where a row has several.
NAMES_OF_METRIC = ("metric", "statistic")
INTERVALS = (("_ci_low", "_ci_high"), ("_low", "_high"))
# What tells apart the runs of a table, in the order in which a reader wants it said.
NAMES_OF_RUN = ("system", "model_id", "answer_model", "judge", "dataset", "suite", "rule", "compared_with")
NAMES_OF_MODEL = ("system", "model_id", "answer_model", "judge")


def long_rows(reader: Reader, table: str) -> list[Row]:
    """The current rows of a scorecard that have a value, with the fields of the charts."""
    rows = [
        one
        for row in reader.rows(f"select * from {table} order by all")
        if row.get("is_current") is not False and row.get("population", "all") in ("all", None)
        for one in values_of(row)
        if one["value"] is not None
    ]
    naming = telling_apart(rows)
    return [row | described(row, naming) for row in rows]


def values_of(row: Row) -> list[Row]:
    """A row as one row per value."""
    named = next((name for name in NAMES_OF_METRIC if name in row), None)
    if named and "value" in row:
        k = f"@{row['k']}" if row.get("k") else ""
        return [row | {"metric_name": f"{row[named]}{k}"}]
    return [
        row | {"metric_name": name, "value": row[name], "ci_low": row[name + low], "ci_high": row[name + high]}
        for name in row
        for low, high in INTERVALS
        if name + low in row and name + high in row
    ]


def telling_apart(rows: list[Row]) -> list[str]:
    """Those of the names of a run that differ between rows; the model at least."""
    several = [name for name in NAMES_OF_RUN if len({row.get(name) for row in rows}) > 1]
    model = next((name for name in NAMES_OF_MODEL if rows and rows[0].get(name)), None)
    return several if model is None or model in several else [*several, model]


def described(row: Row, naming: list[str]) -> Row:
    """The fields that charts and tables name."""
    stratum_by, stratum = row.get("stratum_by"), row.get("stratum")
    if stratum_by is None:
        # a scorecard with the classes beside their total, or with a dimension and no total
        total_or_class = row.get("class", row.get("dimension", "all"))
        stratum_by = "overall" if total_or_class == "all" else "class" if "class" in row else "dimension"
        stratum = total_or_class
    measured = row.get("n_measured")
    if measured is None:
        measured = (row.get("n_headlines") or row.get("n_total") or 0) - (row.get("n_error") or 0)
    parts = [str(row[name]) for name in naming if row.get(name) not in (None, "", "none")]
    judge = row.get("judge_model")
    model = next((str(row[name]) for name in NAMES_OF_MODEL if row.get(name)), "")
    is_baseline = row.get("is_baseline") is True or row.get("judge_is_baseline") is True
    return {
        "stratum_by": stratum_by,
        "stratum": stratum,
        "run": ", ".join(parts) + (f", judged by {judge}" if judge else "") or "all",
        "model": model,
        "system_name": model or "all",
        "provider": row.get("provider") or row.get("judge_kind") or ("baseline" if is_baseline else ""),
        "is_baseline": is_baseline or row.get("judge_kind") == "baseline",
        "n_measured": measured,
        "n_total": row.get("n_total", row.get("n_headlines")),
        "n_error": row.get("n_error") or 0,
        "run_id": row.get("run_id"),
    } | {end: row.get(end) for end in ("ci_low", "ci_high")}
