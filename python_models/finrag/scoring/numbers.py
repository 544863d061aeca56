"""Whether an answer states a numeric gold answer: which of its figures is the answer, and whether that one is right."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from finrag.errors import FinragError
from finrag.scoring.quantities import of_what_is_asked
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
from finrag.text.directions import COMPARATIVES, ENDING, FALLS, FELL, RISES, ROSE
from finrag.text.plain_text import SCALES, plain
from finrag.text.stems import stem
from finrag.text.vocabulary import BE, COMPARISONS, DO, HAVE, PLACES, PREPOSITIONS
from finrag.text.vocabulary import TIMES as TIME_WORDS
from finrag.text.words import before, content_words, unwrapped
from finrag.text.years import BESIDE_YEAR, YEAR_DIGITS
from finrag.text.yes_no import says_none

# An answer that lists figures until one fits is no answer: the match has to be among its first three of the unit.
MAX_CANDIDATES = 3
# The floor under an answer's own precision: half of its last digit is 5% of the gold at most, two significant digits.
# "$2.4 billion" and "$2.41 billion" state 2,406.7 million; "$2 billion" does not.
MAX_ROUNDING_SHARE = 0.05
# A coarser figure counts where it happens to be this close: "about $80 million" states 80.9 million.
MAX_COARSE_SHARE = 0.02
MOST_PER_SHARE = 1000.0
# Binary fractions: 0.1 + 0.2 differs from 0.3 by 4e-17. Far below any digit that a filing states.
RELATIVE_EPSILON = 1e-9
MONTHS = {"years": 12, "quarters": 3, "months": 1}
# Measured, so that the last digit is a rounding; counts and years are exact.
MEASURED = (PERCENT, POINTS, *CURRENCIES.values())

FINAL = re.compile(
    r"\b(?:final\s(?:answer|figure|result)|answer(?=\s*(?:is|:))|correction|to\scorrect|more\sprecisely"
    r"|(?:so|thus|therefore|hence),?\s(?:the|its)\s(?:total|answer|result|change|figure|correct\w*)|the\stotal\s(?:is|was|comes)"
    r"|in\stotal(?!\s[a-z])|altogether|i\.e\.|equals|(?:adds?|sums?)\s(?:up\s)?to|adding\s[\w\s]{2,20}\s(?:gives|yields|makes)"
    r"|for\sa\stotal\sof|leaving\s(?:an?|the)?\s?(?:\w+\s){0,2}(?:balance|total|net)\s(?:\w+\s)?of)|(?<=[\d)%a-z])\s?[=≈]",
    re.I,
)
NAMES_ANSWER = re.compile(r"final|answer|(?:to\s)?correct|more|so|thus|therefore|hence|i\.e\.", re.I)
PART_OF = re.compile(r"\s(?:out\s)?of\s(?:[\w'’-]+\s){0,5}", re.I)  # "$1.3 billion of its $4.6 billion in 2022"
SUMMED_UP = re.compile(r"[,(-]\s?(?:or\s|representing\s)?an?\s(?:[\w-]+\s){1,3}of\s(?:\w+ly\s|about\s)?$", re.I)
TOTAL_ROW = re.compile(r"^\W*total\b[^\n]*", re.I | re.M)  # of a table
# What a sentence concludes with, if the words before the figure are the question's but for one.
THEREFORE = re.compile(r",\s(?:so|thus|therefore|resulting\sin|yielding|giving|for)\b", re.I)
# Weaker: a sentence that concludes names a figure final, unless it is a change where a level is asked for.
CONCLUDING = re.compile(
    r"(?:^|[.!\n]\s*)(?:so|thus|therefore|hence|consequently|accordingly|in\s(?:short|summary|conclusion)|overall)\b,?",
    re.I,
)
HEDGE = re.compile(r"\b(?:either|or|maybe|possibly|perhaps|might|could|alternatively|others)\b", re.I)
# "Revenue rose 9%, or 11% at constant currency": one thing told twice, as reported first.
ON_ANOTHER_BASIS = re.compile(
    r"[\s*]*(?:excluding|before|adjusted|organically|(?:net|exclusive) of|without|on an? (?:[\w-]+ ){1,3}basis"
    r"|(?:at|in) (?:constant|local)|(?:with|when) [^.;]{0,40}\b(?:excluded|removed|(?:taken|left|stripped) out))\b",
    re.I,
)
# What follows is there to compare with, and no answer; unless the question asks for its year.
COMPARISON = re.compile(
    r"(?:\b(?:not|rather\sthan|instead\sof|from|compared\s(?:to|with)|versus|vs\.?|against|than|relative\sto|(?:prior|previous|preceding)[\s-]year(?:['’]s)?"
    r"(?:\s\w+){0,2})|n['’]t)\s(?:about\s|approximately\s|an?\s|\w+\s(?:loss|income|profit)\s(?:of\s)?)*[$€£(-]*$",
    re.I,
)
# "no more than 3.75 times" states a limit.
LIMIT = re.compile(r"\b(?:no|not)\s(?:more|less|greater|higher|lower|fewer)\sthan\s[$€£(]*$", re.I)
# "82% is not" of what is asked for.
IS_NOT = re.compile(r"\s*(?:is|are|was|were|do|does|did)(?:\snot|n['’]t)\b(?=\W*$|[.,;]|\s(?:so|and)\b)", re.I)
GO = r"(?:go(?:es|ne|ing)?|went|c[oa]me|coming|edged?|ticked)(?: \w+)?"
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
ASKS_CHANGE = re.compile(
    r"\b(?:chang|differ|effect|impact|affect|contribut|sav|exceed|surpass|outpac|climb|jump|slid|swell)\w*"
    rf"|\b(?:{RISES}|{FALLS}|(?:{ROSE}|{FELL}|slip|plung|surg|widen|narrow){ENDING})"
    r"|\bnet\s(?:new|additions?)\b|(?<!value[- ])\badded\b|\bhow\s(?:far|did)\b[^?]*\bmove[ds]?\b"
    rf"|\b(?:{COMPARATIVES}|bigger|{GO} (?:up|down))\b",
    re.I,
)
# A rate stated in basis points is a percentage too; a change of one is not.
ASKS_RATE = re.compile(
    r"\bspread\b|\b(?:applicable|interest)\s(?:margin|rate)|\b(?:over|above|plus)\s(?:the\s)?(?:\w+\s)?(?:SOFR|LIBOR|EURIBOR|prime|treasur)"
    r"|\bcoupon\b|\b(?:commitment|facility)\sfee|\bcharge-?offs?\b|\bcost\sof\s(?:funds|deposits)\b|\bexpense\sratio\b",
    re.I,
)
# Two nouns that are one thing: "research and development", "cash and cash equivalents".
EVIDENCE = re.compile(
    r"^\W*(?:(?:supporting|key|relevant|source)\s)?(?:evidence|quotes?|quotations?|excerpts?|sources?|citations?|context|references?)\s*(?::|\W*$)",
    re.I | re.M,
)
ASKS_SHARE = re.compile(
    r"\b(?:percent(?:age)?|share|portion|proportion|fraction)\sof\b|\b(?:margin|tax\srate|ratio|yield|return\son\s\w+)\b",
    re.I,
)
YEARLY = re.compile(
    r"(?:\sper\sshare)?,?\s(?:for\sthe\s(?:full\s|whole\s|entire\s)?year|annually|a\syear|per\syear|per\sannum|in\stotal|on\san\sannual)\b",
    re.I,
)
LOWER_IS_BETTER = re.compile(r"\b(?:combined|efficiency|expense|loss|operating|leverage|cost-to-income)\sratio\b", re.I)
OUT_OF = re.compile(r"\s(?:out\s)?of\s(?:its\s|the\s|a\stotal\s(?:of\s)?)?", re.I)
ONE_OF_BOTH = re.compile(
    r"\bit(?:\sis|['’]s|\scould\sbe)\s(?:either|one\sor\sthe\sother|one\sof\sthe(?:se)?)\b|\b(?:cannot|can['’]t|can\snot)\s(?:tell|say)\swhich",
    re.I,
)
ONE_NOUN = re.compile(
    r"\b(?:research\sand\sdevelopment|general\sand\sadministrative|cash\sand\scash|property\sand\s(?:equipment|casualty)"
    r"|plant\sand\sequipment|depreciation\sand\samorti[sz]ation|salaries\sand\s\w+|sales\sand\smarketing|property,\splant\sand)\b",
    re.I,
)
# "in 2023, compared with 2022"
COMPARED_YEAR = re.compile(
    rf"\b(?:compared\s(?:to|with)|versus|vs\.?|relative\sto|against|than(?:\sin)?)\s(?:(?:fiscal|the|year|in)\s){{0,3}}(?:FY\s?)?{YEAR_DIGITS}\b",
    re.I,
)
LINE_OF_YEAR = re.compile(rf"^\W*(?:FY\s?|fiscal\s(?:year\s)?)?({YEAR_DIGITS})\b(?=\W)", re.I)
OTHER_CLAUSE = re.compile(rf"[;:|]|\b(?:{COMPARISONS}|and|or|but|while|whereas|up|down|compared)\b", re.I)
# "412.5 clients" is no money.
THINGS = re.compile(
    r"\s(?!(?:as|is|was|has|represents|includes|reflects|comes|equals|exceeds|versus|plus|less|times)\b)[a-z]{3,}s\b"
)
HOW_MANY = re.compile(
    r"\b(?:how many|(?:the )?(?:total )?number of)\s"
    rf"(?P<noun>(?:(?!(?:{DO}|{BE}|{HAVE}|in|at|of|the)\b)[\w-]+\s?){{1,5}})",
    re.I,
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
COUNTED_WORDS = re.compile(r"(?:\s+(?!(?:and|or)\b)(?:(?:[A-Z]\.)+|[a-z-]+)){1,4}", re.I)
# "rose to $310 million" is no answer to by how much.
BY_HOW_MUCH = re.compile(r"\bby (?:how much|what (?:amount|percent\w*))\b", re.I)
RISEN_TO = re.compile(
    r"\b(?:rose|risen|increas(?:ed|ing)|gr(?:ew|own)|fell|fallen|declin(?:ed|ing)|decreas(?:ed|ing)|dropp(?:ed|ing)|climbed)"
    r"\sto\s(?:\w+ly\s|about\s)?[$€£(]*$",
    re.I,
)
YEAR_BEFORE = re.compile(
    r"\s(?:(?!and\b)[a-z]+\s){0,3}?(?:year\s(?:before|earlier|ago)|(?:prior|previous|preceding)[\s-](?:fiscal\s)?year)\b",
    re.I,
)
QUARTER = re.compile(r"\bquarter(?:ly|s)?\b|\bQ[1-4]\b", re.I)
OF_QUARTER = re.compile(
    r"\s*(?:in|for|during|of)\s(?:the\s)?(?:(?:first|second|third|fourth|final|last|most\srecent)\squarter|Q[1-4])\b",
    re.I,
)
BRACKETS = re.compile(r"\([^()]{0,400}\)")
CITED = re.compile(r"\[[^\]\[]{0,80}\]|【[^】]{0,80}】")
IN_TURN = re.compile(r"(?P<more>\s+and\s+[$€£]?\d[\d.,]*\w*)?[^.;\n\d]{0,30}\brespectively\b", re.I)
SHARE_KIND = re.compile(r"\b(basic|diluted)\b", re.I)


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
        """With the direction of a loss where its clause names it by the word in the question's brackets."""
        if self.opposite is None or amount.direction < 0 or amount.is_change:
            return amount
        clause = re.split(r"[.;,(]\s?|\d", before(text, amount.start))[-1] + re.split(r"[.;,]", text[amount.end :])[0]
        named = re.search(rf"\b{re.escape(self.opposite)}\b", clause, re.I)
        return replace(amount, direction=-1) if named and f"({self.opposite}" not in clause else amount

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
    change where a level is asked for), other_quantity (only figures of other quantities, parts or fiscal years),
    buried (a match behind MAX_CANDIDATES others), outside_tolerance.
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
        possible = [a for a in possible if not RISEN_TO.search(before(text, a.start))]
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
    early = [pair for pair in matched if pair[0] in meant[:MAX_CANDIDATES]]
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


