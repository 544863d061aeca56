"""BERTScore: greedy matching of contextual token embeddings by cosine.

Source: Zhang et al. (2020), "BERTScore: Evaluating Text Generation with BERT"; behaviour: bert_score 0.3.13, except
that padding never takes part (there a token whose best cosine is negative gets 0 if its batch was padded).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finrag.encoders.score_models import ScoreModel
from finrag.encoders.token_vectors import TokenEncoder, TokenVectors
from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.scoring.rouge import check_pairs
from finrag.threads import one_blas_thread

CHUNK_PAIRS = 1024  # pairs whose vectors are in memory together
THREAD_PAIRS = 32  # pairs that a thread matches at a time
MEMORY_BYTES = 1_000_000_000  # above it the vectors of earlier chunks are dropped; the store gives them back
EMPTY_TOKENS = 2  # a text without words is its two special tokens; bert_score gives such a pair 0


@dataclass(frozen=True)
class BertScores:
    """Arrays of shape (pairs,), and what they were computed with."""

    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    candidate_truncated: np.ndarray  # boolean: the text was cut at max_tokens
    reference_truncated: np.ndarray
    model_id: str
    fingerprint: str
    layer: int
    max_tokens: int
    is_rescaled: bool


class BertScorer:
    """BERTScore with one registered encoder.

    >>> scorer = BertScorer(ScoreModel.from_row(row), store="warehouse/lance")
    >>> scorer.score(["Sales rose."], ["Revenue increased."]).f1
    """

    def __init__(self, model: ScoreModel, store: str | Path | None = None) -> None:
        """Load the encoder. With a store, token vectors are read from and appended to a folder below it."""
        if model.kind != "bertscore":
            raise FinragError(
                f"Score model {model.model_id} is of kind {model.kind}; BERTScore needs one of kind bertscore."
            )
        self.model = model
        self.encode = TokenEncoder(model, store)

    def score(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        rescale: bool = False,
    ) -> BertScores:
        """Precision is over the candidate's tokens, recall over the reference's, without the special ones.

        rescale: (score - baseline) / (1 - baseline) with the registry row's baseline; a FinragError if it has none.
        """
        check_pairs(candidates, references)
        if rescale and self.model.rescale is None:
            raise FinragError(
                f"Score model {self.model.model_id} has no rescale baseline. Fill rescale_precision, rescale_recall "
                f"and rescale_f1 in {registry_of('score_models')} or score without rescaling."
            )
        self.encode.prepare([*candidates, *references])
        scores = np.empty((len(candidates), 3))
        truncated = np.zeros((len(candidates), 2), dtype=bool)
        for start in range(0, len(candidates), CHUNK_PAIRS):
            chunk = slice(start, start + CHUNK_PAIRS)
            if self.encode.memory_bytes() > MEMORY_BYTES:
                self.encode.forget()
            entries = self.encode([*candidates[chunk], *references[chunk]])
            pairs = [(entries[c], entries[r]) for c, r in zip(candidates[chunk], references[chunk], strict=True)]
            scores[chunk] = self._match(pairs)
            truncated[chunk] = [(left.is_truncated, right.is_truncated) for left, right in pairs]
        if rescale:
            baseline = np.array(self.model.rescale)
            scores = (scores - baseline) / (1 - baseline)
        return BertScores(
            *scores.T,
            *truncated.T,
            model_id=self.model.model_id,
            fingerprint=self.encode.network.fingerprint,
            layer=self.encode.network.layer,
            max_tokens=self.encode.network.limit,
            is_rescaled=rescale,
        )

    def _match(self, pairs: Sequence[tuple[TokenVectors, TokenVectors]]) -> np.ndarray:
        """Precision, recall and F1, shape (pairs, 3)."""
        entries = {id(entry): entry for pair in pairs for entry in pair}
        shares = {key: self._shares(entry) for key, entry in entries.items()}

        def match(part: Sequence[tuple[TokenVectors, TokenVectors]]) -> list[tuple[float, float]]:
            return [greedy_match(left, right, shares[id(left)], shares[id(right)]) for left, right in part]

        parts = [pairs[start : start + THREAD_PAIRS] for start in range(0, len(pairs), THREAD_PAIRS)]
        with one_blas_thread(), ThreadPoolExecutor(os.cpu_count()) as threads:
            scores = [each for part in threads.map(match, parts) for each in part]
        precision, recall = np.array(scores, dtype=np.float64).reshape(-1, 2).T
        total = precision + recall
        f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)
        return np.stack([precision, recall, f1], axis=1)

    def _shares(self, entry: TokenVectors) -> np.ndarray | None:
        """The share of each token in its text's score, shape (tokens,); None for a text without words."""
        weight = np.ones(len(entry.ids), dtype=np.float32)
        for token in self.encode.network.separators:
            weight[entry.ids == token] = 0
        total = weight.sum()
        return None if len(entry.ids) == EMPTY_TOKENS or total == 0 else weight / total


def greedy_match(
    candidate: TokenVectors,
    reference: TokenVectors,
    candidate_shares: np.ndarray | None,
    reference_shares: np.ndarray | None,
) -> tuple[float, float]:
    """Precision and recall: each token's best cosine on the other side, weighed by its share; 0 for a text without
    words."""
    if candidate_shares is None or reference_shares is None:
        return 0.0, 0.0
    similarity = candidate.vectors @ reference.vectors.T
    return similarity.max(axis=1) @ candidate_shares, similarity.max(axis=0) @ reference_shares
