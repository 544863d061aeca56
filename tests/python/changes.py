"""Which tests a change concerns, for `make check`: those of files that changed, and of what imports or names them.

    python tests/python/changes.py [REF]        prints their files, of what changed since this branch left REF (main)

A test is concerned by a module of finrag that it imports, at any depth, and by any other file (a model, a macro, a
seed, a page) whose name its file or a helper of it says. Those that are nearest to the change come first, since
`make check` has no time for all tests of what everything imports. That is no proof: `make test` runs everything.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from finrag.versions import file_of, imported, with_parts

TESTS = Path(__file__).parent
# They read the whole repository, in seconds.
ALWAYS = {"test_changes", "test_directions", "test_function_sizes", "test_library", "test_settings"}
# What all tests stand on.
OF_ALL = {"conftest.py", "warehouses.py", "pyproject.toml", "constraints.txt"}


def changed_since(reference: str, root: Path) -> set[str]:
    """Paths in the repository that differ from where this branch left the reference, uncommitted ones too."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout

    base = git("merge-base", reference, "HEAD").strip()
    return {*git("diff", "--name-only", base).split("\n"), *git("ls-files", "-o", "--exclude-standard").split("\n")} - {
        ""
    }


def concerned(changed: Iterable[str], tests: Iterable[Path]) -> dict[Path, int]:
    """Those of the files of tests that a change of these paths concerns, and by how many imports away.

    0: the test names or is what changed; 1: it imports what changed; 2: it imports what imports that.
    """
    paths = [Path(path) for path in changed]
    tests = list(tests)
    if any(path.name in OF_ALL for path in paths):
        return dict.fromkeys(tests, 0)
    modules = {module_of(path) for path in paths} - {""}
    affected = closure(modules, {name: set(imported(name)) for name in with_parts("finrag")})
    names = {path.stem for path in paths if not module_of(path)}
    said = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b") if names else re.compile(r"(?!)")
    found = {}
    for test in tests:
        away = [each for file in read_by(test) for each in distances(file, affected, said)]
        if away or test.stem in ALWAYS:
            found[test] = min(away, default=0)
    return found


def module_of(path: Path) -> str:
    """The module of finrag that a path is; empty for any other file."""
    parts = path.with_suffix("").parts
    if path.suffix != ".py" or parts[:2] != ("python_models", "finrag"):
        return ""
    return ".".join(parts[1:]).removesuffix(".__init__")


def closure(changed: set[str], imports: Mapping[str, set[str]]) -> dict[str, int]:
    """The modules that changed (0) and all that import them, with the imports between, at any depth."""
    found = dict.fromkeys(changed, 0)
    away = 0
    while more := {name for name, others in imports.items() if others & found.keys()} - found.keys():
        away += 1
        found |= dict.fromkeys(more, away)
    return found


def distances(file: Path, affected: Mapping[str, int], said: re.Pattern) -> Iterator[int]:
    """Of each reason why a file is concerned."""
    yield from (affected[name] + 1 for name in imports_of(file) & affected.keys())
    if said.search(file.read_text(encoding="utf-8") + f" {file.stem}"):
        yield 0


def read_by(test: Path) -> Iterator[Path]:
    """A file of tests, and the helpers beside it that it imports."""
    yield test
    yield from (TESTS / f"{name}.py" for name in imports_of(test) if (TESTS / f"{name}.py").exists())


@cache
def imports_of(file: Path) -> frozenset[str]:
    """Modules of finrag that a file takes something from, and the other names that it imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {
                name if file_of(name) else node.module for name in (f"{node.module}.{a.name}" for a in node.names)
            }
    return frozenset(found)


def main(reference: str = "main") -> None:
    """Where there is no such commit, as in an archive without git, all files of tests."""
    root = TESTS.parents[1]
    tests = sorted(TESTS.glob("test_*.py"))
    try:
        found = concerned(changed_since(reference, root), tests)
        tests = sorted(found, key=lambda test: (found[test], test))
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        print(f"No changes since {reference} can be told ({error}): all tests.", file=sys.stderr)
    print(*(test.relative_to(root) for test in tests))


if __name__ == "__main__":
    main(*sys.argv[1:])
