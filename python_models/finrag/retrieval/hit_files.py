"""Files of hits that a retriever of one's own returned (TREC runs, Parquet, JSON lines), as rows that can be ranked."""

from __future__ import annotations

import glob
import gzip
import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.errors import FinragError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars

DEFAULT_REGIME = "open"
NAME = re.compile(r"[A-Za-z0-9_.-]+")
QUOTED_CHARACTERS = 200
COLUMNS = ("query_id", "sentence_id", "rank", "score", "error")
EXPECTED = (
    "Expected a TREC run (query_id Q0 sentence_id rank score tag), or Parquet or one JSON object per line with "
    "query_id, sentence_id and rank or score; of a query whose call failed, query_id and error."
)
# query_id Q0 sentence_id rank score tag: separated by single tabs (ids may then hold spaces), else by white space.
TREC_TABS = r"^([^\t]+)\t[^\t]*\t([^\t]+)\t([^\t]*)\t([^\t]*)\t[^\t]*$"
TREC_SPACES = r"^(\S+)\s+\S+\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+$"


@dataclass(frozen=True)
class HitFile:
    """One file of an external run: the run's name, the regime it searched in, and the path."""

    external_run: str
    regime: str
    path: str


def parse_setting(setting: str, regimes: Mapping[str, object], strategies: Sequence[str]) -> list[HitFile]:
    """Files of `name@regime=path` pairs, separated by spaces; quotes keep a path with spaces together.

    The regime is `open` unless stated. regimes, strategies: what the registries hold; a name may not be a strategy's,
    because it becomes one. Raises FinragError on anything that does not fit.
    """
    form = "HITS takes name@regime=path pairs separated by spaces, e.g. mine@filtered=runs/mine.trec."
    try:
        pairs = shlex.split(setting)
    except ValueError as error:
        raise FinragError(f"HITS cannot be read: {error}. {form}") from error
    files = {}
    for pair in pairs:
        label, separator, pattern = pair.partition("=")
        name, at, regime = label.partition("@")
        if not separator or not pattern:
            raise FinragError(f"HITS names '{shorten(pair)}' without a path. {form}")
        if not NAME.fullmatch(name):
            raise FinragError(
                f"HITS names a run '{shorten(name)}'. Allowed are letters, digits, and the characters _ . and -. {form}"
            )
        if name.lower() in {strategy.lower() for strategy in strategies}:
            raise FinragError(
                f"HITS names a run '{name}', which is a strategy of its own here ({', '.join(sorted(strategies))}). "
                "Give it another name."
            )
        regime = regime if at else DEFAULT_REGIME
        if regime not in regimes:
            raise FinragError(
                f"HITS names the regime '{shorten(regime)}' for {name}. Allowed: {', '.join(sorted(regimes))}. Add a "
                "row to seeds/retrieval_regimes.csv for another."
            )
        paths = sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
        if os.path.isfile(pattern):
            paths = [pattern]
        if not paths:
            raise FinragError(
                f"HITS path '{shorten(pattern)}' of {name} matches no file (looked from {Path.cwd().name}/). Give "
                "local paths or globs, relative to the repository root or absolute."
            )
        files |= {HitFile(name, regime, path): None for path in paths}
    return list(files)


def read_file(path: str) -> polars.DataFrame:
    """One row per line or row of a file, whose format its first bytes tell.

    Columns: source_row (from 1), query_id, sentence_id, score and rank (double, null where not stated or no number),
    score_text and rank_text (as stated), error (why the query's call failed: such a row is no hit and names no
    sentence), fault (why it is neither, else null). Raises FinragError where the file cannot be read as any format.
    """
    import pyarrow

    try:
        content = Path(path).read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        if content[:4] == b"PAR1":
            read = read_parquet(content)
        else:
            text = content.decode("utf-8-sig")
            read = read_json_lines(text) if text.lstrip()[:1] == "{" else read_trec(text)
    except (OSError, EOFError, UnicodeDecodeError, pyarrow.ArrowException, FinragError) as error:
        raise FinragError(f"HITS file {path} cannot be read: {str(error).splitlines()[0]} {EXPECTED}") from error
    if read.height == 0:
        raise FinragError(f"HITS file {path} holds no rows. {EXPECTED}")
    if read["fault"].null_count() == 0:
        raise FinragError(
            f"HITS file {path} cannot be read: none of its {read.height:,} rows is one of hits. Row "
            f"{read['source_row'][0]}: {read['fault'][0]} {EXPECTED}"
        )
    return read


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
    lines = lines.select("source_row", "line", *picked, error=pl.lit(None, pl.String))
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
    )
    # Rows that lack an id or state an error are few: each is looked at by itself for the reason, and for NaN, which
    # JSON does not know.
    is_whole = pl.col("query_id").is_not_null() & pl.col("sentence_id").is_not_null() & pl.col("error").is_null()
    lacking = lines.filter(~is_whole)
    looked_at = [dict(row, **json_row(row["line"])) for row in lacking.iter_rows(named=True)]
    lines = pl.concat([lines.filter(is_whole), pl.DataFrame(looked_at, schema=lines.schema)]).sort("source_row")
    return with_numbers(lines).select(*reading_columns(), "fault")


