"""Whether an answer states a numeric gold answer: which of its figures is the answer, and whether that one is right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag.errors import FinragError
from finrag.scoring.meant import ASKS_CHANGE, GO, hedged, meant_by, slack, sums
from finrag.scoring.quantities import of_what_is_asked, quantities_of, words_of
from finrag.text.amounts import (
    CURRENCIES,
    DURATIONS,
    NUMBER,
    PERCENT,
    PERCENT_OR_POINTS,
    POINTS,
    TIMES,
    YEAR,
    Amount,
    Unit,
    in_kilowatts,
    parse_amounts,
    parse_unit,
    parse_years,
    stated_scale,
    without_scale,
)
from finrag.text.directions import COMPARATIVES, ENDING, FALLS
from finrag.text.plain_text import SCALES, plain
from finrag.text.vocabulary import APPROXIMATELY, BE, PLACES, PREPOSITIONS
from finrag.text.vocabulary import TIMES as TIME_WORDS
from finrag.text.words import before, unwrapped
from finrag.text.yes_no import says_none

# An answer that lists figures until one fits is no answer: the match has to be among its first three of the unit.
MAX_CANDIDATES = 3
# The floor under an answer's own precision: half of its last digit is 5% of the gold at most, two significant digits.
# "$2.4 billion" and "$2.41 billion" state 2,406.7 million; "$2 billion" does not.
MAX_ROUNDING_SHARE = 0.05
# A coarser figure counts where it happens to be this close: "about $80 million" states 80.9 million.
MAX_COARSE_SHARE = 0.02
MOST_PER_SHARE = 1000.0
MONTHS = {"years": 12, "quarters": 3, "months": 1}
# Measured, so that the last digit is a rounding; counts and years are exact.
MEASURED = (PERCENT, POINTS, *CURRENCIES.values())
ASKS_LOSS_WORDS = (
    r"loss(?:es)?|los(?:e|es|ing|t)|deficits?|outflows?|used|cash use|cash\b[^?]{0,40}\buse|burn(?:s|ed|t|ing)?"
)
ASKS_FALL = re.compile(
    rf"\b(?:(?!lower){FALLS}|(?:shr[aiu]nk|slip|slid|plung){ENDING}"
    rf"|(?<=\bdid\b)[^?]*\bcontract|{GO} down|{ASKS_LOSS_WORDS})\b",
    re.I,
)
# A question about a loss, not about a fall: an income or a profit answers it with the other sign.
ASKS_LOSS = re.compile(rf"\b(?:{ASKS_LOSS_WORDS})\b", re.I)
# What is paid or written off is stated by its size, whatever brackets, "used" or "loss" stand beside it.
ASKS_SIZE = re.compile(
    r"\b(?:expens|costs?\b|charge|impair|provision|allowance|repa[iy]|pa(?:id|y|ys|yments?)\b|spen[dt]|purchas|repurchas|dividend|capex"
    r"|capital\sexpenditure|write-?(?:off|down)|wr[io]t\w+\s(?:off|down)|depreciat|amorti[sz]|taxes|invest(?:ed)?\b)\w*",
    re.I,
)
# "income tax expense (benefit)": what is called by the name in brackets is negative.
ASKS_SIGNED = re.compile(r"\b(\w+)\s\((\w+)(?:\s\w+)?\)", re.I)
# What the negative of a quantity is called, as in "income tax expense (benefit)".
OPPOSITES = frozenset(
    """
    asset assets benefit benefits charge charges credit credits decrease deficit expense expenses gain gains income
    increase inflow inflows liability liabilities loss losses outflow outflows payable provided provision recoveries
    recovery release reversal surplus used
    """.split()
)
ASKS_EITHER = re.compile(
    r"\b(?:change(?!s\sin\b)|increase|rise|grow|differ)\w*|\((?:loss|used in|decrease)[^)]*\)|\bor\s(?:loss|fall)", re.I
)
# A rate stated in basis points is a percentage too; a change of one is not.
ASKS_RATE = re.compile(
    r"\bspread\b|\b(?:applicable|interest)\s(?:margin|rate)|\b(?:over|above|plus)\s(?:the\s)?(?:\w+\s)?(?:SOFR|LIBOR|EURIBOR|prime|treasur)"
    r"|\bcoupon\b|\b(?:commitment|facility)\sfee|\bcharge-?offs?\b|\bcost\sof\s(?:funds|deposits)\b|\bexpense\sratio\b",
    re.I,
)
LOWER_IS_BETTER = re.compile(r"\b(?:combined|efficiency|expense|loss|operating|leverage|cost-to-income)\sratio\b", re.I)
# "412.5 clients" is no money.
THINGS = re.compile(
    r"\s(?!(?:as|is|was|has|represents|includes|reflects|comes|equals|exceeds|versus|plus|less|times)\b)[a-z]{3,}s\b"
)
# "how many stores"; how many dollars or points there are is no count.
COUNTS = re.compile(
    rf"\bhow many (?!(?:{'|'.join(SCALES)})s?\b|(?:U\.?S\.? )?(?:dollars|cents|euros|pounds)\b"
    r"|(?:percentage |basis )?points\b|bps\b)",
    re.I,
)
ASKS_PERCENT = re.compile(r"\b(?:what|which) (?:\w+ )?(?:percent\b|percentage (?!points?\b))", re.I)
ASKS_PER_SHARE = re.compile(r"\bper\b[^.;?]*\bshare\b|\bEPS\b|\b(?:share|stock|exercise)\sprice\b", re.I)
ASKS_YEAR = re.compile(
    r"^\W*when\b|\b(?:which|what)\s(?:(?:was|is|were|are|of|these|those|the|two|three|last|past|fiscal|calendar|financial)\s)"
    r"{0,5}years?\b(?![\s-]?(?:end|over|to|\d))",
    re.I,
)
# What stands before a year that is a time: "in 1990", "fiscal 1990", "December 31, 1990".
TIME_LEAD = re.compile(
    rf"(?:\b(?:{PREPOSITIONS}|{TIME_WORDS}|{PLACES}|and|fiscal|calendar|years?|until|late|early)|\d,|[-/])\s?$", re.I
)
# "rose to $310 million" is no answer to by how much.
BY_HOW_MUCH = re.compile(r"\bby (?:how much|what (?:amount|percent\w*))\b", re.I)
RISEN_TO = re.compile(
    r"\b(?:rose|risen|increas(?:ed|ing)|gr(?:ew|own)|fell|fallen|declin(?:ed|ing)|decreas(?:ed|ing)|dropp(?:ed|ing)|climbed)"
    r"\sto\s(?:\w+ly\s|about\s)?[$€£(]*$",
    re.I,
)
# Nor is "Net sales were $310 million".
LEVEL_SAID = re.compile(
    rf"(?P<subject>(?:[\w'’-]+\s){{1,8}})(?:{BE}|stood\sat|totall?ed|amounted\sto)\s(?:(?:{APPROXIMATELY})\s)?[$€£(]*$",
    re.I,
)


@dataclass(frozen=True)
class NumericMatch:
    """verdict: matched, unmatched or no_number. amount is the one that decided; difference in base units."""

    verdict: str
    reason: str
    amount: Amount | None = None
    difference: float | None = None


@dataclass(frozen=True)
class Asked:
    """What a question says about the sign of its answer.

    fall: it asks for a fall or a loss itself, so its size is the answer, and of a loss an income is none. size: for
    something that is paid or written off. opposite: what the negative of the quantity is called ("benefit"). scale:
    "(in USD millions)". rate: it asks for a level in basis points, which a percentage is too, or its gold may be in
    either. other_units: units that no answer to it is in, whatever the gold's: of "how many stores" money, percent and
    points. per_share: it asks for what one share earns, is paid or costs.
    """

    fall: bool = False
    loss: bool = False
    size: bool = False
    opposite: str | None = None
    scale: float | None = None
    rate: bool = False
    other_units: frozenset[str] = frozenset()
    per_share: bool = False

    @classmethod
    def read(cls, question: str | None, ends: tuple[float, float]) -> Asked:
        question = question or ""
        bracketed = ASKS_SIGNED.finditer(question)  # neither "obligation (backlog)" nor "in 2019 (as reported)"
        signed = next((each for each in bracketed if each[1].isalpha() and each[2].lower() in OPPOSITES), None)
        fall = bool(ASKS_FALL.search(question) and not ASKS_EITHER.search(question))
        return cls(
            fall=fall,
            loss=fall and bool(ASKS_LOSS.search(question)),
            size=min(ends) > 0 and bool(ASKS_SIZE.search(question)) and not ASKS_CHANGE.search(question) and not signed,
            opposite=signed[2] if signed else None,
            scale=stated_scale(question),
            rate=bool(ASKS_RATE.search(question)) and not ASKS_CHANGE.search(question),
            other_units=other_units(question),
            per_share=bool(ASKS_PER_SHARE.search(question)),
        )

    def named_opposite(self, amount: Amount, text: str) -> Amount:
        """With the direction of a loss where its clause names it by the word in the question's brackets, or brackets
        after it hold that alone: "$5 million (benefit)", but not "expense (benefit): $5 million"."""
        if self.opposite is None or amount.direction < 0 or amount.is_change:
            return amount
        tail = text[amount.end :]
        word = rf"\b{re.escape(self.opposite)}\b"
        lead = re.split(rf"[.;,]\s?|\((?!{word})|\d", before(text, amount.start), flags=re.I)[-1]
        clause = lead + re.split(r"[.;,]", tail)[0]
        in_brackets = re.match(rf"\s?\((?:i\.e\.,?\s)?(?:[\w-]+\s){{0,3}}{word}\)", tail, re.I)
        named = re.search(rf"(?<!\(){word}", clause, re.I)
        return replace(amount, direction=-1) if in_brackets or named else amount

    def signed(self, amount: Amount) -> Amount:
        """With the sign of its words; where a fall is asked for, its size, and a rise is negative."""
        size = negated(amount) if amount.value < 0 else amount
        if self.fall:
            is_other = amount.direction > 0 and (amount.is_change or (self.loss and amount.value > 0))
            return negated(size) if is_other else size
        if self.size and not amount.is_change:
            return size
        return negated(amount) if amount.direction < 0 and amount.value > 0 else amount


@dataclass(frozen=True)
class Gold:
    """A numeric gold answer in base units of its unit, and what its question says of how it is stated.

    ends: of a range; one number is both. stated: the evidence's precision. is_share: 0.25 may be written as 25%.
    is_unstated: nobody says its unit, a scale at most, as most published suites do, so that the value decides.
    noun: what it counts, "barrels" of "thousand barrels per day"; empty for all but counts.
    """

    wanted: Unit
    ends: tuple[float, float]
    stated: float
    asked: Asked
    is_share: bool
    is_unstated: bool = False
    noun: str = ""

    @classmethod
    def read(
        cls, gold: float | tuple[float, float], unit: str | None, tolerance: float | None, question: str | None
    ) -> Gold:
        """Of a gold answer as ``numeric_match`` takes it. Raises FinragError for an unknown unit."""
        is_unstated = not without_scale(unit)[0]
        is_year = is_unstated and may_be_year(gold) and bool(ASKS_YEAR.search(question or ""))
        wanted = Unit(YEAR) if is_year else parse_unit(unit)
        ends = tuple(end * wanted.scale for end in (gold if isinstance(gold, tuple) else (gold, gold)))
        stated = precision(gold, wanted) if tolerance is None else abs(tolerance) * wanted.scale
        asked = Asked.read(question, ends)
        if unit == PERCENT_OR_POINTS:
            asked = replace(asked, rate=True)
        is_share = wanted.name == TIMES or max(map(abs, ends)) < 1
        ends = tuple(sorted(map(abs, ends))) if asked.fall else ends
        noun = re.split(r"\sper\s", without_scale(unit)[0])[0] if wanted.name == NUMBER else ""
        return cls(wanted, ends, stated, asked, is_share, is_unstated and not is_year, noun)

    def amounts(self, answer: str, context_unit: str | None) -> list[Amount]:
        """What an answer states of the gold's kind. A count that looks like a year is read where it counts something or
        is all there is: "1990 stores", "1990", and not "in 1990"."""
        if self.wanted.name == YEAR:
            return parse_years(answer)
        amounts = parse_amounts(answer, context_unit)
        if self.wanted.name != NUMBER or not may_be_year(self.ends[0]):
            return amounts
        text = plain(answer)
        counts = [
            replace(year, unit=NUMBER, is_bare=True, is_unscaled=True)
            for year in parse_years(answer)
            if year.text.isdigit() and not TIME_LEAD.search(before(text, year.start))
            if THINGS.match(text[year.end :]) or not amounts
        ]
        return sorted([*amounts, *counts], key=lambda amount: amount.start)

    def is_counted(self, amount: Amount, text: str) -> bool:
        """Whether the gold's noun follows: "1,240 full-time employees"."""
        return bool(self.noun) and bool(re.match(rf"\s(?:[\w-]+\s)?{re.escape(self.noun)}\b", text[amount.end :], re.I))

    def counted(self, amount: Amount, text: str) -> Amount:
        """Beside the gold's noun a count says its scale: "618 barrels a day" are no thousands."""
        return replace(amount, is_bare=False) if amount.is_bare and self.is_counted(amount, text) else amount

    def of_its_noun(self, candidates: list[Amount], text: str) -> list[Amount]:
        """Without what counts another thing, where a figure counts the gold's: "2 million square feet in 8 centers"."""
        if not any(self.is_counted(amount, text) for amount in candidates):
            return candidates
        return [a for a in candidates if self.is_counted(a, text) or not THINGS.match(text[a.end :])]

    def readings(self, amount: Amount) -> list[Amount]:
        """The amount in the gold's unit, in every way that it can be read; none where it is of another."""
        readings = as_unit(amount, self.wanted, self.asked, self.is_share)
        if readings or not self.is_unstated or amount.unit in self.asked.other_units:
            return readings
        readings = [self.asked.signed(amount)]
        if amount.unit == POINTS and re.search(r"basis|bp", amount.text, re.I):  # 80 may be "80 basis points"
            readings.append(scaled(readings[0], 100.0))
        is_scalable = amount.unit == "shares" or amount.unit in CURRENCIES.values()
        if is_scalable and amount.is_unscaled and self.wanted.scale != 1.0:  # "$94" of an answer in millions
            readings.append(scaled(readings[0], self.wanted.scale))
        return readings


