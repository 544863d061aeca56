"""Files of hits that a retriever of one's own returned (TREC runs, Parquet, JSON lines), as rows that can be ranked.

They are read by columns rather than by row, as runs hold millions of rows, and their format is told by their first
bytes. A file that cannot be read as any of them stops the build: it was asked for by name.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.chunks import OF_PLACE, PLACES, is_chunk, sentences_in, stated_place
from finrag.inputs.files import QUOTED_CHARACTERS, check, decode, read_content, shorten, text_of
from finrag.inputs.order import with_numbers
from finrag.inputs.rows import named_once
from finrag.inputs.setting import Grammar, NamedFile
from finrag.tables import is_of
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars
    import pyarrow

GRAMMAR = Grammar(
    "external_hits", "name@regime=path pairs separated by spaces, globs allowed", "mine@filtered=runs/mine.trec"
)
COLUMNS = ("query_id", "sentence_id", "rank", "score", "error")
OF_CHUNKS = ("query_id", "document", "start", "end", "text")
EXPECTED = (
    "Expected a TREC run (query_id Q0 sentence_id rank score tag), or Parquet or JSON objects, one a line, with "
    "query_id, sentence_id and rank or score (or, of chunks, document with start and end, or with text, in place of "
    "sentence_id); of a query whose call failed, query_id and error."
)
# A name that a line of JSON states, and one that it states as null.
NAMES = rf'"(?:{"|".join(COLUMNS)})"\s*:'
NULLS = rf"{NAMES}\s*null\b"
ARRAY = re.compile(r"\s*\[\s*[{\]]")
# query_id Q0 sentence_id rank score tag: separated by single tabs (ids may then hold spaces), else by white space.
TREC_TABS = r"^([^\t]+)\t[^\t]*\t([^\t]+)\t([^\t]*)\t([^\t]*)\t[^\t]*$"
TREC_SPACES = r"^(\S+)\s+\S+\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+$"
OUTPUT = {
    "external_run": "string",
    "regime": "string",
    "file_path": "string",
    "file_number": "int32",
    "source_row": "int64",
    "query_id": "string",
    "sentence_id": "string",
    "rank": "double",
    "score": "float32",
    "rank_text": "string",
    "score_text": "string",
    "error": "string",
    "reason": "string",
    "detail": "string",
    "is_of_anchor": "bool",
    "place": "int32",
    "input_checksum": "string",
}


def load_hits(session, setting: str, *, regimes, strategies, table: str, sentences):
    """The rows of every file of the var external_hits, with the columns OUTPUT; a row with a reason is none of hits.

    A chunk is a row per sentence in it, each with its place in the chunk, which rows that are sentences have not.
    session: DuckDB connection. regimes, strategies: relations of the seeds of those names; a name may not be a
    strategy's, because it becomes one. table: what the last build wrote; it is returned as it is while the files and
    the corpus are the same. sentences: relation of int_placed_sentences, in which chunks are looked up.
    """
    import polars as pl

    known = [name for (name,) in regimes.project("regime").fetchall()]
    names = [name for (name,) in strategies.project("strategy").fetchall()]
    files = replace(GRAMMAR, taken=(names, "a strategy"), regimes=known).parse(setting)
    if not files:
        return as_table([], OUTPUT)
    checksum = checksum_of(files) + checksum_of_corpus(sentences)
    if is_of(session, table, OUTPUT, checksum):
        return session.sql(f"select * from {table}")
    tables = [read_named(file, number) for number, file in enumerate(files)]
    is_placed = pl.col("document").is_not_null()
    chunks = pl.concat([rows.filter(is_placed) for rows in tables])
    if len(chunks):
        # together, so that a text that a system has again is the next place, in whatever file it stands
        tables = [*(rows.filter(~is_placed) for rows in tables), sentences_in(session, chunks, sentences)]
    return as_table(tables, OUTPUT, input_checksum=checksum)


def checksum_of_corpus(sentences) -> str:
    """Changes with any sentence, its text and its place."""
    placed = "sentence_id, section_id, sentence_pos, text_hash"
    return str(sentences.aggregate(f"bit_xor(hash({placed}))").fetchall()[0][0])


def checksum_of(files: Sequence[NamedFile]) -> str:
    """Checksum of the names and of the files' bytes."""
    from finrag.corpus.sources import fingerprint

    try:
        named = [(file.name, file.regime, file.path, fingerprint(file.path, 0, "")) for file in files]
    except OSError as error:
        raise FinragError(f"A file that {GRAMMAR.option} names cannot be read: {error}") from error
    return hashlib.md5(json.dumps([code_version(__name__), named]).encode(), usedforsecurity=False).hexdigest()


