"""Search what the planned runs ask for: every gold query, in every regime, by every strategy, once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow

# A list of hits is three columns: query number, sentence id, score. Sorted by query, best first.
HIT_COLUMNS = ("query", "sentence_id", "score")


@dataclass(frozen=True)
class Search:
    """One list of hits that is needed, shared by every run that asks for it: what P1 and P2 search is the same."""

    method: str
    embedding_model: str
    filter_columns: str
    depth: int


def search_new_runs(session, planned, done, queries, models, registry, indexes, external_hits, settings):
    """Relation of the hits of every planned run that `done` does not hold.

    session: DuckDB connection. planned, queries, models, registry, indexes, external_hits: relations as documented with
    the models of those names. done: the table of hits so far, or None. settings: `lance`, the folder of the vectors, and
    `max_k`, the deepest rank that is measured; one hit more is kept, because the query's own sentence is among them.
    """
