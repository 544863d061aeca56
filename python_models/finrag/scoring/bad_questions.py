"""Questions whose gold answer is no answer, so that scores against it mean nothing.

Two verdicts side by side: the seed's rule, word for word, which needs an answer and its scores and so finds a bad
question only where a model happened to answer with meta-commentary; and ours, which reads the gold itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from finrag.text.abstention import abstention
from finrag.text.amounts import parse_amounts
from finrag.text.vocabulary import ARTICLES, BE, CAN, DO, HAVE, MAY, PREPOSITIONS, WILL, members
from finrag.text.words import sentences

# The seed's thresholds: zero lexical overlap, yet high semantic similarity.
SEED_ROUGE_L = 0.05
SEED_BERTSCORE = 0.75
SEED_PATTERNS = (
    re.compile(r"(?i)\b(reference is made|see (item|note|section|page)|refer to)\b"),
    re.compile(r"(?i)\b(data (is )?unavailable|not disclosed|outside (corpus|coverage))\b"),
)

# The longest titles in 10-Ks' tables of contents have a dozen words; fewer than four, "Cloud Services", may answer.
HEADING_WORDS = 12
TITLE_WORDS = 4
NUMBERED = re.compile(r"^(?:notes?|items?|parts?|tables?|schedules?|exhibits?)\s+\w{1,4}\b", re.I)
SMALL_WORDS = members(ARTICLES, PREPOSITIONS, "and|as|or|with")
VERB = re.compile(
    rf"\b(?:{BE}|be|been|{HAVE}|{DO}|{MAY}|{CAN}|{WILL}|should|must|grew|rose|fell"
    r"|(?!(?:selected|consolidated|condensed|related|unaudited|united|unresolved|continued)\b)\w+ed)\b",
    re.I,
)
REPORT = re.compile(
    r"\bin our opinion, the (?:accompanying )?(?:consolidated )?(?:balance sheets?|financial statements)\b"
    r"|\breport of independent registered public accounting firm to the\b",
    re.I,
)
# Sentences that describe how the filing is laid out.
LAYOUT = re.compile(
    r"\brisk factors are (?:grouped|organized|presented|listed|set forth|discussed)\b"
    # the lead of a table, unless a sentence follows its colon
    r"|\bthe following tables? (?:sets? forth|shows?|presents?|summariz\w+)\b[^:]*(?::\s*(?:\S+\s*){0,7})?$"
    r"|\b(?:is|are) (?:listed|presented) in (?:the following )?order\b|\breference is (?:hereby )?made\b",
    re.I,
)
QUANTITY = (
    r"(?:total )?(?:revenue|net income|operating income|cash flow|earnings per share|debt|capex|capital expenditures"
    r"|gross margin|interest expense)"
)
ASKS_FIGURE = re.compile(
    r"\bhow (?:much|many)\b|\bmagnitude\b|\bdollar change\b"
    rf"|\b(?:report|state|disclose|record)s? (?:as )?its {QUANTITY}|\bwhat {QUANTITY} (?:do|did|does|was|were)\b",
    re.I,
)


@dataclass(frozen=True)
class BadQuestion:
    """seed_flag is None where the rule cannot be applied: no answer or no scores. reasons are ours, () for none."""

    seed_flag: bool | None
    reasons: tuple[str, ...]


class CrossReferences:
    """seeds/cross_reference_patterns.csv as the warehouse applies it: an include matches what the excludes leave."""

    def __init__(self, rows: Iterable[Mapping[str, object]]) -> None:
        """rows need the columns role (include or exclude) and pattern."""
        patterns: dict[str, list[str]] = {"include": [], "exclude": []}
        for row in rows:
            patterns[str(row["role"])].append(f"(?:{row['pattern']})")
        self.include, self.exclude = (
            re.compile("|".join(patterns[role]) or r"(?!)", re.I) for role in ("include", "exclude")
        )

    def __call__(self, text: str) -> bool:
        return bool(self.include.search(self.exclude.sub(" # ", text)))


def seed_rule(gold: str, answer: str | None, rouge_l: float | None, bert_score: float | None) -> bool | None:
    """The seed's detect_bad_question: no common words, high BERTScore, and both texts meta-commentary."""
    if answer is None or rouge_l is None or bert_score is None:
        return None
    gold_is_meta, answer_is_meta = (any(pattern.search(text) for pattern in SEED_PATTERNS) for text in (gold, answer))
    return rouge_l < SEED_ROUGE_L and bert_score > SEED_BERTSCORE and gold_is_meta and answer_is_meta


def gold_faults(
    question: str,
    gold: str | Sequence[str] | None,
    answer_type: str,
    cross_reference: CrossReferences,
    evidence_in_corpus: Sequence[bool] | None = None,
) -> tuple[str, ...]:
    """Why a gold answer is none, in this order:

    empty; out_of_corpus (no evidence sentence is in the corpus); cross_reference (every sentence points elsewhere);
    heading; audit_report; layout (only describes how the filing is arranged); abstains (though the type is not
    no_answer); no_figure (the question asks for one). evidence_in_corpus has one value per evidence sentence.
    """
    items = [gold] if isinstance(gold, str) else list(gold or ())
    text = "\n".join(item for item in items if item.strip())
    found = sentences(text)
    faults = {
        "empty": not found and answer_type != "no_answer",
        "out_of_corpus": bool(evidence_in_corpus) and not any(evidence_in_corpus or ()),
        "cross_reference": bool(found) and all(cross_reference(sentence) for sentence in found),
        "heading": bool(found) and answer_type == "span" and all(is_heading(sentence) for sentence in found),
        "audit_report": bool(REPORT.search(text)),
        "layout": any(map(LAYOUT.search, found))
        and all(LAYOUT.search(sentence) or is_heading(sentence) or cross_reference(sentence) for sentence in found),
        "abstains": answer_type != "no_answer" and abstention(text).kind == "full",
        "no_figure": answer_type in ("span", "numeric") and bool(ASKS_FIGURE.search(question)) and not has_figure(text),
    }
    return tuple(fault for fault, is_present in faults.items() if is_present)


def bad_question(
    question: str,
    gold: str | Sequence[str] | None,
    answer_type: str,
    cross_reference: CrossReferences,
    evidence_in_corpus: Sequence[bool] | None = None,
    answer: str | None = None,
    rouge_l: float | None = None,
    bert_score: float | None = None,
) -> BadQuestion:
    """Both verdicts. rouge_l and bert_score are those of the answer against the gold, not rescaled."""
    whole = gold if isinstance(gold, str) else "\n".join(gold or ())
    return BadQuestion(
        seed_rule(whole, answer, rouge_l, bert_score),
        gold_faults(question, gold, answer_type, cross_reference, evidence_in_corpus),
    )


def is_heading(sentence: str) -> bool:
    """A numbered title or one in capitals: few words, no verb, no figure, no full stop."""
    words = [word for word in sentence.split() if any(map(str.isalnum, word))]
    if (
        len(words) > HEADING_WORDS
        or sentence.endswith((".", "!", "?"))
        or VERB.search(sentence)
        or has_figure(sentence)
    ):
        return False
    capital = all(word in SMALL_WORDS or not word[0].islower() for word in words)
    return bool(NUMBERED.match(sentence)) or (len(words) >= TITLE_WORDS and capital)


def has_figure(text: str) -> bool:
    return bool(parse_amounts(text))