def read_named(file: NamedFile, number: int) -> polars.DataFrame:
    """The rows of a file, with what the setting says of it. An anchor is a query of P1 or P2."""
    import polars as pl

    return read_file(file.path).with_columns(
        external_run=pl.lit(file.name),
        regime=pl.lit(file.regime),
        file_path=pl.lit(file.path),
        file_number=pl.lit(number),
        reason=pl.when(pl.col("fault").is_not_null()).then(pl.lit("malformed_row")),
        detail="fault",
        is_of_anchor=pl.col("query_id").str.contains(r"^p[12]:").fill_null(False),
    )


def read_file(path: str) -> polars.DataFrame:
    """One row per line or row of a file, whose format its first bytes tell.

    Columns: source_row (from 1), query_id, sentence_id, score and rank (double, null where not stated or no number),
    score_text and rank_text (as stated), error (why the query's call failed: such a row is no hit and names no
    sentence), those of OF_PLACE (of a chunk, which names no sentence either), fault (why it is none of these, else
    null). Raises FinragError where the file cannot be read as any format.
    """
    import pyarrow

    try:
        content = read_content(path)
        if content[:4] == b"PAR1":
            read = read_parquet(content)
        else:
            text = text_of(content)
            is_array = ARRAY.match(text)
            is_json = is_array or text.lstrip().startswith("{")
            read = read_json_lines(lines_of(text) if is_array else text) if is_json else read_trec(text)
    except (OSError, ValueError, pyarrow.ArrowException, FinragError) as error:
        raise FinragError(
            f"{GRAMMAR.option} file {path} cannot be read: {str(error).splitlines()[0].rstrip('.')}. {EXPECTED}"
        ) from error
    if read.height == 0:
        raise FinragError(f"{GRAMMAR.option} file {path} holds no rows. {EXPECTED}")
    if read["fault"].null_count() == 0:
        raise FinragError(
            f"{GRAMMAR.option} file {path} cannot be read: none of its {read.height:,} rows is one of hits. Row "
            f"{read['source_row'][0]}: {read['fault'][0]} {EXPECTED}"
        )
    return read


def lines_of(text: str) -> str:
    """An array of JSON as a line for each of its values. Raises ValueError where it is none."""
    # what cannot be read stands in its place as words, and is no object or no number to whoever reads the line
    return "\n".join(json.dumps(value, default=lambda held: held.why) for value in decode(text, constant=float))


def read_trec(text: str) -> polars.DataFrame:
    """Rows of a TREC run file."""
    import polars as pl

    names = ["query_id", "sentence_id", "rank_text", "score_text"]
    by_tabs = pl.col("line").str.extract_groups(TREC_TABS).struct.rename_fields(names)
    by_spaces = pl.col("line").str.extract_groups(TREC_SPACES).struct.rename_fields(names)
    lines = text_lines(text).with_columns(tabs=by_tabs, spaces=by_spaces)
    picked = [
        pl.coalesce(pl.col("tabs").struct.field(name), pl.col("spaces").struct.field(name)).alias(name)
        for name in names
    ]
    field_count = pl.col("line").str.count_matches(r"\S+")
    # a TREC run has no place for an error
    lines = lines.select("source_row", "line", *picked, error=pl.lit(None, pl.String), **no_place())
    return with_numbers(lines).select(
        *reading_columns(),
        fault=pl.when(pl.col("query_id").is_null()).then(
            pl.format("{} fields instead of 6: {}", field_count, pl.col("line").str.slice(0, QUOTED_CHARACTERS))
        ),
    )


