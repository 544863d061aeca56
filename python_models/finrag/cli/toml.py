"""finrag.toml, the file of a project: its keys and what they stand for."""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from finrag import plugins
from finrag.edgar import client as edgar
from finrag.engine import choice as engine
from finrag.errors import FinragError
from finrag.inputs.files import read_text
from finrag.inputs.setting import as_list
from finrag.settings import BY_NAME, KEY_OF, KEYS
from finrag.spelling import did_you_mean

SETTINGS = "settings"
REGISTRY = "registry"
# Where work is done and who asks EDGAR; no vars, since nothing that comes of it depends on it. The environment wins.
ENVIRONMENT = {
    "engine": {"name": engine.VARIABLE, "address": engine.ADDRESS},
    "edgar": {"contact": edgar.CONTACT},
}
# The key of each of these variables.
VARIABLES = {variable: f"{section}.{name}" for section, held in ENVIRONMENT.items() for name, variable in held.items()}
# What parts the pairs of company_aliases (finrag.text.companies).
PARTING = str.maketrans(",=", "  ")
TABLE_OF_COLUMNS = 'a table of names in your files, such as item_1 = "item1"'


def words(key: str, value: object) -> str:
    """A text, or a list of texts, as the readers of vars split them."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(part, str) for part in values):
        raise FinragError(f'{key} is {value!r}. Allowed: a text, or a list of texts such as ["one", "two"].')
    return shlex.join(values) if any(set(part) & set(" '\"\\") for part in values) else " ".join(values)


def names(key: str, value: object) -> str:
    """The same of names, in none of which there is a blank: readers of vars part them there."""
    written = words(key, value)
    stated = [value] if isinstance(value, str) else value
    if any(len(part.split()) > 1 for part in stated):
        raise FinragError(f"{key} is {value!r}. {as_list(' '.join(stated))}")
    return written


def paths_by_name(key: str, value: object) -> str:
    """A table of paths by name, or a list of paths that are named after their files, as name=path pairs."""
    if not isinstance(value, dict):
        return words(key, value)
    pairs = [
        f"{name}={path}"
        for name, paths in value.items()
        for path in ([paths] if isinstance(paths, str) else paths if isinstance(paths, list) else [None])
        if isinstance(path, str) or wrong(key, name, paths)
    ]
    return words(key, pairs)


def wrong(key: str, name: str, value: object) -> bool:
    raise FinragError(f'{key}.{name} is {value!r}. Allowed: a path or a list of paths, such as "mine/*.jsonl".')


def aliases(key: str, value: object) -> str:
    """A table of companies by the names that people give them.

    The marks that part pairs are no part of a name, which is known by its words alone, and can be in no company.
    """
    if not isinstance(value, dict) or not all(map(is_company, value.values())):
        raise FinragError(f'{key} is {value!r}. Allowed: a table of CIK or ticker by name, such as "Big Blue" = "IBM".')
    return ", ".join(f"{alias.translate(PARTING)}={company}" for alias, company in value.items())


def is_company(value: object) -> bool:
    """A CIK or a ticker."""
    is_text = isinstance(value, str) and value.strip() and value == value.translate(PARTING)
    return bool(is_text) or (isinstance(value, int) and not isinstance(value, bool))


def columns(key: str, value: object) -> dict[str, str]:
    """A table of names in the files by names of a layout, or the name of such a table that another package holds."""
    if isinstance(value, str):
        others = plugins.plugins(plugins.LAYOUTS)
        if value not in others:
            installed = f", or a layout that is installed: {', '.join(others)}" if others else ""
            raise FinragError(f"{key} is {value!r}. Allowed: {TABLE_OF_COLUMNS}{installed}.")
        value = plugins.load(plugins.LAYOUTS, value)
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
        raise FinragError(f"{key} is {value!r}. Allowed: {TABLE_OF_COLUMNS}.")
    return value


def setting(key: str, value: object, default: object) -> object:
    """The value of a var that only [settings] names: a list of texts where the var is a text of words."""
    return names(key, value) if isinstance(default, str) and isinstance(value, list) else value


def text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise FinragError(f"{key} is {value!r}. Allowed: a text.")
    return value


def number(key: str, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FinragError(f"{key} is {value!r}. Allowed: a number.")
    return value


# How a value is written as a var; in words where nothing else is said.
WRITTEN: dict[str, Callable[[str, object], object]] = {
    "corpus.columns": columns,
    "corpus.aliases": aliases,
    "compare.reference": text,
    "compare.pairs": names,
    **{key: names for key in KEYS if key.startswith("models.")},
    **dict.fromkeys(BY_NAME, paths_by_name),
    **{key: number for key in KEYS if key.startswith("budgets.")},
}
SECTIONS = {key.partition(".")[0] for key in KEYS if "." in key}


def read(path: Path) -> dict:
    """What the file holds; nothing where there is none."""
    if not path.exists():
        return {}
    try:
        return tomllib.loads(read_text(path))
    except RecursionError as error:
        raise FinragError(f"{path} cannot be read: it nests too deep") from error
    except (OSError, ValueError) as error:
        raise FinragError(f"{path} cannot be read: {error}") from error


def variables(path: Path, known: Mapping[str, object]) -> dict[str, object]:
    """The vars that the file sets, by name. known: the vars that there are. Raises FinragError for all other keys."""
    values: dict[str, object] = {}
    faults = []
    for key, value in flat(read(path)):
        section, _, name = key.partition(".")
        try:
            if key in KEYS:
                values[KEYS[key]] = WRITTEN.get(key, words)(key, value)
            elif section == SETTINGS and name in known and name not in KEY_OF:
                values[name] = setting(key, value, known[name])
            elif section not in (REGISTRY, *ENVIRONMENT):
                raise FinragError(f"{key} is unknown. {nearest(key, known)}")
        except FinragError as error:
            faults.append(f"{path}: {error}")
    if faults:
        raise FinragError("\n".join(faults))
    return values


def environment(path: Path) -> dict[str, str]:
    """The environment variables that the sections engine and edgar set. Raises FinragError for what they cannot be."""
    values = {}
    faults = []
    for key, value in flat(read(path)):
        section, _, name = key.partition(".")
        if section not in ENVIRONMENT:
            continue
        try:
            if name not in ENVIRONMENT[section]:
                allowed = ", ".join(f"{section}.{each}" for each in ENVIRONMENT[section])
                raise FinragError(f"{key} is unknown. Allowed: {allowed}.")
            values[ENVIRONMENT[section][name]] = text(key, value)
        except FinragError as error:
            faults.append(f"{path}: {error}")
    if not faults and engine.ADDRESS in values and engine.VARIABLE not in {*values, *os.environ}:
        faults.append(
            f"{path}: engine.address is of a cluster, and no engine.name says that one is used. Write name = "
            f'"{engine.RAY}" beside it, or take it away.'
        )
    if faults:
        raise FinragError("\n".join(faults))
    return values


def flat(held: Mapping[str, object]) -> list[tuple[str, object]]:
    """Keys with their values, those of sections with the section before them."""
    return [
        pair
        for name, value in held.items()
        for pair in (
            [(f"{name}.{inner}", nested) for inner, nested in value.items()]
            if isinstance(value, dict) and name in {*SECTIONS, SETTINGS, REGISTRY, *ENVIRONMENT}
            else [(name, value)]
        )
    ]


def nearest(key: str, known: Mapping[str, object]) -> str:
    variable = key.rpartition(".")[2]
    if variable in KEY_OF:
        return f"Write {KEY_OF[variable]}."
    keys = [*KEYS, *(f"{SETTINGS}.{name}" for name in known if name not in KEY_OF), f"[[{REGISTRY}.<name>]]"]
    names = [*(f"[{name}]" for name in SECTIONS), *keys]
    return did_you_mean(key, names, most=3, alike=0.5).strip() or f"Allowed: {', '.join(keys)}."
