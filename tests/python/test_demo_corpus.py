"""The embedded demo corpus: the same bytes everywhere, the promised contents, figures that agree with the facts."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from csv_files import rows_of
from finrag.corpus.html.facts import read_facts
from finrag.corpus.html.filing import read_filing
from finrag.demo import GENERATOR_VERSION, DemoCorpus, __main__, ensure, generate, writer
from finrag.demo.filing import EMPTY, MISSING, STUBS, write_filing
from finrag.demo.finances import statements
from finrag.demo.layouts.filing_text import item_text
from finrag.demo.layouts.inline_xbrl import CONCEPTS
from finrag.demo.money import Amount, Percent, PerShare, decimal, divide
from finrag.demo.profile import PROFILES, STATEMENT_YEARS, YEARS
from finrag.errors import FinragError

# SHA-256 over the paths and digests of all files. A change of one byte changes it: raise GENERATOR_VERSION with it.
GOLDEN = ("4", "ee8a6ed68fc7cc43e797bba2b2f9c7b24c541b00e6a1cb0bd4e2bbfa2c26df3f")

FINSIGHTS_KEYS = (
    "cik name report_year docID sentenceID section_name section_item section_ID form sentence_index sentence SIC "
    "filingDate reportDate"
)
HF_KEYS = (
    "cik sentence section labels filingDate name docID sentenceID sentenceCount tickers exchanges entityType sic "
    "stateOfIncorporation tickerCount acceptanceDateTime form reportDate returns"
)
CRAWLER_KEYS = (
    "cik company filing_type filing_date period_of_report sic state_of_inc state_location fiscal_year_end "
    "filing_html_index htm_filing_link complete_text_filing_link filename item_1 item_1A item_1B item_2 item_3 item_4 "
    "item_5 item_6 item_7 item_7A item_8 item_9 item_9A item_9B item_9C item_10 item_11 item_12 item_13 item_14 "
    "item_15 item_16"
)
EDGAR_CORPUS_KEYS = (
    "filename cik year section_1 section_1A section_1B section_2 section_3 section_4 section_5 section_6 section_7 "
    "section_7A section_8 section_9 section_9A section_9B section_10 section_11 section_12 section_13 section_14 "
    "section_15"
)
FACT_COLUMNS = (
    "cik ticker year metric_gaap metric_code metric_key metric_label metric_type value unit form filed_date "
    "accession_no"
)
SECTION_CODES = "1 1A 1B 2 3 4 5 6 7 7A 8 9 9A 9B 10 11 12 13 14 15".split()
ITEMS_OF_EVERY_FILING = {f"ITEM_{code}" for code in ("1", "1A", "1B", "2", "3", "5", "7", "7A", "8", "9A", "15")}
MODELS = {
    "v1_kpi_scan",
    "v2_risk_atlas",
    "v3_trend_bundles",
    "v4_cross_company_bundles",
    "v5_definition_bundles",
    "kpi_fact_matches",
    "cross_reference",
    "corpus",
}
KPI_LABELS = {
    "revenue",
    "net_income",
    "operating_income",
    "cash_from_ops",
    "gross_margin",
    "eps",
    "debt",
    "capex",
    "interest_expense",
}
RISK_TOPICS = {
    "regulatory",
    "liquidity_credit",
    "market_competitive",
    "operational_supply_chain",
    "cybersecurity_tech",
    "legal_ip_litigation",
    "general_risk",
}
CONNECTORS = {
    "due to",
    "because",
    "because of",
    "as a result of",
    "driven by",
    "attributable to",
    "resulting from",
    "reflecting",
    "owing to",
    "partially offset by",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> DemoCorpus:
    return generate(tmp_path_factory.mktemp("demo") / "corpus")


@pytest.fixture(scope="module")
def facts(corpus: DemoCorpus) -> dict[tuple[str, int, str], Decimal]:
    """Value by (cik, year, metric_key)."""
    rows = rows_of(corpus.company_facts)
    values = {(row["cik"], int(row["year"]), row["metric_key"]): Decimal(row["value"]) for row in rows}
    assert len(values) == len(rows), "a company-year has one fact per metric"
    return values


@pytest.fixture(scope="module")
def cases(corpus: DemoCorpus) -> list[dict[str, str]]:
    return rows_of(corpus.planted_cases)


@pytest.fixture(scope="module")
def raw_items(corpus: DemoCorpus) -> dict[tuple[str, str], list[str]]:
    """(filing_id, item) to its texts as the files hold them: sentences, or one whole item."""
    items: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in corpus.finsights:
        for row in read_jsonl(path):
            items[row["docID"], row["section_item"].upper()].append(row["sentence"])
    for path in corpus.hf:
        for row in read_jsonl(path):
            items[row["docID"], f"ITEM_{SECTION_CODES[row['section']]}"].append(row["sentence"])
    for path in corpus.edgar_crawler:
        row = json.loads(path.read_text("utf-8"))
        filing = f"{int(row['cik']):010d}_10-K_{row['period_of_report'][:4]}"
        items |= {(filing, key.upper()): [text] for key, text in row.items() if key.startswith("item_")}
    for path in corpus.edgar_corpus:
        for row in read_jsonl(path):
            filing = f"{int(row['cik']):010d}_10-K_{row['year']}"
            items |= {
                (filing, key.replace("section", "ITEM")): [text]
                for key, text in row.items()
                if key.startswith("section_")
            }
    for path in corpus.edgar_html:
        filing = read_filing(str(path))
        name = f"{int(filing.cover.cik):010d}_10-K_{filing.cover.report_year}"
        items |= {(name, f"ITEM_{item.label}"): [item.text] for item in filing.items if item.text}
    return dict(items)


@pytest.fixture(scope="module")
def sentences(raw_items: dict[tuple[str, str], list[str]]) -> dict[tuple[str, str], list[str]]:
    """(filing_id, item) to sentences, whole items split by the ordinary splitter below."""
    whole = {f"{profile.cik:010d}" for profile in PROFILES if profile.layout.startswith("edgar")}
    return {
        key: split(texts[0]) if key[0][:10] in whole else texts
        for key, texts in raw_items.items()
        if any(text for text in texts)
    }


def read_jsonl(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def normalised(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def split(text: str) -> list[str]:
    """A plain splitter: lines, then full stops before a capital, a few abbreviations apart."""
    return [part for line in unwrapped(text) for part in BOUNDARY.split(line) if part]


BOUNDARY = re.compile(r"(?<=[.!?])(?<!U\.S\.)(?<!Inc\.)(?<!No\.)(?<!Note \d\.)(?<!Item \d\.)\s+(?=[A-Z0-9“\"(•])")


def unwrapped(text: str) -> list[str]:
    """Lines, joined where they are hard-wrapped: there, one of 55 characters or more is taken to run on."""
    lines = text.split("\n")
    if max(map(len, lines)) > 79 or sum(line[:1].islower() for line in lines) * 4 < len(lines):
        return lines
    joined = [""]
    for line in lines:
        joined[-1] = f"{joined[-1]} {line}".strip()
        if len(line) < 55:
            joined.append("")
    return joined


def tree_digest(directory: Path) -> str:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    lines = [
        f"{path.relative_to(directory).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


# --- the same bytes ---------------------------------------------------------------------------------------------------


def test_bytes_are_those_of_this_generator_version(corpus: DemoCorpus) -> None:
    assert (GENERATOR_VERSION, tree_digest(corpus.directory)) == GOLDEN, (
        "the corpus has changed: raise GENERATOR_VERSION in finrag/demo/writer.py and pin the new digest here"
    )


def test_bytes_do_not_depend_on_hash_seed_time_zone_or_locale(corpus: DemoCorpus, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONUTF8": "0"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    subprocess.run(
        [sys.executable, "-m", "finrag.demo", str(tmp_path / "again")], env=environment, check=True, capture_output=True
    )
    assert tree_digest(tmp_path / "again") == tree_digest(corpus.directory)


def test_files_have_unix_newlines_and_end_in_one(corpus: DemoCorpus) -> None:
    for path in corpus.directory.rglob("*.*"):
        content = path.read_bytes()
        assert b"\r" not in content, path.name
        assert content.endswith(b"\n"), path.name
        assert not content.endswith(b"\n\n"), path.name


def test_importing_the_generator_loads_nothing_heavy() -> None:
    code = (
        "import sys, finrag.demo; "
        "print([name for name in ('duckdb', 'polars', 'numpy', 'pyarrow', 'pandas', 'finrag.demo.corpus') "
        "if name in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_counts(corpus: DemoCorpus, sentences: dict, cases: list, facts: dict) -> None:
    filings = {filing for filing, _ in sentences}
    assert len({filing[:10] for filing in filings}) == corpus.counts["companies"] == 12
    assert len(filings) == corpus.counts["filings"] == 36
    assert {filing[-4:] for filing in filings} == {str(year) for year in YEARS}
    assert len(facts) == corpus.counts["company_facts"]
    assert len(cases) == corpus.counts["planted_cases"]
    assert 7_500 <= sum(map(len, sentences.values())) <= 10_000


def test_layouts_share_the_companies(corpus: DemoCorpus) -> None:
    files = (corpus.finsights, corpus.hf, corpus.edgar_crawler, corpus.edgar_corpus, corpus.edgar_html)
    assert tuple(map(len, files)) == (5, 2, 6, 2, 3)
    layouts = Counter(row["layout"] for row in rows_of(corpus.companies))
    assert layouts == {"finsights": 5, "hf": 2, "edgar_crawler": 2, "edgar_corpus": 2, "edgar_html": 1}


def test_share_of_duplicates(sentences: dict) -> None:
    texts = [normalised(text) for section in sentences.values() for text in section]
    counts = Counter(texts)
    share = sum(counts[text] > 1 for text in texts) / len(texts)
    assert 0.35 <= share <= 0.50


def test_boilerplate_crosses_companies_and_years(sentences: dict) -> None:
    holders = defaultdict(set)
    for (filing, _), section in sentences.items():
        for text in section:
            holders[normalised(text)].add((filing[:10], filing[-4:]))
    repeated = [places for places in holders.values() if len(places) > 1]
    assert sum(len({cik for cik, _ in places}) > 1 for places in repeated) > 100
    assert sum(len({cik for cik, _ in places}) == 1 for places in repeated) > 300


def test_sections_of_every_length(sentences: dict) -> None:
    lengths = Counter(
        "<10" if len(rows) < 10 else "10-19" if len(rows) < 20 else "20-39" if len(rows) < 40 else "40+"
        for rows in sentences.values()
    )
    assert all(lengths[bucket] >= 50 for bucket in ("<10", "10-19", "20-39", "40+")), lengths
    assert sum(len(rows) == 1 for rows in sentences.values()) >= 20


def test_every_filing_has_its_items_but_for_those_left_out_on_purpose(sentences: dict) -> None:
    items = defaultdict(set)
    for filing, item in sentences:
        items[filing].add(item)
    for profile in PROFILES:
        for year in YEARS:
            key = (profile.key, year)
            left_out = {*MISSING.get(key, ()), *EMPTY.get(key, ())}
            found = items[f"{profile.padded_cik}_10-K_{year}"]
            assert found >= ITEMS_OF_EVERY_FILING - left_out, key
            assert not found & left_out, key


def test_empty_item_is_an_empty_text_and_stub_is_one_reference(raw_items: dict) -> None:
    assert raw_items["0009000009_10-K_2021", "ITEM_7A"] == [""]
    (stub,) = raw_items["0009000009_10-K_2021", "ITEM_7"]
    assert STUBS == {("orthevia", 2021): "ITEM_7"}
    assert "incorporated by reference" in stub and len(stub) < 400


def test_nothing_is_left_unfilled(raw_items: dict) -> None:
    for key, texts in raw_items.items():
        for text in texts:
            assert not re.search(r"[{}]|\[\[|\]\]|\$-", text), (key, text[:200])


# --- layouts ----------------------------------------------------------------------------------------------------------


def test_finsights_rows(corpus: DemoCorpus) -> None:
    spellings = set()
    for path in corpus.finsights:
        rows = read_jsonl(path)
        assert all(" ".join(row) == FINSIGHTS_KEYS for row in rows)
        assert len({row["sentenceID"] for row in rows}) == len(rows)
        for row in rows:
            code = row["section_item"][5:]
            spellings.add(row["section_item"][:5])
            assert row["docID"] == f"{row['cik']}_10-K_{row['report_year']}"
            assert row["sentenceID"] == f"{row['docID']}_section_{code}_{row['sentence_index']}"
            assert SECTION_CODES[row["section_ID"]] == code
            assert row["sentence"].strip() == row["sentence"] != ""
            assert row["reportDate"][:4] == str(row["report_year"]) and row["reportDate"] < row["filingDate"]
    assert spellings == {"ITEM_", "item_"}


def test_positions_start_at_zero_and_have_gaps_only_in_the_sampled_item(corpus: DemoCorpus) -> None:
    positions = defaultdict(list)
    for path in corpus.finsights:
        for row in read_jsonl(path):
            positions[row["docID"], row["section_item"].upper()].append(row["sentence_index"])
    for path in corpus.hf:
        for row in read_jsonl(path):
            positions[row["docID"], str(row["section"])].append(int(row["sentenceID"].rsplit("_", 1)[1]))
    gaps = {key for key, found in positions.items() if found != list(range(len(found)))}
    assert gaps == {("0009000003_10-K_2022", "ITEM_8")}
    assert all(found == sorted(set(found)) for found in positions.values())


def test_hugging_face_rows(corpus: DemoCorpus) -> None:
    for path in corpus.hf:
        rows = read_jsonl(path)
        assert [row["sentenceCount"] for row in rows] == list(range(1, len(rows) + 1))
        assert len({row["sentenceID"] for row in rows}) == len(rows)
        for row in rows:
            assert " ".join(row) == HF_KEYS
            assert row["sentenceID"].startswith(f"{row['docID']}_section_{SECTION_CODES[row['section']]}_")
            assert set(row["labels"]) == set(row["returns"]) == {"1d", "5d", "30d"}
            for window, values in row["returns"].items():
                assert row["labels"][window] == int(values["ret"] < 0)
                assert values["startDate"] < row["filingDate"] + "T" < values["endDate"]


def test_edgar_crawler_files(corpus: DemoCorpus) -> None:
    for path in corpus.edgar_crawler:
        row = json.loads(path.read_text("utf-8"))
        assert " ".join(row) == CRAWLER_KEYS
        assert all(isinstance(value, str) for value in row.values())
        assert row["filename"] == f"{path.stem}.htm"
        match = re.fullmatch(r"(\d+)_10K_(\d{4})_(\d{10})-(\d{2})-\d{6}", path.stem)
        assert match and match[1] == row["cik"] == str(int(match[3]))
        assert match[2] == row["period_of_report"][:4] and match[4] == row["filing_date"][2:4]


def test_edgar_corpus_rows(corpus: DemoCorpus) -> None:
    for path in corpus.edgar_corpus:
        for row in read_jsonl(path):
            assert " ".join(row) == EDGAR_CORPUS_KEYS
            assert row["filename"] == f"{row['cik']}_{row['year']}.htm"
            assert all(isinstance(value, str) for value in row.values())


def test_tags_of_inline_xbrl_agree_with_the_statements(corpus: DemoCorpus) -> None:
    """Read back by the product: every value is that of its concept and year, in prose as it is rounded there."""
    fields = {f"us-gaap:{concept.name}": concept for concept in CONCEPTS}
    profile = next(profile for profile in PROFILES if profile.layout == "edgar_html")
    books = statements(profile)
    in_tables = set()
    for path in corpus.edgar_html:
        facts = read_facts(read_filing(str(path)).document)
        assert len(facts) >= 95 and not any(fact.fault for fact in facts)
        for fact in facts:
            statement, concept = books[int(fact.period_end[:4])], fields[fact.concept]
            units = getattr(statement, concept.field)
            if fact.dimensions:
                member = fact.dimensions.rsplit(":", 1)[1].removesuffix("Member")
                segments = [segment.name.replace(" ", "") for segment in profile.segments]
                units = statement.segments[segments.index(member)]
            exact = Decimal(units) / 100 if concept.unit == "usdPerShare" else Decimal(units) * 100_000
            rounded = Decimal(1).scaleb(-int(fact.decimals)) / 2
            assert abs(Decimal(str(fact.value)) - exact) <= rounded, (path.name, fact)
            in_tables.add((path.name, concept.field))
    assert len(in_tables) == 3 * len(CONCEPTS)


def test_whole_items_split_into_the_sentences_that_were_written() -> None:
    """Headings are left aside: whether they stand alone is the splitter's affair."""
    written = found = 0
    for profile in PROFILES:
        if not profile.layout.startswith("edgar"):
            continue
        books = statements(profile)
        for year in YEARS:
            filing = write_filing(profile, books, year)
            for section in filing.sections:
                text = item_text(filing, section)
                intended = [sentence.removeprefix("• ") for part in section.paragraphs for sentence in part.sentences]
                if year in profile.wrapped_years:
                    assert all(sentence in " ".join(text.split()) for sentence in intended)
                    continue
                got = Counter(sentence.removeprefix("• ") for sentence in split(text))
                written += len(intended)
                found += sum((Counter(intended) & got).values())
    assert written > 3_000
    assert found / written > 0.995


