"""LanceDB tables of the corpus' sentences: one of vectors per embedding model, one of text.

`sync` brings a table to the corpus by the difference between the two, in appends of whole batches, so that a process
killed at any moment leaves a table that the next run completes. A small file beside the table remembers what it was
brought to; while that still describes corpus and table, nothing is read or written.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.index import segments
from finrag.index.regimes import FILTER_COLUMNS
from finrag.keys import Places
from finrag.lance_folder import beside, opened, sidecar, version_of
from finrag.tables import literal, matrix
from finrag.whole import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import lance
    import numpy as np
    import pyarrow as pa
    from lancedb.table import Table

    # text_hashes (n) -> (n, dimension) float32, rows of NaN for texts without a vector
    Vectors = Callable[[pa.Array], np.ndarray]

KEY_COLUMNS = ("sentence_id", "text_hash", *FILTER_COLUMNS)
# Raise it when tables made by an earlier version must be made anew.
INDEX_VERSION = 1
BATCH_ROWS = 32_768
# Of vectors added at a time, where those of so many rows are less: each addition reads them from all over the store.
ADDED_BYTES = 128 * 1024**2
# Of the ids of a table, above which they are sorted on disk.
SORT_MEMORY = "1GB"
DELETED_AT_ONCE = 5_000
# Scalar indexes: a tree where values are many, bitmaps where they are few.
SCALAR_INDEXES = {
    "filing_id": "BTREE",
    "cik": "BTREE",
    "report_year": "BITMAP",
    "section_id": "BITMAP",
    "section_heading": "BTREE",
    "form_type": "BITMAP",
}

# Below so many rows LanceDB compares every vector, which is exact, and training partitions takes longer than all
# searches of a build together (163 s for 55,000 rows on a busy machine). Above, IVF with the vectors kept whole: on
# 55,465 real sentences recall@30 is 0.995 open and 1 filtered, where every partition is probed; product quantisation
# has 0.78 filtered (not refined). benchmarks/search.py, lance_settings.
FLAT_ROWS = 100_000
# A row is compared with every partition's centroid: were there always as many as the square root of the rows, an index
# of 30 million would take more than twice the time a row of one of a million. Fewer and larger partitions find a little
# less in the same share of the rows (PROBED_SHARE of finrag.search.recall).
MOST_PARTITIONS = 1_024
# The partitions are trained again once the table has grown by this factor.
RETRAINED_AT = 2.0

# Words are lower-cased, folded to ASCII and stemmed (Snowball, English), so that "Risks" finds "risk". Stop words are
# removed: they carry next to no BM25 weight and cost half of the time of a query as long as a sentence. Positions are
# not stored, since no phrase is ever searched.
FULLTEXT = {
    "base_tokenizer": "simple",
    "language": "English",
    "lower_case": True,
    "ascii_folding": True,
    "stem": True,
    "remove_stop_words": True,
    "max_token_length": 40,
    "with_position": False,
}
# MiB that the words of a text index may take while it is built, of all its workers together; by default each may take
# 2,048. Above, they are written as a part of the index. Scores are of all parts, so hits are the same.
FULLTEXT_MEMORY = 1_024


@dataclass(frozen=True)
class IndexReport:
    """One row of retrieval.int_sentence_index, and what the sync did. left_out: sentences without a vector."""

    index_kind: str
    model_id: str
    fingerprint: str
    table_path: str
    row_count: int
    index_type: str
    index_parameters: str
    fragment_count: int
    checksum: str
    added_count: int = 0
    deleted_count: int = 0
    left_out_count: int = 0


class SentenceIndex:
    """One LanceDB table under `<lance>/sentences/`. Payload is the column `vector` or `sentence_text`."""

    def __init__(self, folder: Path | str, name: str, model_id: str, fingerprint: str, dimension: int | None) -> None:
        self.tables = f"{folder}/sentences"
        self.folder = beside(self.tables)
        self.name = name
        self.model_id = model_id
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.payload = "sentence_text" if dimension is None else "vector"

    @classmethod
    def of_vectors(cls, lance_folder: Path | str, model_id: str, fingerprint: str, dimension: int) -> SentenceIndex:
        return cls(lance_folder, table_name("vectors", model_id, fingerprint), model_id, fingerprint, dimension)

    @classmethod
    def of_existing_vectors(cls, lance_folder: Path | str, model_id: str, fingerprint: str) -> SentenceIndex:
        """The index as it is on disk, with the dimension that its table has."""
        index = cls.of_vectors(lance_folder, model_id, fingerprint, 0)
        index.dimension = index.dataset().schema.field("vector").type.list_size
        return index

    @classmethod
    def of_chunks(
        cls, lance_folder: Path | str, chunking: str, model_id: str, fingerprint: str, dimension: int
    ) -> SentenceIndex:
        """An index whose rows are chunks: a sentence_id is a chunk_id of int_chunks."""
        name = table_name(f"chunks__{chunking}", model_id, fingerprint)
        return cls(lance_folder, name, model_id, fingerprint, dimension)

    @classmethod
    def of_text(cls, lance_folder: Path | str) -> SentenceIndex:
        return cls(lance_folder, "fulltext", "none", "none", None)

    @property
    def kind(self) -> str:
        return "fulltext" if self.dimension is None else "vector"

    @property
    def path(self) -> str:
        return f"{self.tables}/{self.name}.lance"

    @property
    def schema(self) -> pa.Schema:
        import pyarrow as pa

        types = {"cik": pa.int64(), "report_year": pa.int32()}
        payload = pa.string() if self.dimension is None else pa.list_(pa.float32(), self.dimension)
        return pa.schema([(name, types.get(name, pa.string())) for name in KEY_COLUMNS] + [(self.payload, payload)])

    def exists(self) -> bool:
        """Whether the table was ever committed; a process killed before that leaves a folder without versions."""
        return opened(self.path) is not None

    def table(self) -> Table:
        """The LanceDB table, for its own searches."""
        import lancedb

        if not self.exists():
            raise FinragError(f"There is no index at {self.path}. Run `dbt build --select int_sentence_index`.")
        return lancedb.connect(self.tables).open_table(self.name)

    def dataset(self) -> lance.LanceDataset:
        """The same table as a Lance dataset, for reading."""
        if (dataset := opened(self.path)) is None:
            raise FinragError(f"There is no index at {self.path}. Run `dbt build --select int_sentence_index`.")
        return dataset

    def create(self) -> Table:
        """An empty table, in place of whatever is there."""
        import lancedb

        mode = "overwrite" if self.exists() else "create"
        return lancedb.connect(self.tables).create_table(self.name, schema=self.schema, mode=mode)

    def partition_count(self) -> int:
        """Partitions of the vector index; 0 without one. Lance tells only along with all centroids, so we remember."""
        trained_rows = self.remembered().get("trained_rows", 0)
        return partitions(trained_rows) if trained_rows else 0

    def batches(self, *columns: str) -> Iterator[pa.RecordBatch]:
        """Columns of every row, so many rows at a time, in the order of the table, with Lance's `_rowid`."""
        return self.dataset().to_batches(columns=list(columns), batch_size=BATCH_ROWS, with_row_id=True)

    def row_ids(self) -> Places:
        """The position in the table of each of Lance's `_rowid`."""
        import numpy as np

        found = [np.empty(0, np.uint64), *(batch["_rowid"].to_numpy() for batch in self.batches("cik"))]
        return Places([(np.concatenate(found), np.arange(sum(map(len, found))))])

    def take(self, rows: np.ndarray, *columns: str) -> pa.Table:
        """Rows given by position."""
        return self.dataset().take(rows, columns=list(columns))

    def ids_of(self, row_ids: pa.ChunkedArray) -> pa.ChunkedArray:
        """The sentence_id of each `_rowid`; the table's ids are read in a stream, and only these are held."""
        import numpy as np
        import pyarrow as pa

        wanted, wanted_at = np.unique(row_ids.to_numpy(), return_inverse=True)
        places = Places([(wanted, np.arange(len(wanted)))])
        found, found_at = [], []
        for batch in self.batches("sentence_id"):
            at = places.of(batch["_rowid"].to_numpy())
            found.append(batch["sentence_id"].take(np.flatnonzero(at >= 0)))
            found_at.append(at[at >= 0])
        order = np.argsort(np.concatenate(found_at))
        return pa.chunked_array(found, pa.string()).take(order[wanted_at])

    def id_order(self) -> np.ndarray:
        """(n,) position of each row's sentence_id when all are sorted ascending, by code point as trec_eval does.

        DuckDB sorts them, on disk where they exceed SORT_MEMORY.
        """
        import duckdb
        import numpy as np

        with (
            TemporaryDirectory(prefix="finrag-sort-") as folder,
            duckdb.connect(config={"memory_limit": SORT_MEMORY, "temp_directory": folder}) as connection,
        ):
            connection.register("ids", self.dataset().scanner(columns=["sentence_id"], scan_in_order=True).to_reader())
            connection.execute("create table numbered as from ids")  # rowid is then the place in the table
            places = connection.execute("select rowid as place from numbered order by sentence_id").fetchnumpy()[
                "place"
            ]
        order = np.empty(len(places), np.int64)
        order[places] = np.arange(len(places))
        return order

    def vector_blocks(self) -> Iterator[np.ndarray]:
        """(n, dimension) float32 blocks in the order of the table."""
        for batch in self.batches("vector"):
            yield matrix(batch["vector"])

    @property
    def memory(self) -> Path:
        """The file that says what the table was last brought to."""
        return sidecar(self.path, "json")

    def remembered(self) -> dict:
        try:
            return json.loads(self.memory.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def remember(self, state: dict) -> None:
        write_whole(self.memory, json.dumps(state, indent=1))

    def forget(self) -> None:
        self.memory.unlink(missing_ok=True)


def table_name(kind: str, model_id: str, fingerprint: str) -> str:
    """Of the table of one model's vectors, in letters that LanceDB takes."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", f"{kind}__{model_id}__{fingerprint[:8]}")


def sync(
    session,
    sentences,
    filings,
    index: SentenceIndex,
    *,
    vectors: Vectors | None = None,
    source: str = "",
    flat_rows: int = FLAT_ROWS,
) -> IndexReport:
    """Bring the table to the corpus and its indexes to the table.

    session: DuckDB connection. sentences, filings: relations of fct_sentences and dim_filings. vectors: for an index of
    vectors, gives those of texts; a sentence without one is left out. source: version of these vectors; when it
    changed, the vectors in the table are compared with them too.
    """
    corpus = sentences.join(filings.project("filing_id, form_type"), "filing_id", "left")
    payload = ", sentence_text" if index.dimension is None else ""
    session.execute(
        f"create or replace temp view index_corpus as {corpus.project(', '.join(KEY_COLUMNS) + payload).sql_query()}"
    )
    target = {
        "version": INDEX_VERSION,
        "corpus": _fingerprint(session),
        "source": source,
        "settings": _settings(index, flat_rows),
    }
    state = index.remembered()
    is_known = index.exists() and all(state.get(name) == value for name, value in target.items())
    if is_known and state.get("table") == version_of(index.dataset()):
        return IndexReport(**state["report"] | {"added_count": 0, "deleted_count": 0, "table_path": index.path})
    # what the file says no longer holds once the table is touched
    index.forget()
    index.folder.mkdir(parents=True, exist_ok=True)
    is_usable = index.exists() and state.get("version", INDEX_VERSION) == INDEX_VERSION
    table = index.table() if is_usable and index.dataset().schema.equals(index.schema) else index.create()
    _read_keys(session, index)
    stale = _stale_ids(session)
    if vectors is not None and state.get("source") != source:
        stale += _ids_with_other_vectors(index, vectors, set(stale))
    for start in range(0, len(stale), DELETED_AT_ONCE):
        table.delete(f"sentence_id in ({', '.join(map(literal, stale[start : start + DELETED_AT_ONCE]))})")
    if stale:
        _read_keys(session, index)
    added, left_out = _add_missing(session, index, table, vectors)
    is_changed = bool(added or stale) or not is_known
    trained_rows = _bring_indexes(
        index, table, state.get("trained_rows", 0), flat_rows, is_changed, bool(stale) or not state
    )
    report = describe(session, index, index.table(), trained_rows)
    report = IndexReport(
        **asdict(report) | {"added_count": added, "deleted_count": len(stale), "left_out_count": left_out}
    )
    index.remember(
        target | {"table": version_of(index.dataset()), "trained_rows": trained_rows, "report": asdict(report)}
    )
    return report


def _settings(index: SentenceIndex, flat_rows: int) -> dict:
    if index.dimension is None:
        return FULLTEXT
    return {"flat_rows": flat_rows, "partitions": f"square root of the rows, at most {MOST_PARTITIONS}"}


def _fingerprint(session) -> str:
    """Of the corpus, whatever the order of its rows. hash() may differ between versions of DuckDB; then we compare."""
    columns = ", ".join(KEY_COLUMNS)
    ((count, total),) = session.execute(f"select count(*), sum(hash({columns})) from index_corpus").fetchall()
    return f"{count}-{total}"


def _read_keys(session, index: SentenceIndex) -> None:
    """The keys of the table as the temporary table index_keys."""
    session.register("index_reader", index.dataset().scanner(columns=list(KEY_COLUMNS)).to_reader())
    session.execute("create or replace temp table index_keys as from index_reader")
    session.unregister("index_reader")


def _stale_ids(session) -> list[str]:
    """Ids in the table that the corpus does not have, or not with these values, or that are there twice."""
    columns = ", ".join(KEY_COLUMNS)
    rows = session.execute(
        f"""
        select sentence_id from (select {columns} from index_keys except select {columns} from index_corpus)
        union
        select sentence_id from index_keys group by sentence_id having count(*) > 1
        order by sentence_id
        """
    ).fetchall()
    return [sentence_id for (sentence_id,) in rows]


def _ids_with_other_vectors(index: SentenceIndex, vectors: Vectors, stale: set[str]) -> list[str]:
    """Ids whose vector in the table is not, bit by bit, the one that their text has now."""
    import numpy as np

    different = []
    for batch in index.dataset().to_batches(columns=["sentence_id", "text_hash", "vector"], batch_size=BATCH_ROWS):
        stored, wanted = matrix(batch["vector"]), vectors(batch["text_hash"])
        is_other = np.flatnonzero((stored.view(np.uint32) != wanted.view(np.uint32)).any(axis=1))
        different += [
            sentence_id for sentence_id in batch["sentence_id"].take(is_other).to_pylist() if sentence_id not in stale
        ]
    return different


def _add_missing(session, index: SentenceIndex, table: Table, vectors: Vectors | None) -> tuple[int, int]:
    """Append the sentences that the table lacks, slices of one filter value side by side; (added, left out)."""
    import numpy as np
    import pyarrow as pa

    from finrag.progress import progress

    columns = ", ".join(KEY_COLUMNS) + (", sentence_text" if index.dimension is None else "")
    # a table rather than a stream of the query's result: nothing else may run on the connection during a stream
    session.execute(
        f"""
        create or replace temp table index_missing as
        select {columns} from index_corpus
        where sentence_id not in (select sentence_id from index_keys)
        order by cik, report_year, filing_id, section_id, sentence_id
        """
    )
    ((total,),) = session.execute("select count(*) from index_missing").fetchall()
    added = 0
    with progress(f"Index {index.name}", total, "sentence") as sentences_done:
        rows = max(BATCH_ROWS, ADDED_BYTES // (4 * (index.dimension or ADDED_BYTES)))
        for start in range(0, total, rows):
            batch = session.sql(
                f"from index_missing where rowid >= {start} and rowid < {start + rows} order by rowid"
            ).to_arrow_table()
            if vectors is not None:
                found = vectors(batch["text_hash"].combine_chunks())
                present = ~np.isnan(found).any(axis=1)
                flat = pa.array(np.ascontiguousarray(found[present], dtype=np.float32).reshape(-1))
                batch = batch.filter(pa.array(present)).append_column(
                    "vector", pa.FixedSizeListArray.from_arrays(flat, index.dimension)
                )
            if batch.num_rows:
                table.add(batch.cast(index.schema))
            added += batch.num_rows
            sentences_done.update(min(rows, total - start))
    session.execute("drop table index_missing")
    return added, total - added


def _bring_indexes(
    index: SentenceIndex, table: Table, trained_rows: int, flat_rows: int, is_changed: bool, is_renewed: bool
) -> int:
    """Compact the table and bring its indexes to its rows; returns on how many rows the vector index was trained.

    is_renewed: rows may have been deleted. BM25 scores would still count them, so the text index is then built anew;
    appended rows alone give the scores of an index built at once.
    """
    rows = table.count_rows()
    if is_changed:
        table.optimize()
        # older versions keep the files that compaction replaced, and nothing reads them
        index.dataset().cleanup_old_versions(older_than=timedelta(0))
    present = {column for each in table.list_indices() for column in each.columns}
    if not rows:
        return 0
    for column, kind in SCALAR_INDEXES.items():
        if column not in present:
            table.create_index(column, config=_scalar_index(kind))
    if index.dimension is None:
        if is_renewed or index.payload not in present:
            from lancedb.index import FTS

            # in one piece: the segments that pylance writes keep words that LanceDB takes as stop words ("not", "no")
            table.create_index(index.payload, config=FTS(**FULLTEXT, memory_limit=FULLTEXT_MEMORY), replace=True)
        return 0
    return _bring_vector_index(index, table, rows, trained_rows if index.payload in present else 0, flat_rows)


def _bring_vector_index(index: SentenceIndex, table: Table, rows: int, trained_rows: int, flat_rows: int) -> int:
    if rows < flat_rows:
        if trained_rows:
            table.drop_index("vector_idx")
        return 0
    if trained_rows and rows < RETRAINED_AT * trained_rows:
        return trained_rows
    segments.build(index, partitions(rows))
    return rows


def partitions(rows: int) -> int:
    """Partitions of an IVF index over so many rows: as many as rows in each, and no more than MOST_PARTITIONS."""
    return min(max(1, round(math.sqrt(rows))), MOST_PARTITIONS)


def _scalar_index(kind: str):
    from lancedb.index import Bitmap, BTree

    return {"BTREE": BTree, "BITMAP": Bitmap}[kind]()


def describe(session, index: SentenceIndex, table: Table, trained_rows: int = 0) -> IndexReport:
    """What the table is now, read from the table itself."""
    statistics = table.index_stats(f"{index.payload}_idx") if has_index(table, index.payload) else None
    if index.dimension is None:
        parameters = FULLTEXT
    else:
        parameters = {"distance": "dot"} | ({"partitions": partitions(trained_rows)} if trained_rows else {})
    return IndexReport(
        index_kind=index.kind,
        model_id=index.model_id,
        fingerprint=index.fingerprint,
        table_path=index.path,
        row_count=table.count_rows(),
        index_type=statistics.index_type.lower() if statistics else "flat",
        index_parameters=json.dumps(parameters, sort_keys=True),
        fragment_count=len(index.dataset().get_fragments()),
        checksum=checksum(session, index),
    )


def has_index(table: Table, column: str) -> bool:
    return any(column in each.columns for each in table.list_indices())


def checksum(session, index: SentenceIndex) -> str:
    """Of sentence_id, filter columns and payload of every row in the table, whatever their order; 16 hex digits.

    A row's part is 64 bits of the md5 of its columns, with a weighted sum of the bits of its vector in place of the
    vector; the parts are added modulo 2**64. Two sentences that swap their vectors change it.
    """
    import numpy as np
    import pyarrow as pa

    columns = ["sentence_id", *FILTER_COLUMNS, index.payload]
    weights = np.random.default_rng(0).integers(0, 2**64, index.dimension or 0, dtype=np.uint64) | np.uint64(1)
    total = 0
    for batch in index.dataset().to_batches(columns=columns, batch_size=BATCH_ROWS):
        rows = pa.Table.from_batches([batch])
        if index.dimension is not None:
            sums = _weighted_sums(matrix(batch["vector"]).view(np.uint32), weights)
            rows = rows.drop_columns("vector").append_column("vector", pa.array(sums))
        session.register("index_batch", rows)
        values = ", ".join(f"coalesce({column}::varchar, chr(30))" for column in columns)
        ((part,),) = session.execute(
            f"select sum(md5_number_lower(concat_ws(chr(31), {values}))) from index_batch"
        ).fetchall()
        session.unregister("index_batch")
        total += int(part or 0)
    return f"{total % 2**64:016x}"


def _weighted_sums(words: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(n,) sums of 32-bit words times odd weights modulo 2**64, in slices that stay in the cache when widened."""
    import numpy as np

    sums = np.empty(len(words), np.uint64)
    for start in range(0, len(words), 1024):
        sums[start : start + 1024] = words[start : start + 1024].astype(np.uint64) @ weights
    return sums
