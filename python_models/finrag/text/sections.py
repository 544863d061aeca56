"""Which items of a filing a question names, and which it is likely about where it names none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag.errors import FinragError

ITEM = r"\d{1,2}[ABC]?"
NUMBERED = re.compile(rf"\bitems?\s+({ITEM}(?:\s*(?:,|and|or|&|,\s*and)\s*(?:item\s+)?{ITEM}(?![\d%]))*)", re.I)

RISK = re.compile(r"\brisks?\b", re.I)
CHANGE = re.compile(
    r"\bwhy\b|\bdrove\b|\bdriv\w+|\bexplain\w*|\battribut\w+|\bfactors?\b|\breasons?\b"
    r"|\b(?:in|de)creas\w+|\bchang\w+|\bdeclin\w+|\bgr[eo]w\w*|\brose\b|\bfell\b|\bhigher\b|\blower\b|\bmovements?\b",
    re.I,
)


@dataclass(frozen=True)
class SectionPattern:
    """One row of seeds/section_mentions.csv."""

    section_id: str
    pattern: re.Pattern


def compile_patterns(rows: Sequence[tuple[str, str]]) -> list[SectionPattern]:
    """rows: (section_id, pattern). Raises FinragError for a pattern that is no regular expression."""
    compiled = []
    for section_id, pattern in rows:
        try:
            compiled.append(SectionPattern(section_id, re.compile(pattern, re.I)))
        except re.error as error:
            raise FinragError(
                f"seeds/section_mentions.csv, {section_id}: {pattern!r} is no regular expression: {error}. "
                "Mend the row."
            ) from error
    return compiled


def find_sections(text: str, patterns: Sequence[SectionPattern], known: Sequence[str]) -> tuple[list[str], list[str]]:
    """Items that the text names, in the order of `known` (all section ids), and the parts that named them."""
    found: dict[str, str] = {}
    for match in NUMBERED.finditer(text):
        for label in re.findall(ITEM, match[1], re.I):
            found.setdefault(f"ITEM_{label.upper()}", match[0])
    for each in patterns:
        if match := each.pattern.search(text):
            found.setdefault(each.section_id, match[0])
    named = [section_id for section_id in known if section_id in found]
    return named, list(dict.fromkeys(found[section_id] for section_id in named))


def likely_sections(text: str, kpi_labels: Sequence[str], risk_topics: Sequence[str]) -> list[str]:
    """Where an answer would stand: a risk in Item 1A, why a figure moved in Item 7, a figure in Items 7 and 8."""
    if risk_topics and RISK.search(text):
        return ["ITEM_1A"]
    if not kpi_labels:
        return []
    return ["ITEM_7"] if CHANGE.search(text) else ["ITEM_7", "ITEM_8"]
