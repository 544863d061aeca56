"""Building on top of a built corpus gives, row by row, what a full refresh gives, and touches only what changed."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import same_tables
from same_tables import public_tables
from warehouses import CORPUS_AND_BUNDLES, DBT, SEEDS, WITHOUT_TESTS, Warehouse, environment

TABLES = (
    "corpus.fct_sentences",
    "corpus.rejected_rows",
    "corpus.dim_filings",
    "corpus.dim_companies",
    "bundles.v1_kpi_scan",
    "bundles.v2_risk_atlas",
    "bundles.v3_trend_bundles",
    "bundles.v3_trend_bundles_sentences",
    "bundles.v4_cross_company_bundles",
    "bundles.v4_cross_company_bundles_sentences",
    "bundles.v5_definition_bundles",
    "bundles.v5_definition_bundles_sentences",
    "bundles.kpi_fact_matches",
)
# These tables and what they are made of: half of what a build of corpus and bundles makes.
ABOVE_TABLES = tuple(f"+{table.partition('.')[2]}" for table in TABLES)
# Registries do not change from one build to the next.
WITHOUT_SEEDS = ("--exclude", SEEDS)


def differences(one: Warehouse, other: Warehouse, tables: Sequence[str] = TABLES) -> dict[str, same_tables.Difference]:
    return same_tables.differences(one.database, other.database, tables)


@pytest.fixture(scope="module")
def demo_files(demo, tmp_path_factory) -> Path:
    """A copy that tests may change of every third company's files in each layout, which the demo build has made."""
    files = tmp_path_factory.mktemp("files") / "demo"
    shutil.copytree(demo.project / "warehouse" / "demo", files)
    for folder in (path for path in files.iterdir() if path.is_dir()):
        company = {path: path.stem.partition("_10K")[0] for path in folder.iterdir()}
        for path in company:
            if company[path] not in sorted(set(company.values()))[::3]:
                path.unlink()
    return files


@pytest.fixture(scope="module")
def build_files(demo_files) -> Callable[[Warehouse], Warehouse]:
    """Builds a warehouse from the files as they are at the time."""

    def build(warehouse: Warehouse) -> Warehouse:
        link = warehouse.project / "files"
        if not link.exists():
            link.symlink_to(demo_files)
        corpus = " ".join(f"files/{pattern}" for pattern in ("finsights/*.jsonl", "hf/*", "edgar_*/*"))
        less = WITHOUT_SEEDS if warehouse.database.exists() else ()
        return warehouse.build("--select", *ABOVE_TABLES, *less, corpus=corpus, company_facts="")

    return build


@pytest.fixture(scope="module")
def full(tmp_path_factory, build_files) -> Warehouse:
    return build_files(Warehouse(tmp_path_factory.mktemp("full") / "full"))


def test_adding_changing_and_removing_files(tmp_path, demo_files, build_files, full):
    grown = Warehouse(tmp_path / "grown")
    sentence_file = sorted((demo_files / "finsights").glob("*.jsonl"))[0]
    filing_file = sorted((demo_files / "edgar_crawler").glob("*.json"))[0]
    aside = tmp_path / "aside"
    aside.mkdir()

    # built without two files, which are then added
    for path in (sentence_file, filing_file):
        shutil.move(path, aside / path.name)
    build_files(grown)
    before = processed(grown)
    for path in (sentence_file, filing_file):
        shutil.move(aside / path.name, path)
    build_files(grown)
    assert differences(grown, full) == {}
    added = set(processed(grown)) - set(before)
    assert {filing for model, filing in added if model == "fct_sentences"} == {
        filing
        for (filing,) in grown.rows(
            "select distinct filing_id from corpus.int_filing_contents where file_path in ($one, $other)",
            {"one": f"files/finsights/{sentence_file.name}", "other": f"files/edgar_crawler/{filing_file.name}"},
        )
    }

    # one filing of a file changes and another file goes: those rows are replaced, all other filings are left alone
    original = sentence_file.read_text(encoding="utf-8")
    lines = original.splitlines(keepends=True)
    changed = [lines[0].replace('"sentence":"', '"sentence":"Changed beyond doubt. ', 1), *lines[1:]]
    assert changed[0] != lines[0]
    sentence_file.write_text("".join(changed), encoding="utf-8")
    shutil.move(filing_file, aside / filing_file.name)
    versions = dict(grown.rows("select filing_id, filing_version from corpus.int_filing_versions"))
    build_files(grown)
    versions_after = dict(grown.rows("select filing_id, filing_version from corpus.int_filing_versions"))
    assert sum(versions[filing] != version for filing, version in versions_after.items()) == 1
    assert len(versions) - len(versions_after) == 1
    refreshed = build_files(Warehouse(tmp_path / "refreshed"))
    assert differences(grown, refreshed) == {}
    assert (
        grown.value("select count(*) from corpus.fct_sentences where sentence_text like 'Changed beyond doubt.%'") == 1
    )


def sentences_of(random: Random, year: int) -> list[dict]:
    """Rows of one or two filings; their ids are those of few filings, so that several state the same."""
    rows = []
    for company in random.sample(range(1, 4), random.randint(1, 2)):
        named = random.choice([company, company, random.randint(1, 3)])
        stem = random.choice([f"{named:010d}_10-K_{year}_section_7", "shared"])
        rows += [
            {
                **{"cik": company, "name": f"Company {company}", "report_year": year, "form": "10-K"},
                **{"docID": f"{company:010d}_10-K_{year}", "section_item": "item_7", "sentence_index": place},
                **{"sentenceID": f"{stem}_{place}", "section_name": "MD&A"},
                "sentence": random.choice(["Revenue was $5 million.", "Net income rose.", f"Text {place}."]),
            }
            for place in range(random.randint(2, 8))
        ]
    return rows


