"""Where the chunks of a document begin and end, by the cuts that seeds/chunkings.csv names.

A document is the text of a filing's item as `export corpus` writes it: its sentences in order, a blank between them.
Places are characters from 0, the end not included. Sizes are tokens, counted as contexts count them, one for every four
characters; of the cut `sentences` they are sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from finrag.errors import FinragError

CHARACTERS_OF_A_TOKEN = 4
Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A sentence of a document: where it stands, and its corpus.fct_sentences.sentence_kind."""

    start: int
    end: int
    kind: str = "prose"


@dataclass(frozen=True)
class Chunking:
    """A row of seeds/chunkings.csv."""

    name: str
    cut: str
    size: int | None
    overlap: int
    has_header: bool

    def __post_init__(self) -> None:
        if self.cut not in CUTS:
            raise FinragError(f"Chunking {self.name}: cut is {self.cut!r}. Allowed: {', '.join(CUTS)}.")
        if self.cut != "items" and not (self.size and self.size > 0):
            raise FinragError(f"Chunking {self.name}: size is {self.size}. Allowed: a whole number from 1 on.")
        if self.overlap and self.cut not in WITH_OVERLAP:
            raise FinragError(
                f"Chunking {self.name}: overlap is {self.overlap}. Allowed: 0; the cuts with an overlap are "
                f"{', '.join(WITH_OVERLAP)}."
            )
        if not 0 <= self.overlap < (self.size or 1):
            raise FinragError(
                f"Chunking {self.name}: overlap is {self.overlap}. Allowed: 0 to less than its size, {self.size}."
            )

    def spans(self, text: str, pieces: Sequence[Piece]) -> list[Span]:
        """The chunks of a document, in its order. pieces: its sentences, which follow each other, at least one."""
        return list(CUTS[self.cut](text, pieces, self))


def of_sentences(text: str, pieces: Sequence[Piece], chunking: Chunking) -> Iterator[Span]:
    """Windows of `size` sentences, each of which repeats the last `overlap` of the one before."""
    for first in range(0, len(pieces), chunking.size - chunking.overlap):
        last = min(first + chunking.size, len(pieces)) - 1
        yield pieces[first].start, pieces[last].end
        if last == len(pieces) - 1:
            return


def of_tokens(text: str, pieces: Sequence[Piece], chunking: Chunking) -> Iterator[Span]:
    """As many words as fit into `size` tokens, wherever that ends; the last `overlap` tokens are the next one's too."""
    yield from windows(text, (pieces[0].start, pieces[-1].end), chunking.size, chunking.overlap)


def recursive(text: str, pieces: Sequence[Piece], chunking: Chunking) -> Iterator[Span]:
    """Parted at headings, which stay with what follows; a part that is larger than `size` at sentences, and a sentence
    that is larger at words."""
    for part in parts_under_headings(pieces):
        yield from filled(text, part, chunking.size)


def with_tables_whole(text: str, pieces: Sequence[Piece], chunking: Chunking) -> Iterator[Span]:
    """As recursive, but rows of one table are never parted, and stay with the sentence before them: it says what they
    are."""
    for part in parts_under_headings(pieces):
        waiting: list[Piece] = []
        rows: list[Piece] = []
        for piece in part:
            if piece.kind == "table_row":
                if not rows and waiting:
                    rows.append(waiting.pop())
                    yield from filled(text, waiting, chunking.size)
                    waiting = []
                rows.append(piece)
            else:
                if rows:
                    yield rows[0].start, rows[-1].end
                    rows = []
                waiting.append(piece)
        if rows:
            yield rows[0].start, rows[-1].end
        yield from filled(text, waiting, chunking.size)


def whole_items(text: str, pieces: Sequence[Piece], chunking: Chunking) -> Iterator[Span]:
    """The document as one chunk."""
    yield pieces[0].start, pieces[-1].end


CUTS: dict[str, Callable[[str, Sequence[Piece], Chunking], Iterator[Span]]] = {
    "sentences": of_sentences,
    "tokens": of_tokens,
    "recursive": recursive,
    "tables": with_tables_whole,
    "items": whole_items,
}
WITH_OVERLAP = ("sentences", "tokens")


def parts_under_headings(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The pieces, a new part wherever a heading follows something else."""
    part: list[Piece] = []
    for piece in pieces:
        if part and piece.kind == "heading" and part[-1].kind != "heading":
            yield part
            part = []
        part.append(piece)
    yield part


def filled(text: str, pieces: Sequence[Piece], size: int) -> Iterator[Span]:
    """Chunks of as many whole pieces as fit into `size` tokens; a larger piece is cut at words."""
    start = end = None
    for piece in pieces:
        if start is not None and piece.end - start > size * CHARACTERS_OF_A_TOKEN:
            yield start, end
            start = None
        if piece.end - piece.start > size * CHARACTERS_OF_A_TOKEN:
            yield from windows(text, (piece.start, piece.end), size, 0)
            continue
        start, end = piece.start if start is None else start, piece.end
    if start is not None:
        yield start, end


def windows(text: str, span: Span, size: int, overlap: int) -> Iterator[Span]:
    """Stretches of a text of at most `size` tokens that begin and end between words; a longer word is cut."""
    start, stop = span
    while start < stop:
        end = min(start + size * CHARACTERS_OF_A_TOKEN, stop)
        if end < stop and text[end] != " ":
            blank = text.rfind(" ", start, end)
            end = blank if blank > start else end
        yield start, end
        if end == stop:
            return
        # from the first word of the overlap on; without one, and where that is no step ahead, from the next word
        ahead = text.find(" ", end - overlap * CHARACTERS_OF_A_TOKEN - 1, end) + 1 if overlap else 0
        start = ahead if ahead > start else end
        while start < stop and text[start] == " ":
            start += 1
