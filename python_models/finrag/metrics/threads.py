"""How many threads linear algebra takes."""

from __future__ import annotations

from threadpoolctl import threadpool_limits


def one_blas_thread() -> threadpool_limits:
    """A context in which each matrix product runs on one thread: of thousands of small ones, several only slow it down.

    Only libraries that are loaded can be limited, so numpy is loaded first.
    """
    import numpy  # noqa: F401

    return threadpool_limits(limits=1, user_api="blas")
