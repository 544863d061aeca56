"""Numbers in answers: parsed to base units and compared with a numeric gold answer.

Base units as in bundles.int_kpi_amounts: dollars (or the currency), shares, per share, percent (18.0 for 18%). Basis
points and percentage points are `percentage points` here, never `%`: a margin that rises 2 points from 40% rises 5%.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from finrag.errors import FinragError

# An answer that lists figures until one fits is no answer: the match has to be among its first three of the unit.
MAX_CANDIDATES = 3
# Without a stated tolerance an answer may be rounded, to two significant digits at the coarsest: those are within 5%.
MAX_ROUNDING_SHARE = 0.05
# Binary fractions: 0.1 + 0.2 differs from 0.3 by 4e-17. Far below any digit that a filing states.
RELATIVE_EPSILON = 1e-9

POINTS, PERCENT, NUMBER, TIMES, YEAR = "percentage points", "%", "number", "times", "calendar year"
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SUFFIXES = {"k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}
CURRENCIES = {
    "$": "USD", "us$": "USD", "u.s.$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR",
    "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY",
    "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD", "aud": "AUD", "hk$": "HKD", "chf": "CHF", "rmb": "CNY",
    "cny": "CNY", "yuan": "CNY", "₹": "INR", "inr": "INR",
}  # fmt: skip
ONES = (
    *"zero one two three four five six seven eight nine".split(),
    *"ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORD_VALUES = {word: value for value, word in enumerate(ONES)} | {
    word: 10 * value for value, word in enumerate(TENS, start=2)
}

ONE_WORD = rf"(?:(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(ONES[1:10])}))?|{'|'.join(ONES)})"
DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
CODES = "(?:USD|EUR|GBP|JPY|CAD|AUD|CHF|RMB|CNY|INR)"
SIGNS = rf"(?:(?:US|U\.S\.|CA|C|A|HK)?\$|[€£¥₹]|\b{CODES}(?![A-Za-z]))"
AMOUNT = re.compile(
    rf"""
    (?P<open>\()?
    (?P<sign>(?<![\w)%.])-)?
    (?P<currency>{SIGNS})?\s?
    (?P<inner>\()?(?P<inner_sign>(?<![\w)%.])-)?
    (?:(?P<digits>(?:(?<![\w.,/])|(?<={CODES})){DIGITS})|\b(?P<words>{ONE_WORD})\b)
    (?P<inner_close>\))?
    (?:(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion)s?\b)|(?P<suffix>\s?(?:mm|mn|bn|tn)\b|[kmbtKMBT]\b|\s[MB]\b))?
    (?:
        \s?-?\s?(?P<points>percentage[\s-]points?|ppts?\b|pp\b|p\.p\.|points?\b)
      | \s?(?P<percent>%\s?(?P<percent_points>points?\b|pts?\b)?|per\s?cent\b|pct\b)
      | \s?-?(?P<basis>basis[\s-]points?\b|bps?\b)
      | \s?(?P<times>x\b|times\b|:\s?1(?:\.0+)?\b|\sto\s1(?:\.0+)?(?![.,]?\d))
      | \s(?P<money>(?:U\.?S\.?\s)?dollars?|euros?|pounds|yen|yuan)\b
      | \s?(?P<cents>cents?|¢)
    )?
    (?P<close>\))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
