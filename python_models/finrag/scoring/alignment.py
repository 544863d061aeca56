"""Gold items looked for in an answer: a second reading of list answers, for prose that surrounds or words its list.

finrag.text.items cuts an answer into items, which words around a list can spoil. Here the answer is not cut: each gold
item is aligned with words of it (its content words close together, names in order, numbers equal, no opposite
direction, not denied), and what stands in the same enumeration, bullets or rows without belonging to any gold item
is a further item. What explains, dates or introduces the list is in no enumeration and counts as nothing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from finrag.scoring.turned import turned_round
from finrag.text.acts import is_of_another_phase, is_undone
from finrag.text.amounts import MONTH
from finrag.text.companies import LEGAL_FORMS
from finrag.text.directions import HIGHER, LOWER
from finrag.text.items import BULLET, FURTHER_PREDICATE, REMARK, RULE, TITLE, unwrapped_items, without_citations
from finrag.text.places import STATES
from finrag.text.stems import stem
from finrag.text.vocabulary import (
    ARTICLES,
    AT,
    BE,
    CAN,
    DEMONSTRATIVES,
    DO,
    HAVE,
    LEGAL,
    LIMITS,
    MAY,
    NAMING,
    PARTS,
    PERSONS,
    PLACES,
    POSSESSIVES,
    PREPOSITIONS,
    TIMES,
    WILL,
    members,
)
from finrag.text.words import REACH, SMALL_WORDS, normalised, sentences
from finrag.text.years import MONTHS, YEAR_DIGITS

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
CUT = members("cut|cuts|drop|drops")  # after what was cut
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
BOUNDARY = re.compile(
    r";|:(?=\s|$)|\s[–—-]{1,2}\s|—|(?<=[a-z\d)\]%]{2})[.!?](?=\s|$)"
    r"|,?\s(?:while|whereas|although|though|but|however|albeit|partially\soffset|partly\soffset|offset|compared\s(?:with|to)|versus)\b"
    r"|,\s(?=(?:which|who|whose|where|with\s(?:the|each|both|all|its|most)|as\s(?!well)|reflecting|indicating|bringing|making|resulting|according|each|none|all\sof|both\sof|some\sof)\b)"
    rf"|,?\s(?:and|so)\s(?=(?:{PERSONS}|{DEMONSTRATIVES}|that|the\s(?:company|filing|firm|10-K|notes?))\s)",
    re.I,
)
CONTRAST = re.compile(r"while|whereas|although|though|but|however|albeit", re.I)
OFFSET = re.compile(r"offset|compared|versus", re.I)
PAIR = re.compile(r"^(.*), (.*?)([\s.]*)$")
STATE_OF_TOWN = re.compile(rf"(?<=[a-z]), ((?i:{'|'.join(STATES)}))\b(?=,|;|\s|\.|$)")
SEPARATOR = re.compile(
    r"\s/\s|,?\s+(?:as\swell\sas|together\swith|along\swith|in\saddition\sto|plus|and/or|and|or|&)\s+(?:also\s)?|,\s+",
    re.I,
)
DENIAL = re.compile(
    r"\b(?:not(?!\s(?:only|just|merely|limited))|no(?!\.)|never|neither|nor|cannot|none)\b|n['’]t\b", re.I
)
EXCLUSION = re.compile(
    r"\b(?:leav(?:es?|ing)\sout|left\sout|omit\w*|without|excluding|excluded?s?|except|other\sthan|rather\sthan|instead\sof|unlike|besides|aside\sfrom|apart\sfrom)\b"
    r"(?![^,]*,(?=.*\w{3}))",
    re.I,
)
# "having sold B in 2016": it was one.
ENDED = (
    r"(?:clos|sold|sell|sale\sof|divest|dispos|exit|discontinu|terminat|spun\soff|spin-?off|wound\sdown|ceas|shut|dropp"
    r"|repaid|redeem|retire)\w*"
)
ENDED_BEFORE = re.compile(
    rf"\b(?:having|after|following|since)\s(?:since\s|already\s|recently\s|the\s|it\s)?{ENDED}[^,;]*$"
    r"|\b(?:it|they|which|who|company|and)\s(?:has\s|have\s|had\s|since\s|later\s)?"
    r"(?:exited|sold\s(?:its|the)|divested|discontinued|terminated|closed|dropped|shut|retired|withdrew\sfrom)\s(?:[a-z]+\s){0,2}$"
    r"|\b(?:former|previously\sowned)\b[^,;]*$",
    re.I,
)
TO_COME = re.compile(
    r"\b(?:(?:is|are)\s(?:opening|building|planning|constructing|developing|considering)|plans?\sto|intends?\sto)\b[^,;]*$",
    re.I,
)
OTHER_ROLE = re.compile(r"\band\s(?:also\s)?(?:an?|its|one)\s(?P<role>(?:[a-z]+\s){1,3})(?:in|at)\s$")
ENDED_AFTER = re.compile(
    rf"^(?:,\s(?:which|who)\s|\s(?:[a-z]+\s){{0,2}}?)(?:was|were|has\sbeen|have\sbeen|had\sbeen)\s(?:since\s|later\s)?{ENDED}",
    re.I,
)
DENIED_AFTER = re.compile(
    rf"^[^,;\x00]{{0,40}}?\b(?:(?:{BE}|{DO}|{HAVE}|{WILL}|{CAN})\s?(?:not|n['’]t|never)\b(?!\s(?:only|limited))"
    r"|(?:has\s|have\s|had\s)?(?:expired|lapsed|ended)\b"
    r"|(?:is|are|was|were)\s(?:below|excluded|outside|absent|omitted|missing|discontinued|divested|removed)\b"
    r"|(?:declin|decreas|dropp|fell\b|lower\b)(?P<fall>\w*))",
    re.I,
)
UNCHANGED = re.compile(
    r"^\s(?:was|were|is|are|remained|stayed|held)\s(?:\w+ly\s)?(?:flat|unchanged|stable|steady|constant|immaterial|insignificant|negligible)\b",
    re.I,
)
ASKS_CAUSE = re.compile(r"\b(?:led\sto|caus\w+|drove|driv\w+|contribut\w+|why|reason\w*|explain\w*|result\w*)\b", re.I)
RISING = re.compile(r"\b(?:increas|grew|grow|rise|rose|higher|driv|drove|contribut|gain|improv)", re.I)
ALSO = re.compile(r"\b(?:also|too|as\swell|likewise|similarly)\b", re.I)
PREDICATE = re.compile(rf"[^,;\x00]{{0,30}}?\s(?:{BE}|{HAVE}|did|does|remained|became)\b", re.I)
ACTION = re.compile(r"\s[a-z]{2,}ed\s", re.I)
YEAR = re.compile(rf"\b{YEAR_DIGITS}\b")
# A clause that says something of its first item too: "A rose; B fell".
HEADING = re.compile(r"^\W*[^,;]{1,60}?\s(?:is|are|was|were|covers|includes|means|refers|comprises)\s", re.I)
FALL_OF = re.compile(r"\b(?:decrease|decline|reduction|drop|fall)s?\s(?:in|of)\s(?:the\s|its\s)?$", re.I)
CLIMBS = re.compile(r"\b(?:increas|grew|rise|rose|higher|gain|improv)", re.I)
FALLING = re.compile(
    r"\b(?:decreas|declin|fell|fall|lower|reduc|offset|mitigat|hurt|weigh|drop|faded|eased|slowed|subsided)", re.I
)
VERB = re.compile(
    rf"\b(?:{BE}|{HAVE}|{WILL}|{MAY}|{CAN}|{DO}|rose|fell|grew|drove|led|contributed|accounted|"
    r"represented|represents|reported|reports|said|says|states?|stated|noted|notes|cites|cited|names|named|remains|remained|became|makes|made|"
    r"helped|declined|decreased|totaled|operates|provides|began|gave|explains?|explained|follow(?:s|ed)?|faces?|sells?|combined|contributing)\b",
    re.I,
)
INTRODUCER = re.compile(
    rf"(?:\b(?:{BE}|{PREPOSITIONS}|includ\w+|namely|reflect\w*|cit\w+|nam\w+|list\w*|report\w*|operat\w+|with|against|as|being|"
    rf"identif\w+|mention\w*|highlight\w*|compris\w+|acquir\w+|issued?|than|{HAVE}|supply|via|under|into|through|cover\w*|between|both|like|lifted|us(?:e|es|ed))\b)"
    rf"(?!.*\b(?:{BE}|includ\w+|by|to|from|namely|reflect\w*|as|being)\b)",
    re.I,
)
ADVERBIAL = re.compile(
    r"^\W*(?:in|on|at|as|during|for|per|according|based|by|under|within|throughout|following|after|since|among|across|from|over|specifically|overall|yes|additionally)\b",
    re.I,
)
OPTIONS = re.compile(
    r"(?P<which>\b(?:[Ww]hich|[Ww]ho|[Ww]hat|any|one)\s(?:\w+\s){0,2}?(?:of|among|between)\s)(?:the\s)?"
    r"[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*(?:,\s(?:and\s|or\s)?[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*)*\s(?:and|or)\s[A-Z][\w&'’.-]*(?:\s[A-Z][\w&'’.-]*)*",
)
ADDITION = re.compile(
    r"^\W*(?:also|additionally|in\saddition|another|an?\s(?:additional|further|\w+th|third)|further(?:more)?|moreover|finally|lastly|plus|besides|other)\b(?![^.]*\b(?:filing|10-K|context)\sdoes\snot)"
    rf"|\b(?:also|further)\s(?:{NAMING}|mention|contribut|help|benefit|add|acquir|complet|guarant|count|sell|market|suppl|compet)\w*"
    rf"|\b(?:{NAMING}|mention|contribut|help|add|acquir)\w*\b[^.]{{0,60}}\b(?:too|as\swell)\W*$"
    r"|\b(?:an)?other\s\w+\s(?:is|was|were|are)\b",
    re.I,
)
APPOSITION = re.compile(r"^\W*(?:an?|its|the\scompany's|formerly|our)\s", re.I)
NO_ITEM = re.compile(
    rf"^\W*(?:respectively|etc|others?|more|among\sothers|(?:up|down)\s|(?:{PREPOSITIONS}|with|under|during|through|over)\s|"
    r"totall?ing|accounting|representing|compris|consist|making|bringing|using|based|depending|given|especially|particularly|mainly|primarily|mostly|notably|including|such\sas|e\.g|i\.e|"
    rf"[$€£]?\d|(?:{'|'.join(MONTHS)})\b|both\b|each\b|all\b|none\b|net\sof\b|subject\sto\b|known\sas\b|called\b|referred\sto\b|"
    r"which|who|that|when|where|if|because|since|according|as\s|per\s|see\b|then|not\b|thus|so\b|too\b|formerly|namely|collectively|partially|partly|offset)",
    re.I,
)
# "Ubisoft Entertainment S.A." for Ubisoft
FULL_NAME = re.compile(rf"(?:\s[A-Z][\w&-]+){{1,3}}?,?\s(?:{LEGAL}|PLC|S\.?A|N\.?V|AG|SE|GmbH)\b")
TOWN_IN = re.compile(
    r"(?P<town>[A-Z][\w.'’ -]+),\s(?P<land>(?!Inc|Corp|Ltd|LLC|L\.P)[A-Z][\w. ]+)"
)  # "Memphis, Tennessee"
TOWN = re.compile(r"(?:[^\x00]*\W)?[A-Z][^,\x00]*,\s\x00\W*")
TOGETHER = re.compile(r"^\W*(?:the\s)?\x00\s(?:and|&|plus)\s", re.I)
BEFORE_ITEM = re.compile(rf"\b(?:{ARTICLES}|{POSSESSIVES}|in|by|from|to|of|for|both|higher|lower)\b", re.I)
NAMED_TOO = re.compile(r"\W*[A-Z][\w&]*(?:\s[A-Z][\w&]*)*\s(?:too|also)\b")
PRONOUN = re.compile(rf"\W*(?:{PERSONS}|{DEMONSTRATIVES}|we)\b", re.I)
END_OF_PHRASE = re.compile(
    rf"\s(?:{VERB.pattern}|\b(?:{PARTS}|{AT}|as|that|which|who|with|during|also|respectively|because|due)\b)",
    re.I,
)
# "Mr." and "Corp." without what would end a sentence; "First," and "(b)" before an item.
ABBREVIATED = re.compile(r"\b(?:(?:Mr|Mrs|Ms|Dr|Messrs)\.\s|(Inc|Corp|Co|Ltd|L\.P|St|No)\.(?=[\s,;]))|\s&\sCo\b\.?")
COUNTERS = re.compile(
    r"(?:(?<=^)|(?<=[;.,:]\s)|(?<=\band\s))(?:(?:first|second|third|fourth|fifth|final|last)(?:ly)?,\s|\(?(?:\d|[a-h]|i{1,3}|iv|v)\)\s)",
    re.I | re.M,
)
ACRONYM = re.compile(r"\s\(([A-Z][A-Z&]{1,5}s?)\)")
ALIAS = re.compile(r"(?<![\w-])([\w-]+)\s\(([^(),;]+)\)")
LETTERS_OF_WORDS = re.compile(rf"(?!(?:{ARTICLES}|{PREPOSITIONS}|and|as|or|with)\b)[^\W\d_]+(?:&[^\W\d_]+)*", re.I)
FIGURE = re.compile(rf"[$€£]\s?\d|\d\s?(?:%|percent|thousand|million|billion)|\b{YEAR_DIGITS}\b|^\d[\d,.]*\b(?!-)")
UNITS = re.compile(r"(?<=\d)\s?(?:thousand|million|billion|trillion|percent|%)|\bfiscal\b|\bFY\b", re.I)
MONTH_YEAR = re.compile(rf"{MONTH}\s{YEAR_DIGITS}", re.I)
LETTERS = re.compile(r"[^\W\d_]+")
BEFORE_NAME = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|Messrs|Counsel|Officer|President|Chair\w*|Director|Secretary|Treasurer|States|Kingdom|Union)$"
)
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


def abbreviates(short: str, long: str) -> bool:
    letters = re.sub(r"\W", "", short)
    # of "DoD" the small letter is that of a small word
    is_short = letters.isupper() or re.fullmatch(r"[A-Z]+o[A-Z]+", letters)
    if not is_short or not 2 <= len(letters) <= 5:
        return False
    words = [
        word
        for word in normalised(re.sub(r"^(?:the\s|U\.?S\.?\s|United\sStates\s)+", "", long)).split()
        if word != "and"
    ]
    spelt = {"".join(word[0] for word in words), "".join(word[0] for word in words if word not in SMALL)}
    return letters.lower() in spelt


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


@dataclass(frozen=True)
class Alignment:
    found: frozenset[int]
    further: tuple[str, ...]
    denied: frozenset[int]


def align(wanted: Sequence[str], answer: str, question: str | None = None) -> Alignment:
    """The gold items that an answer states, by place, and the further items that it states beside them."""
    asked = {key_of(word) for word in re.findall(r"[^\W_]+", without_options(question or ""))}
    golds = [gold_of(place, text, asked) for place, text in enumerate(wanted)]
    answer = same_compounds(places_in_brackets(answer, wanted), wanted)
    found: set[int] = set()
    further: list[str] = []
    parts = list(units(answer))
    read = [(part, reading(part.text, golds, asked, question or "", part.is_item)) for part in parts]
    whole = [each for _, each in read if len(each[0]) == len(golds)]
    groups = {part.group for part, (said, _, _) in read if said and part.is_item}
    in_group = {group: set().union(*(said for part, (said, _, _) in read if part.group == group)) for group in groups}
    best = max(in_group, key=lambda group: len(in_group[group]), default=None)
    if best is not None and len(in_group[best]) > max((len(s) for p, (s, _, _) in read if not p.is_item), default=0):
        hosts = {id(part) for part, (said, _, _) in read if part.group == best}
    elif whole:
        first = next(part for part, (said, _, _) in read if len(said) == len(golds))
        hosts = {id(first)}
    else:
        hosts = {id(part) for part, (said, _, _) in read if said and not part.is_item} | {
            id(part) for part, _ in read if part.group in groups
        }
    indents = {part.indent for part, (said, _, _) in read if said and part.is_item and id(part) in hosts}
    seen: set[int] = set()
    denied: set[int] = set()
    for part, (said, extra, no) in read:
        denied |= no
        found |= said
        if id(part) in hosts:
            if said - seen:
                further += extra
            elif part.is_item and not said and not no and part.indent in indents and is_item(part.text):
                further.append(part.text)
            seen |= said
        elif not part.is_item and not said and ADDITION.search(part.text):
            further.append(part.text)
    return Alignment(frozenset(found - denied), tuple(further), frozenset(denied))


def without_options(question: str) -> str:
    """A question without the names that it gives to choose from: "Which of A, B and C grew?"."""
    return OPTIONS.sub(lambda match: match["which"], question)


def places_in_brackets(answer: str, wanted: Sequence[str]) -> str:
    """Of places those that say where in brackets, unless they are what is wanted: "Gary, Indiana and Reno, Nevada" is
    two places, and so is "Lyon, France; Bonn, Germany"."""
    items = {item.lower() for item in wanted}
    if not items & STATES.keys():
        answer = STATE_OF_TOWN.sub(r" (\1)", answer)
    done = []
    for line in answer.splitlines():
        parts = re.split(r";\s+", line)
        pairs = [part.rstrip(" .").split(", ") for part in parts]
        if len(parts) > 1 and all(len(pair) == 2 and pair[1].lower() not in items for pair in pairs):
            line = "; ".join(PAIR.sub(r"\1 (\2)\3", part) for part in parts)
        done.append(line)
    return "\n".join(done)


def same_compounds(answer: str, wanted: Sequence[str]) -> str:
    """An answer with the compounds of the items written as they are: "work force", "workforce"."""
    plain = answer.lower()
    squeezed = re.sub(r"[\s-]", "", plain)
    for item in wanted:
        words = LETTERS.findall(item)
        for one, two in itertools.pairwise(words):
            if f"{one}{two}".lower() in plain:
                answer = re.sub(rf"\b{one}{two}\b", f"{one} {two}", answer, flags=re.I)
        for word in words:
            if len(word) > 6 and squeezed.count(word.lower()) > plain.count(word.lower()):
                pieces = "|".join(rf"{word[:cut]}[\s-]{word[cut:]}" for cut in range(3, len(word) - 2))
                answer = re.sub(rf"\b(?:{pieces})\b", word, answer, flags=re.I)
    return answer


def is_item(text: str) -> bool:
    return not re.match(r"\W*(?:total|note|source|overall|combined|together)\b", text, re.I) and bool(WORD.search(text))


@dataclass(frozen=True)
class Unit:
    text: str
    is_item: bool  # a bullet or a row
    indent: int
    group: int | None


def units(answer: str) -> list[Unit]:
    """Bullets, rows and sentences of an answer."""
    listed = unwrapped_items(answer)
    if listed is not None:
        return [Unit(text, True, 0, 0) for text in listed]
    text = re.sub(r"[\"“”`®™]|\*\*|__|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", without_citations(answer))
    text = COUNTERS.sub("", ABBREVIATED.sub(r"\1", text))
    lines = [line for line in text.splitlines() if line.strip()]
    plain = [line for line in lines if not line.strip().endswith((".", ":", "?"))]
    bare = (
        len(lines) > 1 and len(plain) >= len(lines) - 1 and not any(BULLET.match(line) or "|" in line for line in lines)
    )
    rows = [line for line in lines if line.strip().startswith("|")]
    header = rows[0] if len(rows) > 2 else None
    found: list[Unit] = []
    group = 0
    for line in lines:
        body = line.strip()
        if body.startswith("|"):
            if body != (header or "").strip() and not RULE.fullmatch(body):
                found.append(Unit(" ; ".join(cell.strip() for cell in body.strip("| ").split("|")), True, 0, group))
        elif mark := BULLET.match(line):
            indent = len(line) - len(line.lstrip())
            found.append(Unit(line[mark.end() :].strip(), True, indent, group))
        elif bare and line in plain:
            found.append(Unit(body, True, 0, group))
        elif not body.startswith("#"):
            group += 1
            found += [Unit(sentence, False, 0, None) for sentence in sentences(line)]
    return found


def reading(
    text: str, golds: Sequence[Gold], asked: set[str], question: str, is_row: bool
) -> tuple[set[int], list[str], set[int]]:
    """Of a sentence or bullet: gold items said, further items, gold items denied."""
    text = opened(text, golds)
    mentions = mentions_in(text, golds, asked)
    bare = text
    for mention in mentions:
        bare = bare[: mention.start] + " " * (mention.end - mention.start) + bare[mention.end :]
    denied = {each.place for each in mentions if is_denied(text, bare, each, golds[each.place], question)}
    said = {mention.place for mention in mentions} - denied
    return said, (further_items(text, mentions, golds, asked, question, is_row) if mentions else []), denied


def opened(text: str, golds: Sequence[Gold]) -> str:
    """Brackets blanked, but for those that gold items stand in alone; an acronym instead of the words it is for."""
    wanted = {gold.text for gold in golds}
    for match in reversed(list(ACRONYM.finditer(text))):
        if match[1] in wanted or match[1].removesuffix("s") in wanted:
            start = start_of_long_form(text, match)
            text = f"{text[:start]}{match[1]}{text[match.end() :]}" if start is not None else text
    text = ALIAS.sub(
        lambda match: match[2] if is_whole(match[2], golds) and not is_whole(match[1], golds) else match[0], text
    )
    outside = PAREN.sub(lambda match: " " * len(match[0]), text)
    if len({m.place for m in mentions_in(outside, golds, set())}) >= len(
        {m.place for m in mentions_in(text, golds, set())}
    ):
        return outside
    spans = mentions_in(text, golds, set())

    def content(match: re.Match) -> str:
        if any(mention.start < match.start() < mention.end for mention in spans):
            return f" {match[1]} "  # "Bing (Microsoft)" for Microsoft's Bing
        return f": {match[1]};" if mentions_in(match[1], golds, set()) else " " * len(match[0])

    return PAREN.sub(content, text)


def is_whole(text: str, golds: Sequence[Gold]) -> bool:
    """Whether a text is a gold item and nothing else."""
    return any(normalised(text) == normalised(gold.text) for gold in golds)


def start_of_long_form(text: str, acronym: re.Match) -> int | None:
    """Where the words begin that an acronym in brackets abbreviates."""
    letters = acronym[1].removesuffix("s").replace("&", "").lower()
    words = list(LETTERS.finditer(text, max(0, acronym.start() - REACH), acronym.start()))
    for count in range(2, min(len(words), 9) + 1):
        initials = iter(word[0][0].lower() for word in words[-count:])
        if (
            not small(words[-count][0])
            and words[-count][0][0].lower() == letters[0]
            and all(letter in initials for letter in letters)
        ):
            return words[-count].start()
    return None


def mentions_in(text: str, golds: Sequence[Gold], asked: set[str]) -> list[Mention]:
    """Where gold items stand, the longest first; no word is of two, but for a noun said once for several."""
    words = words_of(text)
    taken: dict[int, int] = {}
    found = []
    others = {gold.place: {key for other in golds if other.place != gold.place for key in other.keys} for gold in golds}
    for gold in sorted(golds, key=lambda gold: -len(gold.keys)):
        for window in windows(text, words, gold, others[gold.place]):
            used = [place for place in window if words[place].key in gold.keys and not small(words[place].text)]
            mine = words[window[0]].start, words[window[-1]].end
            clash = [place for place in used if place in taken]
            shares = bool(SEPARATOR.search(text[mine[0] : mine[1]])) or bool(clash and len(gold.keys) > 1)
            if clash and (not shares or len(clash) == len(used)):
                continue
            if not fits(text, words, window, gold, asked, others[gold.place]):
                continue
            for place in used:
                taken.setdefault(place, gold.place)
            found.append(Mention(gold.place, *mine))
    for word in words:
        if short := next((gold for gold in golds if len(gold.keys) > 1 and abbreviates(word.text, gold.text)), None):
            found.append(Mention(short.place, word.start, word.end))
    return sorted(found, key=lambda mention: mention.start)


def words_to_spare(gold: Gold) -> int:
    """How many of its words may be missing: one of five, or one beside two figures: "6% notes due 2021"."""
    figures = sum(key[:1].isdigit() for key in set(gold.keys))
    is_long = len(gold.keys) >= 5 or (figures > 1 and len(gold.keys) > figures)
    return int(is_long and not gold.is_name)


def windows(text: str, words: list[Word], gold: Gold, others: set[str]) -> list[list[int]]:
    """Places of consecutive words that hold all of an item's, few others between."""
    need = Counter(gold.keys)
    wanted = sum(need.values())
    spare = words_to_spare(gold)
    fixed = {word.key for word in words_of(gold.text) if word.text[:1].isupper() or word.text[:1].isdigit()}
    slack = 0 if gold.is_name or wanted < 2 else 2 if wanted < 5 else 3
    found: list[tuple[bool, list[int]]] = []
    start = 0
    while start < len(words):
        if words[start].key not in need or small(words[start].text):
            start += 1
            continue
        left, alien, window, end = Counter(need), 0, [], None
        for place in range(start, min(len(words), start + 4 * wanted + 12)):
            word = words[place]
            between = text[words[place - 1].end : word.start] if place > start else ""
            if re.search(r"[;!?\n—]|[.:](?=\s)", between) and not (between == ". " and len(words[place - 1].text) == 1):
                break
            window.append(place)
            is_needed = left[word.key] > 0 and not small(word.text)
            if is_needed:
                left[word.key] -= 1
            elif not (
                small(word.text) or word.key in gold.optional or word.key in gold.keys or word.text.lower() in UP | DOWN
            ):
                if word.key in others and SEPARATOR.search(text[words[start].start : word.start] + " "):
                    pass
                else:
                    alien += 1
            if alien > slack:
                break
            missing = +left
            if is_needed and sum(missing.values()) <= spare and (not missing or not set(missing) & fixed):
                end = len(window)
                if not missing:
                    break
        if end:
            window = window[:end]
            while (after := window[-1] + 1) < len(words) and words[after].key in gold.optional:
                gap = text[words[after - 1].end : words[after].start]
                if gap != " " and not (gap == ", " and gold.is_name and words[after].text[:1].isupper()):
                    break
                window.append(after)
            joints = len(SEPARATOR.findall(text[words[window[0]].start : words[window[-1]].end]))
            aliens = [
                words[p]
                for p in window
                if words[p].key not in gold.keys and not small(words[p].text) and words[p].text.lower() not in UP | DOWN
            ]
            if joints > gold.joints and not all(word.key in others or word.key in gold.optional for word in aliens):
                start += 1
                continue
            shared = joints > gold.joints
            found.append((shared, window))
            start = start + 1 if shared else window[-1] + 1
        else:
            start += 1
    whole = [window for shared, window in found if not shared]
    return whole or [window for _, window in found]


