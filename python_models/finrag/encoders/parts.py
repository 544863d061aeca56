"""Work on texts part by part: cut by what they hold, each part a file that whoever has it makes something of.

Embedding, token vectors and scores of pairs are such work. What a text becomes does not depend on those beside it.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from finrag.encoders.fragments import Additions
from finrag.encoders.models import EmbeddingModel
from finrag.encoders.store import EmbeddingStore
from finrag.engine.files import folder_of_parts
from finrag.engine.run import run
from finrag.lance_folder import beside

if TYPE_CHECKING:
    from finrag.progress import Lines

# Characters of a part: a share of the job's, so that also a small job is for many processors, within bounds. Of fewer,
# too few texts have one length to fill batches of the encoder; more take a processor a quarter of a minute.
JOB_SHARE = 32
LEAST_CHARACTERS = 65_536
MOST_CHARACTERS = 1_048_576
# The last parts are smaller, so that no processor waits long for the one that is last to finish: none holds more than
# half of what is left, down to an eighth of a usual part.
LEFT_SHARE = 2
LAST_SHARE = 8

# The sample that decides the arithmetic is computed in both, as long as some hundred texts take: by several workers.
SAMPLE_PARTS = 4

# Of a text an encoder reads its first tokens, which have no more characters than this each; the tokens, where the
# registry leaves their number to the model, are at most so many.
CHARACTERS_A_TOKEN = 8
MOST_TOKENS = 8192

# A key, and the texts that belong to it.
Row = tuple[str | int, *tuple[str, ...]]
Result = TypeVar("Result")


@dataclass
class Work:
    """Characters that an encoder reads: counted in the slices that have been begun, guessed by a sample in others.

    a_text: most that it reads of one. of_a_text: their mean in the sample. not_begun: texts.
    """

    a_text: int
    of_a_text: float
    not_begun: int
    begun: int = 0
    done: int = 0

    @classmethod
    def of(cls, sample: Sequence[str], count: int, max_tokens: int | None) -> Work:
        """sample: of as many texts as count says, one at least."""
        most = CHARACTERS_A_TOKEN * (max_tokens or MOST_TOKENS)
        return cls(most, sum(min(len(text), most) for text in sample) / len(sample), count)

    def all(self) -> float:
        return self.begun + self.of_a_text * self.not_begun

    def share_done(self) -> float:
        return self.done / max(self.all(), 1)

    def characters(self, rows: Sequence[Row]) -> int:
        return sum(min(len(text), self.a_text) for _, *texts in rows for text in texts)

    def begin(self, slices: Iterable[Sequence[Row]]) -> Iterator[Sequence[Row]]:
        """The slices, each counted before it is handed out."""
        for rows in slices:
            self.begun += self.characters(rows)
            self.not_begun -= len(rows)
            yield rows

    def finish(self, rows: Sequence[Row]) -> None:
        self.done += self.characters(rows)


def embed_in_parts(
    store: EmbeddingStore, role: str, sample: Sequence[str], count: int, slices: Iterable[Sequence[Row]]
) -> int:
    """Compute vectors of texts and add them to the store as they come; returns how many.

    sample: texts that decide the precision where the store has none yet. count: texts of all slices. slices: hashes
    with their texts, so many at a time.
    """
    from finrag.progress import progress

    store.create()
    work = Work.of(sample, count, store.model.max_tokens)
    characters = part_characters(work.all())
    with (
        progress(f"Embedding {store.model.model_id}", count, "text") as bar,
        folder_of_parts(beside(store.path.rpartition("/")[0])) as folder,
        Additions(store) as additions,
    ):
        decided = partial(decided_precision, store.model, role, store.precision())
        texts = list(enumerate(sample))
        shares = [texts[place::SAMPLE_PARTS] for place in range(min(SAMPLE_PARTS, len(texts)))]
        files = [written(folder / f"sample{place}", share) for place, share in enumerate(shares)]
        # of a job all is in one arithmetic, that of the share which allows least
        precision = "bf16" if {*run(decided, files, gpus=1)} == {"bf16"} else "fp32"
        parts = (part for rows in work.begin(slices) for part in cut(rows, characters))
        task = partial(embed_part, store.path, store.model, role, precision)
        for part, fragments in over_parts(task, parts, folder, bar, gpus=1):
            additions.take(len(part), fragments)
            # the longest come first, and a long text takes as long as many short ones
            work.finish(part)
            bar.share = work.share_done()
    return additions.done


def over_rows(
    task: Callable[[str], Result], rows: Sequence[tuple[str, ...]], description: str, folder: Path | str | None
) -> Iterator[tuple[list[int], Result]]:
    """Of each part of the rows their places, and what the task makes of its file.

    rows: one or more texts each. folder: FINRAG_LANCE, beside which parts lie where workers of a cluster reach them;
    None where nothing outlasts this process.
    """
    from finrag.progress import progress

    placed = [(place, *row) for place, row in enumerate(rows)]
    job, held = characters_of(placed), 0
    parts = cut(placed, part_characters(job))
    with (
        progress(description, len(rows), "text") as bar,
        folder_of_parts(beside(folder or tempfile.gettempdir())) as made,
    ):
        for part, result in over_parts(task, parts, made, bar):
            held += characters_of(part)
            bar.share = held / max(job, 1)
            yield [place for place, *_ in part], result


def over_parts(
    task: Callable[[str], Result], parts: Iterable[Sequence[Row]], folder: Path, bar: Lines, gpus: float = 0
) -> Iterator[tuple[Sequence[Row], Result]]:
    """Each part with what the task makes of the file that it is handed over in, which then goes."""
    under_way: deque[tuple[Sequence[Row], str]] = deque()

    def files() -> Iterator[str]:
        for number, part in enumerate(parts):
            under_way.append((part, written(folder / str(number), part)))
            yield under_way[-1][1]

    for result in run(task, files(), gpus=gpus, bar=bar):
        part, file = under_way.popleft()
        yield part, result
        bar.update(len(part))
        Path(file).unlink()


def characters_of(rows: Sequence[Row]) -> int:
    return sum(len(text) for _, *texts in rows for text in texts)


def part_characters(job: float) -> int:
    """Decided by the job's characters alone: on any number of processors the parts are the same, and so are the
    results."""
    return int(min(max(job / JOB_SHARE, LEAST_CHARACTERS), MOST_CHARACTERS))


def cut(rows: Sequence[Row], characters: int) -> Iterator[Sequence[Row]]:
    """Parts of texts that are about equally long, the longest first, cut before the row that is one too many.

    The last parts are smaller: see LEFT_SHARE.
    """
    ordered = sorted((-sum(map(len, texts)), key, texts) for key, *texts in rows)
    left = -sum(negative for negative, *_ in ordered)
    part: list[Row] = []
    held = 0
    for negative, key, texts in ordered:
        if part and held - negative > min(characters, max(left / LEFT_SHARE, characters / LAST_SHARE)):
            yield part
            left -= held
            part, held = [], 0
        part.append((key, *texts))
        held -= negative
    if part:
        yield part


def written(path: Path, rows: Sequence[Row]) -> str:
    """The path of a new file with keys and their texts, of at least one row."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = [list(column) for column in zip(*rows, strict=True)]
    parquet.write_table(pa.table(columns, names=[str(number) for number in range(len(columns))]), path)
    return str(path)


def read(file: str) -> list[list]:
    """Keys and texts of a part, a list for each column."""
    from pyarrow import parquet

    return [column.to_pylist() for column in parquet.read_table(file).columns]


def decided_precision(model: EmbeddingModel, role: str, stored: str | None, file: str) -> str:
    """The task that says in which arithmetic a job may compute: in the store's own, or in what these texts allow."""
    from finrag.encoders.encoder import load_encoder

    encoder = load_encoder(model)
    return encoder.usable(stored) or encoder.choose_precision(read(file)[1], role)


def embed_part(path: str, model: EmbeddingModel, role: str, precision: str, file: str) -> list[str]:
    """The task that embeds the texts of a file; returns the fragments written."""
    import pyarrow as pa

    from finrag.encoders.encoder import load_encoder

    hashes, texts = read(file)
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
    return store.fragments(pa.concat_tables(batches))