def numeric_match(
    gold: float | tuple[float, float],
    unit: str | None,
    tolerance: float | None,
    answer: str | float | None,
    context_unit: str | None = None,
    question: str | None = None,
    answer_unit: str | None = None,
) -> NumericMatch:
    """Whether an answer states the gold number.

    gold and tolerance (the evidence's precision; without one half of the gold's last digit) are in unit ("USD
    millions"); a gold range is (low, high). answer is a text, or a number in answer_unit (the gold's if None). The
    difference may be as large as the coarser of the evidence's and the answer's own precision, the latter up to
    MAX_ROUNDING_SHARE of the gold. The sign of words counts: "a net loss of $350 million" is -350. Where the question
    asks for a loss or a fall ("By how much did debt decrease?"), its size is the answer. A range answers only if both
    its ends do. question also says which year and which earnings per share are meant.

    Reasons of unmatched: scale_error (a power of 1,000 off), sign_error, percent_vs_points, unit_mismatch,
    range_too_wide, several_figures (hedged, none named final), compared_with (only what it compares with fits, or a
    change where a level is asked for), other_quantity (only figures of other quantities, parts, companies or
    fiscal years), buried (a match behind MAX_CANDIDATES others), outside_tolerance.
    """
    right = Gold.read(gold, unit, tolerance, question)
    wanted, ends, stated, asked = right.wanted, right.ends, right.stated, right.asked
    if answer is None or (isinstance(answer, str) and not answer.strip()):
        return NumericMatch("no_number", "no_answer")
    if not isinstance(answer, str):
        amounts, text = [field(answer, answer_unit, wanted)], ""
    else:
        answer = in_kilowatts(with_plain_ratios(unwrapped(answer), question or ""))
        amounts = right.amounts(answer, context_unit)
        text = plain(answer)
    if not amounts and ends == (0, 0) and says_none(answer, question or ""):
        return NumericMatch("matched", "within_tolerance", Amount(answer, 0, 0.0, wanted.name), 0.0)
    if not amounts:
        return NumericMatch("no_number", "no_number")
    amounts = [right.counted(asked.named_opposite(amount, text), text) for amount in amounts]
    is_count = wanted.name in (NUMBER, TIMES, "shares", *DURATIONS)
    possible = [a for a in amounts if is_count or not (a.is_bare and THINGS.match(text[a.end :]))]
    if BY_HOW_MUCH.search(question or ""):
        possible = [a for a in possible if not is_level(a, text, question or "")]
    readings = [(amount, reading) for amount in possible for reading in right.readings(amount)]
    candidates = right.of_its_noun(list(dict.fromkeys(amount for amount, _ in readings)), text)
    asked_for = of_what_is_asked(candidates, amounts, text, question)
    if candidates and not asked_for:
        return NumericMatch("unmatched", "other_quantity", candidates[0])
    if not candidates:
        points = {PERCENT, POINTS}
        other = wanted.name in points and any(amount.unit in points for amount in amounts)
        return NumericMatch("unmatched", "percent_vs_points" if other else "unit_mismatch", amounts[0])
    meant = meant_by(asked_for, amounts, text, question)
    matched = [pair for pair in readings if fits(pair[1], ends, stated)]
    summed = sums(meant)
    early = [pair for pair in matched if pair[0] in meant[:MAX_CANDIDATES] or pair[0] in summed]
    if early and (rival := hedged(early[0][0], meant, text)):
        return NumericMatch("unmatched", "several_figures", rival)
    if early:
        amount, reading = early[0]
        within = max(distances(reading, ends)) <= stated + slack(ends)
        reason = "within_tolerance" if within else "within_rounding"
        return NumericMatch("matched", reason, amount, reading.value - ends[0])
    if matched:
        buried = any(pair[0] in meant for pair in matched)
        return NumericMatch("unmatched", "buried" if buried else "compared_with", matched[0][0])
    amount, reading = min(readings, key=lambda pair: max(distances(pair[1], ends)))
    return NumericMatch("unmatched", fault(readings, ends, stated), amount, reading.value - ends[0])