PER_SHARE = re.compile(
    r"^\)?\s*(?:per|a|/)\s?(?:(?:common|ordinary|basic|diluted|fully|and|or|class|[a-c]|ads)\s){0,5}(?:share|ads)\b",
    re.I,
)
PER_SHARE_BEFORE = re.compile(r"\b(?:earnings|income|loss|dividends?) per (?:\w+ ){0,3}share\b|\bEPS\b", re.I)
SHARES = re.compile(
    r"^\)?\s(?:(?:common|ordinary|preferred|restricted|class|[a-c]|outstanding|additional|basic|diluted|of|our|its|the)\s){0,4}"
    r"shares?\b",
    re.I,
)
DURATION = re.compile(
    r"^[\s-](?:(?:fiscal|calendar|consecutive|business|full)\s)?(year|month|week|day|hour|quarter)s?\b", re.I
)
APPROXIMATE = re.compile(
    r"(?:\b(?:approximately|about|around|roughly|nearly|almost|some|circa|approx\.?|over|under|more than|less than"
    r"|up to)|~|≈)\s?$",
    re.I,
)
# What has digits and is no amount: sentence ids, citations, dates, references to parts of a filing, forms, versions.
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
NOT_AMOUNTS = re.compile(
    rf"""
    \b\d{{10}}_\S+  # sentence ids
  | \[[^\]\[$%]{{0,80}}\]  # [1], [WMT, FY 2019, Item 7: MD&A]
  | \b{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?=\W|$) | \b\d{{1,2}}\s(?:{MONTH})(?=\s|,|$)
  | \b(?:items?|notes?|sections?|pages?|exhibits?|rules?|topics?|parts?|forms?|tables?|levels?|tiers?|phases?|class
      |series|questions?|chapters?|asu|asc|sfas|fas|ifrs)\s(?:nos?\.\s?)?\d[\w.-]*(?:\([a-z0-9]\))*
  | \b401\s?\(?k\)? | (?<![$€£\d.,])3M\b | \b(?:S&P|Fortune|Russell|Windows)\s\d+\b
  | \b(?:10|8|20)-[KQF](?:/A)?\b | \bQ[1-4]\b | \bH[12]\b | \bF[YQ]\s?-?\d\d\b
  | \b[A-Za-z]+-\d+\b | \b\d+(?:st|nd|rd|th)\b
  | (?:^|\n)\s*(?:\#+\s*)?\d{{1,2}}[.)]\s(?=\D)  # 1. of a list
    """,
    re.VERBOSE | re.IGNORECASE,
)
DURATIONS = ("years", "months", "weeks", "days", "hours", "quarters")
YEARS = re.compile(r"(?:19|20)\d\d")
CONTEXT = re.compile(
    r"\bin\s(?:US\s?|U\.S\.\s)?(?:\$\s?)?(?:dollars\sin\s)?(thousand|million|billion)s\b(?!\s(?:of|more))",
    re.I,
)
NEGATIVE_BEFORE = re.compile(
    r"\b(?:loss(?:es)?|deficit|negative|minus|decreas\w+|declin\w+|fell|fall|drop\w*|down|lower|reduc\w+|outflow"
    r"|used(?:\sin)?|contract\w+|shortfall)\b[^.;:%$\d]{0,60}$",
    re.I,
)
LEVEL_CHANGE = re.compile(
    r"\b(?:increas|decreas|grew|fell|rose|declin|went|chang|dropp|improv|expand|mov)\w*\b[^.;]{0,60}\bfrom\s$", re.I
)
RANGE_WORDS = {"to", "-", "through"}
CONNECTORS = {*RANGE_WORDS, "and", "or", ","}


@dataclass(frozen=True)
class Unit:
    """name in base units; one of the unit as written is scale of them (1e6 for "USD millions")."""

    name: str
    scale: float = 1.0


@dataclass(frozen=True)
class Amount:
    """One number of a text. value and rounding (half its last digit's place) are in base units of unit.

    A range has its ends in value and high. may_be_negative: a word such as loss or decrease stands before it.
    is_bare: neither unit nor scale is written, so that the unit of the question may be meant.
    """

    text: str
    start: int
    value: float
    unit: str
    rounding: float = 0.0
    high: float | None = None
    is_approximate: bool = False
    may_be_negative: bool = False
    is_bare: bool = False


@dataclass(frozen=True)
class NumericMatch:
    """verdict: matched, unmatched or no_number. amount is the one that decided; difference in base units."""

    verdict: str
    reason: str
    amount: Amount | None = None
    difference: float | None = None


def parse_unit(text: str | None) -> Unit:
    """Unit of a gold answer: USD, "USD millions", "$ in thousands", %, percent, percentage points, bps, shares,
    "million shares", "USD per share", x, times, year, years, number or nothing. FinragError for another.
    """
    words = clean(text or "").lower()
    scale = 1.0
    for name, factor in SCALES.items():
        words, count = re.subn(rf"\b(?:in\s)?{name}s?\b(?:\sof\b)?", " ", words)
        scale *= factor if count else 1.0
    words = " ".join(re.sub(r"[()]", " ", words).split())
    currency = next((CURRENCIES[part] for part in re.split(r"[\s/]+", words) if part in CURRENCIES), None)
    if re.search(r"\bper\b.*\bshare\b|/\s?share|\beps\b", words):
        return Unit(f"{currency or 'USD'} per share", scale)
    if currency and re.fullmatch(r"\S+(?:\sdollars)?", words):
        return Unit(currency, scale)
    names = {
        "": NUMBER, "number": NUMBER, "count": NUMBER, "employees": NUMBER, "ratio": NUMBER, "%": PERCENT,
        "percent": PERCENT, "per cent": PERCENT, "pct": PERCENT, "percentage": PERCENT, "percentage points": POINTS,
        "percentage point": POINTS, "pp": POINTS, "points": POINTS, "x": TIMES, "times": TIMES, "share": "shares",
        "shares": "shares", "year": YEAR, "calendar year": YEAR, "fiscal year": YEAR, "yyyy": YEAR,
        "years": "years", "months": "months", "days": "days", "weeks": "weeks", "quarters": "quarters",
    }  # fmt: skip
    if words in ("bps", "bp", "basis points", "basis point"):
        return Unit(POINTS, 0.01 * scale)
    if words not in names:
        raise FinragError(
            f"Unit {text!r} of a numeric gold answer is unknown. Allowed: a currency (USD, $, EUR …), %, percentage "
            "points, bps, shares, USD per share, times, year, years, months, days or number, with thousands, millions "
            "or billions where that is meant."
        )
    return Unit(names[words], scale)


