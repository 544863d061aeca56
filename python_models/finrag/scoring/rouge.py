"""ROUGE-L: the longest common subsequence of tokens, as in Google's rouge_score with stemming off.

Source: Lin (2004), "ROUGE: A Package for Automatic Evaluation of Summaries"; behaviour: rouge_score 0.1.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finrag.errors import FinragError

TOKEN = re.compile(r"[a-z0-9]+")
SURROGATES = range(0xD800, 0xE000)  # code points that are no characters of their own


@dataclass(frozen=True)
class Rouge:
    """Precision, recall and F1, each of shape (pairs,) and between 0 and 1."""

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray


def tokenize(text: str) -> list[str]:
    """Lowercase runs of a-z and 0-9; everything else separates."""
    return TOKEN.findall(text.lower())


def rouge_l(candidates: Sequence[str], references: Sequence[str]) -> Rouge:
    """ROUGE-L of each candidate with its reference: precision counts tokens of the candidate, recall of the reference.

    Each distinct text is tokenised once and each distinct token becomes one character, so that rapidfuzz finds the
    longest common subsequence with bit-parallel string operations. A text without tokens scores 0.
    """
    from rapidfuzz import distance, process

    check_pairs(candidates, references)
    characters = Characters()
    encoded = {
        text: "".join(map(characters.__getitem__, tokenize(text))) for text in dict.fromkeys([*candidates, *references])
    }
    left = [encoded[text] for text in candidates]
    right = [encoded[text] for text in references]
    common = process.cpdist(left, right, scorer=distance.LCSseq.similarity, dtype=np.int32) if left else np.empty(0)
    return from_counts(common, lengths(left), lengths(right))


class Characters(dict[str, str]):
    """One character per distinct token, in order of appearance."""

    def __missing__(self, token: str) -> str:
        code = len(self) + 1
        character = chr(code if code < SURROGATES.start else code + len(SURROGATES))
        self[token] = character
        return character


def check_pairs(candidates: Sequence, references: Sequence) -> None:
    """Raise FinragError unless there are as many candidates as references."""
    if len(candidates) != len(references):
        raise FinragError(
            f"{len(candidates)} candidates, but {len(references)} references: pass one reference per candidate."
        )


def lengths(texts: Sequence[str]) -> np.ndarray:
    return np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))


def from_counts(common: np.ndarray, candidate_sizes: np.ndarray, reference_sizes: np.ndarray) -> Rouge:
    """Precision, recall and F1 of counts of tokens; 0 where a denominator is 0."""
    common = common.astype(np.float64)
    precision = np.divide(common, candidate_sizes, out=np.zeros_like(common), where=candidate_sizes > 0)
    recall = np.divide(common, reference_sizes, out=np.zeros_like(common), where=reference_sizes > 0)
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(common), where=total > 0)
    return Rouge(precision, recall, f1)
