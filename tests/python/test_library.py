"""The shape of the library: which of its modules import which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

import finrag
from finrag import versions
from warehouses import ROOT

LIBRARY = ROOT / "python_models"


def modules() -> dict[str, ast.Module]:
    """Every module of the library by its dotted name; a package by that of its folder."""
    return {
        ".".join(path.relative_to(LIBRARY).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in sorted((LIBRARY / "finrag").rglob("*.py"))
    }


def imported(tree: ast.Module, names: set[str]) -> Iterator[str]:
    """Modules of the library that a module needs while it is imported."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from full & names or {node.module} & names


def test_a_circle_is_seen():
    names = {"finrag.a", "finrag.b"}
    circle = {
        "finrag.a": set(imported(ast.parse("from finrag import b"), names)),
        "finrag.b": set(imported(ast.parse("import finrag.a"), names)),
    }
    with pytest.raises(CycleError):
        TopologicalSorter(circle).prepare()


def test_no_module_imports_itself_by_way_of_others():
    trees = modules()
    TopologicalSorter({name: set(imported(tree, trees.keys())) for name, tree in trees.items()}).prepare()


def test_english_is_read_in_one_place():
    """finrag.text needs nothing of any task, so that every task can use it."""
    trees = modules()
    needed = {
        each.split(".")[1]
        for name, tree in trees.items()
        if name.startswith("finrag.text")
        for each in imported(tree, trees.keys())
    }
    assert needed <= {"text", "errors"}


def test_a_version_covers_what_is_imported_by_way_of_others(tmp_path, monkeypatch):
    for name in ("reads", "words", "other"):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    (tmp_path / "judges.py").write_text(
        "import json\n\n\ndef judge():\n    from finrag import reads\n", encoding="utf-8"
    )
    (tmp_path / "reads.py").write_text("from finrag.words import first\n", encoding="utf-8")
    monkeypatch.setattr(finrag, "__path__", [str(tmp_path)])
    assert set(versions.needed(("finrag.judges",))) == {"finrag.judges", "finrag.reads", "finrag.words"}

    def version() -> str:
        versions.code_version.cache_clear()
        return versions.code_version("finrag.judges")

    first = version()
    (tmp_path / "other.py").write_text("changed = True\n", encoding="utf-8")
    assert version() == first
    (tmp_path / "words.py").write_text("first = 2\n", encoding="utf-8")
    assert version() != first
    with pytest.raises(ModuleNotFoundError, match="no module finrag"):
        versions.code_version("finrag.absent")


@pytest.mark.parametrize(
    ("scorer", "reads"),
    [
        ("finrag.answers.verdicts", {"finrag.text.amounts", "finrag.text.items", "finrag.scoring.enumerations"}),
        ("finrag.answers.similarity", {"finrag.scoring.rouge", "finrag.encoders.token_vectors"}),
        ("finrag.calibration.faithfulness", {"finrag.judging.rules", "finrag.text.tokens"}),
        ("finrag.tasks.answer_question", {"finrag.text.amounts"}),
    ],
)
def test_the_version_of_a_scorer_covers_its_readers(scorer, reads):
    assert reads <= versions.needed((scorer,)).keys()