def read_json_lines(text: str) -> polars.DataFrame:
    """Rows of one JSON object per line."""
    import polars as pl

    names = {"query_id": "query_id", "sentence_id": "sentence_id", "rank": "rank_text", "score": "score_text"}
    names |= {"error": "error"}
    lines = text_lines(text).with_columns(
        *(pl.col("line").str.json_path_match(f"$.{key}").alias(name) for key, name in names.items()),
        fault=pl.lit(None, pl.String),
        **no_place(),
    )
    # Rows that lack an id, state an error, a name twice or a list for an id are few, or chunks: each is looked at by
    # itself for the reason, for its place, and for NaN, which JSON does not know.
    has_ids = pl.col("query_id").is_not_null() & pl.col("sentence_id").is_not_null()
    stated_count = pl.sum_horizontal(pl.col(name).is_not_null() for name in names.values())
    is_whole = (
        has_ids
        & pl.col("error").is_null()
        & (pl.col("line").str.count_matches(NAMES) - pl.col("line").str.count_matches(NULLS) == stated_count)
        & ~(pl.col("query_id") + " " + pl.col("sentence_id")).str.contains(r"^[\[{]| [\[{]")
    )
    lacking = lines.filter(~is_whole)
    looked_at = [dict(row, **json_row(row["line"])) for row in lacking.iter_rows(named=True)]
    lines = pl.concat([lines.filter(is_whole), pl.DataFrame(looked_at, schema=lines.schema)]).sort("source_row")
    return with_numbers(lines).select(*reading_columns(), "fault")


def json_row(line: str) -> dict[str, str | None]:
    """Ids, rank and score of a line as text, and the place of a chunk, or its fault."""
    quoted = shorten(line)
    try:
        row = decode(line, constant=float)
        check(row)
    except ValueError:
        return {"fault": f"not a JSON object: {quoted}"}
    if not isinstance(row, dict):
        return {"fault": f"not a JSON object: {quoted}"}
    if nested := [key for key in COLUMNS[:-1] if isinstance(row.get(key), list | dict)]:
        return {"fault": f"{' and '.join(nested)} no text or number: {quoted}"}
    error = None if row.get("error") in (None, "") else as_text(row["error"])
    if error is not None and row.get("sentence_id") not in (None, ""):
        return {"fault": f"with both sentence_id and error: {quoted}"}
    place = stated_place(row) if error is None and is_chunk(row) else {}
    needed = ("query_id", "sentence_id") if error is None and not place else ("query_id",)
    lacking = [key for key in needed if row.get(key) in (None, "")]
    if lacking:
        return {"fault": f"without {' and '.join(lacking)}: {quoted}"}
    texts = {key: None if row.get(key) is None else as_text(row[key]) for key in COLUMNS}
    return {
        "query_id": texts["query_id"],
        "sentence_id": texts["sentence_id"],
        "rank_text": texts["rank"],
        "score_text": texts["score"],
        "error": error,
        **place,
    }


def as_text(value: object) -> str:
    """As JSON states it, without lone surrogates."""
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace").decode()


