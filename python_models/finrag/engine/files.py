"""Files that a job's parts are handed over in, in a folder that all nodes reach."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

PREFIX = "parts-"
_MAKING = threading.Lock()


@contextmanager
def folder_of_parts(parent: Path) -> Iterator[Path]:
    """A folder for the files of one job, gone afterwards; those that killed processes left go too.

    Its path is absolute, so that it names the same to every worker.
    """
    parent.mkdir(parents=True, exist_ok=True)
    with _MAKING:
        remove_left(parent)
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent.absolute()))
        lock = lock_of(folder)
        lock.acquire()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """A path to write at, whose file then takes the place of this one: somebody else may be computing the same part."""
    unfinished = file.with_name(f"{file.name}.{os.uname().nodename}-{os.getpid()}")
    yield unfinished
    unfinished.replace(file)


def remove_left(parent: Path) -> None:
    """Remove folders whose process has ended: the system gave their locks back."""
    for folder in parent.glob(f"{PREFIX}*/"):
        lock = lock_of(folder)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def lock_of(folder: Path) -> FileLock:
    return FileLock(folder.with_name(f"{folder.name}.lock"), thread_local=False)
