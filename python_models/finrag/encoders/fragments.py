"""A Lance table that workers write fragments of, and that only the process that builds adds them to."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from finrag.lance_folder import opened

if TYPE_CHECKING:
    import lance
    import pyarrow as pa

# Rows are added to a table after so many texts or seconds, whichever is first: what a killed build loses at most,
# beside the parts under way. A minute of a CPU is some 30,000 texts, so 41.6 million texts are some 1,400 versions.
FLUSH_TEXTS = 65_536
FLUSH_SECONDS = 60.0


class FragmentTable:
    """A table of one schema. Appends are atomic: a process killed in the middle leaves whole fragments or nothing."""

    schema: pa.Schema

    def __init__(self, path: str) -> None:
        """path: of the table, or its address."""
        self.path = path
        self._dataset: lance.LanceDataset | None = None

    def dataset(self) -> lance.LanceDataset | None:
        """The Lance dataset as it is now; None before there is one."""
        if self._dataset is None:
            self._dataset = opened(self.path)
        return self._dataset

    def create(self) -> None:
        """An empty table where there is none."""
        if self.dataset() is None:
            import lance

            self._dataset = lance.write_dataset(self.schema.empty_table(), self.path, self.schema)

    def fragments(self, batch: pa.Table) -> list[str]:
        """Rows of the schema as fragments of the table, which has to be there, and which they are no part of before
        `add` is told of them. As JSON."""
        from lance.fragment import write_fragments

        made = write_fragments(batch.cast(self.schema), self.path, mode="append")
        return [json.dumps(fragment.to_json()) for fragment in made]

    def add(self, fragments: Sequence[str]) -> None:
        """Make fragments part of the table, in one atomic step."""
        import lance

        version = self.dataset().version
        added = lance.LanceOperation.Append([lance.FragmentMetadata.from_json(fragment) for fragment in fragments])
        self._dataset = lance.LanceDataset.commit(self.path, added, read_version=version)


class Additions:
    """Fragments on their way into a table; those that wait are added at the end too, also where it fails."""

    def __init__(self, table: FragmentTable) -> None:
        self.table = table
        self.fragments: list[str] = []
        self.waiting = self.done = 0
        self.flushed = time.monotonic()

    def __enter__(self) -> Additions:
        return self

    def __exit__(self, *_) -> None:
        self.flush()

    def take(self, rows: int, fragments: Sequence[str]) -> None:
        self.fragments += fragments
        self.waiting += rows
        if self.waiting >= FLUSH_TEXTS or time.monotonic() - self.flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self.fragments:
            self.table.add(self.fragments)
        self.done += self.waiting
        self.fragments, self.waiting, self.flushed = [], 0, time.monotonic()
