"""The folder that a command runs in, and the dbt project that it runs."""

from __future__ import annotations

import os
from pathlib import Path

from finrag.errors import FinragError
from finrag.project import DBT_FILE


def enter() -> None:
    """Tell dbt and the library where the project is, in the environment of this process and those it starts."""
    if not Path(DBT_FILE).exists():
        raise FinragError("This folder is no clone of the project. Go to one.")
    os.environ.setdefault("DBT_PROFILES_DIR", ".")
    Path("warehouse").mkdir(exist_ok=True)
