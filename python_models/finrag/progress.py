"""What is done and what is left of a long step: a bar on a terminal, a line now and then everywhere else.

A build that tells of everything itself (finrag.build.display) says what steps have done in its own lines.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Between two lines lie so many seconds, and a twentieth of the time that the step has taken: the next line of a step of
# ten hours can wait longer than that of a step of two minutes. A step shorter than this says nothing.
SECONDS = 15.0
SHARE_OF_TIME = 0.05
# What is left is said once so much was done since the first units were: before these lie loading a model and the like,
# which says nothing of the rest, and of less the guess is of no use.
SHARE_TO_ESTIMATE = 0.05
# Steps that are under way while somebody else tells of them; None where each tells of itself.
_HEARD: list[Lines] | None = None


class Lines:
    """Progress where there is no terminal: in the log of a scheduler, in a file, through a pipe.

    A thread tells, so that a step that is still loading its model says so too.
    """

    def __init__(self, description: str, total: int, unit: str) -> None:
        self.description, self.total, self.unit = description, total, unit
        self.done = 0
        # of the work, by who knows that units are not alike; else each unit is as much
        self.share = 0.0
        # seconds, units and share when the first were done
        self.begun: tuple[float, int, float] | None = None
        self.note = ""
        self.has_told = False
        self.started = time.monotonic()
        self.over = threading.Event()
        self.teller = threading.Thread(target=self.tell_now_and_then, name="progress", daemon=True)

    def update(self, count: int) -> None:
        """So many units more are done."""
        self.done += count
        if self.begun is None:
            self.begun = (time.monotonic() - self.started, self.done, self.share_done())

    def share_done(self) -> float:
        return self.share or self.done / max(self.total, 1)

    def set_postfix_str(self, note: str) -> None:
        self.note = note

    def tell_now_and_then(self) -> None:
        while not self.over.wait(pause(time.monotonic() - self.started)):
            self.tell()

    def tell(self) -> None:
        self.has_told = True
        print(f"{self.description}: {self.sentence(time.monotonic() - self.started)}", file=sys.stderr, flush=True)

    def sentence(self, seconds: float) -> str:
        """`1,200 of 10,838 texts done (11 %), 80.0 a second, about 2 min 0 s left`."""
        from finrag.build.results import duration

        parts = [f"{self.done:,} of {self.total:,} {self.unit}s done ({100 * self.done / self.total:.0f} %)"]
        begun, done_then, share_then = self.begun or (seconds, self.done, self.share_done())
        took, share = seconds - begun, self.share_done() - share_then
        if took > 0 and (rate := (self.done - done_then) / took) >= 1:
            parts.append(f"{rate:,.1f} a second")
        if self.done >= self.total:
            parts.append(f"in {duration(seconds)}")
        elif share >= SHARE_TO_ESTIMATE:
            parts.append(f"about {duration(max(1 - self.share_done(), 0) * took / share)} left")
        return ", ".join([*parts, self.note] if self.note else parts)

    def close(self) -> None:
        """The last line, where there were others."""
        self.over.set()
        self.teller.join()
        if self.has_told:
            self.tell()


def pause(seconds: float) -> float:
    """Seconds until the next line of a step that has taken so many."""
    return max(SECONDS, SHARE_OF_TIME * seconds)


@contextmanager
def heard(is_terminal: bool) -> Iterator[None]:
    """Inside, steps leave lines to the caller, who asks for `sentences`. On a terminal they have bars as ever."""
    global _HEARD
    _HEARD = None if is_terminal else []
    try:
        yield
    finally:
        _HEARD = None


def sentences() -> list[str]:
    """What each step that is under way has done."""
    now = time.monotonic()
    return [f"{lines.description}: {lines.sentence(now - lines.started)}" for lines in _HEARD or []]


@contextmanager
def progress(description: str, total: int, unit: str) -> Iterator:
    """A bar or lines on stderr, which nothing captures: `update(count)` moves it, `set_postfix_str` adds a note."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=total, desc=description, unit=unit, leave=False) as bar:
            yield bar
    elif total and (steps := _HEARD) is not None:
        lines = Lines(description, total, unit)
        steps.append(lines)
        try:
            yield lines
        finally:
            steps.remove(lines)
    elif total:
        lines = Lines(description, total, unit)
        lines.teller.start()
        try:
            yield lines
        finally:
            lines.close()
    else:
        yield Lines(description, total, unit)
