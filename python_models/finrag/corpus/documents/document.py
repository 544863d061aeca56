"""A document as a filing: what it is called, whose and of which year it is, its text with its pages, its items if any.

A document need not be a 10-K, and HTML that is one is read elsewhere (finrag.corpus.html). Where it has the headings of
one, its items are found as those of HTML are; any other is one section, DOCUMENT. Company and year are what its cover
says, else its name: COMPANY_2018_10K, COMPANY_2023Q2_10Q.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lxml import etree

from finrag.corpus.documents.pdf import Paragraph, read_pdf
from finrag.corpus.documents.text import MARKDOWN, paragraphs_in, text_of
from finrag.corpus.html import items as headings
from finrag.corpus.html.cover import Cover, read_cover
from finrag.corpus.html.document import (
    Cell,
    Document,
    Line,
    UnreadableError,
    begin_of,
    letters,
    read_document,
    without_furniture,
)
from finrag.corpus.html.filing import FiledItem, faulty_items
from finrag.corpus.names import HTML, doc_id_of, named_in, number_of
from finrag.corpus.splitting import END_OF_ROW
from finrag.corpus.submission import HEADER_BYTES, PROLOGUE_BYTES, begins_as_html, filing_in, is_of_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The section of a document without items, a row of seeds/sections.csv.
WHOLE = "DOCUMENT"
# Parts pages in the text of an item.
NEW_PAGE = "\f"


@dataclass(frozen=True)
class Item:
    """A section of a document. first_page: where it begins, None where there are no pages.

    headings: (letters and digits of the text before it, heading) in its order, as far as headings are known.
    """

    label: str
    text: str | None
    first_page: int | None = None
    fault: str | None = None
    headings: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True)
class Told:
    """A document. report_year: 0 where none is stated."""

    doc_id: str
    cik: int
    company_name: str
    form_type: str
    report_year: int
    report_year_source: str
    period_end: str | None
    items: list[Item]


def read_any(path: str) -> Told:
    """A local document; raises UnreadableError and OSError."""
    if path.lower().endswith(".pdf.gz"):
        raise UnreadableError("is a packed PDF. Expected it unpacked: PDFs are packed inside.")
    name = path.lower().removesuffix(".gz")
    if is_page(path):
        document = web_page(read_document(path))
    elif name.endswith(".pdf"):
        document = text_document(read_pdf(path))
    elif name.endswith(MARKDOWN):
        document = text_document(paragraphs_in(text_of(path), is_markdown=True))
    else:
        document = first_filed(text_of(path))
    return told_of(document, doc_id_of(path), path)


def is_page(path: str) -> bool:
    """Whether a local file is HTML: by its name, or a .txt that is one, as the first document of most submissions is
    since 2001.

    Raises UnreadableError and OSError.
    """
    name = path.lower().removesuffix(".gz")
    if not name.endswith(".txt"):
        return name.endswith(HTML)
    begins = begin_of(path, HEADER_BYTES + PROLOGUE_BYTES)
    return begins_as_html(begins) or is_of_html(begins)


def first_filed(text: str) -> Document:
    """A plain text; of a whole submission to EDGAR its first document."""
    entity, text = filing_in(text)
    return replace(text_document(paragraphs_in(text, False)), entity=entity)


def text_document(paragraphs: Iterable[Paragraph]) -> Document:
    return Document(list(lines_of(paragraphs)), {}, [], etree.Element("html"))


def web_page(document: Document) -> Document:
    """A page of HTML without page headers and page numbers; it has no pages that anybody could name."""
    lines = [document.lines[index] for index in without_furniture(document.lines, set())]
    if not any(character.isalnum() for line in lines for character in line.text):
        raise UnreadableError("the file has no text. Expected words.")
    return replace(document, lines=[replace(line, page=0) for line in lines])


def told(paragraphs: Iterable[Paragraph], doc_id: str, path: str) -> Told:
    """What a document's paragraphs and its name say. path: of the file, whose name may state more."""
    return told_of(text_document(paragraphs), doc_id, path)


