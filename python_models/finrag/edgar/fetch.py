"""Fetch the 10-Ks and company facts of companies: what is there already is not asked for again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from finrag.edgar import filings
from finrag.edgar.client import Client, MissingError
from finrag.edgar.filings import Company, Filing, by_industry
from finrag.edgar.store import Document, Store
from finrag.errors import FinragError
from finrag.inputs.files import text_of
from finrag.progress import progress

FORMS = ("10-K", "10-K405", "10-KSB", "10-KT", "10-K/A", "10-K405/A", "10-KSB/A", "10-KT/A")
_YEARS = re.compile(r"(\d{4})(?:-(\d{4}))?")
PAGES = (".htm", ".html")
_CLOSED = re.compile(rb"</(?:html|body)>", re.IGNORECASE)
FIRST_YEAR = 1993


@dataclass(frozen=True)
class Wanted:
    """What a person asks for. ciks: numbers, tickers: of companies, sic: industries."""

    tickers: Sequence[str]
    ciks: Sequence[int]
    sic: Sequence[str]
    years: Sequence[int]
    forms: Sequence[str]
    facts: bool = True


def wanted(tickers: str, ciks: str, sic: str, file: Path | None, years: str, forms: str, facts: bool) -> Wanted:
    """Of the options as texts, words parted by blanks or commas; raises FinragError."""
    named = words(read_companies(file) if file else "")
    numbers = [*words(ciks), *(word for word in named if word.isdecimal())]
    if wrong := [number for number in numbers if not (number.isdecimal() and len(number) <= 10)]:
        raise FinragError(f"{wrong[0]!r} is no CIK. Allowed: numbers of up to ten digits such as 320193.")
    if wrong := [code for code in words(sic) if not re.fullmatch(r"\d{4}", code)]:
        raise FinragError(f"{wrong[0]!r} is no SIC code. Allowed: four digits such as 3571.")
    if wrong := [form for form in words(forms) if form.upper() not in FORMS]:
        raise FinragError(f"{wrong[0]!r} is no form that is read. Allowed: {', '.join(FORMS)}.")
    found = Wanted(
        [*words(tickers), *(word for word in named if not word.isdecimal())],
        [int(number) for number in numbers],
        words(sic),
        years_in(years),
        [form.upper() for form in words(forms)],
        facts,
    )
    if not (found.tickers or found.ciks or found.sic):
        raise FinragError('Name companies: --tickers "AAPL MSFT", --ciks 320193, --sic 3571 or --file companies.txt.')
    return found


def read_companies(file: Path) -> str:
    """The text of a file, or of a pipe, that names companies; raises FinragError where it is none."""
    try:
        return text_of(file.read_bytes())
    except ValueError as error:
        raise FinragError(f"{file} {error}. Allowed: tickers and CIKs, parted by blanks, commas or lines.") from error


def words(text: str) -> list[str]:
    return [word for line in text.splitlines() for word in re.split(r"[\s,]+", line.partition("#")[0]) if word]


def years_in(text: str) -> list[int]:
    """`2022-2025` and `2019 2021`, in order."""
    found: set[int] = set()
    for word in words(text):
        match = _YEARS.fullmatch(word)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not FIRST_YEAR <= first <= last <= datetime.now(UTC).year + 1:
            raise FinragError(f"{word!r} is no year or span of years. Allowed: 2024, 2022-2025, from {FIRST_YEAR} on.")
        found.update(range(first, last + 1))
    if not found:
        raise FinragError("Name fiscal years: --years 2022-2025.")
    return sorted(found)


def fetch(client: Client, store: Store, asked: Wanted) -> Counter[str]:
    """Fetch what is asked for and not there; how many documents ended how: fetched, kept, missing, failed.

    Every document asked for is a row of the index, written as soon as it is known how it ended.
    """
    ended: Counter[str] = Counter()
    with store.alone():
        companies, unlisted = companies_of(client, asked)
        lists = {*map(str.upper, asked.tickers), *map(by_industry, asked.sic)}
        store.forget(lambda row: row.kind == "company" and row.cik is None and row.asked in lists)
        for row in unlisted:
            note(store, ended, row)
        with progress("Fetching from EDGAR", len(companies), "company") as companies_done:
            for company in companies:
                fetch_company(client, store, company, asked, ended)
                companies_done.update(1)
    return ended


def companies_of(client: Client, asked: Wanted) -> tuple[list[Company], list[Document]]:
    """Each company once, in the order in which it is named, and rows of tickers and industries that led to none."""
    found: list[Company] = []
    try:
        found, unknown = filings.companies_by_ticker(client, asked.tickers)
        unlisted = [Document(ticker, "company", "missing", reason="EDGAR lists no such ticker") for ticker in unknown]
    except FinragError as error:
        unlisted = [Document(ticker.upper(), "company", "failed", reason=str(error)) for ticker in asked.tickers]
    found += [Company(str(cik), cik) for cik in asked.ciks]
    for sic in asked.sic:
        try:
            found += filings.companies_by_sic(client, sic)
        except FinragError as error:
            unlisted.append(Document(by_industry(sic), "company", "failed", reason=str(error)))
    return [*{company.cik: company for company in reversed(found)}.values()][::-1], unlisted


def fetch_company(client: Client, store: Store, company: Company, asked: Wanted, ended: Counter[str]) -> None:
    row = Document(company.asked, "filing", "fetched", cik=company.cik)
    try:
        found = filings.filings_of(client, company.cik, asked.forms, asked.years)
    except FinragError as error:
        status = "missing" if isinstance(error, MissingError) else "failed"
        note(store, ended, replace(row, kind="company", status=status, reason=str(error)))
        return
    store.forget(lambda past: past.cik == company.cik and (past.kind == "company" or is_listed(past, found)))
    for filing in found:
        fetch_filing(client, store, filing, row, ended)
    for year in sorted(set(asked.years) - {filing.year for filing in found}):
        forms = ", ".join(asked.forms)
        reason = f"no {forms} whose period ends in {year}"
        note(store, ended, replace(row, status="missing", form=forms, year=year, reason=reason))
    if asked.facts:
        name = f"facts/CIK{company.cik:010}.json"
        address = f"{client.data}/api/xbrl/companyfacts/CIK{company.cik:010}.json"
        keep(client, store, replace(row, kind="facts", address=address), name, ended)


def is_listed(row: Document, found: Iterable[Filing]) -> bool:
    """Whether a year that had no filing of some forms has one of them."""
    forms = {filing.form for filing in found if filing.year == row.year}
    return row.kind == "filing" and row.accession is None and not forms.isdisjoint((row.form or "").split(", "))


def fetch_filing(client: Client, store: Store, filing: Filing, row: Document, ended: Counter[str]) -> None:
    known = {name: getattr(filing, name) for name in ("company_name", "form", "year", "accession")}
    known |= {"filing_date": filing.filing_date, "period_end": filing.period_end}
    row = replace(row, **known, address=filing.address(client.www))
    keep(client, store, row, f"{filing.form.replace('/', '-')}/{filing.file_name()}", ended)


def keep(client: Client, store: Store, row: Document, name: str, ended: Counter[str]) -> None:
    """Fetch one document, unless it is there."""
    if store.held(row):
        ended["kept"] += 1
        return
    try:
        content = client.get(row.address)
        if name.endswith(PAGES) and not _CLOSED.search(content[-4096:]):
            raise FinragError(f"{row.address} does not end: no </html> is there")
    except FinragError as error:
        status = "missing" if isinstance(error, MissingError) else "failed"
        note(store, ended, replace(store.whole(row) or row, status=status, reason=str(error)))
        return
    row.fetched_at = datetime.now(UTC).isoformat(timespec="microseconds")
    store.keep(row, name, content)
    ended["fetched"] += 1


def note(store: Store, ended: Counter[str], row: Document) -> None:
    store.note(row)
    ended[row.status] += 1


def summary(store: Store, ended: Counter[str]) -> Iterable[str]:
    """What a person is told at the end."""
    counts = ", ".join(
        f"{ended[status]} {status}" for status in ("fetched", "kept", "missing", "failed") if ended[status]
    )
    yield f"{counts or 'nothing asked for'}. {store.folder / 'index.jsonl'} has a row for each."
    for row in store.rows.values():
        if row.status != "fetched":
            yield f"  {row.asked}{f' {row.year}' if row.year else ''}: {row.status}, {row.reason}"
    paths = [Path(row.path) for row in store.rows.values() if row.path and row.kind == "filing"]
    patterns = sorted({f'"{store.folder / path.parent / pattern_of(path)}"' for path in paths})
    if patterns:
        yield "To build on them, in finrag.toml:"
        yield "  [corpus]"
        yield f"  paths = [{', '.join(patterns)}]"
        if any(row.kind == "facts" and row.path for row in store.rows.values()):
            yield f'  facts = "{store.folder}/facts/*.json"'


def pattern_of(path: Path) -> str:
    """What names a filing's file and those like it: pages, and texts, which EDGAR took for whole filings until 2000."""
    return "*.htm*" if path.suffix in PAGES else f"*{path.suffix}"
