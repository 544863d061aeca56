"""Which companies of the warehouse a question names."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from rapidfuzz import distance

from finrag.errors import FinragError
from finrag.text.vocabulary import COMMON, LEGAL, PARTS, PLACES, POSSESSIVES, TIMES, members
from finrag.text.years import MONTHS

# Similarity (2 * letters in common, in order / letters of both) from which a misspelt name that begins with the right
# letter is the name: "Micorsoft" has 0.89, "Walmrt" 0.92, "Gennworth Financial" 0.97. The first letter tells "Verizon
# Financial" (0.88) from "Horizon Financial"; it is rarely mistyped.
FUZZY_THRESHOLD = 0.88
# Shorter names are one letter from ordinary words and from each other (Visa, Vista).
FUZZY_LETTERS = 6
SHORT_NAME_LETTERS = 4

WORD = re.compile(r"&|[^\W_]+")
ANDED = re.compile(r"[A-Z]n[A-Z]")  # "JnJ"
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|mm|bn|x|pp|bps)")  # "19th", "1990s", "10k"
# What registers add, as in "CORP /NEW", "CO/" and "INC/DE/"; "M/I Homes" is a name
REGISTER_SUFFIX = re.compile(r"(?:\s+[/\\].*|[/\\](?:[A-Z]{2,3}[/\\]?)?\s*)$")
POSSESSIVE = re.compile(r"[’']s\b")
LEGAL_FORMS = members(LEGAL.lower(), "companies|lp")
LINKS = frozenset("and of the".split())
EXCHANGES = frozenset("nyse nasdaq".split())
ALIASES = (
    "Write alias=company, several parted by commas; a company is the CIK or the ticker of one in corpus.dim_companies."
)

# Words that names of companies begin with.
BEGINNINGS = frozenset(
    "american bank first general global international national new north south standard united western".split()
)
# Words that alone name no company, though a company's name may begin or end with them.
GENERIC = BEGINNINGS | frozenset(
    """
    advanced airlines airways america assurance atlantic balance bancorp bankers brands broadcasting business camp
    capital care central century chemical city clinical commerce commercial communications community computer
    consolidated consumer credit data dental developments devices digital direct dynamics eastern electric electronics
    energy enterprise enterprises entertainment environmental equity exchange express federal fidelity finance financial
    food foods foreign freedom funding great greater group growth guaranty guided health healthcare heritage holding
    holdings home horizon hotels image independence industrial industries information innovative institution insurance
    interactive internet investment investors kitchens liberty life light liquidity logistics management manufacturing
    marine market marketing media medical mercantile metal mobile model mortgage motors mutual natural network networks
    northern oil one online operating operations organization pacific partners patriot pharmaceuticals pioneer planet
    platform platforms power premier presidential price processing products professional properties public quality
    realty regional republic research resources restaurants retail royal sciences scientific securities security
    semiconductor services shoe software solutions southern star state states stores strong summit system systems
    technologies technology telecom therapeutics trust union universal utilities valley ventures water wholesale work
    world
    """.split()
)


@dataclass(frozen=True)
class Token:
    """One word of a text: `key` is folded to lower-case ASCII, start and end are positions in the text."""

    key: str
    text: str
    start: int
    end: int
    is_possessive: bool = False

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_written_as_name(self) -> bool:
        """With a capital letter anywhere, or a number within a word: "Visa", "3M", "eBay", "89bio" but not "19th"."""
        is_numbered = self.text[0].isdigit() and not self.text.isdigit() and not ORDINAL.fullmatch(self.text)
        return any(letter.isupper() for letter in self.text) or is_numbered

    @property
    def written_keys(self) -> tuple[str, ...]:
        """A register drops the apostrophe of a name: "McDonald's" is "mcdonald" and "mcdonalds"."""
        return (self.key, self.key + "s") if self.is_possessive else (self.key,)


@dataclass(frozen=True)
class Company:
    """A company and how it is written: names with or without legal form, of the present or former filings."""

    cik: int
    name: str
    names: tuple[str, ...]
    ticker: str | None = None


@dataclass(frozen=True)
class CompanyMention:
    """Part of a question that names a company. how: name, short name, alias, initials, ticker or similar name."""

    cik: int
    text: str
    how: str
    score: float
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Words of a text; "&" is "and", a possessive "'s" is dropped."""
    possessives = {found.start() for found in POSSESSIVE.finditer(text)}
    blanked = POSSESSIVE.sub(lambda found: " " * len(found[0]), text)
    return [
        Token(_fold(found[0]), found[0], found.start(), found.end(), found.end() in possessives)
        for found in WORD.finditer(blanked)
    ]


