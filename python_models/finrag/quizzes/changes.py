"""A sentence made false by one recorded change: of a number, a direction, a year or a name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from finrag.text.amounts import DIGITS, PERCENT, Amount
from finrag.text.statements import OPPOSITES, UP_OR_DOWN, YEAR, Sentence, is_central, is_same, read
from finrag.text.vocabulary import BE, CAN, HAVE, WILL
from finrag.text.words import LEGAL_FORM, NEGATION

ARTICLE = re.compile(
    r"\b(an?)(?= (?:increase|decrease|improvement|deterioration|decline|growth|unfavorable|favorable|rise|fall)\b)",
    re.IGNORECASE,
)
AUXILIARY = re.compile(rf"\b(?:{BE}|{HAVE}|{WILL}|{CAN})\b")
FACTORS = (0.55, 0.7, 1.4, 1.6, 1.85)
YEAR_SHIFTS = (-2, 2, -3, 3, -4, 4, -5, 5, -6, 6)
# Nobody's names: what stands in for a company must not depend on which others are in the warehouse.
OTHER_NAMES = ("Brackwater Holdings", "Ostervale Corporation", "Pellgrove Industries", "Tammerlin Group")
_DIGITS = re.compile(DIGITS)
_LEGAL_FORM = re.compile(
    rf"[,.\s]+(?:{LEGAL_FORM}|group|holdings?|/\w+/?)\.?$",
    re.IGNORECASE,
)
_TURNED = (
    {"up": "down", "down": "up"}
    | dict(OPPOSITES)
    | {down: up for up, down in reversed(OPPOSITES)}
    | dict(reversed(OPPOSITES))
)


@dataclass(frozen=True)
class Change:
    """One change: kind is number, direction, year, company or negation; text is the whole sentence afterwards."""

    kind: str
    was: str
    became: str
    text: str

    @property
    def described(self) -> str:
        return f"{self.kind}: {self.was} -> {self.became}"


def draw(*parts: object) -> int:
    """A number that stays the same for the same parts."""
    return int(hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:12], 16)


def changes(
    sentence: Sentence, stated: Collection[Amount], years: Collection[str], company: str | None, seed: str
) -> list[Change]:
    """One change of each kind that the sentence allows, in an order that the seed and the sentence decide.

    A negation is the last resort: only where nothing else can be changed.

    stated, years: amounts and years of the whole text, none of which what is put in their place may equal. company: its
    name, where known.
    """
    found = [
        change
        for change in (
            change_number(sentence, stated, seed),
            turn_round(sentence),
            change_year(sentence, years, seed),
            change_company(sentence, company, seed),
        )
        if change is not None
    ]
    if not found and (negated := negate(sentence)) is not None:
        return [negated]
    return sorted(found, key=lambda change: draw(seed, sentence.key, change.kind))


def negate(sentence: Sentence) -> Change | None:
    """A "not" after the first auxiliary; None where there is none, or a negation already."""
    match = AUXILIARY.search(sentence.text)
    if match is None or NEGATION.search(sentence.text):
        return None
    text = f"{sentence.text[: match.end()]} not{sentence.text[match.end() :]}"
    return Change("negation", match[0], f"{match[0]} not", text)


def change_number(sentence: Sentence, stated: Collection[Amount], seed: str) -> Change | None:
    """Another value of the same form, at least a quarter away; None where the sentence has no figure to change."""
    amounts = [amount for amount in sentence.amounts if amount.high is None and is_central(amount, sentence.text)]
    amounts = [amount for amount in amounts if sentence.text.count(amount.text) == 1 and _DIGITS.search(amount.text)]
    for amount in sorted(amounts, key=lambda amount: draw(seed, sentence.key, amount.text)):
        for other in altered(amount, seed + sentence.key):
            text = sentence.text.replace(amount.text, other)
            changed = [one for one in read(text).amounts if not any(is_same(one, own) for own in sentence.amounts)]
            if changed and not any(is_same(changed[0], one) for one in stated):
                return Change("number", amount.text, other, text)
    return None


def altered(amount: Amount, seed: str) -> Iterator[str]:
    """Other values of an amount in the same form, in an order that the seed decides."""
    digits = _DIGITS.search(amount.text)[0]
    places = len(digits.partition(".")[2])
    for factor in sorted(FACTORS, key=lambda factor: draw(seed, amount.text, factor)):
        value = round(float(digits.replace(",", "")) * factor, places)
        if amount.unit == PERCENT and abs(amount.value) <= 100 < value:
            continue
        form = f"{value:,.{places}f}" if "," in digits or value >= 10_000 else f"{value:.{places}f}"
        if abs(value - float(digits.replace(",", ""))) >= 0.25 * abs(float(digits.replace(",", ""))):
            yield amount.text.replace(digits, form, 1)


def turn_round(sentence: Sentence) -> Change | None:
    """Every direction the other way; None where the sentence has none, or both, or one whose opposite is unsure."""
    if not sentence.has_direction:
        return None
    turned: list[tuple[str, str]] = []

    def opposite(match: re.Match) -> str:
        word = _TURNED.get(match[0].lower())
        if word is None:
            return match[0]
        word = word.capitalize() if match[0][0].isupper() else word
        turned.append((match[0], word))
        return word

    text = UP_OR_DOWN.sub(opposite, re.sub(r"\b(?!(?:up|down)\b)[A-Za-z]+\b", opposite, sentence.text))
    other = read(text)
    if not turned or other.is_up != sentence.is_down or other.is_down != sentence.is_up:
        return None
    text = ARTICLE.sub(_article, text)
    return Change("direction", ", ".join(was for was, _ in turned), ", ".join(became for _, became in turned), text)


def _article(match: re.Match) -> str:
    following = match.string[match.end() + 1]
    word = "an" if following.lower() in "aeiou" else "a"
    return word.capitalize() if match[0][0].isupper() else word


def change_year(sentence: Sentence, stated: Collection[str], seed: str) -> Change | None:
    """A year that the text does not name in place of one that the sentence names."""
    years = sorted(sentence.years, key=lambda year: draw(seed, sentence.key, year))
    for year in years:
        for shift in sorted(YEAR_SHIFTS, key=lambda shift: (abs(shift) > 3, draw(seed, sentence.key, year, shift))):
            other = str(int(year) + shift)
            if other not in stated:
                text = YEAR.sub(
                    lambda match, year=year, other=other: other if match[0] == year else match[0], sentence.text
                )
                return Change("year", year, other, text)
    return None


def change_company(sentence: Sentence, company: str | None, seed: str) -> Change | None:
    """Another company's name in place of the one that the text is about."""
    name = company or ""
    while (shorter := _LEGAL_FORM.sub("", name)) != name:
        name = shorter
    if len(name) < 3:
        return None
    words = r"[\s,.]+".join(map(re.escape, name.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)(?:,? {LEGAL_FORM})?", re.IGNORECASE)
    match = pattern.search(sentence.text)
    if match is None:
        return None
    other = OTHER_NAMES[draw(seed, sentence.key) % len(OTHER_NAMES)]
    return Change("company", match[0], other, pattern.sub(other, sentence.text))
