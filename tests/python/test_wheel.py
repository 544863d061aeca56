"""The wheel in an empty folder: what a stranger installs builds the demo with the same figures as the clone.

What is run are the commands of docs/project.md.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from finrag.cli import registries, toml
from same_tables import differences, public_tables
from warehouses import ROOT, Warehouse, environment

PAGE = (ROOT / "docs" / "project.md").read_text(encoding="utf-8")
MADE, ASKED = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
# A part of what each of the latter prints.
PRINTED = (
    *("demo   (finrag.toml)", "p1 filtered: bm25", "Is one embedding model better", "suite", "reports/finrag.html"),
    *("exports/queries/p1.jsonl", "rows  exports/corpus.parquet", "questions written to", "Nothing has been sent"),
    "in registry (baselines.csv",
)
UNTESTED = ("--exclude-resource-type", "test", "--exclude-resource-type", "unit_test")
OTHER_THREADS = {"FINRAG_THREADS": "1", "OMP_NUM_THREADS": "2"}
[EXAMPLE] = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def of_a_stranger() -> dict[str, str]:
    """The environment without what the other tests say to dbt."""
    left_out = ("FINRAG_SETTINGS", "PYTHONPATH")
    return {
        name: value for name, value in environment().items() if name not in left_out and not name.startswith("DBT_")
    }


def run(*command: object, folder: Path, **options: str) -> str:
    """What a command prints; fails the test where it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=of_a_stranger() | options, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def finrag(tmp_path_factory) -> Path:
    """The command, from a wheel of this clone, in an environment of its own that sees the packages installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    # built from a copy, so that nothing is left in the clone
    source = folder / "source"
    made = shutil.ignore_patterns("__pycache__", "*.egg-info", "warehouse", "target", "logs", ".venv", ".git")
    shutil.copytree(ROOT, source, symlinks=True, ignore=made)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "-w", folder, ".", folder=source)
    [wheel] = folder.glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", folder=folder)
    python = folder / "venv" / "bin" / "python"
    run(*pip, "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=folder)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder).strip()
    # a path in a .pth is not searched for further .pth files, so the clone itself stays out
    Path(site, "packages.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    found = run(python, "-c", "import finrag; print(finrag.__file__)", folder=folder)
    assert found.startswith(site), "the clone is imported, not the wheel"
    return folder / "venv" / "bin" / "finrag"


@pytest.fixture(scope="module")
def built(finrag, demo: Warehouse, tmp_path_factory) -> tuple[Path, str]:
    """`finrag init demo && cd demo && finrag build`, with the vectors that the clone's build has computed.

    dbt's own tests are left out: the tables are held against those of the clone, on which they have passed.
    """
    empty = tmp_path_factory.mktemp("empty")
    first, _, *others = MADE.splitlines()
    assert MADE.splitlines() == ["finrag init demo", "cd demo", "finrag build"]
    run(finrag, *shlex.split(first)[1:], folder=empty)
    for vectors in ("embeddings", "token_vectors"):
        shutil.copytree(demo.lance / vectors, empty / "demo" / "warehouse" / "lance" / vectors)
    [build] = [(finrag, *shlex.split(line)[1:], *UNTESTED) for line in others]
    return empty / "demo", run(*build, folder=empty / "demo", **OTHER_THREADS)


def test_the_tables_are_those_of_the_clone_bit_for_bit(built, demo):
    """Every public table, by another number of threads than the clone's."""
    folder, output = built
    assert "\nBuilt: " in output and "failed" not in output and "12 companies" in output
    tables = public_tables(demo.target / "manifest.json")
    assert len(tables) > 70 and "metrics.metric_values" in tables
    assert differences(folder / "warehouse" / "finrag.duckdb", demo.database, tables) == {}


def test_what_a_project_makes_stays_in_its_folder(built, finrag):
    folder, _ = built
    assert {path.name for path in folder.iterdir()} == {
        *(".finrag", ".gitignore", "finrag.toml", "logs", "reports", "target", "warehouse"),
    }
    started = (folder / "finrag.toml").stat().st_mtime
    assert [path for path in finrag.parents[1].rglob("*.csv") if path.stat().st_mtime > started] == []


def test_the_other_commands_of_the_page_work_there(built, finrag):
    folder, _ = built
    assert "Nothing has changed since " in run(finrag, "build", *UNTESTED, folder=folder, **OTHER_THREADS)
    for line, text in zip(ASKED.splitlines(), PRINTED, strict=True):
        assert text in run(finrag, *shlex.split(line)[1:], folder=folder, COLUMNS="160"), line
    assert "first,p1,filtered,dense" in (folder / "registry" / "baselines.csv").read_text(encoding="utf-8")


def test_the_example_of_the_page_is_one(tmp_path):
    file = tmp_path / "finrag.toml"
    file.write_text(EXAMPLE, encoding="utf-8")
    known = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]
    settings = toml.variables(file, known)
    assert settings["corpus_columns"] == {"item_1": "item1", "cik": "CIK number"}
    # vectors are those of the model that has no others
    assert settings["imported_vectors"].startswith("theirs=")
    merged = registries.merged(ROOT / "seeds", file, tmp_path / "registry")
    mine, theirs = merged["embedding_models.csv"].splitlines()[-2:]
    assert mine.startswith("my-model,models/my-model,,384") and theirs.startswith("theirs,imported,,1024")
    assert [key for key in toml.KEYS if f"`{key}`" not in PAGE] == []