def parse_amounts(text: str | None, context_unit: str | None = None) -> list[Amount]:
    """The amounts of a text in order, years and references left out; a range is one amount.

    context_unit ("in millions") scales amounts of money, shares or no unit that state no scale; a header
    "(in millions)" inside the text does the same.
    """
    cleaned = clean(text or "")
    blanked = NOT_AMOUNTS.sub(lambda match: " " * len(match[0]), cleaned)
    header = CONTEXT.search(context_unit or "") or CONTEXT.search(cleaned)
    factor = SCALES[header[1].lower()] if header else parse_scale(context_unit)
    found: list[_Raw] = []
    for match in AMOUNT.finditer(blanked):
        raw = read(match, blanked, found)
        if raw is not None:
            found.append(raw)
    share_units(found, blanked)
    return joined([raw.amount(factor) for raw in found], blanked)


def parse_years(text: str | None) -> list[Amount]:
    """Calendar years 1900 to 2099 that stand alone, in order."""
    cleaned = clean(text or "")
    return [
        Amount(match[0], match.start(), float(match[0][-4:]), YEAR)
        for match in re.finditer(rf"(?<![\w$€£.,])(?:FY\s?)?{YEARS.pattern}(?![\w%]|[.,]\d)", cleaned)
    ]


def numeric_match(
    gold: float | tuple[float, float],
    unit: str | None,
    tolerance: float | None,
    answer: str | float | None,
    context_unit: str | None = None,
) -> NumericMatch:
    """Whether an answer states the gold number.

    gold and tolerance are in unit ("USD millions"); a gold range is (low, high). answer is a text, or a number in
    the gold's unit. With a tolerance the difference must not exceed it. Without one the answer may be rounded as far
    as its own digits say, and MAX_ROUNDING_SHARE of the gold at most. A range answers only if both its ends do.

    Reasons of unmatched: scale_error (a power of 1,000 off), sign_error, percent_vs_points, unit_mismatch,
    range_too_wide, buried (a match behind MAX_CANDIDATES others), outside_tolerance.
    """
    wanted = parse_unit(unit)
    ends = tuple(end * wanted.scale for end in (gold if isinstance(gold, tuple) else (gold, gold)))
    allowed = None if tolerance is None else abs(tolerance) * wanted.scale
    if answer is None or (isinstance(answer, str) and not answer.strip()):
        return NumericMatch("no_number", "no_answer")
    if not isinstance(answer, str):
        amounts = [Amount(str(answer), 0, answer * wanted.scale, wanted.name)]
    elif wanted.name == YEAR:
        amounts = parse_years(answer)
    else:
        amounts = parse_amounts(answer, context_unit)
    if not amounts:
        return NumericMatch("no_number", "no_number")
    readings = [(amount, reading) for amount in amounts for reading in as_unit(amount, wanted)]
    candidates = list(dict.fromkeys(amount for amount, _ in readings))
    if not candidates:
        points = {PERCENT, POINTS}
        other = wanted.name in points and any(amount.unit in points for amount in amounts)
        return NumericMatch("unmatched", "percent_vs_points" if other else "unit_mismatch", amounts[0])
    matched = [pair for pair in readings if fits(pair[1], ends, allowed)]
    early = [pair for pair in matched if pair[0] in candidates[:MAX_CANDIDATES]]
    if early:
        amount, reading = early[0]
        within = max(distances(reading, ends)) <= (allowed or 0.0) + slack(ends)
        return NumericMatch(
            "matched", "within_tolerance" if within else "within_rounding", amount, reading.value - ends[0]
        )
    if matched:
        return NumericMatch("unmatched", "buried", matched[0][0])
    amount, reading = min(readings, key=lambda pair: max(distances(pair[1], ends)))
    return NumericMatch("unmatched", fault(readings, ends, allowed), amount, reading.value - ends[0])