def meant_by(candidates: Sequence[Amount], amounts: Sequence[Amount], text: str, question: str | None) -> list[Amount]:
    """The figures of the wanted unit that the answer gives: those named final, else those of the question's year, else
    all but what it compares with.
    """
    kinds = {kind.lower() for kind in SHARE_KIND.findall(question or "")}
    if len(kinds) == 1:
        of_kind = [amount for amount in candidates if kind_of(amount, text) in (None, *kinds)]
        candidates = of_kind or candidates
    candidates = of_the_year(without_operands(candidates, amounts, text), text, question)
    candidates = of_what_is_counted(candidates, text, question)
    evidence = EVIDENCE.search(text)
    if evidence and (said := [amount for amount in candidates if amount.start < evidence.start()]):
        candidates = said
    row = TOTAL_ROW.search(text) if re.search(r"\btotal\b", question or "", re.I) else None
    if row and (of_row := [amount for amount in candidates if row.start() <= amount.start < row.end()]):
        return of_row
    for marker in reversed(list(FINAL.finditer(text))):
        if marker[0].lower() in ("in total", "altogether"):  # "$1.85B in total: $1.2B of notes and $0.65B of loans"
            summed = [amount for amount in candidates if amount.end <= marker.start()][-1:]
            if summed and not text[summed[0].end : marker.start()].strip(" ,"):
                return summed
        final = [amount for amount in candidates if amount.start >= marker.end()]
        first = next((amount for amount in amounts if amount.start >= marker.end()), None)
        if final and (first in candidates or NAMES_ANSWER.match(marker[0])):  # "for a total of $4 million; 2 shares"
            return final
    if ASKS_SHARE.search(question or "") and not ASKS_CHANGE.search(question):
        candidates = [amount for amount in candidates if not amount.is_change]
    is_of_percent = any(amount.unit in (PERCENT, POINTS) for amount in candidates)
    if question and not ASKS_CHANGE.search(question) and not is_of_percent:
        candidates = [amount for amount in candidates if not amount.is_change]
    for marker in CONCLUDING.finditer(text):
        if final := [amount for amount in candidates if amount.start >= marker.end()]:
            return final
    for marker in THEREFORE.finditer(text):
        first = next((amount for amount in candidates if amount.start >= marker.end()), None)
        lead = text[marker.end() : first.start] if first else "."
        if not re.search(r"[\d.;]|\b(?:would|could)\b", lead) and len(stems(lead) - stems(question or "")) <= 1:
            return [first]
    asked = {year.value for year in parse_years(COMPARED_YEAR.sub(" ", question or ""))}
    if len(asked) == 1:
        # "1,127 at the end of 2022, versus 1,089 the year before"
        candidates = [a for a in candidates if not YEAR_BEFORE.match(text[a.end :])] or candidates
        years = years_beside(amounts, text)
        asks_change = bool(ASKS_CHANGE.search(question or ""))
        of_year = [a for a in candidates if years[a] in asked or (asks_change and is_summed_up(a, years[a], text))]
        if of_year:
            return [amount for amount in of_year if not is_compared(amount, text)] or of_year
        candidates = [amount for amount in candidates if years[amount] is None] or list(candidates)
    return [amount for amount in candidates if not is_compared(amount, text)] or list(candidates)


def stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def is_summed_up(amount: Amount, year: float | None, text: str) -> bool:
    """Whether a change is of no year or sums up both before it: "$5 million in 2018 and $4 in 2017, a rise of $1"."""
    return amount.is_change and (year is None or bool(SUMMED_UP.search(before(text, amount.start))))


def without_operands(candidates: Sequence[Amount], amounts: Sequence[Amount], text: str) -> list[Amount]:
    """Without what a bracket calculates with: "$2,950 million ($1,577 million + $1,373 million)", or adds up to another
    figure: "the three segments ($2,100.4M, $1,450.0M and $768.2M)"."""
    operands = {
        amount
        for left, right in itertools.pairwise(amounts)
        if left.unit == right.unit and re.fullmatch(r"\s[-+×*/÷]\s", text[left.end : right.start])
        if text.rfind("(", 0, left.start + 1) > text.rfind(")", 0, left.start)
        for amount in (left, right)
    }
    for bracket in BRACKETS.finditer(text):
        inside = [amount for amount in amounts if bracket.start() <= amount.start and amount.end <= bracket.end()]
        gaps = [text[left.end : right.start].strip() for left, right in itertools.pairwise(inside)]
        if gaps and {*gaps} <= {",", "and", ", and", "+", "plus"}:
            total, rounding = sum(each.value for each in inside), sum(each.rounding for each in inside)
            others = (each for each in candidates if each not in inside and each.unit == inside[0].unit)
            if any(abs(each.value - total) <= each.rounding + rounding + slack((total, each.value)) for each in others):
                operands |= {*inside}
    return [amount for amount in candidates if amount not in operands] or list(candidates)


