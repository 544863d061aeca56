"""Numeric facts of inline XBRL: what the filer says that a figure is, and where the figure stands.

Inline XBRL 1.1 (www.xbrl.org/specification/inlinexbrl-part1/rec-2013-11-18) and the transformations of its registries 3
to 5 and of the SEC. Facts in hidden parts of a document are seen by nobody and are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from finrag.corpus.html.document import local_name, single_spaced
from finrag.text.plain_text import SCALES, WORD_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

    from finrag.corpus.html.document import Document, Tag

_SEPARATORS = re.compile(r"[\s,'’`´′\u00a0]")
_POINT = re.compile(r"\d*(?:\.\d*)?")
_WORDS = re.compile(r"[a-z]+")
# Transformations without their hyphens, which registries write or leave out.
ZERO = frozenset(["fixedzero", "zerodash", "numdash"])
POINT_IS_DECIMAL = frozenset("numdotdecimal numdotdecimalin numdotdecimalapos numcommadot numcomma numspacedot".split())
COMMA_IS_DECIMAL = frozenset("numcommadecimal numcommadecimalapos numdotcomma numspacecomma".split())
NONE_WORDS = frozenset(["no", "none", "nil", "zero"])
# Base units of a value are those of XBRL: dollars, shares, a share of one for percentages.
MAXIMUM_SCALE = 30


class UnreadableFactError(ValueError):
    """What a tag says or holds has no value."""


@dataclass
class Fact:
    """A numeric fact. value: in base units, None where it is nil or where fault says why it has none.

    start, end: letters and digits of the document before and through it. line: of the document, cell: of the line, in
    which it stands. period_start: None of an instant. dimensions: `axis=member`, parted by `; `.
    """

    fact_no: int
    fact_id: str | None
    concept: str
    value_text: str
    start: int
    end: int
    line: int | None
    cell: int | None
    value: float | None = None
    is_nil: bool = False
    sign: str | None = None
    scale: int | None = None
    decimals: str | None = None
    unit: str | None = None
    period_start: str | None = None
    period_end: str | None = None
    dimensions: str | None = None
    footnote: str | None = None
    fault: str | None = None


@dataclass
class Context:
    """start: None of an instant."""

    start: str | None
    end: str | None
    dimensions: str | None


def read_facts(document: Document) -> list[Fact]:
    """The facts that a reader of the document sees, in the order that they open; those without a value say why."""
    if not document.tags:
        return []
    contexts, units = resources(document.root)
    footnotes = read_footnotes(document.root)
    return [read_fact(number, tag, contexts, units, footnotes) for number, tag in enumerate(document.tags)]


def read_fact(
    number: int, tag: Tag, contexts: dict[str, Context], units: dict[str, str], footnotes: dict[str, str]
) -> Fact:
    # the parser of HTML writes names of attributes in lower case
    stated = {local_name(name): value for name, value in tag.element.attrib.items()}
    fact_id = stated.get("id")
    text = single_spaced(shown_text(tag.element))
    fact = Fact(number, fact_id, stated.get("name") or "", text, tag.start, tag.end, tag.line, tag.cell)
    fact.sign, fact.decimals = stated.get("sign"), stated.get("decimals")
    fact.is_nil = stated.get("nil") in ("true", "1")
    fact.footnote = footnotes.get(fact_id or "")
    fact.unit = units.get(stated.get("unitref") or "")
    context = contexts.get(stated.get("contextref") or "")
    if context:
        fact.period_start, fact.period_end, fact.dimensions = context.start, context.end, context.dimensions
    try:
        if tag.name == "ix:fraction":
            raise UnreadableFactError("is a fraction: ix:fraction has two values and none of its own")
        if not fact.concept:
            raise UnreadableFactError("names no concept")
        if context is None:
            raise UnreadableFactError(f"names a context that is missing: {stated.get('contextref')}")
        if fact.unit is None:
            raise UnreadableFactError(f"names a unit that is missing: {stated.get('unitref')}")
        fact.scale = scale_of(stated.get("scale"))
        if not fact.is_nil:
            fact.value = signed(transformed(text, stated.get("format")), fact.sign, fact.scale)
    except UnreadableFactError as fault:
        fact.fault = str(fault)
    return fact


def shown_text(element: etree._Element) -> str:
    """The text of a tag without what ix:exclude takes out of it."""
    pieces = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and local_name(child.tag) != "exclude":
            pieces.append(shown_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)


def scale_of(stated: str | None) -> int:
    try:
        scale = int(stated or 0)
    except ValueError:
        raise UnreadableFactError(f"has a scale that is no whole number: {stated}") from None
    if abs(scale) > MAXIMUM_SCALE:
        raise UnreadableFactError(f"has a scale of 10^{scale}: expected at most {MAXIMUM_SCALE} places")
    return scale


def signed(number: Decimal, sign: str | None, scale: int) -> float:
    """In base units. Brackets around a tag are the filer's typography: sign alone says that a value is negative."""
    if sign not in (None, "", "-"):
        raise UnreadableFactError(f"has the sign {sign!r}: expected '-' or none")
    return float((-number if sign == "-" else number).scaleb(scale)) + 0.0


