"""What a stored result was computed with is told by what the code imports, and by nothing that only people read."""

from __future__ import annotations

import dataclasses

import pytest

from finrag import versions
from finrag.llm.tasks import find_task
from finrag.versions import code_version, file_of

MODULES = {
    "__init__.py": "from finrag.rules_of_test.unused import nothing\n",
    "result.py": "from finrag.rules_of_test import rules\n\n\ndef compute(x):\n    return rules.twice(x)\n",
    "rules/__init__.py": "from finrag.rules_of_test.rules.words import TWO\n\n\ndef twice(x):\n    return TWO * x\n",
    "rules/words.py": "# a comment\nTWO = 2\n",
    "rules/others.py": "THREE = 3\n",
    "unused.py": "nothing = None\n",
}
RESULT = "finrag.rules_of_test.result"


@pytest.fixture
def version(tmp_path, monkeypatch):
    """The version of a result, with the text of one module changed."""
    monkeypatch.setattr(versions, "ROOT", tmp_path / "finrag")

    def of(changed: str = "", text: str = "", name: str = RESULT) -> str:
        for path, content in MODULES.items():
            file = tmp_path / "finrag" / "rules_of_test" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text if path == changed else content)
        code_version.cache_clear()
        versions.read.cache_clear()
        return code_version(name)

    yield of
    code_version.cache_clear()
    versions.read.cache_clear()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("rules/words.py", "# another comment\n\n\n'''A docstring.'''\nTWO   = 2\n"),
        ("unused.py", "nothing = 1\n"),
        ("rules/others.py", "THREE = 4\n"),
        ("__init__.py", ""),
    ],
)
def test_what_decides_nothing_is_no_change(version, path, text):
    assert version(path, text) == version()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("result.py", MODULES["result.py"].replace("twice(x)", "twice(x) + 1")),
        ("rules/__init__.py", MODULES["rules/__init__.py"].replace("TWO * x", "x * TWO")),
        ("rules/words.py", "TWO = 2.0\n"),
        ("result.py", MODULES["result.py"] + "\n\ndef also():\n    from finrag.rules_of_test import unused\n"),
    ],
)
def test_what_is_imported_at_any_depth_is(version, path, text):
    assert version(path, text) != version()


def test_imports_for_type_checkers_are_not_followed(version):
    checked = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from finrag.rules_of_test import unused\n"
    before = version("rules/words.py", checked + "TWO = 2\n")
    assert before == version("rules/words.py", "from typing import TYPE_CHECKING\n\nTWO = 2\n")


def test_a_package_stands_for_all_of_its_modules(version):
    name = "finrag.rules_of_test.rules"
    assert version("rules/others.py", "THREE = 4\n", name) != version(name=name)


def test_it_is_the_same_in_every_version_of_python(version):
    """f-strings, type parameters and empty lists are what versions write differently; told by Python 3.11 to 3.13."""
    text = "class Of(dict):\n    def say(self, x=None, *, y=''):\n        return f'{x!r:>9} {self[0]}', x[y, 1:]\n"
    assert version("result.py", text) == "45cb4a5687a11b36"


def test_a_name_that_is_no_module_is_refused():
    with pytest.raises(ValueError, match=r"There is no module finrag\.nothing"):
        code_version("finrag.nothing")
    assert file_of("json") is None


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("finrag.answers.verdicts", "finrag.scoring.numbers"),
        ("finrag.answers.similarity", "finrag.encoders.token_vectors"),
        ("finrag.calibration.faithfulness", "finrag.judging.rules"),
        ("finrag.metrics", "finrag.statistics.wilson"),
        ("finrag.tasks.answer_question", "finrag.text.amounts"),
    ],
)
def test_results_follow_the_code_that_reads_for_them(monkeypatch, name, reader):
    before = code_version(name)
    code_version.cache_clear()
    real = versions.read
    monkeypatch.setattr(versions, "read", lambda module: real("finrag.errors" if module == reader else module))
    assert code_version(name) != before
    code_version.cache_clear()


def test_another_code_changes_the_baseline_s_key_and_buys_no_call_again(llm, monkeypatch):
    first = llm.call("gpt-4o-mini")
    task = find_task("echo")
    before = task.baseline_version
    monkeypatch.setattr("finrag.llm.tasks.code_version", lambda *names: "another")
    assert dataclasses.replace(task).baseline_version != before
    again = llm.call("gpt-4o-mini")
    assert again["call_key"] == first["call_key"] and len(llm.emulator.received()) == 1
