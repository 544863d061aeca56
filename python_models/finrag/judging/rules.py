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

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag.judging.figures import check_amounts, check_other_numbers, check_pairs, check_years
from finrag.judging.sources import (
    RELATED,
    Case,
    Evidence,
    Source,
    amounts_of,
    find_evidence,
    joined,
    looked_up,
    prepared,
    terms_of,
)
from finrag.judging.wording import (
    check_directions,
    check_end,
    check_modality,
    check_names,
    check_negation,
    check_opposites,
)
from finrag.text.amounts import parse_years
from finrag.text.tokens import key, tokens

# Similarity from which a sentence alone, or several together, support a claim.
SUPPORT_ALONE = 0.7
SUPPORT_TOGETHER = 0.8
# Of several, the best alone must have this much.
LEAST_ALONE = 0.5
# "MBIA Inc. Based on" may be two sentences, which splitting takes for one.
AFTER_ABBREVIATION = re.compile(r"(?:(?<=\bInc\.)|(?<=\bLtd\.)|(?<=\bU\.S\.)|(?<=\bCorp\.)|(?<=\bCo\.))\s+(?=[A-Z])")
CHECKS = (
    *(check_amounts, check_years, check_other_numbers, check_pairs),
    *(check_names, check_opposites, check_directions, check_negation, check_modality, check_end),
)


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
    terms = looked_up(words, source) - {key(name) for name in known if key(name) not in source.holders}
    if not terms:
        return Verdict("Unclear", "It states nothing that could be looked up.")
    found = find_evidence(source, terms)
    agree = amounts_agree(source, claim, found.indices)
    if not found.indices:
        return Verdict("Unclear", "No sentence of the source shares its words.", numbers_agree=agree)
    holding = source.holding(whole)
    if holding:
        found = Evidence(holding, holding, 1.0, 1.0)
    evidence, together = found.indices, found.together
    contradiction, doubt = compare(source, claim, words, found, known)
    if contradiction and together >= RELATED:
        return quoted(source, "False", contradiction, evidence, 0.1 * (1 - together), agree)
    if contradiction or doubt:
        return quoted(source, "Unclear", contradiction or doubt, evidence, 0.4 * together, agree)
    if found.alone >= SUPPORT_ALONE or (found.alone >= LEAST_ALONE and together >= SUPPORT_TOGETHER):
        reason = "It quotes the source." if holding else f"The evidence covers {together:.0%} of it, and agrees."
        return quoted(source, "True", reason, evidence, 0.5 + 0.5 * together, agree)
    reason = f"The nearest sentences cover {together:.0%} of it."
    return quoted(source, "Unclear", reason, evidence, 0.45 * together, agree)


def quoted(source: Source, verdict: str, reason: str, evidence: tuple[int, ...], score: float, agree) -> Verdict:
    quotes = tuple(source.sentences[index].text for index in evidence)
    return Verdict(verdict, reason, evidence, quotes, round(score, 6), agree)


def compare(source: Source, claim: str, words: list[str], evidence: Evidence, known: frozenset[str]) -> tuple[str, str]:
    """A contradiction between claim and evidence and a doubt about it, each empty where there is none."""
    found, by_words = (
        [source.sentences[index] for index in indices] for indices in (evidence.indices, evidence.by_words)
    )
    case = Case(source, claim, words, found, by_words, known)
    first_doubt = ""
    for check in CHECKS:
        contradiction, doubt = check(case)
        if contradiction:
            return contradiction, ""
        first_doubt = first_doubt or doubt
    return "", first_doubt


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
    return amounts_agree(source, claim, find_evidence(source, terms_of(tokens(claim))).indices)
