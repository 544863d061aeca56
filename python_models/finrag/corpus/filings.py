"""Split the items of whole filings into sentences: so much text is read at a time, and split in parts."""

from __future__ import annotations

import json
from bisect import bisect_right
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.html.document import letters
from finrag.corpus.reader import reader
from finrag.engine.files import folder_of_parts, whole
from finrag.engine.run import run
from finrag.lance_folder import beside
from finrag.tables import literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow

# Read at a time, whichever is less: characters of text, which bound memory (64 files of EDGAR-CORPUS, a year
# of filings each, hold 13 GB), and files, which bound the statement. A filing is never parted. Each reading plans all
# files of the corpus anew (0.14 s of a processor for 2,000), so readings of few files take the square of their number.
CHARACTERS_PER_BATCH = 64_000_000
FILES_PER_BATCH = 512
# Characters of a part, which take a processor less than a second.
CHARACTERS_PER_PART = 4_000_000
ITEMS = {
    "filing_id": "string",
    "cik": "int64",
    "report_year": "int32",
    "section_id": "string",
    "item_label": "string",
    "source": "string",
    "item_text": "string",
    "first_page": "int32",
    "headings": "string",
}
ITEM_TEXT = list(ITEMS).index("item_text")
SENTENCES = {
    "sentence_id": "string",
    "filing_id": "string",
    "cik": "int64",
    "report_year": "int32",
    "section_id": "string",
    "sentence_pos": "int32",
    "sentence_text": "string",
    "source": "string",
    "page_no": "int32",
    "section_heading": "string",
}


def unprocessed(filing_versions, model: str) -> list[tuple[str, str, int]]:
    """(filing_id, file_path, char_count) of the filing-level filings that model has yet to build, in file order."""
    condition = (
        "level = 'filing' and "
        f"filing_id not in (select filing_id from corpus.processed_filings where model = '{model}')"
    )
    return (
        filing_versions.filter(condition)
        .project("filing_id, file_path, coalesce(char_count, 0)")  # null where a filing states no item
        .order("file_path, filing_id")
        .fetchall()
    )


def split_filings(session, todo: Sequence[tuple[str, str, int]], items, rejected_rows, folder: Path | str):
    """Relation with one row per sentence of the items of the filings in todo that were not rejected.

    session: DuckDB connection of the model. todo: (filing_id, file_path, char_count). items: int_item_rows. folder:
    FINRAG_LANCE, beside which parts lie while they are split. The sentences pass through a temporary
    table, which DuckDB spills to disk, so memory does not grow with the corpus.
    """
    from finrag.progress import progress

    session.register("no_sentences", schema_of(SENTENCES).empty_table())
    session.execute("create or replace temp table split_sentences as from no_sentences")
    session.unregister("no_sentences")
    if not todo:
        return session.table("split_sentences")
    with progress("Splitting filings", len(todo), "filing") as bar, folder_of_parts(beside(folder)) as made:

        def files() -> Iterator[str]:
            for number, batch in enumerate(batches(todo, CHARACTERS_PER_BATCH, FILES_PER_BATCH)):
                rows = accepted_items(batch, items, rejected_rows)
                bar.update(len(batch) - len({filing_id for filing_id, *_ in rows}))  # those without an item
                for place, part in enumerate(cut(rows, CHARACTERS_PER_PART)):
                    yield written(made / f"{number}-{place}.parquet", part)

        for file, filings_done in run(split_part, files(), bar=bar):
            session.execute(f"insert into split_sentences from {reader('parquet', file)}")
            Path(file).unlink()
            bar.update(filings_done)
    return session.table("split_sentences")


def accepted_items(batch: Sequence[tuple[str, str, int]], items, rejected_rows) -> list[tuple]:
    """Tuples of ITEMS of the filings of a batch that were not rejected, in the order of filings and sections."""
    paths = ", ".join(literal(path) for path in sorted({path for _, path, _ in batch}))
    filings = ", ".join(literal(filing_id) for filing_id, *_ in batch)
    accepted = items.filter(f"file_path in ({paths}) and filing_id in ({filings})").join(
        rejected_rows.project("file_path, source_row, section_label"), "file_path, source_row, section_label", "anti"
    )
    return accepted.project(", ".join(ITEMS)).order("filing_id, section_id").fetchall()


