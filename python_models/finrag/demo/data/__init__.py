"""What the demo corpus says, as data: companies, shared prose and planted cases."""

from __future__ import annotations

import csv
from importlib.resources import files

from finrag.project import load_yaml


def read_yaml(path: str) -> dict:
    """One file of this folder, by its path in it."""
    return load_yaml(files(__name__).joinpath(path).read_text(encoding="utf-8"))


def read_csv(path: str) -> list[dict[str, str]]:
    with files(__name__).joinpath(path).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def names(folder: str) -> list[str]:
    """The YAML files of a folder by name, without their endings."""
    return sorted(file.name.removesuffix(".yml") for file in files(__name__).joinpath(folder).iterdir())