def fits(text: str, words: list[Word], window: list[int], gold: Gold, asked: set[str], others: set[str]) -> bool:
    """Whether the words around leave an item what it is: no other name, no other noun, no opposite direction."""
    first, last = words[window[0]], words[window[-1]]
    after = words[window[-1] + 1] if window[-1] + 1 < len(words) else None
    before = words[window[0] - 1] if window[0] else None
    near_after = after and after.text != "United" and text[last.end : after.start] == " "
    near_before = before and text[before.end : first.start] in (" ", "-")
    used = {words[place].key for place in window}
    lacks = bool(gold.optional - used)
    if gold.is_name and gold.optional and not first.text[:1].isupper():
        return False
    if near_after:
        lower = after.text.lower()
        if after.text[:1].isupper() and last.text[:1].isupper():
            if (
                not (first.text.isupper() or last.text.isupper())
                and lower not in FORMS | HEADS | FUNCTION
                and after.key not in asked
                and not after.text[1:].isupper()
                and not FULL_NAME.match(text, last.end)
            ):
                return False
        elif (
            not gold.is_name
            and lacks
            and after.text[:1].islower()
            and not (
                lower in HEADS | FUNCTION | SMALL | UP | DOWN
                or re.search(r"(?:ed|ing|ly)$|^(?:paid|held|sold|made|built|incurred)$", lower)
                or VERB.fullmatch(lower)
                or after.key in others
                or after.key in gold.keys
                or after.key in asked
            )
        ):
            return False
    if near_before:
        lower = before.text.lower()
        if lower in ("non", "anti", "former", "prior", "previous", "ex", "pre") and before.key not in gold.keys:
            return False
        if lower in ("fewer", "less") and first.text.lower() == "new":
            return False
        if (
            before.text[:1].isupper() and first.text[:1].isupper() and gold.is_name
            and text[before.end : first.start] == " " and before.start > 0
            and before.key not in asked and lower not in SMALL | FUNCTION and not lower.endswith(("'s", "’s"))
            and not BEFORE_NAME.match(before.text)
            and before.key not in others and not before.text.isupper()
        ):  # fmt: skip
            return False
    if gold.sign and signs_around(text, words, window, bool(near_after)) == {-gold.sign}:
        return False
    around = text[words[max(0, window[0] - 5)].start : words[min(len(words) - 1, window[-1] + 2)].end]
    return not turned_round(gold.text, around)


