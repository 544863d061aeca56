"""Warehouses built by dbt for the integration tests, each in a database of its own, and language models on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
import yaml

from emulator import Asked, Emulator

ROOT = Path(__file__).parents[2]
REAL_DATA = ROOT.parent / "shared" / "data"
DBT = Path(sys.executable).parent / "dbt"
# The part of the DAG that needs no embeddings.
CORPUS_AND_BUNDLES = (
    "--select",
    "resource_type:seed",
    *(f"path:{folder}" for folder in ("models/staging", "models/corpus", "models/bundles", "python_models/corpus")),
)


@dataclass
class Warehouse:
    """One database, the folder of its vectors, and the folder that dbt writes its artefacts of it to."""

    database: Path
    output: str = ""

    @property
    def lance(self) -> Path:
        return self.database.with_suffix(".lance")

    def command(self, *arguments: str, corpus: str = "demo", facts: str = "auto", **variables: object) -> list[str]:
        variables = {"corpus": corpus, "company_facts": facts} | variables
        return [str(DBT), *arguments, "--vars", json.dumps(variables)]

    def environment(self) -> dict[str, str]:
        return os.environ | {
            "FINRAG_DATABASE": str(self.database),
            "FINRAG_LANCE": str(self.lance),
            "FINRAG_TEMP": str(self.database.with_suffix(".tmp")),
            "FINRAG_LEDGER": str(self.database.with_suffix(".ledger.sqlite")),
            "DBT_PROFILES_DIR": str(ROOT),
            "DBT_TARGET_PATH": str(self.database.with_suffix(".target")),
            "DBT_LOG_PATH": str(self.database.with_suffix(".logs")),
        }

    def dbt(self, *arguments: str, **variables: object) -> subprocess.CompletedProcess:
        """Run dbt from the repository root against this database, with vars by keyword; never raises."""
        done = subprocess.run(
            self.command(*arguments, **variables),
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        self.output = done.stdout + done.stderr
        return done

    def build(self, *arguments: str, **variables: object) -> Warehouse:
        """Seeds and models without dbt's tests, which is all that most tests here need; fails the test on an error."""
        done = self.dbt("build", "--exclude-resource-type", "test", "unit_test", *arguments, **variables)
        assert done.returncode == 0, self.output
        return self

    def build_bundles(self, *arguments: str, **variables: object) -> Warehouse:
        """The corpus and the bundles, which need no embeddings."""
        return self.build(*CORPUS_AND_BUNDLES, *arguments, **variables)

    def rows(self, query: str, parameters: dict[str, object] | None = None) -> list[tuple]:
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.execute(query, parameters or {}).fetchall()

    def value(self, query: str, parameters: dict[str, object] | None = None) -> object:
        return self.rows(query, parameters)[0][0]

    def copy(self, database: Path) -> Warehouse:
        """The same tables in a second database, so that a test can change them."""
        shutil.copy(self.database, database)
        copy = Warehouse(database)
        if self.lance.exists():
            shutil.copytree(self.lance, copy.lance)
        return copy


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Warehouse:
    """The demo corpus, built without dbt's tests. Read only: copy it before building on top.

    Vectors that `make build` has computed in this checkout are taken over: they are kept by text and model.
    """
    warehouse = Warehouse(tmp_path_factory.mktemp("demo") / "demo.duckdb")
    computed = ROOT / "warehouse" / "lance" / "embeddings"
    if computed.exists():
        shutil.copytree(computed, warehouse.lance / "embeddings")
    return warehouse.build()


@pytest.fixture
def empty(tmp_path) -> Warehouse:
    """A database that does not exist yet."""
    return Warehouse(tmp_path / "warehouse.duckdb")


@pytest.fixture(scope="session")
def real_data() -> Path:
    if not REAL_DATA.is_dir():
        pytest.skip(f"real filings are not beside the checkout ({os.path.relpath(REAL_DATA, ROOT)})")
    return Path(os.path.relpath(REAL_DATA, ROOT))


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
    """All real sources in one warehouse up to the bundles, with the facts of 21 companies. Read only."""
    warehouse = Warehouse(tmp_path_factory.mktemp("real") / "real.duckdb")
    return warehouse.build_bundles(corpus=real_corpus, facts=real_facts)


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
            self.connection.executemany("insert into requests values (?, ?)", rows)
        return self.connection.table("requests")

    def run(self, items: dict[str, dict], models: str, task: str = "echo", **settings: object) -> list[dict]:
        """Rows of run_requests as dicts, in the order of the items."""
        from finrag.llm.run import run_requests

        given = {"models": models} | {f"llm_{name}": value for name, value in settings.items()}
        relation = run_requests(self.connection, self.requests(items), task=task, settings=given)
        return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

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


@pytest.fixture
def llm(emulator, echo_task, tmp_path, monkeypatch) -> LanguageModels:
    from finrag.llm import budget, calls, limits

    monkeypatch.setattr(calls, "FIRST_WAIT_SECONDS", 0.02)
    monkeypatch.setattr(budget, "_OF_PROCESS", budget.Budget(0.0))
    monkeypatch.setattr(limits, "_LIMITS", {})
    ledger = tmp_path / "ledger" / "calls.sqlite"
    monkeypatch.setenv("FINRAG_LEDGER", str(ledger))
    connection = duckdb.connect()
    connection.execute("create schema seeds")
    for seed in ("llm_models", "llm_prices"):
        described = yaml.safe_load((ROOT / "seeds" / f"{seed}.yml").read_text(encoding="utf-8"))
        types = described["seeds"][0]["config"]["column_types"]
        path = str(ROOT / "seeds" / f"{seed}.csv")
        connection.execute(f"create table seeds.{seed} as from read_csv(?, columns = {types})", [path])
    connection.execute("update seeds.llm_models set requests_per_minute = null, tokens_per_minute = null")
    return LanguageModels(emulator, connection, ledger)