def test_hard_wrapped_lines_are_short_and_break_inside_sentences(raw_items: dict) -> None:
    (text,) = raw_items["0009000008_10-K_2021", "ITEM_7"]
    lines = text.split("\n")
    assert max(map(len, lines)) <= 79
    assert sum(line[:1].islower() for line in lines) > 40


# --- the statements and the prose about them --------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.key)
def test_statements_add_up(profile) -> None:
    books = statements(profile)
    for year, now in books.items():
        gross = now.gross_profit if now.gross_profit is not None else now.revenue - now.cost
        assert now.revenue - now.cost == gross
        assert gross - now.research - now.expenses == now.operating_income
        assert now.operating_income - now.interest_expense + now.interest_income == now.pretax
        assert now.pretax - now.tax == now.net_income
        assert sum(now.segments) == now.revenue and min(now.segments) > 0
        assert abs(Decimal(now.net_income) / now.shares * 100 - now.eps) <= Decimal("0.5")
        assert min(now.revenue, now.expenses, now.interest_expense, now.capex, now.debt, now.cash) > 0
        if before := books.get(year - 1):
            assert now.debt == before.debt + now.issued - now.repaid
            flows = now.cfo - now.capex + now.issued - now.repaid - now.dividends - now.repurchases
            assert now.cash == before.cash + flows