def told_of(document: Document, doc_id: str, path: str) -> Told:
    """The same of its lines. Inline XBRL and EDGAR's header say whose a document without items is: a 10-Q, an 8-K."""
    cover = read_cover(document, path)
    named = named_in(doc_id)
    found = headings.find_items(document)
    has_items = len([item for item in found if item.lines]) >= headings.LEAST_ITEMS
    is_covered = has_items or cover.is_tagged
    company = (cover.company_name if is_covered else None) or (named["company"] if named else doc_id)
    year, source = year_of(cover, named["year"] if named else None, is_covered)
    return Told(
        doc_id=doc_id,
        cik=int(cover.cik) if cover.cik else number_of(named["company"] if named else company),
        company_name=company,
        form_type=cover.form_type if is_covered else form_of(named["form"] if named else None),
        report_year=year,
        report_year_source=source,
        period_end=cover.period_end if is_covered else None,
        items=items_of(document, found, cover) if has_items else [whole(document)],
    )


def year_of(cover: Cover, in_name: str | None, is_covered: bool) -> tuple[int, str]:
    """The fiscal year, and what it was read from."""
    if is_covered and cover.report_year:
        return int(cover.report_year), str(cover.report_year_source)
    if in_name:
        return int(in_name), "file_name"
    return 0, "not_stated"


def form_of(stated: str | None) -> str:
    """`10-Q`, `8-K`, `EARNINGS`: as a name states it; else document."""
    return re.sub(r"^(\d{1,2})-?([KQF])", r"\1-\2", stated.upper()) if stated else "document"


def lines_of(paragraphs: Iterable[Paragraph]) -> Iterable[Line]:
    before = 0
    for paragraph in paragraphs:
        end = before + letters(paragraph.text)
        cells = [Cell(paragraph.text, 0, 1, before, end)] if paragraph.is_row else []
        yield Line(paragraph.text, before, end, paragraph.page, None, cells, paragraph.is_heading)
        before = end


def items_of(document: Document, found: Sequence[headings.Item], cover: Cover) -> list[Item]:
    items = []
    for item in found:
        if not item.with_item:
            text, page = paged_text(document.lines, item.lines)
            items.append((FiledItem(item.label, text), page, headings_of(document.lines, item.lines)))
    faulty = faulty_items(found, cover, {item.label: item.text or "" for item, *_ in items})
    stated = [Item(item.label, item.text, page, faulty.pop(item.label, None), named) for item, page, named in items]
    return [*stated, *(Item(label, None, None, fault) for label, fault in faulty.items())]


def whole(document: Document) -> Item:
    chosen = without_furniture(document.lines, set())
    text, page = paged_text(document.lines, chosen)
    return Item(WHOLE, text, page, headings=headings_of(document.lines, chosen))


def headings_of(lines: Sequence[Line], chosen: Sequence[int]) -> list[tuple[int, str]]:
    """The headings among the chosen lines, each with the letters and digits of those before it."""
    found, before = [], 0
    for line in (lines[index] for index in chosen):
        if line.is_heading:
            found.append((before, line.text))
        before += letters(line.text)
    return found


def paged_text(lines: Sequence[Line], chosen: Sequence[int]) -> tuple[str, int | None]:
    """The chosen lines, rows of tables and headings being texts of their own, marks for new pages; the first page."""
    parts: list[str] = []
    first = page = lines[chosen[0]].page if chosen else 0
    for index in chosen:
        line = lines[index]
        parts.append(NEW_PAGE * max(0, line.page - page))
        parts.append(f"{END_OF_ROW}\n{line.text}{END_OF_ROW}\n" if line.cells or line.is_heading else line.text + "\n")
        page = max(page, line.page)
    text = "".join(parts).replace(f"{END_OF_ROW}\n{END_OF_ROW}\n", f"{END_OF_ROW}\n")
    return text.removeprefix(f"{END_OF_ROW}\n"), first or None
