"""EDGAR-CORPUS: one row per filing, `section_1` to `section_15`, one JSONL file per company."""

from __future__ import annotations

from collections.abc import Sequence

from finrag.demo.document import TITLES
from finrag.demo.filing import Filing
from finrag.demo.layouts.filing_text import item_text
from finrag.demo.layouts.sentences import jsonl


def files(filings: Sequence[Filing]) -> dict[str, bytes]:
    rows = [record(filing) for filing in filings]
    return {f"edgar_corpus/{filings[0].profile.key}.jsonl": jsonl(rows)}


def record(filing: Filing) -> dict[str, object]:
    texts = {section.code: item_text(filing, section) for section in filing.sections}
    codes = [item.removeprefix("ITEM_") for item in TITLES]
    return {
        "filename": f"{filing.profile.cik}_{filing.year}.htm",
        "cik": str(filing.profile.cik),
        "year": str(filing.year),
        **{f"section_{code}": texts.get(code, "") for code in codes},
    }
