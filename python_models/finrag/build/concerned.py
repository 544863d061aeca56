"""What a build has to make where only some models, registries, tests or settings changed since the last: these, or what
reads them, and what depends on that. Where anything is in doubt, nothing is left out.

A table depends on what its model refs and on the settings that it reads when it runs, which dbt's manifest tells, and
on what a build compares before it starts (finrag.build.unchanged): data, options, other vars, the library, macros. A
registry that the library reads from its file is of the last kind.
"""

from __future__ import annotations

import json
import re
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
# Macros that take the name of a setting.
READ_IN_SQL = r"""\b(?:setting|anchor_limit)\(['"](\w+)['"]\)"""
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


def readers_of(settings: Collection[str], manifest: Path) -> list[str] | None:
    """Names of the models that read one of the settings. None where nothing reads one of them."""
    read = settings_by_model(manifest)
    if any(not any(setting in names for names in read.values()) for setting in settings):
        return None
    return sorted(model for model, names in read.items() if not names.isdisjoint(settings))


def settings_by_model(manifest: Path) -> dict[str, set[str]]:
    """What each model may read: settings in its meta (finrag.settings.in_force), or in SQL or a macro that it calls, at
    any depth, with the macro `setting` or another that takes the name of one.
    """
    known = json.loads(manifest.read_text(encoding="utf-8"))
    macros = known.get("macros", {})

    def sql_of(node: Mapping, seen: set[str]) -> str:
        called = [name for name in node["depends_on"]["macros"] if name in macros and name not in seen]
        seen.update(called)
        own = node.get("raw_code") or node.get("macro_sql") or ""
        return "\n".join([own, *(sql_of(macros[name], seen) for name in called)])

    models = [node for node in known.get("nodes", {}).values() if node["resource_type"] == "model"]
    read_in_sql = {node["name"]: set(re.findall(READ_IN_SQL, sql_of(node, set()))) for node in models}
    return {node["name"]: read_in_sql[node["name"]] | (node["config"].get("meta") or {}).keys() for node in models}


def is_of_whole_builds(arguments: Sequence[str]) -> bool:
    """Whether a build with these options of dbt makes every model, so that what it left is known."""
    rest = [word for before, word in zip(["", *arguments], arguments, strict=False) if before != "--vars"]
    return set(rest) <= OF_WHOLE_BUILDS


def selection(names: Collection[str]) -> list[str]:
    """Options of dbt that select the nodes of these names, all that depends on them, and the tests of it all."""
    return ["--select", *(f"{name}+" for name in sorted(names)), f"{EACH_BUILD}+"]
