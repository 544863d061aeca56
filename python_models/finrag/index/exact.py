"""Exact search by dot product: the oracle that an index is measured against.

The ranking is total: score descending, then sentence_id descending (trec_eval's rule). A score is the float32 of a
float64 dot product of one query with one row, computed alone, so the pair scores the same in every regime, batch and
block size, and rows with the same vector tie exactly.

Stage 1 scans the rows in blocks with matrix products, one per thread at a time, and keeps every row whose product
could, within the error bound of that arithmetic, be among the k best or tie with the k-th. Stage 2 scores the kept
pairs exactly and ranks them. The matrix product is fp32; of many queries with all rows, on a CPU with bf16
instructions, it is bf16, and the wider bound keeps more rows.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from finrag.errors import FinragError
from finrag.index.groups import RowGroups
from finrag.libraries import load_torch
from finrag.threads import one_blas_thread, processors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from finrag.index.groups import Pairs, Selection

PRECISIONS = ("auto", "fp32", "bf16")
# Rows and queries of one matrix product: its result stays in the cache until it is filtered.
BLOCK_ROWS = 2048
BLOCK_QUERIES = 1024
# Queries from which on a scan in bf16 is faster: rounding the rows takes its time for however few. Measured on a Xeon
# with AMX, benchmarks/search.py, scan_precision.
BF16_QUERIES = 512
# Kept pairs that are scored at once, and scored pairs before all but the best are dropped; bounds memory where very
# many rows tie.
PENDING_PAIRS = 2_000_000
# Pairs whose vectors are in the cache in float64.
SCORED_PAIRS = 512


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
    row_groups: RowGroups | np.ndarray | None = None,
    precision: str = "auto",
    longest: float | None = None,
) -> Hits:
    """The k best rows of each query.

    queries: (q, d) float32. vectors: (n, d) float32, or an iterator of such blocks, of which one is held at a time.
    order: (n,) position of each row when sentence ids are sorted ascending; by default rows are in that order.
    query_groups, row_groups: integers; a query sees the rows of its own group only, so nothing where no row has its
    group. Without groups every query sees every row.
    precision: arithmetic of the scan; 'auto' is bf16 where that is faster, else fp32. It never changes the result.
    longest: `longest_vector` of the vectors where it is known, so that it need not be computed again.
    """
    if k < 1:
        raise FinragError(f"A search for the best {k} rows finds nothing: k must be at least 1.")
    if precision not in PRECISIONS:
        raise FinragError(f"Unknown precision of the scan: {precision}. Allowed: {', '.join(PRECISIONS)}.")
    if (query_groups is None) != (row_groups is None):
        raise FinragError("A filtered search needs both query_groups and row_groups.")
    if isinstance(row_groups, np.ndarray):
        row_groups = RowGroups(row_groups)
    is_whole = isinstance(vectors, np.ndarray)
    if precision == "auto":
        precision = _faster_precision(len(queries), row_groups is not None)
    product = _Product(np.ascontiguousarray(queries, dtype=np.float32), precision, longest)
    scans = [_Scan(product, k) for _ in range(product.threads)]
    offset = 0
    with one_blas_thread(), ThreadPoolExecutor(len(scans)) as threads:
        for vectors_of_block in [vectors] if is_whole else vectors:
            block = _Block.of(vectors_of_block, offset, order, queries.shape[1])
            offset += len(block.vectors)
            few, many = block.seen(len(queries), query_groups, row_groups, k)
            # an iterator that all threads draw from, so that none waits while another is held up
            work = iter([part for each in many for part in _products(*each, is_whole)])
            pairs = zip(*(np.array_split(each, len(scans)) for each in few), strict=True)
            list(threads.map(lambda scan, few, block=block, work=work: scan.take(block, few, work), scans, pairs))
    return _ranked(_Scored.together([part for scan in scans for part in scan.scored]), k)


def merged(parts: Iterable[Hits], k: int, order: np.ndarray) -> Hits:
    """The k best of each query among the hits of parts; rows are positions in the whole, as in order."""
    found = _Scored.together([])
    for part in parts:
        here = _Scored(part.query, part.row, part.score, order[part.row])
        found = _Scored.together([found, here]).best(k)
    return _ranked(found, k)


def longest_vector(vectors: np.ndarray) -> float:
    """An upper bound of the vectors' lengths; FinragError where one holds NaN or infinity."""
    return float(_norms(vectors, "sentence").max(initial=0))