def test_facts_cover_every_company_year(corpus: DemoCorpus, facts: dict) -> None:
    rows = rows_of(corpus.company_facts)
    assert " ".join(rows[0]) == FACT_COLUMNS
    assert {row["unit"] for row in rows if row["metric_key"] == "eps_diluted"} == {"USD per share"}
    assert {row["unit"] for row in rows if row["metric_key"] != "eps_diluted"} == {"USD"}
    metrics = {metric for _, _, metric in facts}
    assert len(metrics) == 9
    # Insurers, airlines and utilities report no gross profit.
    no_gross_profit = {profile.padded_cik for profile in PROFILES if profile.shape.gross is None}
    assert len(no_gross_profit) == 3
    for profile in PROFILES:
        for year in STATEMENT_YEARS:
            for metric in metrics:
                expected = metric != "gross_profit" or profile.padded_cik not in no_gross_profit
                assert ((profile.padded_cik, year, metric) in facts) is expected


SHOWN = re.compile(r"(?P<sign>-?)\$?\(?(?P<digits>[\d,]+(?:\.\d+)?)\)?(?P<unit>%| ?[A-Za-z ]+)?")
SCALES = {"": 1, "thousand": 10**3, "million": 10**6, "m": 10**6, "billion": 10**9, "b": 10**9}


