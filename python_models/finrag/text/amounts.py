"""Amounts in English text, read to base units.

Base units as in bundles.int_kpi_amounts: dollars (or the currency), shares, per share, percent (18.0 for 18%). Basis
points and percentage points are `percentage points` here, never `%`: a margin that rises 2 points from 40% rises 5%.
The text is first written plainly (finrag.text.plain_text), so that one grammar of digits reads all of it.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from finrag.errors import FinragError
from finrag.text.directions import CHANGE, FELL, ROSE, arrow, direction
from finrag.text.plain_text import SCALES, plain
from finrag.text.vocabulary import APPROXIMATELY
from finrag.text.words import before
from finrag.text.years import BESIDE_YEAR, MONTHS, YEAR_DIGITS

POINTS, PERCENT, NUMBER, TIMES, YEAR = "percentage points", "%", "number", "times", "calendar year"
# A published change of a percentage ("0.8%" of a margin) may be meant either way; read as percent.
PERCENT_OR_POINTS = "% or percentage points"
SUFFIXES = {
    "k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6, "mil": 1e6, "b": 1e9, "bn": 1e9,
    "bln": 1e9, "mrd": 1e9, "t": 1e12, "tn": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
CURRENCIES = {
    "$": "USD", "us$": "USD", "u.s.$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR",
    "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pounds": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY",
    "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD", "aud": "AUD", "hk$": "HKD", "hkd": "HKD",
    "chf": "CHF", "rmb": "CNY",
    "cny": "CNY", "yuan": "CNY", "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR",
}  # fmt: skip
DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
CURRENCY_NAMES = {
    "EUR": "euro", "GBP": "British pound", "JPY": "Japanese yen", "CAD": "Canadian dollar", "AUD": "Australian dollar",
    "CHF": "Swiss franc", "CNY": "Chinese yuan", "RMB": "Chinese yuan", "INR": "Indian rupee", "MXN": "Mexican peso",
    "BRL": "Brazilian real", "KRW": "South Korean won", "SEK": "Swedish krona", "NOK": "Norwegian krone",
    "DKK": "Danish krone", "SGD": "Singapore dollar", "HKD": "Hong Kong dollar", "NZD": "New Zealand dollar",
    "PLN": "Polish zloty", "ILS": "Israeli shekel", "TWD": "Taiwan dollar", "ZAR": "South African rand",
}  # fmt: skip
CODES = "(?:USD|EUR|GBP|JPY|CAD|AUD|CHF|RMB|CNY|INR)"
SIGNS = rf"(?:(?:US\s?|U\.S\.\s?|CA|C|A|HK)?\$|[€£¥₹]|\b{CODES}(?![A-Za-z])|\bRs\b\.?)"
AMOUNT = re.compile(
    rf"""
    (?P<open>\()?
    (?P<sign>(?<![\w)%.])[-+])?
    (?P<currency>{SIGNS})?\s?
    (?P<inner>\()?(?P<inner_sign>(?<![\w)%.])-)?(?P<cent>¢)?
    (?P<digits>(?:(?<![\w.,/])|(?<={CODES})){DIGITS})
    (?P<inner_close>\s?\))?
    (?:(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion|lakh|crore)s?\b)
      |(?P<suffix>\s?(?:mm|mn|mln|mio|mil|bn|bln|mrd|tn)\b\.?|[kmbtKMBT]\b|\s[MB]\b|(?<=\d)\s[mb]\b(?=[\s.,;)]|$)))?
    (?:
        \s?-?\s?(?P<points>percentage[\s-]points?|ppts?\b|pp\b|p\.p\.|points?\b)
      | \s?(?P<percent>%\s?(?P<percent_points>points?\b|pts?\b)?|per\s?cent\b|pct\b)
      | \s?-?(?P<basis>basis[\s-]points?\b|bps?\b)
      | \s?(?P<times>x\b|times\b|:\s?1(?:\.0+)?\b|\sto\s1(?:\.0+)?(?![.,]?\d))
      | \s(?P<money>(?:U\.?S\.?\s)?dollars?|euros?|pounds|yen|yuan|{CODES})\b
      | \s?(?P<cents>cents?\b|¢)
    )?
    (?P<close>\))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A longer row of digits is no amount of anything; in a scale it may be too large for a float.
