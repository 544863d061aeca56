"""Which of a question's key points an answer states, each by itself; no model is asked.

A point is stated where a sentence of the answer, or one and the next, has all of its figures and years and, of its
other words, a share of WORD_SHARE. Words that the question has say nothing about the answer and count only where the
point has no others and no figure. A figure counts within half of the point's own last digit, in the same unit, of the
same year, company and quantity and with the same sign. What the answer denies, or says of the opposite direction or
with a word for its opposite, is not stated. A row of a table is read with the headers of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from finrag.scoring.attribution import Company, split_clauses
from finrag.scoring.figure_years import years_beside
from finrag.scoring.gold_words import DOWN, FUNCTION, SMALL, UP, key_of
from finrag.scoring.lists import NAMED
from finrag.scoring.meant import RELATIVE_EPSILON, is_compared
from finrag.scoring.quantities import CAUSE, EDGE, QUANTITIES, clause_of, quantities_of
from finrag.scoring.turned import turned_round
from finrag.text.acts import is_undone
from finrag.text.amounts import PERCENT, POINTS, Amount, parse_amounts, parse_years, sign_of
from finrag.text.items import rows_in_words
from finrag.text.opposites import say_opposites
from finrag.text.plain_text import SCALES, plain
from finrag.text.tokens import DOWN as FALLEN
from finrag.text.tokens import UP as RISEN
from finrag.text.tokens import direction, directions, tokens
from finrag.text.vocabulary import STATING, members
from finrag.text.words import NEGATION, sentences

# Of the words of a point that the question lacks. At half, two words of four, other statements of the same subject
# would pass ("the new lease standard" for the lease standard); of five words two may be put otherwise.
WORD_SHARE = 0.6
# What a point says about an answer and not about the company: "The answer must be stated as $1,577 million."
SAYING = (
    r"(?:stat\w+|mention\w*|speak\w*|identif\w+|note[sd]?|say|says|said|given?|gives|includ\w+|explain\w*|report\w*"
    r"|recogni[sz]\w+|acknowledg\w+|express\w*|highlight\w*|cit(?:e|es|ed))\s(?:(?:as|that|of|about|to)\s)?"
)
FRAMING = re.compile(
    rf"^\W*(?:the\s|an?\s)?(?:\w+\s)?(?:(?:answer|response)\s|(?:answer|response|amount|figure|value|year|number)s?\s"
    rf"(?:must|should|has\sto|needs?\sto)\s)(?:must\s|should\s|has\sto\s|needs?\sto\s)?(?:\w+ly\s|also\s)?(?:be\s)?{SAYING}"
    rf"|^\W*(?:states?|mentions?|identif(?:y|ies)|notes?|says?|explains?|highlights?|cites?)\s(?:that\s)?(?!payable)",
    re.I,
)
WORD = re.compile(r"[^\W\d_]+(?:[&'’][^\W\d_]+)*")
OPERATING_CASH = re.compile(
    r"\bcash\s(?:flows?\s)?(?:provided\s|generated\s)?(?:from|by)\s(?:operations|operating\sactivities)\b", re.I
)
RESULT = re.compile(r"(?:profit|loss)")  # what rises or falls, as much as whether it does
# "$5 million, not $6 million" denies the figure that it compares with.
NOT_THAT = re.compile(r",?\s(?:and\s)?(?:not|rather\sthan|instead\sof)\s(?:the\s)?[^\s,;]*\d[^,;]*")
LOSS = re.compile(r"\bloss(?:es)?\b", re.I)
LONGEST = 2000  # characters of a sentence
NEXT_PART = re.compile(r",|\s(?:and|or|but)\s")
# Words of amounts, and what filings date by: the figures and years themselves are compared.
MEASURES = (
    frozenset(SCALES) - {"hundred"}
    | frozenset(
        "percent percentage point points basis dollar dollars usd approximately about "
        "around roughly nearly fiscal year years ended fy company prior previous preceding report compared versus vs "
        "expense expenses spending cost costs amount amounts figure figures level".split()
    )
    | members(STATING)
)
EMPTY = SMALL | FUNCTION | UP | DOWN | MEASURES


@dataclass(frozen=True)
class Statement:
    """What a text states: words by their keys, which directions, years, and amounts with their places in the text."""

    text: str
    words: frozenset[str]
    directions: frozenset[str]
    years: frozenset[int]
    amounts: tuple[Amount, ...]


def points_stated(
    points: Sequence[str], answer: str, question: str = "", companies: Sequence[Company] = ()
) -> list[bool]:
    """Of each point whether the answer states it. companies: those of the question, as answers may name them."""
    asked = read(question)
    # no sentence is that long, and what is none is read in parts, in time that grows with its length alone
    said = [
        read(sentence[start : start + LONGEST])
        for sentence in sentences(rows_in_words(answer))
        for start in range(0, len(sentence), LONGEST)
    ]
    passages = list(passages_of(said))
    return [is_stated(point, passages, asked, companies) for point in map(read, map(unframed, points))]


def unframed(point: str) -> str:
    """A point without what it says about answers: "$1,577 million" of "The answer must be stated as $1,577 million"."""
    return FRAMING.sub("", point.strip(), count=1).strip() or point


def read(text: str) -> Statement:
    text = OPERATING_CASH.sub("operating cash flow", plain(text))
    found = {re.sub(r"['’]s$", "", word.lower()) for word in WORD.findall(text)} - EMPTY
    words = {key_of(word) for word in found if len(word) > 1 and (RESULT.match(word) or direction(word) is None)}
    years = {int(year.value) for year in parse_years(text)}
    amounts = tuple(parse_amounts(text))
    turns = turns_of(text) or frozenset(map(turn_of_sign, amounts)) - {None}
    return Statement(text, frozenset(words | turns), turns, frozenset(years), amounts)


def turn_of_sign(amount: Amount) -> str | None:
    """The rise of "+4%" and the fall of "-4%" and "(4)%"; None of other amounts."""
    if amount.unit not in (PERCENT, POINTS):
        return None
    return RISEN if "+" in amount.text else FALLEN if amount.value < 0 else None


def turns_of(text: str) -> frozenset[str]:
    return frozenset(turn for _, turn in directions(tokens(text)))


def passages_of(said: Sequence[Statement]) -> Iterator[tuple[Statement, frozenset[int]]]:
    """Clauses, runs of clauses, sentences and two sentences, each with the years named last before it."""
    earlier: frozenset[int] = frozenset()
    for place, sentence in enumerate(said):
        for part in runs_of(sentence.text):
            yield (sentence if part == sentence.text else read(part)), earlier
        if place:
            yield read(f"{said[place - 1].text} {sentence.text}"), earlier
        earlier = sentence.years or earlier


def runs_of(text: str) -> Iterator[str]:
    """The clauses of a sentence, those that follow one another together, up to all of it."""
    edges = [0, *(match.start() for match in EDGE.finditer(text) if match.start() > 0)][:8]
    edges.append(len(text))
    for length in range(1, len(edges)):
        for first in range(len(edges) - length):
            yield text[edges[first] : edges[first + length]]


def is_stated(
    point: Statement,
    passages: Sequence[tuple[Statement, frozenset[int]]],
    asked: Statement,
    companies: Sequence[Company],
) -> bool:
    own = point.words - asked.words
    has_figures = bool(point.amounts or point.years - asked.years)
    wanted = own or (frozenset() if has_figures else point.words)
    if not (wanted or point.amounts or point.years):
        return False
    wanted_point = replace(point, words=wanted)
    return any(states(wanted_point, passage, earlier or asked.years, companies) for passage, earlier in passages)


def states(point: Statement, passage: Statement, years: frozenset[int], companies: Sequence[Company]) -> bool:
    """point.words: those that have to be said. years: those that a passage without any is about."""
    own = of_companies(point.text, passage, companies)
    if own is None or not point.years <= (passage.years or years):
        return False
    if is_opposite(point, own) or turned_round(point.text, own.text):
        return False
    # of figures the sign says whether they are a loss: "operating income of $(5) million"
    if say_opposites(*(LOSS.sub(" ", each.text) if point.amounts else each.text for each in (point, own))):
        return False
    said = own.words | words_of_quantities(point.text, own.text)
    if len(point.words & said) < WORD_SHARE * len(point.words) or not (names_of(point.text) & point.words) <= said:
        return False
    if not point.amounts:
        return is_denied(point.text) == is_denied(own.text)
    ours, theirs = years_beside(point.amounts, point.text), years_beside(passage.amounts, passage.text)
    return all(
        any(
            is_same(amount, other)
            and (ours[amount] is None or theirs[other] in (None, ours[amount]))
            and is_said_of(amount, point, other, passage)
            for other in passage.amounts
            if other.text in own.text
        )
        for amount in point.amounts
    )


def of_companies(point: str, passage: Statement, companies: Sequence[Company]) -> Statement | None:
    """What a passage says of the companies that a point names; None where it speaks of others only. "A and B had $5 and
    $6 million, respectively" goes in turn."""
    wanted = {company_id for _, company_id in split_clauses(point, companies)}
    clauses = split_clauses(passage.text, companies)
    named = [company_id for _, company_id in clauses]
    if not wanted or not named or wanted >= set(named):
        return passage
    own = [clause for clause, company_id in clauses if company_id in wanted]
    if "respectively" in passage.text and len(named) == len(passage.amounts):
        figures = [amount.text for amount, of in zip(passage.amounts, named, strict=True) if of in wanted]
        without = passage.text
        for amount in passage.amounts:
            without = without.replace(amount.text, " ")
        return read(f"{without} {' '.join(figures)}") if figures else None
    return read(" ".join(own)) if own else None