def parsed(shown: str) -> tuple[Decimal, Decimal]:
    """(value, half of its last decimal place), in dollars, percent or basis points."""
    match = SHOWN.fullmatch(shown)
    assert match, shown
    digits = match["digits"].replace(",", "")
    unit = (match["unit"] or "").strip().lower()
    scale = SCALES.get(unit, 1)
    negative = match["sign"] == "-" or "(" in shown
    half = Decimal(scale).scaleb(-len(digits.partition(".")[2])) / 2
    return Decimal(digits) * scale * (-1 if negative else 1), half


def actual(facts: dict, cik: str, metric: str, year: int, kind: str) -> Decimal:
    now = facts[cik, year, metric]
    before = facts.get((cik, year - 1, metric))
    revenue, revenue_before = facts[cik, year, "revenue"], facts.get((cik, year - 1, "revenue"))
    if kind == "level":
        return now
    if kind in ("margin", "operating_margin"):
        return now / revenue * 100
    if kind == "change":
        return abs(now - before)
    if kind == "percent_change":
        return abs(now - before) / abs(before) * 100
    assert kind == "margin_change"
    return abs(now / revenue - before / revenue_before) * 10_000


CLAIM = re.compile(r"(?P<metric>[a-z_]+) (?P<year>\d{4}) (?P<kind>[a-z_]+) = (?P<shown>.+)")


