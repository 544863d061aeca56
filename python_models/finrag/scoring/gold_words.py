"""Gold items of a list as words: which of them have to be said, in which order of names and which direction."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.amounts import MONTH
from finrag.text.companies import LEGAL_FORMS
from finrag.text.directions import HIGHER, LOWER
from finrag.text.stems import stem
from finrag.text.vocabulary import (
    ARTICLES,
    AT,
    BE,
    CAN,
    DEMONSTRATIVES,
    DO,
    HAVE,
    LIMITS,
    MAY,
    PARTS,
    PLACES,
    PREPOSITIONS,
    TIMES,
    WILL,
    members,
)
from finrag.text.words import SMALL_WORDS, normalised
from finrag.text.years import YEAR_DIGITS

WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)+|\d(?:[\d,]*\d)?(?:\.\d+)?(?![^\W_])|[^\W_]+(?:['’][^\W\d_]+)?")
SMALL = (
    SMALL_WORDS
    | members(DEMONSTRATIVES)
    | frozenset(
        """
    his her it been being that s such certain any some both various related recognized associated due resulting driven
    based
    """.split()
    )
)
# Words of a company's name that it may have or not.
FORMS = LEGAL_FORMS | frozenset(
    """
    l p nv sa ag group holdings holding technologies technology systems solutions industries communications
    pharmaceuticals laboratories stores software gmbh llp pty bv ab oy kg se spa ratings investors service board
    """.split()
)
UP = members(HIGHER, "increase|increased|increases|increasing|rose|stronger")
DOWN = members(LOWER, "decrease|decreased|decreases|decreasing|declining|fell|weaker")
# Words that filings use for one another.
SAME = {
    word: words.split()[0]
    for words in (
        "spending spend expenditure expenditures outlays", "cost costs expense expenses", "revenue revenues sales",
        "headcount staff personnel employees workforce", "store stores shops", "labor labour", "prices price pricing",
        "customers customer clients", "program programs programme programmes", "regulation regulations regulatory",
        "center centers centre centres", "ads advertising advertisement advertisements",
        "opening openings opened", "rate rates", "issuance issuances issued issuing",
        "loss losses lose loses losing lost",
        "sale sold selling sell disposal disposals disposition divestiture divestitures",
        "exploration explore explores exploring", "production produce produces producing",
        "expansion expand expanding expanded", "repay repays repaid repaying repayment repayments",
        "invest invests invested investing investment investments", "develop develops developed developing development",
        "improve improves improved improving improvement improvements", "terminate terminated terminating termination",
        "interrupt interrupts interrupted interruption interruptions",
        "disrupt disrupts disrupted disruption disruptions",
        "renegotiate renegotiated renegotiating renegotiation", "close closed closes closing closure closures",
        "reduce reduces reduced reducing", "interfere interferes interference", "fail fails failed failure failures",
        "amortize amortized amortization", "compete competes competition competitive", "volatile volatility",
        "transform transforms transforming transformation", "integrate integrated integrating integration",
        "retain retains retaining retained retention", "recruit recruiting recruitment", "hire hires hired hiring",
        "pay pays paid paying payment payments",
        "equity equities", "refinance refinanced refinancing", "automate automated automation",
        "acquisition acquisitions acquire acquiring acquired",
        "repurchase repurchases repurchased repurchasing buyback buybacks", "share shares stock",
        "debt debts indebtedness borrowings",
        "favorable favourable", "unfavorable unfavourable adverse", "currency exchange",
    )
    for word in words.split()
}  # fmt: skip
# What a wording may say more without saying anything else: "reduced production volumes" is "reduced production".
VAGUE = frozenset("volume volumes level levels issue issues matter matters factor factors pressures".split())
THREATS = frozenset("attack attacks threat threats incident incidents risk risks event events".split())
GENERIC = VAGUE | THREATS | {"charge", "charges"}
# Nouns that may follow an item and leave it what it is.
HEADS = frozenset(
    """
    product products revenue revenues sales cost costs expense expenses segment segments business businesses
    operations prices spending increases growth charges charge impact impacts effects efforts initiatives
    services system brand brands division divisions purposes programming income losses payments activities market
    fluctuation fluctuations movement movements volatility exposure exposures swings variations
    markets platform region regions state states industry industries sector sectors category categories
    quarter quarters securities
    """.split()
) | GENERIC  # fmt: skip
FUNCTION = members(PREPOSITIONS, LIMITS, TIMES, PLACES, PARTS, BE, HAVE, CAN, WILL, MAY) | frozenset(
    """
    as with and or which that who because did does when where while respectively alone only also too about until within
    along including into via against without not but if whose
    """.split()
)
SEPARATOR = re.compile(
    r"\s/\s|,?\s+(?:as\swell\sas|together\swith|along\swith|in\saddition\sto|plus|and/or|and|or|&)\s+(?:also\s)?|,\s+",
    re.I,
)
VERB = re.compile(
    rf"\b(?:{BE}|{HAVE}|{WILL}|{MAY}|{CAN}|{DO}|rose|fell|grew|drove|led|contributed|accounted|"
    r"represented|represents|reported|reports|said|says|states?|stated|noted|notes|cites|cited|names|named|remains|remained|became|makes|made|"
    r"helped|declined|decreased|totaled|operates|provides|began|gave|explains?|explained|follow(?:s|ed)?|faces?|sells?|combined|contributing)\b",
    re.I,
)
TOWN_IN = re.compile(
    r"(?P<town>[A-Z][\w.'’ -]+),\s(?P<land>(?!Inc|Corp|Ltd|LLC|L\.P)[A-Z][\w. ]+)"
)  # "Memphis, Tennessee"
END_OF_PHRASE = re.compile(
    rf"\s(?:{VERB.pattern}|\b(?:{PARTS}|{AT}|as|that|which|who|with|during|also|respectively|because|due)\b)",
    re.I,
)
LETTERS_OF_WORDS = re.compile(rf"(?!(?:{ARTICLES}|{PREPOSITIONS}|and|as|or|with)\b)[^\W\d_]+(?:&[^\W\d_]+)*", re.I)
FIGURE = re.compile(rf"[$€£]\s?\d|\d\s?(?:%|percent|thousand|million|billion)|\b{YEAR_DIGITS}\b|^\d[\d,.]*\b(?!-)")
UNITS = re.compile(r"(?<=\d)\s?(?:thousand|million|billion|trillion|percent|%)|\bfiscal\b|\bFY\b", re.I)
MONTH_YEAR = re.compile(rf"{MONTH}\s{YEAR_DIGITS}", re.I)
LETTERS = re.compile(r"[^\W\d_]+")
PAREN = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True)
class Word:
    key: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Gold:
    place: int
    text: str
    keys: tuple[str, ...]  # what has to be said
    optional: frozenset[str]
    sign: int
    is_name: bool
    joints: int  # separators within it


@lru_cache(maxsize=4096)  # each word of a sentence is held against each item
def initials(word: str) -> str:
    """Its letters in lower case where they may stand for words, "R&D" or "DoD"; an empty text otherwise."""
    letters = re.sub(r"\W", "", word)
    # of "DoD" the small letter is that of a small word
    is_short = letters.isupper() or re.fullmatch(r"[A-Z]+o[A-Z]+", letters)
    return letters.lower() if is_short and 2 <= len(letters) <= 5 else ""


def abbreviates(short: str, long: str) -> bool:
    letters = initials(short)
    if not letters:
        return False
    words = [
        word
        for word in normalised(re.sub(r"^(?:the\s|U\.?S\.?\s|United\sStates\s)+", "", long)).split()
        if word != "and"
    ]
    spelt = {"".join(word[0] for word in words), "".join(word[0] for word in words if word not in SMALL)}
    return letters in spelt


def applies(wanted: Sequence[str]) -> bool:
    """Whether items are words: bare amounts and years, and what has a heading of its own, finrag.text.items reads."""
    return all(
        ": " not in item and len(LETTERS_OF_WORDS.findall(UNITS.sub("", item))) > bool(FIGURE.search(item))
        for item in wanted
    ) or all(MONTH_YEAR.fullmatch(item) for item in wanted)


DEMONYMS = dict(
    pair.split(":")
    for pair in "turkish:turkey british:kingdom french:france german:germany swiss:switzerland dutch:netherlands "
    "spanish:spain polish:poland chinese:china japanese:japan argentine:argentina swedish:sweden danish:denmark "
    "irish:ireland brazilian:brazil canadian:canada mexican:mexico indian:india korean:korea russian:russia "
    "italian:italy australian:australia".split()
)
LETTERS_OF_KEY = 7  # Medicare is not Medicaid


def key_of(word: str) -> str:
    word = normalised(word)
    word = DEMONYMS.get(word, word)
    return stem(SAME.get(word, word), LETTERS_OF_KEY) if not word[:1].isdigit() else word


@lru_cache(maxsize=4096)  # a sentence is searched several times, a gold item beside each of its answers
def words_of(text: str) -> tuple[Word, ...]:
    return tuple(Word(key_of(match[0].replace(",", "")), match[0], *match.span()) for match in WORD.finditer(text))


@lru_cache(maxsize=4096)
def small(word: str) -> bool:
    return word.lower() in SMALL


def sign_of(words: Sequence[str]) -> set[int]:
    return {1 if word.lower() in UP else -1 for word in words if word.lower() in UP | DOWN}


def gold_of(place: int, text: str, asked: set[str]) -> Gold:
    aside = {word.key for match in PAREN.finditer(text) for word in words_of(match[1])}  # "gain (loss) from ..."
    bare = PAREN.sub(" ", text)
    words = [word for word in words_of(bare) if not small(word.text)] or words_of(text)
    capitals = [word.text[:1].isupper() or word.text[:1].isdigit() for word in words]
    is_name = all(capitals) and any(word.text[:1].isupper() for word in words)
    signs = set() if is_name else sign_of([word.text for word in words])
    undirected = words if is_name else [word for word in words if word.text.lower() not in UP | DOWN] or words
    spare = {word.key for word in undirected if word.text.lower() in GENERIC}
    if is_name:
        spare = {word.key for word in itertools.takewhile(lambda word: word.text.lower() in FORMS, reversed(words))}
        if town := TOWN_IN.fullmatch(text):
            spare |= {word.key for word in words_of(town["land"])} - {word.key for word in words_of(town["town"])}
    if not is_name and len(undirected) > 1 and words[-1].key in asked:
        spare |= {words[-1].key}  # "RMBS" among the losses that are asked for
    if not is_name and words[-1].text.lower() in HEADS and len(undirected) > (1 if signs else 2):
        spare |= {words[-1].key}
    keys = [word.key for word in undirected if word.key not in spare]
    is_telling = any(len(word.text) > 9 for word in undirected if word.key not in spare)  # "impairment charges"
    if len(keys) < (1 if is_name or signs or is_telling or words[-1].key in asked else 2):
        keys, spare = [word.key for word in undirected], set()
    return Gold(
        place, text, tuple(keys), frozenset(spare | aside - set(keys)), signs.pop() if len(signs) == 1 else 0, is_name,
        len(SEPARATOR.findall(text)),
    )  # fmt: skip


@dataclass(frozen=True)
class Mention:
    place: int
    start: int
    end: int
