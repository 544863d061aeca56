"""Where Lance tables lie: in a folder, or at an object store, and what is kept beside them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import lance

# of the project
DEFAULT = "warehouse/lance"
ENDING = ".lance"


def is_address(place: Path | str) -> bool:
    """Such as s3://bucket/lance, which Lance reads and writes by itself."""
    return "://" in str(place)


def beside(folder: Path | str) -> Path:
    """The folder of what is remembered of tables, and of parts of jobs: the tables' own or, of an address, one of the
    project's, since such files are replaced whole and locked. They are lost without harm, and computed anew."""
    return Path(DEFAULT, re.sub(r"[^A-Za-z0-9._-]+", "_", str(folder))) if is_address(folder) else Path(folder)


def sidecar(table: str, ending: str) -> Path:
    """A file of one table, such as `<model>__<fingerprint>.rejected.parquet`."""
    folder, _, name = table.rpartition("/")
    return beside(folder) / f"{name.removesuffix(ENDING)}.{ending}"


def opened(table: str) -> lance.LanceDataset | None:
    """The table at a path or an address as it is now; None where none was ever committed."""
    import lance

    # a store has no folders and is asked; a path is looked at first, which costs nothing
    if not is_address(table) and not os.path.isdir(table):
        return None
    try:
        return lance.dataset(table)
    except ValueError as error:
        if "was not found" not in str(error):
            raise
        return None


def version_of(dataset: lance.LanceDataset) -> str:
    """Changes with every commit; a table that was made anew has another time."""
    return f"{dataset.version} {dataset.versions()[-1]['timestamp'].timestamp()}"
