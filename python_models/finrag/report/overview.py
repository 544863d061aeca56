"""The head of the report: what was built, and the figures that people ask for first."""

from __future__ import annotations

from dataclasses import dataclass

from finrag.report.data import Reader, Row

# Suite, metric, the strategy and regime to show where they were run, and what a reader calls it.
HEADLINES = (
    ("p1", "hit", 5, "positional", "dense", "filtered", "P1 Hit@5"),
    ("p2", "hit", 5, "positional", "dense", "filtered", "P2 Hit@5"),
    ("p2", "mrr", 30, "positional", "dense", "filtered", "P2 MRR@30"),
    ("p3", "hit", 5, "evidence", "multi_path", "open", "P3 evidence Hit@5"),
    ("p3", "answer_accuracy", None, "answer", "multi_path", "open", "P3 answers that are right"),
)


@dataclass(frozen=True)
class Tile:
    what: str
    figure: str
    interval: str
    detail: str
    badge: str = ""


def tiles(reader: Reader) -> list[Tile]:
    shown = [tile for headline in HEADLINES if (tile := headline_tile(reader, headline))]
    if reader.has("metrics.alerts"):
        [row] = reader.rows(
            "select count(*) filter (where is_fired) as fired, count(*) as checked, "
            "count(*) filter (where status = 'not_measured') as unmeasured from metrics.alerts"
        )
        badge = "fired" if row["fired"] else "ok"
        detail = f"of {row['checked']} checks; {row['unmeasured']} could not be measured"
        shown.append(Tile("Alerts that fired", str(row["fired"]), "", detail, badge))
    if reader.has("answers.llm_calls"):
        [row] = reader.rows(
            "select coalesce(sum(cost_usd), 0) as usd, count(*) as calls "
            "from (select distinct on (call_key) * from answers.llm_calls)"
        )
        shown.append(Tile("Cost of all calls", f"${row['usd']:,.2f}", "", f"{row['calls']:,} calls to language models"))
    return shown


def headline_tile(reader: Reader, headline: tuple) -> Tile | None:
    """headline: one of HEADLINES."""
    *chosen, what = headline
    if not reader.has("metrics.metric_values_by_run"):
        return None
    rows = reader.rows(
        """
        select
            * replace (
                coalesce(corpus_value, value) as value,
                coalesce(corpus_ci_low, ci_low) as ci_low,
                coalesce(corpus_ci_high, ci_high) as ci_high
            )
        from metrics.metric_values_by_run
        where
            suite = ? and metric = ? and coalesce(nullif(k, 0), -1) = coalesce(?, -1) and variant = ?
            and stratum_by = 'overall' and is_current and value is not null
            and population = if(suite = 'p3' and task != 'retrieval', 'all', 'covered')
        order by strategy = ? desc, regime = ? desc, gold_window desc, is_baseline, run_id
        limit 1
        """,
        chosen,
    )
    return measured_tile(rows[0], what) if rows else None


def measured_tile(row: Row, what: str) -> Tile:
    interval = f"95 % {row['ci_low']:.2f}–{row['ci_high']:.2f}" if row["ci_low"] is not None else ""
    models = [row.get("model_id"), row.get("answer_model"), row.get("embedding_model")]
    model = next((name for name in models if name and name != "none"), "no model")
    parts = [
        row.get("strategy"),
        row.get("regime"),
        model,
        f"n\u00a0=\u00a0{row['n_measured']:,}",
        row.get("estimand"),
        f"run\u00a0{row['run_id'][:8]}",
    ]
    return Tile(
        what,
        f"{row['value']:.2f}",
        interval,
        " · ".join(part for part in parts if part),
        "baseline" if row["is_baseline"] else "",
    )


def corpus_line(reader: Reader) -> str:
    if not reader.has("corpus.dim_filings", "corpus.dim_companies", "corpus.fct_sentences"):
        return ""
    [row] = reader.rows(
        "select count(*) as filings, min(report_year) as first, max(report_year) as last, "
        "(select count(*) from corpus.dim_companies) as companies, "
        "(select count(*) from corpus.fct_sentences) as sentences from corpus.dim_filings"
    )
    return (
        f"{row['filings']:,} filings of {row['companies']:,} companies, {row['first']} to {row['last']}, "
        f"{row['sentences']:,} sentences."
    )


def provenance(reader: Reader) -> str:
    """Which state of the warehouse this is."""
    parts = []
    if reader.has("main.bi_publication"):
        [row] = reader.rows("select * from main.bi_publication")
        parts.append(f"As published {row['published_at']:%Y-%m-%d %H:%M} UTC (content {row['content']})")
    if reader.filled("gold.gold_versions"):
        versions = reader.rows("select suite, gold_version from gold.gold_versions order by suite")
        parts.append("gold " + ", ".join(f"{row['suite']} {row['gold_version'][:8]}" for row in versions))
    return "; ".join(parts) + "." if parts else ""