def words_of_quantities(point: str, passage: str) -> set[str]:
    """The words of a point that call a quantity that a passage speaks of too, by whichever words: sales for revenue."""
    common = quantities_of(point) & quantities_of(passage)
    named = [match[0] for name in common for match in QUANTITIES[name].finditer(point)]
    return {key_of(word) for text in named for word in WORD.findall(text)}


def names_of(text: str) -> set[str]:
    """Names within a text, of which none may be missing: of three segments two are not the segments."""
    return {key_of(word) for word in NAMED.findall(text)}


def is_opposite(point: Statement, passage: Statement) -> bool:
    """Whether one tells of a rise alone and the other of a fall alone, causes included or left out."""
    pairs = (
        (point.directions, passage.directions),
        (turns_of(CAUSE.sub("", point.text)), turns_of(CAUSE.sub("", passage.text))),
    )
    return any(len(one) == len(other) == 1 and one != other for one, other in pairs)


def is_denied(text: str) -> bool:
    return bool(NEGATION.search(NOT_THAT.sub(" ", text)))


def is_same(wanted: Amount, given: Amount) -> bool:
    """Equal within half of the wanted amount's last digit, ends of ranges too, and not a loss for an income."""
    if wanted.unit != given.unit or (wanted.high is None) != (given.high is None):
        return False
    if sign_of(wanted) * sign_of(given) < 0:
        return False
    ends = [(wanted.value, given.value)] + ([(wanted.high, given.high)] if wanted.high is not None else [])
    exact = RELATIVE_EPSILON * abs(wanted.value)
    return all(abs(abs(one) - abs(other)) < max(wanted.rounding, exact) or one == other for one, other in ends)


