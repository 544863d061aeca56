"""Keys as numbers: 64-bit hashes of ids in arrays, eight bytes a key where a string takes fifty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    # ids, or their hashes
    Keys = Sequence[str] | pa.Array | pa.ChunkedArray | np.ndarray


def hashed(keys: Keys) -> np.ndarray:
    """uint64 hash of each key, shape (n,); an array of hashes is given back as it is.

    Equal within one installation; a hash that is written down may be another under the next version of Polars.
    """
    import numpy as np
    import polars as pl
    import pyarrow as pa

    if isinstance(keys, np.ndarray) and keys.dtype == np.uint64:
        return keys
    array = keys if isinstance(keys, pa.Array | pa.ChunkedArray) else pa.array(keys, pa.string())
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    return np.concatenate([np.empty(0, np.uint64), *(pl.from_arrow(chunk).hash().to_numpy() for chunk in chunks)])


class Places:
    """Where each key stands, found by binary search.

    Two ids that share a hash are taken for one: with 41.6 million texts that happens once in 20,000 corpora.
    """

    def __init__(self, parts: Iterable[tuple[np.ndarray, np.ndarray]]) -> None:
        """parts: hashes and positions, (n,) each; of equal hashes the one given first counts."""
        import numpy as np

        hashes, positions = zip((np.empty(0, np.uint64), np.empty(0, np.int64)), *parts, strict=True)
        unsorted = np.concatenate(hashes)
        order = np.argsort(unsorted, kind="stable")
        self.hashes = unsorted[order]
        self.positions = np.concatenate(positions)[order]

    def of(self, keys: Keys) -> np.ndarray:
        """(n,) int64 position of each key, -1 where there is none."""
        import numpy as np

        wanted = hashed(keys)
        if not len(self.hashes):
            return np.full(len(wanted), -1, np.int64)
        # in their order, as each search then reads what the one before it has read: 13 times as fast among 16 million
        order = np.argsort(wanted)
        place = np.empty(len(wanted), np.int64)
        place[order] = np.minimum(np.searchsorted(self.hashes, wanted[order]), len(self.hashes) - 1)
        return np.where(self.hashes[place] == wanted, self.positions[place], -1)
