"""Filings in plain text as EDGAR keeps them: a header that says whose they are, several documents, marks in the text.

EDGAR's text file of a whole submission has a header of lines such as "CENTRAL INDEX KEY: 0000320193", then one document
after the other: the filing itself, then its exhibits. Marks such as <PAGE> and <S> stand where pages and columns begin.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# By what the header calls it, what inline XBRL does.
_FIELDS = {
    "CENTRAL INDEX KEY": "EntityCentralIndexKey",
    "COMPANY CONFORMED NAME": "EntityRegistrantName",
    "CONFORMED SUBMISSION TYPE": "DocumentType",
    "CONFORMED PERIOD OF REPORT": "DocumentPeriodEndDate",
}
_FIELD = re.compile(rf"\s*({'|'.join(_FIELDS)}):\s*(\S.*?)\s*")
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
_MARKS = re.compile(r"</?(?:PAGE|TABLE|CAPTION|S|C|FN|F\d{1,2})>", re.IGNORECASE)
# Around inline XBRL, of which white space before its declaration would make no XML.
_WRAPPED = re.compile(r"\s*(?:<XBRL>)?\s*(.*?)\s*(?:</XBRL>)?\s*", re.IGNORECASE | re.DOTALL)
# A header of a submission is shorter, with a hundred companies, too.
HEADER_BYTES = 1 << 18
# What stands before <html>: a declaration, a comment.
PROLOGUE_BYTES = 1 << 12
_NEW_PAGE = re.compile(r"^[ \t\f]*<PAGE>.*$", re.IGNORECASE | re.MULTILINE)


def filing_in(text: str) -> tuple[dict[str, str], str]:
    """What a header says by the names of dei, and the first document; of any other text nothing, and all of it."""
    header, is_submission, rest = text.partition("<DOCUMENT>")
    if not is_submission:
        return {}, text
    first = rest.partition("</DOCUMENT>")[0]
    _, is_marked, body = first.partition("<TEXT>")
    return entity_on(header.splitlines()), body.rpartition("</TEXT>")[0] or body if is_marked else first


def first_document(content: bytes) -> bytes:
    """A submission up to the end of its first document; all of any other file."""
    begin = content.find(b"<DOCUMENT>", 0, HEADER_BYTES)
    end = content.find(b"</DOCUMENT>", begin) if begin >= 0 else -1
    return content[:end] if end >= 0 else content


def begins_as_html(content: bytes) -> bool:
    """Whether a file is a page of HTML, whatever its name: a mark stands first, and <html> near its beginning."""
    begins = content.removeprefix(codecs.BOM_UTF8).lstrip()[:PROLOGUE_BYTES]
    return begins.startswith(b"<") and b"<html" in begins.lower()


def is_of_html(content: bytes) -> bool:
    """Whether a file, which may end after its header, is a submission whose first document is HTML."""
    _, is_submission, first = content[: HEADER_BYTES + PROLOGUE_BYTES].partition(b"<DOCUMENT>")
    return bool(is_submission) and b"<html" in first.partition(b"<TEXT>")[2][:PROLOGUE_BYTES].lower()


def page_in(content: bytes) -> tuple[dict[str, str], bytes]:
    """What the header of a submission says, and the HTML of its first document; of any other file nothing, and all."""
    if not is_of_html(content):
        return {}, content
    entity, page = filing_in(content.decode("latin-1"))
    return entity, _WRAPPED.fullmatch(page)[1].encode("latin-1")


def entity_on(lines: Iterable[str]) -> dict[str, str]:
    """The facts of a header among the lines by the names of dei; of several companies the first's, the registrant."""
    stated: dict[str, str] = {}
    for found in filter(None, map(_FIELD.fullmatch, lines)):
        stated.setdefault(_FIELDS[found[1]], _DAY.sub(r"\1-\2-\3", found[2]) if "PERIOD" in found[1] else found[2])
    return stated


def with_form_feeds(text: str) -> str:
    """Lines that say <PAGE> as form feeds; the first page has none before it."""
    before, is_paged, rest = _NEW_PAGE.sub("\f", text).partition("\f")
    return rest if is_paged and not before.strip() and _NEW_PAGE.match(text.lstrip()) else before + is_paged + rest


def without_marks(line: str) -> str:
    return _MARKS.sub("", line)
