"""What a similarity metric gives to unrelated texts: each candidate against another question's reference.

A BERTScore of 0.8 says little where unrelated answers get 0.78. The pairing is a derangement drawn by a seeded hash of
the question ids, so it depends neither on the order of the rows nor on which other runs are scored with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from finrag.errors import FinragError
from finrag.scoring.rouge import check_pairs

SEED = "finrag"
NO_OTHER_QUESTION = "no other question has another reference"


@dataclass(frozen=True)
class WithBaseline:
    """scores and shuffled have shape (pairs,); shuffled is NaN where a pair has no partner.

    baseline is the mean of shuffled over pairs that have one, None with a reason if none has.
    """

    scores: np.ndarray
    shuffled: np.ndarray
    baseline: float | None
    reason: str | None = None


def partners(references: Mapping[str, str], seed: str = SEED) -> dict[str, str | None]:
    """For each question the question whose reference its candidates are also scored against.

    Questions stand in a circle in the order of a seeded hash; the partner is the next one whose reference is another
    text, None if all are the same. With distinct references that is a derangement: each is used once, none by its own.
    """
    circle = sorted(references, key=lambda question: hashlib.sha256(f"{seed}|{question}".encode()).hexdigest())
    found: dict[str, str | None] = {}
    for place, question in enumerate(circle):
        following = circle[place + 1 :] + circle[:place]
        found[question] = next((other for other in following if references[other] != references[question]), None)
    return found


def with_shuffled_baseline(
    score: Callable[[list[str], list[str]], np.ndarray],
    question_ids: Sequence[str],
    candidates: Sequence[str],
    references: Sequence[str],
    seed: str = SEED,
) -> WithBaseline:
    """Score pairs and shuffled pairs in one call of score, so that each distinct text is encoded once.

    score takes candidates and references and gives shape (pairs,). A question may occur many times (strategies,
    models), always with the same reference; FinragError if not.
    """
    check_pairs(candidates, references)
    check_pairs(question_ids, references)
    by_question: dict[str, str] = {}
    for question, reference in zip(question_ids, references, strict=True):
        if by_question.setdefault(question, reference) != reference:
            raise FinragError(f"Question {question} has two references. Score each with its own question id.")
    others = partners(by_question, seed)
    rows = [row for row, question in enumerate(question_ids) if others[question] is not None]
    values = np.asarray(
        score(
            [*candidates, *(candidates[row] for row in rows)],
            [*references, *(by_question[others[question_ids[row]]] for row in rows)],
        ),
        dtype=np.float64,
    )
    shuffled = np.full(len(candidates), np.nan)
    shuffled[rows] = values[len(candidates) :]
    if not rows:
        return WithBaseline(values[: len(candidates)], shuffled, None, NO_OTHER_QUESTION)
    return WithBaseline(values[: len(candidates)], shuffled, float(np.mean(shuffled[rows])))
