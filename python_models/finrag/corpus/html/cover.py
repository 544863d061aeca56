"""Who filed a 10-K for which year: as its inline XBRL says, else its cover page, else the name of its file."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from finrag.corpus.fiscal_years import fiscal_year_of
from finrag.corpus.html.document import single_spaced
from finrag.corpus.submission import entity_on
from finrag.text.years import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml import etree

    from finrag.corpus.html.document import Document

# Lines in which a cover page says what it does.
COVER_LINES = 120

_SHORT = [month[:3] for month in MONTHS]
_MONTH = "|".join([*MONTHS, "sept", *_SHORT])
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_WORDED = re.compile(rf"({_MONTH})\.?\s+{_DAY}\s*,?\s*(\d{{4}})", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"{_DAY}\s+(?:day\s+of\s+)?({_MONTH})\.?\s*,?\s*(\d{{4}})", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?!\d)")
# Two digits of a year from here on are of the last century.
FIRST_OF_CENTURY = 70
_ENDED = re.compile(r"\b(?:year|period)\s+ended\b:?(.{0,60})", re.IGNORECASE)
_TRANSITION = re.compile(r"\btransition\s+period\s+from\b(.{6,40}?)\bto\b:?(.{0,40})", re.IGNORECASE)
_FORM = re.compile(r"\bform\s+(10-?K(?:SB|405|T)?(?:/A)?)(?![a-z])", re.IGNORECASE)
_TEN_K = re.compile(r"10-?K([A-Z0-9]*?)(/?A)?", re.IGNORECASE)
_NAME_BELOW = re.compile(r"\(\s*exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer|company)", re.IGNORECASE)
_RULE = re.compile(r"[\W_]*")
# 320193_10K_2020_0000320193-20-000096.htm, as edgar-crawler names them; aapl-20200926.htm, as filers do
_CRAWLED = re.compile(r"^(\d{1,10})_(10-?K[A-Z0-9]*)_(\d{4})_", re.IGNORECASE)
_OF_PERIOD = re.compile(r"[-_](\d{4})(\d{2})(\d{2})(?!\d)")
# …/data/320193/…, CIK0000320193.htm, and 718413_1993.htm, as EDGAR-CORPUS names them; 2019_2020 are two years
_CIK_IN_PATH = re.compile(
    r"/data/0*(\d{1,10})/|(?:^|[^a-z])CIK0*(\d{1,10})(?!\d)"
    r"|(?:^|/)(?!(?:19|20)\d\d_)0*(\d{1,10})_(?:19|20)\d\d\.[a-z.]+$",
    re.IGNORECASE,
)


@dataclass
class Cover:
    """report_year: the fiscal year of the period's end. What is not stated is None.

    fiscal_year_focus: what the filer calls that year.

    is_tagged: whether inline XBRL or EDGAR's header says what it is. is_form_stated: whether form_type is no guess.
    """

    cik: str | None = None
    company_name: str | None = None
    form_type: str = "10-K"
    period_end: str | None = None
    report_year: str | None = None
    report_year_source: str | None = None
    fiscal_year_focus: str | None = None
    is_tagged: bool = False
    is_form_stated: bool = False


def read_cover(document: Document, path: str) -> Cover:
    """What is stated, from the first of the three that states it; of the form what the name adds to it, too."""
    lines = [line.text for line in document.lines[:COVER_LINES]]
    tagged = document.entity or tagged_entity(document.root) or entity_on(lines)
    name = os.path.basename(path)
    crawled = _CRAWLED.match(name)
    in_path = _CIK_IN_PATH.search(path)
    cover = Cover(
        cik=tagged.get("EntityCentralIndexKey") or (crawled and crawled[1]) or (in_path and in_path[in_path.lastindex]),
        company_name=tagged.get("EntityRegistrantName") or name_on(lines),
        form_type=form(tagged.get("DocumentType") or form_on(lines), crawled and crawled[2]),
        fiscal_year_focus=tagged.get("DocumentFiscalYearFocus"),
        is_tagged="DocumentType" in tagged,
    )
    cover.is_form_stated = cover.is_tagged or bool(form_on(lines) or crawled)
    if period := date_in(tagged.get("DocumentPeriodEndDate") or "") or period_on(lines, cover.form_type):
        cover.period_end, cover.report_year_source = period.isoformat(), "period_of_report"
    elif crawled:
        cover.report_year, cover.report_year_source = crawled[3], "file_name"
    elif period := period_of(name):
        cover.period_end, cover.report_year_source = period.isoformat(), "file_name"
    if cover.period_end:
        cover.report_year = str(fiscal_year_of(date.fromisoformat(cover.period_end)))
    return cover


def tagged_entity(root: etree._Element) -> dict[str, str]:
    """The facts of dei by their names, the first of each; a company's number also from the contexts."""
    found: dict[str, str] = {}
    for fact in root.iter("{*}nonNumeric", "ix:nonnumeric"):
        prefix, _, concept = (fact.get("name") or "").partition(":")
        if prefix == "dei" and (text := single_spaced("".join(fact.itertext()))):
            found.setdefault(concept, text)
    if "EntityCentralIndexKey" not in found:
        entity = next(root.iter("{*}identifier", "xbrli:identifier"), None)
        if entity is not None and "sec.gov" in (entity.get("scheme") or ""):
            found["EntityCentralIndexKey"] = single_spaced(entity.text or "")
    return found


