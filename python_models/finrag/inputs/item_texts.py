"""The texts of items that chunks are cut from, and where in one of them a text stands.

They are what `export corpus` writes (documents.parquet: sentences in their order, a blank between them). A text is
looked for by its letters, whatever blanks are between them, in any capitals. One that is asked for again stands at the
next place that has it, and after the last at the first again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

from finrag.text.words import LEAST_EXCERPT

Ends = dict[tuple[str, int], int]  # where a text was last found to end, by its document and its hash


class Document:
    """The text of a document, and its letters without blanks and capitals, with their places in it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def letters(self) -> str:
        return squeezed(self.text)

    @cached_property
    def places(self) -> list[int]:
        return [place for place, letter in enumerate(self.text) if not letter.isspace()]

    def find(self, letters: str, after: int) -> tuple[int, int] | None:
        """Where a text, squeezed, stands first from a place on."""
        at = self.letters.find(letters, bisect_left(self.places, after)) if letters else -1
        return None if at < 0 else (self.places[at], self.places[at + len(letters) - 1] + 1)


class Documents:
    """The documents of the corpus, read as they are asked for; those of one filing are kept at a time."""

    def __init__(self, session) -> None:
        self.session = session
        self.of_filing: dict[str, list[str]] = defaultdict(list)
        for filing, document in session.execute("select filing_id, document from documents order by all").fetchall():
            self.of_filing[filing].append(document)
        self.filings = {document: filing for filing, held in self.of_filing.items() for document in held}
        self.kept: dict[str, Document] = {}

    def named(self, name: str) -> list[str]:
        """The documents that a row may mean: the one of that name, or those of the filing."""
        return [name] if name in self.filings else self.of_filing.get(name, [])

    def __getitem__(self, document: str) -> Document:
        if document not in self.kept:
            texts = self.session.execute(
                "select document, string_agg(sentence_text, ' ' order by place) from placed_sentences "
                "where filing_id = ? group by document",
                [self.filings[document]],
            ).fetchall()
            self.kept = {name: Document(text) for name, text in texts}
        return self.kept[document]

    def place_of(self, text: str, meant: Sequence[str], ends: Ends) -> tuple[str, int, int] | None:
        """The first of the documents that holds the text at a place where it was not found before, with the place."""
        letters = squeezed(text)
        after = {document: ends.get((document, hash(letters)), 0) for document in meant}
        for places in (after, dict.fromkeys(filter(after.get, meant), 0)):
            for document, place in places.items():
                if span := self[document].find(letters, place):
                    ends[document, hash(letters)] = max(after[document], span[1])
                    return (document, *span)
        return None

    def part_of(self, text: str, meant: Sequence[str]) -> tuple[str, int, int] | None:
        """Where the longest end or beginning of a text stands, half of it or more: chunks may have a title before them,
        or a note behind."""
        letters = squeezed(text)
        least = max(LEAST_EXCERPT, (len(letters) + 1) // 2)
        if least > len(letters):
            return None
        cuts = (lambda size: letters[-size:], lambda size: letters[:size])
        parts = [(name, longest(self[name].letters, cut, least, len(letters))) for name in meant for cut in cuts]
        name, part = max(parts, key=lambda part: len(part[1]), default=("", ""))
        return (name, *self[name].find(part, 0)) if part else None


def longest(letters: str, cut: Callable[[int], str], least: int, most: int) -> str:
    """The longest cut of a size from least to most that the letters hold: what holds one holds all shorter ones."""
    if cut(least) not in letters:
        return ""
    lacking = bisect_left(range(least, most + 1), True, key=lambda size: cut(size) not in letters)
    return cut(least + lacking - 1)


def squeezed(text: str) -> str:
    """A text without blanks and capitals, a letter for each of its letters."""
    letters = "".join(text.split())
    # in lower case some letters are two, and a sigma is another at the end of a word
    if len(lower := letters.lower()) == len(letters) and "\u03a3" not in letters:
        return lower
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in letters)