@dataclass
class _Raw:
    """An amount while it is read: its own value, scale and unit, each None where not written."""

    text: str
    start: int
    end: int
    number: float
    step: float
    scale: float | None
    unit: str | None
    is_approximate: bool
    may_be_negative: bool
    is_word: bool

    def amount(self, context: float | None) -> Amount:
        scalable = self.unit in (None, "shares") or self.unit in CURRENCIES.values()
        scale = self.scale or (context if context and scalable and not self.is_word else None)
        factor = scale or 1.0
        return Amount(
            text=self.text,
            start=self.start,
            value=self.number * factor,
            unit=self.unit or NUMBER,
            rounding=self.step / 2 * factor,
            is_approximate=self.is_approximate,
            may_be_negative=self.may_be_negative,
            is_bare=self.unit is None and scale is None,
        )


def clean(text: str) -> str:
    """Typographic signs as ASCII: minus signs and dashes, spaces; markdown emphasis removed."""
    text = re.sub("[\u2010-\u2015\u2212\ufe63\uff0d]", "-", text)
    text = re.sub("[\u00a0\u2000-\u200a\u202f\u3000]", " ", text)
    return re.sub(r"\*\*|__(?=\S)|`", "", text)


def parse_scale(text: str | None) -> float | None:
    match = re.search("|".join(SCALES), (text or "").lower())
    return SCALES[match[0]] if match else None


def read(match: re.Match, text: str, before: Sequence[_Raw]) -> _Raw | None:
    """The amount of one match; None for years, counted list items, pronouns and durations that count nothing."""
    digits, words = match["digits"], match["words"]
    tail = text[match.end() :]
    written = (match["digits"] or match["words"]).replace(",", "")
    number = float(written) if digits else spelled(written)
    step = 10.0 ** -len(written.partition(".")[2]) if digits else 1.0
    scale = SCALES.get((match["scale"] or "").lower()) or SUFFIXES.get((match["suffix"] or "").strip().lower())
    unit = unit_of(match, text, tail)
    if match["basis"] or match["cents"]:
        number, step = number / 100, step / 100
    if digits and YEARS.fullmatch(digits) and unit in DURATIONS:
        unit = None  # "the 2008 fiscal year"
    plain = scale is None and unit is None
    in_brackets = bool((match["open"] or match["inner"]) and (match["close"] or match["inner_close"]))
    if digits and plain and "," not in digits and "." not in digits:
        if YEARS.fullmatch(digits) and not in_brackets and not SHARES.match(tail):
            return None
        if in_brackets and len(digits) <= 2 and text.strip() != match[0].strip():
            return None  # (1) counts, it is no minus
        if YEARS.fullmatch(digits):
            return None
    if words and plain and (words.lower() == "one" or not is_count(tail)) and text.strip(" .") != match[0].strip(" ."):
        return None  # "one of the largest", "two" of a phrase that counts nothing
    restates = bool(before) and text[before[-1].end : match.start()].strip() == ""
    negative = bool(match["sign"] or match["inner_sign"]) or (in_brackets and not restates)
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    return _Raw(
        text=match[0].strip(),
        start=start,
        end=match.end(),
        number=-number if negative else number,
        step=step,
        scale=scale,
        unit=unit,
        is_approximate=bool(APPROXIMATE.search(text[:start])),
        may_be_negative=bool(NEGATIVE_BEFORE.search(text[max(0, start - 80) : start])),
        is_word=bool(words),
    )


def spelled(words: str) -> float:
    return float(sum(WORD_VALUES[word] for word in re.split(r"[\s-]+", words.lower())))


def is_count(tail: str) -> bool:
    """Whether a spelled number is followed by a plural noun: "three segments", "two reportable segments"."""
    return bool(re.match(r"\s(?:[a-z-]+\s){0,2}[a-z]{2,}s\b", tail))


def unit_of(match: re.Match, text: str, tail: str) -> str | None:
    if match["points"] or match["percent_points"] or match["basis"]:
        return POINTS
    if match["percent"]:
        return PERCENT
    if match["times"]:
        return TIMES
    sign = (match["currency"] or "").lower().replace(" ", "")
    money = (match["money"] or "").lower().split(" ")[-1]
    currency = CURRENCIES.get(sign) or CURRENCIES.get(money) or ("USD" if match["cents"] else None)
    if currency and (PER_SHARE.match(tail) or is_per_share_before(match, text)):
        return f"{currency} per share"
    if currency:
        return currency
    if SHARES.match(tail):
        return "shares"
    if "." in (match["digits"] or "") and is_per_share_before(match, text):
        return "USD per share"  # "Diluted EPS 1.25" of a table
    duration = DURATION.match(tail)
    return f"{duration[1].lower()}s" if duration else None