def signs_around(text: str, words: Sequence[Word], window: list[int], near_after: bool) -> set[int]:
    """Directions of an item: said in it, else by the nearest word before that says one, else by the two after it."""
    first, last = words[window[0]], words[window[-1]]
    left = max((m.end() for m in SEPARATOR.finditer(text, max(0, first.start - REACH), first.start)), default=0)
    lead = [word.text for word in words[max(0, window[0] - 5) : window[0]] if word.start >= left]
    end = next((m.start() for m in SEPARATOR.finditer(text, last.end, last.end + REACH)), len(text))
    tail = [] if not near_after else [word for word in words[window[-1] + 1 : window[-1] + 3] if word.end <= end]
    tail = ["lower" if word.text.lower() in CUT else word.text for word in tail]
    inside = [words[place].text for place in window]
    nearest = [word for word in lead if sign_of([word])][-1:]
    return sign_of(inside) or sign_of(nearest) or sign_of(tail)


def is_denied(text: str, bare: str, mention: Mention, gold: Gold, question: str) -> bool:
    """bare is the text with its mentions blanked."""
    start = max(0, mention.start - REACH)
    before = max(BOUNDARY.finditer(text, start, mention.start), key=lambda match: match.end(), default=None)
    cut = BOUNDARY.search(text, mention.end, mention.end + REACH)
    after = cut.start() if cut else mention.end + REACH
    lead = text[before.end() if before else start : mention.start]
    tail = text[mention.end : after]
    if not DENIAL.search(gold.text):
        if DENIAL.search(text, mention.start, mention.end):
            return True
        if any(words.search(lead) and not words.search(question) for words in (DENIAL, EXCLUSION)):
            return True
        if (no := DENIED_AFTER.search(tail)) and (
            no["fall"] is None
            or (
                not re.search(r"\sand\s", tail[: no.start("fall")])
                and not gold.sign
                and RISING.search(question)
                and not FALLING.search(question)
            )
        ):
            return True
    if is_taken_back(text, bare, mention, after, gold, question):
        return True
    cue = before[0] if before else ""
    if FALL_OF.search(lead) and not gold.sign and not FALLING.search(question):
        return True
    if UNCHANGED.match(tail) and (RISING.search(question) or FALLING.search(question) or ASKS_CAUSE.search(question)):
        return True
    if OFFSET.search(cue) and RISING.search(question) and not FALLING.search(question):
        return True
    clause = lead + tail
    if ALSO.search(clause):
        return False
    if CONTRAST.search(cue) and not gold.sign:
        return opposes(clause, question) or bool(
            is_subject(lead) and PREDICATE.match(tail) and not is_asked(tail, question)
        )
    first = text[max(0, before.start() - REACH) : before.start()] if before else ""
    if (
        cue.strip() == ";"
        and is_subject(lead)
        and ACTION.match(tail)
        and not (VERB.search(first) or ACTION.search(first))
    ):
        return True  # "A and B; C joined later"
    if cue.strip() == ";" and is_subject(lead) and PREDICATE.match(tail):
        years = set(YEAR.findall(question))
        other_year = bool(
            years and YEAR.search(tail) and not years & set(YEAR.findall(tail)) and years & set(YEAR.findall(first))
        )
        return other_year or (not is_asked(tail, question) and (not HEADING.match(first) or is_asked(first, question)))
    return False


