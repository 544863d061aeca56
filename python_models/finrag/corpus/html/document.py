"""An HTML document as lines of visible text: paragraphs, headings and table rows, in the order that they are read.

Every line knows how many letters and digits of the document stand before it. Joining cells, closing up white space and
splitting into sentences all keep letters and digits, so a place in the document is found again by counting them.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from finrag.corpus.splitting import UNSEEN, is_table_row, paragraphs
from finrag.corpus.submission import first_document, page_in, with_form_feeds, without_marks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

# A tree takes some eight times its file: 100 MB are within a gigabyte. The longest 10-Ks have 50 MB.
MAXIMUM_BYTES = 100_000_000
INLINE_XBRL = re.compile(r"\{http://www\.xbrl\.org/20\d\d/inlineXBRL\}")
BLOCKS = frozenset(
    "address article blockquote body br center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li "
    "main nav ol p pre section table tbody td tfoot th thead tr ul caption".split()
)
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
NUMBERS = frozenset(["ix:nonfraction", "ix:fraction"])
UNREAD = frozenset("head script style noscript title template ix:header".split())
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_INLINE = re.compile(r"display\s*:\s*inline(?!-)", re.IGNORECASE)
_PAGE_BREAK = re.compile(r"(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
# White space that is drawn and not written: the text after a bullet, a raised footnote number.
_APART = re.compile(r"padding-left|margin-left|vertical-align\s*:\s*(?:super|sub)|top\s*:\s*-", re.IGNORECASE)
_RAISED = re.compile(r"vertical-align\s*:\s*super|top\s*:\s*-", re.IGNORECASE)
_INDENT = re.compile(
    r"(?:padding|margin)-left\s*:\s*([\d.]+)p[tx]|padding\s*:(?:\s*[\d.]+(?:p[tx])?){3}\s+([\d.]+)p[tx]"
    r"|padding\s*:\s*[\d.]+(?:p[tx])?\s+([\d.]+)p[tx]\s*(?:;|$)",
    re.IGNORECASE,
)
# What is read otherwise than it is written: characters of Windows under a label of Latin-1, which browsers take for
# Windows; ligatures, which are several letters; and soft hyphens and spaces without width, which nobody sees.
_DRAWN = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_DRAWN |= {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_DRAWN |= dict.fromkeys(map(ord, UNSEEN))
_NO_LETTERS = re.compile(r"[\W_]+")
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_CLOSED = re.compile(rb"</(?:html|body)\b", re.IGNORECASE)
# Cells that are one with the figure before or after them.
_OPENS = re.compile(r"[$€£¥(]+$")
_CLOSES = re.compile(r"[)%]")
# A cell of several paragraphs this long is a page laid out by a table.
LAYOUT_CELL = 400

# Repeated at the top or bottom of this many pages, and of this share of them, a line is a page header or footer.
FURNITURE_PAGES = 3
FURNITURE_SHARE = 0.15
FURNITURE_LINES = 5
FURNITURE_LENGTH = 200
_PAGE_NUMBER = re.compile(
    r"[-–—\s|]*(?:page\s*)?(?:[A-Z]{1,2}\s?-\s?)?(?!(?:19|20)\d\d)(?:\d{1,4}|[ivxl]{1,6})[-–—\s|]*", re.IGNORECASE
)
# The same with marks that numbers of a list and of footnotes have, too: "30.", "(30)", "[30]".
_MARKED_NUMBER = re.compile(r"\d{1,4}\.|\(\d{1,4}\)|\[\d{1,4}\]")
_DIGITS = re.compile(r"\d+")


class Style(NamedTuple):
    """What a style attribute says. breaks: before or after, where a page ends there. indent: points."""

    is_hidden: bool
    is_inline: bool
    is_apart: bool
    is_raised: bool
    breaks: str | None
    indent: float


@lru_cache(maxsize=16_384)  # a filing states some hundreds, each of them thousands of times
def style_of(text: str) -> Style:
    breaks, indent = _PAGE_BREAK.search(text), _INDENT.search(text)
    return Style(
        *(bool(words.search(text)) for words in (_HIDDEN, _INLINE, _APART, _RAISED)),
        breaks[1].lower() if breaks else None,
        float(indent[1] or indent[2] or indent[3]) if indent else 0.0,
    )


class UnreadableError(ValueError):
    """A file that is no complete HTML text."""


@dataclass
class Cell:
    """A cell of a table row. column: of the first column that it covers, from 0. is_header: th. indent: points.

    raised: the text from its first raised letter on, as of a footnote's mark.
    """

    text: str
    column: int
    span: int
    start: int
    end: int
    is_header: bool = False
    indent: float = 0.0
    tags: list[int] = field(default_factory=list)
    raised: str = ""


@dataclass
class Line:
    """A paragraph, a heading or a table row. start, end: letters and digits of the document before and through it."""

    text: str
    start: int
    end: int
    page: int
    table: int | None = None
    cells: list[Cell] = field(default_factory=list)
    is_heading: bool = False


@dataclass
class Tag:
    """A tagged number. start, end: as of a line. line, cell: where it stands, None where no text does."""

    element: etree._Element
    name: str
    start: int
    end: int = 0
    line: int | None = None
    cell: int | None = None


@dataclass
class Document:
    """lines: visible ones. anchors: the line where an id stands. links: (line, id that it leads to). tags: in order.

    entity: what is stated of the filing beside its text, by the names of dei.
    """

    lines: list[Line]
    anchors: dict[str, int]
    links: list[tuple[int, str]]
    root: etree._Element
    tags: list[Tag] = field(default_factory=list)
    entity: dict[str, str] = field(default_factory=dict)


def letters(text: str) -> int:
    """How many letters and digits a text has."""
    return len(_NO_LETTERS.sub("", text))


def single_spaced(text: str) -> str:
    return " ".join(text.split())


@cache
def local_name(name: str) -> str:
    """`nonfraction` of `{http://www.xbrl.org/2013/inlineXBRL}nonFraction` and of `ix:nonfraction`."""
    return re.split("[}:]", name)[-1].lower()


def read_document(path: str) -> Document:
    """The lines of one local file, of a whole submission those of its first; raises UnreadableError and OSError."""
    entity, content = page_in(read_bytes(path))
    return replace(document_of(content), entity=entity)


def document_of(content: bytes) -> Document:
    root = parse(content)
    reader = _Reader()
    reader.read(root)
    return Document(reader.lines, reader.anchors, reader.links, root, reader.tags)


def read_bytes(path: str) -> bytes:
    """All of a file, of a whole submission up to the end of its first document: pictures stand after it.

    Raises UnreadableError where it is too large or damaged.
    """
    content = first_document(begin_of(path, MAXIMUM_BYTES + 1))
    if len(content) > MAXIMUM_BYTES:
        raise UnreadableError(
            f"holds more than {MAXIMUM_BYTES // 1_000_000} MB. Expected one 10-K: the longest have half of that."
        )
    return content


def begin_of(path: str, size: int) -> bytes:
    """So many bytes of a file, unpacked; raises UnreadableError where it is damaged."""
    try:
        with (gzip.open if path.lower().endswith(".gz") else open)(path, "rb") as stream:
            return stream.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableError(f"is a damaged gzip: {error}.") from error


def parse(content: bytes) -> etree._Element:
    """The tree of a document: as XML where it is well-formed, which inline XBRL has to be, else as HTML."""
    from lxml import etree

    options = {"remove_comments": True, "remove_pis": True, "no_network": True, "huge_tree": True}
    try:
        # entities of a document's own are not followed: a few lines of them unpack to gigabytes
        return etree.fromstring(content, etree.XMLParser(resolve_entities=False, load_dtd=False, **options))
    except etree.XMLSyntaxError:
        text = decoded(content)
        if not _CLOSED.search(content[-4096:]):
            raise UnreadableError("does not end: no </html> is there. Expected a complete file.") from None
    parser = etree.HTMLParser(encoding="utf-8", **options)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.LxmlError as error:
        raise UnreadableError(f"is no HTML: {error}.") from error
    # what the parser mends is none of them; at these it stops, and gives what it has
    for fatal in parser.error_log.filter_from_fatals():
        raise UnreadableError(f"is no HTML that can be read to its end: {fatal.message} in line {fatal.line:,}.")
    if root is None:
        raise UnreadableError("is no HTML: it has no elements.")
    return root


def decoded(content: bytes) -> str:
    """The text in the encoding that it states, in UTF-8, or in that of Windows."""
    if b"\0" in content:
        raise UnreadableError("is no text: it holds zero bytes. Expected HTML in UTF-8.")
    stated = _CHARSET.search(content[:4096])
    for encoding in [*([stated[1].decode()] if stated else []), "utf-8", "cp1252"]:
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    raise UnreadableError("is in no encoding that is known. Expected HTML in UTF-8.")


class _Reader:
    """Walks a tree once and gathers its lines."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.anchors: dict[str, int] = {}
        self.links: list[tuple[int, str]] = []
        self.names: dict[str, str] = {}
        self.page = 0
        self.count = 0  # letters and digits so far
        self.pieces: list[str] = []
        self.start = 0
        self.tables: list[int] = []  # that are open, outermost first
        self.table_count = 0
        self.cells: list[Cell] | None = None  # of the row that is open
        self.column = 0
        self.cell: tuple[int, bool] | None = None  # (columns, is th) of the cell that is open
        self.covered: list[dict[int, int]] = []  # by table: rows that cells of rows above reach down, by column
        self.tags: list[Tag] = []
        self.open_tags: list[Tag] = []  # innermost last
        self.unplaced: list[int] = []  # tags since the last line or cell
        self.indent = 0.0  # of the cell that is open
        self.raised: int | None = None  # how many pieces the open cell had at its first raised letter
        self.preformatted = 0  # how many pre are open

    def read(self, root: etree._Element) -> None:
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if element.tag is etree.Entity:
                raise UnreadableError("defines entities of its own. Expected HTML as EDGAR takes it, without.")
            name = self.name(element.tag)
            style = style_of(element.get("style") or "")
            if event == "start":
                if name in UNREAD or style.is_hidden or element.get("hidden") is not None:
                    walk.skip_subtree()
                    continue
                self.open(element, name, style)
                if element.text:
                    self.add(element.text)
            else:
                self.close(element, name, style)
                if element.tail:
                    self.add(element.tail)
        self.flush()

    def name(self, tag: str) -> str:
        """`td`, `ix:nonfraction`: without the namespace of HTML, in lower case."""
        known = self.names.get(tag)
        if known is None:
            known = INLINE_XBRL.sub("ix:", tag)
            known = (known if known.startswith("ix:") else known.rpartition("}")[2]).lower()
            self.names[tag] = known
        return known

    def open(self, element: etree._Element, name: str, style: Style) -> None:
        if name in NUMBERS:
            tag = Tag(element, name, self.count)
            self.unplaced.append(len(self.tags))
            self.tags.append(tag)
            self.open_tags.append(tag)
        if name in BLOCKS and not style.is_inline:
            self.open_block(element, name)
        elif self.pieces and (name in ("sup", "sub") or style.is_apart):
            self.pieces.append(" ")
        if self.cell and self.raised is None and (name == "sup" or style.is_raised):
            self.raised = len(self.pieces)
        # page: EDGAR's mark in text that became HTML
        if style.breaks == "before" if style.breaks else name in ("hr", "page"):
            self.turn_page()
        place = element.get("id") or (element.get("name") if name == "a" else None)
        if place:
            self.anchors.setdefault(place, len(self.lines))
        if name == "a" and (target := element.get("href") or "").startswith("#"):
            self.links.append((len(self.lines), target[1:]))

    def open_block(self, element: etree._Element, name: str) -> None:
        if name == "table":
            self.flush_row()
            self.flush()
            self.table_count += 1
            self.tables.append(self.table_count)
            self.covered.append({})
        elif name == "tr" and self.tables:
            self.flush_row()
            self.flush()
            self.cells, self.column = [], 0
        elif name in ("td", "th") and self.cells is not None:
            self.close_cell()
            covered = self.covered[-1]
            while self.column in covered:
                self.column += 1
            span, down = number_of(element, "colspan"), number_of(element, "rowspan")
            if down > 1:
                covered.update(dict.fromkeys(range(self.column, self.column + span), down))
            self.cell = (span, name == "th")
            self.indent = indent_of(element)
            self.start = self.count
        elif self.cells is not None:
            self.pieces.append("\n")
        else:
            self.flush()
        self.preformatted += name == "pre"

    def close(self, element: etree._Element, name: str, style: Style) -> None:
        if name in NUMBERS:
            self.open_tags.pop().end = self.count
        if name in BLOCKS and not style.is_inline:
            if name == "table" and self.tables:
                self.flush_row()
                self.flush()
                self.tables.pop()
                self.covered.pop()
            elif name == "tr":
                self.flush_row()
            elif name in ("td", "th") and self.cells is not None:
                self.close_cell()
            elif self.cells is not None:
                self.pieces.append("\n")
            else:
                self.flush(is_heading=name in HEADINGS)
            self.preformatted -= name == "pre"
        if style.breaks == "after":
            self.turn_page()

    def turn_page(self) -> None:
        if self.cells is None:
            self.flush()
        self.page += 1

    def add(self, text: str) -> None:
        # white space between cells is none of a text
        if self.cells is not None and self.cell is None and not text.strip():
            return
        if self.preformatted:
            text = without_marks(with_form_feeds(text))
        if not text.isascii():
            text = text.translate(_DRAWN)
        self.pieces.append(text)
        self.count += letters(text)

    def close_cell(self) -> None:
        if self.cell is None or self.cells is None:
            return
        span, is_header = self.cell
        text = "".join(self.pieces)
        raised = "" if self.raised is None else single_spaced("".join(self.pieces[self.raised :]))
        place = (self.column, span, self.start, self.count)
        self.cells.append(Cell(text, *place, is_header, self.indent, self.unplaced, raised))
        self.column += span
        self.pieces, self.cell, self.unplaced, self.raised = [], None, [], None

    def flush(self, is_heading: bool = False) -> None:
        """The text gathered outside of rows is a line."""
        text = "".join(self.pieces)
        self.pieces = []
        if self.preformatted:
            self.lay_out_lines(text)
        elif text := single_spaced(text):
            self.place(self.unplaced)
            self.lines.append(Line(text, self.start, self.count, self.page, is_heading=is_heading))
        self.unplaced = []
        self.start = self.count

    def lay_out_lines(self, text: str) -> None:
        """A line for every paragraph and every row of a text that is set by lines; form feeds part its pages."""
        start = self.start
        for number, page in enumerate(text.split("\f")):
            self.page += number > 0
            for paragraph in paragraphs(page):
                end = start + letters(paragraph)
                line = Line(single_spaced(paragraph), start, end, self.page)
                if is_table_row(paragraph):
                    line.cells = [Cell(line.text, 0, 1, start, end)]
                self.place(tag for tag in self.unplaced if start <= self.tags[tag].start < end)
                self.lines.append(line)
                start = end

    def place(self, tags: Iterable[int], cell: int | None = None) -> None:
        """The tags stand in the line that is gathered now."""
        for index in tags:
            self.tags[index].line, self.tags[index].cell = len(self.lines), cell

    def flush_row(self) -> None:
        """The cells gathered are a line; those of a page laid out by a table are several."""
        if self.cells is None:
            return
        self.close_cell()
        cells, self.cells = self.cells, None
        if self.covered:
            self.covered[-1] = {column: rows - 1 for column, rows in self.covered[-1].items() if rows > 1}
        if any(len(cell.text) > LAYOUT_CELL and "\n" in cell.text.strip() for cell in cells):
            self.lay_out(cells)
        else:
            for cell in cells:
                cell.text = single_spaced(cell.text)
            held = [cell for cell in cells if cell.text]
            if held:
                first, last = held[0].start, held[-1].end
                table = self.tables[-1] if self.tables else None
                for index, cell in enumerate(held):
                    self.place(cell.tags, index)
                self.lines.append(Line(row_text(held), first, last, self.page, table, held))
        self.start = self.count

    def lay_out(self, cells: Iterable[Cell]) -> None:
        """A line for every paragraph of the cells."""
        for cell in cells:
            start = cell.start
            for paragraph in cell.text.split("\n"):
                end = start + letters(paragraph)
                if text := single_spaced(paragraph):
                    self.place(tag for tag in cell.tags if start <= self.tags[tag].start < end)
                    self.lines.append(Line(text, start, end, self.page))
                start = end