def is_per_share_before(match: re.Match, text: str) -> bool:
    """ "EPS was $3.10": per share without saying so again, unless the amount has a scale."""
    clause = re.split(r"[.;]\s|\n", text[: match.start()])[-1]
    return not (match["scale"] or match["suffix"]) and bool(PER_SHARE_BEFORE.search(clause))


def share_units(found: list[_Raw], text: str) -> None:
    """ "$1.2 to 1.4 billion" and "5, 6 and 7%": what one of a list says holds for its neighbours that say nothing."""
    for left, right in reversed(list(itertools.pairwise(found))):
        word = between(left.end, right.start, text)
        if word not in CONNECTORS or left.is_word != right.is_word:
            continue
        if right.unit == f"{left.unit} per share" or (left.unit is None and right.unit == "shares"):
            left.unit = right.unit  # "$1.05 and $0.98 per share", "10 million and 12 million shares"
        is_range = word in RANGE_WORDS and right.unit is None and right.scale is not None
        if left.scale is None and (left.unit in (None, right.unit) or is_range):
            left.scale = right.scale
            left.unit = left.unit or right.unit
    for left, right in itertools.pairwise(found):
        if between(left.end, right.start, text) in CONNECTORS and right.unit is None and right.scale == left.scale:
            right.unit = left.unit


def between(start: int, end: int, text: str) -> str:
    """The words between two amounts, hedges and the currency left out."""
    gap = re.sub(r"\b(?:approximately|about|nearly|roughly|up)\b", " ", text[start:end])
    return " ".join(gap.split()).lower()


def joined(amounts: list[Amount], text: str) -> list[Amount]:
    """Ranges as one amount: "between 3 and 5%", "3-5%", "$1 to $2 billion"; not "rose from $1 to $2 billion"."""
    result: list[Amount] = []
    for amount in amounts:
        low = result[-1] if result else None
        if low is not None and low.high is None and low.unit == amount.unit and low.value <= amount.value:
            before = text[: low.start]
            word = between(low.start + len(low.text), amount.start, text)
            is_between = word == "and" and bool(re.search(r"\bbetween\s(?:\w+ly\s|about\s)?$", before, re.I))
            is_to = word in RANGE_WORDS and not LEVEL_CHANGE.search(before)
            if is_between or is_to:
                whole = text[low.start : amount.start + len(amount.text)]
                result[-1] = replace(low, text=whole, high=amount.value, rounding=max(low.rounding, amount.rounding))
                continue
        result.append(amount)
    return result


def as_unit(amount: Amount, wanted: Unit) -> list[Amount]:
    """Readings of an amount in the wanted unit: as written, bare in the gold's scale, and negative after "loss of"."""
    readings = []
    is_money = wanted.name in CURRENCIES.values()
    if (
        amount.unit == wanted.name
        or (amount.unit == NUMBER and not amount.is_bare and (is_money or wanted.name == "shares"))
        or (amount.is_bare and wanted.name not in (PERCENT, POINTS))
    ):
        readings.append(amount)
    if (amount.is_bare and wanted.scale != 1.0) or (amount.is_bare and not readings):
        readings.append(scaled(amount, wanted.scale))
    return readings + [negated(reading) for reading in readings if amount.may_be_negative]


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


def fits(amount: Amount, ends: tuple[float, float], allowed: float | None) -> bool:
    """Within the tolerance, or without one within the answer's own rounding."""
    if allowed is None:
        size = max(map(abs, ends))
        allowed = min(amount.rounding, MAX_ROUNDING_SHARE * size)
    return max(distances(amount, ends)) <= allowed + slack(ends)


def fault(readings: Sequence[tuple[Amount, Amount]], ends: tuple[float, float], allowed: float | None) -> str:
    """Why no reading fits, the most telling reason first."""
    for _, reading in readings:
        if any(fits(scaled(reading, factor), ends, allowed) for factor in (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9)):
            return "scale_error"
    if any(fits(negated(reading), ends, allowed) for _, reading in readings):
        return "sign_error"
    if any(
        reading.high is not None and reading.value <= ends[0] and ends[1] <= reading.high for _, reading in readings
    ):
        return "range_too_wide"
    return "outside_tolerance"