def transformed(text: str, format_name: str | None) -> Decimal:
    """The number that a text is under a transformation such as `ixt:num-dot-decimal`; without one, a plain number."""
    name = (format_name or "").rpartition(":")[2].replace("-", "").lower()
    if name in ZERO:
        return Decimal(0)
    if name == "numwordsen":
        return in_words(text)
    if name in POINT_IS_DECIMAL:
        text = _SEPARATORS.sub("", text)
    elif name in COMMA_IS_DECIMAL:
        text = ".".join(_SEPARATORS.sub("", part.replace(".", "")) for part in text.split(",", 1))
    elif name in ("numunitdecimal", "numunitdecimalin"):
        whole, part = numbers_in(text)
        text = f"{whole}.{part:0>2}"
    elif name:
        raise UnreadableFactError(f"has a transformation that is not known: {format_name}")
    if not text or not _POINT.fullmatch(text):
        named = f"by {format_name}" if format_name else "without a transformation"
        raise UnreadableFactError(f"is no number {named}: {text[:40]!r}")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise UnreadableFactError(f"is no number: {text[:40]!r}") from None


def numbers_in(text: str) -> tuple[str, str]:
    """`5 dollars and 20 cents`: 5, 20."""
    found = re.findall(r"\d[\d,]*", text)
    if len(found) != 2:
        raise UnreadableFactError(f"is no amount of two units: {text[:40]!r}")
    return found[0].replace(",", ""), found[1]


def in_words(text: str) -> Decimal:
    """`twenty-one`, `one hundred and five thousand`, `no`."""
    words = [word for word in _WORDS.findall(text.lower()) if word not in ("and", "a")]
    if len(words) == 1 and words[0] in NONE_WORDS:
        return Decimal(0)
    total = group = 0
    for word in words:
        if word in WORD_VALUES:
            group += WORD_VALUES[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        elif word in SCALES:
            total, group = total + max(group, 1) * int(SCALES[word]), 0
        else:
            raise UnreadableFactError(f"is no number in words: {text[:40]!r}")
    if not words:
        raise UnreadableFactError(f"is no number in words: {text[:40]!r}")
    return Decimal(total + group)


def resources(root: etree._Element) -> tuple[dict[str, Context], dict[str, str]]:
    """Contexts and units by id."""
    contexts: dict[str, Context] = {}
    units: dict[str, str] = {}
    for element in named(root, "context", "unit"):
        identity = element.get("id")
        if identity and local_name(element.tag) == "context":
            contexts[identity] = read_context(element)
        elif identity:
            units[identity] = read_unit(element)
    return contexts, units


def read_context(element: etree._Element) -> Context:
    texts = {local_name(part.tag): single_spaced(part.text or "") for part in element.iter() if is_element(part)}
    members = []
    for member in named(element, "explicitmember", "typedmember"):
        # the text of a typed member stands in an element of the filer's own
        members.append(f"{member.get('dimension')}={single_spaced(''.join(member.itertext()))}")
    end = texts.get("instant") or texts.get("enddate")
    return Context(texts.get("startdate"), end[:10] if end else None, "; ".join(sorted(members)) or None)


def read_unit(element: etree._Element) -> str:
    """`USD`, `shares`, `USD/shares`; a measure of the filer's own keeps its prefix."""
    sides: dict[str, list[str]] = {}
    for measure in named(element, "measure"):
        side = local_name(measure.getparent().tag)
        prefix, _, name = single_spaced(measure.text or "").rpartition(":")
        is_common = prefix in ("iso4217", "xbrli", "utr", "")
        sides.setdefault(side, []).append(name if is_common else f"{prefix}:{name}")
    below = sides.pop("unitdenominator", [])
    above = "*".join(name for names in sides.values() for name in names)
    return above + ("/" + "*".join(below) if below else "")


def read_footnotes(root: etree._Element) -> dict[str, str]:
    """Texts of footnotes by the id of the fact that they are of."""
    texts = {part.get("id"): part for part in named(root, "footnote", "continuation") if part.get("id")}
    found: dict[str, list[str]] = {}
    for relation in named(root, "relationship"):
        stated = {local_name(name): value for name, value in relation.attrib.items()}
        notes = [continued(texts, note) for note in stated.get("torefs", "").split() if note in texts]
        for fact_id in stated.get("fromrefs", "").split():
            found.setdefault(fact_id, []).extend(notes)
    return {fact_id: " ".join(notes) for fact_id, notes in found.items()}


def continued(texts: dict[str, etree._Element], identity: str) -> str:
    """The text of a footnote with its continuations; one that leads back to itself ends there."""
    pieces, seen = [], set()
    following: str | None = identity
    while following in texts and following not in seen:
        seen.add(following)
        element = texts[following]
        pieces.append(single_spaced(shown_text(element)))
        following = element.get("continuedAt") or element.get("continuedat")
    return " ".join(piece for piece in pieces if piece)


def named(root: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Elements of these local names in lower case, whatever their namespace and whichever parser read them."""
    return (element for element in root.iter() if is_element(element) and local_name(element.tag) in names)


def is_element(node: etree._Element) -> bool:
    return isinstance(node.tag, str)


def words_of(concept: str) -> str:
    """A concept's name in words: `us-gaap:AccountsReceivableNetCurrent` as `Accounts receivable net current`."""
    name = concept.rpartition(":")[2]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).split()
    return " ".join(word if index == 0 or word.isupper() else word.lower() for index, word in enumerate(words))
