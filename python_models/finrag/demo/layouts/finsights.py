"""FinSights sentence tables: one row per sentence, one JSONL file per company."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag.demo.document import TITLES
from finrag.demo.filing import Filing
from finrag.demo.layouts.identifiers import CODES, filed_on, filing_id, sentence_id
from finrag.demo.layouts.sentences import jsonl, sentence_rows
from finrag.demo.slots import period_end

# Where they are not the titles of the form.
SECTION_NAMES = TITLES | {
    "ITEM_5": "Market for Stock",
    "ITEM_7": "Management’s Discussion and Analysis (MD&A)",
    "ITEM_10": "Directors, Officers & Governance",
    "ITEM_12": "Security Ownership of Certain Beneficial Owners and Management",
    "ITEM_13": "Certain Relationships and Related Transactions",
    "ITEM_14": "Principal Accounting Fees and Services",
    "ITEM_15": "Exhibits List",
}


def files(filings: Sequence[Filing]) -> dict[str, bytes]:
    rows = [row for filing in filings for row in filing_rows(filing)]
    return {f"finsights/{filings[0].profile.key}.jsonl": jsonl(rows)}


def filing_rows(filing: Filing) -> Iterator[dict[str, object]]:
    profile, year = filing.profile, filing.year
    for section in filing.sections:
        # The real tables spell the item both ways, depending on the batch that loaded the filing.
        label = f"item_{section.code}" if profile.lower_case_items else section.item
        for position, sentence in sentence_rows(filing, section):
            yield {
                "cik": profile.padded_cik,
                "name": profile.name,
                "report_year": year,
                "docID": filing_id(profile, year),
                "sentenceID": sentence_id(filing, section, position),
                "section_name": SECTION_NAMES[section.item],
                "section_item": label,
                "section_ID": CODES[section.item],
                "form": "10-K",
                "sentence_index": position,
                "sentence": sentence,
                "SIC": profile.sic,
                "filingDate": filed_on(profile, year).isoformat(),
                "reportDate": period_end(profile, year).isoformat(),
            }
