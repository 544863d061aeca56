"""Where a published piece of evidence stands in a filing: the sentences and rows of tables that are the same text.

Suites quote PDFs, pages of the web or other splitters' sentences, so spacing, quotation marks, hyphens at line ends,
signs of currency and borders of sentences differ from the corpus. Words may differ a little, numbers may not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from rapidfuzz import fuzz

# Similarity of the shorter text and the part of the longer one that is most like it, 0 to 100 (partial_ratio).
THRESHOLD = 90.0
# Shorter sentences ("Total.", "See Note 5.") stand anywhere.
FEWEST_WORDS = 4
# A row of a table is its label and at least two figures of three digits.
FEWEST_FIGURES = 2
# Share of the shorter text's words that the longer one must have before the two are aligned letter by letter.
SHARED_WORDS = 0.7
# Of a sentence that a piece begins or ends in, at least this share of the shorter of the two is in both.
CUT_SHARE = 0.5
# Letters by which the end of such a sentence, or its beginning, is looked for in the piece.
EDGE = 40
# Of texts that share fewer, how many are scored so that the best score of what was not found is told.
SCORED_ANYWAY = 10

BROKEN_WORD = re.compile(r"(?<=\w)[-\u00ad]\s*\n\s*(?=[a-z])")
TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[^\W\d_]+")


@dataclass(frozen=True)
class Match:
    """A text of the corpus, by its place in the sequence given, how alike it is, 0 to 100, and where in the piece."""

    place: int
    score: float
    start: int = 0
    end: int = 0

    @property
    def letters(self) -> float:
        """How many letters of the piece it explains, less those that it does not: a copy with a word more is none."""
        return (2 * self.score - 100) * (self.end - self.start)


class Tokens:
    """Words and figures of a text as they are compared: one case, no accents of print, figures in one form."""

    def __init__(self, text: str) -> None:
        plain = unicodedata.normalize("NFKC", BROKEN_WORD.sub("", text)).lower()
        self.tokens = [_figure(token) if token[0].isdigit() else token for token in TOKEN.findall(plain)]
        self.text = " ".join(self.tokens)

    @cached_property
    def words(self) -> set[str]:
        return {token for token in self.tokens if not token[0].isdigit()}

    @cached_property
    def figures(self) -> Counter[str]:
        return Counter(token for token in self.tokens if token[0].isdigit())

    @cached_property
    def is_telling(self) -> bool:
        """Whether a text is long enough to stand in one place only."""
        large = sum(count for figure, count in self.figures.items() if len(figure.replace(".", "")) >= 3)
        n_words = sum(not token[0].isdigit() for token in self.tokens)
        return n_words >= FEWEST_WORDS or (n_words >= 1 and large >= FEWEST_FIGURES)


def align(piece: Tokens, texts: Sequence[Tokens], threshold: float = THRESHOLD) -> tuple[list[Match], float]:
    """The texts that stand in the piece, or that it stands in, in their order, and the best score of any.

    Every figure of the shorter text is in the part of the longer one that is like it, as often. A text that the piece
    begins or ends in is one of them where at least half of the shorter of the two is in both. A part of the piece is
    one text: of several that are like it the one that explains most of it, and of copies the one nearest to the others.
    """
    if not piece.is_telling:
        return [], max((match.score for match in _whole(piece, texts)), default=0.0)
    scored = [*_whole(piece, texts), *_cut(piece, texts)]
    found = [match for match in scored if match.score >= threshold]
    return _one_text_a_part(found), max((match.score for match in scored), default=0.0)


def _whole(piece: Tokens, texts: Sequence[Tokens]) -> list[Match]:
    """The texts that may stand in the piece, or it in them, compared."""
    shares = [(_shared(piece, text), place) for place, text in enumerate(texts) if text.is_telling]
    likely = {place for share, place in shares if share >= SHARED_WORDS}
    asked = likely or {place for _, place in sorted(shares, key=lambda each: (-each[0], each[1]))[:SCORED_ANYWAY]}
    return [compared(piece, texts[place], place) for place in sorted(asked)]


def _cut(piece: Tokens, texts: Sequence[Tokens]) -> list[Match]:
    """The texts that the piece may begin or end in, compared as far as they stand in it."""
    fewest = CUT_SHARE * SHARED_WORDS
    likely = [
        (place, text)
        for place, text in enumerate(texts)
        if text.is_telling and len(piece.words & text.words) >= fewest * min(len(piece.words), len(text.words))
    ]
    return [match for place, text in likely for match in compared_in_part(piece, text, place)]


def compared(piece: Tokens, text: Tokens, place: int = 0) -> Match:
    """The shorter of the two and the part of the longer that is most like it; score 0 where a figure is not there."""
    is_part = len(text.text) <= len(piece.text)
    shorter, longer = (text, piece) if is_part else (piece, text)
    found = fuzz.partial_ratio_alignment(shorter.text, longer.text)
    if found is None or not shorter.text:
        return Match(place, 0.0)
    start = longer.text.rfind(" ", 0, found.dest_start + 1) + 1
    end = longer.text.find(" ", max(found.dest_end - 1, 0))
    end = end if end >= 0 else len(longer.text)
    figures = Counter(longer.text[start:end].split())
    if any(figures[figure] < count for figure, count in shorter.figures.items()):
        return Match(place, 0.0)
    return Match(place, found.score, start, end) if is_part else Match(place, found.score, 0, len(piece.text))


def compared_in_part(piece: Tokens, text: Tokens, place: int = 0) -> list[Match]:
    """What a text ends with where the piece begins with that, and what it begins with where the piece ends with it."""
    fewest = CUT_SHARE * min(len(piece.text), len(text.text))
    last, length = len(piece.text), len(text.text)
    head = _overlap(piece.text, text.text)
    # read from the right the end is the beginning
    tail = _overlap(piece.text[::-1], text.text[::-1])
    parts = [(head, 0, head[1]), (tail, last - tail[1], last)]
    return [
        Match(place, score, start, end)
        for (score, letters), start, end in parts
        if fewest <= letters < length and Tokens(piece.text[start:end]).is_telling
    ]


def _overlap(piece: str, text: str) -> tuple[float, int]:
    """How alike, 0 to 100, are what the piece begins with and what the text ends with, and how many letters that is.

    Score 0 where a figure of the one is not in the other.
    """
    found = fuzz.partial_ratio_alignment(text[-EDGE:], piece, score_cutoff=THRESHOLD)
    if found is None:
        return 0.0, 0
    end = piece.find(" ", max(found.dest_end - 1, 0))
    begins = piece[: end if end >= 0 else len(piece)]
    # the first word may be cut
    outer = text[text.rfind(" ", 0, max(len(text) - len(begins), 0)) + 1 :]
    inner = outer.partition(" ")[2]
    stated, within, beside = (_figures(each) for each in (begins, outer, inner))
    if stated - within or beside - stated:
        return 0.0, len(begins)
    return fuzz.ratio(begins, text[-len(begins) :]), len(begins)


def _figures(text: str) -> Counter[str]:
    return Counter(token for token in text.split() if any(map(str.isdigit, token)))


def _one_text_a_part(found: list[Match]) -> list[Match]:
    """Matches of which none shares half of its part with another that explains more, in their order."""
    middle = median([match.place for match in found]) if found else 0
    taken: list[Match] = []
    for match in sorted(found, key=lambda each: (-each.letters, abs(each.place - middle), each.place)):
        shared = sum(max(0, min(match.end, other.end) - max(match.start, other.start)) for other in taken)
        if 2 * shared < match.end - match.start:
            taken.append(match)
    return sorted(taken, key=lambda match: match.place)


def _shared(piece: Tokens, text: Tokens) -> float:
    """The share of the shorter text's words that the longer has; 0 where it lacks a figure."""
    shorter, longer = sorted((piece, text), key=lambda tokens: len(tokens.text))
    if shorter.figures - longer.figures:
        return 0.0
    return len(shorter.words & longer.words) / len(shorter.words) if shorter.words else 0.0


def _figure(token: str) -> str:
    """A figure as figures are compared: 1,577 and 1577.0 are one."""
    plain = token.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
