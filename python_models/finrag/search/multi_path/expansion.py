"""The sentences around a hit: a figure and its explanation often stand in neighbouring sentences."""

from __future__ import annotations

from collections.abc import Iterable

NEIGHBOURS = """
    select
        hits.query,
        hits.sentence_id as parent_id,
        neighbours.sentence_id,
        abs(neighbours.sentence_pos - parents.sentence_pos)::integer as position_distance
    from expanded_hits as hits
    inner join pipeline_sentences as parents
        on hits.sentence_id = parents.sentence_id
    inner join pipeline_sentences as neighbours
        on parents.filing_id = neighbours.filing_id
        and parents.section_id = neighbours.section_id
        and neighbours.sentence_pos between parents.sentence_pos - $window and parents.sentence_pos + $window
        and neighbours.sentence_pos != parents.sentence_pos
    order by hits.query, parent_id, position_distance, neighbours.sentence_id
"""


def neighbours(session, hits: Iterable[tuple[int, str]], window: int) -> dict[int, list[tuple[str, str, int]]]:
    """By query, (parent, sentence, position distance) of every sentence within the window of a hit, in its section.

    session: DuckDB connection with the view pipeline_sentences (fct_sentences). hits: (query, sentence_id).
    """
    import pyarrow as pa

    rows = list(hits)
    schema = pa.schema([("query", pa.int32()), ("sentence_id", pa.string())])
    table = pa.Table.from_pylist([{"query": query, "sentence_id": sentence_id} for query, sentence_id in rows], schema)
    session.register("expanded_hits", table)
    found: dict[int, list[tuple[str, str, int]]] = {}
    for query, *neighbour in session.execute(NEIGHBOURS, {"window": window}).fetchall():
        found.setdefault(query, []).append(tuple(neighbour))
    session.unregister("expanded_hits")
    return found


def expansion_scores(
    hits: dict[str, float], around: Iterable[tuple[str, str, int]], weight: float
) -> dict[str, tuple[str, float]]:
    """By sentence that is no hit itself: the hit it stands beside that gives it most, and weight * score / distance."""
    best: dict[str, tuple[str, float]] = {}
    for parent_id, sentence_id, distance in around:
        if sentence_id in hits:
            continue
        score = weight * hits[parent_id] / distance
        if sentence_id not in best or score > best[sentence_id][1]:
            best[sentence_id] = (parent_id, score)
    return best
