"""Commands on the pages are run: those that ask something of a warehouse, in this process, of the demo's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from documents import pages, text_of
from finrag.build.dbt_run import Run
from finrag.cli.app import app
from finrag.errors import FinragError
from test_pages import calls
from warehouses import ROOT, Warehouse

# Why a command with these words is not run here, and what runs it. Of several keys that of the most words counts.
ELSEWHERE = {
    "build": "Builds take minutes. test_wheel follows docs/first-hour.md, and every kind of input has its builds.",
    "fetch": "Downloads from EDGAR. test_edgar answers in its place.",
    "docs": "dbt describes every column for most of a minute. test_pages builds the site.",
    "estimate --vars": "Parses the project with other vars, 20 seconds. test_llm_estimate has models with a price.",
    "analysis is_my_model_better": "Wants a second model. test_wheel runs it on one.",
    "compare build:last-1": "Wants two builds. test_system_comparisons and test_publish have them.",
    "baseline": "Changes what the project is held against. test_baseline and test_wheel freeze.",
    "report": "Draws every chart, for seconds. test_report writes the page and reads it.",
    "publish": "Publishes what the build has published. test_publish does it again.",
    "clean": "Removes what is read here. test_cli and test_build_turn remove.",
    "export stress": "Asks every question in five other ways, for most of a minute. test_perturb asks a few.",
}
# Of make alone: what runs the tests and the benchmarks themselves, and hours of them.
NOT_OF_FINRAG = ("test", "check", "lint", "soak", "bench", "help")
# What an answer says, whatever the names and figures in it are.
ANSWERS = {
    "init": r"finrag\.toml says what is built",
    "analysis": r"^╭─|^── 1 ──|^Nothing was found: |^is_my_model_better +Is one ",
    "compare": r"^    \S+ \d\.\d+ against \d\.\d+.*; n \d+",
    "gate": r"^Gate \(metrics\.gate\): passed; .*\b\d+ passes",
    "estimate": r"^No language model |\bcalls?\b",
    # of a machine with little memory or disk it says so
    "doctor": r"^(?:No faults\.|Faults, marked with !: \d+)$",
    "export": r"exports/|\d+ questions written to ",
}


def words_of_finrag(words: list[str]) -> list[str] | None:
    """What the words after `make` call finrag with, as the Makefile has it; None for what is not of finrag."""
    if words[0] in NOT_OF_FINRAG:
        return None
    told = subprocess.run(
        ["make", "--silent", "--old-file=.venv/.runtime", "--old-file=.venv/.dev", "FINRAG=printf '%s\\n'", *words],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return told.stdout.splitlines()


def reason_elsewhere(words: list[str]) -> str | None:
    """Why these words after `finrag` are not run here."""
    known = [key for key in ELSEWHERE if key.split()[0] == words[0] and set(key.split()) <= set(words)]
    return ELSEWHERE[max(known, key=len)] if known else None


def on_pages() -> list[list[str]]:
    """The words after `finrag` of every command on a page, by way of make or not, each once."""
    found = []
    for page in pages():
        found += [words for words in calls(page, "finrag") if words[0] not in ("command", "--help")]
        found += [words for told in calls(page, "make") if (words := words_of_finrag(told))]
    # `finrag init` and `finrag export` without what they need are named, not called
    return [words for place, words in enumerate(found) if words not in [*found[:place], ["init"], ["export"]]]


COMMANDS = on_pages()
SNIPPETS = [code for page in pages() for code in re.findall(r"^```python\n(.*?)^```", text_of(page), re.DOTALL | re.M)]
RUN = [words for words in COMMANDS if not reason_elsewhere(words)]


@pytest.fixture
def here(analysed: Warehouse, demo: Warehouse, tmp_path, monkeypatch, taken_back) -> Path:
    """The folder of a clone that has built the demo, where the test stands; what it exports is its own.

    dbt has compiled every analysis there already, and is not asked again.
    """
    for name in [name for name in os.environ if name.startswith(("FINRAG_", "DBT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("FINRAG_BI", str(demo.project / "warehouse" / "bi" / "finrag_bi.duckdb"))
    monkeypatch.setenv("FINRAG_DATABASE", str(analysed.database))
    monkeypatch.setenv("DBT_TARGET_PATH", str(analysed.target))
    for name in ("FINRAG_SETTINGS", "DBT_PROFILES_DIR", "FINRAG_FRONT"):
        monkeypatch.setenv(name, "{}" if name == "FINRAG_SETTINGS" else ".")
    monkeypatch.setattr("finrag.build.dbt_run.run_dbt", lambda arguments: Run(0))
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(Warehouse(tmp_path / "clone").project)
    shutil.copy(ROOT / "Makefile", "Makefile")
    return Path()


@pytest.mark.parametrize("words", RUN, ids=" ".join)
def test_a_command_on_a_page_answers(here, words, capfd):
    done = CliRunner().invoke(app, words)
    said = done.output + capfd.readouterr().out
    assert done.exit_code == 0 or (words[0] == "doctor" and done.exit_code == 1), (said, done.exception)
    assert re.search(ANSWERS[words[0]], said, re.MULTILINE), said


@pytest.mark.parametrize("code", SNIPPETS)
def test_python_on_a_page_answers(here, demo, code, capsys):
    """my_index, which stands for the reader's own, finds the first sentences of the corpus whatever is asked."""
    first = [id_ for (id_,) in demo.rows("select sentence_id from corpus.fct_sentences order by sentence_id limit 40")]
    # our own page's code, which readers run as it stands
    exec(code, {"my_index": SimpleNamespace(search=lambda query, k: first[:k])})
    assert re.search(r"^function against .* difference [-+]0\.\d+ .*\nworse$", capsys.readouterr().out, re.MULTILINE)


def test_every_command_is_run_or_has_a_reason():
    assert len(RUN) > 20 and SNIPPETS
    unused = [key for key in ELSEWHERE if not any(reason_elsewhere(words) == ELSEWHERE[key] for words in COMMANDS)]
    assert unused == []
    assert {words[0] for words in RUN} == set(ANSWERS)
    # what runs a command elsewhere is there
    named = {name for reason in ELSEWHERE.values() for name in re.findall(r"\btest_\w+", reason)}
    assert [name for name in named if not (ROOT / "tests" / "python" / f"{name}.py").exists()] == []


def test_a_command_that_says_nothing_or_fails_is_told(taken_back):
    assert not re.search(ANSWERS["analysis"], "There is no analysis 'nothing'.", re.MULTILINE)
    assert isinstance(CliRunner().invoke(app, ["analysis", "nothing"]).exception, FinragError)
    assert words_of_finrag(["analysis", "NAME=a b", "LIMIT=4"]) == ["analysis", "a b", "--limit", "4"]
    assert words_of_finrag(["bench", "BENCH=growth"]) is None
    assert reason_elsewhere(["estimate", "--vars", "{}"]) and not reason_elsewhere(["estimate"])
