"""Exact search by dot product: the oracle that an index is measured against.

The ranking is total: score descending, then sentence_id descending (trec_eval's rule). A score is the float32 of a
float64 dot product of one query with one row, computed alone, so the pair scores the same in every regime, batch and
block size, and rows with the same vector tie exactly.

Stage 1 scans the rows in blocks with a matrix product and keeps every row whose product could, within the error bound
of that arithmetic, be among the k best or tie with the k-th. Stage 2 scores the kept pairs exactly and ranks them. The
matrix product is fp32; on a CPU with bf16 instructions it is bf16, and the wider bound keeps more rows.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from finrag.errors import FinragError
from finrag.libraries import load_libraries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Selection = slice | np.ndarray

PRECISIONS = ("auto", "fp32", "bf16")
# Rows and queries of one matrix product: its result stays in the cache until it is filtered.
BLOCK_ROWS = 2048
BLOCK_QUERIES = 1024
# Scores of a slice that is small.
SMALL_PRODUCT = 8192
# Kept pairs that are scored at once; bounds memory where very many rows tie.
PENDING_PAIRS = 2_000_000
SCORED_ROWS = 1024


@dataclass(frozen=True)
class Hits:
    """Ranked rows of all queries, flat: sorted by query, then by rank.

    query, row (int64) are positions in the arrays searched; rank (int32) starts at 1; score is float32. A query has
    min(k, rows it may see) hits, none where it may see nothing.
    """

    query: np.ndarray
    row: np.ndarray
    rank: np.ndarray
    score: np.ndarray

    def __len__(self) -> int:
        return len(self.query)


def search(
    queries: np.ndarray,
    vectors: np.ndarray | Iterable[np.ndarray],
    k: int,
    *,
    order: np.ndarray | None = None,
    query_groups: np.ndarray | None = None,
    row_groups: np.ndarray | None = None,
    precision: str = "auto",
    longest: float | None = None,
) -> Hits:
    """The k best rows of each query.

    queries: (q, d) float32. vectors: (n, d) float32, or an iterator of such blocks, of which one is held at a time.
    order: (n,) position of each row when sentence ids are sorted ascending; by default rows are in that order.
    query_groups, row_groups: integers; a query sees the rows of its own group only, so nothing where no row has its
    group. Without groups every query sees every row. Rows of a group side by side are searched without a copy.
    precision: arithmetic of the scan; 'auto' is bf16 where the CPU has it, else fp32. It never changes the result.
    longest: `longest_vector` of the vectors where it is known, so that it need not be computed again.
    """
    if k < 1:
        raise FinragError(f"A search for the best {k} rows finds nothing: k must be at least 1.")
    if precision not in PRECISIONS:
        raise FinragError(f"Unknown precision of the scan: {precision}. Allowed: {', '.join(PRECISIONS)}.")
    if (query_groups is None) != (row_groups is None):
        raise FinragError("A filtered search needs both query_groups and row_groups.")
    is_whole = isinstance(vectors, np.ndarray)
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    scan = _Scan(queries, k, precision, is_whole, longest)
    offset = 0
    for block in [vectors] if is_whole else vectors:
        if block.ndim != 2 or block.shape[1] != queries.shape[1]:
            raise FinragError(
                f"Queries of dimension {queries.shape[1]} cannot search vectors of shape {block.shape}. "
                "Both must come from the same embedding model."
            )
        rows = slice(offset, offset + len(block))
        offset = rows.stop
        if not len(block) or not len(queries):
            continue
        block_order = np.arange(rows.start, rows.stop) if order is None else order[rows]
        scan.open_block(np.ascontiguousarray(block, dtype=np.float32), rows.start, block_order)
        if row_groups is None:
            scan.see(slice(0, len(queries)), slice(0, len(block)))
        else:
            for seeing, seen in _slices(query_groups, row_groups[rows]):
                scan.see(seeing, seen)
        scan.score_pending()
    return scan.hits


def longest_vector(vectors: np.ndarray) -> float:
    """An upper bound of the vectors' lengths; FinragError where one holds NaN or infinity."""
    return float(_norms(vectors, "sentence").max(initial=0))


