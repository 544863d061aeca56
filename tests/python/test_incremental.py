"""Building on top of a built corpus gives, row by row, what a full refresh gives, and touches only what changed."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from warehouses import CORPUS_AND_BUNDLES, DBT, WITHOUT_TESTS, Warehouse, environment

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


def differences(one: Warehouse, other: Warehouse) -> dict[str, tuple[int, int]]:
    """Tables that differ, with the number of rows (duplicates counted) that only the first and only the second has."""
    found = {}
    with duckdb.connect() as connection:
        connection.execute(f"attach '{one.database}' as one (read_only)")
        connection.execute(f"attach '{other.database}' as other (read_only)")
        for table in TABLES:
            counts = connection.execute(
                f"select (select count(*) from (from one.{table} except all from other.{table})), "
                f"(select count(*) from (from other.{table} except all from one.{table}))"
            ).fetchone()
            if counts != (0, 0):
                found[table] = counts
    return found


@pytest.fixture(scope="module")
def demo_files(demo, tmp_path_factory) -> Path:
    """A copy of the demo corpus' files (the demo build has generated them) that tests may change."""
    files = tmp_path_factory.mktemp("files")
    shutil.copytree(demo.project / "warehouse" / "demo", files / "demo")
    return files / "demo"


@pytest.fixture(scope="module")
def build_files(demo_files) -> Callable[[Warehouse], Warehouse]:
    """Builds a warehouse from the files as they are at the time."""

    def build(warehouse: Warehouse) -> Warehouse:
        link = warehouse.project / "files"
        if not link.exists():
            link.symlink_to(demo_files)
        corpus = " ".join(f"files/{pattern}" for pattern in ("finsights/*.jsonl", "hf/*", "edgar_*/*"))
        return warehouse.build_bundles(corpus=corpus, company_facts="")

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

    # and back again
    sentence_file.write_text(original, encoding="utf-8")
    shutil.move(aside / filing_file.name, filing_file)
    build_files(grown)
    assert differences(grown, full) == {}


def processed(warehouse: Warehouse) -> list[tuple[str, str]]:
    return warehouse.rows("select model, filing_id from corpus.processed_filings")


def test_nothing_is_rebuilt(tmp_path, demo):
    again = demo.copy(tmp_path / "again").build_bundles()
    assert differences(again, demo) == {}
    # rows deleted and inserted anew would have new row ids
    for table in ("corpus.fct_sentences", "corpus.int_split_sentences", "bundles.v1_kpi_scan", "bundles.v2_risk_atlas"):
        last_row = f"select max(rowid) from {table}"
        assert again.value(last_row) == demo.value(last_row), table


def test_an_empty_run_does_not_count_as_built(tmp_path, demo):
    """`dbt build --empty` checks the SQL without rows; the next build must notice that nothing was built.

    It then makes from nothing what the demo warehouse holds, id by id.
    """
    warehouse = Warehouse(tmp_path / "empty")
    warehouse.build_bundles("--empty")
    assert warehouse.value("select count(*) from corpus.processed_filings") == 0
    warehouse.build_bundles()
    assert differences(warehouse, demo) == {}


@pytest.mark.parametrize("model", ["corpus.fct_sentences", "bundles.v1_kpi_scan"])
def test_a_killed_build_resumes(tmp_path, demo, model):
    """kill -9 as a model starts: what others had committed stays, the rest is built by the next run."""
    killed = Warehouse(tmp_path / "killed")
    process = subprocess.Popen(
        [DBT, *killed.command("build", *WITHOUT_TESTS, *CORPUS_AND_BUNDLES)],
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
    killed.build_bundles()
    assert differences(killed, demo) == {}


def test_a_changed_registry_retags_every_filing(tmp_path, demo):
    """The versions of built filings depend on the seeds above a model, so editing a pattern cannot leave old tags."""
    tagged = {model for (model,) in demo.rows("select distinct model from corpus.processed_filings")}
    assert {"fct_sentences", "rejected_rows", "v1_kpi_scan", "v2_risk_atlas", "int_kpi_matches"} <= tagged
    altered = demo.copy(tmp_path / "altered")
    with duckdb.connect(str(altered.database)) as connection:
        connection.execute("update corpus.processed_filings set build_version = 'older' where model = 'v2_risk_atlas'")
        connection.execute("delete from bundles.v2_risk_atlas where hash(sentence_id) % 2 = 0")
    altered.build_bundles()
    assert differences(altered, demo) == {}
