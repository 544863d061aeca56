"""Markdown and plain text as paragraphs; form feeds part pages, as of text that was made from a PDF, and so do lines
with <--- Page Split --->, as of reports that were read by OCR (LEDGER's .mmd)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from finrag.corpus.documents.pdf import Paragraph
from finrag.corpus.html.document import UnreadableError, read_bytes
from finrag.corpus.submission import with_form_feeds, without_marks
from finrag.inputs import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_RULE = re.compile(r"^\s*\|?(?:\s*:?-{3,}:?\s*\|?)+\s*$")
_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
MARKDOWN = (".md", ".markdown", ".mmd")
PAGE_ENDS = re.compile(r"\f|<---\s*Page Split\s*--->", re.I)


def text_of(path: str) -> str:
    """A local text in UTF-8; raises UnreadableError and OSError."""
    content = read_bytes(path)
    try:
        return files.text_of(content)
    except ValueError as error:
        raise UnreadableError(f"{error}.") from error


def paragraphs_in(text: str, is_markdown: bool) -> list[Paragraph]:
    """What a text says, a paragraph a line, of page 0 where nothing parts pages; raises UnreadableError."""
    found = paragraphs_of(text, markdown) if is_markdown else paragraphs_of(with_form_feeds(text), plain)
    if not any(character.isalnum() for paragraph in found for character in paragraph.text):
        raise UnreadableError("the file has no text. Expected words.")
    return found


def paragraphs_of(text: str, form: Callable[[str, int], Iterator[Paragraph]]) -> list[Paragraph]:
    """The paragraphs of a text by its pages, of page 0 where nothing parts any. form: markdown or plain."""
    pages = PAGE_ENDS.split(text)
    first = 1 if len(pages) > 1 else 0
    return [paragraph for number, page in enumerate(pages, start=first) for paragraph in form(page, number)]


def plain(text: str, page: int) -> Iterator[Paragraph]:
    """Lines as they are: what of them belongs together is the splitter's to say."""
    for line in map(without_marks, text.splitlines()):
        if line.strip():
            yield Paragraph(line.strip(), page)


def markdown(text: str, page: int) -> Iterator[Paragraph]:
    """Paragraphs with their lines put together; headings, list items and table rows alone, without their marks."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        row, heading = _ROW.match(line), _HEADING.match(line)
        is_item = re.match(r"\s*(?:[-*+]|\d{1,3}[.)])\s", line) is not None
        if lines and (not line.strip() or row or heading or is_item or _RULE.match(line)):
            yield Paragraph(_EMPHASIS.sub(r"\2", " ".join(lines)), page)
            lines = []
        if not line.strip() or _RULE.match(line):
            continue
        if row:
            cells = [cell.strip() for cell in row[1].split("|")]
            yield Paragraph(_EMPHASIS.sub(r"\2", " ".join(filter(None, cells))), page, is_row=True)
        elif heading:
            yield Paragraph(heading[1], page, is_heading=True)
        else:
            lines.append(line.strip())
