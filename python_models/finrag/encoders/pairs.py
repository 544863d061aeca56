"""Classifiers with one label that read two texts together: BLEURT checkpoints and cross-encoders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from finrag.encoders.parts import over_rows, read
from finrag.encoders.score_models import LOADING, ScoreModel, load, token_limit
from finrag.encoders.token_vectors import batches
from finrag.errors import FinragError

Pair = tuple[str, str]


class PairClassifier:
    """A loaded model. A pair's score does not depend on the pairs beside it: none is padded."""

    def __init__(self, model: ScoreModel) -> None:
        self.tokenizer, self.network = load(model, "AutoModelForSequenceClassification", dtype="float32")
        if self.network.config.num_labels != 1:
            raise FinragError(
                f"Score model {model.model_id}: {model.model_name} has {self.network.config.num_labels} labels. "
                f"A model of kind {model.kind} has one, the score."
            )
        self.limit = token_limit(model, self.tokenizer, self.network.config)

    def score(self, pairs: Sequence[Pair]) -> np.ndarray:
        """(n, 2) score of each pair, unbounded, and 1 where the longer of its texts was cut at the limit."""
        import torch

        found = np.empty((len(pairs), 2))
        whole = self._tokens(pairs)
        found[:, 1] = [len(ids) > self.limit for ids in whole["input_ids"]]
        kept = self._tokens(pairs, truncation="longest_first", max_length=self.limit) if found[:, 1].any() else whole
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in kept["input_ids"]]):
                inputs = {name: torch.tensor([values[place] for place in batch]) for name, values in kept.items()}
                found[batch, 0] = self.network(**inputs).logits[:, 0].numpy()
        return found

    def _tokens(self, pairs: Sequence[Pair], **options: object) -> dict:
        first, second = zip(*pairs, strict=True)
        return self.tokenizer(list(first), list(second), verbose=False, **options)


@lru_cache(maxsize=2)
def classifier(model: ScoreModel) -> PairClassifier:
    """The model, loaded once for all parts that this process computes."""
    return PairClassifier(model)


def score_part(model: ScoreModel, file: str) -> np.ndarray:
    """The task that scores the pairs of a file, as PairClassifier.score."""
    _, first, second = read(file)
    with LOADING:
        return classifier(model).score(list(zip(first, second, strict=True)))


def score_pairs(model: ScoreModel, pairs: Sequence[Pair], folder: Path | str | None = None) -> np.ndarray:
    """(n, 2) as PairClassifier.score; each distinct pair is read once. folder: where parts lie, as over_rows."""
    places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
    found = np.empty((len(places), 2))
    if places:
        for part, scores in over_rows(partial(score_part, model), list(places), f"Scoring {model.model_id}", folder):
            found[part] = scores
    return found[[places[pair] for pair in pairs]]