def is_taken_back(text: str, bare: str, mention: Mention, after: int, gold: Gold, question: str) -> bool:
    """Whether an item was sold, closed or left, is to come or is something else than what is asked for."""
    said = bare[max(0, mention.start - REACH) : mention.start].rpartition(";")[2]
    is_past = ENDED_BEFORE.search(said) or ENDED_AFTER.match(text[mention.end : mention.end + REACH])
    if is_past and not re.search(rf"\b{ENDED}|\bformer", question, re.I):
        return True
    if TO_COME.search(said) and not re.search(
        r"\b(?:plan|intend|build|construct|develop|open|will|expect|us(?:e|es|ed)|priorit|goal|aim|objective|strateg"
        r"|initiative|target|outlook)",
        question,
        re.I,
    ):
        return True
    if gold.is_name and (role := OTHER_ROLE.search(said)) and role_differs(role["role"], question):
        return True
    tail = text[mention.end : after]
    return is_undone(said, bare[mention.end : after], question) or is_of_another_phase(tail, question)


def role_differs(role: str, question: str) -> bool:
    """Whether "a sales office in" is no answer to a question about factories."""
    asked = {key_of(word) for word in LETTERS.findall(question)}
    return not any(key_of(word) in asked for word in LETTERS.findall(role))


def is_subject(lead: str) -> bool:
    return bool(re.fullmatch(r"\W*(?:the\s|its\s|an?\s)?", lead, re.I))