def claims(case: dict[str, str]) -> list[re.Match[str]]:
    return [match for part in case["note"].split(" | ") if (match := CLAIM.fullmatch(part))]


def test_planted_figures_agree_with_the_facts(facts: dict, cases: list) -> None:
    checked = 0
    for case in cases:
        if case["expectation"] == "absent":
            continue
        for claim in claims(case):
            value, half = parsed(claim["shown"])
            truth = actual(facts, case["docID"][:10], claim["metric"], int(claim["year"]), claim["kind"])
            assert abs(value - truth) <= half, (case["case_id"], claim[0], truth)
            digits = re.search(r"[\d,.]*\d", claim["shown"])[0]
            assert digits in case["sentence_text"], case["case_id"]
            checked += 1
    assert checked > 80


def test_planted_disagreements_agree_with_no_year(facts: dict, cases: list) -> None:
    wrong = [case for case in cases if case["model"] == "kpi_fact_matches" and case["expectation"] == "absent"]
    assert len(wrong) >= 8
    for case in wrong:
        (claim,) = claims(case)
        value, half = parsed(claim["shown"])
        values = [
            value for (cik, _, metric), value in facts.items() if (cik, metric) == (case["docID"][:10], claim["metric"])
        ]
        assert len(values) == len(STATEMENT_YEARS)
        assert all(abs(value - truth) > half for truth in values), case["case_id"]