def is_level(amount: Amount, text: str, question: str) -> bool:
    """Whether a figure is a level, where it is asked by how much it changed: what it rose to, or what it was."""
    lead = before(text, amount.start)
    is_more = amount.is_change or re.match(rf"[^.;]{{0,40}}\b(?:{COMPARATIVES})\b", text[amount.end :])
    said = None if is_more else LEVEL_SAID.search(lead)
    subject = said["subject"] if said and not ASKS_CHANGE.search(said["subject"]) else ""
    is_by_name = 0 < len(subject.split()) <= 3 and bool(quantities_of(subject) & quantities_of(question))
    return bool(RISEN_TO.search(lead)) or is_by_name or set() < words_of(subject) <= words_of(question)


def may_be_year(gold: float | tuple[float, float]) -> bool:
    """Whether a gold number looks like one of the years that texts are read for."""
    return not isinstance(gold, tuple) and float(gold).is_integer() and 1600 <= gold <= 2099


def other_units(question: str) -> frozenset[str]:
    """The units that a question rules out by its words; see Asked."""
    money = [unit for name in CURRENCIES.values() for unit in (name, f"{name} per share")]
    if COUNTS.search(question):
        return frozenset((*money, PERCENT, POINTS))
    return frozenset((*money, *DURATIONS, "shares")) if ASKS_PERCENT.search(question) else frozenset()


