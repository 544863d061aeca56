"""BLEURT-like scores: a regression checkpoint that reads a reference and a candidate together.

Source: Sellam et al. (2020), "BLEURT: Learning Robust Metrics for Text Generation". Any sequence classifier with one
label serves; without a registered one the metric is absent, with the reason, and never approximated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finrag.encoders.pairs import score_pairs
from finrag.encoders.score_models import ScoreModel
from finrag.errors import FinragError
from finrag.scoring.rouge import check_pairs

NOT_CONFIGURED = "no model of kind bleurt is named in score_models"


@dataclass(frozen=True)
class BleurtScores:
    """scores and truncated have shape (pairs,); without a model both are None and reason says why."""

    scores: np.ndarray | None
    truncated: np.ndarray | None  # boolean: the pair was cut at max_tokens
    model_id: str | None
    reason: str | None = None


def bleurt(
    model: ScoreModel | None, candidates: Sequence[str], references: Sequence[str], folder: Path | str | None = None
) -> BleurtScores:
    """Scores with a registered model, about -1 to 1 for BLEURT checkpoints; None gives no scores and the reason.

    folder: where parts of pairs lie, FINRAG_LANCE.
    """
    check_pairs(candidates, references)
    if model is None:
        return BleurtScores(None, None, None, NOT_CONFIGURED)
    if model.kind != "bleurt":
        raise FinragError(f"Score model {model.model_id} is of kind {model.kind}; BLEURT needs one of kind bleurt.")
    found = score_pairs(model, list(zip(references, candidates, strict=True)), folder)
    return BleurtScores(found[:, 0], found[:, 1] > 0, model.model_id)
