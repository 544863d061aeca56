"""Versions of code, so that results are made anew when what made them changes, and kept when it does not.

A version covers a module and every module of this library that it imports, at the top or inside of a function, by way
of others too. Nothing is listed by hand: what a scorer starts to use is in its version from then on.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

LIBRARY = "finrag"


@cache
def code_version(*names: str) -> str:
    """MD5, in hexadecimal, of the files of the modules and of all that they import from the library.

    names: dotted names of modules of the library. Raises ModuleNotFoundError for one that there is not.
    """
    digest = hashlib.md5(usedforsecurity=False)
    for _, path in sorted(needed(names).items()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def needed(names: tuple[str, ...]) -> dict[str, Path]:
    """The modules and all that they import from the library, each with its file."""
    found: dict[str, Path] = {}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = file_of(name)
            waiting += imports(found[name])
    return found


def file_of(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"There is no module {name}.")
    return Path(spec.origin)


def imports(path: Path) -> Iterator[str]:
    """Modules of the library that a file imports anywhere in it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if of_library(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and of_library(node.module):
            # a name taken from a package may be a module of it
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if is_module(name) else node.module


def of_library(name: str) -> bool:
    return name.split(".")[0] == LIBRARY


def is_module(name: str) -> bool:
    package = find_spec(name.rpartition(".")[0])
    return package is not None and package.submodule_search_locations is not None and find_spec(name) is not None
