"""Building on top of a built corpus gives, row by row, what a full refresh gives, and touches only what changed."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
from collections.abc import Sequence
from multiprocessing.connection import Client
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import same_tables
from same_tables import public_tables
from warehouses import CORPUS_AND_BUNDLES, SEEDS, WITHOUT_TESTS, Warehouse, dbt_server, environment

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
ABOVE_TABLES = ("--select", *(f"+{table.partition('.')[2]}" for table in TABLES))
# Registries do not change from one build to the next.
WITHOUT_SEEDS = ("--exclude", SEEDS)


def differences(one: Warehouse, other: Warehouse, tables: Sequence[str] = TABLES) -> dict[str, same_tables.Difference]:
    return same_tables.differences(one.database, other.database, tables)


@pytest.fixture(scope="module")
def demo_files(demo, tmp_path_factory) -> Path:
    """A copy of every third company's files in each layout, which the demo build has made."""
    files = tmp_path_factory.mktemp("files") / "demo"
    shutil.copytree(demo.project / "warehouse" / "demo", files)
    for folder in (path for path in files.iterdir() if path.is_dir()):
        company = {path: path.stem.partition("_10K")[0] for path in folder.iterdir()}
        for path in company:
            if company[path] not in sorted(set(company.values()))[::3]:
                path.unlink()
    return files


@pytest.fixture(scope="module")
def fewer_files(demo_files) -> Path:
    """The same without COMING, and with a filing of CHANGING that is another."""
    files = demo_files.with_name("fewer")
    shutil.copytree(demo_files, files)
    for path in COMING:
        (files / path).unlink()
    changing = sorted((files / "finsights").glob("*.jsonl"))[0]
    first, *others = changing.read_text(encoding="utf-8").splitlines(keepends=True)
    altered = first.replace('"sentence":"', '"sentence":"Changed beyond doubt. ', 1)
    assert altered != first
    changing.write_text("".join([altered, *others]), encoding="utf-8")
    return files


COMING = ("finsights/skyfennel.jsonl", "edgar_crawler/9000008_10K_2020_0009000008-20-000001.json")


def of_files(files: Path, warehouse: Warehouse) -> dict[str, str]:
    """Vars of a build from these files, which take the place of those before."""
    link = warehouse.project / "files"
    link.unlink(missing_ok=True)
    link.symlink_to(files)
    return {
        "corpus": " ".join(f"files/{pattern}" for pattern in ("finsights/*.jsonl", "hf/*", "edgar_*/*")),
        "company_facts": "files/company_facts.csv",
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory, demo_files) -> Warehouse:
    """Of all these files, by one build of corpus and bundles, a model at a time where others build two. Read only."""
    warehouse = Warehouse(tmp_path_factory.mktemp("full") / "full")
    with pytest.MonkeyPatch.context() as one_thread:
        one_thread.setattr("warehouses.THREADS", 1)
        return warehouse.build_bundles(**of_files(demo_files, warehouse))


@pytest.fixture(scope="module")
def resumed(tmp_path_factory, fewer_files) -> Warehouse:
    """Of the fewer files, by a build that is killed and one that goes on, after an empty one. Read only."""
    warehouse = Warehouse(tmp_path_factory.mktemp("resumed") / "resumed")
    settings = of_files(fewer_files, warehouse)
    warehouse.build("--empty", *ABOVE_TABLES, SEEDS, **settings)
    assert processed(warehouse) == []
    kill_at("bundles.v1_kpi_scan", warehouse, settings)
    assert {"fct_sentences"} < {model for model, _ in processed(warehouse)}
    return warehouse.build_bundles(*WITHOUT_SEEDS, **settings)


@pytest.fixture(scope="module")
def shrunk(tmp_path_factory, full, fewer_files) -> Warehouse:
    """Of the fewer files, by a build on top of that of all. Read only."""
    warehouse = full.copy(tmp_path_factory.mktemp("shrunk") / "shrunk")
    return warehouse.build_bundles(*WITHOUT_SEEDS, **of_files(fewer_files, warehouse))


