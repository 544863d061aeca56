"""Does a quote stand in the source? A judge that quotes what nobody wrote is not believed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.opposites import are_opposed
from finrag.text.plain_text import SCALES
from finrag.text.tokens import NUMBER_WORDS, direction, is_negation, is_number, key, tokens

# Similarity (rapidfuzz partial_ratio, 0 to 100) from which a quote that differs by a slip still counts as found.
LEAST_SIMILARITY = 90.0
# Words of content, numbers and negations that a quote must have, if it is no whole sentence: fewer stand anywhere.
LEAST_TERMS = 2
# Likeness of two words (rapidfuzz ratio) from which one is the other with a slip: not "increased" and "decreased" (78).
SPELT_ALIKE = 85.0
SIGNS = frozenset("%$€£")
NUMBERED = re.compile(r"^\W*\[\d{1,5}\]\s*(?=\w)")
ELLIPSIS = re.compile(r"[\[(]\s*(?:\.{3}|…)\s*[\])]|\.{3,}|…")


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
    """Look a quote up. A similar one must have all its numbers, with their scales, in the sentence that it is similar
    to, and may differ in no word that turns it round. One with an ellipsis is similar to the sentence that has its
    parts in order, and between them no negation; its score is the share of the passage's words that it quotes. The
    number of a sentence before it, as in "[4] Sales rose", is none of its words."""
    from rapidfuzz import fuzz, process

    quote = NUMBERED.sub("", quote)
    parts = [part for part in ELLIPSIS.split(quote) if tokens(part)]
    if len(parts) > 1:
        return check_parts(quote, parts, source_sentences)
    words = tokens(quote)
    joined, starts, texts = searchable(tuple(source_sentences))
    asked = " ".join(words)
    if not words or (sum(map(tells, words)) < LEAST_TERMS and asked not in texts):
        return Quote(quote, "missing", 0.0, None)
    place = joined.find(f" {asked} ")
    if place >= 0:
        sentence = max(index for index, start in enumerate(starts) if start <= place)
        return Quote(quote, "exact", 100.0, sentence)
    # partial_ratio looks for the shorter text in the longer: a sentence much shorter than the quote does not hold it
    candidates = {index: text for index, text in enumerate(texts) if len(text) >= 0.8 * len(asked)}
    best = process.extractOne(asked, candidates, scorer=fuzz.partial_ratio) if candidates else None
    if best is None:
        return Quote(quote, "missing", 0.0, None)
    text, score, sentence = best
    has_numbers = scaled(words) <= scaled(text.split())
    if score >= LEAST_SIMILARITY and has_numbers and not is_turned(words, passage_of(asked, text)):
        return Quote(quote, "similar", score, sentence)
    return Quote(quote, "missing", score, None)


def check_parts(quote: str, parts: Sequence[str], source_sentences: Sequence[str]) -> Quote:
    """Look up a quote that leaves words out between its parts, each of which has to stand there word by word."""
    asked = [tokens(part) for part in parts]
    if all(sum(map(tells, words)) >= LEAST_TERMS for words in asked):
        for index, text in enumerate(searchable(tuple(source_sentences))[2]):
            left_out = left_out_between([f" {' '.join(words)} " for words in asked], f" {text} ")
            if left_out is not None and not any(map(is_negation, left_out)):
                said = sum(map(len, asked))
                return Quote(quote, "similar", 100 * said / (said + len(left_out)), index)
    return Quote(quote, "missing", 0.0, None)


def left_out_between(parts: Sequence[str], text: str) -> list[str] | None:
    """The words of a text between parts that stand in it in order; None where they do not."""
    left_out: list[str] = []
    end = None
    for part in parts:
        # a space that ends one part may begin the next
        place = text.find(part, max((end or 0) - 1, 0))
        if place < 0:
            return None
        left_out += text[end:place].split() if end is not None else []
        end = place + len(part)
    return left_out


def tells(word: str) -> bool:
    return is_number(word) or is_negation(word) or key(word) is not None


def passage_of(asked: str, text: str) -> list[str]:
    """The words of a text that a quote is similar to."""
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(asked, text)
    if found is None or len(text) <= len(asked):
        return text.split()
    # at an end of the text the window may be shorter than the quote
    start = text.rfind(" ", 0, max(min(found.dest_start, found.dest_end - len(asked)), 0) + 1) + 1
    end = text.find(" ", max(found.dest_end, found.dest_start + len(asked)))
    return text[start : end if end >= 0 else len(text)].split()


def is_turned(words: Sequence[str], passage: Sequence[str]) -> bool:
    """Whether a quote adds a negation, a rise or fall, a number in words or a sign to its passage, leaves out a
    negation within it, or has a word for its opposite. A word that is spelt nearly alike is a slip."""
    from rapidfuzz import fuzz

    added, left_out = Counter(words) - Counter(passage), Counter(passage) - Counter(words)
    slips = {word for word in added if any(fuzz.ratio(word, other) >= SPELT_ALIKE for other in left_out)}
    is_added = any(turns(word) for word in added.keys() - slips)
    return (
        is_added
        or any(map(is_negation, left_out))
        or any(are_opposed(word, other) for word in added for other in left_out)
    )


def turns(word: str) -> bool:
    return is_negation(word) or direction(word) is not None or word in NUMBER_WORDS or word in SIGNS


def scaled(words: Sequence[str]) -> set[tuple[str, str]]:
    """Numbers, each with the scale that follows it."""
    following = (*words[1:], "")
    return {
        (word, after if after in SCALES else "")
        for word, after in zip(words, following, strict=True)
        if is_number(word)
    }


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
