"""The index of vectors over a Lance table, built part by part: each a fragment, whose segment whoever has it writes.

Segments are merged into one, which has the partitions of an index that is built at once, so that hits are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.engine.files import folder_of_parts
from finrag.engine.run import run
from finrag.tables import matrix

if TYPE_CHECKING:
    import lance
    import numpy as np
    from lance.dataset import Index

    from finrag.index.lance import SentenceIndex

# Vectors are compared by their dot product, and kept whole.
KIND, METRIC = "IVF_FLAT", "dot"
# Rows that partitions are trained on, for each; fewer where the table has fewer.
SAMPLE_RATE = 256


@dataclass(frozen=True)
class Wanted:
    """What all segments share: the table as it is now, the column of vectors, and the file of the partitions'
    centroids, (partitions, dimension) float32."""

    table: str
    version: int
    column: str
    centroids: Path

    @property
    def name(self) -> str:
        return f"{self.column}_idx"


def build(index: SentenceIndex, partitions: int) -> None:
    """Build the index over all rows, in place of the one there is. Partitions are trained here, once for all parts."""
    import numpy as np

    from finrag.progress import progress

    dataset = index.dataset()
    fragments = {fragment.fragment_id: fragment.count_rows() for fragment in dataset.get_fragments()}
    rows = sum(fragments.values())
    with (
        folder_of_parts(index.folder) as folder,
        progress(f"Building the index of {index.name}", rows, "sentence") as bar,
    ):
        wanted = Wanted(index.path, dataset.version, index.payload, folder / "centroids.npy")
        np.save(wanted.centroids, train(dataset, index.payload, partitions, min(SAMPLE_RATE, rows // partitions)))
        segments = []
        for segment, done in zip(
            run(partial(segment_part, wanted), fragments, bar=bar), fragments.values(), strict=True
        ):
            segments.append(segment)
            bar.update(done)
        whole = segments if len(segments) == 1 else [dataset.merge_existing_index_segments(segments)]
        dataset = dataset.commit_existing_index_segments(wanted.name, wanted.column, whole)
    # the segments that were merged, and the index that this one replaces; nobody else writes this table
    dataset.cleanup_old_versions(older_than=timedelta(0), delete_unverified=True)


def train(dataset: lance.LanceDataset, column: str, partitions: int, sample_rate: int) -> np.ndarray:
    """(partitions, dimension) float32 centroids, from so many rows for each. Lance draws the rows by chance, so that no
    two trainings are the same."""
    from lance.indices import IndicesBuilder

    model = IndicesBuilder(dataset, column).train_ivf(partitions, distance_type=METRIC, sample_rate=sample_rate)
    return matrix(model.centroids)


def segment_part(wanted: Wanted, fragment: int) -> Index:
    """The task that writes the segment of a fragment; returns what Lance has to know to commit it."""
    import lance
    import numpy as np

    centroids = np.load(wanted.centroids)
    return lance.dataset(wanted.table, version=wanted.version).create_index_uncommitted(
        wanted.column,
        KIND,
        name=wanted.name,
        metric=METRIC,
        replace=True,
        num_partitions=len(centroids),
        ivf_centroids=centroids,
        fragment_ids=[fragment],
    )
