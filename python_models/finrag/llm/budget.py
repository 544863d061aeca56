"""A hard limit on what calls may cost, safe with many calls at once.

Before an attempt the most it can cost is reserved; afterwards the reservation becomes what it did cost. Nothing is sent
unless money spent and money reserved stay within the limit together, so no order of events can overshoot it. An attempt
that ended without a reply but may be billed keeps its reservation.
"""

from __future__ import annotations

import math
import threading

LOOKS_EVERY_SECONDS = 0.2
"""How often a call that waits for others' reservations looks whether it is to be sent at all."""


class Budget:
    """USD that one process, which is one build, may spend."""

    def __init__(self, limit_usd: float):
        self._limit = limit_usd
        self._spent = 0.0
        self._reserved: list[float] = []
        self._refused = 0
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        return self._spent

    @property
    def refused(self) -> int:
        """How many calls could not be sent, or not again, for want of money."""
        return self._refused

    @property
    def left(self) -> float:
        return max(0.0, self._limit - self._spent)

    def with_limit(self, limit_usd: float) -> Budget:
        """Set the limit, which is that of the whole build; what was spent stays spent."""
        with self._changed:
            self._limit = limit_usd
            self._changed.notify_all()
        return self

    def reserve(self, amount: float, stopped: threading.Event | None = None) -> bool:
        """Set amount aside; waits while only other calls' reservations stand in the way, False when money does.

        False, too, once stopped is set, whatever is left.
        """
        stopped = stopped or threading.Event()
        if amount <= 0:
            return not stopped.is_set()
        with self._changed:
            while self._spent + amount <= self._limit and not stopped.is_set():
                if self._spent + math.fsum(self._reserved) + amount <= self._limit:
                    self._reserved.append(amount)
                    return True
                self._changed.wait(LOOKS_EVERY_SECONDS)
            self._refused += not stopped.is_set()
            return False

    def settle(self, reserved: float, spent: float) -> None:
        """Turn a reservation into what was spent."""
        with self._changed:
            if reserved > 0:  # each by itself: what a sum that is subtracted from leaves over would be waited for
                self._reserved.remove(reserved)
            self._spent += spent
            self._changed.notify_all()


_OF_PROCESS = Budget(0.0)


def budget_of_build(limit_usd: float) -> Budget:
    """The budget that all tasks of a build share: dbt runs every Python model in its own process."""
    return _OF_PROCESS.with_limit(limit_usd)


def refused_in_build() -> int:
    """How many calls of this build the budget left no money for."""
    return _OF_PROCESS.refused
