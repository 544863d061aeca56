"""The files that readers see, and how a new publication takes the place of the old one.

A publication is a folder of its own with the DuckDB file, the Parquet files and what was published. The paths that
readers know are links through one link, `<name>_current`, which is replaced once the new folder is whole: file and
Parquet change at one moment. A reader that has the old file open keeps it, whoever opens it next gets the new one, and
a process that dies on the way changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from finrag.errors import FinragError
from finrag.whole import PARTIAL, write_whole

DEFAULT_FILE = "warehouse/bi/finrag_bi.duckdb"
STATE = "published.json"
PARQUET = "parquet"
BEFORE = "before"


@dataclass(frozen=True)
class Publication:
    """Where a publication lies: a DuckDB file, and Parquet beside it."""

    file: Path  # a link, as are all paths here that readers know

    @classmethod
    def configured(cls) -> Publication:
        return cls(Path(os.environ.get("FINRAG_BI", DEFAULT_FILE)))

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def parquet(self) -> Path:
        return self.folder / f"{self.file.stem}_parquet"

    @property
    def current(self) -> Path:
        """The one link that a publication replaces."""
        return self.folder / f"{self.file.stem}_current"

    @property
    def versions(self) -> Path:
        return self.folder / f"{self.file.stem}_versions"

    @property
    def partial(self) -> Path:
        """The folder that a publisher writes."""
        return self.versions / PARTIAL

    @property
    def state_file(self) -> Path:
        return self.current / STATE

    def paths(self) -> list[Path]:
        """All that a publication is, what a killed one left and the lock among it."""
        file = self.file
        lasting = (file, file.with_name(file.name + ".wal"), self.parquet, self.current, self.versions, self.lock_file)
        return [*lasting, *self.folder.glob(f"{file.stem}*{PARTIAL}*")]

    @property
    def lock_file(self) -> Path:
        return self.folder / f".{self.file.name}.lock"

    def state(self) -> dict:
        """What was published last; nothing where a file of it is missing or cut, so that it is published again."""
        if not (self.state_file.exists() and self.file.exists() and self.parquet.exists()):
            return {}
        try:
            state = json.loads(self.state_file.read_text(encoding="utf-8"))
        except ValueError:  # what a loss of power left
            return {}
        return state if isinstance(state, dict) else {}

    def shows(self, warehouse: Path) -> bool:
        """Whether no one wrote the warehouse since it was published."""
        return self.state().get("seen") == written_state(warehouse)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """One publisher at a time. The lock goes with its process, however that ends."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.lock_file)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise FinragError(
                f"Another process is publishing to {self.file} right now. Try again when it has ended."
            ) from None
        try:
            yield
        finally:
            lock.release()

    def clear_leftovers(self) -> None:
        """Remove what a publisher that died has left, and publications before the last two. Only under the lock."""
        kept = {self.current.resolve().name, self.state().get("previous_version")}
        for path in self.versions.glob("*"):
            if path.name not in kept:
                remove(path)
        for path in self.folder.glob(f"{self.file.stem}*{PARTIAL}*"):
            remove(path)

    def swap(self, version: str, state: dict) -> None:
        """Show what was written to the partial folder in place of the old publication."""
        self.adopt()
        previous = self.current.resolve().name if self.current.is_symlink() else None
        write_whole(self.partial / STATE, as_json(state | {"previous_version": previous}))
        os.rename(self.partial, self.versions / version)
        replace_by_link(self.current, f"{self.versions.name}/{version}")
        replace_by_link(self.file, f"{self.current.name}/{self.file.name}")
        replace_by_link(self.parquet, f"{self.current.name}/{PARQUET}")
        # A client without read_only locks the file and may leave a log beside it, which belongs to the old file.
        self.file.with_name(self.file.name + ".wal").unlink(missing_ok=True)

    def adopt(self) -> None:
        """Put what a version before 0.9 published, a file and a link to Parquet, behind the one link as it is."""
        if self.file.is_symlink() or not (self.file.exists() and self.parquet.is_symlink()):
            return
        before = self.versions / BEFORE
        remove(before)
        (before / PARQUET).mkdir(parents=True)
        os.link(self.file, before / self.file.name)
        for path in self.parquet.glob("*.parquet"):
            os.link(path, before / PARQUET / path.name)
        replace_by_link(self.current, f"{self.versions.name}/{BEFORE}")
        replace_by_link(self.parquet, f"{self.current.name}/{PARQUET}")
        replace_by_link(self.file, f"{self.current.name}/{self.file.name}")
        for path in (
            *self.folder.glob(f"{self.parquet.name}.*"),
            *self.folder.glob(f"{self.file.stem}.published.json"),
        ):
            remove(path)

    def write_state(self, state: dict) -> None:
        write_whole(self.state_file, as_json(state))


def as_json(state: dict) -> str:
    return json.dumps(state, indent=1) + "\n"


def replace_by_link(path: Path, target: str) -> None:
    """Make the path a link to the target, in one step; nothing where it is."""
    if path.is_symlink() and os.readlink(path) == target:
        return
    link = path.with_name(f"{path.name}{PARTIAL}")
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    os.replace(link, path)


def written_state(warehouse: Path) -> list[list[int]]:
    """Changes when anyone writes the file, or leaves a log beside it that is not yet in it."""
    files = [warehouse, warehouse.with_name(warehouse.name + ".wal")]
    return [[file.stat().st_size, file.stat().st_mtime_ns] for file in files if file.exists()]


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
