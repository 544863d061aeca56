"""What other packages add to finrag: entry points, as pytest and llm find their plugins.

A package declares, in its pyproject.toml, an entry point of one of these groups; its name is the name that registries
and finrag.toml use.

finrag.providers   a module with PROVIDER, IS_PRICED, IS_REMEMBERED and connect (finrag.llm.providers)
finrag.strategies  a function of (engines, search, columns, depth) that returns hits (finrag.search.engines)
finrag.metrics     a function of (ranked ids, gold grades by id) that returns a query's value (finrag.metrics.plugged)
finrag.layouts     a dict: what the layout calls the columns of a known one, by the known one's names (corpus.columns)
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from finrag.errors import FinragError

PROVIDERS = "finrag.providers"
STRATEGIES = "finrag.strategies"
LAYOUTS = "finrag.layouts"
METRICS = "finrag.metrics"
GROUPS = (PROVIDERS, STRATEGIES, METRICS, LAYOUTS)


# every call of a language model asks for its provider; to look through all installed packages takes longer than it does
@cache
def plugins(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group by name; raises FinragError where two packages take one name."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if found.setdefault(point.name, point).value != point.value:
            raise FinragError(
                f"Two installed packages name a plugin {point.name!r} in {group}: {found[point.name].value} and "
                f"{point.value}. Uninstall one of them."
            )
    return found


def load(group: str, name: str) -> object:
    """What a plugin is; raises FinragError naming the plugin that cannot be loaded."""
    point = plugins(group)[name]
    try:
        return point.load()
    except Exception as error:  # code of others, which may raise what it likes as it is imported
        raise FinragError(f"The plugin {name!r} of {group} ({point.value}) cannot be loaded: {error}") from error


@contextmanager
def called(group: str, name: str) -> Iterator[None]:
    """What a plugin raises inside is its fault and no one else's; a FinragError says what is to be said itself."""
    try:
        yield
    except FinragError:
        raise
    except Exception as error:
        point, frame = plugins(group)[name], traceback.extract_tb(error.__traceback__)[-1]
        raise FinragError(
            f"The plugin {name!r} of {group} ({point.value}, of the package {point.dist.name}) raised "
            f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno}). Mend it, or "
            f"uninstall {point.dist.name}."
        ) from error


def places() -> list[Path]:
    """Where the code of plugins lies: a file, or the folder of a package, without importing any of it."""
    points = entry_points()  # which go through all that is installed, each time
    modules = {point.module for group in GROUPS for point in points.select(group=group)}
    found = [place for module in modules if (place := place_of(module))]
    return sorted({place for place in found if place.exists()})


def place_of(module: str) -> Path | None:
    """The file of a module, or the folder of the package that it is in; packages that share a name have no file."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        try:
            spec = find_spec(".".join(parts[:length]))
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        if spec.origin:
            return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)
    return None