def read_parquet(content: bytes) -> polars.DataFrame:
    """Rows of a Parquet file."""
    import io

    import polars as pl
    import polars.selectors as cs
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
    present = file.schema_arrow.names
    named_once(present)
    places = set(PLACES) & set(present)
    of_hits = ("sentence_id" in present or places) and {"rank", "score"} & set(present)
    if "query_id" not in present or not (of_hits or "error" in present):
        raise FinragError(f"its columns are {shorten(', '.join(present))}.")
    read = file.read(columns=[name for name in COLUMNS if name in present])
    read.validate(full=True)  # texts that are no UTF-8
    # pandas writes a column of texts that holds none as one of NaN
    table = pl.from_arrow(read).with_columns(
        (cs.float() - cs.by_name("rank", "score", require_all=False)).fill_nan(None)
    )
    for name, kind in table.schema.items():
        is_id = name not in ("rank", "score")
        allowed = kind.is_numeric() or kind in (pl.String, pl.Categorical, pl.Null)
        if not allowed or (is_id and kind.is_float() and table[name].null_count() < len(table)):
            kinds = "texts or whole numbers" if is_id else "numbers"
            raise FinragError(f"its column {name} is of type {kind}, where {kinds} are allowed.")
    ids = [
        (pl.col(name).cast(pl.String).replace("", None) if name in present else pl.lit(None, pl.String)).alias(name)
        for name in ("query_id", "sentence_id", "error")
    ]
    stated = [
        (pl.col(name).cast(pl.String) if name in present else pl.lit(None, pl.String)).alias(f"{name}_text")
        for name in ("rank", "score")
    ]
    rows = table.with_row_index("source_row", 1).select("source_row", *ids, *stated)
    is_failed, is_sentence = pl.col("error").is_not_null(), pl.col("sentence_id").is_not_null()
    missing = pl.col("query_id").is_null() | ~(is_sentence | is_failed)
    rows = rows.with_columns(
        fault=pl.when(missing)
        .then(pl.lit("without query_id or sentence_id"))
        .when(is_failed & is_sentence)
        .then(pl.lit("with both sentence_id and error")),
        **no_place(),
    )
    are_chunks = rows.select(~(is_sentence | is_failed)).to_series()
    if places and are_chunks.any():
        rows = with_places(rows, are_chunks, file.read(columns=[name for name in OF_CHUNKS if name in present]))
    return with_numbers(rows).select(*reading_columns(), "fault")


def with_places(rows: polars.DataFrame, are_chunks: polars.Series, stated: pyarrow.Table) -> polars.DataFrame:
    """The rows of a Parquet file, those that are chunks with their place or their fault. stated: the columns of it."""
    import polars as pl

    chunks = rows.filter(are_chunks).iter_rows(named=True)
    places = stated.filter(are_chunks.to_arrow()).to_pylist()
    looked_at = [row | {"fault": None} | stated_place(place) for row, place in zip(chunks, places, strict=True)]
    return pl.concat([rows.filter(~are_chunks), pl.DataFrame(looked_at, schema=rows.schema)]).sort("source_row")


def no_place() -> dict:
    """The columns of a chunk, null."""
    import polars as pl

    return {name: pl.lit(None, getattr(pl, kind)) for name, kind in OF_PLACE.items()}


def text_lines(text: str) -> polars.DataFrame:
    """Lines that are not blank, with their number in the file."""
    import polars as pl

    lines = pl.DataFrame({"line": text.split("\n")}, schema={"line": pl.String}).with_row_index("source_row", 1)
    return lines.with_columns(pl.col("line").str.strip_chars(" \r\t")).filter(pl.col("line") != "")


def reading_columns() -> list:
    import polars as pl

    return [
        pl.col("source_row").cast(pl.Int64),
        "query_id",
        "sentence_id",
        "rank",
        "score",
        "rank_text",
        "score_text",
        "error",
        *OF_PLACE,
    ]


def as_table(tables: Sequence[polars.DataFrame], columns: dict[str, str], **constants: object) -> pyarrow.Table:
    """The tables as one of Arrow, with the columns and types given; what a table lacks is the constant or null."""
    import polars as pl
    import pyarrow

    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns.items()])
    parts = []
    for table in tables:
        lacking = {name: pl.lit(None) for name in columns if name not in table.columns}
        filled = table.with_columns(**lacking).with_columns(
            **{name: pl.lit(value) for name, value in constants.items()}
        )
        parts.append(filled.select(list(columns)).to_arrow().cast(schema))
    return pyarrow.concat_tables(parts) if parts else schema.empty_table()
