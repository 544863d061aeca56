"""Which companies and filings EDGAR has: by ticker, number or industry, and of a company by form and year."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from finrag.corpus.fiscal_years import fiscal_year_of
from finrag.edgar.client import Client
from finrag.errors import FinragError

_CIK = re.compile(rb"<cik>0*(\d{1,10})</cik>", re.IGNORECASE)
# Companies that a page of a search by industry lists.
PAGE = 100
PAGES = 100


@dataclass(frozen=True)
class Company:
    """asked: the ticker, number or industry that led to it."""

    asked: str
    cik: int


def by_industry(sic: str) -> str:
    """What an industry's companies were asked for by."""
    return f"SIC {sic}"


@dataclass(frozen=True)
class Filing:
    """year: the fiscal one."""

    cik: int
    company_name: str
    form: str
    year: int
    accession: str
    filing_date: str
    period_end: str
    document: str

    def address(self, www: str) -> str:
        return f"{www}/Archives/edgar/data/{self.cik}/{self.accession.replace('-', '')}/{self.document}"

    def file_name(self) -> str:
        """As edgar-crawler names filings, which tells number and year: 320193_10K_2020_0000320193-20-000096.htm."""
        suffix = self.document.rpartition(".")[2].lower()
        return f"{self.cik}_{self.form.replace('-', '').replace('/', '')}_{self.year}_{self.accession}.{suffix}"


def companies_by_ticker(client: Client, tickers: Iterable[str]) -> tuple[list[Company], list[str]]:
    """The companies of the tickers, and the tickers that EDGAR does not list."""
    asked = [ticker.upper() for ticker in tickers]
    if not asked:
        return [], []
    with read_json(client, f"{client.www}/files/company_tickers.json") as listed:
        ciks = {row["ticker"].upper(): int(row["cik_str"]) for row in listed.values()}
    found = [Company(ticker, ciks[ticker]) for ticker in asked if ticker in ciks]
    return found, [ticker for ticker in asked if ticker not in ciks]


def companies_by_sic(client: Client, sic: str) -> list[Company]:
    """Every company that EDGAR lists under an industry and that filed a 10-K."""
    found: dict[int, Company] = {}
    for page in range(PAGES):
        address = (
            f"{client.www}/cgi-bin/browse-edgar?action=getcompany&SIC={sic}&type=10-K&owner=include"
            f"&count={PAGE}&start={page * PAGE}&output=atom"
        )
        listed = [int(cik) for cik in _CIK.findall(client.get(address))]
        new = [cik for cik in dict.fromkeys(listed) if cik not in found]
        found.update({cik: Company(by_industry(sic), cik) for cik in new})
        if len(listed) < PAGE or not new:
            break
    return [*found.values()]


def filings_of(client: Client, cik: int, forms: Iterable[str], years: Iterable[int]) -> list[Filing]:
    """A company's filings of these forms of the fiscal years, the newest first."""
    wanted, asked = set(forms), set(years)
    with read_json(client, f"{client.data}/submissions/CIK{cik:010}.json") as submissions:
        name, found = submissions["name"], [*rows(cik, submissions["name"], submissions["filings"]["recent"])]
        older = pages(submissions, min(asked))
    for page in older:
        with read_json(client, f"{client.data}/submissions/{page}") as listed:
            found += rows(cik, name, listed)
    found = [filing for filing in found if filing.form in wanted and filing.year in asked and filing.document]
    return sorted(found, key=lambda filing: (filing.period_end, filing.filing_date), reverse=True)


def pages(submissions: dict, first_year: int) -> list[str]:
    """The names of older lists that reach to the year: a filing may come a year after its period."""
    listed = submissions["filings"].get("files") or []
    return [page["name"] for page in listed if page["filingTo"][:4] >= str(first_year)]


def rows(cik: int, name: str, page: dict) -> Iterator[Filing]:
    columns = ("form", "accessionNumber", "filingDate", "reportDate", "primaryDocument")
    for form, accession, filed, period_end, document in zip(*(page[column] for column in columns), strict=True):
        if period_end[:4].isdecimal():
            year = fiscal_year_of(date.fromisoformat(period_end))
            filed = date.fromisoformat(filed).isoformat()
            yield Filing(cik, name, form.upper(), year, accession, filed, period_end, document)


@contextmanager
def read_json(client: Client, address: str) -> Iterator[dict]:
    """What a document of EDGAR holds; raises FinragError where it is no JSON or, inside, not of the shape it should be.

    What is read inside is read whole there: no generator leaves it.
    """
    try:
        held = json.loads(client.get(address))
    except ValueError as error:
        raise FinragError(f"{address} is no JSON: {error}. EDGAR answers so where it is under maintenance.") from error
    try:
        yield held
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        said = f"{type(error).__name__}: {error}"
        raise FinragError(f"{address} is JSON of another shape than EDGAR's ({said}). Try again later.") from error
