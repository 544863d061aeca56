"""The command `finrag`: what is chosen where, and what dbt is told of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from finrag import analysis
from finrag.build.dbt_run import Run
from finrag.build.parse import NOTE, PARSE
from finrag.build.turn import turn
from finrag.cli.app import app
from finrag.cli.choices import choices, hand_over
from finrag.errors import FinragError
from finrag.gate import FILES
from finrag.llm.ledger import Ledger
from finrag.project import dbt_target
from finrag.publish.catalog import manifest_path
from test_llm_ledger import call
from warehouses import Warehouse

COMMANDS = "build report compare analysis estimate baseline export publish clean docs".split()


@pytest.fixture
def clone(tmp_path, monkeypatch, taken_back):
    """A folder that links to the repository, with nothing built in it, which is where the test stands."""
    folder = Warehouse(tmp_path / "clone").project
    monkeypatch.chdir(folder)
    for name in [name for name in os.environ if name.startswith(("FINRAG_", "DBT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("FINRAG_SETTINGS", "{}")
    monkeypatch.setenv("DBT_PROFILES_DIR", ".")
    monkeypatch.setenv("FINRAG_FRONT", "make")
    return folder


def run(*arguments: str):
    return CliRunner().invoke(app, arguments, catch_exceptions=True)


def test_the_way_to_a_new_project_can_be_pasted(tmp_path, monkeypatch, taken_back):
    monkeypatch.chdir(tmp_path)
    assert run("init", "Mein Projekt").stdout.endswith("cd 'Mein Projekt' && finrag build\n")


def test_the_command_line_beats_the_defaults(clone):
    chosen = choices({"corpus": "a.json", "company_facts": None}, '{"p1_windows": [7], "llm_budget_usd": 1}')
    assert (chosen["corpus"].value, chosen["corpus"].origin) == ("a.json", "command line")
    assert (chosen["company_facts"].value, chosen["company_facts"].origin) == ("auto", "default")
    assert hand_over(chosen) == ["--vars", '{"p1_windows": [7]}']
    assert json.loads(os.environ["FINRAG_SETTINGS"]) == {"corpus": "a.json", "llm_budget_usd": 1}


def test_nothing_chosen_needs_no_vars(clone):
    assert hand_over(choices({})) == []
    assert os.environ["FINRAG_SETTINGS"] == "{}"


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"p1_anchor": 7}', "names p1_anchor, which"), ("[1]", "holds no names with values")],
)
def test_vars_that_are_none(clone, text, said):
    with pytest.raises(FinragError, match=said):
        choices({}, text)


def test_vars_that_cannot_be_read_are_told_in_a_sentence(clone):
    with pytest.raises(FinragError) as error:
        choices({}, "{bad")
    assert str(error.value) == (
        """--vars '{bad' cannot be read: expected ',' or '}', but got '<stream end>'. Write JSON such as """
        """'{"p1_anchors": 2000}'."""
    )


def test_every_command_says_what_it_does():
    told = run("--help").output
    assert [name for name in COMMANDS if f"\n  {name} " not in told] == []


def test_build_hands_over_what_it_was_given(clone, monkeypatch):
    asked = {}

    def fake(options, is_forced, is_waiting, is_verbose):
        asked.update(options=options, is_forced=is_forced and not is_waiting and not is_verbose)
        asked["settings"] = json.loads(os.environ["FINRAG_SETTINGS"])
        return 0

    monkeypatch.setattr("finrag.build.run.build", fake)
    done = run("build", "--force", "--hits", "mine@open=a b.trec", "--select", "dim_companies", "--full-refresh")
    assert done.exit_code == 0, done.output
    assert asked["settings"] == {"external_hits": "mine@open=a b.trec"}
    assert asked["options"][:3] == ["--select", "dim_companies", "--full-refresh"] and asked["is_forced"]


def test_without_a_warehouse_commands_say_how_to_make_one(clone):
    for command in (("analysis", "risk_mix_by_year"), ("compare",), ("estimate",), ("baseline",), ("export", "corpus")):
        error = run(*command).exception
        assert isinstance(error, FinragError) and "Build it first: " in str(error), (command, error)


def test_analyses_are_listed_with_their_questions_and_unknown_ones_named(clone):
    told = run("analysis").output
    assert "is_my_model_better" in told and "Is one embedding model better than another here" in told
    # the question, and not the beginning of what follows it
    assert all(line.endswith("?") for line in told.splitlines())
    assert "There is no analysis 'nothing'. Known: amounts" in str(run("analysis", "nothing").exception)
    misspelt = "There is no analysis 'Risk_mix_by_yaer'. Did you mean risk_mix_by_year? Known: amounts"
    assert misspelt in str(run("analysis", "Risk_mix_by_yaer").exception)


@pytest.mark.parametrize("command", [("analysis", "risk_mix_by_year"), ("compare",)])
def test_a_limit_is_a_number_that_can_be(clone, command):
    done = run(*command, "--limit", "99999999999999999999")
    assert done.exit_code == 2 and "should be less than or equal to 1000000" in " ".join(done.output.split())


def test_an_analysis_that_finds_nothing_says_so(clone, monkeypatch, capsys):
    duckdb.connect("warehouse/finrag.duckdb").close()
    query = Path("trace_a_miss.sql")
    query.write_text("select 1 as one")
    analysis.show(query, 20)
    assert "Nothing was found" not in capsys.readouterr().out
    query.write_text("select 1 as one where false")
    monkeypatch.setenv("FINRAG_SETTINGS", '{"traced_query": "p3:none"}')
    analysis.show(query, 20)
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("Nothing was found: ") and "'p3:none'" in said and "gold.retrieval_queries" in said


@pytest.mark.parametrize("is_writable", [True, False])
def test_an_analysis_writes_nothing_where_nothing_can_be_written(clone, monkeypatch, is_writable):
    """dbt compiles elsewhere with the parse that is there."""
    Path("target").mkdir()
    for name in (PARSE, NOTE):
        Path("target", name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: is_writable)
    before = dict(os.environ)
    with analysis.somewhere():
        target = dbt_target()
        assert (target == Path("target")) == is_writable
        assert [(target / name).read_text(encoding="utf-8") for name in (PARSE, NOTE)] == [PARSE, NOTE]
    assert os.environ == before and target.exists() == is_writable


def test_dbt_compiles_the_analyses_once_until_it_would_read_something_else(clone, monkeypatch, capsys):
    """And leaves the warehouse closed: what it compiles asks nothing of it."""
    duckdb.connect("warehouse/finrag.duckdb").close()
    asked: list[list[str]] = []

    def compile_them(arguments: list[str]) -> Run:
        asked.append(arguments)
        Path("target", analysis.COMPILED).mkdir(parents=True, exist_ok=True)
        Path("target", analysis.COMPILED, "amounts.sql").write_text(f"select {len(asked)} as asked", "utf-8")
        return Run(0)

    monkeypatch.setattr("finrag.build.dbt_run.run_dbt", compile_them)
    assert [analysis.answer("amounts", 20, []) for _ in range(3)] == [0, 0, 0] and len(asked) == 1
    assert "--no-populate-cache" in asked[0]
    # another var; what someone else compiled; a setting
    analysis.answer("amounts", 20, ["--vars", '{"p1_windows": [2]}'])
    Path("target", analysis.COMPILED, "amounts.sql").write_text("select 'by hand' as asked", "utf-8")
    analysis.answer("amounts", 20, ["--vars", '{"p1_windows": [2]}'])
    monkeypatch.setenv("FINRAG_SETTINGS", '{"traced_query": "p3:none"}')
    analysis.answer("amounts", 20, ["--vars", '{"p1_windows": [2]}'])
    assert len(asked) == 4 and "by hand" not in capsys.readouterr().out
    # of files that lie elsewhere nothing is known
    monkeypatch.setenv("FINRAG_SETTINGS", '{"corpus": "hf://datasets/a/b.parquet"}')
    assert [analysis.answer("amounts", 20, []) for _ in range(2)] == [0, 0] and len(asked) == 6


def test_an_estimate_parses_only_what_has_changed(clone, monkeypatch):
    duckdb.connect("warehouse/finrag.duckdb").close()
    parsed: list[tuple[str, ...]] = []

    def parse(*arguments: str) -> None:
        parsed.append(arguments)
        Path("target").mkdir(exist_ok=True)
        manifest_path().write_text("{}")

    monkeypatch.setattr("finrag.cli.app.dbt", parse)
    monkeypatch.setattr("finrag.llm.estimate.estimate", lambda database, manifest: "calls")
    for words in ((), (), ("--vars", '{"llm_answers": "gpt-4o-mini"}'), ("--vars", '{"llm_answers": "gpt-4o-mini"}')):
        assert run("estimate", *words).output.startswith("calls\n")
    assert len(parsed) == 2
    manifest_path().unlink()
    run("estimate")
    assert len(parsed) == 3


def test_comparisons_are_found_by_words_and_without_them_are_those_that_decide(clone):
    with duckdb.connect("warehouse/finrag.duckdb") as made:
        made.execute("create schema metrics")
        made.execute(
            "create table metrics.verdicts as select 'p1' as suite, null as dataset, 'open' as setting, 'strategy' as"
            " comparison_kind, * from (values ('bm25', 'dense', 'b', 'd', 0.2, 0.1, true, 'bm25 is better'),"
            " ('dense', 'bm25', 'd', 'b', 0.1, 0.2, false, 'dense is worse'),"
            " ('hybrid', 'bm25', 'h', 'b', 0.2, 0.2, false, 'cannot be told apart')) as verdicts (candidate, reference,"
            " candidate_run_id, reference_run_id, candidate_value, reference_value, is_headline, sentence), (select"
            " 'hit' as metric, 5 as k, '5' as gold_window, 'positional' as gold_predicate, 0.01 as floor_value,"
            " 0.02 as reference_floor_value,"
            " 600 as n, 12 as n_clusters, 0.1 as difference, 0.04 as p_adjusted, true as is_primary)"
        )
    assert run("compare").output == (
        "p1 open: bm25 is better\n"
        "    hit@5 0.200 against 0.100, blind draws 0.010; n 600, 12 clusters; p 0.0400, corrected\n"
        "Figures of p1 and p2 are means of the anchors as drawn, as many of short items as of long ones; "
        "a build's lines and the scorecards weigh them to the corpus.\n"
    )
    # a pair is read once, with the word that comes first as its candidate
    assert "dense is worse" in run("compare", "dense", "bm25").output
    assert "bm25 is better" in run("compare", "bm25", "dense").output
    assert run("compare", "p1").output.count("p1 open: ") == 2
    with duckdb.connect("warehouse/finrag.duckdb") as made:
        made.execute(
            "update metrics.verdicts set comparison_kind = 'regime', setting = '', candidate = 'dense (filtered)',"
            " reference = 'dense (open)', sentence = 'more by filtering'"
        )
    assert run("compare", "filtered", "open").output.startswith(
        "p1: more by filtering\n    hit@5 0.200 against 0.100, blind draws 0.010 against 0.020; n 600"
    )
    # words are whole words
    assert "No comparison speaks of bm2." in str(run("compare", "bm2").exception)


def test_a_folder_that_is_no_project_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(run("report").exception, FinragError)


def test_clean_keeps_the_calls_that_were_paid_for(clone):
    ledger = clone / "warehouse" / "ledger" / "calls.sqlite"
    with Ledger(ledger) as calls:
        calls.record(call(1))
        calls.record(call(2))
    for made in ("warehouse/finrag.duckdb", "warehouse/lance/a/b.lance", "target/manifest.json", "reports/finrag.html"):
        (clone / made).parent.mkdir(parents=True, exist_ok=True)
        (clone / made).write_text("made")
    done = run("clean")
    assert done.exit_code == 0, done.output
    holds = "warehouse/ledger/calls.sqlite holds 2 calls to language models for "
    assert done.output.startswith(f"Kept: {holds}")
    left = {path.relative_to(clone).as_posix() for path in (clone / "warehouse").rglob("*") if path.is_file()}
    assert left == {
        f"warehouse/{name}" for name in ("finrag.duckdb.lock", "ledger/calls.sqlite", "ledger/calls.sqlite.lock")
    }
    assert not (clone / "reports").exists() and not (clone / "target").exists()

    refused = CliRunner().invoke(app, ["clean", "--calls"], input="n\n")
    assert refused.exit_code == 1 and holds in refused.output and ledger.exists()
    agreed = CliRunner().invoke(app, ["clean", "--calls"], input="y\n")
    assert agreed.exit_code == 0 and not ledger.exists()
    assert run("clean").output == ""


def test_clean_leaves_and_names_what_no_build_makes(clone, monkeypatch):
    """Notes, an exported suite that was edited, a folder of one's own, and a file where published ones lie."""
    made = (
        *("warehouse/finrag.duckdb", "warehouse/finrag.duckdb.wal", "warehouse/finrag.duckdb.built.json"),
        *(
            "warehouse/finrag.duckdb.built.json.7.partial",
            "warehouse/mine.duckdb",
            "warehouse/mine.duckdb.built.json",
            "warehouse/lance/a.lance/1",
            "warehouse/tmp/1",
        ),
        *("warehouse/demo/manifest.json", "warehouse/bi/finrag_bi_versions/1/finrag_bi.duckdb", "logs/dbt.log.1"),
        *("reports/gate.json", "reports/finrag.html", "reports/gate.xml.7.partial", "target/manifest.json"),
    )
    own = ("reports/my_notes.md", "warehouse/bi/mine.csv", "warehouse/own", "warehouse/p3_questions.json")
    for name in (*made, *(f"{path}/a.csv" if path == "warehouse/own" else path for path in own)):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text("made")
    (clone / "warehouse/bi/finrag_bi.duckdb").symlink_to("finrag_bi_current/finrag_bi.duckdb")
    monkeypatch.setenv("FINRAG_DATABASE", "warehouse/mine.duckdb")
    monkeypatch.setenv("FINRAG_TEMP", "warehouse")
    done = run("clean")
    named = "warehouse/bi/mine.csv, warehouse/own, warehouse/p3_questions.json, reports/my_notes.md"
    assert done.output == f"Left, since no build makes it: {named}.\n"
    files = {
        path.relative_to(clone).as_posix() for name in ("warehouse", "reports") for path in (clone / name).rglob("*")
    }
    assert files == {*own, "warehouse/own/a.csv", "warehouse/bi", "warehouse/mine.duckdb.lock"}
    assert not (clone / "logs").exists() and not (clone / "target").exists()


