"""The wheel in folders of its own: docs/project.md and docs/first-hour.md, followed to the letter.

The warehouse that `make build` has made of the demo corpus is put into a project before its first build, which finds
nothing to do: what the wheel holds and reads is what the clone has. What comes after that is built by the wheel.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import duckdb
import pytest
import yaml

from finrag.cli import registries, toml
from finrag.metrics.frozen import FILE, compare_with_frozen
from finrag.project import PLACES
from warehouses import PARSE, ROOT, Warehouse, environment

PAGE, TUTORIAL = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("project.md", "first-hour.md"))
MADE, ASKED = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
FOLLOWED = re.findall(r"^```sh\n(.*?)^```", TUTORIAL, re.DOTALL | re.MULTILINE)
# A part of what each of the latter prints.
PRINTED = (
    *("demo   (finrag.toml)", "p1 filtered: bm25", "Is one embedding model better", "suite", "reports/finrag.html"),
    *("exports/queries/p1.jsonl", "rows  exports/corpus.parquet", "questions written to", "Nothing has been sent"),
    "in registry (baselines.csv",
)
[EXAMPLE] = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def of_a_stranger() -> dict[str, str]:
    """The environment without what leads the other tests' commands to where they are."""
    left_out = ("FINRAG_SETTINGS", "PYTHONPATH", "DBT_WRITE_JSON", *PLACES)
    return {name: value for name, value in environment().items() if name not in left_out}


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


def project(finrag: Path, demo: Warehouse, folder: Path, commands: str) -> tuple[Path, str]:
    """A project made by `finrag init`, `cd` and `finrag build` on what the clone has built; what the last printed."""
    init, into, build = map(shlex.split, commands.splitlines())
    assert (init[:2], into, build) == (["finrag", "init"], ["cd", init[2]], ["finrag", "build"])
    run(finrag, *init[1:], folder=folder)
    made = folder / init[2]
    shutil.copytree(demo.project / "warehouse", made / "warehouse", symlinks=True)
    (made / "target").mkdir()
    # as a build leaves them: dbt reads files anew whose content is another
    for name in ("manifest.json", PARSE):
        shutil.copy(demo.target / name, made / "target")
    return made, run(finrag, *build[1:], folder=made)


@pytest.fixture(scope="module")
def built(finrag, demo: Warehouse, tmp_path_factory) -> tuple[Path, str]:
    return project(finrag, demo, tmp_path_factory.mktemp("empty"), MADE)


def test_what_the_wheel_reads_is_what_the_clone_has(built):
    """SQL, Python, registries, prompts and packages, by their content: a build compares them all."""
    _, output = built
    assert output.startswith("Nothing has changed since ") and "12 companies" in output


def test_the_other_commands_of_the_page_work_there(built, finrag):
    folder, _ = built
    for line, text in zip(ASKED.splitlines(), PRINTED, strict=True):
        assert text in run(finrag, *shlex.split(line)[1:], folder=folder, COLUMNS="160"), line
    assert "first,p1,filtered,dense" in (folder / "registry" / "baselines.csv").read_text(encoding="utf-8")


def test_what_a_project_makes_stays_in_its_folder(built, finrag):
    folder, _ = built
    assert {path.name for path in folder.iterdir()} == {
        *(".finrag", ".gitignore", "exports", "finrag.toml", "logs", "registry", "reports", "target", "warehouse"),
    }
    started = (folder / "finrag.toml").stat().st_mtime
    assert [path for path in finrag.parents[1].rglob("*.csv") if path.stat().st_mtime > started] == []


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


@pytest.fixture(scope="module")
def followed(finrag, demo: Warehouse, tmp_path_factory) -> tuple[Warehouse, list[str]]:
    """The project of the first hour, and what each command of its page printed."""
    made, printed = project(finrag, demo, tmp_path_factory.mktemp("first_hour"), FOLLOWED[0])
    found_first = {"PATH": f"{finrag.parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "160"}
    outputs = [printed, *(run("bash", "-euc", command, folder=made, **found_first) for command in FOLLOWED[1:])]
    warehouse = Warehouse(made)
    warehouse.keep_open()
    return warehouse, outputs


def test_every_data_test_passes(demo, followed):
    """On the demo corpus, and with a second embedding model those of what depends on it."""
    _, printed = followed
    endings = [
        re.search(r"^Built: \d+ seeds?, (\d+) models, (\d+) checks passed in ", output, re.MULTILINE)
        for output in (demo.output, *printed)
    ]
    [(models, checks), (further_models, further_checks)] = [map(int, ending.groups()) for ending in endings if ending]
    assert models > 200 and checks > 700
    assert 80 < further_models < models / 2 and further_checks > 200
    assert "Built is what depends on embedding_models, int_embedded_texts;" in printed[3]


def test_what_was_measured_before_is_not_measured_again(demo, followed):
    """The registry of models has a row more, which the runs of the first model do not depend on."""
    warehouse, _ = followed
    for versions in (
        "select distinct run_id, rollup_version from metrics.int_anchor_metric_values",
        "select distinct run_id, rollup_version from metrics.int_question_metric_values",
        "select distinct pair_id, comparison_version from metrics.int_run_comparisons",
    ):
        before = set(demo.rows(versions))
        assert before < set(warehouse.rows(versions)), versions


def test_the_answer_is_there_with_its_certainty(followed):
    _, printed = followed
    answer = printed[FOLLOWED.index("finrag analysis is_my_model_better --limit 20\n")]
    assert "two-layers" in answer
    assert re.search(r"better|worse|cannot be told", answer)


def test_both_models_were_measured_on_the_same_queries(followed):
    warehouse, _ = followed
    pairs = warehouse.rows(
        "select suite, n_pairs from metrics.run_comparisons where comparison_kind = 'model' and metric = 'hit' "
        "and k = 5 and stratum_by = 'overall' and gold_predicate = 'positional'"
    )
    assert {suite for suite, _ in pairs} >= {"p1", "p2"}
    assert all(n_pairs >= 500 for _, n_pairs in pairs)


def test_the_gate_would_not_let_the_smaller_encoder_take_the_place_of_the_first(followed):
    """The frozen runs of seeds/ against those of two-layers alone: questions (P3) lose evidence, beyond chance."""
    warehouse, _ = followed
    with duckdb.connect(str(warehouse.database), read_only=True) as connection:
        scores = connection.table("metrics.int_headline_scores").filter("not contains(model, 'all-MiniLM-L6-v2')")
        held_against = compare_with_frozen(
            connection,
            scores,
            runs=scores.project("run_id, place, model").distinct(),
            registry=connection.table("seeds.metrics"),
            baselines=connection.table("seeds.baselines"),
            file=ROOT / "seeds" / FILE,
        )
    rows = {row["place"]: row for row in held_against.to_pylist()}
    swapped = rows["p3 open dense"]
    assert (swapped["frozen_model"], swapped["model"]) == ("all-MiniLM-L6-v2", "two-layers")
    assert swapped["difference"] < -0.05
    # Holm's first step: a tested run each is counted
    assert swapped["p_value"] * sum(row["p_value"] is not None for row in rows.values()) < 0.05
