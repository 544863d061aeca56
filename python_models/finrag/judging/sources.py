"""A source ready to be searched: its sentences, read as far as needed, and those that best cover a claim's words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from finrag.judging.claims import split_claims
from finrag.scoring.meant import RELATIVE_EPSILON
from finrag.scoring.numbers import MAX_ROUNDING_SHARE
from finrag.text.amounts import NUMBER, SUFFIXES, Amount, parse_amounts, parse_years, sign_of
from finrag.text.plain_text import SCALES, WORD_VALUES
from finrag.text.tokens import CAPITALISED, NO_NAMES, STOP, is_number, key, tokens
from finrag.text.vocabulary import ASKED, STATING, members
from finrag.text.years import MONTH_OF

# Of several sentences, each one after the first must add this much similarity, or a number.
LEAST_GAIN = 0.1
MOST_EVIDENCE = 3
# Similarity from which a contradiction is one, and not another matter.
RELATED = 0.55
TABLE_SCALES = (1.0, 1e3, 1e6, 1e9)
# What says where or how something is stated, and parts of figures, which are compared apart.
SAYING = ASKED | members(STATING) | WORD_VALUES.keys() | SUFFIXES.keys() | SCALES.keys()
HAS_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(WORD_VALUES)})\b", re.IGNORECASE)


class Sentence:
    """One source sentence, read as far as it is needed."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = tokens(text)
        self.keys = frozenset(filter(None, map(key, self.tokens)))
        self.numbers = frozenset(filter(is_number, self.tokens))

    @cached_property
    def amounts(self) -> list[Amount]:
        return amounts_of(self.text)

    @cached_property
    def years(self) -> list[Amount]:
        return parse_years(self.text)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """In the order of the text: the first one is quoted in a reason."""
        return tuple(dict.fromkeys(names_of(self.text)))

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What a claim may repeat word for word: the sentence and the claims in it, as tokens."""
        return tuple(joined(read_sentence(part).tokens) for part in (self.text, *split_claims(self.text)))


# the same sentences are in the sources of many claims
read_sentence = lru_cache(maxsize=16_384)(Sentence)


class Source:
    """A source ready to be searched."""

    def __init__(self, sentences: Sequence[str]):
        self.sentences = [read_sentence(text) for text in sentences]
        self.holders: dict[str, set[int]] = {}
        for index, sentence in enumerate(self.sentences):
            for term in sentence.keys | sentence.numbers:
                self.holders.setdefault(term, set()).add(index)
        self.words = frozenset(token for sentence in self.sentences for token in sentence.tokens)
        self.parts: dict[str, int] = {}
        for index, sentence in enumerate(self.sentences):
            for part in sentence.parts:
                self.parts.setdefault(part, index)
        for part in split_claims(" ".join(sentences)):
            self.parts.setdefault(joined(read_sentence(part).tokens), -1)
        self.starts: list[int] = []
        pieces, length = [], 0
        for sentence in self.sentences:
            self.starts.append(length)
            if sentence.tokens:
                pieces.append(" ".join(sentence.tokens))
                length += len(pieces[-1]) + 1
        self.text = f" {' '.join(pieces)} "

    def weight(self, term: str) -> float:
        return math.log(1 + len(self.sentences) / max(len(self.holders.get(term, ())), 0.5))

    def holding(self, words: str) -> tuple[int, ...]:
        """The sentences that a run of tokens stands in, () where it does not."""
        place = self.text.find(f" {words} ")
        if place < 0:
            return ()
        end = place + len(words)
        return tuple(
            index
            for index, start in enumerate(self.starts)
            if start < end and place < start + len(" ".join(self.sentences[index].tokens))
        )

    def states(self, amount: Amount, first: Sequence[int] = ()) -> bool:
        """Whether any sentence states the amount; looked for in those first where it is likely."""
        order = (*first, *range(len(self.sentences)))
        return any(same_amount(amount, other) for index in order for other in self.sentences[index].amounts)

    @cached_property
    def years(self) -> frozenset[float]:
        return frozenset(year.value for sentence in self.sentences for year in sentence.years)


def amounts_of(text: str) -> list[Amount]:
    return parse_amounts(text) if HAS_NUMBER.search(text) else []


def same_amount(claimed: Amount, stated: Amount) -> bool:
    """Whether a claim's amount is the source's, rounded as far as its own digits say. A row of a table has no scale."""
    units = {claimed.unit, stated.unit}
    if len(units) > 1 and not (NUMBER in units and (claimed.is_bare or stated.is_bare or stated.unit == NUMBER)):
        return False
    if len(units) > 1 and units & {"%", "percentage points"}:
        return False
    scales = TABLE_SCALES if stated.is_bare and not claimed.is_bare else (1.0,)
    return any(near(claimed, stated, scale) for scale in scales)


def near(claimed: Amount, stated: Amount, scale: float) -> bool:
    # a loss is no income of the same size
    if not (claimed.is_change or stated.is_change) and sign_of(claimed) * sign_of(stated) < 0:
        return False
    for mine, theirs in ((claimed.value, stated.value), (claimed.high, stated.high)):
        if (mine is None) != (theirs is None):
            return False
        if mine is None:
            continue
        if min(claimed.direction, stated.direction) >= 0 and mine * theirs < 0:
            return False
        mine, theirs = abs(mine), abs(theirs) * scale
        allowed = min(claimed.rounding, MAX_ROUNDING_SHARE * theirs) + RELATIVE_EPSILON * max(mine, theirs)
        # nothing is rounded to more digits than it had
        if claimed.rounding < stated.rounding * scale * 0.999:
            allowed = RELATIVE_EPSILON * max(mine, theirs)
        if abs(mine - theirs) > allowed:
            return False
    return True


def joined(words: Sequence[str]) -> str:
    return " ".join(words)


def names_of(text: str) -> list[str]:
    """Words in lower case that are capitalised inside the text; its first word too where a name goes on after it."""
    names = []
    for match in CAPITALISED.finditer(text):
        word = match[0].strip(".'’-").removesuffix("'s").removesuffix("’s")
        is_first = not re.search(r"\w", text[: match.start()])
        goes_on = bool(re.match(r"(?:['’]s)?\s+[A-Z][a-z]", text[match.end() :])) or match[0].endswith(("'s", "’s"))
        after_stop = bool(re.search(r"[.:!?•]\s*[\"“(]?$", text[: match.start()]))
        if word.lower() not in STOP | NO_NAMES and len(word) > 1 and (not (is_first or after_stop) or goes_on):
            names.append(word.lower())
    return names


@lru_cache(maxsize=16)
def prepared(sentences: tuple[str, ...]) -> Source:
    return Source(sentences)


@dataclass(frozen=True)
class Evidence:
    """indices: of the sentences that best cover a claim's words, best first; by_words: of those that add words, and
    are not there for a number alone. alone, together: the share of the words' weight that the first and that all of
    them cover."""

    indices: tuple[int, ...]
    by_words: tuple[int, ...]
    alone: float
    together: float


@dataclass(frozen=True)
class Case:
    """A claim and the sentences found for it, best first; by_words: as in Evidence. known: tokens of names that the
    source goes by."""

    source: Source
    claim: str
    words: list[str]
    found: list[Sentence]
    by_words: list[Sentence]
    known: frozenset[str]

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(filter(None, map(key, self.words)))

    @cached_property
    def stated(self) -> frozenset[str]:
        """The tokens of all the evidence."""
        return frozenset(token for sentence in self.found for token in sentence.tokens)

    @cached_property
    def is_rewording(self) -> bool:
        """Whether the claim has most of what the best sentence says, so that a difference is one, and not another
        matter."""
        best, weight = self.found[0].keys, self.source.weight
        return math.fsum(map(weight, best & self.keys)) >= RELATED * math.fsum(map(weight, best))


def looked_up(words: Sequence[str], source: Source) -> set[str]:
    """What a claim is looked up by: its terms, months in full, without what the source lacks of SAYING."""
    said = [word if word in source.words else MONTH_OF.get(word, word) for word in words]
    return terms_of([word for word in said if word not in SAYING or key(word) in source.holders])


def terms_of(words: Sequence[str]) -> set[str]:
    return {term for term in map(key, words) if term} | set(filter(is_number, words))


def find_evidence(source: Source, terms: set[str]) -> Evidence:
    """The sentences that best cover the terms.

    Numbers help to find the evidence, but what they weigh is left out of the shares: they are compared apart.
    """
    weights = {term: source.weight(term) for term in terms}
    words = {term for term in terms if not is_number(term)}
    total = math.fsum(weights[term] for term in words) or 1.0
    open_terms = set(terms)
    chosen: list[int] = []
    shares: list[float] = []
    while len(chosen) < MOST_EVIDENCE:
        gains: Counter = Counter()
        for term in sorted(open_terms):
            for index in source.holders.get(term, ()):
                gains[index] += weights[term]
        for index in chosen:
            gains.pop(index, None)
        if not gains:
            break
        best = min(gains, key=lambda index: (-round(gains[index], 9), index))
        gain = math.fsum(weights[term] for term in open_terms & source.sentences[best].keys) / total
        numbers = open_terms & source.sentences[best].numbers
        if chosen and gain < LEAST_GAIN and not numbers:
            break
        chosen.append(best)
        shares.append(gain)
        open_terms -= source.sentences[best].keys | source.sentences[best].numbers
    by_words = (index for index, share in zip(chosen, shares, strict=True) if share >= LEAST_GAIN)
    return Evidence(tuple(chosen), tuple(by_words), shares[0] if shares else 0.0, sum(shares))
