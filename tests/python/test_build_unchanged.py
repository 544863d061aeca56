"""A build that would read what the last one read runs nothing, and anything that could change a row makes it run."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from finrag import gate
from finrag.build import run, unchanged
from finrag.build.dbt_run import Run
from finrag.build.results import Results
from finrag.build.turn import last_build, undecided
from finrag.build.unchanged import Finished, what_is_built, what_is_read, what_is_written
from finrag.errors import FinragError
from finrag.llm import budget
from finrag.llm.ledger import Ledger, Total, cost_of_calls
from test_llm_ledger import call
from warehouses import Warehouse, environment

VARS = ("--vars", json.dumps({"corpus": "filings/*.json", "external_hits": "mine@open=hits/*.trec"}))


@pytest.fixture
def project(tmp_path, monkeypatch, taken_back) -> Path:
    """A project folder with a source file, somebody's hits, a warehouse and a vector."""
    warehouse = Warehouse(tmp_path / "project")
    folder = warehouse.own_seeds().parent
    for name in ("filings/a.json", "hits/mine.trec", "warehouse/finrag.duckdb", "warehouse/lance/embeddings/1.lance"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("1")
    monkeypatch.chdir(folder)
    for name in ("FINRAG_DATABASE", "FINRAG_LANCE", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return folder


def changed(arguments=VARS) -> list[str]:
    """Names of what is not as a build of VARS left it."""
    database = Path("warehouse/finrag.duckdb")
    return Finished.noted(database).changes(what_is_read([*arguments]), what_is_written(database))


def note() -> None:
    database = Path("warehouse/finrag.duckdb")
    left = what_is_written(database)
    Finished(what_is_read([*VARS]), what_is_built(), left, "noon", "12 models in 3 s", "").note(database)


def test_nothing_has_changed(project):
    note()
    assert changed() == []


def test_an_estimate_says_of_which_build_its_requests_are_and_what_may_ask_for_more(project):
    """Who is asked, how and with which options is counted as it is now."""
    database, of = Path("warehouse/finrag.duckdb"), "Requests are those of the build of noon"
    assert "which left something undone" in unchanged.of_requests(database, what_is_read([*VARS]))
    note()
    assert unchanged.of_requests(database, what_is_read([*VARS])) == f"{of}."
    given = json.loads(VARS[1])
    asked = {"llm_answers": "gpt-4o-mini", "llm_budget_usd": 9}
    others = what_is_read(["--vars", json.dumps(given | asked), "--full-refresh"])
    assert unchanged.of_requests(database, others) == f"{of}."
    (project / "filings/b.json").write_text("1")
    more = {"retrieval_strategies": "bm25 closed_book"}
    told = unchanged.of_requests(database, what_is_read(["--vars", json.dumps(given | more)]))
    assert told.startswith(f"{of}. Changed since: the setting ") and told.endswith(" until a build has made them.")
    assert "setting corpus" in told and "setting retrieval_strategies" in told and "llm_" not in told


def test_a_folder_with_another_name_is_no_change(project, monkeypatch):
    """A project with a finrag.toml names its dbt project by an absolute path, also in the environment."""

    def enter(folder: Path) -> None:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("DBT_PROJECT_DIR", str(folder))
        monkeypatch.setenv("DBT_TARGET_PATH", str(folder / "target"))

    enter(project)
    note()
    enter(project.rename(project.with_name("other")))
    assert changed() == []
    Path("profiles.yml").unlink()
    Path("profiles.yml").write_text("", encoding="utf-8")
    assert changed() == ["profiles.yml"]


def test_where_commands_look_is_no_change_and_what_lies_there_is(project, monkeypatch):
    note()
    elsewhere = project.with_name("elsewhere")
    elsewhere.mkdir()
    profiles = elsewhere / "profiles.yml"
    profiles.write_text(Path("profiles.yml").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("DBT_PROFILES_DIR", str(elsewhere))
    monkeypatch.setenv("FINRAG_FRONT", "finrag")
    assert changed() == []
    profiles.write_text("", encoding="utf-8")
    assert changed() == ["profiles.yml"]


@pytest.mark.parametrize("left", [b"", b'{"read": {"se', b"[1]", b"\xff\xfe"])
def test_a_note_that_was_cut_is_none(project, left):
    note()
    unchanged.note_of(Path("warehouse/finrag.duckdb")).write_bytes(left)
    assert Finished.noted(Path("warehouse/finrag.duckdb")) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("seeds/baselines.csv", "seeds"),
        ("filings/a.json", "the setting corpus"),
        ("filings/b.json", "the setting corpus"),
        ("hits/mine.trec", "the setting external_hits"),
        ("warehouse/finrag.duckdb", "the warehouse"),
        ("warehouse/finrag.duckdb.wal", "the warehouse"),
        ("warehouse/lance/embeddings/2.lance", "the warehouse"),
    ],
)
def test_a_file_written_is_a_change(project, path, name):
    note()
    (project / path).write_text("something else")
    assert changed() == [name]


def test_a_vector_removed_is_a_change(project):
    note()
    (project / "warehouse/lance/embeddings/1.lance").unlink()
    assert changed() == ["the warehouse"]


def test_other_options_are_a_change(project):
    note()
    assert changed(("--select", "dim_companies", *VARS)) == ["options of the build"]
    other = json.loads(VARS[1]) | {"p1_windows": [5]}
    assert changed(("--vars", json.dumps(other))) == ["options of the build"]
    assert changed(("--vars", json.dumps(other | {"corpus": "demo"}))) == ["options of the build", "the setting corpus"]


def test_a_setting_of_the_run_is_a_change_and_so_are_its_files(project, monkeypatch):
    monkeypatch.setenv("FINRAG_SETTINGS", json.dumps({"question_suites": "suites/*.json"}))
    note()
    (project / "suites").mkdir()
    (project / "suites/mine.json").write_text("[]")
    assert changed() == ["the setting question_suites"]
    note()
    monkeypatch.setenv("FINRAG_SETTINGS", json.dumps({"question_suites": "suites/mine.json"}))
    assert changed() == ["the setting question_suites"]


@pytest.mark.parametrize(
    ("registry", "row", "name"),
    [
        ("embedding_models", "mine,my-model,1,8,,,,,\n", "the setting embedding_models"),
        ("score_models", "mine,cross_encoder,my-model\n", "source files"),
    ],
)
def test_a_folder_with_a_registered_model_is_read(project, registry, row, name):
    path = project / f"seeds/{registry}.csv"
    columns = path.read_text().partition("\n")[0].split(",")
    path.write_text(path.read_text() + row.strip() + "," * (len(columns) - row.count(",") - 1) + "\n")
    (project / "my-model").mkdir()
    (project / "my-model/model.safetensors").write_text("1")
    note()
    (project / "my-model/model.safetensors").write_text("another")
    assert changed() == [name]


def test_a_key_is_a_change_and_stands_nowhere(project, monkeypatch):
    note()
    monkeypatch.setenv("GEMINI_API_KEY", "not-to-be-written")
    assert changed() == ["environment variables"]
    note()
    assert "not-to-be-written" not in unchanged.note_of(Path("warehouse/finrag.duckdb")).read_text()
    monkeypatch.setenv("GEMINI_API_KEY", "another")
    assert changed() == []


@pytest.mark.parametrize("corpus", ["s3://bucket/*.parquet", "filings/*.json hf://datasets/a/b.parquet"])
def test_files_elsewhere_may_change_unseen(project, corpus):
    assert what_is_read(["--vars", json.dumps({"corpus": corpus})]) is None


def test_vars_that_are_no_yaml_are_left_to_dbt(project):
    assert what_is_read(["--vars", "{corpus: ["])["source files"] == what_is_read([])["source files"]


def test_only_calls_of_this_build_that_will_be_tried_again_are_left_over(tmp_path, monkeypatch):
    """By the ledger: a part of the graph may call models and leave the table of calls as it was."""
    monkeypatch.setenv("FINRAG_LEDGER", str(tmp_path / "calls.sqlite"))
    assert Total.since("2026-01-01T11:00:00+00:00") == Total(0.0, 0, 0) and not any(tmp_path.iterdir())
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        for number, (status, hour) in enumerate((("ok", 12), ("timeout", 10), ("over_budget", 12), ("timeout", 13))):
            ledger.record(call(number, status=status, requested_at=f"2026-01-01T{hour}:00:00.000000+00:00"))
    assert Total.since("2026-01-01T11:00:00+00:00") == Total(pytest.approx(0.003), 3, 2)
    assert Total.since("2026-01-01T14:00:00+00:00") == Total()
    line = "$0.00 for 4 calls to language models so far (here); 3 unfinished calls are tried again by the next build"
    assert cost_of_calls("here") == f"{line} that wants them"


def test_the_report_is_what_macros_printed_from_its_first_line_on():
    printed = ["something before", "\nThe warehouse holds:", "  12 companies", "\nCost:", "  $0.00"]
    assert run.report_in(printed) == "The warehouse holds:\n  12 companies\n\nCost:\n  $0.00\n"
    assert run.report_in(printed[:1]) == ""


def writes(run: Run):
    """dbt, which writes the warehouse and ends so."""

    def run_dbt(*_arguments: object) -> Run:
        with Path("warehouse/finrag.duckdb").open("a") as file:
            file.write("more")
        return run

    return run_dbt


def test_a_build_that_fails_is_run_again(project, monkeypatch):
    """The note goes before dbt starts, so that no end of it can leave an older one."""
    note()
    (project / "filings/a.json").write_text("something else")
    monkeypatch.setattr(run, "check_before", lambda *given: None)
    monkeypatch.setattr(run, "run_dbt", writes(Run(code=1)))
    assert run.build([*VARS]) == 1
    assert Finished.noted(Path("warehouse/finrag.duckdb")) is None


@pytest.mark.parametrize("refusal", [Run(code=2), Run(results=Results([]))])
def test_what_dbt_refuses_before_it_writes_costs_no_build(project, parsed, monkeypatch, refusal):
    """A selector that there is not, and one that matches nothing."""
    note()
    monkeypatch.setattr(run, "run_dbt", lambda *arguments: refusal)
    with suppress(FinragError):
        assert run.build(["--select", "nothing", *VARS]) == 2
    assert changed() == []
    assert undecided(Path("warehouse/finrag.duckdb"))


@pytest.fixture
def parsed(project, monkeypatch) -> Path:
    """The project with a manifest, and nothing that a build would stop at."""
    monkeypatch.setattr(run, "check_before", lambda *given: None)
    (project / "target").mkdir(exist_ok=True)
    (project / "target/manifest.json").write_text("{}")
    return project


def unpublished(*_given: object) -> None:
    raise FileExistsError("a file lies where the folder is to be")


def test_a_gate_is_of_what_was_built_whether_it_could_be_published_or_not(parsed, monkeypatch):
    """Built whole, unchanged and not published, a part of it, the same again, and the whole but not published."""
    database, told = Path("warehouse/finrag.duckdb"), []
    whole = Run(results=Results([{"unique_id": "model.finrag.gate", "status": "success", "message": ""}]))
    part = Run(results=Results([{"unique_id": "model.finrag.dim_companies", "status": "success", "message": ""}]))
    monkeypatch.setattr(gate, "tell", lambda *given: told.append(given) or True)
    monkeypatch.setattr(run, "tell_published", lambda *given: None)
    monkeypatch.setattr(run, "publish", lambda *given: None)
    monkeypatch.setattr(run, "run_dbt", writes(whole))
    assert run.build([*VARS]) == 0 and undecided(database) == ""
    (parsed / "reports").mkdir()
    (parsed / "reports/gate.json").write_text("passed")
    monkeypatch.setattr(run, "publish", unpublished)
    with pytest.raises(FileExistsError, match="a file lies"):
        run.build([*VARS])
    assert undecided(database) == "" and "failed at" in last_build(database)
    assert (parsed / "reports/gate.json").exists()
    monkeypatch.setattr(run, "publish", lambda *given: None)
    monkeypatch.setattr(run, "run_dbt", writes(part))
    for _ in range(2):
        assert run.build(["--selector", "bundles", *VARS]) == 0
        assert "did not come to the gate" in undecided(database)
    assert not (parsed / "reports/gate.json").exists()
    monkeypatch.setattr(run, "publish", unpublished)
    monkeypatch.setattr(run, "run_dbt", writes(whole))
    with pytest.raises(FileExistsError, match="a file lies"):
        run.build([*VARS])
    assert undecided(database) == "" and changed() == [], "built it is, and its gate is decided"
    assert len(told) == 2


@pytest.mark.parametrize("is_decided", [True, False])
def test_a_gate_that_a_change_does_not_concern_stands_as_it_did(parsed, monkeypatch, is_decided):
    database = Path("warehouse/finrag.duckdb")
    note()
    replace(Finished.noted(database), is_gate_decided=is_decided).note(database)
    (parsed / "seeds/baselines.csv").write_text("another")
    built = [{"unique_id": "seed.finrag.baselines", "status": "success", "message": ""}]
    monkeypatch.setattr(run, "tell_published", lambda *given: None)
    monkeypatch.setattr(run, "publish", lambda *given: None)
    monkeypatch.setattr(run, "run_dbt", writes(Run(results=Results(built))))
    assert run.build([*VARS]) == 0
    assert (undecided(database) == "") is is_decided


@pytest.mark.parametrize("amount", [0.5, 2.0])
def test_a_build_whose_budget_ran_out_is_run_again(parsed, monkeypatch, amount):
    """A call that was never sent is in no ledger."""
    spending = budget.Budget(1.0)
    spending.reserve(amount)
    monkeypatch.setattr(budget, "_OF_PROCESS", spending)
    monkeypatch.setattr(run, "tell_published", lambda *given: None)
    monkeypatch.setattr(run, "publish", lambda *given: None)
    monkeypatch.setattr(run, "run_dbt", writes(Run(results=Results([{"unique_id": "seed.finrag.x", "status": "ok"}]))))
    assert run.build([*VARS]) == 0
    assert (Finished.noted(Path("warehouse/finrag.duckdb")) is None) is (amount > 1.0)


def test_with_a_manifest_that_was_cut_all_is_built(project, monkeypatch):
    """It is what publishing needs, and only a run of dbt makes it whole."""
    asked = []
    monkeypatch.setattr(run, "run_dbt", lambda arguments, *_others: asked.append(arguments) or Run(code=1))
    monkeypatch.setattr(run, "check_before", lambda *given: None)
    note()
    manifest = project / "target/manifest.json"
    manifest.parent.mkdir(exist_ok=True)
    manifest.write_text('{"nodes": {"mod')
    assert run.build([*VARS]) == 1
    assert asked == [["build", "--write-json", *VARS]]


def test_tests_in_python_are_no_part_of_a_warehouse(project):
    files = what_is_built()
    assert "models/corpus/dim_filings.sql" in files and "seeds/sections.csv" in files
    parts = {"/".join(Path(path).parts[:2]) for path in files}
    assert {"tests/generic", "tests/singular"} <= parts
    assert not parts & {"tests/python", "tests/fixtures", "python_models/finrag"}


def test_a_build_after_a_registry_changed_makes_what_depends_on_it_until_it_succeeds(project, monkeypatch):
    """It fails once, the registry is put back, and still what was made of it is built again."""
    asked = []

    def fake(arguments, *_others):
        asked.append([word for word in arguments if word.endswith("+")])
        Path("warehouse/finrag.duckdb").write_text(f"written {len(asked)} times")
        return Run(code=1)

    monkeypatch.setattr(run, "run_dbt", fake)
    monkeypatch.setattr(run, "check_before", lambda *given: None)
    note()
    manifest = project / "target/manifest.json"
    manifest.parent.mkdir(exist_ok=True)
    manifest.write_text("{}")
    registry = project / "seeds/baselines.csv"
    before = registry.read_text()
    registry.write_text(before + "\n")
    assert run.build([*VARS]) == 1
    registry.write_text(before)
    assert run.build([*VARS]) == 1
    assert asked == [["baselines+", "tag:each_build+"]] * 2
    # whatever else has changed, all is built
    monkeypatch.setenv("GEMINI_API_KEY", "given")
    assert run.build([*VARS]) == 1
    assert asked[2] == [] and Finished.noted(Path("warehouse/finrag.duckdb")) is None


def test_dbt_is_imported_by_nothing_but_a_run_of_it():
    """It takes seconds, and a build that changes nothing takes one."""
    code = "import finrag.cli.app, finrag.build.run, sys; sys.exit('dbt' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env=environment(), check=False).returncode == 0
