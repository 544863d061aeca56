"""One ranked list out of what several paths found: fusion, no text twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """What deduplication must know of a sentence."""

    text_hash: str
    cik: int
    report_year: int


def fuse_paths(ranks: Iterable[tuple[str, int]], rrf_k: int) -> dict[str, float]:
    """Sum of 1 / (rrf_k + rank) over the lists that kept a sentence. ranks: (sentence_id, rank) of all lists."""
    scores: dict[str, float] = {}
    # the smaller rank first, so that the same ranks add to the same sum whichever list gave which
    for sentence_id, rank in sorted(ranks, key=lambda pair: pair[1]):
        scores[sentence_id] = scores.get(sentence_id, 0.0) + 1 / (rrf_k + rank)
    return scores


def ranked(scores: dict[str, float]) -> list[str]:
    """Sentences by score descending, then by id descending."""
    return sorted(sorted(scores, reverse=True), key=lambda sentence_id: -scores[sentence_id])


def duplicates(
    in_order: Iterable[str], sentence: Callable[[str], Sentence], asked: Collection[tuple[int | None, int | None]]
) -> dict[str, str]:
    """Sentences whose text stands further up already, and where.

    A text counts once. Only where the question asks for several company-years (`asked`, as (cik, report_year)) does
    each of them keep its own copy: that a warning was repeated the next year is evidence of its own.
    """
    first: dict[str, str] = {}
    seen: set[tuple[str, tuple[int, int]]] = set()
    repeated: dict[str, str] = {}
    for sentence_id in in_order:
        facts = sentence(sentence_id)
        place = (facts.cik, facts.report_year)
        is_asked = place in asked or (facts.cik, None) in asked or (None, facts.report_year) in asked
        if facts.text_hash in first and not (is_asked and (facts.text_hash, place) not in seen):
            repeated[sentence_id] = first[facts.text_hash]
        else:
            first.setdefault(facts.text_hash, sentence_id)
            seen.add((facts.text_hash, place))
    return repeated
