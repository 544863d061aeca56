"""Warehouses built by dbt for the integration tests, each in a database of its own, and language models on loopback."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import pyarrow
import pytest
import yaml
from filelock import FileLock

from databases import in_memory, insert
from emulator import Asked, Emulator
from finrag.commands import collect_rarely
from finrag.project import PLACES
from warehouses import ROOT, Warehouse

REAL_DATA = ROOT.parent / "shared" / "data"
# Files whose tests build most, first: workers take whole files in this order, and what is left for the end is short.
# While the first builds the demo warehouse, the others take those of the next lines, which do without; the first of
# these need real filings.
LONGEST = (
    "test_alerts",
    *("test_real_retrieval", "test_real_filings", "test_source_files", "test_chunking", "test_edgar", "test_engine"),
    *("test_build_output", "test_mutated_files", "test_embedding_store", "test_kpi_patterns", "test_documents"),
    *("test_external_hits", "test_llm_providers", "test_scoring_rouge", "test_text_patterns"),
    *("test_wheel", "test_incremental", "test_questions", "test_demo_warehouse", "test_publish"),
    *("test_gold_sets", "test_answers_by_a_model", "test_report", "test_summaries"),
)
# Workers fill the cores: a matrix product that is shared by threads would wait for cores that other workers use.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
collect_rarely()


# Fixtures that come with a whole warehouse, real filings or what is installed. `make check` leaves such tests out.
BUILDS = {"demo", "empty", "real_data", "finrag"}
STARTED = time.monotonic()
SET_BY_COMMANDS = (*PLACES, "FINRAG_SETTINGS", "FINRAG_SET_BY_FILE", "BUILD_VERSION", "BUILD_COMMIT")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than cores: while one waits for a build that another makes, no core does (732 s for 859 s)."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, help="skip what has not begun so long after the start")


def pytest_runtest_setup(item: pytest.Item) -> None:
    seconds = item.config.getoption("--seconds")
    if seconds is not None and time.monotonic() - STARTED >= seconds:
        pytest.skip(f"the {seconds:g} seconds are over: `make test` runs it")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than five seconds; left out by `make check`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BUILDS.intersection(item.fixturenames) or makes_a_warehouse(item):
            item.add_marker(pytest.mark.builds)
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))


def makes_a_warehouse(item: pytest.Function) -> bool:
    """Whether the test or a fixture of it calls for dbt in a folder of its own."""
    found = item._fixtureinfo.name2fixturedefs.values()
    functions = [item.function, *(definition.func for definitions in found for definition in definitions)]
    return any(Warehouse.__name__ in inspect.unwrap(function).__code__.co_names for function in functions)


def shared_by_workers(tmp_path_factory, name: str, build: Callable[[Warehouse], object]) -> Warehouse:
    """A warehouse that one worker of pytest-xdist builds and all use."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    built = folder / "built"
    with FileLock(folder / "lock"):
        warehouse = Warehouse(folder)
        if not built.exists():
            build(warehouse)
            built.write_text(warehouse.output, encoding="utf-8")
    warehouse.output = built.read_text(encoding="utf-8")
    warehouse.keep_open()
    return warehouse


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Warehouse:
    """The demo corpus as `make build` builds it, data tests included. Read only: copy it before building on top.

    Vectors that `make build` has computed in this checkout are taken over: they are kept by text and model.
    """

    def build(warehouse: Warehouse) -> None:
        computed = ROOT / "warehouse" / "lance" / "embeddings"
        if computed.exists():
            shutil.copytree(computed, warehouse.lance / "embeddings", dirs_exist_ok=True)
        warehouse.parsed()
        warehouse.output = warehouse.shell("make build")

    return shared_by_workers(tmp_path_factory, "demo", build)


@pytest.fixture(scope="session")
def analysed(tmp_path_factory, demo) -> Warehouse:
    """The demo warehouse once more, with every analysis compiled. Read only."""

    def compile_analyses(warehouse: Warehouse) -> None:
        demo.copy(warehouse.project)
        done = warehouse.dbt("compile", "--quiet", "--select", "resource_type:analysis")
        assert done.returncode == 0, warehouse.output

    return shared_by_workers(tmp_path_factory, "analysed", compile_analyses)


@pytest.fixture
def empty(tmp_path) -> Warehouse:
    """A project folder with no database yet."""
    return Warehouse(tmp_path / "empty")


@pytest.fixture
def taken_back(monkeypatch) -> None:
    """What a command sets for its process, and dbt in it, is gone after a test that runs one in this process."""
    for name in SET_BY_COMMANDS:
        monkeypatch.setenv(name, ".")
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def real_data() -> Path:
    if not REAL_DATA.is_dir():
        pytest.skip(f"real filings are not beside the checkout ({os.path.relpath(REAL_DATA, ROOT)})")
    return REAL_DATA.resolve()


@pytest.fixture(scope="session")
def real_corpus(real_data) -> str:
    """Every real source at once: full and sampled sentence tables, and filings of two decades."""
    return " ".join(
        str(real_data / pattern)
        for pattern in (
            "finsights/sentences/*.parquet",
            "finsights/bundle_sentences.parquet",
            "finsights/filings/*.json",
            "edgar_crawler/*.json",
        )
    )


