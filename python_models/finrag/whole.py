"""Files that are there whole or not at all, whenever their writer is killed."""

from __future__ import annotations

import glob
import os
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PARTIAL = ".partial"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder where there is none. Of those that write one at once the last stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}{PARTIAL}")
    with partial.open("wb") as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def partials(path: Path) -> list[Path]:
    """What writers of a file left that were killed."""
    return [*path.parent.glob(f"{glob.escape(path.name)}.*{PARTIAL}")]