def _fold(word: str) -> str:
    if word == "&":
        return "and"
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().lower() or word.lower()


def key_of(name: str) -> tuple[str, ...]:
    return tuple(token.key for token in tokens(name))


def core_of(key: tuple[str, ...]) -> tuple[str, ...]:
    """A name without its legal form: ("walmart", "inc") is ("walmart",)."""
    while len(key) > 1 and (key[-1] in LEGAL_FORMS or key[-1] == "and" or key[-2:] == ("l", "p")):
        key = key[:-2] if key[-2:] == ("l", "p") else key[:-1]
    return key[1:] if key[0] == "the" and len(key) > 1 else key


@dataclass
class Found:
    """What a text says of companies; unclear: what may be a name and cannot be told to be one company's."""

    text: str
    mentions: list[CompanyMention] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    def add(self, part: Sequence[Token], how: str, ciks: set[int], score: float) -> None:
        start, end = part[0].start, part[-1].end
        if len(ciks) > 1:
            self.unclear.append(f"{self.text[start:end]} (several companies)")
        else:
            self.mentions.append(
                CompanyMention(next(iter(ciks)), self.text[start:end], how, round(score, 3), start, end)
            )


class Companies:
    """Every way to write the companies of the warehouse, and the search for them in a text."""

    def __init__(
        self, companies: Iterable[Company], fuzzy_threshold: float = FUZZY_THRESHOLD, aliases: str = ""
    ) -> None:
        """aliases: a user's own names, as read_aliases has them."""
        companies = list(companies)
        self.written = {company.cik: company.name for company in companies}
        self.fuzzy_threshold = fuzzy_threshold
        self.aliases = read_aliases(aliases, companies)
        self.names: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self.tickers: dict[str, set[int]] = defaultdict(set)
        cores: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for company in companies:
            for name in company.names:
                key = key_of(REGISTER_SUFFIX.sub("", name))
                if key:
                    self.names[key].add(company.cik)
                    self.names[core_of(key)].add(company.cik)
                    cores[core_of(key)].add(company.cik)
            if company.ticker:
                self.tickers[company.ticker.upper()].add(company.cik)
        self.short_names = self._short_names(cores)
        self.initials = _initials(cores)
        self.acronyms = _acronyms(cores)
        self.longest = max(
            (len(key) for key in (*self.names, *self.short_names, *self.aliases, *self.initials, *self.acronyms)),
            default=0,
        )

    def _short_names(self, cores: dict[tuple[str, ...], set[int]]) -> dict[tuple[str, ...], set[int]]:
        """The first words of a name, and its last word, where they can only mean this company."""
        owners: dict[tuple[str, ...], set[int]] = defaultdict(set)
        words: dict[str, set[int]] = defaultdict(set)
        for core, ciks in cores.items():
            for count in range(1, len(core)):
                owners[core[:count]] |= ciks
            owners[core[-1:]] |= ciks
            for word in core:
                words[word] |= ciks
        short = {}
        for key, ciks in owners.items():
            is_known = key in self.names or len(ciks) > 1 or key[-1] in LINKS
            is_telling = any(word not in GENERIC | NO_NAMES and len(word) >= SHORT_NAME_LETTERS for word in key)
            # one word of another company's name too: "Horizon" of two companies is neither's
            is_shared = len(key) == 1 and len(words[key[0]]) > 1
            if is_telling and not is_known and not is_shared:
                short[key] = ciks
        return short

    def find(self, text: str) -> tuple[list[CompanyMention], list[str]]:
        """Mentions in order of the text, and what looks like a name but is none that is known."""
        words = tokens(text)
        is_lower = text == text.lower()
        found = Found(text)
        free: list[Token | None] = list(words)
        place = 0
        while place < len(words):
            longest = self._longest_at(words, place, text, is_lower)
            if longest is None:
                place += 1
                continue
            length, how, ciks = longest
            found.add(words[place : place + length], how, ciks, 1.0)
            free[place : place + length] = [None] * length
            place += length
        for run in _capitalised_runs(free):
            similar = self._similar(run, text)
            if similar is None and run != words[:1]:
                found.unclear.append(text[run[0].start : run[-1].end])
            elif similar is not None:
                ciks, score, part = similar
                found.add(part, "similar name", ciks, score)
        return sorted(found.mentions, key=lambda mention: mention.start), found.unclear

    def _longest_at(
        self, words: Sequence[Token], place: int, text: str, is_lower: bool
    ) -> tuple[int, str, set[int]] | None:
        is_shouted = text == text.upper()
        for length in range(min(self.longest, len(words) - place), 0, -1):
            part = words[place : place + length]
            is_name = is_lower or (part[0].is_written_as_name and part[-1].is_written_as_name)
            for key in product(*(token.written_keys for token in part)):
                if key in self.names and (length > 1 or is_name):
                    return length, "name", self.names[key]
                if key in self.short_names and is_name:
                    return length, "short name", self.short_names[key]
                if key in self.aliases:
                    return length, "alias", self.aliases[key]
            if length == 1 and self._is_ticker(words, place, text, is_shouted):
                return 1, "ticker", self.tickers[part[0].text]
            key = tuple(token.key for token in part)
            written = "".join(token.text for token in part)
            is_acronym = not is_shouted and (written.isupper() or ANDED.fullmatch(written))
            if is_acronym and not _is_compound(part, text):
                if key in self.initials:
                    return length, "initials", self.initials[key]
                if key in self.acronyms:
                    return length, "short name", self.acronyms[key]
        return None

    def _is_ticker(self, words: Sequence[Token], place: int, text: str, is_shouted: bool) -> bool:
        """One letter, or what is an abbreviation in its own right, is a ticker only as "(V)", "$IT" or "NYSE: AI"."""
        word = words[place]
        if word.text not in self.tickers:
            return False
        is_plain = len(word.text) > 1 and word.key not in NO_NAMES and not is_shouted
        return _is_marked_as_ticker(words, place, text) or (is_plain and not _is_compound([word], text))

    def _similar(self, run: Sequence[Token], text: str) -> tuple[set[int], float, Sequence[Token]] | None:
        """The known name most like a part of the run, the longer part where two are as like."""
        best = None
        for first in range(len(run)):
            for last in range(first + 1, len(run) + 1):
                part = run[first:last]
                written = " ".join(token.key for token in part)
                if len(written) < FUZZY_LETTERS or all(token.key in GENERIC for token in part):
                    continue
                for name, ciks in self.names.items():
                    spelt = " ".join(name)
                    if len(spelt) < FUZZY_LETTERS or spelt[0] != written[0]:
                        continue
                    score = distance.Indel.normalized_similarity(written, spelt, score_cutoff=self.fuzzy_threshold)
                    if score and (best is None or (score, len(part)) > (best[1], len(best[2]))):
                        best = (ciks, score, part)
        return best