@pytest.fixture(scope="session")
def real_facts(real_data) -> str:
    return str(real_data / "finsights/dims/KPI_FACT_DATA_EDGAR.parquet")


@pytest.fixture(scope="session")
def real(tmp_path_factory, real_corpus, real_facts) -> Warehouse:
    """All real sources in one warehouse up to bundles and questions, with the facts of 21 companies. Read only."""

    def build(warehouse: Warehouse) -> None:
        questions = ("--select", "+p3_suite_coverage", "+p3_question_shapes")
        warehouse.build_bundles(*questions, corpus=real_corpus, company_facts=real_facts)

    return shared_by_workers(tmp_path_factory, "real", build)


ECHO = ROOT / "tests" / "python" / "tasks"


def echo(asked: Asked) -> str:
    """The reply to the task echo: its text, in capitals."""
    return json.dumps({"text": asked.blocks()[0].upper(), "length": len(asked.blocks()[0])})


@dataclass
class LanguageModels:
    """What run_requests needs, with the registry of seeds/ in memory, a ledger of its own, and models on loopback."""

    emulator: Emulator
    connection: duckdb.DuckDBPyConnection
    ledger: Path

    def set_model(self, model_id: str, **fields: object) -> None:
        """Change fields of a registry row."""
        for name, value in fields.items():
            self.connection.execute(f"update seeds.llm_models set {name} = ? where model_id = ?", [value, model_id])

    def requests(self, items: dict[str, dict]) -> duckdb.DuckDBPyRelation:
        rows = [(item_id, json.dumps(inputs)) for item_id, inputs in items.items()]
        self.connection.execute("create or replace table requests (item_id varchar, inputs varchar)")
        if rows:
            insert(self.connection, "requests", rows)
        return self.connection.table("requests")

    def run(self, items: dict[str, dict], models: str, task: str = "echo", **settings: object) -> list[dict]:
        """Rows of run_requests as dicts, in the order of the items."""
        from finrag.llm.run import run_requests

        given = {"models": models} | {f"llm_{name}": value for name, value in settings.items()}
        relation = run_requests(self.connection, self.requests(items), task=task, settings=given)
        return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

    def ledger_value(self, column: str, item_id: str = "one") -> object:
        """What the ledger holds of one request."""
        import sqlite3

        with sqlite3.connect(self.ledger) as connection:
            query = f"select {column} from calls where item_id = ?"
            return connection.execute(query, [item_id]).fetchone()[0]

    def call(self, models: str, text: str = "hello", **settings: object) -> dict:
        """The row of one request."""
        return self.run({"one": {"text": text}}, models, **settings)[0]


@pytest.fixture
def emulator(tmp_path, monkeypatch) -> Iterator[Emulator]:
    """A server that every hosted model of the registry is reached at; it echoes until a test says otherwise."""
    with Emulator(tmp_path / "requests.jsonl", echo) as server:
        for name in ("GEMINI", "OPENAI", "PERPLEXITY", "LOCAL_OPENAI"):
            monkeypatch.setenv(f"{name}_BASE_URL", server.url if name == "GEMINI" else f"{server.url}/v1")
            monkeypatch.setenv(f"{name}_API_KEY", f"key-of-{name.lower()}-0123456789")
        yield server


@pytest.fixture
def echo_task(monkeypatch) -> None:
    """The task echo of tests/python/tasks beside those of the library."""
    import finrag.tasks

    monkeypatch.setattr(finrag.tasks, "__path__", [*finrag.tasks.__path__, str(ECHO)])


@cache
def types_of(seed: str) -> dict[str, str]:
    """The types of a seed's columns."""
    described = yaml.safe_load((ROOT / "seeds" / f"{seed}.yml").read_text(encoding="utf-8"))
    return described["seeds"][0]["config"]["column_types"]


@cache
def rows_of(seed: str) -> pyarrow.Table:
    """A registry, read once by each worker and not once by each of hundreds of tests."""
    query = f"from read_csv(?, columns = {types_of(seed)})"
    with in_memory() as connection:
        return connection.sql(query, params=[str(ROOT / "seeds" / f"{seed}.csv")]).to_arrow_table()


@pytest.fixture
def llm(emulator, echo_task, tmp_path, monkeypatch) -> Iterator[LanguageModels]:
    from finrag.llm import budget, calls, limits

    monkeypatch.setattr(calls, "FIRST_WAIT_SECONDS", 0.02)
    monkeypatch.setattr(budget, "_OF_PROCESS", budget.Budget(0.0))
    monkeypatch.setattr(limits, "_LIMITS", {})
    ledger = tmp_path / "ledger" / "calls.sqlite"
    monkeypatch.setenv("FINRAG_LEDGER", str(ledger))
    with in_memory() as connection:
        connection.execute("create schema seeds")
        for seed in ("llm_models", "llm_prices"):
            connection.from_arrow(rows_of(seed)).create(f"seeds.{seed}")
        connection.execute("update seeds.llm_models set requests_per_minute = null, tokens_per_minute = null")
        yield LanguageModels(emulator, connection, ledger)
