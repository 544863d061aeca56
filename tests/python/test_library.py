"""The shape of the library: which of its modules import which."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from finrag.text.years import MONTHS
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


def run_by(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a module and runs, at once or when a function is called: all but what type checkers read."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from run_by(child)


def imported(tree: ast.Module, names: set[str], later: bool = False) -> Iterator[str]:
    """Modules of the library that a module needs while it is imported; later: or when a function of it is called."""
    for node in run_by(tree) if later else tree.body:
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


def test_nor_when_its_functions_are_called():
    """An import inside a function hides a circle."""
    trees = modules()
    needed = {name: set(imported(tree, trees.keys(), later=True)) for name, tree in trees.items()}
    assert "finrag.inputs.hits" in needed["finrag.search_evaluation"]
    assert "finrag.llm.models" not in needed["finrag.llm.providers"]
    TopologicalSorter(needed).prepare()


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
    # the list that is easiest to write down once more
    months = {month for month in MONTHS if month != "may"}
    lists = {
        name
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if len(months & set(re.findall("[a-z]+", node.value.lower()))) > 2
    }
    assert {name for name in lists if name.split(".")[1] != "demo"} == {"finrag.text.years"}