def is_asked(predicate: str, question: str) -> bool:
    """Whether a predicate has a content word of the question."""
    question = re.sub(r"\b(?:rather\sthan|instead\sof|other\sthan|and\snot|not)\s\w+", "", question)
    asked = {key_of(word) for word in LETTERS.findall(question) if not small(word) and len(word) > 3}
    return any(key_of(word) in asked for word in LETTERS.findall(predicate))


def opposes(clause: str, question: str) -> bool:
    """Whether a clause tells of a fall where a rise is asked for, or the other way round."""
    asks = bool(RISING.search(question)), bool(FALLING.search(question))
    tells = bool(CLIMBS.search(clause)), bool(FALLING.search(clause))
    return tells != (True, True) and ((asks[1] and not asks[0] and tells[0]) or (not asks[1] and tells[1]))


def further_items(
    text: str, mentions: Sequence[Mention], golds: Sequence[Gold], asked: set[str], question: str, is_row: bool
) -> list[str]:
    """What a sentence enumerates beside the gold items it holds."""
    names = all(gold.is_name for gold in golds)
    dated = all(MONTH_YEAR.fullmatch(gold.text) for gold in golds)
    marked, cursor = "", 0
    for mention in mentions:
        if mention.start >= cursor:
            marked += text[cursor : mention.start] + "\x00"
        cursor = max(cursor, mention.end)
    marked += text[cursor:]
    found = []
    cuts = list(BOUNDARY.finditer(marked))
    edges = [0, *(edge for cut in cuts for edge in cut.span()), len(marked)]
    clauses = [
        (marked[edges[i] : edges[i + 1]], marked[edges[i - 1] : edges[i]] if i else "") for i in range(0, len(edges), 2)
    ]
    held = [place for place, (clause, _) in enumerate(clauses) if "\x00" in clause]
    if len(held) > 1 and all(TOWN.fullmatch(clauses[place][0]) for place in held):
        return []  # "Leixlip, Ireland; Kiryat Gat, Israel"
    most = max(clause.count("\x00") for clause, _ in clauses)
    for place, (clause, cue) in enumerate(clauses):
        if "\x00" in clause:
            if most >= len(golds) > clause.count("\x00"):
                continue  # what leads to the list or comes back to it
            if not is_row or marked.count("\x00") > 1 or TOGETHER.search(clause):
                found += in_clause(clause, names, asked, dated)
        elif (
            not is_row
            and ";" in cue
            and place > held[0]
            and (len(held) > 1 or len(clause.split()) < 5)
            and not (opposes(clause, question) or DENIAL.search(clause))
            and (ALSO.search(clause) or not (verb := VERB.search(clause)) or is_asked(clause[verb.end() :], question))
            and looks_like(clause, names, asked, dated)
        ):
            found.append(clause)
    return found


