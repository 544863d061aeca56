"""The baseline judge: verdicts on claims by rules, without a model.

1. A claim that stands in the source word for word, as whole sentences or parts between semicolons, is True.
2. Otherwise the sentences that best cover the claim's words are its evidence, at most three. A word weighs more the
   fewer sentences have it, and one that the source lacks weighs most. Similarity is the share of weight covered.
3. A figure, date or number word that the evidence does not state is a contradiction where the evidence states another
   of the kind and the source nowhere this one, and otherwise a doubt. So are figures tied to other years, or in another
   order.
4. So are a name that is not in the evidence, a rise for a fall (told by the words around them), and a negation on one
   side alone. That the evidence says may, would or expects where the claim does not is a doubt.
5. False is a contradiction of sentences that are clearly about the same. True takes similarity and neither
   contradiction nor doubt. The rest is Unclear.

It is strict: a paraphrase in other words is Unclear, and what needs arithmetic or two steps of reasoning too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from finrag.judging.claims import split_claims
from finrag.scoring.numbers import MAX_ROUNDING_SHARE, RELATIVE_EPSILON
from finrag.text.amounts import NUMBER, Amount, parse_amounts, parse_years
from finrag.text.plain_text import WORD_VALUES, plain
from finrag.text.tokens import (
    CAPITALISED,
    DOWN,
    MODAL,
    NO_NAMES,
    NUMBER_WORDS,
    STOP,
    UP,
    direction,
    directions,
    is_negation,
    is_number,
    key,
    tokens,
)

# Similarity from which a sentence alone, or several together, support a claim.
SUPPORT_ALONE = 0.7
SUPPORT_TOGETHER = 0.8
# Of several, the best alone must have this much, and each further one must add that much.
LEAST_ALONE = 0.5
LEAST_GAIN = 0.1
MOST_EVIDENCE = 3
# Similarity from which a contradiction is one, and not another matter.
RELATED = 0.55
# Tokens to either side that a rise or fall is told by.
WINDOW = 6
TABLE_SCALES = (1.0, 1e3, 1e6, 1e9)
# "MBIA Inc. Based on" may be two sentences, which splitting takes for one.
AFTER_ABBREVIATION = re.compile(r"(?:(?<=\bInc\.)|(?<=\bLtd\.)|(?<=\bU\.S\.)|(?<=\bCorp\.)|(?<=\bCo\.))\s+(?=[A-Z])")
HAS_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(WORD_VALUES)})\b", re.IGNORECASE)
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Verdict:
    """verdict: "True", "False" or "Unclear". evidence: indices into the source sentences, best first; quotes: their
    texts. score: support from 0 to 1, 1 for a claim that stands in the source, at least 0.85 for True, below 0.5 for
    the others. numbers_agree: see the function of that name."""

    verdict: str
    reason: str
    evidence: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    score: float = 0.0
    numbers_agree: bool | None = None


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
        whole = " ".join(sentences)
        self.parts: dict[str, int] = {}
        for index, sentence in enumerate(sentences):
            for part in (sentence, *split_claims(sentence)):
                self.parts.setdefault(joined(tokens(part)), index)
        for part in split_claims(whole):
            self.parts.setdefault(joined(tokens(part)), -1)
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


def joined(words: Sequence[str]) -> str:
    return " ".join(words)


@lru_cache(maxsize=16)
def prepared(sentences: tuple[str, ...]) -> Source:
    return Source(sentences)


def baseline_verdicts(
    source_sentences: Sequence[str], claims: Sequence[str], known_names: Sequence[str] = ()
) -> list[Verdict]:
    """One verdict per claim. known_names: names of whom the source is by, which it may call "we" or "the Company"."""
    source = prepared(tuple(source_sentences))
    known = frozenset(token for name in known_names for token in tokens(name))
    return [judge(source, claim, known) for claim in claims]


def judge(source: Source, claim: str, known: frozenset[str] = frozenset()) -> Verdict:
    words = tokens(claim)
    whole = joined(words)
    if not source.sentences:
        return Verdict("Unclear", "There is no source.", numbers_agree=amounts_agree(source, claim))
    if whole in source.parts:
        index = source.parts[whole]
        evidence = (index,) if index >= 0 else source.holding(whole)
        agree = amounts_agree(source, claim, evidence)
        return quoted(source, "True", "It stands in the source.", evidence, 1.0, agree)
    pieces = pieces_of(claim)
    if len(pieces) > 1 and all(piece in source.parts for piece in pieces):
        evidence = tuple(dict.fromkeys(index for piece in pieces for index in source.holding(piece)))
        agree = amounts_agree(source, claim, evidence)
        return quoted(source, "True", "Its sentences stand in the source.", evidence, 1.0, agree)
    terms = {term for term in map(key, words) if term} | set(filter(is_number, words))
    terms -= {key(name) for name in known if key(name) not in source.holders}
    if not terms:
        return Verdict("Unclear", "It states nothing that could be looked up.")
    evidence, alone, together = find_evidence(source, terms)
    agree = amounts_agree(source, claim, evidence)
    if not evidence:
        return Verdict("Unclear", "No sentence of the source shares its words.", numbers_agree=agree)
    is_quote = bool(source.holding(whole))
    if is_quote:
        evidence, alone, together = source.holding(whole), 1.0, 1.0
    contradiction, doubt = compare(source, claim, words, evidence, known)
    if contradiction and together >= RELATED:
        return quoted(source, "False", contradiction, evidence, 0.1 * (1 - together), agree)
    if contradiction or doubt:
        return quoted(source, "Unclear", contradiction or doubt, evidence, 0.4 * together, agree)
    if alone >= SUPPORT_ALONE or (alone >= LEAST_ALONE and together >= SUPPORT_TOGETHER):
        reason = "It quotes the source." if is_quote else f"The evidence covers {together:.0%} of it, and agrees."
        return quoted(source, "True", reason, evidence, 0.5 + 0.5 * together, agree)
    return quoted(
        source, "Unclear", f"The nearest sentences cover {together:.0%} of it.", evidence, 0.45 * together, agree
    )


def quoted(source: Source, verdict: str, reason: str, evidence: tuple[int, ...], score: float, agree) -> Verdict:
    quotes = tuple(source.sentences[index].text for index in evidence)
    return Verdict(verdict, reason, evidence, quotes, round(score, 6), agree)


def find_evidence(source: Source, terms: set[str]) -> tuple[tuple[int, ...], float, float]:
    """Indices, best first, and the share of the terms' weight that the first and that all of them cover.

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
    return tuple(chosen), shares[0] if shares else 0.0, sum(shares)


