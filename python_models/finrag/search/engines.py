"""The engines behind the strategies of seeds/retrieval_strategies.csv: hit lists for all queries of a search."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import TYPE_CHECKING

from finrag import plugins
from finrag.encoders.embed import embed_queries
from finrag.encoders.models import read_models
from finrag.encoders.store import EmbeddingStore
from finrag.errors import FinragError
from finrag.index.lance import SentenceIndex
from finrag.index.regimes import filter_columns
from finrag.search import bm25, chance, fusion
from finrag.search.dense import IndexedVectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import pyarrow as pa

    from finrag.search.runs import Search

METHODS = ("dense", "bm25", "hybrid", "random")


class Engines:
    """Opens each model's index once, and keeps the lists that a fusion will ask for again.

    lance: folder of the vectors. registry: relation of the seed embedding_models. queries: query_id, text_hash,
    query_text and the columns that regimes filter by, one row per query.
    """

    def __init__(self, lance: str, registry, queries: pa.Table, deepest: int) -> None:
        self.lance = lance
        self.queries = queries
        self.deepest = deepest
        self.models = read_models(registry)
        self.methods = {name: getattr(self, name) for name in METHODS}
        self.vectors = cache(self._vectors)
        self.lists = cache(self._lists)

    def search(self, search: Search, depth: int) -> pa.Table:
        """Hits (finrag.search.hits) of one search, at most `depth` per query."""
        import pyarrow.compute as pc

        columns = filter_columns(search.regime, search.filter_columns)
        hits = self.method(search.method)(search, columns, depth)
        return hits.filter(pc.less_equal(hits["raw_rank"], depth))

    def method(self, name: str) -> Callable[[Search, Sequence[str], int], pa.Table]:
        """The method of that name, ours or a plugin's; raises FinragError for another name."""
        others = plugins.plugins(plugins.STRATEGIES)
        if name in self.methods:
            return self.methods[name]
        if name not in others:
            raise FinragError(f"Unknown retrieval method '{name}'. Allowed: {', '.join([*self.methods, *others])}.")
        return partial(self.plugged, name)

    def plugged(self, name: str, search: Search, columns: Sequence[str], depth: int) -> pa.Table:
        method = plugins.load(plugins.STRATEGIES, name)
        with plugins.called(plugins.STRATEGIES, name):
            return method(self, search, columns, depth)

    def dense(self, search: Search, columns: Sequence[str], depth: int) -> pa.Table:
        return self.lists(search.embedding_model, tuple(columns))

    def bm25(self, search: Search, columns: Sequence[str], depth: int) -> pa.Table:
        return self.lists(None, tuple(columns))

    def hybrid(self, search: Search, columns: Sequence[str], depth: int) -> pa.Table:
        import pyarrow.compute as pc

        parameters = json.loads(search.parameters)
        lists = [self.dense(search, columns, depth), self.bm25(search, columns, depth)]
        # without its vector a query's list would be that of bm25 under another name
        asked = self.vectors(search.embedding_model)[1]["query_id"]
        lists = [hits.filter(pc.is_in(hits["query_id"], value_set=asked)) for hits in lists]
        return fusion.fuse(lists, depth, rrf_k=parameters["rrf_k"], depth=parameters["depth"])

    def random(self, search: Search, columns: Sequence[str], depth: int) -> pa.Table:
        seed = json.loads(search.parameters)["seed"]
        return chance.search(SentenceIndex.of_text(self.lance), self.queries, depth, columns, seed)

    def _lists(self, model_id: str | None, columns: tuple[str, ...]) -> pa.Table:
        if model_id is None:
            return bm25.search(SentenceIndex.of_text(self.lance), self.queries, self.deepest, columns)
        index, queries, vectors = self.vectors(model_id)
        return index.search(queries, vectors, self.deepest, columns)

    def _vectors(self, model_id: str) -> tuple[IndexedVectors, pa.Table, np.ndarray]:
        """A model's index, the queries that have a vector, and these (q, dimension), from the store, not the index.

        Imported vectors may leave a query without one; int_anchor_distances names it, and it is counted as an error.
        """
        import numpy as np

        model = self.models[model_id]
        store = EmbeddingStore.open(self.lance, model)
        embed_queries(store, model, self.queries["text_hash"], self.queries["query_text"])
        index = SentenceIndex.of_vectors(self.lance, model_id, model.fingerprint, model.dimension)
        vectors = store.query_vectors(self.queries["text_hash"], missing="nan")
        has_vector = np.isfinite(vectors).all(axis=1)
        return IndexedVectors(index), self.queries.filter(has_vector), vectors[has_vector]
