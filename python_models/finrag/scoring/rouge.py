"""ROUGE-L: the longest common subsequence of tokens, as in Google's rouge_score with stemming off.

Source: Lin (2004), "ROUGE: A Package for Automatic Evaluation of Summaries"; behaviour: rouge_score 0.1.2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
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


def rouge_l_summary(
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    tokens: Callable[[str], list[str]] = tokenize,
) -> Rouge:
    """Summary-level ROUGE-L (rougeLsum): each text is a list of sentences.

    Per reference sentence, the union of its longest common subsequences with all candidate sentences counts, and no
    token more often than it occurs on both sides. tokens may be another tokeniser, e.g. one that stems. Equal to
    rouge_score on sentences joined by line breaks.
    """
    check_pairs(candidates, references)
    hits, sizes = [], []
    for candidate, reference in zip(candidates, references, strict=True):
        left, right = [tokens(text) for text in candidate], [tokens(text) for text in reference]
        hits.append(union_hits(left, right))
        sizes.append((sum(map(len, left)), sum(map(len, right))))
    left_sizes, right_sizes = np.array(sizes, dtype=np.int64).reshape(-1, 2).T
    return from_counts(np.array(hits, dtype=np.int64), left_sizes, right_sizes)


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


def union_hits(candidate: list[list[str]], reference: list[list[str]]) -> int:
    """Tokens of the reference that some sentence of the candidate has in order, clipped to the counts of both."""
    left = Counter(token for sentence in candidate for token in sentence)
    right = Counter(token for sentence in reference for token in sentence)
    hits = 0
    for sentence in reference:
        positions = set().union(*(common_positions(sentence, other) for other in candidate))
        for position in sorted(positions):
            token = sentence[position]
            if left[token] > 0 and right[token] > 0:
                hits += 1
                left[token] -= 1
                right[token] -= 1
    return hits


def common_positions(reference: list[str], candidate: list[str]) -> set[int]:
    """Positions in reference of one longest common subsequence; of several, the one that rouge_score picks."""
    if not reference or not candidate:
        return set()
    codes = {token: code for code, token in enumerate(dict.fromkeys([*reference, *candidate]))}
    row_codes = np.array([codes[token] for token in reference])
    column_codes = np.array([codes[token] for token in candidate])
    table = np.zeros((len(reference) + 1, len(candidate) + 1), dtype=np.int32)
    for row, code in enumerate(row_codes, start=1):
        best = np.maximum(table[row - 1, 1:], table[row - 1, :-1] + (column_codes == code))
        np.maximum.accumulate(best, out=table[row, 1:])
    positions = set()
    row, column = len(reference), len(candidate)
    while row and column:
        if row_codes[row - 1] == column_codes[column - 1]:
            positions.add(row - 1)
            row, column = row - 1, column - 1
        elif table[row, column - 1] > table[row - 1, column]:
            column -= 1
        else:
            row -= 1
    return positions