def is_said_of(amount: Amount, point: Statement, other: Amount, passage: Statement) -> bool:
    """Whether a figure of a passage is of the quantity and the act that a point's figure is of, and not denied. Of
    money and counts "by $5 million" is not "to $5 million"."""
    if amount.unit not in (PERCENT, POINTS) and amount.is_change != other.is_change:
        return False
    lead, tail = clause_of(other, passage.text)
    asked, said = quantities_of(point.text), quantities_beside(other, passage)
    if (asked and said and not asked & said) or is_compared(other, passage.text) != is_compared(amount, point.text):
        return False
    denied = figure_is_denied(other, passage.text)
    return not is_undone(lead, tail, point.text) and denied == figure_is_denied(amount, point.text)


def quantities_beside(amount: Amount, passage: Statement) -> frozenset[str]:
    """What a figure is of: what its clause names since the figure before it, else up to the next, else anywhere."""
    lead, tail = clause_of(amount, passage.text)
    start = max((each.end for each in passage.amounts if each.end <= amount.start), default=0)
    end = min((each.start for each in passage.amounts if each.start >= amount.end), default=len(passage.text))
    near = lead[-max(amount.start - start, 0) :] if amount.start > start else ""
    after = CAUSE.sub("", tail[: max(end - amount.end, 0)])
    return quantities_of(near) or quantities_of(after) or quantities_of(CAUSE.sub("", f"{lead} {tail}"))


def figure_is_denied(amount: Amount, text: str) -> bool:
    """By what stands before it in its clause, or after it up to the next "and" or comma."""
    lead, tail = clause_of(amount, text)
    return is_denied(f"{lead} {NEXT_PART.split(tail)[0]}")