def _initials(cores: dict[tuple[str, ...], set[int]]) -> dict[tuple[str, ...], set[int]]:
    """ "J&J" and "JnJ" for a name of the form "A & B", "IBM" for one of three words or more, "AMEX" for one of two.

    Initials that two companies have, or that are another company's name, are nobody's.
    """
    owners: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for core, ciks in cores.items():
        if len(core) == 3 and core[1] == "and":
            owners[(core[0][0], "and", core[2][0])] |= ciks
            owners[(f"{core[0][0]}n{core[2][0]}",)] |= ciks
        words = [word for word in core if word not in LINKS]
        if len(words) >= 3:
            owners[("".join(word[0] for word in words),)] |= ciks
        elif len(words) == 2 and min(map(len, words)) >= 4:
            owners[(words[0][:2] + words[1][:2],)] |= ciks
    return {
        key: ciks for key, ciks in owners.items() if len(ciks) == 1 and not ("".join(key) in NO_NAMES or key in cores)
    }


def _acronyms(cores: dict[tuple[str, ...], set[int]]) -> dict[tuple[str, ...], set[int]]:
    """Short first words, which in capitals mean the company: "NBT" of "NBT Bancorp", "SS&C" of "SS&C Technologies"."""
    owners: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for core, ciks in cores.items():
        for count in (1, 3):
            key = core[:count]
            is_short = all(len(word) < SHORT_NAME_LETTERS for word in key) and len("".join(key)) > 1
            if len(core) > count and is_short and (count == 1 or key[1] == "and"):
                owners[key] |= ciks
    return {
        key: ciks
        for key, ciks in owners.items()
        if len(ciks) == 1 and key not in cores and key[0] not in NO_NAMES | GENERIC and "".join(key) not in NO_NAMES
    }


