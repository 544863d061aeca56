"""Run a task over parts, wherever the environment says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from finrag.engine.choice import HERE, chosen

if TYPE_CHECKING:
    from finrag.progress import Lines

Part = TypeVar("Part")
Result = TypeVar("Result")


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
