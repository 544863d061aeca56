"""Fetching from EDGAR, an emulated one: what is asked for, how often, and what becomes of what fails."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import requests
from typer.testing import CliRunner

from databases import in_memory
from edgar import Edgar, accession, demo_documents, documents, submissions
from finrag.cli import toml
from finrag.cli.app import app
from finrag.corpus.html.filing import read_filing
from finrag.edgar import client as edgar_client
from finrag.edgar import fetch as edgar_fetch
from finrag.edgar.client import Client, UnreachableError, addresses, contact
from finrag.edgar.filings import rows
from finrag.edgar.store import Document, Store, as_relation
from finrag.errors import FinragError
from warehouses import ROOT, environment, parse_of

JANE = "Jane Doe jane@example.com"
# What the page's own tables are made of; the demo, which has the same company, builds and tests all.
OF_THE_PAGE = (
    " --select +kpi_agreement +p3_evidence +fct_tables +fetched_documents"
    " --exclude-resource-type test --exclude-resource-type unit_test"
)


class Clock:
    """Time that passes by being slept."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def edgar(monkeypatch):
    with Edgar() as server:
        monkeypatch.setenv("FINRAG_EDGAR_ADDRESS", server.url)
        monkeypatch.setenv("FINRAG_EDGAR_CONTACT", JANE)
        yield server


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def client(edgar, clock):
    return Client(requests.Session(), clock=lambda: clock.now, sleep=clock.sleep, told=lambda _: None)


def asked(tickers="", ciks="", sic="", file=None, years="2022-2023", forms="10-K", facts=True):
    return edgar_fetch.wanted(tickers, ciks, sic, file, years, forms, facts)


def statuses(store: Store) -> list[tuple]:
    return sorted((row.kind, row.status, row.form or "", row.year or 0) for row in store.rows.values())


def test_a_company_is_fetched_once_ever(edgar, client, tmp_path):
    store = Store(tmp_path)
    ended = edgar_fetch.fetch(client, store, asked("acme"))
    assert ended == {"fetched": 3}
    assert statuses(store) == [
        ("facts", "fetched", "", 0),
        ("filing", "fetched", "10-K", 2022),
        ("filing", "fetched", "10-K", 2023),
    ]
    [newest] = tmp_path.glob("10-K/42_10K_2023_*.htm")
    cover = read_filing(str(newest)).cover
    assert (cover.cik, cover.company_name, cover.report_year) == ("42", "Acme Widgets, Inc.", "2023")
    held = sorted(path.name for path in (tmp_path / "objects").iterdir())
    assert held == sorted(row.sha256 for row in store.rows.values())
    # another process knows what is there: only lists are asked for again
    edgar.asked.clear()
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME")) == {"kept": 3}
    assert not any(path.startswith(("/Archives", "/api")) for path in edgar.asked)
    # a file that was damaged or removed is fetched again
    newest.unlink()
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME")) == {"kept": 2, "fetched": 1}
    assert newest.is_file()


def test_an_amendment_whose_cover_says_10_k_is_one(client, tmp_path):
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2023", forms="10-K 10-K/A", facts=False))
    forms = {path.parent.name: read_filing(str(path)).cover.form_type for path in tmp_path.glob("10-K*/*.htm")}
    assert forms == {"10-K": "10-K", "10-K-A": "10-K/A"}


def files_2024(edgar: Edgar) -> None:
    """Acme files its next 10-K, and its facts grow by it."""
    filings = [("10-K", "2024-12-31", 11), ("10-K", "2023-12-31", 1), ("10-K", "2022-12-31", 4)]
    new = submissions(42, "Acme Widgets, Inc.", filings)
    new["/api/xbrl/companyfacts/CIK0000000042.json"] = '{"facts": {"grown": {}}}'
    edgar.documents |= {path: text.encode() for path, text in new.items()}


