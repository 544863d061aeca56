"""Cross-encoder: one model reads question and sentence together and scores how well the one answers the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.encoders.score_models import ScoreModel
from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.settings import named

if TYPE_CHECKING:
    from finrag.encoders.pairs import Pair


@dataclass(frozen=True)
class CrossEncoder:
    """A row of seeds/score_models.csv of kind cross_encoder: a sequence classifier with one label.

    folder: where parts of pairs lie, FINRAG_LANCE.
    """

    model: ScoreModel
    folder: str | None = None

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """Relevance of each pair's text to its question, unbounded. The longer is cut where both do not fit."""
        from finrag.encoders.pairs import score_pairs

        return score_pairs(self.model, pairs, self.folder)[:, 0].tolist()


def reranker(rows: Sequence[Mapping[str, object]], model_id: str, folder: str | None = None) -> CrossEncoder | None:
    """The cross-encoder of that name, None for an empty name. rows: the seed score_models. folder: FINRAG_LANCE."""
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
    return CrossEncoder(ScoreModel.from_row(row), folder)
