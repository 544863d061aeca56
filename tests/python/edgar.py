"""EDGAR on loopback: two companies, and a line that fails, blocks, redirects and cuts where a test says so."""

from __future__ import annotations

import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TEN_K = """<html><body><p>FORM 10-K</p><p>For the fiscal year ended {end}</p><p>{name}</p>
<p>(Exact name of registrant)</p><p>Item 1. Business</p><p>We make widgets in {end}.</p>
<p>Item 7. Management's Discussion</p><p>Net sales were $5.2 million, up from $4.9 million.</p>
<p>Item 8. Financial Statements</p><p>(in millions)</p><table><tr><td></td><td>{year}</td></tr>
<tr><td>Net sales</td><td>$5.2</td></tr></table></body></html>"""


class Edgar:
    """asked: paths in order. faults: what happens to the next requests, each (status, headers) or "cut"."""

    def __init__(self, held: dict[str, str] | None = None) -> None:
        """held: other documents by their paths than those of ACME and BOLT."""
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.faults: deque = deque()
        self.documents = {path: text.encode() for path, text in (held or documents()).items()}

    def __enter__(self) -> Edgar:
        edgar = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                edgar.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.append(request.path)
        self.agents.add(request.headers["User-Agent"])
        fault = self.faults.popleft() if self.faults else None
        content = self.documents.get(request.path)
        status, headers = fault if isinstance(fault, tuple) else (200 if content is not None else 404, {})
        content = (content if status == 200 else b"") or b""
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content[: len(content) // 2] if fault == "cut" else content)


def documents() -> dict[str, str]:
    """What EDGAR has, by path."""
    found = {
        "/files/company_tickers.json": json.dumps(
            {
                "0": {"cik_str": 42, "ticker": "ACME", "title": "Acme Widgets, Inc."},
                "1": {"cik_str": 7, "ticker": "BOLT", "title": "Bolt Corp"},
            }
        ),
        "/cgi-bin/browse-edgar?action=getcompany&SIC=3571&type=10-K&owner=include&count=100&start=0&output=atom": (
            "<feed><cik>0000000042</cik><cik>0000000007</cik></feed>"
        ),
    }
    filings = [
        ("10-K", "2023-12-31", 1), ("10-Q", "2023-09-30", 2), ("10-K/A", "2023-12-31", 3), ("10-K", "2022-12-31", 4),
    ]  # fmt: skip
    found |= submissions(42, "Acme Widgets, Inc.", filings, older=[("10-K405", "1999-12-31", 5)])
    found |= submissions(7, "Bolt Corp", [("10-K", "2023-06-30", 6)])
    # EDGAR's facts name the filing that each is of
    sales = {"units": {"USD": [{"accn": accession(42, number), "val": 5_200_000} for number in (1, 4)]}}
    found["/api/xbrl/companyfacts/CIK0000000042.json"] = json.dumps(
        {"cik": 42, "entityName": "Acme Widgets, Inc.", "facts": {"us-gaap": {"Revenues": sales}}}
    )
    return found


def demo_documents() -> dict[str, str]:
    """An EDGAR that has the demo's company in inline XBRL, with a fact of each year, and no other."""
    from finrag.demo.corpus import LAYOUTS
    from finrag.demo.filing import write_filing
    from finrag.demo.finances import statements
    from finrag.demo.profile import PROFILES, YEARS

    company = next(profile for profile in PROFILES if profile.layout == "edgar_html")
    books = statements(company)
    filings = [("10-K", f"{year}-12-31", year) for year in YEARS]
    pages = LAYOUTS[company.layout]([write_filing(company, books, year) for year in YEARS])
    listed = {"0": {"cik_str": company.cik, "ticker": company.ticker, "title": company.name}}
    found = {"/files/company_tickers.json": json.dumps(listed)}
    found |= submissions(company.cik, company.name, filings)
    for (_, _, number), page in zip(filings, pages.values(), strict=True):
        found[document(company.cik, number)] = page.decode()
    revenue = [
        {"val": books[year].revenue * 100_000, "start": f"{year}-01-01", "end": f"{year}-12-31", "form": "10-K"}
        | {"accn": accession(company.cik, year), "fy": year, "fp": "FY", "filed": f"{year + 1}-02-01"}
        for year in YEARS
    ]
    facts = {"us-gaap": {"Revenues": {"label": "Revenues", "units": {"USD": revenue}}}}
    found[f"/api/xbrl/companyfacts/CIK{company.cik:010}.json"] = json.dumps(
        {"cik": company.cik, "entityName": company.name, "facts": facts}
    )
    return found


def submissions(cik: int, name: str, filings: list, older: list | None = None) -> dict[str, str]:
    listed = {"name": name, "filings": {"recent": columns(cik, filings), "files": []}}
    found = {}
    if older:
        page = f"CIK{cik:010}-submissions-001.json"
        listed["filings"]["files"] = [{"name": page, "filingFrom": "1998-01-01", "filingTo": "2000-12-31"}]
        found[f"/submissions/{page}"] = json.dumps(columns(cik, older))
    found[f"/submissions/CIK{cik:010}.json"] = json.dumps(listed)
    for form, end, number in [*filings, *(older or [])]:
        text = TEN_K.format(end=end, name=name, year=end[:4]) + f"<!-- {form} -->"
        found[document(cik, number)] = text
    return found


def document(cik: int, number: int) -> str:
    """Where a filing's page lies."""
    return f"/Archives/edgar/data/{cik}/{accession(cik, number).replace('-', '')}/f{number}.htm"


def columns(cik: int, filings: list) -> dict[str, list[str]]:
    return {
        "form": [form for form, _, _ in filings],
        "accessionNumber": [accession(cik, number) for _, _, number in filings],
        "filingDate": [f"{int(end[:4]) + 1}-02-01" for _, end, _ in filings],
        "reportDate": [end for _, end, _ in filings],
        "primaryDocument": [f"f{number}.htm" for _, _, number in filings],
    }


def accession(cik: int, number: int) -> str:
    return f"{cik:010}-24-{number:06}"
