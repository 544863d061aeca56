"""How many threads linear algebra takes."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCK = threading.Lock()
_inside = 0
_limits: threadpool_limits | None = None
_own: int | None = None


def processors() -> int:
    """Threads of our own that a step may take: one for each processor, of a worker of a cluster its one."""
    return _own or os.cpu_count() or 1


def keep_one_processor() -> None:
    """For the rest of this process, which has others of its kind beside it."""
    global _own
    _own = 1
    os.environ["LANCE_CPU_THREADS"] = "1"  # of Lance, which asks when it is first used
    keep_one_blas_thread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """One thread for each matrix product: thousands of small ones, and those of several threads, are slowed by more.

    The limit is the process's. dbt runs several models at once, so the last of those inside lifts it.
    """
    import numpy  # noqa: F401 (only libraries that are loaded can be limited)

    global _inside, _limits
    with _LOCK:
        _inside += 1
        if _inside == 1:
            _limits = threadpool_limits(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _LOCK:
            _inside -= 1
            if not _inside:
                _limits.restore_original_limits()


def keep_one_blas_thread() -> None:
    """For the rest of this process: a product's last digits depend on its threads, so no model may find another number.

    What is large is cut into parts for threads of our own (finrag.index.exact, finrag.scoring.bertscore).
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # where numpy is not yet loaded
    threadpool_limits(limits=1, user_api="blas")  # where it is
