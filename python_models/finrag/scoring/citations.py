"""Cited sentences: whether they exist, were in the context, and are the evidence that the gold names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

# The corpus contract's ids, e.g. 0000104169_10-K_2018_section_7_142; forms have several names (10-K405, 10-KSB).
# "_" before or after one is of Markdown.
SENTENCE_ID = re.compile(r"(?<![^\W_])\d{10}_[A-Z0-9-]+_\d{4}_section_\w+_\d+(?![^\W_])")
# Hyphens that models write for that of 10-K.
HYPHENS = str.maketrans("‐‑", "--")
# What models write when ids are not shown to them: [WMT, FY 2018-2020, Item 7: MD&A], in any bracket, several parted by
# semicolons, with or without the commas, the form and the part.
LABEL = re.compile(
    r"(?<![^\s\[(【;])(?!FY\b)(?P<ticker>[A-Z][A-Z.]{0,5}),?(?:\s10-K,?)?"
    r"\s(?:(?:FY|[Ff]iscal(?:\s[Yy]ear)?)\s?)?(?P<first>\d{4})"
    r"(?:\s?[-–—]\s?(?:FY\s?)?(?P<last>\d{4}))?,?(?:\s10-K,?)?(?:\sPart\s[IV]+,?)?"
    r"\s(?:Item|ITEM|item)s?\s(?P<items>\d+[A-C]?(?:(?:,\s|\s?&\s?|,?\sand\s)\d{1,2}[A-C]?\b)*)\b"
)
BRACKETED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|【[^【】]*】")
ITEM = re.compile(r"\d+[A-C]?")
# A longer span of years cites none of them: electronic filings begin in 1993, and no answer is about half a century.
MOST_YEARS = 50


@dataclass(frozen=True)
class CitationScore:
    """Distinct cited ids, and shares of them; a share without anything to divide by is None.

    support_share is the part of the citations that are gold evidence, evidence_recall the part of the facts in the gold
    evidence that a citation states.
    """

    cited: tuple[str, ...]
    existing_share: float | None
    in_context_share: float | None
    support_share: float | None
    evidence_recall: float | None


@dataclass(frozen=True)
class Label:
    """A citation of an item of a company's filings in a year: ("WMT", 2019, "ITEM_7")."""

    ticker: str
    year: int
    section_id: str


def cited_ids(text: str | None, field: Iterable[str] | None = None) -> tuple[str, ...]:
    """Distinct sentence ids of an answer's citation field, then those in its text, in order.

    A field's values without an id are taken as they are, so that an invented one counts against the answer.
    """
    listed = [each for value in field or () for each in ids_in(value) or [value.strip().strip("[]").strip()]]
    return tuple(dict.fromkeys([value for value in listed if value] + ids_in(text or "")))


def ids_in(text: str) -> list[str]:
    return SENTENCE_ID.findall(text.translate(HYPHENS))


def score_citations(
    cited: Iterable[str], context: Collection[str], gold: Mapping[str, set[str]], corpus: Collection[str]
) -> CitationScore:
    """Score distinct cited ids against the ids of the context and the corpus, and the gold evidence.

    gold: what each sentence of it states; of several that state one fact any will do.
    """
    ids = tuple(dict.fromkeys(cited))
    supporting = [value for value in ids if value in gold]
    return CitationScore(
        cited=ids,
        existing_share=share(sum(value in corpus for value in ids), len(ids)),
        in_context_share=share(sum(value in context for value in ids), len(ids)),
        support_share=share(len(supporting), len(ids)) if gold else None,
        evidence_recall=share(len(set().union(*map(gold.get, supporting))), len(set().union(*gold.values()))),
    )


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def cited_labels(text: str | None) -> tuple[Label, ...]:
    """Distinct citations by ticker, year and item, in order; a span of years is one for each of them, one of more than
    MOST_YEARS for its ends."""
    labels = []
    bracketed = BRACKETED.findall((text or "").translate(HYPHENS))
    for match in (label for cited in bracketed for label in LABEL.finditer(cited)):
        first = int(match["first"])
        last = int(match["last"] or first)
        for year in (first, last) if last - first >= MOST_YEARS else range(first, last + 1):
            labels += [Label(match["ticker"], year, f"ITEM_{item}") for item in ITEM.findall(match["items"])]
    return tuple(dict.fromkeys(labels))
