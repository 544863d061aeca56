"""Run a task over parts, wherever the environment says.

FINRAG_ENGINE is `here` (this process, the default) or `ray` (the cluster at RAY_ADDRESS). It says where work is done
and never what comes of it, so nothing that is stored, no run id and no fingerprint holds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from finrag.errors import FinragError

if TYPE_CHECKING:
    from finrag.progress import Lines

VARIABLE = "FINRAG_ENGINE"
ADDRESS = "RAY_ADDRESS"
HERE, RAY = "here", "ray"

Part = TypeVar("Part")
Result = TypeVar("Result")


def chosen() -> str:
    """The engine in use. Raises FinragError for one that there is not."""
    name = os.environ.get(VARIABLE) or HERE
    if name not in (HERE, RAY):
        raise FinragError(f"{VARIABLE} is {name!r}. Allowed: {HERE} (this process) and {RAY} (a cluster).")
    return name


def run(
    task: Callable[[Part], Result], parts: Iterable[Part], *, gpus: float = 0, bar: Lines | None = None
) -> Iterator[Result]:
    """What the task makes of each part, in the order of the parts.

    task: a function of a module, or a functools.partial of one, that depends on nothing but its arguments and files: it
    may run in another process, twice, and while others do, so what it leaves in files counts only once its result came.
    parts: made as they are needed; each names files or fragments and is small, as results are.
    gpus: how much of a GPU a part takes where the cluster has one. bar: is told how many processors work.

    What the task raises is raised here. Where workers or nodes are lost, their parts are run again on others.
    """
    if chosen() == HERE:
        return map(task, parts)
    from finrag.engine import cluster

    return cluster.run(task, parts, gpus, bar)
