"""Whether the evidence of a claim states the claim's figures, years and number words, of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.judging.sources import Case, Sentence, amounts_of, same_amount
from finrag.scoring.figure_years import years_beside
from finrag.text.amounts import PERCENT, POINTS, Amount, parse_years
from finrag.text.plain_text import plain
from finrag.text.tokens import NUMBER_WORDS, is_number, key, tokens
from finrag.text.vocabulary import APPROXIMATELY

FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
LEAD = 40  # characters before an amount that say how it is meant
# What stands before an amount that rose or fell by it, or to it.
BY_OR_TO = re.compile(rf"\b(by|to)\s+(?:(?:{APPROXIMATELY})\s+)?$", re.IGNORECASE)
# What stands before a limit, and whether what is meant is above it.
LIMIT = re.compile(
    r"\b(?:(?P<above>(?:more|greater|higher)\s+than|over|above|at\s+least|exceed(?:s|ed|ing)?|in\s+excess\s+of)"
    r"|(?:less|fewer|lower)\s+than|under|below|at\s+most|up\s+to)\s+"
    rf"(?:(?:{APPROXIMATELY})\s+)?$",
    re.IGNORECASE,
)


def check_amounts(case: Case) -> tuple[str, str]:
    """Whether the evidence states every amount, of what the claim says it of."""
    amounts = amounts_of(case.claim)
    doubt = ""
    for amount in amounts:
        said = amount.text.strip()
        if any(states(sentence, amount) for sentence in case.found):
            other = rival_of_borrowed(case, amounts, amount)
            if other is None:
                continue
            told = f"It says {said}, which the source says of something else, and the evidence {other.text.strip()}."
            if case.is_rewording:
                return told, ""
            doubt = doubt or told
            continue
        if amount.is_bare and set(tokens(amount.text)) <= set(case.found[0].tokens):
            continue  # a number that the source's sentence has as part of something else
        if case.source.states(amount):
            return "", doubt or f"{said} is stated elsewhere in the source, not in the evidence."
        other = rival(case, amounts, amount)
        if other is not None:
            return f"It says {said}, the evidence {other.text.strip()}.", ""
        return "", doubt or f"{said} is not in the source."
    return "", doubt


def rival_of_borrowed(case: Case, amounts: Sequence[Amount], amount: Amount) -> Amount | None:
    """The best sentence's amount in place of the claim's, where another sentence states that of something else: the
    words before the claim's (after it, where it comes first) are rather those of this one, which is of its unit and
    itself not claimed."""
    best, *others = case.found
    if states(best, amount):
        return None
    place = list(amounts).index(amount)
    before = words_before(plain(case.claim), amounts)[place]
    mine, words_of = (before, words_before) if before else (words_after(plain(case.claim), amounts)[place], words_after)
    own = max(
        len(mine & words)
        for sentence in others
        for other, words in zip(sentence.amounts, words_of(plain(sentence.text), sentence.amounts), strict=True)
        if same_amount(amount, other)
    )
    shared = [
        len(mine & words) if is_rival(other, amount, amounts) else 0
        for other, words in zip(best.amounts, words_of(plain(best.text), best.amounts), strict=True)
    ]
    most = max(shared, default=0)
    return best.amounts[shared.index(most)] if most > own else None


def is_rival(other: Amount, amount: Amount, amounts: Sequence[Amount]) -> bool:
    """Whether an amount of the evidence may stand in place of a claim's: of its unit, a change or a level as it is, and
    itself not claimed."""
    return (other.unit, other.is_change) == (amount.unit, amount.is_change) and not any(
        same_amount(each, other) for each in amounts
    )


def check_years(case: Case) -> tuple[str, str]:
    best = case.found[0]
    # a sentence that is there for a year alone does not say of it what the claim does
    figures = [amount for amount in amounts_of(case.claim) if not states(best, amount)]
    telling = [each for each in case.found if each in case.by_words or any(states(each, amount) for amount in figures)]
    stated = {other.value for sentence in telling for other in sentence.years}
    for year in parse_years(case.claim):
        if year.value in stated or (not stated and year.value in case.source.years):
            continue
        if year.value not in case.source.years and best.years and case.is_rewording:
            return f"It says {year.text}, the evidence {best.years[0].text}.", ""
        return "", f"The evidence does not speak of {year.text}."
    return "", ""


def states(sentence: Sentence, amount: Amount) -> bool:
    return any(same_amount(amount, other) for other in sentence.amounts)


def check_other_numbers(case: Case) -> tuple[str, str]:
    """Numbers that are no amounts and no years, and words for numbers."""
    amounts = amounts_of(case.claim)
    covered = [(each.start, each.start + len(each.text)) for each in (*amounts, *parse_years(case.claim))]
    for match in FIGURE.finditer(plain(case.claim)):
        figure = match[0].rstrip(",").replace(",", "")
        if any(start <= match.start() < end for start, end in covered) or figure in case.stated:
            continue
        others = any(is_number(token) and token not in case.words for token in case.stated)
        if others and figure not in case.source.words and case.is_rewording:
            return f"It says {figure}, which the evidence does not.", ""
        return "", f"The evidence does not state {figure}."
    # "eleven" is read as 11, which the evidence may state
    are_stated = all(any(states(sentence, amount) for sentence in case.found) for amount in amounts)
    for word in tokens(plain(case.claim)) if are_stated else case.words:
        if word in NUMBER_WORDS and word not in case.stated and not any(word in a.text.lower() for a in amounts):
            if any(token in NUMBER_WORDS and token not in case.words for token in case.stated):
                return f"It says {word}, which the evidence does not.", ""
            return "", f"The evidence does not say {word}."
    return "", ""


def check_pairs(case: Case) -> tuple[str, str]:
    """Whether figures are tied to what they are tied to in the evidence, which states them all."""
    amounts = amounts_of(case.claim)
    if not amounts:
        return "", ""
    told = other_relation(case, amounts)
    if told and case.is_rewording:
        return told, ""
    claim, best = plain(case.claim), case.found[0]
    if (other := figure_of_other(claim, amounts, best) or exchanged(claim, amounts, best)) is not None:
        return "", told or f"The words around {other.text.strip()} stand around another figure in the evidence."
    return "", told or mispaired(amounts, claim, case.found)


def other_relation(case: Case, amounts: Sequence[Amount]) -> str:
    """What is said where the evidence has "to" for the claim's "by" before an amount, or not its "more than"."""
    claim = plain(case.claim)
    for amount in amounts:
        before = claim[max(0, amount.start - LEAD) : amount.start]
        same = [
            (other, plain(sentence.text)[max(0, other.start - LEAD) : other.start])
            for sentence in case.found
            for other in sentence.amounts
            if same_amount(amount, other)
        ]
        mine = relation(amount, before)
        theirs = {relation(other, text) for other, text in same}
        if mine and theirs and not theirs & {mine, ""}:
            return f"It says {mine} {amount.text.strip()}, the evidence {min(theirs)}."
        if (limit := LIMIT.search(before)) and same and not any(is_within(limit, amount, *each) for each in same):
            return f"It says {limit[0].strip()} {amount.text.strip()}, which the evidence does not."
    return ""


