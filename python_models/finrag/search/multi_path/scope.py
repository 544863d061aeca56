"""How far a question reaches: one filing, several years, several companies, or no company at all."""

from __future__ import annotations

import re

LOCAL, CROSS_YEAR, CROSS_COMPANY, OPEN = "local", "cross_year", "cross_company", "open"

SEVERAL_COMPANIES = re.compile(
    r"\bcross-company\b|\bwhich compan(?:y|ies)\b|\bcompanies\b|\bissuers\b|\bpeers\b|\bcompetitors each\b", re.I
)
OTHER_COMPANIES = re.compile(r"\bcross-company\b|\bother (?:companies|issuers)\b|\bits peers\b", re.I)
SEVERAL_YEARS = re.compile(
    r"\bover (?:time|the years|the (?:past|last) \w+ (?:fiscal )?years)\b"
    r"|\b(?:year over year|year-over-year|multi-year)\b"
    r"|\bfrom year to year\b|\bacross (?:multiple|several|its|the|different)\b[^.?]*\b(?:filings|10-Ks|years)\b"
    r"|\btrends?\b|\bevol(?:ve|ved|ution)\b|\bthrough the years\b",
    re.I,
)


def classify(text: str, company_count: int, year_count: int) -> tuple[str, str]:
    """The scope and why."""
    if company_count > 1:
        return CROSS_COMPANY, f"{company_count} companies"
    if company_count == 0:
        if found := SEVERAL_COMPANIES.search(text):
            return CROSS_COMPANY, f"no company named, but “{found[0]}”"
        return OPEN, "no company named"
    if found := OTHER_COMPANIES.search(text):
        return CROSS_COMPANY, f"one company, and “{found[0]}”"
    if year_count > 1:
        return CROSS_YEAR, f"one company, {year_count} years"
    if found := SEVERAL_YEARS.search(text):
        return CROSS_YEAR, f"one company, “{found[0]}”"
    return LOCAL, "one company, at most one year"
