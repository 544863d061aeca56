"""Filings in plain text as EDGAR keeps them: a header that says whose they are, several documents, marks in the text.

EDGAR's text file of a whole submission has a header of lines such as "CENTRAL INDEX KEY: 0000320193", then one document
after the other: the filing itself, then its exhibits. Marks such as <PAGE> and <S> stand where pages and columns begin.
"""

from __future__ import annotations

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
_NEW_PAGE = re.compile(r"^[ \t\f]*<PAGE>.*$", re.IGNORECASE | re.MULTILINE)


def filing_in(text: str) -> tuple[dict[str, str], str]:
    """What a header says by the names of dei, and the first document; of any other text nothing, and all of it."""
    header, is_submission, rest = text.partition("<DOCUMENT>")
    if not is_submission:
        return {}, text
    first = rest.partition("</DOCUMENT>")[0]
    _, is_marked, body = first.partition("<TEXT>")
    return entity_on(header.splitlines()), body.rpartition("</TEXT>")[0] or body if is_marked else first


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
