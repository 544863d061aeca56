"""Ways to ask a question again that change its wording and not what answers it.

Each is a function of the question alone: what it picks, it picks by the question's id, so that a deck can be written
anew on any machine. One that does not fit a question raises UnfitError with the reason, which is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from finrag.statistics.bootstrap import seed_of
from finrag.text.companies import GENERIC, LEGAL_FORMS, LINKS, NO_NAMES, Companies, core_of, key_of, tokens
from finrag.text.vocabulary import BE, DO
from finrag.text.words import STOP_WORDS
from finrag.text.years import YEAR_DIGITS

# Letters from which a word is spelt wrongly: a shorter one is soon another word.
TYPO_LETTERS = 5
ACRONYM_LETTERS = 4
# Written with a full stop that belongs to the name
ABBREVIATED_FORMS = frozenset("inc corp co ltd".split())

YEAR = rf"{YEAR_DIGITS}\b"
YEARS = rf"{YEAR}(?:, {YEAR})*(?:,? (?:and|or) {YEAR})?"
FISCAL = r"(?:fiscal (?:years? )?|FY ?)?"
NAMED_YEAR = re.compile(rf"\b(?:FY ?)?{YEAR}")
REPORTS = r"(?:Form )?10-Ks?(?: filings?)?|annual reports?|filings?|Risk Factors(?: section)?"
# What is called by its year, which cannot be left out: "its 2027 senior notes"
DATED = (
    r"(?![\w\s-]{0,30}?\b(?:notes?|debentures?|bonds?|plans?|acts?|agreements?|loans?|facilit(?:y|ies)|programs?"
    r"|warrants?)\b)"
)
# "its fiscal 2021 10-K", "Tarnwick's 2021 revenue", "the FY2018 capital expenditure"
YEAR_BEFORE = re.compile(
    rf"\b{FISCAL}{YEARS} (?=(?:{REPORTS}))|(?:(?<=['’]s )|(?<=\bits )|(?<=\btheir )){FISCAL}{YEARS} (?=[A-Za-z]){DATED}"
    rf"|(?<!\bof )(?<!\bin )(?<!\bfor )(?<!\bduring )\b(?:fiscal (?:years? )?|FY ?){YEARS} (?=[a-z]){DATED}"
)
# "In fiscal 2021, what …"
YEAR_FIRST = re.compile(rf"^(?:In|For|During) {FISCAL}{YEARS}, ")
# "… in fiscal 2020 and 2021", "… at the end of 2021", "… for the year ended December 31, 2021"; in "the decline in 2024
# sales" the preposition is that of the sales
YEAR_AFTER = re.compile(
    rf"(,? \b(?:as of the end of|at the end of|as of|in|for|of|during)) (?:the )?{FISCAL}(?:years? )?"
    rf"(?:ended (?:in |[A-Z][a-z]+ \d{{1,2}}, )?)?{YEARS}(?: ([a-z-]+))?"
)
# A year that another is held against cannot be left out.
YEAR_COMPARED = re.compile(
    r"\bcompar(?:e|ed|es|ing)\b"
    rf"|\b(?:than|versus|from|between|since|until|through|with|to) (?:in |for )?{FISCAL}{YEAR}",
    re.IGNORECASE,
)

ASKING = rf"(?:(?:to |by |on |in )?(?:what|which|whose|whom|who)|how|why|{DO}|{BE}|has|have)\b"
# One sentence, whatever stands in brackets
SAID = r"(?:[^:;?()]|\([^()]*\))"
# Phrases that may as well stand at the other end
LEADING = re.compile(
    r"^((?:In|For|During|At|According to|Comparing|Year by year)\b[^,:;?]*(?:, \d{4}[^,:;?]*)*), "
    rf"({ASKING}{SAID}*)\?$"
)
TRAILING = re.compile(
    rf"^({ASKING}{SAID}*?),? ((?:in|for|during|as of|at the end of) {FISCAL}{YEARS}"
    rf"|(?:in|for|during|at the end of) the {FISCAL}ended [A-Z][a-z]+ \d{{1,2}}, {YEAR}|according to [^,:;?]*"
    rf"|in (?:the|its|their) {FISCAL}{YEARS} (?:{REPORTS})(?: of [^:;?]*)?)\?$",
    re.IGNORECASE,
)


class UnfitError(Exception):
    """Why a question cannot be asked again in this way."""


@dataclass(frozen=True)
class Asked:
    """A question, and the companies of the warehouse (with their tickers by cik) that it may name."""

    question_id: str
    text: str
    companies: Companies
    tickers: dict[int, str]


def ticker(asked: Asked) -> str:
    """The ticker for the name, of every company that has one: "What revenue did TWKE report for fiscal 2021?" """
    return with_names(asked, asked.tickers.get, "no company named has a ticker")


def abbreviation(asked: Asked) -> str:
    """The shortest form of a name that only its company has.

    Initials of a name of three words or more, else its first word, else the name without its legal form.
    """

    def short(cik: int) -> str | None:
        name = asked.companies.written[cik]
        core = core_of(key_of(name))
        words = [word for word in core if word not in LINKS]
        initials = "".join(word[0] for word in words)
        if len(words) >= 3 and initials not in NO_NAMES and asked.companies.initials.get((initials,)) == {cik}:
            return initials.upper()
        spelt = {token.key: token.text for token in tokens(name)}
        # of "Johnson & Johnson" nobody says one
        if len(set(core)) == len(core) > 1 and asked.companies.short_names.get(core[:1]) == {cik}:
            return as_written(spelt[core[0]])
        whole = re.match(r"\W*".join(map(re.escape, map(spelt.get, core))), name, re.IGNORECASE)
        return None if whole is None else as_written(whole[0])

    return with_names(asked, short, "no company named has a shorter name")


def typo(asked: Asked) -> str:
    """One letter dropped, or two neighbours swapped, in a company's name or else in the longest word.

    Never the first letter, never in what holds a figure, once per question.
    """
    named = [asked.text[start:end] for _, start, end in names_in(asked)]
    places = [start for _, start, _ in names_in(asked)]
    words = [
        (place + found.start(), found[0])
        for place, text in zip(places, named, strict=True)
        for found in words_of(text)
        if found[0].lower() not in LEGAL_FORMS | GENERIC
    ]
    if not words:
        content = [(found.start(), found[0]) for found in words_of(asked.text) if found[0].lower() not in NO_NAMES]
        words = [max(content, key=lambda each: len(each[1]))] if content else []
    if not words:
        raise UnfitError(f"no word of {TYPO_LETTERS} letters")
    edits = [(start, word, edited) for start, word in words for edited in misspelt(word)]
    start, word, edited = edits[seed_of("typo", asked.question_id) % len(edits)]
    return asked.text[:start] + edited + asked.text[start + len(word) :]


def year_missing(asked: Asked) -> str:
    """Without its years, where none is held against another: what does a search do that must choose the year?"""
    if not NAMED_YEAR.search(asked.text):
        raise UnfitError("names no year")
    if YEAR_COMPARED.search(asked.text):
        raise UnfitError("years are compared")
    text = YEAR_AFTER.sub(without_year, YEAR_BEFORE.sub("", YEAR_FIRST.sub("", asked.text)))
    if NAMED_YEAR.search(text):
        raise UnfitError("a year cannot be taken out")
    return text[:1].upper() + text[1:]


def without_year(found: re.Match) -> str:
    """What is left of a match of YEAR_AFTER."""
    phrase, following = found.groups()
    if following is None:
        return ""
    is_whole = following in STOP_WORDS or " ended " in found[0]
    return f" {following}" if is_whole else f"{phrase} {following}"


def word_order(asked: Asked) -> str:
    """A phrase from the front at the end, or the other way round."""
    if moved := LEADING.match(asked.text):
        phrase, rest = moved.groups()
        return f"{rest[0].upper()}{rest[1:]}, {phrase[0].lower()}{phrase[1:]}?"
    moved = TRAILING.match(asked.text)
    if moved is None or re.search(r"\b(?:than|between|compared)\b", asked.text):
        raise UnfitError("no phrase can be moved")
    rest, phrase = moved.groups()
    return f"{phrase[0].upper()}{phrase[1:]}, {rest[0].lower()}{rest[1:]}?"


PERTURBATIONS: dict[str, Callable[[Asked], str]] = {
    each.__name__: each for each in (ticker, abbreviation, typo, year_missing, word_order)
}


def names_in(asked: Asked) -> Iterator[tuple[int, int, int]]:
    """cik, start and end of the companies' names in the text, whole or without legal form."""
    found, _ = asked.companies.find(asked.text)
    for mention in found:
        if mention.how == "name":
            is_open = asked.text[mention.end :].startswith(".") and asked.text[mention.end + 1 :].strip()
            is_short_form = tokens(mention.text)[-1].key in ABBREVIATED_FORMS
            yield mention.cik, mention.start, mention.end + bool(is_open and is_short_form)


