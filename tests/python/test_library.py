"""The shape of the library: which of its modules import which."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from finrag.text import vocabulary
from finrag.text.years import MONTHS, YEAR_DIGITS
from warehouses import ROOT

LIBRARY = ROOT / "python_models"


@cache
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


def test_english_is_read_without_any_task():
    """finrag.text needs nothing of any task, so that every task can use it."""
    trees = modules()
    needed = {
        each.split(".")[1]
        for name, tree in trees.items()
        if name.startswith("finrag.text")
        for each in imported(tree, trees.keys())
    }
    assert needed <= {"text", "errors"}


# So many words that two lists share, and so much of the shorter one, are one list that was written twice.
SHARED_WORDS, SHARED_PART = 8, 0.6
# The versions of these decide whether every filing is read and cut again, so they use no list that grows with what
# answers say.
APART = {"finrag.corpus.splitting", "finrag.corpus.html.items"}
# A part of a pattern that is a group, or a mark of how often: no part of a word.
_MARKS = re.compile(r"\\s[?*+]?|\\[A-Za-z][*+?]?|[*+?^$]")


def alternatives(pattern: str) -> Iterator[list[str]]:
    """The alternatives of each group of a regular expression, inner groups cut out of them."""
    pattern = re.sub(r"\[(?:\\.|[^\]\\])*\]", ".", pattern)
    open_groups = [[""]]
    for part in re.findall(r"\\.|\((?:\?(?:P<\w+>|<?[:=!]|[-a-z]+:))?|.", pattern, re.DOTALL):
        if part.startswith("("):
            open_groups.append([""])
        elif part == ")" and len(open_groups) > 1:
            yield open_groups.pop()
            open_groups[-1][-1] += "\0"
        elif part == "|":
            open_groups[-1].append("")
        else:
            open_groups[-1][-1] += part
    yield from reversed(open_groups)


def word_of(alternative: str) -> str:
    """The words of an alternative; of "increas(?:e|ed)" what stands before the group."""
    beginning, _, rest = alternative.partition("\0")
    text = beginning if rest.strip() or len(beginning) > 3 else alternative
    return " ".join(re.findall(r"[a-z']+", _MARKS.sub(" ", text).lower()))


def texts_of(values: list[ast.expr | None]) -> list[str]:
    """Strings among the values; none where any is a name of the database or of a setting."""
    texts = [each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return [] if any("_" in text for text in texts) else texts


def lists_of_words(tree: ast.AST) -> Iterator[frozenset[str]]:
    """Lists written in a module, long enough to be told again: collections, split texts, alternatives of patterns.

    What a pattern takes from elsewhere by its name is no part of it.
    """
    nodes = list(ast.walk(tree))
    left_out = {node for each in nodes if isinstance(each, ast.Raise) for node in ast.walk(each)}
    left_out |= {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    left_out |= {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        found: list[list[str]] = []
        if node in left_out:
            continue
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            found.append(texts_of(node.elts))
        elif isinstance(node, ast.Dict):
            found.append(texts_of(node.keys))
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]
            found += alternatives("".join(parts)) if any("|" in part for part in parts) else []
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            found += alternatives(node.value)
        elif isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant):
            found.append(str(node.value.value).split())
        for each in found:
            words = frozenset(word for word in map(word_of, each) if len(word) > 1)
            if len(words) >= SHARED_WORDS:
                yield words


@cache
def by_beginning(words: frozenset[str]) -> dict[str, list[str]]:
    return {key: [word for word in words if word[:4] == key] for key in {word[:4] for word in words}}


def shared(one: frozenset[str], other: frozenset[str]) -> int:
    """How many words both lists have, or have in another form ("increas" for "increased" and "increases")."""

    def has(words: frozenset[str], word: str) -> bool:
        alike = by_beginning(words).get(word[:4], ())
        return word in words or (
            " " not in word
            and any(" " not in each and (each.startswith(word) or word.startswith(each)) for each in alike)
        )

    return min(sum(has(other, word) for word in one), sum(has(one, word) for word in other))


def written_twice(lists: dict[str, list[frozenset[str]]]) -> list[tuple[str, str, str]]:
    """Pairs of modules, one of them outside of finrag.text, that hold one list of words, with its words."""
    flat = [(name, words) for name, found in lists.items() for words in found]
    return [
        (name, other, " ".join(sorted(words & theirs)))
        for place, (name, words) in enumerate(flat)
        for other, theirs in flat[:place]
        if name != other and not (name.startswith("finrag.text.") and other.startswith("finrag.text."))
        if shared(words, theirs) >= max(SHARED_WORDS, SHARED_PART * min(len(words), len(theirs)))
    ]


def test_a_list_that_is_written_twice_is_found():
    tree = ast.parse(
        'A = r"\\b(?:increas(?:e|ed)|rose|grew|fell|drop\\w*|declin\\w+|climbed|shrank|up \\w+)\\b(?!{2})"\n'
        'B = "rose grew fell dropped declined climbed shrank increased higher lower".split()\n'
        'C = rf"(?:{B}|rose|grew)"\n"""rose grew fell drop declin climbed shrank increas"""\n'
    )
    of_pattern, of_text = lists_of_words(tree)
    assert of_pattern == {"increas", "rose", "grew", "fell", "drop", "declin", "climbed", "shrank", "up"}
    assert shared(of_pattern, of_text) == 8
    assert shared(of_text, frozenset({"rosewood", "felt", "lower prices", "grew"})) == 2
    twice = written_twice({"finrag.text.a": [of_pattern], "finrag.b": [of_text]})
    assert twice == [("finrag.b", "finrag.text.a", "climbed fell grew rose shrank")]
    # 8 of 14 are no 60 percent
    assert written_twice({"finrag.a": [of_pattern | set("vwxyz")], "finrag.b": [of_text | set("abcde")]}) == []
    assert written_twice({"finrag.text.a": [of_pattern], "finrag.text.b": [of_text]}) == []


def test_no_list_of_words_is_written_twice():
    """English is read in finrag.text: what two readers look for stands there, and they take it from there."""
    trees = modules()
    lists = {name: list(lists_of_words(tree)) for name, tree in trees.items() if name.split(".")[1:2] != ["demo"]}
    classes = {name: value for name, value in vars(vocabulary).items() if name.isupper()}
    lists[vocabulary.__name__] = [
        frozenset(value.lower().split("|") if isinstance(value, str) else value) for value in classes.values()
    ]
    assert sum(map(len, lists.values())) > 150
    twice = written_twice(lists)
    assert [pair for pair in twice if APART.isdisjoint(pair[:2])] == []
    assert {name for pair in twice for name in pair[:2]} >= APART
    # the list that is easiest to write down once more
    months = {month for month in MONTHS if month != "may"}
    of_months = {name for name, found in lists.items() if any(len(months & words) > 2 for words in found)}
    assert of_months == {"finrag.text.years"}


def test_a_year_is_written_in_one_way():
    """In digits, wherever a text is read: finrag.text.years says which. The readers of filings are apart, as above."""
    pattern = re.escape(YEAR_DIGITS)
    found = {
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(pattern, node.value)
    }
    assert {name for name in found if not name.startswith("finrag.corpus.")} == {"finrag.text.years"}
