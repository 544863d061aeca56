"""dbt's output as people should see it: an error meant for them without the traceback around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

TRACEBACK = "Traceback (most recent call last):"
ANNOUNCEMENT = "Python model failed:"
RAISED = re.compile(r"\s*(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*)(?:: (?P<message>.*))?$")
FOR_PEOPLE = re.compile(r"finrag\.(?:\w+\.)*(?:FinragError|\w+Error)$")
FRAME = re.compile(r"(Runtime|Database|Compilation) Error in|compiled code at|> in macro|> called by")
LOCKED = re.compile(r"Could not set lock on file \"(?P<file>[^\"]+)\".*?held in (?P<holder>.*?)(?: by user .*)?\. See")


def without_tracebacks(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with each traceback of an error of finrag replaced by its message.

    Any other traceback is a fault of the program and stays as it is.
    """
    held: list[str] = []
    indent = -1
    for line in lines:
        text = line.strip()
        if not held:
            if text in (ANNOUNCEMENT, TRACEBACK):
                held, indent = [line], depth(line) if text == TRACEBACK else -1
            else:
                yield line
            continue
        if indent < 0:
            if text != TRACEBACK:
                yield from held
                yield line
                held = []
                continue
            held.append(line)
            indent = depth(line)
            continue
        held.append(line)
        raised = RAISED.match(line) if depth(line) == indent else None
        if raised:
            if FOR_PEOPLE.match(raised["type"]):
                yield f"{' ' * indent}{raised['message'] or ''}\n"
            else:
                yield from held
            held = []
    yield from held


def depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def message_for_people(text: str) -> str:
    """The sentence in what dbt says of a failed node."""
    lines = [line.strip() for line in without_tracebacks(text.splitlines(keepends=True))]
    told = [line for line in lines if line and not FRAME.match(line)]
    locked = LOCKED.search(" ".join(told))
    if locked:
        return locked_sentence(locked)
    if TRACEBACK in told:
        last = next((line for line in reversed(told) if RAISED.match(line)), told[-1])
        return f"{last} (the traceback is above and in logs/dbt.log: this is a fault of the program)"
    return " ".join(told)


def locked_sentence(locked: re.Match) -> str:
    return (
        f"{locked['file']} is open in another process ({locked['holder']}). End it or close the file there, and let "
        "tools that read use the published file (warehouse/bi/finrag_bi.duckdb), which blocks no build."
    )