def in_clause(clause: str, names: bool, asked: set[str], dated: bool) -> list[str]:
    """Of the chunks of a clause those that belong to its enumeration and hold no gold item."""
    chunks, cursor = [], 0
    for cut in SEPARATOR.finditer(clause):
        chunks.append((clause[cursor : cut.start()], cut[0]))
        cursor = cut.end()
    chunks.append((clause[cursor:], ""))
    held = [place for place, (chunk, _) in enumerate(chunks) if "\x00" in chunk]
    found = before_first(chunks, held[0], names, asked, dated) if held[0] else []
    tail = ""
    for place in range(held[0], len(chunks)):
        chunk, cut = chunks[place][0], chunks[place - 1][1].lower() if place else ""
        if "\x00" in chunk:
            tail = chunk.rpartition("\x00")[2]
            continue
        if place > held[-1] and (VERB.search(tail) or PRONOUN.match(chunk)):
            break
        if place < held[-1] and "," not in cut and "," in chunks[place][1]:
            continue  # "failure to pay principal or interest, ..."
        if len(tail.split()) > 1 and "," not in cut and not sign_of(chunk.split()[:2]) and not is_parallel(tail, chunk):
            continue  # "policies and protocols" of what is said of an item
        is_coordinate = bool(re.search(r"[a-z&]", cut))
        head = END_OF_PHRASE.split(chunk)[0] if is_coordinate else chunk
        if looks_like(head, names, asked, dated, is_coordinate):
            if place > held[-1] and names and cut.strip() == "," and APPOSITION.match(chunk):
                break
            found.append(chunk)
        elif place > held[-1]:
            found += [later for later, _ in chunks[place:] if names and NAMED_TOO.match(later)]
            break
    return found


