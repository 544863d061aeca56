"""One build of a warehouse at a time: the second says who builds since when, or waits."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from finrag.errors import FinragError


@contextmanager
def turn(database: Path, is_waiting: bool = False) -> Iterator[None]:
    """Inside, no other build of this warehouse runs. Raises FinragError where one does, unless it is to be waited for.

    The lock is the operating system's, so that a build that was killed leaves none.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    lock, note = (database.with_name(f"{database.name}.{ending}") for ending in ("lock", "building.json"))
    held = FileLock(lock)
    try:
        held.acquire(timeout=0)
    except Timeout:
        if not is_waiting:
            raise FinragError(
                f"{database} is being built {builder(note)}. Run it again when that has ended, or let this build wait: "
                "finrag build --wait, make build WAIT=1."
            ) from None
        print(f"Waiting for the build of {database} {builder(note)} …", flush=True)
        held.acquire()
    try:
        note.write_text(json.dumps({"process": os.getpid(), "since": datetime.now().strftime("%Y-%m-%d %H:%M:%S")}))
        yield
    finally:
        note.unlink(missing_ok=True)
        held.release()


def builder(note: Path) -> str:
    """Who builds, in words; the note may be in the making."""
    try:
        said = json.loads(note.read_text())
    except (OSError, ValueError):
        return "by another process"
    return f"by process {said['process']} since {said['since']}"
