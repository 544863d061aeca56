"""What a build has to make where only some models, registries or tests changed since the last: these, and what depends
on them. Where anything is in doubt, nothing is left out.

A table depends on what its model refs, which dbt knows, and on what a build compares before it starts
(finrag.build.unchanged): data, options, settings, the library, macros. A registry that the library reads from its file
is of the second kind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

# What unchanged.what_is_read calls the files whose changes concern some nodes only.
PARTS = {"models": ".sql", "python_models": ".py", "seeds": ".csv", "tests": ".sql"}
# Of tests those that stand alone; a generic one is applied to any model.
SINGULAR = "singular"
# Registries that the library reads without a ref: finrag.tasks.summarise_mdna.
READ_DIRECTLY = {"summary_theme_patterns"}
# Models that every build makes, whatever changed.
EACH_BUILD = "tag:each_build"
# Options with which a build still makes every model.
OF_WHOLE_BUILDS = {"--exclude-resource-type", "unit_test", "exposure", "--vars"}


def nodes_of(before: Mapping[str, str], now: Mapping[str, str]) -> list[str] | None:
    """Names of the nodes whose files differ; None where a file went, or is of no one node.

    before, now: digests by the path of a file in the project. A node is named as its file; so is the .yml beside it.
    """
    paths = [Path(path) for path in {**before, **now} if before.get(path) != now.get(path)]
    names = []
    for path in paths:
        name, ending = path.stem, PARTS[path.parts[0]]
        is_test = path.parts[0] == "tests"
        is_known = str(path.with_suffix(ending)) in now and str(path) in now
        if not is_known or path.suffix not in (ending, ".yml") or name in READ_DIRECTLY:
            return None
        if is_test and path.parts[1] != SINGULAR:
            return None
        names.append(name)
    return sorted(set(names))


def is_of_whole_builds(arguments: Sequence[str]) -> bool:
    """Whether a build with these options of dbt makes every model, so that what it left is known."""
    rest = [word for before, word in zip(["", *arguments], arguments, strict=False) if before != "--vars"]
    return set(rest) <= OF_WHOLE_BUILDS


def selection(names: Collection[str]) -> list[str]:
    """Options of dbt that select the nodes of these names, all that depends on them, and the tests of it all."""
    return ["--select", *(f"{name}+" for name in sorted(names)), f"{EACH_BUILD}+"]
