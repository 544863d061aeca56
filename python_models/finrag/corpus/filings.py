"""Split the items of whole filings into sentences, so much text at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow

# Read and split at a time, whichever is less: characters of text, which bound memory (64 files of EDGAR-CORPUS, a year
# of filings each, hold 13 GB), and files, which bound the statement. A filing is never parted.
CHARACTERS_PER_BATCH = 64_000_000
FILES_PER_BATCH = 64
COLUMNS = "filing_id, cik, company_name, report_year, section_id, item_label, source, item_text"


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


def split_filings(session, todo: Sequence[tuple[str, str, int]], items, rejected_rows):
    """Relation with one row per sentence of the items of the filings in todo that were not rejected.

    session: DuckDB connection of the model. todo: (filing_id, file_path, char_count). items: int_item_rows. The
    sentences pass through a temporary table, which DuckDB spills to disk, so memory does not grow with the corpus.
    """
    from finrag.progress import progress

    session.execute(
        "create or replace temp table split_sentences (sentence_id varchar, filing_id varchar, cik bigint, "
        "company_name varchar, report_year integer, section_id varchar, sentence_pos integer, sentence_text varchar, "
        "source varchar)"
    )
    with progress("Splitting filings", len(todo), "filing") as filings_done:
        for batch in batches(todo, CHARACTERS_PER_BATCH, FILES_PER_BATCH):
            paths = ", ".join(quoted(path) for path in sorted({path for _, path, _ in batch}))
            filings = ", ".join(quoted(filing_id) for filing_id, *_ in batch)
            accepted = items.filter(f"file_path in ({paths}) and filing_id in ({filings})").join(
                rejected_rows.project("file_path, source_row, section_label"),
                "file_path, source_row, section_label",
                "anti",
            )
            rows = accepted.project(COLUMNS).order("filing_id, section_id").fetchall()
            split_batch = split_items(rows)
            session.register("split_batch", split_batch)
            session.execute("insert into split_sentences select * from split_batch")
            session.unregister("split_batch")
            filings_done.update(len(batch))
    return session.table("split_sentences")


def split_items(rows: Sequence[tuple]) -> pyarrow.Table:
    """Sentences of items given as tuples of COLUMNS, with ids `<filing_id>_section_<item>_<position>`."""
    import pyarrow

    from finrag.corpus.splitting import split_sentences

    schema = pyarrow.schema(
        [
            ("sentence_id", pyarrow.string()),
            ("filing_id", pyarrow.string()),
            ("cik", pyarrow.int64()),
            ("company_name", pyarrow.string()),
            ("report_year", pyarrow.int32()),
            ("section_id", pyarrow.string()),
            ("sentence_pos", pyarrow.int32()),
            ("sentence_text", pyarrow.string()),
            ("source", pyarrow.string()),
        ]
    )
    columns: list[list] = [[] for _ in schema]
    for filing_id, cik, company_name, report_year, section_id, item_label, source, item_text in rows:
        for position, sentence in enumerate(split_sentences(item_text)):
            sentence_id = f"{filing_id}_section_{item_label}_{position}"
            values = (sentence_id, filing_id, cik, company_name, report_year, section_id, position, sentence, source)
            for column, value in zip(columns, values, strict=True):
                column.append(value)
    return pyarrow.table(columns, schema=schema)


def batches(todo: Sequence[tuple[str, str, int]], characters: int, files: int) -> Iterator[list[tuple[str, str, int]]]:
    """todo in its order, cut before the filing that would bring too much text or one file path too many."""
    batch: list[tuple[str, str, int]] = []
    paths: set[str] = set()
    held = 0
    for filing_id, path, char_count in todo:
        if batch and (held + char_count > characters or len(paths | {path}) > files):
            yield batch
            batch, paths, held = [], set(), 0
        paths.add(path)
        batch.append((filing_id, path, char_count))
        held += char_count
    if batch:
        yield batch


def quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
