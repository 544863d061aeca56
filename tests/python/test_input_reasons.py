"""staging.input_problems lists every reason that a loader can give, and no other: a reason that it does not list fails
a build, for one row of one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from warehouses import ROOT

WORD = re.compile(r"[a-z]+(_[a-z]+)*")
# A loader of the model's list, what a Python model calls, the branches of a case and a constant.
LOADER = re.compile(r"^    \('[a-z_]+', '(\w+)',", re.MULTILINE)
CALLED = re.compile(r"from (finrag[\w.]*) import (\w+)")
IN_SQL = re.compile(r"\bthen '([a-z_]+)'(?=(?:(?!\bcase\b).)*?\bend as reason\b)|'([a-z_]+)' as reason\b", re.DOTALL)


def reasons_of_sql(text: str) -> set[str]:
    return {first or second for first, second in IN_SQL.findall(text)}


def reasons_of_python(text: str) -> set[str]:
    """Words that are given as a reason, by its name or to what takes one, and those with what they say behind them."""
    tree = ast.parse(text)
    takers = {name for node in ast.walk(tree) for name in takes_reason(node)}
    given = [value for node in ast.walk(tree) for value in reasons_in(node, takers)]
    other = {id(each) for node in ast.walk(tree) for each in compared_or_column(node)}
    found = {each.value for value in given for each in ast.walk(value) if is_word(each) and id(each) not in other}
    return found - {"reason", "string", "varchar"}


def takes_reason(node: ast.AST) -> Iterator[str]:
    """The name of a function, or of a class that is made with a reason."""
    if isinstance(node, ast.FunctionDef) and "reason" in [each.arg for each in node.args.args]:
        yield node.name
    if isinstance(node, ast.ClassDef) and any("__init__" in takes_reason(each) for each in node.body):
        yield node.name


def reasons_in(node: ast.AST, takers: set[str]) -> Iterator[ast.AST]:
    if isinstance(node, ast.keyword) and node.arg == "reason":
        yield node.value
    elif isinstance(node, ast.Call) and {getattr(node.func, "id", ""), getattr(node.func, "attr", "")} & takers:
        yield from (each for each in node.args if isinstance(each, ast.Constant))
    elif isinstance(node, ast.Tuple):
        pairs = zip(node.elts, node.elts[1:], strict=False)
        yield from (first for first, second in pairs if isinstance(first, ast.Constant) and is_said(second))
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        yield from (value for key, value in pairs if getattr(key, "value", "") == "reason")
    elif isinstance(node, ast.Assign) and "['reason']" in ast.unparse(node.targets[0]):
        yield node.value
    elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "REASONS":
        yield from node.value.keys


def compared_or_column(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare):
        return node.comparators
    return node.args if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "col" else []


def is_word(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(WORD.fullmatch(node.value))


def is_said(node: ast.AST) -> bool:
    """Whether it is a text of several words, one put together, or one named detail."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") in ("lit", "format")
    is_text = isinstance(node, ast.Constant) and " " in str(node.value)
    return is_text or isinstance(node, ast.JoinedStr) or getattr(node, "id", "") == "detail"


def sources() -> Iterator[Path]:
    """The models that staging.input_problems reads, what those in Python call, and the library's inputs."""
    for name in LOADER.findall((ROOT / "models/staging/input_problems.sql").read_text(encoding="utf-8")):
        yield from ROOT.glob(f"models/*/{name}.sql")
        for model in ROOT.glob(f"python_models/*/{name}.py"):
            for package, imported in CALLED.findall(model.read_text(encoding="utf-8")):
                path = ROOT / "python_models" / package.replace(".", "/")
                yield from (each for each in (path.with_suffix(".py"), path / f"{imported}.py") if each.is_file())
    yield from (ROOT / "python_models/finrag/inputs").rglob("*.py")


def test_every_reason_that_a_loader_gives_is_listed_and_no_other():
    told = (ROOT / "models/staging/input_problems.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- ([a-z_]+)$", told.split("- name: reason\n")[1].split("- name: detail\n")[0], re.M)[1:]
    given = {
        path: (reasons_of_sql if path.suffix == ".sql" else reasons_of_python)(path.read_text(encoding="utf-8"))
        for path in sources()
    }
    unlisted = {path.name: found - set(listed) for path, found in given.items() if found - set(listed)}
    assert not unlisted
    assert sorted(set().union(*given.values())) == sorted(listed)


def test_a_reason_is_seen_in_every_form():
    assert reasons_of_python(
        'def rejected(row, reason): ...\nclass Fault:\n    def __init__(self, reason): ...\nrejected(row, "one")\n'
        'Fault("two")\nRow(reason=pl.lit("three"))\nrow["reason"] = "four"\n'
        'x = {"reason": "five" if y == "other" else "six"}\n'
        'x = ("seven", f"{row} is"), ("column", "other")\nother("other", "is none")\nREASONS = {"eight": "is it"}\n'
    ) == {"one", "two", "three", "four", "five", "six", "seven", "eight"}
    assert reasons_of_sql(
        "case kind when 1 then 'none' end as kind, case when x then 'a' when y then 'b_c' end as reason, "
        "'d' as reason, case reason when 'a' then 'e' end as detail"
    ) == {"a", "b_c", "d"}