def filing_of(random: Random, year: int) -> dict:
    company = random.randint(1, 3)
    text = " ".join(f"Sentence {random.randint(1, 3)} says that revenue was $5 million." for _ in range(6))
    return {
        **{"cik": str(company), "company": f"Company {company}", "filing_type": "10-K"},
        **{"filing_date": f"{year + 1}-02-01", "period_of_report": f"{year}-12-31"},
        **{"item_7": text, "item_8": random.choice(["", "Notes follow. They are short."])},
    }


def change_files(random: Random, folder: Path) -> None:
    """One to three of: a file is added, changed, renamed or removed. At least one stays."""
    for _ in range(random.randint(1, 3)):
        there = sorted(folder.iterdir())
        what = random.choice(["add", "add", "change", "rename", "remove"]) if len(there) > 1 else "add"
        year = random.choice([2019, 2020])
        if what in ("add", "change"):
            new = folder / f"{random.randint(100, 999)}.{random.choice(['json', 'jsonl', 'csv', 'parquet'])}"
            path = random.choice(there) if what == "change" else new
            write_file(path, random, year)
        elif what == "rename":
            path = random.choice(there)
            path.rename(folder / f"{random.randint(100, 999)}{path.suffix}")
        else:
            random.choice(there).unlink()


def write_file(path: Path, random: Random, year: int) -> None:
    if path.suffix == ".json":
        path.write_text(json.dumps(filing_of(random, year)), encoding="utf-8")
        return
    rows = sentences_of(random, year)
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)


@pytest.mark.parametrize("seed", range(int(os.environ.get("FINRAG_SOAK", "1"))))
def test_any_history_of_files_ends_in_what_one_build_of_the_last_gives(tmp_path, seed):
    random = Random(seed)
    tables = ("corpus.fct_sentences", "corpus.rejected_rows", "corpus.dim_filings")
    grown = Warehouse(tmp_path / "grown")
    files = grown.project / "files"
    files.mkdir()
    for path in (files / "100.jsonl", files / "101.parquet"):
        write_file(path, random, 2020)
    for number in range(3):
        change_files(random, files)
        less = WITHOUT_SEEDS if number else ()
        grown.build("--select", "+fct_sentences", "+dim_filings", *less, corpus="files/*", company_facts="")
        assert grown.value("select count(*) - count(distinct sentence_id) from corpus.fct_sentences") == 0
    whole = Warehouse(tmp_path / "whole")
    shutil.copytree(files, whole.project / "files", copy_function=shutil.copy2)
    whole.build("--select", "+fct_sentences", "+dim_filings", corpus="files/*", company_facts="")
    assert differences(grown, whole, tables) == {}


def processed(warehouse: Warehouse) -> list[tuple[str, str]]:
    return warehouse.rows("select model, filing_id from corpus.processed_filings")


def test_a_killed_build_resumes_and_an_empty_one_is_none(tmp_path, demo):
    """kill -9 as a model starts: what others had committed stays, the rest is built by the next run.

    `dbt build --empty`, which checks the SQL without rows, does not count as built.
    """
    killed, model = Warehouse(tmp_path / "killed"), "bundles.v1_kpi_scan"
    killed.build("--empty", "--select", SEEDS, *ABOVE_TABLES)
    assert killed.value("select count(*) from corpus.processed_filings") == 0
    process = subprocess.Popen(
        [DBT, *killed.command("build", *WITHOUT_TESTS, *CORPUS_AND_BUNDLES, *WITHOUT_SEEDS)],
        cwd=killed.project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        for line in process.stdout:
            if "START" in line and model in line:
                process.kill()
                break
    assert process.returncode == -signal.SIGKILL, f"the build ended before {model} started"
    killed.build_bundles(*WITHOUT_SEEDS)
    built = [
        table for table in public_tables(demo.target / "manifest.json") if table.startswith(("corpus.", "bundles."))
    ]
    assert len(built) > len(TABLES)
    assert differences(killed, demo, built) == {}


def test_a_changed_registry_retags_every_filing_and_nothing_else(tmp_path, demo):
    """The versions of built filings depend on the seeds above a model, so editing a pattern cannot leave old tags."""
    tagged = {model for (model,) in demo.rows("select distinct model from corpus.processed_filings")}
    assert {"fct_sentences", "rejected_rows", "v1_kpi_scan", "v2_risk_atlas", "int_kpi_matches"} <= tagged
    altered = demo.copy(tmp_path / "altered")
    with duckdb.connect(str(altered.database)) as connection:
        connection.execute("update corpus.processed_filings set build_version = 'older' where model = 'v2_risk_atlas'")
        connection.execute("delete from bundles.v2_risk_atlas where hash(sentence_id) % 2 = 0")
    altered.build("--select", *ABOVE_TABLES, *WITHOUT_SEEDS)
    assert differences(altered, demo) == {}
    # rows deleted and inserted anew have new row ids
    kept = ("corpus.fct_sentences", "corpus.int_split_sentences", "bundles.v1_kpi_scan")
    for table in (*kept, "bundles.v2_risk_atlas"):
        last_row = f"select max(rowid) from {table}"
        assert (altered.value(last_row) == demo.value(last_row)) == (table in kept), table