def test_facts_are_fetched_again_with_a_new_filing(edgar, client, tmp_path):
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022-2024"))
    files_2024(edgar)
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022-2024")) == {"kept": 2, "fetched": 2}
    assert "grown" in (tmp_path / "facts" / "CIK0000000042.json").read_text()
    [facts] = [row for row in Store(tmp_path).rows.values() if row.kind == "facts"]
    assert facts.bytes == len('{"facts": {"grown": {}}}')
    edgar.asked.clear()
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022-2024")) == {"kept": 4}
    assert edgar.asked == ["/files/company_tickers.json", "/submissions/CIK0000000042.json"]


def test_facts_that_cannot_be_fetched_again_stay(edgar, client, tmp_path):
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME"))
    files_2024(edgar)
    edgar.faults.extend([(200, {})] * 3 + [(410, {})])  # tickers, the company's list, its new filing; the facts
    store = Store(tmp_path)
    ended = edgar_fetch.fetch(client, store, asked("ACME", years="2024"))
    assert ended == {"fetched": 1, "failed": 1}
    [facts] = [row for row in Store(tmp_path).rows.values() if row.kind == "facts"]
    assert (facts.status, facts.path) == ("failed", "facts/CIK0000000042.json") and "410" in facts.reason
    assert f'  facts = "{tmp_path}/facts/*.json"' in edgar_fetch.summary(store, ended)
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2024")) == {"kept": 1, "fetched": 1}
    assert not_fetched(Store(tmp_path)) == []


def test_facts_that_lack_a_filing_fetched_later_are_fetched_again_once(edgar, client, tmp_path):
    """Facts, then two years with --no-facts: one that they have, and one that they never get, which has no tags."""
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022"))
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2023", facts=False))
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022")) == {"kept": 2}
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="1999", forms="10-K405", facts=False))
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022")) == {"kept": 1, "fetched": 1}
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022")) == {"kept": 2}


@pytest.mark.parametrize(
    ("fetched", "facts", "is_behind"),
    [
        ("2024-02-01T23:00:00", "", True),  # on the day of the filing, which they lack
        ("2024-02-02T23:00:00", "", True),
        ("2024-02-03T00:00:00", "", False),  # by then they would have it
        ("2024-02-01T23:00:00", accession(42, 1), False),
        ("2024-02-01T21:00:00", accession(42, 1), False),
    ],
)
def test_facts_of_the_days_of_a_filing_have_it(tmp_path, fetched, facts, is_behind):
    store = Store(tmp_path)
    filing = Document("ACME", "filing", "fetched", 42, accession=accession(42, 1), filing_date="2024-02-01")
    filing.fetched_at = "2024-02-01T22:00:00"
    store.keep(filing, "10-K/1.htm", b"<html></html>")
    row = Document("ACME", "facts", "fetched", 42, fetched_at=fetched)
    store.keep(row, "facts/1.json", json.dumps(facts).encode())
    assert (store.held(row) is None) == is_behind


def test_what_edgar_does_not_have_is_a_row_with_its_reason(client, tmp_path):
    store = Store(tmp_path)
    ended = edgar_fetch.fetch(client, store, asked("NOPE BOLT", ciks="99"))
    assert ended == {"missing": 4, "fetched": 1}
    reasons = {(row.asked, row.kind, row.year): row.reason for row in store.rows.values() if row.status == "missing"}
    assert reasons.keys() == {
        ("NOPE", "company", None),
        ("99", "company", None),
        ("BOLT", "filing", 2022),
        ("BOLT", "facts", None),
    }
    assert reasons["BOLT", "filing", 2022] == "no 10-K whose period ends in 2022"
    assert "  NOPE: missing, EDGAR lists no such ticker" in edgar_fetch.summary(store, ended)


def not_fetched(store: Store) -> list[tuple]:
    return [(row.asked, row.kind, row.status, row.year) for row in store.rows.values() if row.status != "fetched"]