def compare(
    source: Source, claim: str, words: list[str], evidence: tuple[int, ...], known: frozenset[str]
) -> tuple[str, str]:
    """A contradiction between claim and evidence and a doubt about it, each empty where there is none."""
    found = [source.sentences[index] for index in evidence]
    doubts = []
    for check in (check_figures, check_names, check_directions, check_negation):
        contradiction, doubt = check(source, claim, words, found, known)
        if contradiction:
            return contradiction, ""
        doubts.append(doubt)
    doubts.append(check_modality(words, found))
    return "", next(filter(None, doubts), "")


def check_figures(source: Source, claim: str, words, found: Sequence[Sentence], known) -> tuple[str, str]:
    amounts, years = amounts_of(claim), parse_years(claim)
    for amount in amounts:
        if any(same_amount(amount, other) for sentence in found for other in sentence.amounts):
            continue
        if amount.is_bare and all(set(tokens(amount.text)) <= set(sentence.tokens) for sentence in found[:1]):
            continue  # a number that the source's sentence has as part of something else
        if source.states(amount):
            return "", f"{amount.text.strip()} is stated elsewhere in the source, not in the evidence."
        other = rival(claim, amounts, amount, found)
        if other is not None:
            return f"It says {amount.text.strip()}, the evidence {other.text.strip()}.", ""
        return "", f"{amount.text.strip()} is not in the source."
    for year in years:
        stated = {other.value for sentence in found for other in sentence.years}
        if year.value in stated or (not stated and year.value in source.years):
            continue
        if year.value not in source.years and found[0].years and is_rewording(source, words, found[0]):
            return f"It says {year.text}, the evidence {min(stated):.0f}.", ""
        return "", f"The evidence does not speak of {year.text}."
    covered = [(a.start, a.start + len(a.text)) for a in (*amounts, *years)]
    stated_tokens = {token for sentence in found for token in sentence.tokens}
    for match in FIGURE.finditer(plain(claim)):
        figure = match[0].rstrip(",").replace(",", "")
        if any(start <= match.start() < end for start, end in covered) or figure in stated_tokens:
            continue
        others = sorted(token for token in stated_tokens if is_number(token) and token not in words)
        if others and figure not in source.words and is_rewording(source, words, found[0]):
            return f"It says {figure}, which the evidence does not.", ""
        return "", f"The evidence does not state {figure}."
    for word in words:
        if word in NUMBER_WORDS and word not in stated_tokens and not any(word in a.text.lower() for a in amounts):
            if any(token in NUMBER_WORDS and token not in words for token in stated_tokens):
                return f"It says {word}, which the evidence does not.", ""
            return "", f"The evidence does not say {word}."
    return "", mispaired(plain(claim), amounts, years, found)