def of_the_year(candidates: Sequence[Amount], text: str, question: str | None) -> list[Amount]:
    """Without figures of a quarter beside others, where the question names none: "$4 million in the fourth quarter and
    $15 million for the full year"."""
    if QUARTER.search(question or ""):
        return list(candidates)

    def is_quarters(amount: Amount) -> bool:
        clause = re.split(r"[.;,\n]\s|\d|\b(?:and|but|while)\b", before(text, amount.start))[-1]
        return bool(OF_QUARTER.match(text[amount.end :]) or QUARTER.search(clause))

    return [amount for amount in candidates if not is_quarters(amount)] or list(candidates)


def of_what_is_counted(candidates: Sequence[Amount], text: str, question: str | None) -> list[Amount]:
    """Of "265 hospitals and 256 surgery centers" the one that counts what the question asks for."""
    asked = HOW_MANY.search(question or "")
    if not asked or len(candidates) < 2:
        return list(candidates)
    wanted = asked["noun"].lower().replace(".", "").split()
    for one, whole in itertools.pairwise(candidates):
        if OUT_OF.fullmatch(text[one.end : whole.start]):
            return [one]
    spans = {a: match[0] if (match := COUNTED_WORDS.match(text[a.end :])) else "" for a in candidates}
    shared = {a: {*wanted} & {*span.lower().replace(".", "").split()} for a, span in spans.items()}
    if len(wanted) > 1 and (whole := [a for a in candidates if shared[a] == {*wanted}]):
        return whole  # "3.1 million electric customers, 4.3 million in total"
    if not all(span and not re.match(r"\s+(?:of|in|at|were|are)\b", span) for span in spans.values()):
        return list(candidates)
    counted = [a for a in candidates if wanted[-1] in shared[a]] or list(candidates)
    most = max(len(shared[a]) for a in counted)
    return [a for a in counted if len(shared[a]) == most]