def test_what_was_fetched_later_is_missing_or_failed_no_more(edgar, client, tmp_path):
    edgar.faults.extend([(200, {}), (410, {})])  # the tickers, then the company's list
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME NOPE", years="2022-2024"))
    assert not_fetched(Store(tmp_path)) == [("NOPE", "company", "missing", None), ("ACME", "company", "failed", None)]
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2022-2024", forms="10-K 10-KT"))
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2024-2025"))
    of_2025 = ("ACME", "filing", "missing", 2025)
    of_2024 = ("ACME", "filing", "missing", 2024)
    assert not_fetched(Store(tmp_path)) == [("NOPE", "company", "missing", None), of_2024, of_2024, of_2025]
    files_2024(edgar)
    tickers = json.loads(edgar.documents["/files/company_tickers.json"])
    tickers["1"]["ticker"] = "NOPE"
    edgar.documents["/files/company_tickers.json"] = json.dumps(tickers).encode()
    store = Store(tmp_path)
    ended = edgar_fetch.fetch(client, store, asked("ACME nope", years="2024", facts=False))
    of_bolt = ("NOPE", "filing", "missing", 2024)
    assert not_fetched(store) == not_fetched(Store(tmp_path)) == [of_2025, of_bolt]
    told = "\n".join(edgar_fetch.summary(store, ended))
    assert "ACME 2024" not in told and "410" not in told
    # another form of the year does not stand for the one that is missing
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2023", forms="10-KT"))
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME", years="2023"))
    assert ("ACME", "filing", "missing", 2023) in not_fetched(Store(tmp_path))


def test_a_year_of_53_weeks_is_the_one_before():
    columns = {"form": ["10-K"] * 3, "accessionNumber": ["a", "b", "c"], "primaryDocument": ["a.htm"] * 3}
    page = columns | {"filingDate": ["2023-02-20"] * 3, "reportDate": ["2023-01-01", "2023-12-31", ""]}
    assert [filing.year for filing in rows(42, "Acme", page)] == [2022, 2023]


@pytest.mark.parametrize(
    ("forms", "years", "found"),
    [
        ("10-K/A", "2023", {("10-K/A", 2023)}),
        ("10-K405", "1999", {("10-K405", 1999)}),
        ("10-K 10-K405", "1999-2022", {("10-K", 2022), ("10-K405", 1999)}),
    ],
)
def test_forms_and_years(client, tmp_path, forms, years, found):
    store = Store(tmp_path)
    edgar_fetch.fetch(client, store, asked(ciks="42", forms=forms, years=years, facts=False))
    assert {(row.form, row.year) for row in store.rows.values() if row.status == "fetched"} == found


def test_companies_of_an_industry_and_of_a_file(client, tmp_path):
    listed = tmp_path / "companies.txt"
    listed.write_text("acme  # by ticker\n7, 42\n")
    assert (
        edgar_fetch.companies_of(client, asked(file=listed))[0]
        == edgar_fetch.companies_of(client, asked("acme", "7 42"))[0]
    )
    assert [company.cik for company in edgar_fetch.companies_of(client, asked(sic="3571"))[0]] == [42, 7]


def test_at_most_eight_requests_a_second(client, clock, tmp_path):
    edgar_fetch.fetch(client, Store(tmp_path), asked("ACME BOLT"))
    # nothing but turns was waited for, by a clock that else stands still
    assert len(clock.slept) == 7 and clock.now == pytest.approx(7 / 8)


@pytest.mark.parametrize(
    ("faults", "waits"),
    [
        ([(500, {}), (503, {"Retry-After": "9"})], [1, 9]),
        (["cut"], [1]),
        ([(429, {})], [600]),
        ([(403, {"Retry-After": "900"})], [900]),
        ([(302, {"Location": "/files/company_tickers.json"})], []),
    ],
)
def test_faults_that_pass(edgar, client, clock, faults, waits):
    edgar.faults.extend(faults)
    assert client.get(f"{client.www}/files/company_tickers.json").startswith(b'{"0"')
    assert [seconds for seconds in clock.slept if seconds >= 1] == waits


