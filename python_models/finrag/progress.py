"""What is done and what is left of a long step: a bar on a terminal, a line now and then everywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Between two lines lie so many seconds, and a twentieth of the time that the step has taken: the next line of a step of
# ten hours can wait longer than that of a step of two minutes. A step shorter than this says nothing.
SECONDS = 15.0
SHARE_OF_TIME = 0.05


class Lines:
    """Progress where there is no terminal: in the log of a scheduler, in a file, through a pipe."""

    def __init__(self, description: str, total: int, unit: str) -> None:
        self.description, self.total, self.unit = description, total, unit
        self.done = 0
        self.note = ""
        self.started = self.told_at = time.monotonic()

    def update(self, count: int) -> None:
        """So many units more are done."""
        self.done += count
        now = time.monotonic()
        if now - self.told_at >= max(SECONDS, SHARE_OF_TIME * (now - self.started)):
            self.tell(now)

    def set_postfix_str(self, note: str) -> None:
        self.note = note

    def tell(self, now: float) -> None:
        self.told_at = now
        print(f"{self.description}: {self.sentence(now - self.started)}", file=sys.stderr, flush=True)

    def sentence(self, seconds: float) -> str:
        """`1,200 of 10,838 texts done (11 %), 80.0 a second, 2 min 0 s left`."""
        from finrag.build.results import duration

        parts = [f"{self.done:,} of {self.total:,} {self.unit}s done ({self.done / self.total:.0%})".replace("%", " %")]
        if self.done:
            rate = self.done / seconds
            left = self.total - self.done
            parts.append(f"{rate:,.1f} a second")
            parts.append(f"about {duration(left / rate)} left" if left else f"in {duration(seconds)}")
        return ", ".join([*parts, self.note] if self.note else parts)

    def close(self) -> None:
        """The last line, where there were others."""
        if self.told_at != self.started and self.done:
            self.tell(time.monotonic())


@contextmanager
def progress(description: str, total: int, unit: str) -> Iterator:
    """A bar or lines on stderr, which nothing captures: `update(count)` moves it, `set_postfix_str` adds a note."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=total, desc=description, unit=unit) as bar:
            yield bar
    else:
        lines = Lines(description, total, unit)
        yield lines
        lines.close()
