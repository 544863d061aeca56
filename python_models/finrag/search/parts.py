"""Exact search part by part, of tables too large to be kept: each part some rows, whose best are found wherever it is.

Scores do not depend on the rows around them and the ranking is total, so the best of the parts' best are those of a
search of the whole, wherever it is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from finrag.engine.files import folder_of_parts, whole
from finrag.engine.run import run
from finrag.index import exact
from finrag.index.lance import BATCH_ROWS
from finrag.tables import matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from finrag.index.groups import RowGroups
    from finrag.index.lance import SentenceIndex

# Rows of a part: of 384 numbers 0.8 GB, which are streamed. 72 million are 137 parts.
PART_ROWS = 524_288


@dataclass(frozen=True)
class Asked:
    """What all parts of a search share: the table as it is now, the folder of the arrays, and how many hits a query
    wants."""

    table: str
    version: int
    folder: Path
    k: int

    def array(self, name: str) -> np.ndarray | None:
        """An array of the search, of which only what is used is read; None where the search has none."""
        file = self.folder / f"{name}.npy"
        return np.load(file, mmap_mode="r") if file.exists() else None

    def blocks(self, rows: range) -> Iterator[np.ndarray]:
        """(n, dimension) float32 blocks of the vectors of these rows."""
        import lance

        read = {"columns": ["vector"], "batch_size": BATCH_ROWS, "offset": rows.start, "limit": len(rows)}
        for batch in lance.dataset(self.table, version=self.version).to_batches(**read):
            yield matrix(batch["vector"])


def search_in_parts(
    index: SentenceIndex,
    queries: np.ndarray,
    k: int,
    order: np.ndarray,
    query_groups: np.ndarray | None = None,
    row_groups: RowGroups | None = None,
) -> exact.Hits:
    """As exact.search of all vectors of the index."""
    from finrag.progress import progress

    arrays = {"queries": queries, "order": order}
    if row_groups is not None:
        arrays |= {"query_groups": query_groups, "row_groups": row_groups.codes}
    with (
        folder_of_parts(index.folder) as folder,
        progress(f"Searching {index.name}", len(order), "sentence") as bar,
    ):
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)

        def found() -> Iterator[exact.Hits]:
            task = partial(search_part, Asked(index.path, index.dataset().version, folder, k))
            parts = (range(start, min(start + PART_ROWS, len(order))) for start in range(0, len(order), PART_ROWS))
            for file, rows in run(task, parts, bar=bar):
                yield read_hits(file)
                Path(file).unlink()
                bar.update(rows)

        return exact.merged(found(), k, order)


def search_part(asked: Asked, rows: range) -> tuple[str, int]:
    """The task that finds the k best of some rows for each query; returns the file with them, and how many rows."""
    groups = {}
    if (row_groups := asked.array("row_groups")) is not None:
        groups = {
            "query_groups": asked.array("query_groups"),
            "row_groups": np.array(row_groups[rows.start : rows.stop]),
        }
    order = asked.array("order")[rows.start : rows.stop]
    hits = exact.search(asked.array("queries"), asked.blocks(rows), asked.k, order=order, **groups)
    file = asked.folder / f"hits-{rows.start}.npz"
    with whole(file) as path, path.open("wb") as stream:
        np.savez(stream, query=hits.query, row=hits.row + rows.start, rank=hits.rank, score=hits.score)
    return str(file), len(rows)


def read_hits(file: str) -> exact.Hits:
    with np.load(file) as found:
        return exact.Hits(**found)
