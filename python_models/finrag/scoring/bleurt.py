"""BLEURT-like scores: a regression checkpoint that reads a reference and a candidate together.

Source: Sellam et al. (2020), "BLEURT: Learning Robust Metrics for Text Generation". Any sequence classifier with one
label serves; without a registered one the metric is absent, with the reason, and never approximated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finrag.encoders.score_models import LOADING, ScoreModel, load, token_limit
from finrag.encoders.token_vectors import batches
from finrag.errors import FinragError
from finrag.scoring.rouge import check_pairs

NOT_CONFIGURED = "no model of kind bleurt is named in score_models"


@dataclass(frozen=True)
class BleurtScores:
    """scores and truncated have shape (pairs,); without a model scores is None and reason says why."""

    scores: np.ndarray | None
    truncated: np.ndarray | None  # boolean: the pair was cut at max_tokens
    model_id: str | None
    max_tokens: int | None
    reason: str | None = None


class BleurtScorer:
    """A registered checkpoint of kind bleurt. Scores are the network's output, about -1 to 1 for BLEURT checkpoints."""

    def __init__(self, model: ScoreModel) -> None:
        if model.kind != "bleurt":
            raise FinragError(f"Score model {model.model_id} is of kind {model.kind}; BLEURT needs one of kind bleurt.")
        self.model = model
        self.tokenizer, self.network = load(model, "AutoModelForSequenceClassification", dtype="float32")
        if self.network.config.num_labels != 1:
            raise FinragError(
                f"Score model {model.model_id}: {model.model_name} has {self.network.config.num_labels} labels. "
                "BLEURT needs a regression checkpoint with one."
            )
        self.limit = token_limit(model, self.tokenizer, self.network.config)

    def score(self, candidates: Sequence[str], references: Sequence[str]) -> BleurtScores:
        """One score per pair; each distinct pair is read once."""
        import torch

        check_pairs(candidates, references)
        pairs = list(dict.fromkeys(zip(references, candidates, strict=True)))
        scores = np.empty(len(pairs))
        sizes = [len(ids) for ids in self._tokens(pairs)["input_ids"]] if pairs else []
        for batch in batches([min(size, self.limit) for size in sizes]):
            inputs = self._tokens(
                [pairs[place] for place in batch],
                truncation="longest_first",
                max_length=self.limit,
                padding=True,
                return_tensors="pt",
            )
            with LOADING, torch.inference_mode():
                scores[batch] = self.network(**inputs).logits[:, 0].numpy()
        places = {pair: place for place, pair in enumerate(pairs)}
        rows = [places[pair] for pair in zip(references, candidates, strict=True)]
        truncated = np.array([sizes[row] > self.limit for row in rows], dtype=bool)
        return BleurtScores(scores[rows], truncated, self.model.model_id, self.limit)

    def _tokens(self, pairs: Sequence[tuple[str, str]], **options: object) -> dict:
        references, candidates = zip(*pairs, strict=True)
        return self.tokenizer(list(references), list(candidates), verbose=False, **options)


def bleurt(model: ScoreModel | None, candidates: Sequence[str], references: Sequence[str]) -> BleurtScores:
    """Scores with a registered model; None gives no scores and the reason."""
    if model is None:
        check_pairs(candidates, references)
        return BleurtScores(None, None, None, None, NOT_CONFIGURED)
    return BleurtScorer(model).score(candidates, references)
