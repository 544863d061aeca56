"""Whether an answer about several companies states one company's fact for another.

Conservative: a clause counts against the answer only if it names exactly one company, that company's own texts do not
hold the fact, and another company's do. What neither holds is unsupported, which is another fault. "Respectively" and
pronouns are not resolved; such clauses stay unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag.text.amounts import Amount, parse_amounts
from finrag.text.companies import BEGINNINGS
from finrag.text.words import LEGAL_FORM, content_words, sentences

# A figure proves something if it is unlikely to be shared by chance: 5% is, 5.3% or $15.9 billion is not.
SIGNIFICANT_DIGITS = 2
# The sentence that holds the figure has to be about the same thing: two content words in common besides the names.
SHARED_WORDS = 2
# Clauses without a figure are compared by words; fewer than eight say too little: five of "risk factor disclosures on
# information security" stand in any company's filing.
CLAUSE_WORDS = 8
# Part of the clause's words in one sentence of the other company: at 0.8 it is that sentence, shortened.
OTHER_SHARE = 0.8
# With half of its words in a sentence of the named company the clause may as well be a paraphrase of that one.
OWN_SHARE = 0.5

SUFFIX = re.compile(
    rf"[,\s]+(?:{LEGAL_FORM}|holdings?|group)\.?$"
    r"|\s*[/\\]\w+[/\\]?$|\s+com$",
    re.I,
)
UNRESOLVED = re.compile(r"\b(?:respectively|both|each|combined|together)\b", re.I)


@dataclass(frozen=True)
class Company:
    """A company of the question: its id and every name that an answer may give it; the ticker only in capitals."""

    company_id: str
    names: tuple[str, ...]
    ticker: str | None = None


@dataclass(frozen=True)
class Clause:
    """verdict: own, other (of_company holds the fact), unsupported or unchecked. fact: the figure, or None."""

    text: str
    company_id: str
    verdict: str
    of_company: str | None = None
    fact: str | None = None


@dataclass(frozen=True)
class Attribution:
    """misattributed_share is that of the checked clauses (own or other); None if none could be checked."""

    clauses: tuple[Clause, ...]
    checked_count: int
    misattributed_count: int
    misattributed_share: float | None


def company(company_id: str, name: str, ticker: str | None = None, others: Sequence[str] = ()) -> Company:
    """A company with its names: the registered one, without legal form, its first word if that is telling, its ticker.

    others are the registered names of the question's other companies; a first word that they share is no name.
    """
    short = name
    while (stripped := SUFFIX.sub("", short)) != short and stripped:
        short = stripped
    words = short.split()
    names = [name, short, short.replace(" ", "")]
    shared = {other.split()[0].lower() for other in others if other != name}
    if len(words[0]) >= 4 and words[0].lower() not in BEGINNINGS | shared:
        names.append(words[0])
    return Company(company_id, tuple(dict.fromkeys(names)), ticker or None)


def attribution(answer: str, companies: Sequence[Company], evidence: Mapping[str, Sequence[str]]) -> Attribution:
    """Check every clause of an answer that names one company against the texts of all.

    evidence: texts (context and gold evidence) by company id. A clause runs from the company's name to the next
    company's name or the end of the sentence; words before the first name belong to it if the sentence names no other.
    """
    library = {key: [_Text(text) for text in texts] for key, texts in evidence.items()}
    named = {name.lower() for each in companies for part in each.names for name in part.split()}
    clauses = [
        verdict for sentence in sentences(answer) for verdict in check_sentence(sentence, companies, library, named)
    ]
    misattributed = sum(clause.verdict == "other" for clause in clauses)
    checked = misattributed + sum(clause.verdict == "own" for clause in clauses)
    share = misattributed / checked if checked else None
    return Attribution(tuple(clauses), checked, misattributed, share)


class _Text:
    """An evidence text, parsed once."""

    def __init__(self, text: str) -> None:
        self.amounts = parse_amounts(text)
        self.words = content_words(text)


def split_clauses(sentence: str, companies: Sequence[Company]) -> list[tuple[str, str]]:
    """(clause, company id) of the companies that a sentence names; neighbouring mentions of one company are one."""
    mentions = sorted(
        (match.start(), each.company_id)
        for each in companies
        for name, flags in [*((name, re.I) for name in each.names), (each.ticker, re.NOFLAG)]
        if name
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, flags)
    )
    starts = [mention for place, mention in enumerate(mentions) if place == 0 or mention[1] != mentions[place - 1][1]]
    if len({company_id for _, company_id in starts}) < 2:
        return [(sentence, company_id) for _, company_id in starts[:1]]
    ends = [start for start, _ in starts[1:]] + [len(sentence)]
    return [(sentence[start:end].strip(), company_id) for (start, company_id), end in zip(starts, ends, strict=True)]


def check_sentence(
    sentence: str, companies: Sequence[Company], library: Mapping[str, Sequence[_Text]], named: set[str]
) -> list[Clause]:
    clauses = split_clauses(sentence, companies)
    if len(clauses) > 1 and UNRESOLVED.search(sentence):
        return [Clause(clause, company_id, "unchecked") for clause, company_id in clauses]
    return [verdict for clause, company_id in clauses for verdict in check(clause, company_id, library, named)]


def check(clause: str, company_id: str, library: Mapping[str, Sequence[_Text]], named: set[str]) -> list[Clause]:
    """One verdict per telling figure of the clause, or one for its words if it has none."""
    words = content_words(clause) - named
    figures = [amount for amount in parse_amounts(clause) if is_telling(amount)]
    if figures:
        return [check_figure(clause, company_id, amount, words, library) for amount in figures]
    if len(words) < CLAUSE_WORDS:
        return [Clause(clause, company_id, "unchecked")]
    shares = {
        key: max((len(words & text.words) / len(words) for text in texts), default=0.0)
        for key, texts in library.items()
    }
    if shares.get(company_id, 0.0) >= OWN_SHARE:
        return [Clause(clause, company_id, "own")]
    other = max((key for key in shares if key != company_id), key=shares.__getitem__, default=None)
    if other is not None and shares[other] >= OTHER_SHARE:
        return [Clause(clause, company_id, "other", other)]
    return [Clause(clause, company_id, "unsupported")]


def check_figure(
    clause: str, company_id: str, amount: Amount, words: set[str], library: Mapping[str, Sequence[_Text]]
) -> Clause:
    holders = {
        key: [text for text in texts if any(same(amount, other) for other in text.amounts)]
        for key, texts in library.items()
    }
    if holders.get(company_id):
        return Clause(clause, company_id, "own", fact=amount.text)
    for key, texts in holders.items():
        if any(len(words & text.words) >= SHARED_WORDS for text in texts):
            return Clause(clause, company_id, "other", key, amount.text)
    return Clause(clause, company_id, "unsupported", fact=amount.text)


def is_telling(amount: Amount) -> bool:
    """At least SIGNIFICANT_DIGITS digits without leading and trailing zeros: 5.3% and $15.9 billion, not 5% or $20."""
    digits = re.sub(r"\D", "", amount.text).strip("0")
    return len(digits) >= SIGNIFICANT_DIGITS


def same(one: Amount, other: Amount) -> bool:
    """Equal within the coarser rounding, in the same unit or in none."""
    if one.unit != other.unit and not (one.is_bare or other.is_bare):
        return False
    return abs(abs(one.value) - abs(other.value)) <= max(one.rounding, other.rounding)
