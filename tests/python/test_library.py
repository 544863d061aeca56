"""The shape of the library: which of its modules import which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

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
