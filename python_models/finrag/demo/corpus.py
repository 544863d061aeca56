"""Renders the whole corpus in memory: path to bytes, and what was counted on the way."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence

from finrag.demo import company_facts, planted_cases
from finrag.demo.filing import Filing, write_filing
from finrag.demo.finances import statements
from finrag.demo.layouts import edgar_corpus, edgar_crawler, edgar_html, finsights, hf_financial_reports
from finrag.demo.profile import PROFILES, YEARS

LAYOUTS = {
    "finsights": finsights.files,
    "hf": hf_financial_reports.files,
    "edgar_crawler": edgar_crawler.files,
    "edgar_corpus": edgar_corpus.files,
    "edgar_html": edgar_html.files,
}
COMPANY_COLUMNS = ("cik", "company_name", "ticker", "sic", "industry", "layout", "fiscal_year_end", "state")


def render(version: str) -> dict[str, bytes]:
    """Every file by its path relative to the corpus directory; manifest.json comes last."""
    files: dict[str, bytes] = {}
    filings: dict[tuple[str, int], Filing] = {}
    facts: list[Sequence[str]] = []
    for profile in PROFILES:
        books = statements(profile)
        own = [write_filing(profile, books, year) for year in YEARS]
        filings |= {(profile.key, filing.year): filing for filing in own}
        files |= LAYOUTS[profile.layout](own)
        facts += company_facts.rows(profile, books)
    cases = list(planted_cases.rows(filings))
    files["companies.csv"] = as_csv(COMPANY_COLUMNS, (company_row(profile) for profile in PROFILES))
    files["company_facts.csv"] = as_csv(company_facts.COLUMNS, facts)
    files["planted_cases.csv"] = as_csv(planted_cases.COLUMNS, cases)
    counts = {
        "companies": len(PROFILES),
        "filings": len(filings),
        "sections": sum(len(filing.sections) for filing in filings.values()),
        "company_facts": len(facts),
        "planted_cases": len(cases),
    }
    files["manifest.json"] = manifest(version, counts, files)
    return files


def company_row(profile) -> Sequence[str]:
    month, day = profile.year_end
    year_end = f"{month:02d}-{day:02d}"
    return (
        profile.padded_cik,
        profile.name,
        profile.ticker,
        profile.sic,
        profile.industry,
        profile.layout,
        year_end,
        profile.state,
    )


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8")


def manifest(version: str, counts: dict[str, int], files: dict[str, bytes]) -> bytes:
    """generator_version, counts, and size and SHA-256 of every other file."""
    described = {
        path: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in sorted(files.items())
    }
    content = {"generator_version": version, "counts": counts, "files": described}
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
