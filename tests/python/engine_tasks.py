"""Tasks that the tests of the engine hand to workers, who import this file."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
from pyarrow import parquet

from finrag.encoders.parts import embed_part
from finrag.encoders.store import EmbeddingStore
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


def embed_part_dying_once(path, model, role, precision, file):
    """As embed_part, but the first worker without torch writes vectors of nothing and is killed before it can say so.

    Nothing is loaded for them: another worker that loads torch would be five seconds more.
    """
    marker = Path(os.environ["FINRAG_DIED"])
    if "torch" in sys.modules or marker.exists():
        return embed_part(path, model, role, precision, file)
    hashes = parquet.read_table(file)["text_hash"].to_pylist()
    store = EmbeddingStore(path, model)
    store.fragments(
        store.batch(hashes, role, np.zeros((len(hashes), model.dimension)), precision, [1] * len(hashes), 1)
    )
    marker.touch()
    os.kill(os.getpid(), signal.SIGKILL)


def slow_on(node: str, begun: str, number: int) -> int:
    """Takes so long on one node that it is lost in the middle of a part."""
    import ray

    if ray.get_runtime_context().get_node_id() == node:
        Path(begun).touch()
        time.sleep(60)
    time.sleep(0.2)
    return number
