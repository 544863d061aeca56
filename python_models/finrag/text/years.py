"""Which fiscal years a question names."""

from __future__ import annotations

import re

FIRST_YEAR, LAST_YEAR = 1993, 2099
LONGEST_RANGE = 40

FISCAL = r"(?:fiscal(?:\s+years?)?|FYs?|years?|calendar)"
YEAR_DIGITS = r"(?:19|20)\d\d"
# What may stand between a figure and its year: "$5 million for the fiscal year ended 2019".
BESIDE_YEAR = "in|for|during|of|the|fiscal|calendar|years?|ended|annual|at|end|as"
MONTHS = tuple("january february march april may june july august september october november december".split())
MONTH_OF = {month[:3]: month for month in MONTHS} | {"sept": "september"}
DASH = r"[-–—/]"

# Four digits that are no year of a filing: amounts, counts, standards, and when a debt falls due.
NO_YEAR = re.compile(
    rf"[$€£]\s?{YEAR_DIGITS}\b(?:\.\d+)?"
    rf"|\b\d[\d,]*,{YEAR_DIGITS}\b"
    rf"|\b{YEAR_DIGITS},\d{{3}}\b"
    rf"|\b{YEAR_DIGITS}\.\d"
    rf"|\b{YEAR_DIGITS}\s*(?:%|(?:million|billion|thousand|shares|employees|stores|units|basis|points|locations)\b)"
    rf"|\b(?:ASU|ASC|SFAS|FAS|SAB|No\.?)\s*(?:No\.?\s*)?{YEAR_DIGITS}(?:-\d+)?"
    rf"|\b(?:due|maturing|mature|matures|expiring|expire|expires)\s+(?:in\s+)?(?:[A-Z][a-z]+\s+)?{YEAR_DIGITS}\b"
    rf"(?:\s*(?:{DASH}|to|and|through)\s*{YEAR_DIGITS}\b)?"
    rf"|\b(?:Act|Plan|Agreement|Notes|Accord)\s+of\s+{YEAR_DIGITS}\b"
    rf"|\b{YEAR_DIGITS}\s+(?:[A-Z][a-z]+\s+)?(?:Act|Plan|Notes|Agreement|Debentures)\b",
)
SHORT_FISCAL = re.compile(
    rf"\bFYs?\s?[’']?(\d\d)(?!\d)(?:\s*(?:{DASH}|to|through)\s*(?:FY\s?)?[’']?(\d\d)(?!\d))?", re.I
)
RANGE = re.compile(
    rf"\b({YEAR_DIGITS})\s*(?:{DASH}|to|through|thru|until|till)\s*(?:the\s+)?(?:{FISCAL}\s*)?({YEAR_DIGITS}|\d\d)\b",
    re.I,
)
BETWEEN = re.compile(
    rf"\bbetween\s+(?:the\s+)?(?:{FISCAL}\s*)?({YEAR_DIGITS})\s+and\s+(?:the\s+)?(?:{FISCAL}\s*)?({YEAR_DIGITS})\b",
    re.I,
)
SINGLE = re.compile(rf"(?<![\d.]){YEAR_DIGITS}(?!\d)")
# "the fiscal year ended February 2, 2025": of the year in which it ends
ENDED = re.compile(
    rf"\b(?:fiscal\s)?years?\sended\s(?:in\s|(?:on\s)?(?:{'|'.join(MONTHS)})\s\d{{1,2}},?\s)({YEAR_DIGITS})\b", re.I
)
# One that many retailers call by the year before.
ENDED_EARLY = re.compile(rf"\b(?:the\s)?fiscal\syear\sended\s(?:January|February)\s\d{{1,2}},\s({YEAR_DIGITS})\b", re.I)
FY_YEAR = re.compile(rf"\bFYs?(?={YEAR_DIGITS})", re.I)


def find_years(text: str) -> tuple[list[int], list[str]]:
    """Years in ascending order, and the parts of the text that named them. A range means every year in it."""
    years: set[int] = set()
    parts: list[str] = []
    rest = FY_YEAR.sub(lambda found: " " * len(found[0]), text)
    rest = NO_YEAR.sub(_blank, rest)

    def take(found: re.Match, first: int, last: int) -> str:
        if not FIRST_YEAR <= first <= last <= LAST_YEAR or last - first > LONGEST_RANGE:
            return found[0]
        years.update(range(first, last + 1))
        parts.append(text[found.start() : found.end()])
        return _blank(found)

    rest = SHORT_FISCAL.sub(lambda found: take(found, _century(found[1]), _century(found[2] or found[1])), rest)
    rest = BETWEEN.sub(lambda found: take(found, *sorted((int(found[1]), int(found[2])))), rest)
    rest = RANGE.sub(lambda found: take(found, int(found[1]), _full(found[2], int(found[1]))), rest)
    rest = ENDED.sub(lambda found: take(found, int(found[1]), int(found[1])), rest)
    SINGLE.sub(lambda found: take(found, int(found[0]), int(found[0])), rest)
    return sorted(years), parts


def as_answered(question: str, answer: str) -> str:
    """The question with the years that it names by their ends as the answer calls them: the one that ended on February
    2, 2025 is its fiscal 2025 or, where the answer speaks of 2024 and of no later year, its fiscal 2024."""
    last = max(map(int, ENDED_EARLY.findall(question)), default=0)
    is_by_end = re.search(rf"\b(?:fiscal\s(?:years?\s)?|FY\s?){last}\b", answer, re.I)
    if not last or not (is_by_end or max(find_years(answer)[0], default=0) == last - 1):
        return question
    return ENDED_EARLY.sub(lambda found: f"fiscal {int(found[1]) - (0 if is_by_end else 1)}", question)


def _blank(found: re.Match) -> str:
    return " " * len(found[0])


def _century(digits: str) -> int:
    return (1900 if int(digits) >= FIRST_YEAR - 1900 else 2000) + int(digits)


def _full(digits: str, first: int) -> int:
    """ "2018-19" ends in 2019."""
    return int(digits) if len(digits) == 4 else first // 100 * 100 + int(digits)