def relation(amount: Amount, before: str) -> str:
    """by or to, empty where neither can be told. Sums of money and counts that rise do so by what follows alone, as in
    "increased $398 million"."""
    if found := BY_OR_TO.search(before):
        return found[1].lower()
    return "by" if amount.is_change and amount.unit not in (PERCENT, POINTS) else ""


def is_within(limit: re.Match, amount: Amount, stated: Amount, before: str) -> bool:
    """Whether a stated amount is beyond the limit that a claim says, or is itself said to be."""
    said = LIMIT.search(before)
    if said:
        return bool(said["above"]) == bool(limit["above"])
    excess = abs(stated.value) - abs(amount.value)
    return excess > 0 if limit["above"] else excess < 0


def mispaired(amounts: Sequence[Amount], claim: str, found: Sequence[Sentence]) -> str:
    """A doubt where a figure stands with another year than in the evidence, or figures stand in another order."""
    own = years_beside(amounts, claim)
    last = -1
    best = found[0]
    for amount, year in own.items():
        options = [
            (other, other_year, place, sentence)
            for sentence in found
            for place, (other, other_year) in enumerate(years_beside(sentence.amounts, plain(sentence.text)).items())
            if same_amount(amount, other)
        ]
        if year is not None and all(option[1] not in (None, year) for option in options):
            return f"The evidence gives {amount.text.strip()} for another year than {year:.0f}."
        if year is None:
            places = [place for _, _, place, sentence in options if sentence is best]
            if places and all(place < last for place in places):
                return "Its figures stand in another order than in the evidence."
            last = min((place for place in places if place >= last), default=last)
    return ""