def before_first(chunks: list[tuple[str, str]], first: int, names: bool, asked: set[str], dated: bool) -> list[str]:
    """The further item in the chunk before the first gold item, if one is: what an introducing word leads to."""
    if re.search(r"[^\W\d_]", BEFORE_ITEM.sub("", chunks[first][0].partition("\x00")[0])):
        return []
    chunk = chunks[first - 1][0]
    matches = list(INTRODUCER.finditer(chunk))
    tail = chunk[matches[-1].end() :] if matches else chunk
    if first == 1 and (ADVERBIAL.match(chunk) or (not matches and len(chunk.split()) > 5)):
        return []
    if names and not matches and tail.split():
        tail = tail.split()[-1]  # "It sells Zed, ..."
    return [tail] if re.search(r"[^\W\d_]", tail) and looks_like(tail, names, asked, dated) else []


def is_parallel(tail: str, chunk: str) -> bool:
    """Whether a name is followed by the preposition that the item before it is: "A in Europe and B in Asia"."""
    preposition = re.match(r"\s(in|for|at|from|on)\s", tail)
    return bool(preposition and re.match(rf"[A-Z][\w.\s&]*?\s{preposition[1]}\s", chunk))


def looks_like(chunk: str, names: bool, asked: set[str], dated: bool, is_coordinate: bool = False) -> bool:
    """Whether a chunk is an item as the others are: a name among names, a noun phrase among noun phrases."""
    chunk = chunk.strip(" .")
    bare = re.sub(rf"^(?:{ARTICLES}|{POSSESSIVES}|also|both|then|in|for|by|from|to)\s+", "", chunk, flags=re.I)
    if not re.search(r"[^\W\d_]", bare) or REMARK.match(chunk) or TITLE.match(chunk) or FURTHER_PREDICATE.match(chunk):
        return False
    words = list(WORD.findall(bare))
    content = [word for word in words if not small(word)]
    if not content:
        return False
    if MONTH_YEAR.match(bare):
        return dated
    if (names and not is_coordinate) or (names and content[0][:1].isupper()):
        return (
            content[0][:1].isupper()
            and not re.match(
                rf"\W*(?:{'|'.join(MONTHS).title()}|Item|Note|FY|Inc|Ltd|LLC|Corp|respectively|Part|Section)\b",
                bare,
            )
            and not all(key_of(w) in asked for w in content)
        )
    if NO_ITEM.match(chunk) or len(words) > 12:
        return False
    return not VERB.search(bare.partition(" ")[2]) and not all(key_of(word) in asked for word in content)