def kind_of(amount: Amount, text: str) -> str | None:
    """Of earnings per share: "$2.41 basic", else the last one named before the amount."""
    if after := re.match(r"\s\(?(basic|diluted)\b(?!:|\s(?:EPS|earnings|was|is))", text[amount.end :], re.I):
        return after[1].lower()
    found = SHARE_KIND.findall(re.split(r"[;\n]|\.\s", before(text, amount.start))[-1])
    if len(found) == 2 and (pair := IN_TURN.match(text[amount.end :])):  # "basic and diluted EPS were $2 and $1.9"
        return found[0 if pair["more"] else 1].lower()
    return found[-1].lower() if found else None


def is_compared(amount: Amount, text: str) -> bool:
    lead = before(text, amount.start)
    is_beside = COMPARISON.search(lead) and not LIMIT.search(lead)
    return bool(is_beside or IS_NOT.match(text[amount.end :]))


def years_beside(amounts: Sequence[Amount], text: str) -> dict[Amount, float | None]:
    """The year that each amount is given for: that of its column in a table; else the next one of its clause, the last
    one before it without an amount between, the next one of its sentence, or the last one of its sentence.
    "$5 and $6 million in 2018 and 2019, respectively" go in turn.
    """
    columns = years_of_columns(text)
    cited = [place.span() for place in CITED.finditer(text)]
    all_years = parse_years(text)
    year_starts, amount_starts = [y.start for y in all_years], [amount.start for amount in amounts]
    is_cited = {y.start for y in all_years if any(start < y.start < end for start, end in cited)}
    found: dict[Amount, float | None] = {}
    taken: set[int] = set()  # years that stand for the amount before them
    for place, amount in enumerate(amounts):
        line_end = min(
            (text.find(mark, amount.end) for mark in ("\n", ". ") if text.find(mark, amount.end) >= 0),
            default=len(text),
        )
        line_start = max(text.rfind(mark, 0, amount.start) for mark in ("\n", ". "))
        every = all_years[bisect_left(year_starts, line_start) : bisect_left(year_starts, line_end)]
        years = [y for y in every if y.start not in is_cited]
        following = amounts[place + 1].start if place + 1 < len(amounts) else len(text)
        last_end = amounts[place - 1].end if place else 0
        after = [y for y in years if amount.end <= y.start < min(following, line_end)]
        after = [y for y in after if not re.match(r"\s*:", text[y.end :])]
        beside = [
            y
            for y in after
            if is_label(text[amount.end : y.start]) or ends_clause(text[amount.end : following], y.start - amount.end)
        ]
        earlier = [y for y in years if y.start < amount.start]
        adjacent = [y for y in earlier if y.start >= last_end and (y.start not in taken or not after)]
        taken |= {y.start for y in beside[:1]}
        loose = [y for y in after if not OTHER_CLAUSE.search(text[amount.end : y.start])]
        meant = beside[:1] or adjacent[-1:] or loose[:1] or earlier[-1:]
        row_start = text.rfind("\n", 0, amount.start) + 1
        column = text.count("|", row_start, amount.start)
        found[amount] = columns.get(row_start, {}).get(column) or (meant[0].value if meant else None)
        if found[amount] is None:  # of a citation, which holds for its whole sentence
            found[amount] = next((y.value for y in every if y.start in is_cited and y.start >= amount.end), None)
        row = LINE_OF_YEAR.match(text[row_start : amount.start])
        if row and found[amount] is None:
            found[amount] = float(row[1])  # "- 2019: assets $13.3B | net income $567M"
        if place and found[amounts[place - 1]] is None and PART_OF.fullmatch(text[last_end : amount.start]):
            found[amounts[place - 1]] = found[amount]
        if "respectively" in text[amount.end : line_end]:
            beside_it = amounts[bisect_left(amount_starts, line_start) : bisect_left(amount_starts, line_end)]
            alike = [a for a in beside_it if a.unit == amount.unit]
            labels = [y.value for y in years]
            if len(alike) == len(labels):
                found[amount] = labels[alike.index(amount)]
    return found