def with_plain_ratios(answer: str, question: str) -> str:
    """An answer that says fell for improved where a lower ratio is the better one."""
    if not LOWER_IS_BETTER.search(question) or re.search(r"\b(?:improv|worsen|deteriorat)", question, re.I):
        return answer
    answer = re.sub(r"\bimproved\b", "decreased", re.sub(r"\bimprovement\b", "decrease", answer))
    return re.sub(r"\b(?:worsened|deteriorated)\b", "increased", answer)


def precision(gold: float | tuple[float, float], unit: Unit) -> float:
    """Half of the last digit that the gold states, in base units; 0 for whole numbers of single things."""
    values = gold if isinstance(gold, tuple) else (gold,)
    places = max(decimals(value) for value in values)
    is_count = unit.name not in MEASURED and not unit.name.endswith("per share")
    if is_count and unit.scale == 1 and not places:
        return 0.0
    cap = MAX_ROUNDING_SHARE * max(map(abs, values)) * unit.scale
    return min(0.5 * 10.0**-places * unit.scale, cap)


def decimals(value: float) -> int:
    written = Decimal(repr(value)).normalize()
    return max(0, -int(written.as_tuple().exponent))


def field(value: float, unit: str | None, wanted: Unit) -> Amount:
    """The number of an answer's field as an amount: its digits say how far it is rounded."""
    given = wanted if unit is None else parse_unit(unit)
    name = wanted.name if given.name == NUMBER else given.name
    rounding = 0.5 * 10.0 ** -decimals(value) * given.scale if given.scale > 1 else 0.0
    return Amount(str(value), 0, value * given.scale, name, rounding)


