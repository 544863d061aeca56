"""What other packages add to finrag: entry points, as pytest and llm find their plugins.

A package declares, in its pyproject.toml, an entry point of one of these groups; its name is the name that registries
and finrag.toml use.

finrag.providers   a module with PROVIDER, IS_PRICED, IS_REMEMBERED and connect (finrag.llm.providers)
finrag.strategies  a function of (engines, search, columns, depth) that returns hits (finrag.search.engines)
finrag.metrics     a function of (ranked ids, gold grades by id) that returns a query's value (finrag.metrics.plugged)
finrag.layouts     a dict: what the layout calls the columns of a known one, by the known one's names (corpus.columns)
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from finrag.errors import FinragError

PROVIDERS = "finrag.providers"
STRATEGIES = "finrag.strategies"
LAYOUTS = "finrag.layouts"
METRICS = "finrag.metrics"


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
    except (ImportError, AttributeError) as error:
        raise FinragError(f"The plugin {name!r} of {group} ({point.value}) cannot be loaded: {error}") from error
