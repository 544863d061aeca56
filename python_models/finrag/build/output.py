"""dbt's output as people should see it: an error meant for them without the traceback around it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from finrag.errors import FinragError
from finrag.project import command

TRACEBACK = "Traceback (most recent call last):"
ANNOUNCEMENT = "Python model failed:"
RAISED = re.compile(r"\s*(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (?P<message>.*))?$")
FOR_PEOPLE = re.compile(r"finrag\.(?:\w+\.)*(?:FinragError|\w+Error)$")
# What dbt puts before a line of its own.
TIME = re.compile(r"^\d\d:\d\d:\d\d  ")
CHAINED = (
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)
FRAME = re.compile(r"(Runtime|Database|Compilation) Error in|compiled code at|> in macro|> called by")
LOCKED = re.compile(r"Could not set lock on file \"(?P<file>[^\"]+)\".*?held in (?P<holder>.*?)(?: by user .*)?\. See")

INVALID = re.compile(r"The file \"(?P<file>[^\"]+)\" exists, but it is not a valid DuckDB database file")
# What is said of such a file.
NO_DATABASE = "is no DuckDB database"


def without_tracebacks(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with each traceback of an error of finrag replaced by its message.

    Any other traceback is a fault of the program and stays as it is. Tracebacks that are chained are one.
    """
    block = Block()
    for line in lines:
        if not block.takes(line):
            yield from block.told()
            block = Block()
            if not block.takes(line):
                yield line
    yield from block.told()


class Block:
    """The lines of a traceback, its announcement included, and of those chained to it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.after: list[str] = []
        self.indent = -1
        self.raised: re.Match | None = None

    def takes(self, line: str) -> bool:
        """Whether the line belongs here."""
        line_of_dbt, line = line, TIME.sub("", line)
        text = line.strip()
        if text == TRACEBACK and (self.raised is None or any(part.strip() in CHAINED for part in self.after)):
            self.lines += [*self.after, line_of_dbt]
            self.after, self.indent, self.raised = [], depth(line), None
            return True
        if self.raised is not None:
            if text and text not in CHAINED:
                return False
            self.after.append(line_of_dbt)
            return True
        if self.indent < 0:
            if text != ANNOUNCEMENT:
                return False
            self.lines.append(line_of_dbt)
            return True
        self.lines.append(line_of_dbt)
        self.raised = RAISED.match(line) if depth(line) == self.indent else None
        return True

    def told(self) -> list[str]:
        """What people are shown of it: nothing where someone pressed Ctrl-C, who knows."""
        if self.raised and self.raised["type"] == "KeyboardInterrupt":
            return []
        if self.raised and FOR_PEOPLE.match(self.raised["type"]):
            return [f"{' ' * self.indent}{self.raised['message'] or ''}\n", *self.after]
        return self.lines + self.after


def depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


DISK_FULL = re.compile(r"[^.:\n]*(?:: |\s)(?:No space left on device|File too large|Disk quota exceeded)")
OUT_OF_MEMORY = re.compile(r"Out of Memory Error: (?P<what>[^\n]*)|std::bad_alloc|MemoryError|Cannot allocate memory")


def message_for_people(text: str) -> str:
    """The sentence in what dbt says of a failed node."""
    if shortage := shortage_in(text):
        return shortage
    lines = [line.strip() for line in without_tracebacks(text.splitlines(keepends=True))]
    told = [line for line in lines if line and not FRAME.match(line)]
    locked = LOCKED.search(" ".join(told))
    if locked:
        return locked_sentence(locked)
    if invalid := INVALID.search(" ".join(told)):
        return no_database_sentence(invalid)
    if TRACEBACK in told:
        last = next((line for line in reversed(told) if RAISED.match(line)), told[-1])
        return f"{last} (the traceback is below and in logs/dbt.log: this is a fault of the program)"
    return " ".join(told)


def tracebacks_in(text: str) -> str:
    """What dbt says of a failed node where that holds a traceback that is meant for nobody; else nothing."""
    told = "".join(without_tracebacks(text.splitlines(keepends=True)))
    return told if TRACEBACK in told and not shortage_in(text) else ""


def locked_sentence(locked: re.Match) -> str:
    return (
        f"{locked['file']} is open in another process ({locked['holder']}). End it or close the file there, and let "
        "tools that read use the published file (warehouse/bi/finrag_bi.duckdb), which blocks no build."
    )


def no_database_sentence(invalid: re.Match) -> str:
    return (
        f"{invalid['file']} {NO_DATABASE}: it is damaged, or of another program. A warehouse is a DuckDB file that a "
        "build wrote; FINRAG_DATABASE says which. Move this file away, or remove what builds made "
        f"({command('clean')}); the next build makes it anew."
    )


def sentence_of(error: Exception) -> str:
    """An error for people, of the disk or of the warehouse's file, and what to do; empty of a fault of the program."""
    if isinstance(error, FinragError):
        return str(error)
    import duckdb

    if shortage := shortage_in(f"{type(error).__name__}: {error}"):
        return shortage
    first = str(error).strip().partition("\n")[0]
    if isinstance(error, duckdb.IOException):
        if locked := LOCKED.search(" ".join(str(error).split())):
            return locked_sentence(locked)
        if invalid := INVALID.search(str(error)):
            return no_database_sentence(invalid)
        return f"{first} A warehouse is a DuckDB file that a build wrote; FINRAG_DATABASE says which."
    if isinstance(error, (duckdb.CatalogException, duckdb.BinderException)):
        return f"The warehouse is of another version, or no build of it came so far: {first}. {command('build')}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}. It has to be a place that can be read and written."
    return ""


def shortage_in(text: str) -> str:
    """What to do where the disk or the memory was too small; empty where it was something else."""
    if full := DISK_FULL.search(text):
        return (
            f"The disk is full ({full[0].strip()}). What was being made is as it was before. Free space there, or put "
            "the warehouse, vectors, calls or what DuckDB spills elsewhere (FINRAG_DATABASE, FINRAG_LANCE, "
            "FINRAG_LEDGER, FINRAG_TEMP); the next build goes on from here."
        )
    if short := OUT_OF_MEMORY.search(text):
        limit, threads = os.environ.get("FINRAG_MEMORY_LIMIT", "4GB"), os.environ.get("FINRAG_THREADS", "4")
        return (
            f"Memory was too small ({short['what'] or short[0]}). What was being made is as it was before. Raise "
            f"FINRAG_MEMORY_LIMIT (now {limit}), or build fewer models at a time (FINRAG_THREADS, now {threads}); the "
            "next build goes on from here."
        )
    return ""