def alias_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Of the var company_aliases, "alias=company" pairs parted by commas, each alias and its company.

    Raises FinragError for a part that is no pair.
    """
    for pair in filter(None, (part.strip() for part in text.split(","))):
        alias, _, company = (part.strip() for part in pair.partition("="))
        if not key_of(alias) or not company:
            raise FinragError(f"The company aliases hold {pair!r}. {ALIASES}")
        yield alias, company


def read_aliases(text: str, companies: Iterable[Company]) -> dict[tuple[str, ...], set[int]]:
    """The aliases of alias_pairs; a company is its CIK or its ticker.

    Raises FinragError, too, for a company that is not in the warehouse.
    """
    known = {}
    for company in companies:
        known[str(company.cik)] = company.cik
        if company.ticker:
            known[company.ticker.upper()] = company.cik
    aliases: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for alias, company in alias_pairs(text):
        cik = known.get(company.upper().lstrip("0"))
        if cik is None:
            raise FinragError(f"The company aliases hold '{alias}={company}'. {ALIASES}")
        aliases[key_of(alias)].add(cik)
    return aliases


def _is_compound(part: Sequence[Token], text: str) -> bool:
    """Whether it is joined to something else: the "SG" of "SG&A", the "KC" of "KC-46A"."""
    return text[: part[0].start][-1:] in ("&", "-") or text[part[-1].end :][:1] in ("&", "-")


def _is_marked_as_ticker(words: Sequence[Token], place: int, text: str) -> bool:
    """One letter is a ticker only as "(V)", "$V" or "NYSE: V"."""
    word = words[place]
    before, after = text[: word.start][-1:], text[word.end :][:1]
    return before == "$" or (before == "(" and after == ")") or (place > 0 and words[place - 1].key in EXCHANGES)


# Capitalised without being a name: the first word of a sentence, and the vocabulary of filings.
NO_NAMES = (
    COMMON
    | members(PLACES, TIMES, POSSESSIVES, PARTS)
    | frozenset(MONTHS)
    | frozenset(
        """
        according based because compare compared comparing considering describe despite discuss drawing excluding
        explain fiscal following form give given identify if include including item items list management name note
        notes outline part please provide regarding report section state summarize there until using where whether
        whose why within would q1 q2 q3 q4 fy k sec gaap non ks us usa u s eps ebitda md mda adjusted covid fx ip ai
        cash flow ratio annual table tables ceo cfo coo cto esg eu uk irs fda epa ftc doj ipo erp roi roe roa roic
        libor sofr usd eur gbp oci rsu rsus nol api asc asu fasb ifrs kpi arr cagr capex opex randd manda ganda
        sganda qanda
        """.split()
    )
)


def _capitalised_runs(words: Sequence[Token | None]) -> list[list[Token]]:
    """Names by their look: neighbouring capitalised words, small links between them included."""
    runs: list[list[Token]] = []
    run: list[Token] = []
    for token in [*words, None]:
        is_name = token is not None and token.is_capitalised and token.key not in NO_NAMES
        if is_name or (run and token is not None and token.key in LINKS):
            run.append(token)
        else:
            while run and run[-1].key in LINKS:
                run.pop()
            if run and any(len(each.key) > 1 for each in run):
                runs.append(run)
            run = []
    return runs