@pytest.mark.parametrize(
    ("faults", "said"),
    [([(500, {})] * 5, "HTTP 500, asked 5 times"), ([(403, {})] * 2, "HTTP 403"), ([(400, {})], "HTTP 400")],
)
def test_faults_that_stay_are_rows(edgar, client, tmp_path, faults, said):
    edgar.faults.extend(faults)
    with pytest.raises(UnreachableError, match=said):
        client.get(f"{client.www}/files/company_tickers.json")


def test_a_document_that_fails_costs_itself_alone(edgar, client, tmp_path):
    path = next(path for path in edgar.documents if path.endswith("f1.htm"))
    edgar.documents[path] = edgar.documents[path][:200]
    store = Store(tmp_path)
    assert edgar_fetch.fetch(client, store, asked("ACME")) == {"failed": 1, "fetched": 2}
    [failed] = [row for row in store.rows.values() if row.status == "failed"]
    assert failed.year == 2023 and "does not end" in failed.reason
    edgar.documents[path] += b"</body></html>"
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME")) == {"kept": 2, "fetched": 1}


SUBMISSIONS = "/submissions/CIK0000000042.json"
LISTED = {"form": ["10-K"], "accessionNumber": ["a"], "filingDate": ["2024-02-01"], "reportDate": ["2023-12-31"]}


@pytest.mark.parametrize(
    ("path", "held", "failed"),
    [
        (SUBMISSIONS, [], "list indices"),
        (SUBMISSIONS, {"name": "Acme"}, "KeyError: 'filings'"),
        (SUBMISSIONS, {"name": "Acme", "filings": {"recent": LISTED}}, "KeyError: 'primaryDocument'"),
        (SUBMISSIONS, {"name": "Acme", "filings": {"recent": LISTED | {"primaryDocument": []}}}, "ValueError"),
        ("/files/company_tickers.json", [], "no attribute 'values'"),
        ("/files/company_tickers.json", {"0": {"ticker": "ACME"}}, "KeyError: 'cik_str'"),
    ],
)
def test_json_of_another_shape_is_a_row(edgar, client, tmp_path, path, held, failed):
    edgar.documents[path] = json.dumps(held).encode()
    store = Store(tmp_path)
    assert edgar_fetch.fetch(client, store, asked("Acme", "7", years="2023", facts=False)) == {
        "failed": 1,
        "fetched": 1,
    }
    [row] = [row for row in store.rows.values() if row.status == "failed"]
    assert (row.asked, row.kind) == ("ACME", "company")
    assert f"{path} is JSON of another shape than EDGAR's" in row.reason and failed in row.reason
    edgar.documents |= {at: text.encode() for at, text in documents().items()}
    assert edgar_fetch.fetch(client, store, asked("ACME", years="2023", facts=False)) == {"fetched": 1}
    assert not_fetched(store) == []


def test_an_industry_whose_list_fails_is_a_row(edgar, client, tmp_path):
    edgar.faults.append((410, {}))
    store = Store(tmp_path)
    assert edgar_fetch.fetch(client, store, asked(sic="3571", ciks="7", years="2023", facts=False)) == {
        "failed": 1,
        "fetched": 1,
    }
    assert not_fetched(store) == [("SIC 3571", "company", "failed", None)]
    edgar_fetch.fetch(client, store, asked(sic="3571", years="2023", facts=False))
    assert not_fetched(store) == []


@pytest.mark.parametrize("line", ['{"asked": "X", "kind"', "[]", '{"asked": "X", "of_a_later_version": 1}', "\udcff"])
def test_a_damaged_line_of_the_index_is_named(tmp_path, line):
    Store(tmp_path).note(Document("ACME", "filing", "failed", cik=42))
    with (tmp_path / "index.jsonl").open("a", encoding="utf-8", errors="surrogateescape") as index:
        index.write(line)
    said = r"index\.jsonl, line 2, is no row of what was fetched \(.*\)\. Remove the line"
    with pytest.raises(FinragError, match=said):
        Store(tmp_path)
    with in_memory() as session, pytest.raises(FinragError, match=said):
        as_relation(session, tmp_path)