LARGEST = 1e30
AGAIN = re.compile(rf"(?<![\d.,])(?P<first>(?P<figure>{DIGITS})\s?%?)\s?\(\s?(?P=figure)\s?%?\s?\)$")
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
DURATIONS = ("years", "months", "weeks", "days", "hours", "quarters")
APPROXIMATE = re.compile(
    rf"(?:\b(?:{APPROXIMATELY}|some|circa|approx\.?|over|under|more than|less than"
    r"|up to)|~|≈)\s?$",
    re.I,
)
# What has digits and is no amount: sentence ids, citations, dates, references to parts of a filing, forms, versions.
MONTH = (
    rf"(?:{'|'.join(MONTHS)}"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
NOT_AMOUNTS = re.compile(
    rf"""
    \b\d{{10}}_\S+  # sentence ids
  | \[[^\]\[$%]{{0,80}}\] | 【[^】]{{0,80}}】  # [1], [WMT, FY 2019, Item 7: MD&A]
  | \b{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?=\W|$) | \b\d{{1,2}}\s(?:{MONTH})(?=\s|,|$)
  | \b\d{{4}}-\d\d-\d\d\b | \b\d\d?/\d\d?/\d{{2,4}}\b | \b{YEAR_DIGITS}\s?[-/]\s?\d\d\b(?![\d,.%])
  | \b(?:items?|notes?|sections?|pages?|exhibits?|rules?|topics?|parts?|forms?|tables?|levels?|tiers?|phases?|class
      |series|questions?|chapters?|steps?|asu|asc|sfas|fas|ifrs)\s(?:nos?\.\s?)?\d[\w.-]*(?:\([a-z0-9]\))*
      | \bpp?\.\s?\d+
  | \b401\s?\(?k\)? | (?<![$€£\d.,])3M\b(?!\s(?:shares|dollars)) | \b(?:S&P|Fortune|Russell|Windows)\s\d+\b
  | \b(?:10|8|20)-[KQF](?:/A)?\b | \bQ[1-4]\b | \bH[12]\b | \bF[YQ]\s?['’]?-?\d\d\b | \b(?:fiscal|year)\s['’]\d\d\b
  | \b[A-Za-z]+-\d+\b | \b\d+(?:st|nd|rd|th)\b
  | (?:^|\n)\s{{0,99}}+(?:\#+\s*)?\d{{1,2}}[.)]\s(?=\D)  # 1. of a list
    """,
    re.VERBOSE | re.IGNORECASE,
)
YEARS = re.compile(YEAR_DIGITS)
YEAR_NAMES = re.compile(
    r"(?<![\w$€£.,])(?:FY\s?)?(?P<long>(?:1[6-9]|20)\d\d)(?![\w%]|[.,]\d)"
    r"|\b(?:FY\s?['’]?|(?:fiscal|year)\s(?:year\s)?['’])(?P<short>\d\d)\b",
    re.I,
)
# What is counted or measured by: "stores", "aircraft", "full-time employees", "barrels per day".
COUNTED = re.compile(r"[a-z][a-z -]*[a-z]")
CONTEXT = re.compile(
    rf"\bin\s(?:US\s?|U\.S\.\s|{CODES}\s|[€£¥]\s?)?(?:\$\s?)?(?:dollars\sin\s)?(?P<word>thousand|million|billion)s\b(?!\s(?:of(?!\s(?:U\.?S\.?\s)?(?:dollars|USD))|more))"
    r"|\((?:in\s)?(?:US|USD)?\s?\$?\s?(?:in\s)?(?P<short>thousands|millions|billions|mm|mn|m|bn|b|k)\)",
    re.I,
)
# Power and energy in any of their scales.
WATTS = re.compile(
    r"\b(?:(?P<short>(?i:[kmgt]wh)|[kMGT]W)|(?P<long>(?i:kilo|mega|giga|tera))[\s-]?(?i:watts?(?P<hours>[\s-]?hours?)?))\b"
)
KILOWATTS = {"k": "", "m": "thousand ", "g": "million ", "t": "billion "}
# "fell to $5 million (10%)"
LED_TO = re.compile(rf"(?:{CHANGE.pattern})\sto\s(?:about\s|approximately\s|roughly\s)?\W*$", re.I)
# "rose from $1 to $2 billion" and "increased $5 million to $173 million" are no ranges.
LEVEL_CHANGE = re.compile(
    r"\b(?:increas|decreas|grew|fell|rose|declin|went|chang|dropp|improv|expand|mov|shr[aiu]nk|surg|jump|climb|slipp|narrow|widen)\w*\b[^.;]{0,60}\bfrom\s$"
    rf"|\b(?:{ROSE}|{FELL}|improved|shrunk|slid|narrowed|widened|up|down)\s(?:by\s)?(?:\w+ly\s|about\s)?$",
    re.I,
)
# A bracket that holds a whole amount is a minus where an amount is due; elsewhere it only adds something.
DUE = re.compile(r"(?:^|[:|=]|\b(?:was|were|is|of|to|at|by|fell|decreased|declined|dropped))\s*$", re.I)
RESTATED = re.compile(r",?\s?(?:or\s|i\.e\.,?\s|a\s|\()(?:about\s|approximately\s|roughly\s|nearly\s)?", re.I)
# Between amounts that one word is said of: their times, and what joins or compares them. "To" leads from a change to a
# level.
OF_SEVERAL = re.compile(
    rf"[ \t,|()]*(?:(?:{BESIDE_YEAR}|full|quarters?|first|second|third|fourth|and|to"
    rf"|versus|vs\.?|from|compared (?:to|with)|{YEAR_DIGITS})(?!\w)[ \t,|()]*)*",
    re.I,
)
ON_THE_WAY = re.compile(r"\)?,?\sto\s", re.I)  # "rose 2% or $1 billion to"
TO_A_LEVEL = re.compile(r"\b(?:to|versus|vs|from|compared)\b", re.I)
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

    start and end are places in the plain text. A range has its ends in value and high. direction: -1 where words
    around it call it a loss or a fall, 1 a rise or an income, 0 neither; is_change: "fell by" and not "fell to".
    value has the sign that is written. is_bare: neither unit
    nor scale is written, so that the unit of the question may be meant; is_unscaled: no scale, so that its may be.
    """

    text: str
    start: int
    value: float
    unit: str
    rounding: float = 0.0
    high: float | None = None
    end: int = 0
    is_approximate: bool = False
    direction: int = 0
    is_change: bool = False
    is_bare: bool = False
    is_unscaled: bool = False


def parse_unit(text: str | None, may_count: bool = True) -> Unit:
    """Unit of a gold answer: USD, "USD millions", "$ in thousands", %, percent, percentage points, bps, shares,
    "million shares", "USD per share", x, times, year, years, number or nothing; where it may_count, anything else but a
    misspelt one is what is counted. FinragError for another.
    """
    words, scale = without_scale(text)
    currency = next((CURRENCIES[part] for part in re.split(r"[\s/]+", words) if part in CURRENCIES), None)
    if re.search(r"\bper\b.*\bshare\b|/\s?share|\beps\b", words):
        return Unit(f"{currency or 'USD'} per share", scale)
    if currency and re.fullmatch(r"\S+(?:\sdollars)?", words):
        return Unit(currency, scale)
    names = {
        "": NUMBER, "number": NUMBER, "count": NUMBER, "ratio": TIMES, "%": PERCENT,
        PERCENT_OR_POINTS: PERCENT,
        "percent": PERCENT, "percents": PERCENT, "per cent": PERCENT, "pct": PERCENT, "percentage": PERCENT,
        "percentage points": POINTS,
        "percentage point": POINTS, "pp": POINTS, "points": POINTS, "x": TIMES, "times": TIMES, "share": "shares",
        "shares": "shares", "year": YEAR, "calendar year": YEAR, "fiscal year": YEAR, "yyyy": YEAR,
        "years": "years", "months": "months", "days": "days", "weeks": "weeks", "quarters": "quarters",
        "hours": "hours",
    }  # fmt: skip
    if words in ("bps", "bp", "basis points", "basis point"):
        return Unit(POINTS, 0.01 * scale)
    is_count = may_count and not currency and bool(COUNTED.fullmatch(words))
    if words not in names and (not is_count or misspells(words, [*names, *SCALES])):
        raise FinragError(
            f"Unit {text!r} of a numeric gold answer is unknown. Allowed: a currency (USD, $, EUR …), %, percentage "
            "points, bps, shares, USD per share, times, year, years, months, days, number or what is counted (stores, "
            "full-time employees), with thousands, millions or billions where that is meant."
        )
    return Unit(names.get(words, NUMBER), scale)


def in_kilowatts(text: str) -> str:
    """A text with power and energy in kilowatts: "28.45 TWh" are "28.45 billion kilowatt-hours"."""

    def named(found: re.Match) -> str:
        is_energy = found["hours"] or (found["short"] or "").lower().endswith("h")
        return KILOWATTS[found[0][0].lower()] + ("kilowatt-hours" if is_energy else "kilowatts")

    return WATTS.sub(named, text)


def without_scale(text: str | None) -> tuple[str, float]:
    """The words of a unit but for its scale, and that: ("usd", 1e6) of "USD millions", no words of "in millions"."""
    words = in_kilowatts(plain(text or "")).lower()
    scale = 1.0
    for name, factor in SCALES.items():
        words, count = re.subn(rf"\b(?:in\s)?{name}s?\b(?:\sof\b)?", " ", words)
        scale *= factor if count else 1.0
    return " ".join(re.sub(r"[()]", " ", words).split()), scale


def misspells(words: str, names: Sequence[str]) -> bool:
    """Whether a word is a unit's with a letter wrong: what is counted may be called anything else."""
    return any(difflib.get_close_matches(word.rstrip("s"), names, 1, 0.87) for word in words.split())


def parse_amounts(text: str | None, context_unit: str | None = None) -> list[Amount]:
    """The amounts of a text in order, years and references left out; a range is one amount.

    context_unit ("in millions") scales amounts of money, shares or no unit that state no scale; a header
    "(in millions)" inside the text does the same.
    """
    return list(_amounts(text or "", context_unit))


@lru_cache(maxsize=16_384)  # the same sentences stand in many contexts, and reading one takes a millisecond
def _amounts(text: str, context_unit: str | None) -> tuple[Amount, ...]:
    written = plain(text)
    blanked = NOT_AMOUNTS.sub(lambda match: " " * len(match[0]), written)
    factor = stated_scale(context_unit) or stated_scale(written) or parse_scale(context_unit)
    found: list[_Raw] = []
    for match in AMOUNT.finditer(blanked):
        raw = read(match, blanked, found)
        if raw is not None:
            found.append(raw)
    share_units(found, blanked)
    share_directions(found, blanked)
    return tuple(joined([raw.amount(factor) for raw in found], blanked))


def whole_amount(text: str) -> tuple[float, Unit] | None:
    """The number and unit of a text that is one amount and nothing else, as it is written: "($350) million" is -350 in
    Unit("USD", 1e6), "50 bps" 50 in Unit("percentage points", 0.01). A figure that is said once more in brackets, as
    tables of text say negative ones ("$ -142 ( 142 )"), is one.
    """
    written = AGAIN.sub(r"\g<first>", plain(text).strip(" .")).strip()
    blanked = NOT_AMOUNTS.sub(lambda match: " " * len(match[0]), written)
    matches = [match for match in AMOUNT.finditer(blanked) if match["digits"]]
    if len(matches) != 1 or written[: matches[0].start()].strip() or not re.search(r"\d", text):
        return None
    match, tail = matches[0], written[matches[0].end() :]
    if tail and not any(words.fullmatch(tail) for words in (PER_SHARE, SHARES, DURATION)):
        return None
    raw = read(match, blanked, [])
    if raw is None:  # it looks like a year
        return (float(match[0]), Unit(NUMBER)) if re.fullmatch(r"-?\d{4}", match[0]) else None
    share = 100 if match["basis"] else 1
    scale = raw.scale if raw.scale in SCALES.values() else None
    number = round(raw.number * share * (1.0 if scale else raw.scale or 1.0), 10)
    return number, Unit(raw.unit or NUMBER, (scale or 1.0) / share)


def sign_of(amount: Amount) -> int:
    """-1 for a negative amount and for one that words call a loss or a fall, 1 for one that they call a rise or an
    income, 0 where nothing says."""
    return -1 if amount.value < 0 else amount.direction


def parse_years(text: str | None) -> list[Amount]:
    """Calendar years 1600 to 2099 that stand alone, and FY19, in order."""
    found = []
    for match in YEAR_NAMES.finditer(plain(text or "")):
        year = float(match["long"] or 2000 + int(match["short"]) - (100 if int(match["short"]) >= 50 else 0))
        found.append(Amount(match[0], match.start(), year, YEAR, end=match.end()))
    return found


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
    direction: int
    is_change: bool

    def amount(self, context: float | None) -> Amount:
        scalable = self.unit in (None, "shares") or self.unit in CURRENCIES.values()
        scale = self.scale or (context if context and scalable else None)
        factor = scale or 1.0
        return Amount(
            text=self.text,
            start=self.start,
            end=self.end,
            value=self.number * factor,
            unit=self.unit or NUMBER,
            rounding=self.step / 2 * factor,
            is_approximate=self.is_approximate,
            direction=self.direction,
            is_change=self.is_change,
            is_bare=self.unit is None and scale is None,
            is_unscaled=scale is None,
        )


def stated_scale(text: str | None) -> float | None:
    """Of a header "(in millions)" or "($M)"."""
    header = CONTEXT.search(text or "")
    return scale_of(header["word"] or header["short"].removesuffix("s")) if header else None


def scale_of(word: str | None) -> float | None:
    word = (word or "").strip(" .").lower()
    return SCALES.get(word) or SUFFIXES.get(word)


def parse_scale(text: str | None) -> float | None:
    match = re.search("|".join(SCALES), (text or "").lower())
    return SCALES[match[0]] if match else None


def read(match: re.Match, text: str, earlier: Sequence[_Raw]) -> _Raw | None:
    """The amount of one match; None for years and counted list items."""
    digits, tail = match["digits"], text[match.end() :]
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    is_whole = text.strip(" .") == match[0].strip(" .")
    number = float(digits.replace(",", ""))
    if number > LARGEST:
        return None
    is_approximate = bool(APPROXIMATE.search(before(text, start)))
    step = 10.0 ** -len(digits.partition(".")[2])
    if is_approximate and "." not in digits and number:
        step = 10.0 ** (len(str(int(number))) - len(str(int(number)).rstrip("0")))  # "about 12,500": to the hundred
    scale = scale_of(match["scale"]) or scale_of(match["suffix"])
    unit = unit_of(match, text, tail)
    if match["basis"] or match["cents"] or match["cent"]:
        number, step = number / 100, step / 100
    if YEARS.fullmatch(digits) and unit in DURATIONS:
        unit = None  # "the 2008 fiscal year"
    closes_number = bool((match["open"] or match["inner"]) and match["inner_close"])
    closes_amount = bool(match["open"] or match["inner"]) and bool(match["close"])
    if scale is None and unit is None and digits.isdigit():
        if YEARS.fullmatch(digits) and not SHARES.match(tail):
            return None
        if (closes_number or closes_amount) and len(digits) <= 2 and not is_whole:
            return None  # (1) counts, it is no minus
    restates = bool(earlier) and text[earlier[-1].end : match.start()].strip() == ""
    if restates and match["open"] and earlier[-1].unit == PERCENT and earlier[-1].direction > 0:
        closes_number = False  # "increased by 98% ($1.93)" says the rise once more
    in_brackets = closes_number or (closes_amount and not restates and bool(DUE.search(before(text, start))))
    sign, is_change = direction(text[max(0, start - 90) : start], tail[:60])
    if unit in (PERCENT, POINTS) and (marked := arrow(before(text, start), tail)):
        sign, is_change = marked, True
    is_negative = match["sign"] == "-" or bool(match["inner_sign"]) or in_brackets
    return _Raw(
        text=match[0].strip(),
        start=start,
        end=match.end(),
        number=-number if is_negative else number,
        step=step,
        scale=scale,
        unit=unit,
        is_approximate=is_approximate,
        direction=sign,
        is_change=is_change,
    )


def unit_of(match: re.Match, text: str, tail: str) -> str | None:
    if match["points"] or match["percent_points"] or match["basis"]:
        return POINTS
    if match["percent"]:
        return PERCENT
    if match["times"]:
        return TIMES
    sign = (match["currency"] or "").lower().replace(" ", "")
    money = (match["money"] or "").lower().split(" ")[-1]
    cents = "USD" if match["cents"] or match["cent"] else None
    currency = CURRENCIES.get(sign) or CURRENCIES.get(money) or cents
    if currency and (PER_SHARE.match(tail) or is_per_share_before(match, text)):
        return f"{currency} per share"
    if currency:
        return currency
    if SHARES.match(tail):
        return "shares"
    if "." in match["digits"] and is_per_share_before(match, text):
        return "USD per share"  # "Diluted EPS 1.25" of a table
    duration = DURATION.match(tail)
    return f"{duration[1].lower()}s" if duration else None


def is_per_share_before(match: re.Match, text: str) -> bool:
    """ "EPS was $3.10": per share without saying so again, unless the amount has a scale."""
    clause = re.split(r"[.;]\s|\n", before(text, match.start()))[-1]
    return not (match["scale"] or match["suffix"]) and bool(PER_SHARE_BEFORE.search(clause))


def share_units(found: list[_Raw], text: str) -> None:
    """ "$1.2 to 1.4 billion" and "5, 6 and 7%": what one of a list says holds for its neighbours that say nothing."""
    for left, right in reversed(list(itertools.pairwise(found))):
        word = between(left.end, right.start, text)
        if word not in CONNECTORS:
            continue
        if right.unit == f"{left.unit} per share" or (left.unit is None and right.unit == "shares"):
            left.unit = right.unit  # "$1.05 and $0.98 per share", "10 million and 12 million shares"
        is_range = word in RANGE_WORDS and right.unit is None and right.scale is not None
        if is_range and left.unit in (PERCENT, POINTS):
            continue  # "rose 5.2% to 3.61 million"
        if left.scale is None and (left.unit in (None, right.unit) or is_range):
            left.scale = right.scale
            left.unit = left.unit or right.unit
    for left, right in itertools.pairwise(found):
        if between(left.end, right.start, text) in CONNECTORS and right.unit is None and right.scale == left.scale:
            right.unit = left.unit


def share_directions(found: list[_Raw], text: str) -> None:
    """ "It decreased by $4.1 million, or 9.6%" and "from 41.5% to 40.0%, or 1.5 points": the change said once more.
    "A net loss of $5 million, or $0.73 per share": one level in two units.
    "A net loss of $5 million in 2019 and $6 million in 2020", "fell 3% in 2019 and 5% in 2020": one word for several.
    """
    for place, right in enumerate(found[1:], start=1):
        left = found[place - 1]
        gap = text[left.end : right.start]
        if left.direction < 0 and not right.direction and left.unit == right.unit and OF_SEVERAL.fullmatch(gap):
            if not (left.is_change and TO_A_LEVEL.search(gap)):
                right.direction, right.is_change = left.direction, left.is_change
            continue
        is_again = RESTATED.fullmatch(text[left.end : right.start] + "(" * right.text.startswith("(")) and not re.match(
            r"\s+of\b", text[right.end :]
        )
        if is_again and not right.direction and right.unit == f"{left.unit} per share":
            right.direction, right.is_change = left.direction, left.is_change
            continue
        is_on_the_way = left.is_change and ON_THE_WAY.match(text[right.end :])
        if right.direction or not is_again or not (right.unit in (PERCENT, POINTS) or is_on_the_way):
            continue
        if left.is_change and left.unit != right.unit:
            right.direction, right.is_change = left.direction, True
        elif right.text.startswith("(") and (led := LED_TO.search(before(text, left.start))):
            right.direction, right.is_change = (1 if CHANGE.match(led[0])["rise"] else -1), True
        elif place > 1 and between(found[place - 2].end, left.start, text).split(" ")[-1] == "to":
            clause = re.split(r"[.;]\s|\n", before(text, found[place - 2].start))[-1]
            if re.search(r"\bfrom\s$", clause) and (changes := list(CHANGE.finditer(clause))):
                right.direction, right.is_change = (1 if changes[-1]["rise"] else -1), True


def between(start: int, end: int, text: str) -> str:
    """The words between two amounts, hedges and the currency left out."""
    gap = re.sub(r"\b(?:approximately|about|nearly|roughly|up)\b", " ", text[start:end])
    return " ".join(gap.split()).lower()


def joined(amounts: list[Amount], text: str) -> list[Amount]:
    """Ranges as one amount: "between 3 and 5%", "3-5%", "$1 to $2 billion"; not "rose from $1 to $2 billion" and not
    "rose 2% or $1 billion to $50 billion", from a change to a level."""
    result: list[Amount] = []
    for amount in amounts:
        low = result[-1] if result else None
        if low is not None and low.high is None and low.unit == amount.unit and low.value <= amount.value:
            lead = before(text, low.start)
            word = between(low.end, amount.start, text)
            is_between = word == "and" and bool(re.search(r"\bbetween\s(?:\w+ly\s|about\s)?$", lead, re.I))
            is_change = low.is_change and low.unit not in (PERCENT, POINTS)
            is_to = word in RANGE_WORDS and not LEVEL_CHANGE.search(lead) and not is_change
            if is_between or is_to:
                whole, rounding = text[low.start : amount.end].strip(), max(low.rounding, amount.rounding)
                result[-1] = replace(low, text=whole, high=amount.value, end=amount.end, rounding=rounding)
                continue
        result.append(amount)
    return result