def json_row(line: str) -> dict[str, str | None]:
    """Ids, rank and score of a line as text, or its fault."""
    quoted = shorten(line)
    try:
        row = json.loads(line)
    except ValueError:
        return {"fault": f"not a JSON object: {quoted}"}
    if not isinstance(row, dict):
        return {"fault": f"not a JSON object: {quoted}"}
    error = None if row.get("error") in (None, "") else as_text(row["error"])
    if error is not None and row.get("sentence_id") not in (None, ""):
        return {"fault": f"with both sentence_id and error: {quoted}"}
    needed = ("query_id",) if error is not None else ("query_id", "sentence_id")
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
    }


def as_text(value: object) -> str:
    """As JSON states it, without lone surrogates."""
    return (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "replace").decode()


def read_parquet(content: bytes) -> polars.DataFrame:
    """Rows of a Parquet file."""
    import io

    import polars as pl
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
    present = file.schema_arrow.names
    of_hits = "sentence_id" in present and {"rank", "score"} & set(present)
    if "query_id" not in present or not (of_hits or "error" in present):
        raise FinragError(f"its columns are {shorten(', '.join(present))}.")
    table = pl.from_arrow(file.read(columns=[name for name in COLUMNS if name in present]))
    for name, kind in table.schema.items():
        allowed = kind.is_numeric() or kind in (pl.String, pl.Categorical, pl.Null)
        if not allowed or (name in ("query_id", "sentence_id", "error") and kind.is_float()):
            raise FinragError(f"its column {name} is of type {kind}.")
    ids = [
        (pl.col(name).cast(pl.String).replace("", None) if name in present else pl.lit(None, pl.String)).alias(name)
        for name in ("query_id", "sentence_id", "error")
    ]
    stated = [
        (pl.col(name).cast(pl.String) if name in present else pl.lit(None, pl.String)).alias(f"{name}_text")
        for name in ("rank", "score")
    ]
    rows = table.with_row_index("source_row", 1).select("source_row", *ids, *stated)
    is_failed = pl.col("error").is_not_null()
    missing = pl.col("query_id").is_null() | (pl.col("sentence_id").is_null() & ~is_failed)
    return with_numbers(rows).select(
        *reading_columns(),
        fault=pl.when(missing)
        .then(pl.lit("without query_id or sentence_id"))
        .when(is_failed & pl.col("sentence_id").is_not_null())
        .then(pl.lit("with both sentence_id and error")),
    )


def text_lines(text: str) -> polars.DataFrame:
    """Lines that are not blank, with their number in the file."""
    import polars as pl

    lines = pl.DataFrame({"line": text.split("\n")}, schema={"line": pl.String}).with_row_index("source_row", 1)
    return lines.with_columns(pl.col("line").str.strip_chars(" \r\t")).filter(pl.col("line") != "")


def with_numbers(rows: polars.DataFrame) -> polars.DataFrame:
    """rank and score as doubles, null where the text is no number; the score rounded to 32 bits."""
    import polars as pl

    return rows.with_columns(
        rank=pl.col("rank_text").cast(pl.Float64, strict=False),
        score=pl.col("score_text").cast(pl.Float64, strict=False).cast(pl.Float32),
    )


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
    ]


def shorten(text: str) -> str:
    return text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…"