def as_unit(amount: Amount, wanted: Unit, asked: Asked, is_share: bool = False) -> list[Amount]:
    """Readings of an amount in the wanted unit with the sign of its words: as written, and bare in the gold's scale.
    A share may be written as a percentage and the other way round: "25%" and 0.25, is_share says that the gold is one.
    """
    readings = []
    is_money = wanted.name in CURRENCIES.values()
    if (
        amount.unit == wanted.name
        or (amount.unit == NUMBER and not amount.is_bare and (is_money or wanted.name == "shares"))
        or (amount.is_bare and wanted.name not in (PERCENT, POINTS))
        # "$2.88" answers a question about a share, "$2.88 million" does not
        or (wanted.name == f"{amount.unit} per share" and abs(amount.value) < MOST_PER_SHARE)
        # "$3.46 per share" where "What is EPS?" has the gold $3.46
        or (amount.unit == f"{wanted.name} per share" and wanted.scale == 1.0 and asked.per_share)
    ):
        readings.append(amount)
    if {wanted.name, amount.unit} == {POINTS, PERCENT} and asked.rate:
        readings.append(amount)
    if amount.unit != wanted.name and {amount.unit, wanted.name} <= MONTHS.keys():
        readings.append(scaled(amount, MONTHS[amount.unit] / MONTHS[wanted.name]))
    if wanted.name == NUMBER and amount.unit == TIMES:
        readings.append(amount)
    if wanted.name in (NUMBER, TIMES) and amount.unit == PERCENT and is_share:
        readings.append(scaled(amount, 0.01))
    if wanted.name == PERCENT and amount.is_bare and abs(amount.value) < 1:
        readings.append(scaled(amount, 100.0))
    if (amount.is_bare and wanted.scale != 1.0) or (amount.is_bare and wanted.name in (PERCENT, POINTS)):
        readings.append(scaled(amount, wanted.scale))
    if asked.scale and amount.is_unscaled and is_money and amount.unit == wanted.name:
        readings.append(scaled(amount, asked.scale))  # "$1,577" of an answer in USD millions
    return [asked.signed(reading) for reading in readings]


