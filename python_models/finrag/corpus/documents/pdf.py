"""A PDF as lines of text by page: paragraphs put together again, rows of tables kept whole, in reading order.

pdfium gives characters with their boxes, in the order in which the page draws them, and says where a line ends. A line
without room for the next word runs on into that; a line with a gap as wide as a line is high, and a figure after it,
is a row of a table. Nothing is read from pictures: a page without characters is empty, and a document of such pages has
no text layer.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from finrag.corpus.html.document import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAXIMUM_BYTES = 500_000_000
# Fewer letters and digits a page than these, and the pages are pictures.
LETTERS_PER_PAGE = 10

# Of the height of a line: a gap between words that parts cells, a space, and a gap between lines that parts paragraphs.
CELL_GAP = 1.1
SPACE = 0.35
PARAGRAPH_GAP = 0.6
# Of the width of the text: how far in the second line of a paragraph may begin, and that of an item of a list.
INDENT = 0.02
HANGING = 0.08
# Of lines of one paragraph, the height differs by less.
HEIGHT_RATIO = 1.15
# A heading is set larger than most of the document's text by this, and is no longer than so many characters.
HEADING_RATIO = 1.2
HEADING_LENGTH = 150

_FIGURE = re.compile(r"[$€£¥(]*\s?[\d.,]*\d|[—–-]+$")
_BULLET = re.compile(r"(?:[•●▪■◦○·–—-]|\(?\w{1,3}[.)])(?:\s|$)")
# What pdfium puts in the place of a hyphen at the end of a line.
PARTED = frozenset([0x02, 0xFFFE])
ENDS = frozenset([0x0A, 0x0D])
HYPHEN = ord("-")
# One call at a time: pdfium is not made for threads.
_PDFIUM = Lock()


@dataclass(frozen=True)
class Printed:
    """A line as it is printed, in points from the lower left corner. word: width of its first. is_row: of a table."""

    text: str
    word: float
    left: float
    right: float
    bottom: float
    top: float
    is_row: bool

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, a heading or a row of a table, on a page from 1. height: of its print in points, 0 without any."""

    text: str
    page: int
    is_row: bool = False
    is_heading: bool = False
    height: float = 0.0


def read_pdf(path: str) -> list[Paragraph]:
    """What a local PDF says; raises UnreadableError where that cannot be read, and OSError."""
    import pypdfium2

    if os.path.getsize(path) > MAXIMUM_BYTES:
        raise UnreadableError(f"is a PDF of over {MAXIMUM_BYTES // 1_000_000} MB. Expected a smaller one: part it.")
    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            raise UnreadableError(refused(str(error))) from error
        try:
            found = [paragraph for page in range(len(document)) for paragraph in read_page(document, page)]
            pages = len(document)
        except pypdfium2.PdfiumError as error:
            raise UnreadableError(f"is a damaged PDF: {error}. Expected one whose pages can be opened.") from error
        finally:
            document.close()
    letters = sum(map(letters_of, found))
    if letters < LETTERS_PER_PAGE * pages:
        raise UnreadableError(
            f"is a PDF without a text layer: {letters} letters on {pages} pages, pictures. Expected text: "
            "run it through text recognition (OCR)."
        )
    return with_headings(found)


def with_headings(found: Sequence[Paragraph]) -> list[Paragraph]:
    """Paragraphs of a PDF, those marked that are set larger than the height that most of its letters have."""
    heights: Counter[float] = Counter()
    for paragraph in found:
        heights[paragraph.height] += letters_of(paragraph)
    usual = heights.most_common(1)[0][0]
    return [replace(paragraph, is_heading=is_heading(paragraph, usual)) for paragraph in found]


def is_heading(paragraph: Paragraph, usual: float) -> bool:
    """usual: the height of most of the text, in points."""
    is_larger = paragraph.height >= HEADING_RATIO * usual
    has_words = any(map(str.isalpha, paragraph.text))
    return is_larger and has_words and not paragraph.is_row and len(paragraph.text) <= HEADING_LENGTH


def letters_of(paragraph: Paragraph) -> int:
    return sum(map(str.isalnum, paragraph.text))


def refused(fault: str) -> str:
    if "assword" in fault:
        return "is a PDF with a password. Expected one that opens without."
    return f"is no PDF that can be opened: {fault.rstrip('.')}. Expected a complete PDF."


