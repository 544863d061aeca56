"""Whether a text says a claim, by rules: its best-supporting sentence, and agreement of numbers, years and directions.

A sentence speaks about the claim when it holds enough of the claim's words, the rarer in the text the weightier. It
then supports the claim if nothing in the claim disagrees with it and none of the claim's figures is missing from it,
and contradicts it if a figure of the same unit, a year, the direction, a negation or a name differs. This is no
reading: a claim in other words than the text's is not found and stays unknown.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from finrag.quizzes.sentences import Sentence, read, split
from finrag.scoring.numbers import NUMBER, Amount

LEAST_SUPPORT = 0.6
"""Share of the claim's weight that a sentence must hold to support it."""
LEAST_CONTRADICTION = 0.75
"""The same to contradict it: what differs should be all that differs."""
SENTENCES_CONSIDERED = 5
_PREFIX = re.compile(r"^does the text (?:say|state) that\s+", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"^(?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|should|according to [^,]+,)\s+", re.IGNORECASE
)


@dataclass(frozen=True)
class Verdict:
    """verdict: supported, contradicted or unknown. reason: what disagrees or is missing. quote: the sentence read."""

    verdict: str
    reason: str
    quote: str | None = None
    coverage: float = 0.0


def claim_of(question: str) -> str:
    """A closed question as the statement that it asks about."""
    text = question.strip().rstrip("?").strip()
    return _PREFIX.sub("", text) if _PREFIX.match(text) else _AUXILIARY.sub("", text)


def decide(claim: str, text: str) -> Verdict:
    """Whether the text supports the claim."""
    wanted, found = read(" ".join(claim.split())), split(text)
    same = next(
        (sentence for sentence in found if sentence.key == wanted.key.rstrip(".") or _equal(sentence, wanted)), None
    )
    if same is not None and wanted.key:
        return Verdict("supported", "verbatim", same.text, 1.0)
    ranked = best(wanted, text)
    if not ranked or ranked[0][0] < LEAST_SUPPORT:
        return Verdict("unknown", "not_mentioned", None, ranked[0][0] if ranked else 0.0)
    verdicts = [(coverage, sentence, *disagreement(wanted, sentence)) for coverage, sentence in ranked]
    for coverage, sentence, conflict, missing in verdicts:
        if not conflict and not missing:
            return Verdict("supported", "agrees", sentence.text, coverage)
    coverage, sentence, conflict, missing = verdicts[0]
    if conflict and coverage >= LEAST_CONTRADICTION:
        return Verdict("contradicted", conflict, sentence.text, coverage)
    return Verdict("unknown", conflict or missing, None, coverage)


def _equal(sentence: Sentence, wanted: Sentence) -> bool:
    return sentence.key.rstrip(".") == wanted.key.rstrip(".")


def best(wanted: Sentence, text: str) -> list[tuple[float, Sentence]]:
    """The sentences that hold most of the claim's words, with their share of its weight, best first."""
    found = split(text)
    counts = term_counts(text)
    weights = {term: math.log(1 + (len(found) + 1) / (counts[term] + 1)) for term in sorted(wanted.terms)}
    total = sum(weights.values())
    if not total:
        return []
    shares = [
        (sum(weight for term, weight in weights.items() if term in sentence.terms) / total, -place)
        for place, sentence in enumerate(found)
    ]
    ranked = sorted(shares, reverse=True)[:SENTENCES_CONSIDERED]
    return [
        (share, found[-place]) for share, place in ranked if share >= min(LEAST_SUPPORT, ranked[0][0]) and share > 0
    ]


@lru_cache(maxsize=64)
def term_counts(text: str) -> Counter:
    return Counter(term for sentence in split(text) for term in sentence.terms)


def disagreement(claim: Sentence, sentence: Sentence) -> tuple[str, str]:
    """What of the claim the sentence contradicts, and what it lacks; empty where nothing."""
    missing = ""
    for amount in claim.amounts:
        if any(is_same(amount, other) for other in sentence.amounts):
            continue
        if any(is_comparable(amount, other) for other in sentence.amounts):
            return "number", ""
        missing = "number"
    if claim.years - sentence.years:
        if sentence.years:
            return "year", ""
        missing = missing or "year"
    if claim.is_up != claim.is_down and sentence.is_up != sentence.is_down and claim.is_up != sentence.is_up:
        return "direction", ""
    if claim.is_negated != sentence.is_negated:
        return "negation", ""
    unnamed = {name for name in claim.names if name not in sentence.text.lower()}
    if unnamed:
        others = {name for name in sentence.names if name not in claim.text.lower()}
        if others:
            return "name", ""
        missing = missing or "name"
    return "", missing


def is_comparable(one: Amount, other: Amount) -> bool:
    return one.unit == other.unit or NUMBER in (one.unit, other.unit)


def is_same(one: Amount, other: Amount) -> bool:
    """Whether two amounts agree within what the coarser one's digits say."""
    if not is_comparable(one, other):
        return False
    allowed = max(one.rounding, other.rounding) + 1e-9 * max(abs(one.value), abs(other.value))
    return min(abs(one.value - other.value), abs(abs(one.value) - abs(other.value))) <= allowed


def options_stated(options: Sequence[str], statement: str, text: str) -> tuple[str | None, str | None]:
    """Of the options, the one that the text states where the statement has its blank, and the sentence; else nothing.

    Where one sentence states several of them, the words before the blank decide.
    """
    before, _, after = statement.partition(BLANK)
    wanted = read(" ".join(f"{before} {after}".split()))
    amounts = {option: read(option).amounts for option in options}
    for coverage, sentence in best(wanted, text):
        if coverage < LEAST_SUPPORT:
            break
        if any(disagreement(_without_amounts(wanted), sentence)):
            continue
        stated = [option for option in options if _states(sentence, option, amounts[option])]
        if stated:
            return max(stated, key=lambda option: _words_before(sentence.text, option, before)), sentence.text
    return None, None


BLANK = "____"


def _without_amounts(sentence: Sentence) -> Sentence:
    from dataclasses import replace

    return replace(sentence, amounts=())


def _states(sentence: Sentence, option: str, amounts: Iterable[Amount]) -> bool:
    amounts = list(amounts)
    if amounts:
        return all(any(is_same(amount, other) for other in sentence.amounts) for amount in amounts)
    return re.search(rf"(?<!\w){re.escape(option.lower())}(?!\w)", sentence.text.lower()) is not None


def _words_before(text: str, option: str, before: str) -> int:
    """How many words before the option are those before the blank."""
    place = text.lower().find(option.lower())
    if place < 0:
        return -1
    count = 0
    for one, other in zip(reversed(text[:place].lower().split()), reversed(before.lower().split()), strict=False):
        if one != other:
            break
        count += 1
    return count