def cut(rows: Sequence[tuple], characters: int) -> Iterator[list[tuple]]:
    """Items in their order, cut before the filing that is one too many."""
    part: list[tuple] = []
    held = 0
    for _, filing in groupby(rows, itemgetter(0)):
        own = list(filing)
        size = sum(len(row[ITEM_TEXT]) for row in own)
        if part and held + size > characters:
            yield part
            part, held = [], 0
        part += own
        held += size
    if part:
        yield part


def written(path: Path, rows: Sequence[tuple]) -> str:
    """The path of a new file with items."""
    import pyarrow
    from pyarrow import parquet

    columns = [list(column) for column in zip(*rows, strict=True)]
    parquet.write_table(pyarrow.table(columns, schema=schema_of(ITEMS)), path)
    return str(path)


def split_part(file: str) -> tuple[str, int]:
    """The task that splits the items of a file; returns a file with the sentences, and how many filings they are of."""
    from pyarrow import parquet

    items = parquet.read_table(file)
    sentences = Path(file).with_suffix(".sentences")
    with whole(sentences) as path:
        parquet.write_table(
            split_items(list(zip(*(column.to_pylist() for column in items.columns), strict=True))), path
        )
    return str(sentences), len(items["filing_id"].unique())


def split_items(rows: Sequence[tuple]) -> pyarrow.Table:
    """Sentences of items given as tuples of ITEMS, with ids `<filing_id>_section_<item>_<position>`."""
    import pyarrow

    from finrag.corpus.splitting import split_sentences

    columns: list[list] = [[] for _ in SENTENCES]
    for *filing, item_label, source, item_text, first_page, headings in rows:
        sentences = split_sentences(item_text)
        pages = pages_of(sentences, item_text, first_page) if first_page else [None] * len(sentences)
        named = headings_over(sentences, json.loads(headings)) if headings else [None] * len(sentences)
        for position, (sentence, page, heading) in enumerate(zip(sentences, pages, named, strict=True)):
            sentence_id = f"{filing[0]}_section_{item_label}_{position}"
            values = (sentence_id, *filing, position, sentence, source, page, heading)
            for column, value in zip(columns, values, strict=True):
                column.append(value)
    return pyarrow.table(columns, schema=schema_of(SENTENCES))


def pages_of(sentences: Sequence[str], item_text: str, first_page: int) -> list[int]:
    """The page that each sentence begins on. item_text: with a form feed for each new page.

    Splitting keeps letters and digits, so counting them finds the place again.
    """
    starts = [0]
    for page in item_text.split("\f"):
        starts.append(starts[-1] + letters(page))
    # a sentence begins with its first letter: after all that ends where it begins
    return [first_page + bisect_right(starts, place, 0, len(starts) - 1) - 1 for place in places_of(sentences)]


def headings_over(sentences: Sequence[str], headings: Sequence[tuple[int, str]]) -> list[str | None]:
    """The heading that each sentence stands under, itself where it is one; None before the first.

    headings: (letters and digits of the item before it, heading) in its order.
    """
    starts = [before for before, _ in headings]
    under = [bisect_right(starts, place) for place in places_of(sentences)]
    return [headings[count - 1][1] if count else None for count in under]


def places_of(sentences: Sequence[str]) -> list[int]:
    """The letters and digits of an item before each of its sentences."""
    return list(accumulate(map(letters, sentences), initial=0))[: len(sentences)]


def schema_of(columns: dict[str, str]) -> pyarrow.Schema:
    import pyarrow

    return pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])


def batches(todo: Sequence[tuple[str, str, int]], characters: int, files: int) -> Iterator[list[tuple[str, str, int]]]:
    """todo in its order, cut before the filing that would bring too much text or one file path too many."""
    batch: list[tuple[str, str, int]] = []
    paths: set[str] = set()
    held = 0
    for filing_id, path, char_count in todo:
        if batch and (held + char_count > characters or (path not in paths and len(paths) == files)):
            yield batch
            batch, paths, held = [], set(), 0
        paths.add(path)
        batch.append((filing_id, path, char_count))
        held += char_count
    if batch:
        yield batch
