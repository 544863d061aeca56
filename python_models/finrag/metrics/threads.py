"""How many threads linear algebra takes."""

from __future__ import annotations

from threadpoolctl import threadpool_limits


def one_blas_thread() -> threadpool_limits:
    """A context with one thread for each matrix product; thousands of small ones are only slowed down by more."""
    import numpy  # noqa: F401 (only libraries that are loaded can be limited)

    return threadpool_limits(limits=1, user_api="blas")