MONEY = r"\$\(?[\d,]+(?:\.\d+)?\)?(?: (?:million|billion))?"
# What a sentence begins with, and the fact that it is about.
SUBJECTS = {
    "revenue": r"(?:Net sales|Revenues?|Total revenues?|Net product revenues|Operating revenues)",
    "gross_profit": r"Gross profit",
    "operating_income": r"(?:Operating income|Income from operations|The operating loss|Our loss from operations)",
    "net_income": r"(?:Net income|The net loss|Our net loss|Net earnings)",
    "eps_diluted": r"(?:Diluted earnings per share|Earnings per diluted share|Diluted EPS|Net loss per diluted share)",
    "cfo": r"(?:Net cash (?:provided by|used in) operating activities|Cash flow from operations)",
    "long_term_debt": r"Long-term debt",
    "capex": r"Capital expenditures",
    "interest_expense": r"Interest expense",
}
WHEN = r"(?:in (?:fiscal )?|at [A-Z][a-z]+ \d+, )(?P<year>\d{4})"
LEVEL = re.compile(rf"(?P<shown>{MONEY}) {WHEN}")
MOVED = re.compile(
    r"(?:increased|decreased|rose|fell|grew|declined|up|down) (?:by )?(?:\$[\d,.]+ (?:million|billion), or )?"
    r"(?P<shown>[\d.]+%)"
)

NOT_THE_COMPANY = ("segment", "noncontrolling", "affiliate")


def subject_of(text: str) -> str | None:
    """The metric_key that a sentence is about, by its first words."""
    return next((key for key, words in SUBJECTS.items() if re.match(rf"{words}\b(?! of| in the)", text)), None)


def test_unplanted_figures_agree_with_the_facts(sentences: dict, cases: list, facts: dict) -> None:
    """Every level stated with its year, and every percent change, in sentences about a figure of the company."""
    wrong = {
        case["sentence_text"]
        for case in cases
        if case["model"] == "kpi_fact_matches" and case["expectation"] == "absent"
    }
    levels, changes = Counter(), Counter()
    for (filing, _), section in sentences.items():
        cik, year = filing[:10], int(filing[-4:])
        for text in section:
            text = text.removeprefix("Results of Operations ")
            metric = subject_of(text)
            if metric is None or text in wrong or any(word in text for word in NOT_THE_COMPANY):
                continue
            stated = list(LEVEL.finditer(text))
            for match in stated:
                value, half = parsed(match["shown"])
                truth = facts[cik, int(match["year"]), metric]
                assert abs(abs(value) - abs(truth)) <= half, (filing, text)
                levels[metric] += 1
            moved = MOVED.search(text)
            if moved and metric != "eps_diluted" and "margin" not in text:
                value, half = parsed(moved["shown"])
                about = int(stated[0]["year"]) if stated else year
                assert abs(value - actual(facts, cik, metric, about, "percent_change")) <= half, (filing, text)
                changes[metric] += 1
    assert all(levels[metric] >= 15 for metric in SUBJECTS), levels
    assert sum(levels.values()) > 350
    assert sum(changes.values()) > 30


COMPARED = re.compile(
    r"(Construction in progress|The allowance for doubtful accounts) was (\S+ million) at .+ with (\S+ million)"
)


