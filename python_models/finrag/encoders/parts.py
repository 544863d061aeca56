"""Embedding part by part: each part a file of texts, which whoever has it turns into fragments of the store's table.

Only the process that builds adds the fragments to the table, so a part that is computed twice counts once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from finrag.encoders.models import EmbeddingModel
from finrag.encoders.store import EmbeddingStore
from finrag.engine.files import folder_of_parts
from finrag.engine.run import run

# Vectors are added to the table after so many texts or seconds, whichever is first: what a killed build loses at most,
# beside the parts under way. A minute of a CPU is some 30,000 texts, so 41.6 million texts are some 1,400 versions.
FLUSH_TEXTS = 65_536
FLUSH_SECONDS = 60.0
# Characters of a part: a share of the job's, so that also a small job is for many processors, within bounds. Of fewer,
# too few texts have one length to fill batches of the encoder; more take a processor a quarter of a minute.
JOB_SHARE = 32
LEAST_CHARACTERS = 65_536
MOST_CHARACTERS = 1_048_576

Pairs = Sequence[tuple[str, str]]


def embed_in_parts(store: EmbeddingStore, role: str, sample: Sequence[str], count: int, slices: Iterable[Pairs]) -> int:
    """Compute vectors of texts and add them to the store as they come; returns how many.

    sample: texts that decide the precision where the store has none yet. count: texts of all slices. slices: texts with
    their hashes, so many at a time.
    """
    from finrag.progress import progress

    store.create()
    characters = part_characters(sample, count)
    with (
        progress(f"Embedding {store.model.model_id}", count, "text") as bar,
        folder_of_parts(store.path.parent) as folder,
        Additions(store) as additions,
    ):
        (precision,) = run(
            partial(decided_precision, store.model, role, store.precision()),
            [written(folder, "sample", sample)],
            gpus=1,
        )
        files = (
            written(folder, f"{number}-{place}", *zip(*part, strict=True))
            for number, pairs in enumerate(slices)
            for place, part in enumerate(cut(pairs, characters))
        )
        task = partial(embed_part, store.path, store.model, role, precision)
        for file, rows, fragments in run(task, files, gpus=1, bar=bar):
            additions.take(rows, fragments)
            bar.update(rows)
            Path(file).unlink()
    return additions.done


class Additions:
    """Fragments on their way into the store's table; those that wait are added at the end too, also where it fails."""

    def __init__(self, store: EmbeddingStore) -> None:
        self.store = store
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
            self.store.add(self.fragments)
        self.done += self.waiting
        self.fragments, self.waiting, self.flushed = [], 0, time.monotonic()


def part_characters(sample: Sequence[str], count: int) -> int:
    """Decided by the texts alone: on any number of processors the parts are the same, and so are the vectors."""
    mean = sum(map(len, sample)) / len(sample)
    return int(min(max(mean * count / JOB_SHARE, LEAST_CHARACTERS), MOST_CHARACTERS))


def cut(pairs: Pairs, characters: int) -> Iterator[Pairs]:
    """Parts of texts that are about equally long, the longest first, cut before the text that is one too many."""
    ordered = sorted(pairs, key=lambda pair: (-len(pair[1]), pair[0]))
    start = held = 0
    for place, (_, text) in enumerate(ordered):
        if place > start and held + len(text) > characters:
            yield ordered[start:place]
            start, held = place, 0
        held += len(text)
    if ordered:
        yield ordered[start:]


def written(folder: Path, name: str, hashes: Sequence[str], texts: Sequence[str] | None = None) -> str:
    """The path of a new file with texts and their hashes, or with texts alone."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = {"text": hashes} if texts is None else {"text_hash": hashes, "text": texts}
    path = folder / f"{name}.parquet"
    schema = pa.schema([(column, pa.string()) for column in columns])
    parquet.write_table(pa.table({column: list(each) for column, each in columns.items()}, schema), path)
    return str(path)


def decided_precision(model: EmbeddingModel, role: str, stored: str | None, file: str) -> str:
    """The task that decides in which arithmetic a job computes: in the store's own, or in what its sample allows."""
    from pyarrow import parquet

    from finrag.encoders.encoder import load_encoder

    encoder = load_encoder(model)
    return encoder.usable(stored) or encoder.choose_precision(parquet.read_table(file)["text"].to_pylist(), role)


def embed_part(path: Path, model: EmbeddingModel, role: str, precision: str, file: str) -> tuple[str, int, list[str]]:
    """The task that embeds the texts of a file; returns the file, how many they are, and the fragments written."""
    import pyarrow as pa
    from pyarrow import parquet

    from finrag.encoders.encoder import load_encoder

    table = parquet.read_table(file)
    hashes, texts = (table[column].to_pylist() for column in ("text_hash", "text"))
    store, encoder = EmbeddingStore(path, model), load_encoder(model)
    batches = [
        store.batch(
            [hashes[position] for position in batch.positions],
            role,
            batch.vectors,
            precision,
            batch.token_counts,
            encoder.max_tokens,
        )
        for batch in encoder.encode(texts, role, precision)
    ]
    return file, len(texts), store.fragments(pa.concat_tables(batches))
