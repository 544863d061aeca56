"""One build of a warehouse at a time: the second says who builds since when, or waits.

A build that did not succeed, or did not come to the gate, leaves a note, so that whoever shows what was published or
decided before can say so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from finrag.errors import FinragError
from finrag.project import command


@dataclass
class Ended:
    """How a build ends, as it says itself; one that says nothing has failed and decided nothing."""

    status: int = 1
    is_gate_decided: bool = False  # whether metrics.gate is of the warehouse as this build leaves it


@contextmanager
def turn(database: Path, is_waiting: bool = False) -> Iterator[Ended]:
    """Inside, no other build of this warehouse runs. Raises FinragError where one does, unless it is to be waited for.

    What it gives is to be told how the build ends. The lock is the operating system's, so that a build that was killed
    leaves none.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    held, note = lock_of(database), note_of(database)
    try:
        held.acquire(timeout=0)
    except Timeout:
        if not is_waiting:
            raise FinragError(
                f"{database} is being built {builder(note)}. Run it again when that has ended, or let this build wait: "
                f"{command('build', wait=True)}."
            ) from None
        print(f"Waiting for the build of {database} {builder(note)} …", flush=True)
        held.acquire()
    begun = {"process": os.getpid(), "since": now()}
    ended = Ended()
    try:
        note.write_text(json.dumps(begun))
        yield ended
    finally:
        if ended == Ended(0, True):
            note.unlink(missing_ok=True)
        else:
            note.write_text(json.dumps(begun | {"ended": now()} | asdict(ended)))
        held.release()


def refused(database: Path) -> None:
    """A build that was refused before its turn is the last one all the same, unless one runs or none ever did."""
    if database.exists():
        with suppress(FinragError), turn(database):
            pass


def last_build(database: Path) -> str:
    """What is to be known of a build that runs or did not succeed, as a sentence; empty where the last one did."""
    note = note_of(database)
    if not note.exists():
        return ""
    try:
        with lock_of(database).acquire(timeout=0):
            said = json.loads(note.read_text())
    except Timeout:
        return f"A build runs {builder(note)}."
    except ValueError:
        return "A later build was killed as it began."
    if "ended" not in said:
        return f"A later build, begun {said['since']}, was killed."
    if not said["status"]:
        return ""
    return f"A later build, begun {said['since']}, failed at {said['ended']} (exit status {said['status']})."


def undecided(database: Path) -> str:
    """Why metrics.gate is of an earlier build than the last, as a sentence; empty where the last one decided it."""
    told = last_build(database)
    try:
        said = json.loads(note_of(database).read_text())
    except (OSError, ValueError):  # there is none, or it ends, or begins, at this moment
        return told
    if said.get("is_gate_decided"):
        return ""
    return told or f"The last build, begun {said['since']}, did not come to the gate."


def lock_of(database: Path) -> FileLock:
    return FileLock(database.with_name(f"{database.name}.lock"))


def note_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.building.json")


def now() -> str:
    return datetime.now().strftime("%Y-%m-%d %H:%M:%S")


def builder(note: Path) -> str:
    """Who builds, in words; the note may be in the making."""
    try:
        said = json.loads(note.read_text())
    except (OSError, ValueError):
        return "by another process"
    return f"by process {said['process']} since {said['since']}"