def figure_of_other(claim: str, amounts: Sequence[Amount], best: Sentence) -> Amount | None:
    """The first amount whose words (those since the amount before it) are another amount's in the evidence, unless its
    year tells which is meant."""
    theirs = list(zip(best.amounts, words_before(plain(best.text), best.amounts), strict=True))
    years, their_years = years_beside(amounts, claim), years_beside(best.amounts, plain(best.text))
    for amount, mine in zip(amounts, words_before(claim, amounts), strict=True):
        year = years[amount]
        if year is not None and any(same_amount(amount, other) and their_years[other] == year for other, _ in theirs):
            continue
        own = max((len(mine & words) for other, words in theirs if same_amount(amount, other)), default=None)
        others = (len(mine & words) for other, words in theirs if other.unit == amount.unit)
        if own is not None and max(others, default=0) >= own + 2:
            return amount
    return None


def exchanged(claim: str, amounts: Sequence[Amount], best: Sentence) -> Amount | None:
    """The first of two amounts after which the claim says what the evidence says after the other one: "$5 million in
    Cloud and $2 million in Retail" for "$5 million in Retail and $2 million in Cloud"."""
    mine = words_after(claim, amounts)
    theirs = list(zip(best.amounts, words_after(plain(best.text), best.amounts), strict=True))
    own = [next((words for other, words in theirs if same_amount(amount, other)), set()) for amount in amounts]
    for one in range(len(amounts)):
        for two in range(one):
            only_one, only_two = own[one] - own[two], own[two] - own[one]
            is_crossed = mine[one] & only_two and mine[two] & only_one
            if is_crossed and not mine[one] & only_one and not mine[two] & only_two:
                return amounts[two]
    return None


def rival(case: Case, amounts: list[Amount], amount: Amount) -> Amount | None:
    """The evidence's amount in place of the claim's: a rival, after some of its words."""
    mine = words_before(plain(case.claim), amounts)[amounts.index(amount)]
    for sentence in case.found:
        theirs = words_before(plain(sentence.text), sentence.amounts)
        for other, words in zip(sentence.amounts, theirs, strict=True):
            if mine & words and is_rival(other, amount, amounts):
                return other
    return None


def words_before(text: str, amounts: Sequence[Amount]) -> list[set[str]]:
    starts = [0, *(amount.start + len(amount.text) for amount in amounts)]
    return [
        {term for term in map(key, tokens(text[start : amount.start])) if term}
        for start, amount in zip(starts, amounts, strict=False)
    ]


def words_after(text: str, amounts: Sequence[Amount]) -> list[set[str]]:
    ends = [*(amount.start for amount in amounts[1:]), len(text)]
    return [
        {term for term in map(key, tokens(text[amount.start + len(amount.text) : end])) if term}
        for amount, end in zip(amounts, ends, strict=False)
    ]
