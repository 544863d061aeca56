"""Warehouses built by dbt for the integration tests, each in a database of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

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