def test_clean_waits_for_no_build_and_takes_nothing_from_one(clone):
    (clone / "warehouse").mkdir(exist_ok=True)
    (clone / "warehouse" / "finrag.duckdb").write_text("made")
    with turn(clone / "warehouse" / "finrag.duckdb"):
        done = run("clean")
    assert isinstance(done.exception, FinragError) and "is being built by process" in str(done.exception)
    assert (clone / "warehouse" / "finrag.duckdb").exists()


def test_clean_empties_what_a_link_leads_to_but_for_the_calls(clone, tmp_path_factory):
    big = tmp_path_factory.mktemp("big") / "warehouse"
    (big / "lance").mkdir(parents=True)
    (big / "finrag.duckdb").write_text("made")
    with Ledger(big / "ledger" / "calls.sqlite") as calls:
        calls.record(call(1))
    shutil.rmtree(clone / "warehouse", ignore_errors=True)
    (clone / "warehouse").symlink_to(big)
    done = run("clean")
    assert done.exit_code == 0 and done.output.startswith("Kept: "), done.output
    assert (clone / "warehouse").is_symlink()
    assert not (big / "finrag.duckdb").exists() and not (big / "lance").exists()
    assert (clone / "warehouse" / "ledger" / "calls.sqlite").exists()


def test_clean_says_what_lies_elsewhere(clone, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "my.duckdb"
    elsewhere.write_text("made")
    monkeypatch.setenv("FINRAG_DATABASE", str(elsewhere))
    done = run("clean")
    assert f"Left where it lies, outside of this project: {elsewhere} (FINRAG_DATABASE)." in done.output
    assert elsewhere.exists()


def test_the_gate_of_an_earlier_build_is_not_told(clone):
    """A build stopped before its gate: status 2, and what was written of an earlier one goes."""
    database = clone / "warehouse" / "finrag.duckdb"
    with turn(database) as ended:
        duckdb.connect(str(database)).close()
        ended.status = 1
    (clone / "reports").mkdir(exist_ok=True)
    (clone / "reports" / "gate.json").write_text("{}")
    done = run("gate")
    assert done.exit_code == 2 and not (clone / "reports" / "gate.json").exists()


@pytest.mark.parametrize(("written", "options"), [("", ("--vars", '{"nope": 1}')), ("[corpus", ()), ("corps = 1", ())])
def test_a_build_that_is_refused_as_it_begins_leaves_no_gate(clone, written, options):
    """Vars that there are none of, and a file of settings that cannot be read: after a build whose gate passed."""
    (clone / "warehouse").mkdir(exist_ok=True)
    duckdb.connect(str(clone / "warehouse" / "finrag.duckdb")).close()
    (clone / "reports").mkdir(exist_ok=True)
    for name in FILES:
        (clone / "reports" / name).write_text("passed")
    (clone / "finrag.toml").write_text(written)
    assert isinstance(run("build", *options).exception, FinragError)
    assert not list((clone / "reports").iterdir())
    (clone / "finrag.toml").write_text("")
    told = run("gate")
    assert told.exit_code == 2 and "failed at" in told.stderr


def test_a_gate_that_cannot_be_read_is_not_decided(clone, monkeypatch):
    (clone / "warehouse").mkdir(exist_ok=True)
    (clone / "warehouse" / "finrag.duckdb").write_text("no database")
    assert run("gate").exit_code == 2
    (clone / "finrag.toml").write_text("corpus = 5")
    assert run("gate").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "queries", "--file", "q.json"), "--file and --suite are of suite and stress"),
        (("export", "corpus", "--suite", "p1"), "--file and --suite are of suite and stress"),
        (
            ("export", "querys"),
            "querys is nothing that can be exported. Did you mean queries? Allowed: queries, corpus, suite",
        ),
    ],
)
def test_what_cannot_be_exported_so_is_refused(clone, arguments, said):
    done = run(*arguments)
    assert isinstance(done.exception, FinragError) and said in str(done.exception)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{1: 5}", "--vars names 1, which dbt_project.yml does not have"),
        ('{"corpus": ["a.json"]}', "--vars gives corpus as ['a.json']. Write one text, with blanks between its parts."),
    ],
)
def test_vars_of_another_type_are_told(clone, text, said):
    assert said in str(run("doctor", "--vars", text).exception)


def test_doctor_reads_a_path_with_a_quote(clone):
    done = run("doctor", "--vars", '{"corpus": "it\'s.json"}')
    assert done.exit_code == 1 and "it's.json: no file to read" in done.output


ENDS = """
import atexit, sys
from finrag.commands import run_to_end

def command():
    atexit.register(print, "closed,", end=" ")
    print("told,", end=" ")
    sys.exit({status!r})

class Held:
    def __del__(self):
        print("freed", end="")

held = Held()
run_to_end(command)
"""


@pytest.mark.parametrize(("status", "code", "said"), [(0, 0, ""), (3, 3, ""), ("Why.", 1, "freed")])
def test_a_command_ends_with_its_status_and_frees_nothing(status, code, said):
    """All that is to run at the end runs. One that ends with a sentence leaves it to Python, which prints it."""
    done = subprocess.run([sys.executable, "-c", ENDS.format(status=status)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, f"told, closed, {said}"), done.stderr
    assert done.stderr == ("Why.\n" if said else "")
