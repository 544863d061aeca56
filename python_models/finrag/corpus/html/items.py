"""Where the items of a 10-K begin: by their headings, and by what the table of contents leads to.

A label such as "Item 7" stands in many places: in the table of contents, over the text, at the head of every page, in
references. Each place is weighed by what speaks for a heading, and the places chosen are those of the greatest weight
that follow one another in the order of the form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from finrag.corpus.html.document import without_furniture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from finrag.corpus.html.document import Document, Line

# What the title of an item has, under any of the numberings since 1993.
TITLES = {
    "1": r"business",
    "1A": r"risk\s+factors",
    "1B": r"unresolved",
    "1C": r"cyber",
    "2": r"propert",
    "3": r"legal\s+proceeding",
    "4": r"mine\s+safety|submission\s+of\s+matters|reserved|removed",
    "4A": r"executive\s+officers",
    "5": r"market\s+for",
    "6": r"selected|reserved|removed",
    "7": r"management|discussion",
    "7A": r"quantitative|market\s+risk",
    "8": r"financial\s+statements|supplementary",
    "9": r"changes\s+in|disagreement",
    "9A": r"controls",
    "9B": r"other\s+information",
    "9C": r"foreign\s+jurisdiction",
    "10": r"directors|executive\s+officers",
    "11": r"compensation",
    "12": r"security\s+ownership|beneficial",
    "13": r"relationships|transactions",
    "14": r"principal\s+account|fees|exhibits|controls",
    "15": r"exhibit|schedules|principal\s+account",
    "16": r"summary|exhibits",
}
ORDER = {label: place for place, label in enumerate(TITLES)}
# The first fiscal year whose 10-K has to have the item. 4A, 6 and 16 are never missing: they may be left out.
REQUIRED_SINCE = {
    **dict.fromkeys(["1", "2", "3", "4", "5", "7", "8", "9", "10", "11", "12", "13", "14"], 0),
    "1A": 2005,
    "1B": 2005,
    "1C": 2023,
    "7A": 1998,
    "9A": 2003,
    "9B": 2004,
    "9C": 2021,
    "15": 2003,
}
# Of a document with fewer items it cannot be told where they begin, or it is no 10-K.
LEAST_ITEMS = 3

_LABEL = re.compile(
    r"(?:part\s+[ivx]{1,4}\W*)?items?\s*(\d{1,2})\s?(?:\(?([abc])\)?(?![a-z0-9]))?(?!\d)(\W*)", re.IGNORECASE
)
_FURTHER = re.compile(r"(?:[\s,&]|and|through|to|items?|[-–—])*(\d{1,2})([abc]?)(?![a-z0-9])", re.IGNORECASE)
_CONTENTS = re.compile(r"\s(?:[A-Z]-)?\d{1,3}(?:\s?[-–,]\s?\d{1,3})*\W*$")
_CONTINUED = re.compile(r"\bcontinued\b", re.IGNORECASE)
# "Properties. We own …": a title, and the text of the item after it in one paragraph.
_RUN_IN = re.compile(r"[^.:]{1,160}?(?:[.:]|\s[–—-])\s+(?=[A-Z])")
# "Item 7 of this report describes", "Item 1A, Risk Factors, for"
_IN_A_SENTENCE = re.compile(
    r"^(?:of|in|and|for|to|is|are|above|below|contains|includes|which|that|or|under)\b|^[)\]”\"]"
)
HEADING_LENGTH = 300
TITLE_LENGTH = 160
# An anchor stands up to so many lines above the heading that it is of: page headers, "PART II".
LINES_TO_HEADING = 6

TITLED, ALONE, LABELLED, LED_TO, FOLLOWED, LISTED = 4, 2, 1, 3, 1, -3

_SIGNATURES = re.compile(r"signatures?(?:\s+pages?)?", re.IGNORECASE)
_REPORT = r"reports? of independent|(?:independent )?(?:auditors|accountants)\W{0,2}s? reports?"
_STATEMENTS = re.compile(
    rf"^(?:{_REPORT}|index to (?:the )?(?:consolidated )?financial statements|"
    r"(?:notes to )?(?:the )?consolidated (?:financial statements|balance sheets?|statements? of))",
    re.IGNORECASE,
)
_AUDITORS_REPORT = re.compile(rf"^(?:{_REPORT})(?!.*\bschedules?\b)", re.IGNORECASE)
_AUDITED = re.compile(r"\bwe have audited\b", re.IGNORECASE)
# So many lines after its heading an auditors' report says what was audited: an entry of a list never does.
LINES_TO_AUDITED = 12
_EXHIBITS = re.compile(r"(?:index (?:to|of) exhibits|exhibits? index)\b", re.IGNORECASE)
# With more words than these Item 8 holds statements of its own, and is no reference to a page of them.
POINTER_WORDS = 100
_BY_REFERENCE = re.compile(r"\bincorporat\w+\b.{0,80}?\bby\s+reference\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.:])\s+(?=[A-Z])")
# An item with more words than these, its heading's included, beside its references says something of its own.
OWN_WORDS = 60
# Lists of exhibits, most of which are incorporated from elsewhere, are text.
LISTS = frozenset(["15", "16"])


@dataclass
class Item:
    """lines: indices of its lines, its heading's first. with_item: whose heading it shares, where it has no lines."""

    label: str
    lines: list[int]
    with_item: str | None = None


