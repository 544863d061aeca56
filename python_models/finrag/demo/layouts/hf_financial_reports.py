"""Hugging Face `JanosAudran/financial-reports-sec`: one row per sentence, integer sections, labels from returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag.demo.choices import between
from finrag.demo.filing import Filing
from finrag.demo.layouts.identifiers import (
    CODES,
    filed_on,
    filing_id,
    next_weekday,
    previous_weekday,
    sentence_id,
)
from finrag.demo.layouts.sentences import jsonl, sentence_rows
from finrag.demo.slots import period_end

WINDOWS = (("1d", 1), ("5d", 5), ("30d", 30))
EXCHANGES = {"NASDAQ": "Nasdaq", "NYSE": "NYSE"}


def files(filings: Sequence[Filing]) -> dict[str, bytes]:
    rows = [row for filing in filings for row in filing_rows(filing)]
    for count, row in enumerate(rows, start=1):
        row["sentenceCount"] = count
    return {f"hf/{filings[0].profile.key}.jsonl": jsonl(rows)}


def filing_rows(filing: Filing) -> Iterator[dict[str, object]]:
    profile, year = filing.profile, filing.year
    filed = filed_on(profile, year)
    returns = filing_returns(filing)
    for section in filing.sections:
        for position, sentence in sentence_rows(filing, section):
            yield {
                "cik": profile.padded_cik,
                "sentence": sentence,
                "section": CODES[section.item],
                # Class labels: 0 is positive, 1 is negative.
                "labels": {window: int(values["ret"] < 0) for window, values in returns.items()},
                "filingDate": filed.isoformat(),
                "name": profile.name,
                "docID": filing_id(profile, year),
                "sentenceID": sentence_id(filing, section, position),
                "sentenceCount": 0,
                "tickers": [profile.ticker],
                "exchanges": [EXCHANGES[profile.exchange]],
                "entityType": "operating",
                "sic": profile.sic,
                "stateOfIncorporation": profile.state,
                "tickerCount": 1,
                "acceptanceDateTime": f"{filed.isoformat()}T16:31:07.000Z",
                "form": "10-K",
                "reportDate": period_end(profile, year).isoformat(),
                "returns": returns,
            }


def filing_returns(filing: Filing) -> dict[str, dict[str, object]]:
    """Prices around the filing date by window; ret is the change from the day before filing to the end."""
    key = ("returns", filing.profile.key, filing.year)
    filed = filed_on(filing.profile, filing.year)
    start = between(1_400, 14_000, *key, "start")
    returns: dict[str, dict[str, object]] = {}
    for window, days in WINDOWS:
        change = between(-240 - 30 * days, 260 + 30 * days, *key, window)
        end = start + start * change // 10_000
        returns[window] = {
            "closePriceEndDate": end / 100,
            "closePriceStartDate": start / 100,
            "endDate": f"{next_weekday(filed, days).isoformat()}T00:00:00-04:00",
            "startDate": f"{previous_weekday(filed).isoformat()}T00:00:00-04:00",
            "ret": round((end - start) / start, 6),
        }
    return returns
