"""Inline XBRL: one HTML page per filing, as EDGAR serves it, with its figures tagged in prose and in statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from finrag.demo.document import TITLES, Section
from finrag.demo.filing import Filing
from finrag.demo.layouts.filing_text import item_heading
from finrag.demo.layouts.inline_xbrl import Tagger
from finrag.demo.layouts.statements import tables
from finrag.demo.slots import long_date, period_end

NAMESPACES = {
    "": "http://www.w3.org/1999/xhtml",
    "dei": "http://xbrl.sec.gov/dei/2022",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "ix": "http://www.xbrl.org/2013/inlineXBRL",
    "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2020-02-12",
    "us-gaap": "http://fasb.org/us-gaap/2022",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "xbrli": "http://www.xbrl.org/2003/instance",
}
# Statements stand below the auditor's report.
STATEMENTS_BELOW = ("ITEM_8", 0)
PAGE_BREAK = '<hr style="page-break-after:always"/>'


def files(filings: Sequence[Filing]) -> dict[str, bytes]:
    return {f"edgar_html/{stem(filing)}.htm": page(filing).encode("utf-8") for filing in filings}


def stem(filing: Filing) -> str:
    return f"{filing.profile.ticker.lower()}-{period_end(filing.profile, filing.year):%Y%m%d}"


def page(filing: Filing) -> str:
    """The document. Its body comes first, because that is where the tagger learns which contexts are needed."""
    tagger = Tagger(filing)
    body = "\n".join([*cover(filing, tagger), *contents(filing), *items(filing, tagger)])
    names = f"{filing.profile.ticker.lower()}", f"https://{filing.profile.ticker.lower()}.example/{filing.year}"
    spaces = "".join(f' xmlns{":" * bool(prefix)}{prefix}="{uri}"' for prefix, uri in [*NAMESPACES.items(), names])
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<html{spaces}>\n<head><title>{stem(filing)}</title></head>\n<body>\n'
        f'<div style="display:none">{tagger.header()}</div>\n{body}\n</body>\n</html>\n'
    )


def cover(filing: Filing, tagger: Tagger) -> Iterator[str]:
    profile = filing.profile
    ended = period_end(profile, filing.year)
    yield "<p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p>"
    yield f"<p>FORM {tagger.text('DocumentType', '10-K')}</p>"
    period = tagger.text("DocumentPeriodEndDate", long_date(ended), "date-monthname-day-year-en")
    yield f"<p>For the fiscal year ended {period}</p>"
    yield f"<p>{tagger.text('EntityRegistrantName', escape(profile.name))}</p>"
    yield "<p>(Exact name of registrant as specified in its charter)</p>"
    yield PAGE_BREAK


def contents(filing: Filing) -> Iterator[str]:
    rows = (
        f'<tr><td><a href="#item{section.code}">Item {section.code}.</a></td><td>{TITLES[section.item]}</td>'
        f"<td>{number}</td></tr>"
        for number, section in enumerate(filing.sections, start=2)
    )
    yield f"<p>TABLE OF CONTENTS</p>\n<table>{''.join(rows)}</table>\n{PAGE_BREAK}"


def items(filing: Filing, tagger: Tagger) -> Iterator[str]:
    """Each item on pages of its own, with the page's number below."""
    for number, section in enumerate(filing.sections, start=2):
        yield f'<p id="item{section.code}"><b>{item_heading(filing.profile, section)}</b></p>'
        yield from paragraphs(filing, section, tagger)
        yield f'<p style="text-align:center">{number}</p>\n{PAGE_BREAK}'


def paragraphs(filing: Filing, section: Section, tagger: Tagger) -> Iterator[str]:
    for position, paragraph in enumerate(section.paragraphs):
        if paragraph.heading:
            yield f"<p><b>{escape(paragraph.heading, quote=False)}</b></p>"
        sentences = [tagger.sentence(sentence) for sentence in paragraph.sentences]
        for block in sentences if paragraph.listed else [" ".join(sentences)]:
            yield f"<p>{block}</p>"
        if (section.item, position) == STATEMENTS_BELOW:
            yield from tables(filing, tagger)
