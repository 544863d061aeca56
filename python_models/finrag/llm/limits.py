"""Requests and tokens per minute, shared by all threads that use a model."""

from __future__ import annotations

import threading
import time
from collections import deque

WINDOW_SECONDS = 60.0


class RateLimit:
    """At most so many requests and tokens in any window; the provider's own pauses hold for every thread."""

    def __init__(self, requests: float | None, tokens: float | None, window: float = WINDOW_SECONDS):
        self._requests = requests or float("inf")
        self._tokens = tokens or float("inf")
        self._window = window
        self._sent: deque[list[float]] = deque()  # [moment, tokens]
        self._not_before = 0.0
        self._lock = threading.Lock()

    def acquire(
        self,
        tokens: int,
        timeout: float | None = None,
        stopped: threading.Event | None = None,
        longest_pause: float = float("inf"),
    ) -> bool:
        """Wait for room for one request of so many tokens; False when that takes longer than timeout, or is stopped.

        A request larger than the whole limit goes when nothing else is in the window. longest_pause: of the provider's
        own pauses, the longest that is waited for.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            with self._lock:
                now = time.monotonic()
                if self._not_before - now > longest_pause:
                    return False
                wait = self._wait(now, tokens)
                if wait <= 0:
                    self._sent.append([now, tokens])
                    return True
            if end is not None and now + wait > end:
                return False
            if stopped is None:
                time.sleep(wait)
            elif stopped.wait(wait):
                return False

    def _wait(self, now: float, tokens: int) -> float:
        """Seconds until there may be room, 0 when there is."""
        while self._sent and self._sent[0][0] <= now - self._window:
            self._sent.popleft()
        if now < self._not_before:
            return self._not_before - now
        used = sum(entry[1] for entry in self._sent)
        if not self._sent or (len(self._sent) + 1 <= self._requests and used + tokens <= self._tokens):
            return 0.0
        return max(0.001, self._sent[0][0] + self._window - now)

    def paused(self) -> float:
        """Seconds that the provider's own pause still takes."""
        return max(0.0, self._not_before - time.monotonic())

    def pause(self, seconds: float) -> None:
        """Hold every request back for a while, as a Retry-After asks."""
        with self._lock:
            self._not_before = max(self._not_before, time.monotonic() + seconds)


_LIMITS: dict[str, RateLimit] = {}
_LIMITS_LOCK = threading.Lock()


def limit_of(model) -> RateLimit:
    """The limit that every task of this process shares for a model."""
    with _LIMITS_LOCK:
        name = f"{model.model_id} {model.endpoint} {model.requests_per_minute} {model.tokens_per_minute}"
        if name not in _LIMITS:
            _LIMITS[name] = RateLimit(model.requests_per_minute, model.tokens_per_minute)
        return _LIMITS[name]
