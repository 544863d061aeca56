"""How the time to read a text grows with its length."""

from __future__ import annotations

import itertools
import time
import timeit
from collections.abc import Callable

# Below this, in seconds, a measurement says nothing of growth.
NOISE = 0.05
# Four times the text may take so many times as long; in quadratic time it takes 16 times.
LONGER = 9


def assert_linear(read: Callable[[str], object], passage: str, opening: str = "({}) ") -> None:
    """Reading a passage over and over takes about linear time. opening: what the text begins with, each time another
    where it has a place for a number, since what is read once is remembered."""
    numbers = itertools.count()

    def seconds(length: int, repeat: int = 3) -> float:
        text = (passage * length)[:length]
        timer = timeit.Timer(lambda: read(opening.format(next(numbers)) + text), timer=time.process_time)
        return min(timer.repeat(repeat, number=1))

    # what takes no longer than noise may is not measured against a shorter text, and only what seems to grow too fast,
    # for which another process may be the reason, is measured again
    longer = seconds(24_000, repeat=1)
    if longer >= LONGER * NOISE:
        most = LONGER * max(seconds(6_000), NOISE)
        assert longer < most or seconds(24_000) < most
