"""In what a table's figures are, as its caption says: "(in millions, except per share amounts)"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.amounts import CURRENCIES, CURRENCY_NAMES
from finrag.text.plain_text import SCALES
from finrag.text.years import YEAR_DIGITS

_SCALE = re.compile(
    r"\b(?:in|of)\s+(?:u\.?s\.?\s*\$?\s*|\$\s?)?(?:dollars?\s+)?(thousand|million|billion)s?\b"
    r"|\(\s?(?:u\.?s\.?\s)?(?:dollars?\s|\$\s?)?(thousand|million|billion)s\b|\$?(000)[’']?s?(?:\s+omitted)?\s?\)",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\bexcept\b(.*)", re.IGNORECASE)
_SHARES_APART = re.compile(r"\bshares?\b(?!\s+(?:data|amounts|prices?))(?<!per share)", re.IGNORECASE)
_SHARES_IN = re.compile(
    r"\bshares\b,?[^.;,()\d]{0,30}?\b(?:in|are)\s+(?:reflected\s+|stated\s+)?(?:in\s+)?(thousand|million|billion)s",
    re.IGNORECASE,
)
# "Dollars and Shares in Millions"
_AND_SHARES = re.compile(r"\b(?:dollars|amounts|\$)\W+and\s+shares\b", re.IGNORECASE)
# "(in millions of euros)", "(RMB in millions)"; pounds are a weight, too, and dollars those of the filing's country.
_CODES = {
    **{word: code for word, code in CURRENCIES.items() if code != "USD" and word not in ("pounds", "rs", "rs.")},
    **{name.lower(): CURRENCIES.get(code.lower(), code) for code, name in CURRENCY_NAMES.items()},
}
_NAMES = "|".join(map(re.escape, sorted(_CODES, key=len, reverse=True)))
_CURRENCY = re.compile(rf"(?<![\w$])({_NAMES})(?![a-rt-z])", re.IGNORECASE)
_OF_MONEY = re.compile(r"\$|\bdollars?\b|\bUSD\b", re.IGNORECASE)
_PERCENT = re.compile(rf"(?<!\d)(?:(?<!\d\s)|(?<=\b{YEAR_DIGITS}\s))%|\bpercent|\bpercentages?\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
_NUMBER_OF_SHARES = re.compile(
    r"\b(?:number of|weighted[- ]+average|outstanding|dilutive)\s+(?:\w+\s+){0,3}shares\b"
    r"|\bshares (?:used|outstanding|issued)\b",
    re.IGNORECASE,
)
# A price or value for each share, unit or option.
_EACH = re.compile(
    r"\b(?:exercise|grant|strike|conversion|purchase)\s?-?\s?(?:date\s+)?(?:fair\s+)?(?:price|value)s?\b"
    r"|\bweighted[- ]+average\b.*\b(?:price|fair\s+value)\b|\bfair value of (?:stock )?options\b",
    re.IGNORECASE,
)
_PER_SHARE = re.compile(
    r"\bper\s+(?:[\w-]+\s+){0,3}?(?:shares?|options?)\b|(?<!\bclass\s)\ba\s+share\b|\bEPS\b", re.IGNORECASE
)
_COUNT = re.compile(
    r"\W*(?:numbers? of\b|(?:[a-z-]+\s+){0,2}counts?\b|(?:[a-z-]+\s+){0,3}square (?:feet|footage)\b"
    r"|(?:total )?(?:employees|associates|headcount)\W*$)",
    re.IGNORECASE,
)
# A rate, and not money at a rate or by a change of one: "Effective tax rate", but "Tax at the statutory rate".
_RATE = re.compile(r"(?!.*\b(?:at|effects?|impacts?|changes?|due|exchange)\b).*\brates?\W*", re.IGNORECASE)
_SHARES = re.compile(r"\bshares\b|\bweighted[- ]average\b.*\b(?:basic|diluted)\b", re.IGNORECASE)

CAPTION_LENGTH = 120
_ONLY = re.compile(
    r"\W*(?:(?:amounts?|tabular|figures?|dollars?|u\.?s\.?|shares?|numbers?|all|are|stated|expressed|and|\$)\W+)*"
    r"(?:in|of|thousands|millions|billions|\$?000)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Caption:
    """scale: what amounts of money are multiplied by, None where it is not said. share_scale: the same of shares."""

    scale: float | None = None
    share_scale: float | None = None


def read_caption(text: str) -> Caption:
    """The scales that a caption states; shares have the scale of money unless it sets them apart."""
    apart = _SHARES_IN.search(text)
    rest = text[: apart.start()] + text[apart.end() :] if apart else text
    found = _SCALE.search(rest)
    scale = scale_named(next(name for name in found.groups() if name)) if found else None
    if apart:
        is_of_both = scale is None and _AND_SHARES.search(text) is not None
        return Caption(scale_named(apart[1]) if is_of_both else scale, scale_named(apart[1]))
    exceptions = _EXCEPT.search(text)
    is_apart = exceptions is not None and _SHARES_APART.search(_PER_SHARE.sub(" ", exceptions[1])) is not None
    return Caption(scale, 1.0 if is_apart else scale)


def scale_named(name: str) -> float:
    return 1e3 if name == "000" else SCALES[name.lower()]


def caption_in(text: str) -> str | None:
    """The part of a text that says in what figures are: its brackets that do, else all of it where it is short."""
    for bracketed in reversed(_BRACKETS.findall(text)):
        if _SCALE.search(bracketed):
            return bracketed
    return text if len(text) <= CAPTION_LENGTH and _SCALE.search(text) else None


def is_caption(text: str) -> bool:
    """Whether a text says in what figures are and nothing else."""
    found = caption_in(text)
    return found is not None and ((found == text.strip() and text.startswith("(")) or _ONLY.match(text) is not None)


@lru_cache(1024)
def unit_named(text: str) -> str | None:
    """The unit that the name of a row or a column implies: `USD/shares`, `shares`, `%`; None for any other."""
    text = _BRACKETS.sub(" ", text)
    if _NUMBER_OF_SHARES.search(text) and not _EACH.search(text):
        return "shares"
    if _PER_SHARE.search(text) or _EACH.search(text):
        return "USD/shares"
    if _PERCENT.search(text):
        return "%"
    return "shares" if _SHARES.search(text) else None


def names_rate(text: str) -> bool:
    """Whether a label names a rate, whose figures are percent also where they stand among amounts."""
    return _RATE.fullmatch(_BRACKETS.sub(" ", text).strip()) is not None


def names_count(label: str) -> bool:
    """Whether a label names a number of things, whose figures are no money."""
    return _COUNT.match(label) is not None


def is_of_money(text: str) -> bool:
    return _OF_MONEY.search(text) is not None or _CURRENCY.search(text) is not None


@lru_cache(1024)
def currency_named(text: str) -> str | None:
    """The code of the one currency beside the dollar that a caption names."""
    codes = {_CODES[found[1].lower()] for found in _CURRENCY.finditer(text)}
    return codes.pop() if len(codes) == 1 else None
