"""Write queries, gold and corpus for a retriever of one's own.

The files go to exports/ (or the folder that FINRAG_EXPORTS names): queries/<suite>.jsonl and .tsv,
qrels/<suite>.<window>.<predicate>.qrels with grades, for those who run trec_eval themselves, and corpus.parquet.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command, existing_warehouse
from finrag.tables import literal

if TYPE_CHECKING:
    import duckdb

DEFAULT_FOLDER = "exports"
# Names of what the last export of queries wrote: files that it no longer writes are removed, and nobody else's.
NOTE = ".exported"
OF_QUERIES = ("queries/*.jsonl", "queries/*.tsv", "qrels/*.qrels")
QUERIES = """
    select query_id, query_text, suite, sentence_id, filing_id, cik, report_year, section_id, section_heading,
        form_type
    from gold.retrieval_queries
    where suite = $suite
    order by query_id
"""
TOPICS = "select query_id, regexp_replace(query_text, '\\s+', ' ', 'g') as query_text from ({queries})"
QRELS = """
    select query_id, 0 as iteration, sentence_id, grade as relevance
    from gold.retrieval_gold
    where suite = $suite and gold_window = $gold_window and gold_predicate = $gold_predicate
    order by query_id, sentence_id
"""
CORPUS = """
    select
        sentences.sentence_id,
        sentences.sentence_text,
        sentences.text_hash,
        sentences.sentence_pos,
        sentences.filing_id,
        sentences.cik,
        sentences.company_name,
        sentences.report_year,
        sentences.section_id,
        sentences.section_heading,
        filings.form_type,
    from corpus.fct_sentences as sentences
    left join corpus.dim_filings as filings on sentences.filing_id = filings.filing_id
    order by sentences.sentence_id
"""
# The text that start and end of a chunk count in (retrieval.int_placed_sentences).
DOCUMENTS = """
    select
        filing_id || '/' || section_id as document,
        any_value(filing_id) as filing_id,
        any_value(section_id) as section_id,
        any_value(cik) as cik,
        any_value(report_year) as report_year,
        string_agg(sentence_text, ' ' order by sentence_pos, sentence_id) as text,
    from corpus.fct_sentences
    group by document
    order by document
"""
GUIDANCE = """
What to send back, per query, best first: ids of the sentences of the corpus ({corpus}), 31 or more, because
the query's own sentence is removed. As one of

  a TREC run      query_id Q0 sentence_id rank score tag      one line per hit
  JSON lines      {{"query_id": …, "sentence_id": …, "score": …}} or with rank, 1 is best
  Parquet         columns query_id, sentence_id and score or rank

Who searches chunks cuts them from the texts of documents.parquet and sends, as JSON lines or Parquet, query_id,
document, start and end (characters), or document and text, and score or rank; their sentences are looked up.

Name what you searched in: `open` is the whole corpus, `filtered` only sentences with the query's cik, report_year and
section_id (all regimes: seeds/retrieval_regimes.csv). Then

  {build}

scores them as the strategy `mine`. Whatever was wrong with a file is in staging.input_problems."""


def exports_folder() -> Path:
    return Path(os.environ.get("FINRAG_EXPORTS", DEFAULT_FOLDER))


def export_queries(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[tuple[Path, int]]:
    """Write the queries and gold of every suite. Paths and row counts."""
    suites = connection.execute("select distinct suite from gold.retrieval_queries order by suite").fetchall()
    variants = connection.execute(
        "select distinct suite, gold_window, gold_predicate from gold.int_query_gold_counts order by all"
    ).fetchall()
    spaced = connection.execute(
        r"select count(*) from corpus.fct_sentences where regexp_matches(sentence_id, '\s')"
    ).fetchone()[0]
    written = []
    for (suite,) in suites:
        of_suite = {"suite": suite}
        queries = folder / "queries" / f"{suite}.jsonl"
        written.append((queries, write(connection, QUERIES, of_suite, queries, "format json")))
        topics = queries.with_suffix(".tsv")
        written.append((topics, write_lines(connection, TOPICS.format(queries=QUERIES), of_suite, topics)))
    for suite, window, predicate in variants:
        qrels = folder / "qrels" / f"{suite}.{window}.{predicate}.qrels"
        variant = {"suite": suite, "gold_window": window, "gold_predicate": predicate}
        written.append((qrels, write_lines(connection, QRELS, variant, qrels)))
    if spaced:
        print(f"{spaced:,} sentence ids hold spaces, which trec_eval cannot read: send JSON lines or Parquet back.")
    return written


def export_corpus(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[tuple[Path, int]]:
    """Write every sentence with its id and what a filter may use; and every item whole, for who searches chunks."""
    parts = {"corpus.parquet": CORPUS, "documents.parquet": DOCUMENTS}
    options = "format parquet, compression zstd"
    return [(folder / name, write(connection, query, {}, folder / name, options)) for name, query in parts.items()]


def write(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict, path: Path, options: str) -> int:
    """Write the answer of a query to a file; how many rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return connection.execute(f"copy ({query}) to {literal(str(path))} ({options})", parameters).fetchone()[0]


def write_lines(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict, path: Path) -> int:
    """Write the answer of a query as lines of values between tabs, unquoted, as TREC tools read them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = connection.execute(query, parameters).fetchall()
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return len(rows)


def put_in_place(whole: Path, folder: Path, what: str) -> None:
    """Move the files of an export from beside their places to them, and remove what an earlier one wrote besides."""
    names = sorted(str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file())
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        os.replace(whole / name, folder / name)
    if what == "queries":
        note = folder / NOTE
        noted = note.read_text(encoding="utf-8").splitlines() if note.exists() else []
        there = {str(path.relative_to(folder)) for pattern in OF_QUERIES for path in folder.glob(pattern)}
        for name in there.intersection(noted).difference(names):
            (folder / name).unlink()
        note.write_text("\n".join(names) + "\n", encoding="utf-8")


def export(what: str) -> None:
    """Write queries and gold, or the corpus, of the warehouse in use and say what was written."""
    import duckdb

    exports = {"queries": export_queries, "corpus": export_corpus}
    database, folder = existing_warehouse(), exports_folder()
    with duckdb.connect(str(database), read_only=True) as connection:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".partial-", dir=folder) as beside:
                written = exports[what](connection, Path(beside))
                put_in_place(Path(beside), folder, what)
        except duckdb.CatalogException as error:
            raise FinragError(
                f"The warehouse at {database} holds no gold sets. Build it first: {command('build')}"
            ) from error
        except (OSError, duckdb.IOException) as error:
            raise FinragError(
                f"{folder} cannot be written: {cause_of(error)}. What was there is as it was. Free space there, or "
                "name another folder in FINRAG_EXPORTS."
            ) from error
    for path, rows in written:
        print(f"{rows:10,} rows  {folder / path.relative_to(beside)}")
    if what == "queries":
        found = f'"mine@open={folder}/mine.trec mine@filtered={folder}/mine-filtered.trec"'
        print(GUIDANCE.format(build=command("build", hits=found), corpus=command("export corpus")))


def cause_of(error: Exception) -> str:
    """What the system said, at the end of a message or of the JSON that DuckDB quotes from a thread that writes."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error).strip().partition('","errno"')[0].rpartition(": ")[2]
