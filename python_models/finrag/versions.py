"""Which code a stored result was computed with, so that a change of that code, and of no other, computes it anew.

A version is a digest of the modules that compute the result and of every module of finrag that they import, at any
depth: nobody keeps a list. What only people read (comments, docstrings, layout, type hints' imports) is left out of it.
Calls to language models and embeddings are bought or take long, so they are kept by what was asked: their keys hold no
version of this kind.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent
PACKAGE = "__init__.py"
DIGITS = 16
# Of Python 3.11.7 and older, two threads that parse at once can end in a SystemError (gh-106905).
_PARSING = threading.Lock()


@cache
def code_version(*names: str) -> str:
    """Digest of the modules named, and of what of finrag they import. A package stands for all of its modules."""
    seen = [module for name in names for module in with_parts(name)]
    for module in seen:  # which grows while it is walked
        seen += [name for name in dict.fromkeys(imported(module)) if name not in seen]
    digest = hashlib.sha256()
    for module in sorted(set(seen)):
        digest.update(f"{module}\n{code_of(module)}\n".encode())
    return digest.hexdigest()[:DIGITS]


def with_parts(name: str) -> list[str]:
    """The module, and of a package all modules in it; raises ValueError for what is none of finrag's."""
    file = file_of(name)
    if file is None:
        raise ValueError(f"There is no module {name}")
    parts = sorted(file.parent.rglob("*.py")) if file.name == PACKAGE else []
    dotted = (".".join(part.relative_to(file.parent).with_suffix("").parts) for part in parts if part != file)
    return [name, *(f"{name}.{part.removesuffix('.__init__')}" for part in dotted)]


def file_of(name: str) -> Path | None:
    """The file that holds a module of finrag; None for any other name."""
    if name.partition(".")[0] != ROOT.name:
        return None
    if loaded := sys.modules.get(name):
        return Path(loaded.__file__) if loaded.__file__ else None
    folder = ROOT.joinpath(*name.split(".")[1:])
    return next((file for file in (folder / PACKAGE, folder.with_suffix(".py")) if file.is_file()), None)


def imported(module: str) -> list[str]:
    """Modules of finrag that a module takes something from, wherever in it it imports them."""
    return read(module)[1]


def code_of(module: str) -> str:
    """What decides how a module computes."""
    return read(module)[0]


@cache
def read(module: str) -> tuple[str, list[str]]:
    """The code of a module, and what of finrag it imports."""
    text = file_of(module).read_text(encoding="utf-8")
    with _PARSING:
        tree = ast.parse(text)
    imports: list[ast.Import | ast.ImportFrom] = []
    return written_out(tree, imports), list(modules_of(imports))


def written_out(node: object, imports: list) -> str:
    """What decides, of a syntax tree, as a text that is the same in every version of Python: ast.unparse and ast.dump
    change between them. imports: takes the statements in it that import.
    """
    if isinstance(node, list):
        return f"[{','.join([written_out(each, imports) for each in node])}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Import | ast.ImportFrom):
        imports.append(node)
    fields = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            value = [each for each in value if not is_for_people(each)]
        if value is not None and value != []:
            fields.append(f"{name}={written_out(value, imports)}")
    return f"{node.__class__.__name__}({','.join(fields)})"


def is_for_people(node: object) -> bool:
    """Whether it is a docstring, or imports that only a type checker carries out."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def modules_of(imports: list[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    """The modules of finrag that they name."""
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if file_of(alias.name))
        else:
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                # a module of that name, or else what the module it is imported from defines
                yield from (found for found in [name if file_of(name) else node.module] if file_of(found))