def scaled(amount: Amount, factor: float) -> Amount:
    high = None if amount.high is None else amount.high * factor
    return replace(amount, value=amount.value * factor, high=high, rounding=amount.rounding * factor)


def negated(amount: Amount) -> Amount:
    if amount.high is None:
        return replace(amount, value=-amount.value)
    return replace(amount, value=-amount.high, high=-amount.value)


def distances(amount: Amount, ends: tuple[float, float]) -> tuple[float, float]:
    """Of the lower and the upper end."""
    return abs(amount.value - ends[0]), abs((amount.value if amount.high is None else amount.high) - ends[1])


def fits(amount: Amount, ends: tuple[float, float], stated: float) -> bool:
    """Within the coarser of the evidence's precision and the answer's, the answer's down to its floor."""
    own = 0.0 if amount.high is not None and ends[0] == ends[1] else amount.rounding  # a range is no rounding
    floor = MAX_ROUNDING_SHARE * max(map(abs, ends))
    allowed = max(stated, own if own <= floor else min(own, MAX_COARSE_SHARE * max(map(abs, ends))))
    return max(distances(amount, ends)) <= allowed + slack(ends)


def states(gold: Amount, amount: Amount) -> bool:
    """Whether one amount of a text states another: in its unit and scale, within its last digit, as in numeric_match.
    Of a fall that words around one of them tell nothing is known."""
    value = gold.value if gold.high is None else (gold.value, gold.high)
    right = Gold.read(value, gold.unit, gold.rounding if gold.unit in MEASURED else None, None)
    return any(fits(reading, right.ends, right.stated) for reading in right.readings(replace(amount, direction=0)))


def fault(readings: Sequence[tuple[Amount, Amount]], ends: tuple[float, float], stated: float) -> str:
    """Why no reading fits, the most telling reason first."""
    for _, reading in readings:
        if any(fits(scaled(reading, factor), ends, stated) for factor in (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)):
            return "scale_error"
    if any(fits(negated(reading), ends, stated) for _, reading in readings):
        return "sign_error"
    if any(
        reading.high is not None and reading.value <= ends[0] and ends[1] <= reading.high for _, reading in readings
    ):
        return "range_too_wide"
    return "outside_tolerance"


__all__ = [
    "Amount",
    "FinragError",
    "NumericMatch",
    "Unit",
    "numeric_match",
    "parse_amounts",
    "parse_unit",
    "parse_years",
    "states",
]
