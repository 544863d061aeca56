"""Which of an answer's figures of the wanted unit it gives: those that it names final, else of the question's year."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from finrag.scoring.figure_years import cell_of, heads_of_columns, years_beside
from finrag.text.amounts import PERCENT, POINTS, Amount, parse_years
from finrag.text.directions import COMPARATIVES, ENDING, FALLS, FELL, RISES, ROSE
from finrag.text.stems import stem
from finrag.text.vocabulary import APPROXIMATELY, BE, DO, HAVE
from finrag.text.words import before, content_words
from finrag.text.years import YEAR_DIGITS

# Binary fractions: 0.1 + 0.2 differs from 0.3 by 4e-17. Far below any digit that a filing states.
RELATIVE_EPSILON = 1e-9

FINAL = re.compile(
    r"\b(?:final\s(?:answer|figure|result)|answer(?=\s*(?:is|:))|correction|(?:the|its)\s(?:correct|right|actual|true)\s(?:figure|number|value|amount)\s(?:is|was)|actually,?\s(?:it|the)|to\scorrect|more\sprecisely"
    r"|(?:so|thus|therefore|hence),?\s(?:the|its)\s(?:total|answer|result|change|figure|correct\w*)|the\stotal\s(?:is|was|comes)"
    r"|in\stotal(?!\s[a-z])|altogether|i\.e\.|equals|(?:adds?|sums?)\s(?:up\s)?to|adding\s[\w\s]{2,20}\s(?:gives|yields|makes)"
    r"|for\sa\stotal\sof|leaving\s(?:an?|the)?\s?(?:\w+\s){0,2}(?:balance|total|net)\s(?:\w+\s)?of)|(?<=[\d)%a-z])\s?[=≈]",
    re.I,
)
ADDS_UP = re.compile(r"in\stotal|altogether|i\.e\.|equals|adds?\s|sums?\s|for\sa\stotal", re.I)
NAMES_ANSWER = re.compile(
    r"final|answer|actually|(?:the|its)\s(?:correct|right|actual|true)|(?:to\s)?correct|more|so|thus|therefore|hence|i\.e\.",
    re.I,
)
SUMMED_UP = re.compile(r"[,(-]\s?(?:or\s|representing\s)?an?\s(?:[\w-]+\s){1,3}of\s(?:\w+ly\s|about\s)?$", re.I)
TOTAL_ROW = re.compile(r"^[ \t|•*-]*total\s?[|:=][^\n]*", re.I | re.M)  # of a table or a list
# What a sentence concludes with, if the words before the figure are the question's but for one.
THEREFORE = re.compile(r",\s(?:so|thus|therefore|resulting\sin|yielding|giving|for)\b", re.I)
# Weaker: a sentence that concludes names a figure final, unless it is a change where a level is asked for.
CONCLUDING = re.compile(
    r"(?:^|[.!\n]\s*)(?:so|thus|therefore|hence|consequently|accordingly|in\s(?:short|summary|conclusion)|overall)\b,?",
    re.I,
)
HEDGE = re.compile(
    r"\b(?:either|or|maybe|possibly|perhaps|might|could|alternatively|others(?!,?\sin\s(?:all|total)))\b", re.I
)
# "Revenue rose 9%, or 11% at constant currency": one thing told twice, as reported first.
ON_ANOTHER_BASIS = re.compile(
    r"[\s*]*(?:excluding|before|adjusted|organically|(?:net|exclusive) of|without|on an? (?:[\w-]+ ){1,3}basis"
    r"|(?:at|in) (?:constant|local)|(?:with|when) [^.;]{0,40}\b(?:excluded|removed|(?:taken|left|stripped) out))\b",
    re.I,
)
# What follows is there to compare with, and no answer; unless the question asks for its year.
COMPARISON = re.compile(
    r"(?:\b(?:not|rather\sthan|instead\sof|from|compared\s(?:to|with)|versus|vs\.?|against|than|relative\sto|(?:prior|previous|preceding)[\s-]year(?:['’]s)?"
    r"(?:\s\w+){0,2}:?)|n['’]t)\s(?:about\s|approximately\s|an?\s|\w+\s(?:loss|income|profit)\s(?:of\s)?)*[$€£(-]*$",
    re.I,
)
# What is denied is no answer, even where nothing else is given: "was not $5 million", "did not report a loss of $5".
DENIED = re.compile(
    rf"\b(?:{BE})(?:\snot|n['’]t)\s(?:(?:{APPROXIMATELY})\s)?[$€£(]*$"
    rf"|\b(?:{DO})(?:\snot|n['’]t)\s(?:report|state|record|post|have|earn|generate)\s"
    r"(?:(?!but\b|until\b|only\b)[\w'’():,&-]+\s){0,14}of\s[$€£(]*$",
    re.I,
)
# "~~$5 million~~ $6 million" and what reports say against the answer
STRUCK = re.compile(r"~~[$€£(-]*$|\bcontrary\sto\s[^.;,\d]*$", re.I)
# "no more than 3.75 times" states a limit.
LIMIT = re.compile(r"\b(?:no|not)\s(?:more|less|greater|higher|lower|fewer)\sthan\s[$€£(]*$", re.I)
# "82% is not" of what is asked for.
IS_NOT = re.compile(r"\s*(?:is|are|was|were|do|does|did)(?:\snot|n['’]t)\b(?=\W*$|[.,;]|\s(?:so|and)\b)", re.I)
GO = r"(?:go(?:es|ne|ing)?|went|c[oa]me|coming|edged?|ticked)(?: \w+)?"
ASKS_CHANGE = re.compile(
    r"\b(?:chang|differ|effect|impact|affect|contribut|sav|exceed|surpass|outpac|climb|jump|slid|swell)\w*"
    rf"|\b(?:{RISES}|{FALLS}|(?:{ROSE}|{FELL}|slip|plung|surg|widen|narrow){ENDING})"
    r"|\bnet\s(?:new|additions?)\b|(?<!value[- ])\badded\b|\bhow\s(?:far|did)\b[^?]*\bmove[ds]?\b"
    rf"|\b(?:{COMPARATIVES}|bigger|{GO} (?:up|down))\b",
    re.I,
)
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
OUT_OF = re.compile(r"\s(?:out\s)?of\s(?:its\s|the\s|a\stotal\s(?:of\s)?)?", re.I)
ONE_OF_BOTH = re.compile(
    r"\bit(?:\sis|['’]s|\scould\sbe)\s(?:either|one\sor\sthe\sother|one\sof\sthe(?:se)?)\b|\b(?:cannot|can['’]t|can\snot)\s(?:tell|say)\swhich",
    re.I,
)
# "in 2023, compared with 2022"
COMPARED_YEAR = re.compile(
    rf"\b(?:compared\s(?:to|with)|versus|vs\.?|relative\sto|against|than(?:\sin)?)\s(?:(?:fiscal|the|year|in)\s){{0,3}}(?:FY\s?)?{YEAR_DIGITS}\b",
    re.I,
)
HOW_MANY = re.compile(
    r"\b(?:how many|(?:the )?(?:total )?number of)\s"
    rf"(?P<noun>(?:(?!(?:{DO}|{BE}|{HAVE}|in|at|of|the)\b)[\w-]+\s?){{1,5}})",
    re.I,
)
COUNTED_WORDS = re.compile(r"(?:\s+(?!(?:and|or)\b)(?:(?:[A-Z]\.)+|[a-z-]+)){1,4}", re.I)
YEAR_BEFORE = re.compile(
    r"\s(?:(?!and\b)[a-z]+\s){0,3}?(?:year\s(?:before|earlier|ago)|(?:prior|previous|preceding)[\s-](?:fiscal\s)?year)\b",
    re.I,
)
QUARTER = re.compile(r"\bquarter(?:ly|s)?\b|\bQ[1-4]\b", re.I)
A_QUARTER = r"(?:(?:first|second|third|fourth|final|last|most\srecent)[\s-]quarter|Q[1-4]|(?<=\bthe\s)quarter)\b"
OF_QUARTER = re.compile(rf"\s*(?:in|for|during|of)\s(?:the\s)?{A_QUARTER}", re.I)
MONTHS_OF_YEAR = r"\b(?:three|six|nine|3|6|9)\smonths\send(?:ed|ing)\b"
# Neither a balance at the end of a quarter nor the sum of the quarterly figures.
QUARTER_OF_YEAR = (
    rf"\b(?<!end\sof\s)(?<!end\sof\sthe\s)(?:{A_QUARTER}"
    r"|quarterly\b(?!\s(?:data|figures|results|amounts|numbers|reports|totals|filings)|[^.;\n]{0,60}\b(?:summed|sums?|add|totall?ed)\b))"
)
QUARTER_OF_FISCAL = re.compile(
    rf"(?:(?<=quarter)|(?<=Q[1-4]))\s(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?(?:{YEAR_DIGITS})?", re.I
)
# What runs up through a year, so that a quarter's is not the year's; a charge of the fourth quarter is.
RUNNING = re.compile(
    r"\b(?:revenues?|sales|turnover|income|profits?|earnings|EPS|earned|expenses?|costs?|expenditures?|capex|spen[dt]"
    r"|cash\s(?:flows?|provided|used|generated))\b",
    re.I,
)
ONCE = re.compile(
    r"\b(?:charge|impair|writ(?:e|ten|ing)-?\s?(?:off|down)|gains?\b|settle|acqui|one-time|award)\w*", re.I
)
BRACKETS = re.compile(r"\([^()]{0,400}\)")
IN_TURN = re.compile(r"(?P<more>\s+and\s+[$€£]?\d[\d.,]*\w*)?[^.;\n\d]{0,30}\brespectively\b", re.I)
SHARE_KIND = re.compile(r"\b(basic|diluted)\b", re.I)


def meant_by(candidates: Sequence[Amount], amounts: Sequence[Amount], text: str, question: str | None) -> list[Amount]:
    """The figures of the wanted unit that the answer gives: those named final, else those of the question's year, else
    all but what it compares with.
    """
    candidates = [
        amount
        for amount in candidates
        if not DENIED.search(before(text, amount.start)) and not STRUCK.search(before(text, amount.start))
    ]
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
        candidates = of_row
    is_first = bool(amounts) and not text[: amounts[0].start].strip()
    is_total_asked = bool(re.search(r"\b(?:total|sum|combined|altogether|overall)\b", question or "", re.I))
    for marker in reversed(list(FINAL.finditer(text))):
        if is_first and not is_total_asked and ADDS_UP.match(marker[0]):
            continue  # "$5 million. With the current portion, debt equals $6 million."
        if marker[0].lower() in ("in total", "altogether"):  # "$1.85B in total: $1.2B of notes and $0.65B of loans"
            summed = [amount for amount in candidates if amount.end <= marker.start()][-1:]
            if summed and not text[summed[0].end : marker.start()].strip(" ,"):
                return summed
        final = [amount for amount in candidates if amount.start >= marker.end()]
        first = next((amount for amount in amounts if amount.start >= marker.end()), None)
        if final and (first in candidates or NAMES_ANSWER.match(marker[0])):  # "for a total of $4 million; 2 shares"
            final = [amount for amount in final if not is_compared(amount, text)] or final
            return of_asked_year(final, amounts, text, question or "")
    if ASKS_SHARE.search(question or "") and not ASKS_CHANGE.search(question):
        candidates = [amount for amount in candidates if not amount.is_change]
    is_of_percent = any(amount.unit in (PERCENT, POINTS) for amount in candidates)
    if question and not ASKS_CHANGE.search(question) and not is_of_percent:
        candidates = [amount for amount in candidates if not amount.is_change]
    for marker in CONCLUDING.finditer(text):
        if final := [amount for amount in candidates if amount.start >= marker.end()]:
            return final
    for marker in () if is_first and not is_total_asked else THEREFORE.finditer(text):
        first = next((amount for amount in candidates if amount.start >= marker.end()), None)
        lead = text[marker.end() : first.start] if first else "."
        if not re.search(r"[\d.;]|\b(?:would|could)\b", lead) and len(stems(lead) - stems(question or "")) <= 1:
            return [first]
    candidates = of_asked_year(candidates, amounts, text, question or "")
    return [amount for amount in candidates if not is_compared(amount, text)] or list(candidates)


def of_asked_year(candidates: Sequence[Amount], amounts: Sequence[Amount], text: str, question: str) -> list[Amount]:
    """The figures of the one year that a question names, else those of none, else all."""
    asked = {year.value for year in parse_years(COMPARED_YEAR.sub(" ", question))}
    if len(asked) != 1:
        return list(candidates)
    # "1,127 at the end of 2022, versus 1,089 the year before"
    candidates = [a for a in candidates if a.is_change or not YEAR_BEFORE.match(text[a.end :])]
    years = years_beside(amounts, text)
    asks_change = bool(ASKS_CHANGE.search(question))
    of_year = [a for a in candidates if years[a] in asked or (asks_change and is_summed_up(a, years[a], text))]
    return of_year or [amount for amount in candidates if years[amount] is None] or list(candidates)


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


def sums(amounts: Sequence[Amount]) -> list[Amount]:
    """The figures that all figures before them, two or more, add up to, within one of the last digit."""
    total = 0.0
    found = []
    for place, amount in enumerate(amounts):
        allowed = 2 * amount.rounding + slack((total, amount.value))
        if place > 1 and amount.unit == amounts[place - 1].unit and abs(amount.value - total) <= allowed:
            found.append(amount)
        total += amount.value
    return found


def of_the_year(candidates: Sequence[Amount], text: str, question: str | None) -> list[Amount]:
    """Without figures of a quarter beside others, where the question names none: "$4 million in the fourth quarter and
    $15 million for the full year"; nor, even alone, those of months where a fiscal year is asked for, and those of a
    quarter where what is asked for runs up through the year."""
    question = question or ""
    if QUARTER.search(question):
        return list(candidates)
    asks_year = re.search(r"\b(?:fiscal|year)\b", question, re.I) and not re.search(r"\bmonths\b", question, re.I)
    is_running = RUNNING.search(question) and not ONCE.search(question)
    parts = [MONTHS_OF_YEAR, QUARTER_OF_YEAR] if is_running else [MONTHS_OF_YEAR]
    for part in parts if asks_year else ():
        candidates = [amount for amount in candidates if not is_of_part(amount, candidates, text, part)]

    def is_quarters(amount: Amount) -> bool:
        clause = re.split(r"[.;,\n]\s|\d|\b(?:and|but|while)\b", before(text, amount.start))[-1]
        return bool(OF_QUARTER.match(text[amount.end :]) or QUARTER.search(clause))

    return [amount for amount in candidates if not is_quarters(amount)] or list(candidates)


def is_of_part(amount: Amount, candidates: Sequence[Amount], text: str, part: str) -> bool:
    """Whether a figure is said of a part of a year: "For the nine months ended June 30, 2024 sales were $4 million"."""
    after = re.compile(rf"\s*(?:in|for|during|over|of)\s(?:the\s)?(?:first\s)?{part}", re.I)
    if after.match(text, amount.end):
        return True
    lead = QUARTER_OF_FISCAL.sub(lambda match: " " * len(match[0]), before(text, amount.start))
    lead = re.split(
        r"[.;\n]\s|\b(?:but|while|fiscal|year)\b|,\s(?:and|with)\s|\band\s(?=[$€£]?\d|[$€£]?$)", lead, flags=re.I
    )[-1]
    *_, named = None, *re.finditer(part, lead, re.I)
    if not named:
        return False
    start = amount.start - len(lead) + named.end()
    others = [other for other in candidates if other.start < amount.start]
    taken = (match.end() for other in others if (match := after.match(text, other.end)))
    return not any(other.start >= start for other in others) and start not in taken


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
    """Of earnings per share: "$2.41 basic", else what heads its column, else the last one named before the amount."""
    if after := re.match(r"\s\(?(basic|diluted)\b(?!:|\s(?:EPS|earnings|was|is))", text[amount.end :], re.I):
        return after[1].lower()
    row, column = cell_of(amount, text)
    if head := kinds_of_columns(text).get(row, {}).get(column):
        return head.lower()
    found = SHARE_KIND.findall(re.split(r"[;\n]|\.\s", before(text, amount.start))[-1])
    if len(found) == 2 and (pair := IN_TURN.match(text[amount.end :])):  # "basic and diluted EPS were $2 and $1.9"
        return found[0 if pair["more"] else 1].lower()
    return found[-1].lower() if found else None


@lru_cache(maxsize=64)  # asked of each amount of a text
def kinds_of_columns(text: str) -> dict[int, dict[int, str]]:
    return heads_of_columns(text, SHARE_KIND.findall)


def is_compared(amount: Amount, text: str) -> bool:
    lead = before(text, amount.start)
    is_beside = COMPARISON.search(lead) and not LIMIT.search(lead)
    return bool(is_beside or IS_NOT.match(text[amount.end :]))


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


def slack(ends: tuple[float, float]) -> float:
    return RELATIVE_EPSILON * max(map(abs, ends))