def test_comparatives_repeat_what_the_year_before_stated(sentences: dict) -> None:
    stated = {
        (filing[:10], int(filing[-4:]), match[1]): (match[2], match[3])
        for (filing, _), section in sentences.items()
        for text in section
        if (match := COMPARED.match(text))
    }
    earlier_years = {key: stated.get((key[0], key[1] - 1, key[2])) for key in stated}
    pairs = [(stated[key][1], before[0]) for key, before in earlier_years.items() if before]
    assert len(pairs) >= 40
    assert all(comparative == earlier for comparative, earlier in pairs)


def test_each_year_gives_another_cause_for_the_same_figure() -> None:
    for profile in PROFILES:
        assert len(profile.revenue_causes) == len(set(profile.revenue_causes)) == len(YEARS)
        assert len(profile.operating_causes) == len(set(profile.operating_causes)) == len(YEARS)


# --- planted cases ----------------------------------------------------------------------------------------------------


def test_every_planted_sentence_is_in_its_item_verbatim(raw_items: dict, cases: list) -> None:
    for case in cases:
        if not case["sentence_text"]:
            assert case["model"] == "corpus"
            continue
        texts = raw_items[case["docID"], case["section_item"]]
        assert any(case["sentence_text"] in text for text in texts), case["case_id"]


def test_planted_sentences_of_sentence_tables_are_whole_rows(raw_items: dict, sentences: dict, cases: list) -> None:
    for case in cases:
        if case["sentence_text"]:
            assert case["sentence_text"] in sentences[case["docID"], case["section_item"]], case["case_id"]


def test_cases_are_well_formed(cases: list) -> None:
    assert len({case["case_id"] for case in cases}) == len(cases)
    assert {case["model"] for case in cases} == MODELS
    assert {case["expectation"] for case in cases} == {"present", "absent"}
    found = defaultdict(Counter)
    for case in cases:
        found[case["model"], case["label"]][case["expectation"]] += 1
    for label in KPI_LABELS:
        assert found["v1_kpi_scan", label]["present"] >= 4, label
        assert found["v1_kpi_scan", label]["absent"] >= 2, label
        assert found["kpi_fact_matches", label]["present"] >= 1, label
    for topic in RISK_TOPICS:
        assert found["v2_risk_atlas", topic]["present"] >= 2, topic
    for topic in RISK_TOPICS - {"general_risk"}:
        assert found["v2_risk_atlas", topic]["absent"] >= 2, topic
    notes = " | ".join(case["note"] for case in cases if case["model"] == "v3_trend_bundles")
    assert set(re.findall(r"connector: ([a-z ]+?)(?: \||$)", notes)) >= CONNECTORS


# --- on disk ----------------------------------------------------------------------------------------------------------


def modification_times(directory: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in directory.rglob("*") if path.is_file()}


def test_ensure_writes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ensure(tmp_path / "demo")
    before = modification_times(first.directory)

    def refuse(*_: object) -> None:
        raise AssertionError("ensure wrote to a complete corpus")

    monkeypatch.setattr(writer, "write", refuse)
    assert ensure(tmp_path / "demo") == first
    assert modification_times(first.directory) == before


def test_ensure_mends_what_is_damaged_and_nothing_else(corpus: DemoCorpus, tmp_path: Path) -> None:
    good = ensure(tmp_path / "demo")
    before = modification_times(good.directory)
    damaged, lost = good.finsights[1], good.edgar_crawler[0]
    content = damaged.read_bytes()
    damaged.write_bytes(content[:-40] + b"x" * 40)
    lost.unlink()
    ensure(good.directory)
    assert tree_digest(good.directory) == tree_digest(corpus.directory)
    after = modification_times(good.directory)
    assert {name for name in after if after[name] != before[name]} == {damaged.name, lost.name, "manifest.json"}


@pytest.mark.parametrize("content", [None, "", "{", '{"generator_version": "1"}', "[]"])
def test_ensure_rebuilds_a_missing_or_broken_manifest(corpus: DemoCorpus, tmp_path: Path, content: str | None) -> None:
    good = ensure(tmp_path / "demo")
    good.manifest.unlink()
    if content is not None:
        good.manifest.write_text(content)
    ensure(good.directory)
    assert tree_digest(good.directory) == tree_digest(corpus.directory)