def indent_of(cell: etree._Element) -> float:
    """Points that the text of a cell is set in, by its own padding or that of the block in it."""
    indent = 0.0
    for element in (cell, next(iter(cell), None)):
        if element is not None:
            indent += style_of(element.get("style") or "").indent
    return indent


def number_of(element: etree._Element, attribute: str) -> int:
    """A colspan or rowspan, 1 where none can be read; no more than a table has columns or rows."""
    stated = element.get(attribute) or ""
    return min(max(int(stated), 1), 1000) if stated.isdecimal() else 1


def row_text(cells: Iterable[Cell]) -> str:
    """The cells parted by spaces, a currency and a closing bracket at the figure that they belong to."""
    pieces: list[str] = []
    for cell in cells:
        is_one = not pieces or (_OPENS.search(pieces[-1]) and cell.text[0].isdigit()) or _CLOSES.match(cell.text)
        pieces.append(cell.text if is_one else " " + cell.text)
    return "".join(pieces)


def without_furniture(lines: list[Line], keep: set[int]) -> list[int]:
    """Indices of the lines that are no page numbers, page headers or page footers.

    These are what stands at the top or bottom of many pages, figures apart, and numbers of pages there; of marked
    numbers many have to stand there, each another. keep: indices of lines that are none at their first place: the
    heading of an item whose name heads each of its pages.
    """
    pages: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        pages.setdefault(line.page, []).append(index)
    edges = [edge for held in pages.values() for edge in (held[:FURNITURE_LINES], held[: -FURNITURE_LINES - 1 : -1])]
    seen = Counter(form for edge in edges for form in {form_of(lines[index].text) for index in edge})
    marked = {text for edge in edges for index in edge if _MARKED_NUMBER.fullmatch(text := lines[index].text)}
    numbers = Counter(map(form_of, marked))
    least = max(FURNITURE_PAGES, FURNITURE_SHARE * len(pages))
    dropped: set[int] = set()
    for edge in edges if len(pages) > 1 else []:
        for index in edge:
            text = lines[index].text
            # the years over columns and "(in millions)" top many pages, too
            is_header = len(text) <= FURNITURE_LENGTH and text[0] != "(" and any(map(str.isalpha, text))
            is_header = is_header and seen[form_of(text)] >= least
            if not is_header and numbers[form_of(text)] < least and not _PAGE_NUMBER.fullmatch(text):
                break
            dropped.add(index)
    first = {}
    for index in sorted(keep & dropped):
        first.setdefault(lines[index].text.lower(), index)
    return [index for index in range(len(lines)) if index not in dropped or index in first.values()]


def form_of(text: str) -> str:
    """What is the same of a header on all pages."""
    return _DIGITS.sub("#", text.lower())
