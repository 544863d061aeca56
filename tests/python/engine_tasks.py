"""Tasks that the tests of the engine hand to workers, who import this file."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from finrag.encoders import encoder, parts
from finrag.encoders.encoder import EncodedBatch
from finrag.errors import FinragError

# As they are before a test puts others in their place.
EMBED_PART, DECIDED_PRECISION = parts.embed_part, parts.decided_precision


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


class Plain:
    """An encoder without a network: a text's vector holds its bytes, so many at a time."""

    max_tokens = 64

    def __init__(self, model) -> None:
        self.dimension = model.dimension

    def usable(self, stored: str | None) -> str:
        return "fp32"

    def encode(self, texts: list[str], role: str, precision: str) -> Iterator[EncodedBatch]:
        for start in range(0, len(texts), 8):
            some = texts[start : start + 8]
            values = [np.resize(np.frombuffer(text.encode(), np.uint8), self.dimension) for text in some]
            vectors = np.array(values, np.float32)
            yield EncodedBatch(range(start, start + len(some)), vectors, [len(text.split()) for text in some])


def plainly(task: Callable, *arguments):
    """A task with that encoder, in a process that may have another task next."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "load_encoder", Plain)
        return task(*arguments)


def precision_plainly(*arguments) -> str:
    return plainly(DECIDED_PRECISION, *arguments)


def embed_part_plainly(*arguments) -> list[str]:
    return plainly(EMBED_PART, *arguments)


def embed_part_dying_once(*arguments) -> list[str] | None:
    """As embed_part, but the first worker that has written its fragments is killed before it can say so."""
    marker = Path(os.environ["FINRAG_DIED"])
    done = embed_part_plainly(*arguments)
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return done
    os.kill(os.getpid(), signal.SIGKILL)


def embed_part_lost(*arguments) -> list[str]:
    """As embed_part, but on one node it never ends once its fragments are written. Others wait until it has a part."""
    import ray

    done, written = embed_part_plainly(*arguments), Path(os.environ["FINRAG_WRITTEN"])
    if ray.get_runtime_context().get_node_id() == os.environ["FINRAG_LOST"]:
        written.touch()
        time.sleep(600)
    started = time.monotonic()
    while not written.exists():
        if time.monotonic() - started > 300:
            raise TimeoutError("The node that is to be lost was given no part within five minutes.")
        time.sleep(0.05)
    return done


def embed_part_noted(*arguments) -> list[str]:
    """As embed_part, with the part's hashes written down; once so many are, where a number is given, it never ends."""
    notes = Path(os.environ["FINRAG_NOTES"])
    if "FINRAG_STOP_AT" in os.environ and len(noted(notes)) >= int(os.environ["FINRAG_STOP_AT"]):
        notes.with_suffix(".stopped").touch()
        time.sleep(600)
    with notes.open("a") as file:
        file.write("".join(f"{key}\n" for key in parts.read(arguments[-1])[0]))
    return embed_part_plainly(*arguments)


def noted(notes: Path) -> list[str]:
    return notes.read_text().split() if notes.exists() else []