def test_files_of_another_version_are_replaced_and_strangers_left_alone(corpus: DemoCorpus, tmp_path: Path) -> None:
    good = ensure(tmp_path / "demo")
    old = json.loads(good.manifest.read_text("utf-8"))
    stale, stranger, outside = (
        good.directory / "hf/old.jsonl",
        good.directory / "hf/mine.jsonl",
        tmp_path / "outside.txt",
    )
    for path in (stale, stranger, outside):
        path.write_text("text\n")
    old["generator_version"] = "0"
    old["files"] |= {"hf/old.jsonl": {"bytes": 5, "sha256": "0"}, "../outside.txt": {"bytes": 5, "sha256": "0"}}
    good.manifest.write_text(json.dumps(old))
    ensure(good.directory)
    assert not stale.exists()
    assert stranger.exists() and outside.exists()
    stranger.unlink()
    assert tree_digest(good.directory) == tree_digest(corpus.directory)


def test_an_interrupted_first_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(monkeypatch, 10, "write_bytes")
    with pytest.raises(KeyboardInterrupt):
        generate(tmp_path / "demo")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_repair_is_noticed_and_finished(
    corpus: DemoCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = ensure(tmp_path / "demo")
    for path in good.finsights:
        path.write_text("damaged\n")
    with monkeypatch.context() as patch:
        interrupt_after(patch, 2, "replace")
        with pytest.raises(KeyboardInterrupt):
            ensure(good.directory)
    assert not good.manifest.exists()
    ensure(good.directory)
    assert tree_digest(good.directory) == tree_digest(corpus.directory)


def interrupt_after(monkeypatch: pytest.MonkeyPatch, calls: int, method: str) -> None:
    """Raise KeyboardInterrupt at the given call of a method of Path, as Ctrl-C would."""
    original = getattr(Path, method)
    made = 0

    def interrupted(self: Path, *arguments: object) -> object:
        nonlocal made
        made += 1
        if made >= calls:
            raise KeyboardInterrupt
        return original(self, *arguments)

    monkeypatch.setattr(Path, method, interrupted)


def test_a_file_in_the_way_is_reported_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("not a directory\n")
    for write in (generate, ensure):
        with pytest.raises(FinragError, match=r"is a file\. Name a directory"):
            write(tmp_path / "demo")
    assert (tmp_path / "demo").read_text() == "not a directory\n"


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main([str(tmp_path / "demo")]) == 0
    assert "36 filings" in capsys.readouterr().out
    (tmp_path / "file").write_text("x")
    assert __main__.main([str(tmp_path / "file")]) == 1
    assert "is a file" in capsys.readouterr().err


# --- wording of figures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "spec", "text"),
    [
        (23_146, "b", "$2.3 billion"),
        (23_146, "b2", "$2.31 billion"),
        (23_146, "m", "$2,314.6 million"),
        (23_146, "m0", "$2,315 million"),
        (23_146, "s", "$2.3B"),
        (23_146, "usd", "$2,314,600,000"),
        (23_146, "k", "2,314,600"),
        (23_146, "x", "2,314.6"),
        (-123, "p", "$(12.3) million"),
        (-123, "m", "$12.3 million"),
        (9_999, "b", "$999.9 million"),
        (5, "m0", "$1 million"),
        (4, "m0", "$0 million"),
    ],
)
def test_amounts(units: int, spec: str, text: str) -> None:
    assert format(Amount(units), spec) == text


@pytest.mark.parametrize(
    ("numerator", "denominator", "spec", "text"),
    [
        (54_49, 10_000_0, "", "5.4%"),
        (54_49, 10_000_0, "0", "5%"),
        (-545, 10_000, "1", "5.5%"),
        (45, 10_000, "bp", "45 basis points"),
        (1, 10_000, "bp", "1 basis point"),
    ],
)
def test_percentages_are_rounded_once(numerator: int, denominator: int, spec: str, text: str) -> None:
    assert format(Percent(numerator, denominator), spec) == text


def test_rounding_halves_away_from_zero() -> None:
    assert [divide(numerator, 2) for numerator in (-3, -1, 1, 3)] == [-2, -1, 1, 2]
    assert divide(1, -2) == -1
    assert decimal(-1_234_56, 2) == "-1,234.56"
    assert (str(PerShare(187)), str(PerShare(-41)), format(PerShare(-41), "abs")) == ("$1.87", "$(0.41)", "$0.41")