def years_of_columns(text: str) -> dict[int, dict[int, float]]:
    """By the start of each row of a markdown table: the year that heads a column, by the column's number."""
    found: dict[int, dict[int, float]] = {}
    heads: dict[int, float] = {}
    start = 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("|"):
            found[start] = heads
            stated = {column: parse_years(cell) for column, cell in enumerate(line.split("|"))}
            heads = heads | {column: years[0].value for column, years in stated.items() if len(years) == 1}
        else:
            heads = {}
        start += len(line)
    return found


def is_label(gap: str) -> bool:
    """Whether a year after these words belongs to the amount before them: "(2019)", " in fiscal 2019", " for 2019"."""
    return bool(
        re.fullmatch(
            rf"[\s(\[]*(?:(?:{BESIDE_YEAR})\W+){{0,5}}",
            f"{gap} ",
            re.I,
        )
    )


def ends_clause(gap: str, place: int) -> bool:
    """Whether the year at a place between two amounts belongs to the first: "of cash in 2019 and spent"."""
    words = ONE_NOUN.sub(lambda match: "x" * len(match[0]), gap[:place])
    lead = re.fullmatch(r"(?:\s(?!(?:and|or|but|while|to|from|up|down)\b)[\w'’-]+){1,8}\s", words)
    tail = re.match(r"(?:,|;|\)|\s(?:and|while|but|compared|versus|whereas))\s", gap[place + 4 :])
    return bool(lead and tail)


def hedged(match: Amount, meant: Sequence[Amount], text: str) -> Amount | None:
    """Another figure that the answer holds as likely: "$2.1 or $2.4 billion", "it might be $2.2 billion, possibly"."""
    if ONE_OF_BOTH.search(text) and (other := next((a for a in meant if a.value != match.value), None)):
        return other
    for left, right in itertools.pairwise(meant):
        lead = re.split(r"[.;]\s|\n", before(text, left.start))[-1]
        is_share = right.unit == PERCENT and "%" in right.text and "%" not in left.text and abs(left.value) < 1
        value = left.value * (100 if is_share else 1)  # "0.125 or 12.5%"
        is_one = abs(value - right.value) <= left.rounding + right.rounding + slack((value, right.value))
        gap = text[left.end : right.start]
        is_list = gap.strip() in (",", "and", ", and") and not re.match(r"\W*(?:out )?of\b", lead, re.I)
        is_yearly = YEARLY.match(text[right.end :]) and not YEARLY.match(text[left.end :])  # of quarterly figures
        is_adjusted = ON_ANOTHER_BASIS.match(text[right.end :]) and not ON_ANOTHER_BASIS.match(text[left.end :])
        is_hedged = not (is_yearly or is_adjusted) and bool(HEDGE.search(gap)) and not re.search(r"\d", gap)
        if (
            left.unit == right.unit
            and not is_one
            and (is_hedged or is_list or re.search(r"\b(?:either|might|could|maybe)\b", lead, re.I))
        ):
            return right if match is left else left
    return None


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


def slack(ends: tuple[float, float]) -> float:
    return RELATIVE_EPSILON * max(map(abs, ends))


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
