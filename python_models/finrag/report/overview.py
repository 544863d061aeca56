"""The head of the report: what was built, its alerts and its cost."""

from __future__ import annotations

from dataclasses import dataclass

from finrag.report.data import Reader


@dataclass(frozen=True)
class Tile:
    what: str
    figure: str
    detail: str
    badge: str = ""


def tiles(reader: Reader) -> list[Tile]:
    shown = []
    if reader.has("metrics.alerts"):
        [row] = reader.rows(
            "select count(*) filter (where is_fired) as fired, count(*) as checked, "
            "count(*) filter (where status = 'not_measured') as unmeasured from metrics.alerts"
        )
        badge = "fired" if row["fired"] else "ok"
        detail = f"of {row['checked']} checks; {row['unmeasured']} could not be measured"
        shown.append(Tile("Alerts that fired", str(row["fired"]), detail, badge))
    if reader.has("answers.llm_calls"):
        [row] = reader.rows(
            "select coalesce(sum(cost_usd), 0) as usd, count(*) as calls "
            "from (select distinct on (call_key) * from answers.llm_calls)"
        )
        shown.append(Tile("Cost of all calls", f"${row['usd']:,.2f}", f"{row['calls']:,} calls to language models"))
    return shown


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
    if reader.filled("metrics.builds"):
        [row] = reader.rows(
            "select build_id[:8] as build, version, git_commit, "
            "finished_at at time zone 'UTC' as ended from metrics.builds order by started_at desc limit 1"
        )
        ended = f" of {row['ended']:%Y-%m-%d %H:%M} UTC" if row["ended"] else ""
        commit = f", commit {row['git_commit']}" if row["git_commit"] else ""
        commit = commit.replace("+", " with changes that were not committed")
        parts.append(f"Build {row['build']}{ended} by finrag {row['version']}{commit}")
    if reader.has("main.bi_publication"):
        [row] = reader.rows("select * from main.bi_publication")
        parts.append(f"as published {row['published_at']:%Y-%m-%d %H:%M} UTC (content {row['content']})")
    if reader.filled("gold.gold_versions"):
        versions = reader.rows("select suite, gold_version from gold.gold_versions order by suite")
        parts.append("gold " + ", ".join(f"{row['suite']} {row['gold_version'][:8]}" for row in versions))
    return "; ".join(parts) + "." if parts else ""
