"""Cross-encoder: one model reads question and sentence together and scores how well the one answers the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from finrag.encoders.score_models import ScoreModel, load, token_limit
from finrag.encoders.token_vectors import batches
from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.settings import named


class CrossEncoder:
    """A row of seeds/score_models.csv of kind cross_encoder: a sequence classifier with one label."""

    def __init__(self, model: ScoreModel) -> None:
        self.model = model

    @cached_property
    def loaded(self) -> tuple[object, object, int]:
        tokenizer, network = load(self.model, "AutoModelForSequenceClassification")
        if network.config.num_labels != 1:
            raise FinragError(
                f"Score model {self.model.model_id} has {network.config.num_labels} labels; a cross-encoder has one, "
                f"the relevance. Name another model in {registry_of('score_models')}."
            )
        return tokenizer, network, token_limit(self.model, tokenizer, network.config)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Relevance of each text to the question, unbounded. The longer of the two is cut where both do not fit."""
        import torch

        if not texts:
            return []
        tokenizer, network, longest = self.loaded
        encoded = tokenizer([question] * len(texts), list(texts), truncation="longest_first", max_length=longest)
        scores = [0.0] * len(texts)
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in encoded["input_ids"]]):
                inputs = {name: torch.tensor([values[place] for place in batch]) for name, values in encoded.items()}
                for place, score in zip(batch, network(**inputs).logits[:, 0].tolist(), strict=True):
                    scores[place] = score
        return scores


def reranker(rows: Sequence[Mapping[str, object]], model_id: str) -> CrossEncoder | None:
    """The cross-encoder of that name, None for an empty name. rows: the seed score_models."""
    if not model_id:
        return None
    allowed = sorted(str(row["model_id"]) for row in rows if row["kind"] == "cross_encoder")
    row = next((row for row in rows if row["model_id"] == model_id and row["kind"] == "cross_encoder"), None)
    if row is None:
        raise FinragError(
            f"{named('pipeline_reranker', begins=True)} names {model_id!r}. Allowed: "
            f"{', '.join(allowed) or 'none is registered'}. "
            f"Correct it, or add a row of kind cross_encoder to {registry_of('score_models')}."
        )
    return CrossEncoder(ScoreModel.from_row(row))
