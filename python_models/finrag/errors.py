"""Errors meant for the person running the build.

dbt prints them at the end of its output, so each message says what is wrong, what is allowed and what to do next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class FinragError(Exception):
    """A fault the user can mend: a path, a file, a registry row or a setting."""


def together(*readers: Callable[[], Any]) -> list:
    """What each of them returns. Raises one FinragError for all that they find wrong, to be mended in one go."""
    read, faults = [], []
    for reader in readers:
        try:
            read.append(reader())
        except FinragError as error:
            faults.append(str(error))
    if faults:
        # a file that cannot be read is told by each who reads it
        raise FinragError("\n".join(dict.fromkeys(faults)))
    return read