def kill_at(model: str, warehouse: Warehouse, settings: dict[str, str]) -> None:
    """kill -9 a build of corpus and bundles as a model starts."""
    arguments = warehouse.command("build", *WITHOUT_TESTS, *CORPUS_AND_BUNDLES, *WITHOUT_SEEDS, **settings)
    output = warehouse.project / "killed.txt"
    output.touch()
    with Client(dbt_server()) as server:
        server.send((arguments, str(warehouse.project), environment(**settings), str(output), None))
        while not re.search(f"START .*{model}", output.read_text(encoding="utf-8")):
            assert not server.poll(0.02), f"the build ended before {model} started"
        # whoever else opens the database is told which process has it
        with pytest.raises(duckdb.IOException, match="lock") as refused:
            duckdb.connect(str(warehouse.database), read_only=True)
        os.kill(int(re.search(r"PID (\d+)", str(refused.value))[1]), signal.SIGKILL)
        with pytest.raises(EOFError):
            server.recv()


def test_adding_and_changing_files(tmp_path, demo_files, full, resumed):
    """Two files come and a filing of a third changes: those rows are replaced, all other filings are left alone."""
    grown = resumed.copy(tmp_path / "grown")
    grown.build(*ABOVE_TABLES, *WITHOUT_SEEDS, **of_files(demo_files, grown))
    assert differences(grown, full) == {}
    new = {
        filing
        for (filing,) in grown.rows(
            "select distinct filing_id from corpus.int_filing_contents where file_path in ($one, $other)",
            {"one": f"files/{COMING[0]}", "other": f"files/{COMING[1]}"},
        )
    }
    added = set(processed(grown)) - set(processed(resumed))
    assert {filing for model, filing in added if model == "fct_sentences"} == new
    then = versions_of(resumed)
    assert sum(then[filing] != version for filing, version in versions_of(grown).items() if filing not in new) == 1
    assert (changed_sentences(resumed), changed_sentences(grown)) == (1, 0)


def test_removing_and_changing_files_and_a_killed_build_that_resumes(demo, full, resumed, shrunk):
    """Two files go and a filing of a third changes. In the other build, which has these files from the start, a model
    was killed as it started: what others had committed stayed, the rest was built by the next run.

    `dbt build --empty`, which checks the SQL without rows, does not count as built.
    """
    built = [
        table for table in public_tables(demo.target / "manifest.json") if table.startswith(("corpus.", "bundles."))
    ]
    assert len(built) > len(TABLES)
    assert differences(shrunk, resumed, built) == {}
    before, after = versions_of(full), versions_of(shrunk)
    assert sum(before[filing] != version for filing, version in after.items()) == 1
    gone = "select count(distinct filing_id) from corpus.int_filing_contents where file_path in ($one, $other)"
    assert full.value(gone, {"one": f"files/{COMING[0]}", "other": f"files/{COMING[1]}"}) == len(before) - len(after)
    assert changed_sentences(shrunk) == 1


def versions_of(warehouse: Warehouse) -> dict[str, str]:
    return dict(warehouse.rows("select filing_id, filing_version from corpus.int_filing_versions"))


def changed_sentences(warehouse: Warehouse) -> int:
    changed = "select count(*) from corpus.fct_sentences where sentence_text like 'Changed beyond doubt.%'"
    return warehouse.value(changed)


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


def test_a_changed_registry_retags_every_filing_and_nothing_else(tmp_path, demo_files, full):
    """The versions of built filings depend on the seeds above a model, so editing a pattern cannot leave old tags."""
    tagged = {model for model, _ in processed(full)}
    assert {"fct_sentences", "rejected_rows", "v1_kpi_scan", "v2_risk_atlas", "int_kpi_matches"} <= tagged
    altered = full.copy(tmp_path / "altered")
    with duckdb.connect(str(altered.database)) as connection:
        connection.execute("update corpus.processed_filings set build_version = 'older' where model = 'v2_risk_atlas'")
        connection.execute("delete from bundles.v2_risk_atlas where hash(sentence_id) % 2 = 0")
    # rows deleted and inserted anew have new row ids
    kept = ("corpus.fct_sentences", "corpus.int_split_sentences", "corpus.rejected_rows", "bundles.v1_kpi_scan")
    tables = (*kept, "bundles.v2_risk_atlas")
    altered.build("--select", *(table.partition(".")[2] for table in tables), **of_files(demo_files, altered))
    assert differences(altered, full) == {}
    for table in tables:
        last_row = f"select max(rowid) from {table}"
        assert (altered.value(last_row) == full.value(last_row)) == (table in kept), table