def form(on_cover: str | None, in_name: str | None) -> str:
    """`10-K`, `10-K405`, `10-K/A`, however it is written: as the cover states it, and more where the name says more.

    The name is of the form under which EDGAR holds the filing; covers of amendments and transition reports often say
    10-K and no more. A name has no room for the slash: 10KA.
    """
    stated = [_TEN_K.fullmatch(text) for text in (on_cover, in_name or "10-K") if text]
    if on_cover and not stated[0]:
        return on_cover.upper()
    kind = next((found[1] for found in stated if found and found[1]), "")
    return f"10-K{kind.upper()}{'/A' if any(found and found[2] for found in stated) else ''}"


def form_on(lines: Iterable[str]) -> str | None:
    return next((found[1] for line in lines if (found := _FORM.search(line))), None)


def name_on(lines: Sequence[str]) -> str | None:
    """The company's name, which stands over the words that say so, or before them on their line."""
    for index, line in enumerate(lines):
        if found := _NAME_BELOW.search(line):
            over = (text for text in reversed(lines[:index]) if not _RULE.fullmatch(text))
            stated = (text.strip(" _-=*") for text in (line[: found.start()], next(over, "")))
            return next((name for name in stated if any(map(str.isalpha, name))), None)
    return None


def period_on(lines: Sequence[str], form_type: str) -> date | None:
    """The end of the fiscal year, which a transition report names as that of the one before it."""
    text = " ".join(lines)
    years = (date_in(found[1]) for found in _ENDED.finditer(text))
    transitions = (date_in(found[2]) for found in _TRANSITION.finditer(text) if date_in(found[1]))
    stated = chain(transitions, years) if form_type.startswith("10-KT") else chain(years, transitions)
    return next(filter(None, stated), None)


def date_in(text: str) -> date | None:
    """The first date that a text states in one of the forms of covers and of file names."""
    text = single_spaced(text)
    try:
        if found := _WORDED.search(text):
            return date(int(found[3]), _SHORT.index(found[1][:3].lower()) + 1, int(found[2]))
        if found := _DAY_FIRST.search(text):
            return date(int(found[3]), _SHORT.index(found[2][:3].lower()) + 1, int(found[1]))
        if found := _ISO.search(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _SLASHED.search(text):
            century = 0 if len(found[3]) > 2 else 1900 if int(found[3]) >= FIRST_OF_CENTURY else 2000
            return date(century + int(found[3]), int(found[1]), int(found[2]))
    except ValueError:  # the 31st of June
        return None
    return None


def period_of(name: str) -> date | None:
    """The period's end in the name of a file, where eight digits are a day."""
    found = _OF_PERIOD.search(name)
    return date_in("-".join(found.groups())) if found else None