def mispaired(claim: str, amounts: list[Amount], years: list[Amount], found: Sequence[Sentence]) -> str:
    """A doubt where a figure stands with another year than in the evidence, or figures stand in another order."""
    if not amounts:
        return ""
    own = years_of(amounts, years)
    last = -1
    best = found[0]
    if (other := figure_of_other(claim, amounts, best)) is not None:
        return f"The words before {other.text.strip()} stand before another figure in the evidence."
    for amount, year in zip(amounts, own, strict=True):
        options = [
            (other, other_year, place, sentence)
            for sentence in found
            for place, (other, other_year) in enumerate(
                zip(sentence.amounts, years_of(sentence.amounts, sentence.years), strict=True)
            )
            if same_amount(amount, other)
        ]
        if year is not None and all(option[1] not in (None, year) for option in options):
            return f"The evidence gives {amount.text.strip()} for another year than {year:.0f}."
        if year is None:
            places = [place for _, _, place, sentence in options if sentence is best]
            if places and all(place < last for place in places):
                return "Its figures stand in another order than in the evidence."
            last = min((place for place in places if place >= last), default=last)
    return ""


def figure_of_other(claim: str, amounts: Sequence[Amount], best: Sentence) -> Amount | None:
    """The first amount whose words (those since the amount before it) are another amount's in the evidence."""
    theirs = list(zip(best.amounts, words_before(plain(best.text), best.amounts), strict=True))
    for amount, mine in zip(amounts, words_before(claim, amounts), strict=True):
        own = max((len(mine & words) for other, words in theirs if same_amount(amount, other)), default=None)
        others = (len(mine & words) for other, words in theirs if other.unit == amount.unit)
        if own is not None and max(others, default=0) >= own + 2:
            return amount
    return None


def rival(claim: str, amounts: list[Amount], amount: Amount, found: Sequence[Sentence]) -> Amount | None:
    """The evidence's amount in place of the claim's: of its unit, after some of its words, itself not claimed."""
    mine = words_before(plain(claim), amounts)[amounts.index(amount)]
    for sentence in found:
        theirs = words_before(plain(sentence.text), sentence.amounts)
        for other, words in zip(sentence.amounts, theirs, strict=True):
            if other.unit == amount.unit and mine & words and not any(same_amount(each, other) for each in amounts):
                return other
    return None


def words_before(text: str, amounts: Sequence[Amount]) -> list[set[str]]:
    starts = [0, *(amount.start + len(amount.text) for amount in amounts)]
    return [
        {term for term in map(key, tokens(text[start : amount.start])) if term}
        for start, amount in zip(starts, amounts, strict=False)
    ]


def years_of(amounts: Sequence[Amount], years: Sequence[Amount]) -> list[float | None]:
    """The year of each amount: the first one after it and before the next amount, else the last one before it."""
    result: list[float | None] = []
    for place, amount in enumerate(amounts):
        following = amounts[place + 1].start if place + 1 < len(amounts) else math.inf
        after = [year.value for year in years if amount.start < year.start < following]
        before = [year.value for year in years if year.start < amount.start]
        result.append(after[0] if after else before[-1] if before else None)
    return result


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


def check_names(source: Source, claim: str, words, found: Sequence[Sentence], known) -> tuple[str, str]:
    stated = {token.removesuffix("'s") for sentence in found for token in sentence.tokens}
    mine = set(tokens(claim))
    for name in names_of(claim):
        parts = [part.removesuffix("'s") for part in tokens(name)]
        if all(part in stated for part in parts):
            continue
        others = [other for sentence in found for other in sentence.names if other not in mine]
        is_known = all(part in source.words or part in known for part in parts)
        if is_known and not others:
            continue
        if is_known:
            return "", f"The evidence does not name {name.title()}."
        if others and rest_covered(source, words, found) >= SUPPORT_TOGETHER and is_rewording(source, words, found[0]):
            return f"It names {name.title()}, the evidence {others[0].title()}.", ""
        return "", f"{name.title()} is not in the source."
    first, best = words[:1], found[0].tokens[:1]
    is_other = first and best and first[0] not in source.words and first[0] not in known and best[0] not in mine
    if is_other and key(first[0]) and key(best[0]) and direction(first[0]) is None:
        return "", f"It begins with {first[0]}, which is not in the source, the evidence with {best[0]}."
    return "", ""


def rest_covered(source: Source, words: list[str], found: Sequence[Sentence]) -> float:
    """Of the claim's words that the source knows at all, the share of weight that the evidence covers."""
    terms = {term for term in map(key, words) if term in source.holders}
    total = math.fsum(map(source.weight, terms))
    covered = {term for sentence in found for term in sentence.keys}
    return math.fsum(source.weight(term) for term in terms & covered) / total if total else 0.0