def as_written(name: str) -> str:
    """A register's "APPLE" as people write it; what is so short may be initials, as MBIA is."""
    return name.title() if name.isupper() and len(name) > ACRONYM_LETTERS else name


def with_names(asked: Asked, name_of: Callable[[int], str | None], otherwise: str) -> str:
    """The text with what name_of has for a company in place of its name. Raises UnfitError where nothing changes."""
    parts, place = [], 0
    named = list(names_in(asked))
    if not named:
        raise UnfitError("names no company")
    for cik, start, end in named:
        name = name_of(cik)
        if name is None or key_of(name) == key_of(asked.text[start:end]):
            continue
        after = asked.text[end:]
        # the possessive of "Stores" is "Stores'", that of its ticker is not
        is_bare = re.match(r"['’](?!\w)", after) and asked.text[end - 1] == "s" and not name.endswith("s")
        parts += [asked.text[place:start], name, f"{after[0]}s" if is_bare else ""]
        place = end + bool(is_bare)
    if not parts:
        raise UnfitError(otherwise)
    return "".join(parts) + asked.text[place:]


def words_of(text: str) -> list[re.Match]:
    """Words of letters alone that can be spelt wrongly."""
    return list(re.finditer(rf"(?<![\w&-])[A-Za-z]{{{TYPO_LETTERS},}}(?![\w&-])", text))


def misspelt(word: str) -> list[str]:
    """Every way to drop a letter or to swap two that differ, but the first; each once."""
    dropped = [word[:place] + word[place + 1 :] for place in range(1, len(word))]
    swapped = [
        word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        for place in range(1, len(word) - 1)
        if word[place] != word[place + 1]
    ]
    return list(dict.fromkeys(dropped + swapped))
