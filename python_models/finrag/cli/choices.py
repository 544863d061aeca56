"""What a person chose for a build: on the command line, else in finrag.toml, else the defaults of dbt_project.yml."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path

import yaml

from finrag.cli import toml
from finrag.errors import FinragError
from finrag.project import DBT_FILE, FILE
from finrag.settings import AT_PARSE, OPTIONS, VARIABLE, default_variables

COMMAND_LINE = "command line"
DEFAULT = "default"
FORM = """Write JSON such as '{"p1_anchors": 2000}'."""


@dataclass(frozen=True)
class Choice:
    """The value of a var or a setting, and where it comes from."""

    value: object
    origin: str


def choices(given: Mapping[str, object], text: str = "{}") -> dict[str, Choice]:
    """Every var by name.

    given: options by the name of their var, None where one was not given; text: further vars, as JSON.
    """
    known = default_variables()
    asked = variables(text) | {name: value for name, value in given.items() if value is not None}
    unknown = [str(name) for name in asked if name not in known]
    if unknown:
        raise FinragError(f"--vars names {', '.join(unknown)}, which {DBT_FILE} does not have: {', '.join(known)}.")
    for name in asked.keys() & OPTIONS.values():
        if not isinstance(asked[name], str):
            raise FinragError(f"--vars gives {name} as {asked[name]!r}. Write one text, with blanks between its parts.")
    chosen = {name: Choice(value, DEFAULT) for name, value in known.items()}
    chosen |= {name: Choice(plain(value), FILE) for name, value in toml.variables(Path(FILE), known).items()}
    return chosen | {name: Choice(plain(value), COMMAND_LINE) for name, value in asked.items()}


def plain(value: object) -> object:
    """A value as JSON can state it: dates, which TOML and YAML know, as texts."""
    if isinstance(value, date | time):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def variables(text: str) -> dict[str, object]:
    try:
        given = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or " ".join(str(error).split())
        raise FinragError(f"--vars {text!r} cannot be read: {problem}. {FORM}") from error
    if not isinstance(given, dict):
        raise FinragError(f"--vars {text!r} holds no names with values. {FORM}")
    return given


def hand_over(chosen: Mapping[str, Choice]) -> list[str]:
    """Put settings that are read at run time into the environment; the options of dbt that set the other vars."""
    made = {name: choice.value for name, choice in chosen.items() if choice.origin != DEFAULT}
    os.environ[VARIABLE] = json.dumps({name: made[name] for name in sorted(made) if name not in AT_PARSE})
    rest = {name: made[name] for name in sorted(made) if name in AT_PARSE}
    return ["--vars", json.dumps(rest)] if rest else []