def test_a_filing_in_plain_text_is_among_the_lines_to_build_on(edgar, client, tmp_path):
    edgar.documents = {path.replace("f1.htm", "f1.txt"): text for path, text in edgar.documents.items()}
    edgar.documents[SUBMISSIONS] = edgar.documents[SUBMISSIONS].replace(b"f1.htm", b"f1.txt")
    store = Store(tmp_path)
    ended = edgar_fetch.fetch(client, store, asked("ACME", forms="10-K 10-K/A", facts=False))
    patterns = [f'"{tmp_path}/{pattern}"' for pattern in ("10-K-A/*.htm*", "10-K/*.htm*", "10-K/*.txt")]
    assert f"  paths = [{', '.join(patterns)}]" in edgar_fetch.summary(store, ended)


def test_a_fetch_that_was_killed_goes_on(edgar, client, tmp_path, monkeypatch):
    """Killed between a document and its row in the index: the document is written again, whole, and nothing else is."""
    written = Store.note
    monkeypatch.setattr(Store, "note", lambda self, row: written(self, row) if row.year != 2022 else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        edgar_fetch.fetch(client, Store(tmp_path), asked("ACME"))
    monkeypatch.undo()
    assert edgar_fetch.fetch(client, Store(tmp_path), asked("ACME")) == {"kept": 1, "fetched": 2}
    assert not [*tmp_path.rglob("*.partial")]


def test_one_fetch_at_a_time(edgar, client, tmp_path):
    one, other = Store(tmp_path), Store(tmp_path)
    with one.alone(), pytest.raises(FinragError, match=r"Another finrag fetch is at work in .* when that has ended"):
        edgar_fetch.fetch(client, other, asked("ACME"))
    assert edgar.asked == []
    # who came first is known to who comes next
    one.note(Document("ACME", "filing", "failed", cik=42))
    other.note(Document("BOLT", "filing", "failed", cik=7))
    assert [row.asked for row in Store(tmp_path).rows.values()] == ["ACME", "BOLT"]


def test_a_name_may_hold_what_parts_lines(tmp_path):
    row = Document(
        "ACME", "filing", "fetched", cik=42, company_name="Acme\u2028Widgets\x85\nInc.", fetched_at="2024-02-01"
    )
    Store(tmp_path).note(row)
    assert [*Store(tmp_path).rows.values()] == [row]
    with in_memory() as session:
        assert as_relation(session, tmp_path).project("company_name").fetchall() == [(row.company_name,)]


def test_the_index_is_a_table(client, tmp_path):
    with in_memory() as session:
        assert as_relation(session, tmp_path).fetchall() == []
        edgar_fetch.fetch(client, Store(tmp_path), asked("ACME"))
        found = as_relation(session, tmp_path)
        assert found.filter("status = 'fetched' and bytes > 0 and fetched_at is not null").shape[0] == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tickers": ""}, "Name companies"),
        ({"ciks": "12a"}, "'12a' is no CIK"),
        ({"sic": "35"}, "'35' is no SIC code"),
        ({"years": ""}, "Name fiscal years"),
        ({"years": "2025-2022"}, "'2025-2022' is no year"),
        ({"forms": "8-K"}, "'8-K' is no form that is read. Allowed: 10-K, 10-K405"),
    ],
)
def test_options_that_cannot_be(options, said):
    with pytest.raises(FinragError, match=said):
        asked(**{"tickers": "" if "ciks" in options or "sic" in options else "ACME", **options})


def test_a_file_of_companies_is_utf_8_with_or_without_a_mark(tmp_path):
    file = tmp_path / "companies.txt"
    file.write_text("AAPL 42 # Nestl\u00e9", encoding="utf-8-sig")
    found = asked(file=file)
    assert (found.tickers, found.ciks) == (["AAPL"], [42])
    for encoding, said in (("latin-1", "byte 15 is none of it; save it as UTF-8"), ("utf-16", "save it as UTF-8")):
        file.write_text("AAPL 42 # Nestl\u00e9", encoding=encoding)
        with pytest.raises(FinragError, match=f"companies.txt .*{said}\\. Allowed: tickers and CIKs"):
            asked(file=file)


