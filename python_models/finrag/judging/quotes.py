"""Does a quote stand in the source? A judge that quotes what nobody wrote is not believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.tokens import is_number, tokens

# Similarity (rapidfuzz partial_ratio, 0 to 100) from which a quote that differs by a slip still counts as found.
LEAST_SIMILARITY = 90.0


@dataclass(frozen=True)
class Quote:
    """match: exact (the same words and numbers in a row), similar or missing. score: 0 to 100. sentence: index of the
    first source sentence that it stands in; None where missing."""

    text: str
    match: str
    score: float
    sentence: int | None

    @property
    def is_found(self) -> bool:
        return self.match != "missing"


def check_quote(quote: str, source_sentences: Sequence[str]) -> Quote:
    """Look a quote up. A similar one must have all its numbers in the sentence that it is similar to."""
    from rapidfuzz import fuzz, process

    words = tokens(quote)
    if not words:
        return Quote(quote, "missing", 0.0, None)
    joined, starts, texts = searchable(tuple(source_sentences))
    place = joined.find(f" {' '.join(words)} ")
    if place >= 0:
        sentence = max(index for index, start in enumerate(starts) if start <= place)
        return Quote(quote, "exact", 100.0, sentence)
    # partial_ratio looks for the shorter text in the longer: a sentence much shorter than the quote does not hold it
    asked = " ".join(words)
    candidates = {index: text for index, text in enumerate(texts) if len(text) >= 0.8 * len(asked)}
    best = process.extractOne(asked, candidates, scorer=fuzz.partial_ratio) if candidates else None
    if best is None:
        return Quote(quote, "missing", 0.0, None)
    _, score, sentence = best
    numbers = {word for word in words if is_number(word)}
    if score >= LEAST_SIMILARITY and numbers <= set(texts[sentence].split()):
        return Quote(quote, "similar", score, sentence)
    return Quote(quote, "missing", score, None)


@lru_cache(maxsize=8)
def searchable(source_sentences: tuple[str, ...]) -> tuple[str, list[int], list[str]]:
    """All tokens of the source with single spaces, where each sentence starts in them, and each sentence's."""
    starts, texts = [], []
    length = 0
    for sentence in source_sentences:
        starts.append(length)
        texts.append(" ".join(tokens(sentence)))
        length += len(texts[-1]) + 1 if texts[-1] else 0
    return f" {' '.join(filter(None, texts))} ", starts, texts