def read_page(document, number: int) -> Iterator[Paragraph]:
    """Of a page, counted from 0."""
    page = document[number]
    text_page = page.get_textpage()
    try:
        lines = list(printed_lines(text_page))
    finally:
        text_page.close()
        page.close()
    yield from paragraphs(lines, number + 1)


def printed_lines(text_page) -> Iterator[Printed]:
    """The lines of a page in the order in which it draws them."""
    from pypdfium2 import raw

    count = text_page.count_chars()
    codes = [raw.FPDFText_GetUnicode(text_page, place) for place in range(count)]
    first = 0
    for place in range(count + 1):
        # a word that is parted has no end of line in it
        is_parted = place > 0 and codes[place - 1] in PARTED
        if place == count or codes[place] in ENDS or is_parted:
            if place > first and (line := printed_line(text_page, codes, first, place)):
                yield line
            first = place if is_parted else place + 1


def printed_line(text_page, codes: Sequence[int], first: int, end: int) -> Printed | None:
    """A line of the characters from first up to end; None where nothing is printed."""
    inked = [place for place in range(first, end) if codes[place] not in (0, 9, 32, 160)]
    if not inked:
        return None
    words: list[list[int]] = []
    for place in inked:
        if words and place == words[-1][-1] + 1:
            words[-1].append(place)
        else:
            words.append([place])
    edges = [(box_of(text_page, word[0]), box_of(text_page, word[-1])) for word in words]
    bottom = min(box[1] for edge in edges for box in edge)
    top = max(box[3] for edge in edges for box in edge)
    height = max(box[3] - box[1] for edge in edges for box in edge)
    texts = [text_of([HYPHEN if codes[place] in PARTED else codes[place] for place in word]) for word in words]
    cells = [texts[0]]
    for before, after, text in zip(edges, edges[1:], texts[1:], strict=False):
        if after[0][0] - before[1][2] > CELL_GAP * height:
            cells.append(text)
        else:
            cells[-1] += " " + text
    is_row = len(cells) > 1 and any(_FIGURE.match(cell) for cell in cells[1:])
    word = edges[0][1][2] - edges[0][0][0]
    return Printed(" ".join(texts), word, edges[0][0][0], edges[-1][1][2], bottom, top, is_row)


def box_of(text_page, place: int) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a character, as high as its font; pdfium knows none of some that it makes up."""
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page, place, ctypes.byref(box)):
        return (0.0, 0.0, 0.0, 0.0)
    return (box.left, box.bottom, box.right, box.top)


def text_of(codes: Sequence[int]) -> str:
    """Characters beyond the first 65,536 are two codes; half of one is none."""
    return "".join(map(chr, codes)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def paragraphs(lines: Sequence[Printed], page: int) -> Iterator[Paragraph]:
    """Lines that run on put together."""
    prose = [line for line in lines if not line.is_row]
    left = min((line.left for line in prose), default=0.0)
    right = max((line.right for line in prose), default=0.0)
    text = ""
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else None
        text = joined(text, line.text)
        if following is None or not runs_on(line, following, left, right):
            yield Paragraph(text, page, line.is_row, height=round(line.height, 1))
            text = ""


def joined(before: str, text: str) -> str:
    """A word that is parted at a hyphen is taken for one that has it: "long-" and "term"."""
    separator = "" if before.endswith("-") and before[-2:-1].isalpha() else " "
    return f"{before}{separator}{text}".strip()


def runs_on(line: Printed, following: Printed, left: float, right: float) -> bool:
    """Whether the following line is of the same paragraph. left, right: the margins of the page's text."""
    if line.is_row or following.is_row or _BULLET.match(following.text):
        return False
    width = right - left
    # the next word had no room, nor the space before it
    is_full = line.right + SPACE * line.height + following.word >= right
    heights = sorted([line.height, following.height])
    is_below = -0.5 * line.height <= line.bottom - following.top <= PARAGRAPH_GAP * line.height
    is_flush = following.left <= line.left + width * (HANGING if _BULLET.match(line.text) else INDENT)
    return is_full and is_below and is_flush and heights[1] <= HEIGHT_RATIO * max(heights[0], 1.0)