@pytest.mark.parametrize("stated", ["", "Jane Doe"])
def test_nobody_asks_without_a_name(monkeypatch, stated):
    monkeypatch.setenv("FINRAG_EDGAR_CONTACT", stated)
    with pytest.raises(FinragError, match=r"FINRAG_EDGAR_CONTACT is .*contact under \[edgar\]"):
        contact()


def test_another_address_is_of_this_machine(monkeypatch):
    monkeypatch.delenv("FINRAG_EDGAR_ADDRESS", raising=False)
    assert addresses() == (edgar_client.WWW, edgar_client.DATA)
    monkeypatch.setenv("FINRAG_EDGAR_ADDRESS", "http://example.com")
    with pytest.raises(FinragError, match="an address of this machine"):
        addresses()


def test_a_project_says_who_asks(tmp_path):
    file = tmp_path / "finrag.toml"
    file.write_text(f'[edgar]\ncontact = "{JANE}"\n')
    assert toml.environment(file) == {"FINRAG_EDGAR_CONTACT": JANE}
    file.write_text("[edgar]\nname = 3\n")
    with pytest.raises(FinragError, match=re.escape("edgar.name is unknown. Allowed: edgar.contact.")):
        toml.environment(file)


def test_the_command(edgar, tmp_path, monkeypatch, taken_back):
    """Tells where what it fetched lies and how to build on it, and ends with 1 where something failed."""
    monkeypatch.chdir(tmp_path)
    Path("finrag.toml").write_text("")
    ran = CliRunner().invoke(app, ["fetch", "--tickers", "ACME", "--years", "2023"])
    assert ran.exit_code == 0, ran.output
    assert '  paths = ["filings/edgar/10-K/*.htm*"]\n  facts = "filings/edgar/facts/*.json"' in ran.output
    assert edgar.agents == {JANE}
    edgar.faults.extend([(200, {}), (400, {})])
    assert CliRunner().invoke(app, ["fetch", "--tickers", "ACME", "--years", "2023"]).exit_code == 1


@pytest.mark.slow
def test_the_commands_of_the_page(edgar, tmp_path):
    """docs/edgar.md from its first command to its last, with the company that this EDGAR has."""
    edgar.documents = {path: text.encode() for path, text in demo_documents().items()}
    page = (ROOT / "docs" / "edgar.md").read_text(encoding="utf-8")
    [(init, enter, fetch), (build, analysis)] = [
        block.strip().splitlines() for block in re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    ]
    run(init, tmp_path)
    project = tmp_path / shlex.split(enter)[1]
    # what dbt reads there is what it reads in a clone, and test_wheel has a project that it reads anew
    (project / "target").mkdir()
    shutil.copy(parse_of("{}"), project / "target")
    fetched = run(fetch.replace("AAPL MSFT", "TWKE").replace("2022-2025", "2021-2022"), project)
    [lines] = re.findall(r"^```toml\n(\[corpus\].*?)^```", page, re.DOTALL | re.MULTILINE)
    assert all(line in fetched for line in lines.strip().splitlines())
    (project / "finrag.toml").write_text(lines, encoding="utf-8")
    assert "\nBuilt: " in run(build + OF_THE_PAGE, project)
    assert "LongTermDebt" in run(analysis, project)
    tables = re.findall(r"^\| `(\w+\.\w+)`", page, re.MULTILINE)
    assert len(tables) == 5
    with duckdb.connect(project / "warehouse" / "finrag.duckdb", read_only=True) as connection:
        for table in tables:
            assert connection.sql(f"select count(*) from {table}").fetchall() > [(0,)], table


def run(command: str, folder: Path) -> str:
    """What `finrag …` prints in a folder; fails the test where it fails."""
    words = [sys.executable, "-m", *shlex.split(command)]
    kept = {name: value for name, value in environment().items() if not name.startswith(("DBT_", "FINRAG_SETTINGS"))}
    done = subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
