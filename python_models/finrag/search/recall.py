"""LanceDB's own answers from a vector index, and how many of the true best they hold."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from finrag.index import exact
from finrag.index.regimes import FILTER_COLUMNS, chosen_regimes, filter_expressions
from finrag.metrics.shares import share

if TYPE_CHECKING:
    from collections.abc import Sequence

    import lance
    import numpy as np
    import pyarrow as pa

    from finrag.index.lance import SentenceIndex
    from finrag.keys import Places
    from finrag.search.dense import IndexedVectors

RECALL_KS = (1, 5, 30)
RECALL_QUERIES = 200
# Share of the partitions that an open search reads. On 24,576 embeddings of real sentences recall@30 was 0.985 with 96
# partitions and 0.990 with 192 (the square root of the rows lies between); a fifth of them gave 0.967 and 0.980.
PROBED_SHARE = 0.3
FLAG = "is_interval_reliable"


@dataclass(frozen=True)
class Recall:
    """One row of retrieval.int_index_recall."""

    regime: str
    k: int
    recall: float
    ci_low: float
    ci_high: float
    n_queries: int
    n_clusters: int
    is_interval_reliable: bool
    queries_per_second: float


def measure_recall(indexes, regimes, chosen: str, lance_folder: str, known=None) -> pa.Table:
    """Recall of each vector index in each chosen regime.

    indexes, regimes: relations of int_sentence_index and retrieval_regimes. chosen: the var retrieval_regimes. known:
    relation of what was measured before; an index that has not changed since is not measured again.
    """
    import pyarrow as pa

    from finrag.index.lance import SentenceIndex
    from finrag.search.dense import IndexedVectors

    columns_of = chosen_regimes(regimes, chosen)
    identity = ("model_id", "index_checksum", "index_type", "index_parameters")
    measurement = ", ".join((*identity, "regime", "filter_columns"))
    # earlier versions counted the query among its own answers, took queries for independent, or had no such flag
    measured = (
        set()
        if known is None or FLAG not in known.columns
        else set(known.filter(f"{FLAG} is not null").project(measurement).fetchall())
    )
    vector_indexes = indexes.filter("index_kind = 'vector' and row_count > 0").order("model_id")
    rows = []
    for *values, fingerprint in vector_indexes.project(
        "model_id, checksum, index_type, index_parameters, fingerprint"
    ).fetchall():
        wanted = {
            regime: columns
            for regime, columns in columns_of.items()
            if (*values, regime, " ".join(columns)) not in measured
        }
        if wanted:
            index = SentenceIndex.of_existing_vectors(lance_folder, values[0], fingerprint)
            rows += [
                dict(zip(identity, values, strict=True))
                | asdict(each)
                | {"filter_columns": " ".join(wanted[each.regime])}
                for each in recall(IndexedVectors(index), wanted)
            ]
    return pa.Table.from_pylist(rows, recall_schema())


def recall_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("model_id", pa.string()),
            ("index_checksum", pa.string()),
            ("index_type", pa.string()),
            ("index_parameters", pa.string()),
            ("regime", pa.string()),
            ("filter_columns", pa.string()),
            ("k", pa.int32()),
            ("recall", pa.float64()),
            ("ci_low", pa.float64()),
            ("ci_high", pa.float64()),
            ("n_queries", pa.int64()),
            ("n_clusters", pa.int64()),
            (FLAG, pa.bool_()),
            ("queries_per_second", pa.float64()),
        ]
    )


def nearest(
    dataset: lance.LanceDataset, vector: np.ndarray, k: int, condition: str | None = None, **settings
) -> pa.Table:
    """_rowid and _distance (1 - dot product) of the k nearest rows that the index finds; the filter comes first."""
    return dataset.to_table(
        columns=["_distance"],
        with_row_id=True,
        nearest={"column": "vector", "q": vector, "k": k, "metric": "dot", **settings},
        filter=condition,
        prefilter=True,
    )


def search_settings(partition_count: int, is_filtered: bool) -> dict:
    """How LanceDB is asked. partition_count: of the vector index; 0 without one, and the search is then exact.

    A filtered search reads every partition: the prefilter leaves each a handful of rows, so that probing some of them
    misses most of a slice, and may find fewer rows than asked for.
    """
    if not partition_count:
        return {"use_index": False}
    probes = partition_count if is_filtered else math.ceil(PROBED_SHARE * partition_count)
    return {"minimum_nprobes": probes, "maximum_nprobes": probes}


def recall(indexed: IndexedVectors, regimes: dict[str, Sequence[str]], n_queries: int = RECALL_QUERIES) -> list[Recall]:
    """Recall@k of LanceDB's answers per regime and k, on sentences of the index drawn by hash as queries.

    The query sentence is asked for with the others and then removed by id from the answer and from the truth: finding
    oneself is no feat, and would lift recall@1 to 1. A query that sees no other sentence is not measured.
    A query's recall is the share of min(k, other sentences it may see) that are right. An answer is right when its
    exact score reaches the k-th exact score: where copies tie at the cut, either copy is a true neighbour, and counting
    one of them as an error would measure the tie-break.

    Queries of one company depend on each other, as their neighbours lie in the same partitions (finrag.metrics.shares).
    """
    import numpy as np

    dataset = indexed.index.dataset()
    partition_count = indexed.index.partition_count()
    chosen = _drawn(indexed.index, n_queries)
    queries = indexed.index.take(chosen, "sentence_id", *FILTER_COLUMNS)
    row_ids = indexed.index.row_ids()
    vectors = indexed.take(chosen)
    companies = np.unique(queries["cik"].to_numpy().astype(str), return_inverse=True)[1]
    found = []
    for regime, columns in regimes.items():
        depth = max(RECALL_KS) + 1
        truth = indexed.nearest(vectors, depth, indexed.groups_seen(queries, columns))
        settings = search_settings(partition_count, bool(columns))
        conditions = filter_expressions(queries, columns)
        start = time.perf_counter()
        answers = [
            nearest(dataset, vector, depth, condition, **settings)
            for vector, condition in zip(vectors, conditions, strict=True)
        ]
        rate = queries.num_rows / max(time.perf_counter() - start, 1e-9)
        for k, per_query in _shares(indexed, row_ids, vectors, chosen, truth, answers).items():
            is_measured = ~np.isnan(per_query)
            if is_measured.any():
                of = share(per_query[is_measured], companies[is_measured])
                interval = (of.share, of.ci_low, of.ci_high)
                found.append(Recall(regime, k, *interval, of.n, of.n_clusters, of.is_interval_reliable, rate))
    return found


def _drawn(index: SentenceIndex, count: int) -> np.ndarray:
    """Positions of sentences drawn by a hash of their ids: others join or leave only as the corpus changes."""
    import hashlib

    import numpy as np

    marks, rows, at = np.empty(0, "S8"), np.empty(0, np.int64), 0
    for batch in index.batches("sentence_id"):
        digests = [hashlib.md5(each.encode()).digest()[:8] for each in batch["sentence_id"].to_pylist()]
        marks = np.concatenate([marks, np.array(digests, "S8")])
        rows = np.concatenate([rows, np.arange(at, at + batch.num_rows)])
        at += batch.num_rows
        least = np.argsort(marks, kind="stable")[:count]
        marks, rows = marks[least], rows[least]
    return np.sort(rows)


def _shares(
    indexed: IndexedVectors,
    row_ids: Places,
    vectors: np.ndarray,
    chosen: np.ndarray,
    truth: exact.Hits,
    answers: Sequence[pa.Table],
) -> dict[int, np.ndarray]:
    """Per k, each query's share of right answers, nan of one that may see no other sentence.

    chosen: (q,) row of each query's own sentence.
    """
    import numpy as np
    import pyarrow as pa

    answered = pa.concat_tables(answers)
    counts = [answer.num_rows for answer in answers]
    query = np.repeat(np.arange(len(answers)), counts)
    row = row_ids.of(answered["_rowid"].to_numpy())
    query, row = (each[row != chosen[query]] for each in (query, row))
    rank = _ranks(query)
    is_other = truth.row != chosen[truth.query]
    true_query, true_score = truth.query[is_other], truth.score[is_other]
    true_rank = _ranks(true_query)
    # vectors of the answers only, by position: the table may be larger than memory
    distinct, place = np.unique(row, return_inverse=True)
    score = exact.pair_scores(vectors, indexed.take(distinct), query, place)
    shares = {}
    for k in RECALL_KS:
        is_true = true_rank <= k
        size = np.bincount(true_query[is_true], minlength=len(answers))
        least = np.full(len(answers), np.inf, np.float32)
        np.minimum.at(least, true_query[is_true], true_score[is_true])
        right = np.bincount(query[(rank <= k) & (score >= least[query])], minlength=len(answers))
        shares[k] = np.divide(right, size, out=np.full(len(answers), np.nan), where=size > 0)
    return shares


def _ranks(query: np.ndarray) -> np.ndarray:
    """Ranks from 1 of hits that are sorted by query and, within one, best first."""
    import numpy as np

    starts = np.flatnonzero(np.diff(query, prepend=-1))
    return np.arange(1, len(query) + 1) - np.repeat(starts, np.diff(starts, append=len(query)))
