"""How the time to read a text grows with its length."""

from __future__ import annotations

import itertools
import time
import timeit
from collections.abc import Callable

# Below this, in seconds, a measurement says nothing of growth.
NOISE = 0.05


def assert_linear(read: Callable[[str], object], passage: str, opening: str = "({}) ") -> None:
    """Reading a passage over and over takes about linear time. opening: what the text begins with, each time another
    where it has a place for a number, since what is read once is remembered."""
    numbers = itertools.count()

    def seconds(length: int) -> float:
        text = (passage * length)[:length]
        timer = timeit.Timer(lambda: read(opening.format(next(numbers)) + text), timer=time.process_time)
        return min(timer.repeat(3, number=1))

    seconds(100)
    # four times the text; in quadratic time 16 times as long
    assert seconds(24_000) < 9 * max(seconds(6_000), NOISE)