def check_directions(source: Source, claim, words: list[str], found: Sequence[Sentence], known) -> tuple[str, str]:
    theirs = [(place, turn, sentence) for sentence in found for place, turn in directions(sentence.tokens)]
    own = Counter(turn for _, turn in directions(words))
    mine_around = [(place, turn, near_words(words, place)) for place, turn in directions(words)]
    theirs_around = [(turn, near_words(sentence.tokens, place)) for place, turn, sentence in theirs]
    nearest = [max((len(around & mine) for _, _, mine in mine_around), default=0) for _, around in theirs_around]
    for place, mine, around in mine_around:
        word = words[place]
        if not theirs:
            return "", f"The evidence does not say {word}."
        overlaps = [len(around & other) for _, other in theirs_around]
        most = max(overlaps)
        best = [number for number, overlap in enumerate(overlaps) if overlap == most]
        turns = {theirs_around[number][0] for number in best}
        if turns == {DOWN if mine == UP else UP}:
            # another word of the claim may stand nearer to it, and this one speaks of something else
            agreeing = [
                len(around_it & theirs_around[number][1])
                for number in best
                for _, turn, around_it in mine_around
                if turn != mine
            ]
            is_nearest = any(nearest[number] == most for number in best)
            if most >= 1 and is_nearest and max(agreeing, default=0) < most:
                return f"It says {word}, and the evidence the opposite.", ""
            return "", f"The evidence says the opposite of {word}, maybe of something else."
        is_excess = own[mine] > sum(turn == mine for turn, _ in theirs_around)
        if len(turns) == 2 and is_excess and is_rewording(source, words, found[0]):
            return f"It says {word} where the evidence says the opposite.", ""
    return "", ""


def near_words(words: Sequence[str], place: int) -> set[str]:
    around = (*words[max(0, place - WINDOW) : place], *words[place + 1 : place + 1 + WINDOW])
    return {term for term in map(key, around) if term and term not in (UP, DOWN)} | set(filter(is_number, around))


def check_negation(source: Source, claim, words: list[str], found: Sequence[Sentence], known) -> tuple[str, str]:
    best = found[0]
    mine, theirs = (any(map(is_negation, side)) for side in (words, best.tokens))
    if mine == theirs:
        return "", ""
    told = "It negates what the evidence says." if mine else "The evidence negates it."
    negated = negated_terms(words if mine else best.tokens)
    is_same = negated <= (best.keys if mine else {key(word) for word in words})
    return (told, "") if is_same and is_rewording(source, words, best) else ("", told)


def is_rewording(source: Source, words: list[str], best: Sentence) -> bool:
    """Whether the claim has most of what the sentence says, so that a difference is one, and not another matter."""
    own = {key(word) for word in words}
    return math.fsum(map(source.weight, best.keys & own)) >= RELATED * math.fsum(map(source.weight, best.keys))


def negated_terms(words: Sequence[str]) -> set[str]:
    """What the first negation is about: the first two words of content after it."""
    place = next(place for place, word in enumerate(words) if is_negation(word))
    return set([term for term in map(key, words[place + 1 :]) if term][:2])


def check_modality(words: list[str], found: Sequence[Sentence]) -> str:
    best = found[0]
    # the month of May is a capitalised may
    may = {"may"} if re.search(r"\bmay\b", best.text) else set()
    modal = {token for token in best.tokens if MODAL.match(token)} | may
    own = {token for token in words if MODAL.match(token)} | ({"may", "will"} & set(words))
    return f"The evidence says {min(modal)}, it does not." if modal and not own else ""


def pieces_of(claim: str) -> list[str]:
    return [joined(tokens(piece)) for piece in AFTER_ABBREVIATION.split(claim)]


def amounts_agree(source: Source, claim: str, first: Sequence[int] = ()) -> bool | None:
    amounts, years = amounts_of(claim), parse_years(claim)
    if not amounts and not years:
        return None
    # a part of a row is no longer beside the row's unit, so its figures would be read as others
    if joined(tokens(claim)) in source.parts or all(piece in source.parts for piece in pieces_of(claim)):
        return True
    return all(year.value in source.years for year in years) and all(source.states(amount, first) for amount in amounts)


def numbers_agree(source_sentences: Sequence[str], claim: str) -> bool | None:
    """Whether every amount and year of a claim is stated somewhere in the source; None for a claim without any.

    No model is asked. An amount may be rounded as far as its own digits say, and by MAX_ROUNDING_SHARE at most.
    """
    source = prepared(tuple(source_sentences))
    terms = {term for term in map(key, tokens(claim)) if term} | set(filter(is_number, tokens(claim)))
    return amounts_agree(source, claim, find_evidence(source, terms)[0])
