"""Tasks that the tests of the engine hand to workers, who import this file."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from finrag.encoders.parts import embed_part
from finrag.errors import FinragError


def square(number: int) -> int:
    return number * number


def where(part: int) -> tuple[int, int, str, str | None]:
    time.sleep(0.05)
    return part, os.getpid(), os.getcwd(), os.environ.get("FINRAG_MARK")


def fail_at_three(number: int) -> int:
    if number == 3:
        raise FinragError("Part three is at fault. Correct it.")
    return number


def divide(number: int) -> float:
    return 1 / number


def die_once(folder: str, number: int) -> int:
    """Kills its worker the first time that it is given the number 2."""
    marker = Path(folder) / "died"
    if number == 2 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def embed_part_dying_once(*arguments):
    """As embed_part, but the first worker that has written its fragments is killed before it can say so."""
    marker = Path(os.environ["FINRAG_DIED"])
    done = embed_part(*arguments)
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return done
    os.kill(os.getpid(), signal.SIGKILL)


def slow_on(node: str, begun: str, number: int) -> int:
    """Takes so long on one node that it is lost in the middle of a part."""
    import ray

    if ray.get_runtime_context().get_node_id() == node:
        Path(begun).touch()
        time.sleep(60)
    time.sleep(0.2)
    return number
