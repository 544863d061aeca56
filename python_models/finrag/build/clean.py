"""Removing what builds made. Calls to language models were paid for, so they are no part of it unless it is said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from finrag import gate
from finrag.build.turn import note_of as building
from finrag.build.turn import turn
from finrag.build.unchanged import note_of as built
from finrag.corpus.paths import DEMO_DIRECTORY
from finrag.lance_folder import DEFAULT as LANCE
from finrag.llm.ledger import Ledger, ledger_path
from finrag.project import DEFAULT_DATABASE, DEFAULT_REPORT, dbt_target, warehouse
from finrag.publish.files import DEFAULT_FILE, Publication
from finrag.whole import partials

# Folders of a project in which users keep files of their own too; what dbt compiled is its alone.
FOLDERS = ("warehouse", "reports", "logs")
TEMP = "warehouse/tmp"
# Where else a user may have had a build write.
PLACES = ("FINRAG_DATABASE", "FINRAG_LANCE", "FINRAG_TEMP", "FINRAG_BI")
# Of a clone: dbt alone makes no folder for the database.
KEEPS_FOLDER = Path("warehouse/.gitkeep")


def clean() -> list[Path]:
    """Remove the warehouse, reports, logs and what dbt compiled; the ledger and the locks in use stay.

    What lies in their folders beside that stays too, and is given back. Raises FinragError while the warehouse is being
    built.
    """
    with turn(warehouse()) as ended:
        lock = warehouse().with_name(f"{warehouse().name}.lock")
        kept = {path.resolve() for path in (*ledger_files(), lock, KEEPS_FOLDER)}
        target = dbt_target()
        # what a link leads to is emptied; the link is the user's
        compiled = target.iterdir() if target.is_symlink() and target.is_dir() else (target,)
        for path in [*filter(is_in_folders, made()), *compiled]:
            remove(path, kept)
        left = [path for folder in FOLDERS for path in left_in(Path(folder), kept)]
        ended.status, ended.is_gate_decided = 0, True  # there is none
    return left


def made() -> list[Path]:
    """What builds, the gate and reports write, by the names that it has unless a user says another, and by that."""
    databases = {Path(DEFAULT_DATABASE), warehouse()}
    places = {LANCE, TEMP, *(os.environ.get(name) for name in ("FINRAG_LANCE", "FINRAG_TEMP"))}
    files = (*(gate.REPORTS / name for name in gate.FILES), Path(DEFAULT_REPORT), *map(built, databases))
    return [
        *(each.with_name(each.name + ending) for each in databases for ending in ("", ".wal", ".tmp")),
        *map(building, databases),
        *(path for file in (Path(DEFAULT_FILE), Publication.configured().file) for path in Publication(file).paths()),
        *(Path(place) for place in places if place),
        DEMO_DIRECTORY,
        *(path for file in files for path in (file, *partials(file))),
        *Path("logs").glob("dbt.log*"),
    ]


def is_in_folders(path: Path) -> bool:
    """Inside of a folder of the project that builds write in, and not the folder."""
    place = path.parent.resolve() / path.name
    folders = [Path(name).resolve() for name in FOLDERS]
    return path.name != ".." and any(place.is_relative_to(folder) and place != folder for folder in folders)


def left_in(folder: Path, kept: set[Path]) -> list[Path]:
    """What is in a folder and is not kept for us; the folder goes where nothing is."""
    if not folder.is_dir():
        return []
    own = {path.resolve().parent for path in (ledger_path(), Path(DEFAULT_FILE), Publication.configured().file)}
    parts = sorted(part for part in folder.iterdir() if part.resolve() not in kept)
    left = [path for part in parts for path in (left_in(part, kept) if part.resolve() in own else [part])]
    if not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()
    return left


def left_elsewhere() -> list[str]:
    """What builds made where the user put it, which is no folder of the project: a line each."""
    here = [Path(folder).resolve() for folder in (*FOLDERS, dbt_target())]
    places = {name: os.environ[name] for name in PLACES if os.environ.get(name)}
    return [
        f"{path} ({name})"
        for name, path in places.items()
        if Path(path).exists() and not any(Path(path).resolve().is_relative_to(folder) for folder in here)
    ]


def remove(path: Path, kept: set[Path]) -> None:
    """Remove a file, or a folder but for the files to keep in it."""
    if path.resolve() in kept or not (path.exists() or path.is_symlink()):
        return
    if path.is_symlink() or not path.is_dir():
        path.unlink()
    elif any(file.is_relative_to(path.resolve()) for file in kept):
        for part in path.iterdir():
            remove(part, kept)
    else:
        shutil.rmtree(path)


def ledger_files() -> list[Path]:
    """The ledger, and what SQLite and its lock put beside it."""
    return [ledger_path().with_name(ledger_path().name + ending) for ending in ("", "-wal", "-shm", ".lock")]


def paid_calls() -> str | None:
    """What the ledger holds, in words; None where there is none."""
    if not ledger_path().exists():
        return None
    with Ledger(ledger_path()) as ledger:
        costs = [cost for (cost,) in ledger.rows(("cost_usd",))]
    return f"{ledger_path()} holds {len(costs):,} calls to language models for {sum(costs):,.2f} USD"


def clean_calls() -> None:
    """Remove the ledger."""
    for path in ledger_files():
        path.unlink(missing_ok=True)