def pair_scores(queries: np.ndarray, vectors: np.ndarray, query: np.ndarray, row: np.ndarray) -> np.ndarray:
    """(m,) float32 scores of m pairs, `query` ascending: each pair's float64 dot product, rounded.

    np.vecdot takes one dot product per pair, so a pair's score does not depend on the pairs around it.
    """
    scores = np.empty(len(query), dtype=np.float32)
    bounds = np.flatnonzero(np.diff(query, prepend=-1, append=-1))
    for start, stop in itertools.pairwise(bounds):
        wide = queries[query[start]].astype(np.float64)
        for first in range(start, stop, SCORED_ROWS):
            last = min(first + SCORED_ROWS, stop)
            scores[first:last] = np.vecdot(vectors[row[first:last]].astype(np.float64), wide)
    return scores


def best(query: np.ndarray, score: np.ndarray, order: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the k best of each query under the total order (sorted by query, then rank), and their ranks.

    order: the position of each hit's sentence id among all, ascending; of equal scores the later one comes first.
    """
    chosen = np.lexsort((-order, -score, query))
    ordered = query[chosen]
    rank = np.arange(1, len(ordered) + 1) - np.searchsorted(ordered, ordered)
    kept = rank <= k
    return chosen[kept], rank[kept].astype(np.int32)


class _Scan:
    """Running state: the best rows so far with exact scores, pairs still to be scored, and per query the k-th best
    lower bound of a score, below which no further row is of interest.
    """

    def __init__(self, queries: np.ndarray, k: int, precision: str, is_whole: bool, longest: float | None) -> None:
        self.queries = queries
        self.k = k
        self.is_whole = is_whole
        self.product = _Product(queries, precision, longest)
        self.bounds = np.full((len(queries), k), -np.inf, dtype=np.float32)
        self.kth = np.full(len(queries), -np.inf, dtype=np.float32)
        self.hits = Hits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.float32))
        self.orders = np.empty(0, np.int64)
        self.pending: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.pending_count = 0

    def open_block(self, vectors: np.ndarray, offset: int, order: np.ndarray) -> None:
        self.vectors, self.offset, self.order = vectors, offset, order

    def see(self, seeing: Selection, seen: Selection) -> None:
        """Let some queries see some rows of the block, in products of a size that stays in the cache."""
        if self.is_whole and _length(seeing) * _length(seen) <= SMALL_PRODUCT:
            self.see_slice(seeing, seen)
            return
        for rows in _parts(seen, BLOCK_ROWS):
            is_only_part = self.is_whole and _length(rows) == _length(seen)
            for query in _parts(seeing, BLOCK_QUERIES):
                self.scan(query, rows, is_only_part)
            if self.pending_count > PENDING_PAIRS:
                self.score_pending()

    def see_slice(self, query: Selection, rows: Selection) -> None:
        """The same for a small slice and queries that see nothing else. One dot product a pair is then faster than a
        matrix product, whose threads must first meet; on a busy machine by far.
        """
        part = self.vectors[rows]
        if len(part) <= self.k:
            query_at, row_at = np.divmod(np.arange(_length(query) * len(part)), len(part))
        else:
            scores = np.vecdot(part, self.queries[query][:, None])
            kth = np.partition(scores, -self.k, axis=1)[:, -self.k :].min(axis=1)
            query_at, row_at = np.nonzero(scores >= (kth - 2 * self.product.error(query, part))[:, None])
        self.pending.append((_absolute(query, query_at), _absolute(rows, row_at), np.full(len(query_at), np.inf)))
        self.pending_count += len(query_at)

    def scan(self, query: Selection, rows: Selection, is_only_part: bool) -> None:
        """Keep the pairs that may be among the k best; raise the bounds unless these queries see nothing else."""
        scores, error = self.product.of(query, self.vectors[rows])
        least = self.kth[query]
        if scores.shape[1] > self.k and least.min() == -np.inf:
            least = np.maximum(least, np.partition(scores, -self.k, axis=1)[:, -self.k] - error)
        query_at, row_at = self.product.at_least(scores, least - error)
        if not len(query_at):
            return
        score, error = scores[query_at, row_at], error[query_at]
        if not is_only_part:
            self.raise_bounds(query, query_at, score - error)
        self.pending.append((_absolute(query, query_at), _absolute(rows, row_at), score + error))
        self.pending_count += len(query_at)

    def raise_bounds(self, query: Selection, query_at: np.ndarray, lower: np.ndarray) -> None:
        """Merge lower bounds of scores, grouped by query, into the k best bounds of each query."""
        starts = np.flatnonzero(np.diff(query_at, prepend=-1))
        counts = np.diff(starts, append=len(query_at))
        added = np.full((len(starts), counts.max()), -np.inf, dtype=np.float32)
        line = np.repeat(np.arange(len(starts)), counts)
        added[line, np.arange(len(query_at)) - starts[line]] = lower
        touched = _absolute(query, query_at[starts])
        merged = np.concatenate([self.bounds[touched], added], axis=1)
        merged.partition(merged.shape[1] - self.k, axis=1)
        self.bounds[touched] = merged[:, -self.k :]
        self.kth[touched] = merged[:, -self.k]

    def score_pending(self) -> None:
        """Score the pairs kept from the block exactly and merge them into the hits."""
        if not self.pending:
            return
        query, row, upper = (np.concatenate(parts) for parts in zip(*self.pending, strict=True))
        self.pending, self.pending_count = [], 0
        promising = upper >= self.kth[query]
        query, row = query[promising], row[promising]
        by_query = np.argsort(query, kind="stable")
        query, row = query[by_query], row[by_query]
        score = pair_scores(self.queries, self.vectors, query, row)
        if not np.isfinite(score).all():
            raise _not_finite("sentence")
        query = np.concatenate([self.hits.query, query])
        score = np.concatenate([self.hits.score, score])
        orders = np.concatenate([self.orders, self.order[row]])
        row = np.concatenate([self.hits.row, row + self.offset])
        chosen, rank = best(query, score, orders, self.k)
        self.hits = Hits(query[chosen], row[chosen], rank, score[chosen])
        self.orders = orders[chosen]


class _Product:
    """Approximate scores of queries and rows, and how far each may lie from the float32 score of the pair.

    A float32 dot product of dimension d, in any order of summation, errs by at most gamma(d) |q| |v|, gamma(d) =
    d u / (1 - d u), u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1, with Cauchy-Schwarz);
    rounding the float64 score adds at most u |q| |v|. With bf16, the residuals of both roundings and the
    rounding of the product (2^-8 of it) add to that.
    """

    def __init__(self, queries: np.ndarray, precision: str, longest: float | None) -> None:
        self.queries = queries
        self.longest = longest
        self.gamma = _gamma(queries.shape[1])
        self.norms = _norms(queries, "query")
        self.is_bf16 = precision == "bf16" or (precision == "auto" and _cpu_has_bf16())
        self.scores = np.empty(BLOCK_QUERIES * BLOCK_ROWS, dtype=np.float32)
        self.reached = np.empty(BLOCK_QUERIES * BLOCK_ROWS, dtype=bool)
        if self.is_bf16:
            self.rounded, residuals = _bf16(queries)
            self.residuals = _norms(residuals, "query")

    def of(self, query: Selection, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(q, n) float32 products of the selected queries with the vectors, and the (q,) bound of their errors.

        The products stand in a buffer that the next call overwrites.
        """
        error = self.error(query, vectors)
        if self.is_bf16:
            longest = longest_vector(vectors) if self.longest is None else self.longest
            rounded, residuals = _bf16(vectors)
            scores = (self.rounded[query] @ rounded.T).float().numpy()
            product = (self.norms[query] + self.residuals[query]) * (longest + (off := _norms(residuals, "").max()))
            error += self.residuals[query] * longest + (self.norms[query] + self.residuals[query]) * off
            error += 2.0**-8 * product
            error *= 1.001
        else:
            chosen = self.queries[query]
            # one buffer for all products: fresh memory of this size would be mapped page by page each time
            scores = self.scores[: len(chosen) * len(vectors)].reshape(len(chosen), len(vectors))
            np.matmul(chosen, vectors.T, out=scores)
        return scores, error.astype(np.float32)

    def error(self, query: Selection, vectors: np.ndarray) -> np.ndarray:
        """(q,) bound of the error of a float32 product, with a hair more for its own rounding and for underflow."""
        longest = longest_vector(vectors) if self.longest is None else self.longest
        return 2.002 * self.gamma * longest * self.norms[query] + np.float32(1e-30)

    def at_least(self, scores: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (query, row), sorted, of the scores that reach their query's bound."""
        reached = self.reached[: scores.size].reshape(scores.shape)
        np.greater_equal(scores, least[:, None], out=reached)
        if scores.shape[1] % 8:
            return np.nonzero(reached)
        # nearly none do: look at eight at a time
        words = np.flatnonzero(reached.view(np.uint64) != 0)
        word, byte = np.nonzero(reached.reshape(-1, 8)[words])
        return np.divmod(words[word] * 8 + byte, scores.shape[1])


def _gamma(dimension: int) -> float:
    return (dimension + 2) * 2.0**-24 / (1 - (dimension + 2) * 2.0**-24)


def _norms(vectors: np.ndarray, what: str) -> np.ndarray:
    """(n,) float32 lengths, rounded up a little."""
    norms = np.sqrt(np.vecdot(vectors, vectors)) * np.float32(1.0001)
    if not np.isfinite(norms).all():
        raise _not_finite(what)
    return norms


def _not_finite(what: str) -> FinragError:
    return FinragError(
        f"A {what} vector holds NaN or infinity, so that nothing can be ranked. Remove it from the imported "
        "vectors, or delete the embedding store's folder to compute the vectors again."
    )


def _bf16(vectors: np.ndarray):
    """The vectors rounded to a bf16 tensor, and what the rounding left off."""
    load_libraries("torch")
    import torch

    rounded = torch.from_numpy(vectors).bfloat16()
    return rounded, vectors - rounded.float().numpy()


def _cpu_has_bf16() -> bool:
    """Whether the processor multiplies bf16 natively. Only Linux tells; elsewhere the scan is fp32."""
    cpu = Path("/proc/cpuinfo")
    return cpu.exists() and bool({"avx512_bf16", "amx_bf16"} & set(cpu.read_text().split()))


def _slices(query_groups: np.ndarray, row_groups: np.ndarray) -> Iterator[tuple[np.ndarray, Selection]]:
    """Queries and rows of each group that has both."""
    rows = np.flatnonzero(np.isin(row_groups, query_groups))
    groups = row_groups[rows]
    if (np.diff(groups) < 0).any():
        by_group = np.argsort(groups, kind="stable")
        rows, groups = rows[by_group], groups[by_group]
    queries = np.argsort(query_groups, kind="stable")
    queried = query_groups[queries]
    present = np.unique(groups)
    bounds = [np.searchsorted(keys, present, side) for keys in (queried, groups) for side in ("left", "right")]
    for query_start, query_stop, start, stop in zip(*(bound.tolist() for bound in bounds), strict=True):
        first, last = int(rows[start]), int(rows[stop - 1])
        is_contiguous = last - first == stop - 1 - start
        yield queries[query_start:query_stop], slice(first, last + 1) if is_contiguous else rows[start:stop]


def _parts(selection: Selection, size: int) -> Iterator[Selection]:
    if isinstance(selection, slice):
        for start in range(selection.start, selection.stop, size):
            yield slice(start, min(start + size, selection.stop))
    else:
        for start in range(0, len(selection), size):
            yield selection[start : start + size]


def _length(selection: Selection) -> int:
    return selection.stop - selection.start if isinstance(selection, slice) else len(selection)


def _absolute(selection: Selection, at: np.ndarray) -> np.ndarray:
    """Positions in the whole array of positions within a selection."""
    return at + selection.start if isinstance(selection, slice) else selection[at]
