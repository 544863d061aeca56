"""edgar-crawler: one JSON file per filing, metadata and `item_1` to `item_16`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from finrag.demo.document import TITLES
from finrag.demo.filing import Filing
from finrag.demo.layouts.filing_text import item_text
from finrag.demo.layouts.identifiers import accession_number, filed_on
from finrag.demo.slots import period_end

# A host that is reserved for examples: nobody should mistake these for filings of the SEC.
ARCHIVE = "https://edgar.example/Archives/edgar/data"


def files(filings: Sequence[Filing]) -> dict[str, bytes]:
    return {f"edgar_crawler/{stem(filing)}.json": encoded(filing) for filing in filings}


def stem(filing: Filing) -> str:
    profile, year = filing.profile, filing.year
    return f"{profile.cik}_10K_{year}_{accession_number(profile, year)}"


def encoded(filing: Filing) -> bytes:
    return (json.dumps(record(filing), ensure_ascii=False, indent=4) + "\n").encode("utf-8")


def record(filing: Filing) -> dict[str, str]:
    profile, year = filing.profile, filing.year
    accession = accession_number(profile, year)
    folder = f"{ARCHIVE}/{profile.cik}/{accession.replace('-', '')}"
    ended = period_end(profile, year)
    texts = {section.code: item_text(filing, section) for section in filing.sections}
    return {
        "cik": str(profile.cik),
        "company": profile.name.upper(),
        "filing_type": "10-K",
        "filing_date": filed_on(profile, year).isoformat(),
        "period_of_report": ended.isoformat(),
        "sic": profile.sic,
        "state_of_inc": profile.state,
        "state_location": profile.location,
        "fiscal_year_end": f"{ended.month:02d}{ended.day:02d}",
        "filing_html_index": f"{ARCHIVE}/{profile.cik}/{accession}-index.html",
        "htm_filing_link": f"{folder}/{profile.ticker.lower()}-{ended:%Y%m%d}.htm",
        "complete_text_filing_link": f"{ARCHIVE}/{profile.cik}/{accession}.txt",
        "filename": f"{stem(filing)}.htm",
        **{f"item_{code}": texts.get(code, "") for code in item_codes()},
    }


def item_codes() -> list[str]:
    """The form's items; the crawler has keys for two more, which these companies leave empty."""
    codes = [item.removeprefix("ITEM_") for item in TITLES]
    codes.insert(codes.index("9B") + 1, "9C")
    return [*codes, "16"]
