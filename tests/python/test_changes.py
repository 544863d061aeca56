"""Which tests `make check` runs for which change."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from changes import ALWAYS, TESTS, changed_since, closure, concerned, module_of

ALL = sorted(TESTS.glob("test_*.py"))


def stems(*changed: str) -> set[str]:
    return {path.stem for path in concerned(changed, ALL)}


def test_modules_reach_those_that_import_them_at_any_depth():
    imports = {"a": {"b"}, "b": {"c"}, "c": set(), "d": {"a"}, "e": set()}
    assert closure({"c"}, imports) == {"c": 0, "b": 1, "a": 2, "d": 3}
    assert closure({"e"}, imports) == {"e": 0}
    assert module_of(Path("python_models/finrag/text/words.py")) == "finrag.text.words"
    assert module_of(Path("python_models/finrag/text/__init__.py")) == "finrag.text"
    assert module_of(Path("python_models/metrics/int_run_comparisons.py")) == ""


def test_a_module_concerns_its_tests_and_those_of_what_uses_it():
    found = stems("python_models/finrag/text/directions.py")
    assert {"test_directions", "test_scoring_numbers", "test_quizzes", "test_judging"} <= found
    assert not {"test_bm25", "test_exact_search", "test_sentence_kinds"} & found


def test_the_nearest_come_first():
    """test_directions imports text.words; the verdicts of test_labelled_answers come by it through what they import."""
    away = {path.stem: steps for path, steps in concerned(["python_models/finrag/text/words.py"], ALL).items()}
    assert (away["test_changes"], away["test_directions"], away["test_labelled_answers"]) == (0, 1, 2)


def test_a_check_ends_when_its_time_is_over():
    """What is left is skipped, with a count and a reason."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--seconds=0",
        str(TESTS / "test_e_values.py"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.search(r"^SKIPPED \[\d+\] .*: the 0 seconds are over: `make test` runs it", done.stdout, re.MULTILINE)
    assert " passed" not in done.stdout


def test_other_files_concern_the_tests_that_name_them():
    assert {"test_amount_cases"} | ALWAYS <= stems("tests/fixtures/amount_cases.csv") < {test.stem for test in ALL}
    assert "test_amount_cases" in stems("models/bundles/int_stated_amounts.sql")
    assert "test_quizzes" in stems("tests/python/quiz_pipeline.py")
    assert stems("tests/python/test_fusion.py") == {"test_fusion"} | ALWAYS
    assert stems() == ALWAYS
    assert concerned(["tests/python/conftest.py"], ALL) == dict.fromkeys(ALL, 0)
    assert {test.stem for test in ALL} >= ALWAYS


def test_what_changed_is_what_the_branch_did_and_what_is_not_committed(tmp_path):
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-b", "main")
    for name in ("one", "two", "three"):
        (tmp_path / name).write_text(name)
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "mine")
    (tmp_path / "one").write_text("changed")
    git("commit", "-am", "second")
    (tmp_path / "two").write_text("changed")
    (tmp_path / "new").write_text("new")
    assert changed_since("main", tmp_path) == {"one", "two", "new"}
    git("checkout", "-q", "main", "--force")
    (tmp_path / "elsewhere").write_text("new")
    git("add", ".")
    git("commit", "-m", "third")
    git("checkout", "-q", "mine")
    assert changed_since("main", tmp_path) == {"one"}
