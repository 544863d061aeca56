"""Removing what builds made. Calls to language models were paid for, so they are no part of it unless it is said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from finrag.build.turn import turn
from finrag.llm.ledger import Ledger, ledger_path
from finrag.project import dbt_target, warehouse

MADE = ("warehouse", "reports", "logs")
# Where else a user may have had a build write.
PLACES = ("FINRAG_DATABASE", "FINRAG_LANCE", "FINRAG_TEMP", "FINRAG_BI")
# Of a clone: dbt alone makes no folder for the database.
KEEPS_FOLDER = Path("warehouse/.gitkeep")


def clean() -> None:
    """Remove the warehouse, reports, logs and what dbt compiled; the ledger and the locks in use stay.

    Raises FinragError while the warehouse is being built.
    """
    with turn(warehouse()) as ended:
        lock = warehouse().with_name(f"{warehouse().name}.lock")
        kept = {path.resolve() for path in (*ledger_files(), lock, KEEPS_FOLDER)}
        for folder in (*map(Path, MADE), dbt_target()):
            # what a link leads to is emptied; the link is the user's
            for path in folder.iterdir() if folder.is_symlink() and folder.is_dir() else (folder,):
                remove(path, kept)
        ended.status, ended.is_gate_decided = 0, True  # there is none


def left_elsewhere() -> list[str]:
    """What builds made where the user put it, which is no folder of the project: a line each."""
    here = [Path(folder).resolve() for folder in (*MADE, dbt_target())]
    places = {name: os.environ[name] for name in PLACES if os.environ.get(name)}
    return [
        f"{path} ({name})"
        for name, path in places.items()
        if Path(path).exists() and not any(Path(path).resolve().is_relative_to(folder) for folder in here)
    ]


def remove(path: Path, kept: set[Path]) -> None:
    """Remove a file, or a folder but for the files to keep in it."""
    if path.resolve() in kept:
        return
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
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