def pair_scores(queries: np.ndarray, vectors: np.ndarray, query: np.ndarray, row: np.ndarray) -> np.ndarray:
    """(m,) float32 scores of m pairs: each pair's float64 dot product, rounded.

    np.vecdot takes one dot product per pair, so a pair's score does not depend on the pairs around it.
    """
    scores = np.empty(len(query), dtype=np.float32)
    for start in range(0, len(query), SCORED_PAIRS):
        part = slice(start, start + SCORED_PAIRS)
        wide = (np.take(*each, axis=0).astype(np.float64) for each in ((vectors, row[part]), (queries, query[part])))
        scores[part] = np.vecdot(*wide)
    return scores


def best(query: np.ndarray, score: np.ndarray, order: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the k best of each query under the total order (sorted by query, then rank), and their ranks.

    order: the position of each hit's sentence id among all, ascending; of equal scores the later one comes first.
    """
    chosen = np.lexsort((-order, -score, query))
    ordered = query[chosen]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    rank = np.arange(1, len(ordered) + 1) - np.repeat(starts, np.diff(starts, append=len(ordered)))
    kept = rank <= k
    return chosen[kept], rank[kept].astype(np.int32)


@dataclass(frozen=True)
class _Block:
    """Rows that are held at once: (n, d) vectors, the place of the first, and the (n,) order of their ids unless they
    are sorted.
    """

    vectors: np.ndarray
    offset: int
    order: np.ndarray | None

    @classmethod
    def of(cls, vectors: np.ndarray, offset: int, order: np.ndarray | None, dimension: int) -> _Block:
        if vectors.ndim != 2 or vectors.shape[1] != dimension:
            raise FinragError(
                f"Queries of dimension {dimension} cannot search vectors of shape {vectors.shape}. "
                "Both must come from the same embedding model."
            )
        here = None if order is None else order[offset : offset + len(vectors)]
        return cls(np.ascontiguousarray(vectors, dtype=np.float32), offset, here)

    def order_of(self, row: np.ndarray) -> np.ndarray:
        return row + self.offset if self.order is None else self.order[row]

    def seen(
        self, query_count: int, query_groups: np.ndarray | None, row_groups: RowGroups | None, few: int
    ) -> tuple[Pairs, list[tuple[Selection, Selection]]]:
        """Which queries see which rows of the block, as RowGroups.seen."""
        if row_groups is None:
            nothing = np.empty(0, np.int64)
            return (nothing, nothing), [(slice(0, query_count), slice(0, len(self.vectors)))]
        if len(self.vectors) != len(row_groups.codes):
            row_groups = RowGroups(row_groups.codes[self.offset : self.offset + len(self.vectors)])
        return row_groups.seen(query_groups, few)


@dataclass(frozen=True)
class _Scored:
    """Pairs with their exact scores: query, row (int64), score (float32), and the order of the row's id."""

    query: np.ndarray
    row: np.ndarray
    score: np.ndarray
    order: np.ndarray

    @classmethod
    def together(cls, parts: list[_Scored]) -> _Scored:
        nothing = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.int64)
        columns = zip(nothing, *((each.query, each.row, each.score, each.order) for each in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def best(self, k: int) -> _Scored:
        """Only the k best of each query."""
        chosen, _ = best(self.query, self.score, self.order, k)
        return _Scored(self.query[chosen], self.row[chosen], self.score[chosen], self.order[chosen])


def _ranked(found: _Scored, k: int) -> Hits:
    """The k best of each query."""
    chosen, rank = best(found.query, found.score, found.order, k)
    return Hits(found.query[chosen], found.row[chosen], rank, found.score[chosen])


class _Scan:
    """What one thread has found: pairs with exact scores, pairs still to be scored, and per query the k-th best lower
    bound of a score, below which no further row is of interest.
    """

    def __init__(self, product: _Product, k: int) -> None:
        self.product = product
        self.queries = product.queries
        self.k = k
        self.bounds = np.full((len(self.queries), k), -np.inf, dtype=np.float32)
        self.kth = np.full(len(self.queries), -np.inf, dtype=np.float32)
        self.scored: list[_Scored] = []
        self.pending: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.pending_count = 0
        self.buffers = _Buffers()

    def take(self, block: _Block, few: Pairs, work: Iterator[tuple[Selection, Selection, bool]]) -> None:
        """Keep some pairs of the block as they are, and let queries see rows until there is no more work."""
        self.keep(*few, np.full(len(few[0]), np.inf, np.float32))
        for query, rows, is_all in work:
            query_at, row_at, upper = self.scan(query, block.vectors[rows], is_all)
            self.keep(_absolute(query, query_at), _absolute(rows, row_at), upper)
            if self.pending_count > PENDING_PAIRS:
                self.score_pending(block)
        self.score_pending(block)

    def keep(self, query: np.ndarray, row: np.ndarray, upper: np.ndarray) -> None:
        if len(query):
            self.pending.append((query, row, upper))
            self.pending_count += len(query)

    def scan(self, query: Selection, part: np.ndarray, is_all: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The pairs that may be among the k best and upper bounds of their scores. Raises the bounds of the queries
        unless they see nothing else.
        """
        scores, error = self.product.of(query, part, self.buffers)
        if is_all and len(part) > self.k:
            scores = scores.T
            kth = np.partition(scores, -self.k, axis=1)[:, -self.k]
            query_at, row_at = np.nonzero(scores >= (kth - 2 * error)[:, None])
            return query_at, row_at, np.full(len(query_at), np.inf, np.float32)
        least = self.kth[query]
        if len(part) > self.k and least.min() == -np.inf:
            least = np.maximum(least, np.partition(scores, -self.k, axis=0)[-self.k] - error)
        query_at, row_at = self.buffers.at_least(scores, least - error)
        score, error = scores[row_at, query_at], error[query_at]
        if len(query_at):
            self.raise_bounds(query, query_at, score - error)
        return query_at, row_at, score + error

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

    def score_pending(self, block: _Block) -> None:
        """Score the pairs kept from the block exactly; of very many, keep the k best of each query."""
        if not self.pending:
            return
        query, row, upper = (np.concatenate(parts) for parts in zip(*self.pending, strict=True))
        self.pending, self.pending_count = [], 0
        promising = upper >= self.kth[query]
        query, row = query[promising], row[promising]
        score = pair_scores(self.queries, block.vectors, query, row)
        if not np.isfinite(score).all():
            raise _not_finite("sentence")
        self.scored.append(_Scored(query, row + block.offset, score, block.order_of(row)))
        if sum(len(each.query) for each in self.scored) > PENDING_PAIRS:
            self.scored = [_Scored.together(self.scored).best(self.k)]


class _Buffers:
    """Memory of one thread for products: fresh memory of this size would be mapped page by page each time."""

    def __init__(self) -> None:
        self.scores = np.empty(BLOCK_QUERIES * BLOCK_ROWS, dtype=np.float32)
        self.reached = np.empty(BLOCK_QUERIES * BLOCK_ROWS, dtype=bool)

    def product(self, vectors: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """(n, q) float32 products, which the next call overwrites."""
        scores = self.scores[: len(vectors) * columns.shape[1]].reshape(len(vectors), columns.shape[1])
        return np.matmul(vectors, columns, out=scores)

    def at_least(self, scores: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (query, row), sorted, of the scores that reach their query's bound."""
        reached = self.reached[: scores.size].reshape(scores.shape)
        np.greater_equal(scores, least, out=reached)
        if scores.size % 8:
            row_at, query_at = np.nonzero(reached)
        else:  # nearly none do: look at eight at a time
            eights = reached.reshape(-1, 8)
            found = np.flatnonzero(eights.view(np.uint64) != 0)
            eight, place = np.nonzero(eights[found])
            row_at, query_at = np.divmod(found[eight] * 8 + place, scores.shape[1])
        by_query = np.argsort(query_at, kind="stable")
        return query_at[by_query], row_at[by_query]


class _Product:
    """Approximate scores of queries and rows, and how far each may lie from the float32 score of the pair.

    A float32 dot product of dimension d, in any order of summation, errs by at most gamma(d) |q| |v|, gamma(d) =
    d u / (1 - d u), u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1, with Cauchy-Schwarz);
    rounding the float64 score adds at most u |q| |v|. With bf16, the residuals of both roundings and the
    rounding of the product (2^-8 of it) add to that.
    """

    def __init__(self, queries: np.ndarray, precision: str, longest: float | None) -> None:
        self.queries = queries
        # as the matrix product reads them
        self.columns = np.ascontiguousarray(queries.T)
        self.longest = longest
        self.norms = _norms(queries, "query")
        # with a hair more for its own rounding
        self.relative = np.float32(2.002 * _gamma(queries.shape[1])) * self.norms
        self.is_bf16 = precision == "bf16"
        # torch, which multiplies bf16, has threads of its own
        self.threads = 1 if self.is_bf16 else processors()
        if self.is_bf16:
            self.rounded, residuals = _bf16(queries)
            self.residuals = _norms(residuals, "query")

    def of(self, query: Selection, vectors: np.ndarray, buffers: _Buffers) -> tuple[np.ndarray, np.ndarray]:
        """(n, q) float32 products of the vectors with the selected queries, and the (q,) bound of their errors.

        The products stand in a buffer that the next call overwrites.
        """
        error = self.error(query, vectors)
        if self.is_bf16:
            longest = longest_vector(vectors) if self.longest is None else self.longest
            rounded, residuals = _bf16(vectors)
            scores = (rounded @ self.rounded[query].T).float().numpy()
            product = (self.norms[query] + self.residuals[query]) * (longest + (off := _norms(residuals, "").max()))
            error += self.residuals[query] * longest + (self.norms[query] + self.residuals[query]) * off
            error += 2.0**-8 * product
            error *= 1.001
        else:
            scores = buffers.product(vectors, self.columns[:, query])
        return scores, error

    def error(self, query: Selection, vectors: np.ndarray) -> np.ndarray:
        """(q,) float32 bound of the error of a float32 product, with a hair more for underflow."""
        longest = longest_vector(vectors) if self.longest is None else self.longest
        return self.relative[query] * np.float32(longest) + np.float32(1e-30)


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
    load_torch()
    import torch

    rounded = torch.from_numpy(vectors).bfloat16()
    return rounded, vectors - rounded.float().numpy()


def _faster_precision(query_count: int, is_filtered: bool) -> str:
    """bf16 for many queries over all rows, if the CPU has it. The slices of a filtered search have few queries each."""
    return "bf16" if query_count >= BF16_QUERIES and not is_filtered and _cpu_has_bf16() else "fp32"


def _cpu_has_bf16() -> bool:
    """Whether the processor multiplies bf16 natively. Only Linux tells; elsewhere the scan is fp32."""
    cpu = Path("/proc/cpuinfo")
    return cpu.exists() and bool({"avx512_bf16", "amx_bf16"} & set(cpu.read_text().split()))


def _products(seeing: Selection, seen: Selection, is_whole: bool) -> Iterator[tuple[Selection, Selection, bool]]:
    """Queries and rows of products that stay in the cache, and whether the queries see nothing else."""
    for rows in _parts(seen, BLOCK_ROWS):
        for query in _parts(seeing, BLOCK_QUERIES):
            yield query, rows, is_whole and _length(rows) == _length(seen)


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
