"""Choices that come out the same on every machine and Python version.

`random.Random` promises the sequence of `random()` only; its derived methods have changed between versions. A choice
here is a function of what is being chosen (its key), so adding a sentence to one filing leaves all others as they were.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


def number(*key: object) -> int:
    """A whole number in [0, 2**64) that depends on key alone."""
    text = "\x1f".join(str(part) for part in key)
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def between(low: int, high: int, *key: object) -> int:
    """A whole number from low to high, both included."""
    return low + number(*key) % (high - low + 1)


def pick(options: Sequence[Option], *key: object) -> Option:
    return options[number(*key) % len(options)]


def sample(options: Sequence[Option], count: int, *key: object) -> list[Option]:
    """count of the options (all, if there are fewer), in their own order."""
    ranked = sorted(range(len(options)), key=lambda index: (number(*key, index), index))
    return [options[index] for index in sorted(ranked[:count])]


def rotate(options: Sequence[Option], turn: int, *key: object) -> Option:
    """The option of this turn: a new one every turn until all have been used, starting at a place set by key."""
    return options[(number(*key) + turn) % len(options)]