@dataclass(frozen=True)
class Place:
    """Where an item may begin. others: further items that the heading names."""

    line: int
    label: str
    weight: int
    others: tuple[str, ...] = ()


# A place and the chain before it.
Chain = tuple[Place, "Chain | None"]


def find_items(document: Document) -> list[Item]:
    """The items in the order of the form, without page headers and page numbers."""
    places = chosen(list(weighed(document)))
    kept = without_furniture(document.lines, {place.line for place in places})
    found = []
    ends = [*(place.line for place in places), len(document.lines)][1:]
    for place, end in zip(places, ends, strict=True):
        found.append(Item(place.label, [index for index in kept if place.line <= index < end]))
        found += [Item(other, [], place.label) for other in place.others]
    stated = {place.label for place in places}
    shared = {item.label: item for item in found if item.with_item and item.label not in stated}
    found = [item for item in found if not item.with_item] + [*shared.values()]
    move_statements(found, document.lines)
    return found


def label_of(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The label that a line begins with, what follows it, and further labels: "Items 1 and 2. Business"."""
    found = _LABEL.match(text)
    if not found:
        return None
    label = found[1].lstrip("0") + (found[2] or "").upper()
    if label not in ORDER:
        return None
    others = []
    rest = text[found.end() :]
    if text[: found.end()].lower().lstrip().startswith("items") or re.match(r"items\b", text, re.IGNORECASE):
        while further := _FURTHER.match(rest):
            others.append(further[1] + further[2].upper())
            rest = rest[further.end() :]
    return label, rest.lstrip(" .:,–—-"), tuple(other for other in others if other in ORDER)


def heading_of(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """label_of a line that may be a heading; of a long one that opens with title and full stop without its text."""
    stated = label_of(text)
    if stated is None or len(text) <= HEADING_LENGTH:
        return stated
    label, rest, others = stated
    title = _RUN_IN.match(rest)
    return (label, title[0], others) if title and re.search(TITLES[label], title[0], re.IGNORECASE) else None


def weighed(document: Document) -> Iterator[Place]:
    """Every line that begins with a label, and every line that the contents lead to from one."""
    lines = document.lines
    labels = {index: label for index, line in enumerate(lines) if (label := heading_of(line.text))}
    leads = {line: document.anchors[target] for line, target in document.links if target in document.anchors}
    led_to: dict[tuple[int, str], None] = {}
    for line, target in leads.items():
        if line in labels and target > line:
            label = labels[line][0]
            near = range(target, min(target + LINES_TO_HEADING, len(lines)))
            heading = next((index for index in near if index in labels and labels[index][0] == label), target)
            led_to[heading, label] = None
    for index, (label, rest, others) in labels.items():
        if leads.get(index, -1) <= index:
            weight = weight_of(lines, labels, index, label, rest)
            if weight > 0:
                yield Place(index, label, weight + LED_TO * ((index, label) in led_to), others)
    for index, label in led_to:
        if index < len(lines) and (index not in labels or labels[index][0] != label):
            yield Place(index, label, LED_TO)


def weight_of(lines: Sequence[Line], labels: dict, index: int, label: str, rest: str) -> int:
    """How much a line that begins with a label looks like the heading of its item."""
    line = lines[index]
    following = lines[index + 1].text if index + 1 < len(lines) else ""
    if _CONTINUED.search(rest[-20:]) or _IN_A_SENTENCE.match(rest):
        return 0
    if re.search(TITLES[label], rest[:TITLE_LENGTH], re.IGNORECASE):
        weight = TITLED
    elif not rest:
        is_titled = re.search(TITLES[label], following[:TITLE_LENGTH], re.IGNORECASE) is not None
        weight = TITLED if is_titled else ALONE
    else:
        weight = LABELLED
    heading = line.text if len(line.text) <= HEADING_LENGTH else rest
    is_listed = _CONTENTS.search(heading) is not None or (not rest and _PAGE.fullmatch(following) is not None)
    is_followed = index + 1 not in labels and (bool(rest) or index + 2 not in labels)
    return weight + FOLLOWED * is_followed + LISTED * is_listed


_PAGE = re.compile(r"\d{1,3}")


def chosen(places: Sequence[Place]) -> list[Place]:
    """Those of the greatest weight together that follow one another in the order of the form; of equals the first."""
    best: list[tuple[int, Chain | None]] = [(0, None)] * len(ORDER)  # of chains that end with each label
    for _, on_line in groupby(sorted(places, key=lambda place: place.line), lambda place: place.line):
        longer = []
        for place in on_line:
            label = ORDER[place.label]
            weight, chain = max(best[:label], key=lambda held: held[0], default=(0, None))
            if weight + place.weight > best[label][0]:
                longer.append((label, (weight + place.weight, (place, chain))))
        for label, held in longer:
            best[label] = held
    chain = max(best, key=lambda held: held[0])[1]
    found = []
    while chain is not None:
        place, chain = chain
        found.append(place)
    return found[::-1]


def move_statements(items: list[Item], lines: Sequence[Line]) -> None:
    """Financial statements behind the last item are those of Item 8, which refers to them."""
    eighth = next((item for item in items if item.label == "8" and item.lines), None)
    last = max((item for item in items if item.lines), key=lambda item: item.lines[-1], default=None)
    if eighth is None or last is None or last is eighth:
        return
    words = sum(len(lines[index].text.split()) for index in eighth.lines)
    begin, end = statements_in([lines[index].text for index in last.lines], words <= POINTER_WORDS)
    eighth.lines += last.lines[begin:end]
    last.lines = last.lines[:begin] + last.lines[end:]


def statements_in(texts: Sequence[str], is_awaited: bool) -> tuple[int, int]:
    """Where among the lines of the last item statements begin and end: behind the signatures, or up to them.

    is_awaited: whether Item 8 has none. Before the signatures they begin with the auditors' report itself, since items
    list the statements, too, and end where exhibits are listed.
    """
    signed = next((at for at, text in enumerate(texts) if _SIGNATURES.fullmatch(text)), len(texts))
    behind = next((at for at in range(signed, len(texts)) if _STATEMENTS.match(texts[at])), None)
    if behind is not None:
        return behind, len(texts)
    begin = next((at for at in range(signed) if is_awaited and is_auditors_report(texts, at)), signed)
    return begin, next((at for at in range(begin, signed) if _EXHIBITS.match(texts[at])), signed)


def is_auditors_report(texts: Sequence[str], at: int) -> bool:
    """In a list of statements the next of them follows before anything is said."""
    following = takewhile(lambda text: not _STATEMENTS.match(text), texts[at + 1 : at + 1 + LINES_TO_AUDITED])
    return _AUDITORS_REPORT.match(texts[at]) is not None and any(map(_AUDITED.search, following))


def is_by_reference(label: str, text: str) -> bool:
    """Whether an item says no more than where else its text stands."""
    if label in LISTS or not _BY_REFERENCE.search(text):
        return False
    own = [sentence for sentence in _SENTENCE_END.split(text) if not _BY_REFERENCE.search(sentence)]
    return sum(len(sentence.split()) for sentence in own) <= OWN_WORDS


def missing(labels: set[str], report_year: int | None) -> list[str]:
    """Items that the form had to have in a year and that are not among the labels; none where the year is unknown."""
    if report_year is None:
        return []
    return [label for label, since in REQUIRED_SINCE.items() if since <= report_year and label not in labels]
