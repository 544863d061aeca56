"""The files that readers see, and how a new publication takes the place of the old one.

Both the DuckDB file and the Parquet folder are written under another name and renamed once whole. A reader that has the
old file open keeps it, whoever opens it next gets the new one, and a process that dies on the way changes neither.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finrag.errors import FinragError

DEFAULT_FILE = "warehouse/bi/finrag_bi.duckdb"
PARTIAL = ".partial"


@dataclass(frozen=True)
class Publication:
    """Where a publication lies: a DuckDB file, and beside it Parquet and what was published last."""

    file: Path

    @classmethod
    def configured(cls) -> Publication:
        return cls(Path(os.environ.get("FINRAG_BI", DEFAULT_FILE)))

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def parquet(self) -> Path:
        """A link to the folder of the last publication."""
        return self.folder / f"{self.file.stem}_parquet"

    @property
    def partial(self) -> Path:
        return self.folder / f"{self.file.name}{PARTIAL}"

    @property
    def state_file(self) -> Path:
        return self.folder / f"{self.file.stem}.published.json"

    def parquet_of(self, version: str) -> Path:
        return self.folder / f"{self.parquet.name}.{version}"

    def state(self) -> dict:
        """What was published last; nothing where a file of it is missing."""
        if not (self.state_file.exists() and self.file.exists() and self.parquet.exists()):
            return {}
        return json.loads(self.state_file.read_text(encoding="utf-8"))

    def shows(self, warehouse: Path) -> bool:
        """Whether no one wrote the warehouse since it was published."""
        return self.state().get("seen") == written_state(warehouse)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """One publisher at a time. The lock goes with its process, however that ends."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f".{self.file.name}.lock").open("w") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FinragError(
                    f"Another process is publishing to {self.file} right now. Try again when it has ended."
                ) from None
            yield

    def clear_leftovers(self) -> None:
        """Remove what a publisher that died has left. Only under the lock."""
        for path in self.folder.glob(f"{self.file.name}{PARTIAL}*"):
            remove(path)
        current = self.parquet.resolve() if self.parquet.is_symlink() else None
        kept = {current, self.previous_parquet()}
        for path in self.folder.glob(f"{self.parquet.name}.*"):
            if path.resolve() not in kept:
                remove(path)

    def previous_parquet(self) -> Path | None:
        """The folder before the current one, for readers that have listed its files and not yet opened them."""
        state = self.state()
        return self.parquet_of(state["previous_version"]).resolve() if state.get("previous_version") else None

    def swap(self, version: str, state: dict) -> None:
        """Put what was written under the partial name and version in the place of the old publication."""
        link = self.folder / f"{self.file.name}{PARTIAL}.link"
        link.symlink_to(self.parquet_of(version).name)
        os.replace(link, self.parquet)
        # A client without read_only locks the file and may leave a log beside it, which belongs to the old file.
        os.replace(self.partial, self.file)
        self.file.with_name(self.file.name + ".wal").unlink(missing_ok=True)
        self.write_state(state)

    def write_state(self, state: dict) -> None:
        partial = self.folder / f"{self.file.name}{PARTIAL}.json"
        partial.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
        os.replace(partial, self.state_file)


def written_state(warehouse: Path) -> list[list[int]]:
    """Changes when anyone writes the file, or leaves a log beside it that is not yet in it."""
    files = [warehouse, warehouse.with_name(warehouse.name + ".wal")]
    return [[file.stat().st_size, file.stat().st_mtime_ns] for file in files if file.exists()]


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
