"""BLEURT checkpoints, sentence cosine and the baseline of shuffled pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny_models
from finrag.encoders.score_models import ScoreModel
from finrag.errors import FinragError
from finrag.scoring.bleurt import NOT_CONFIGURED, bleurt
from finrag.scoring.cosine import cosine
from finrag.scoring.shuffled import partners

CANDIDATES = ["net sales increased", "the company fell", "net sales increased"]
REFERENCES = ["revenue rose by 5 percent", "debt", "revenue rose by 5 percent"]


def checkpoint(folder: str, kind: str = "bleurt") -> ScoreModel:
    return ScoreModel("tiny", kind, folder)


def test_bleurt_reads_reference_and_candidate_together(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tiny_models.bert(tmp_path, labels=1)
    scores = bleurt(checkpoint(folder), CANDIDATES, REFERENCES)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        expected = [
            network(**tokenizer(reference, candidate, return_tensors="pt")).logits.item()
            for candidate, reference in zip(CANDIDATES, REFERENCES, strict=True)
        ]
    assert scores.scores == pytest.approx(expected, abs=1e-5)
    assert expected[0] != pytest.approx(expected[1], abs=1e-5)
    assert (scores.model_id, scores.reason) == ("tiny", None)
    assert scores.truncated.tolist() == [False] * 3


def test_bleurt_counts_pairs_over_the_limit(tmp_path: Path) -> None:
    # 24 tokens hold 21 words of a pair beside its three special tokens
    model = checkpoint(tiny_models.bert(tmp_path, labels=1))
    fits, over = " ".join(["sales"] * 20), " ".join(["sales"] * 21)
    scores = bleurt(model, [fits, over], ["debt", "debt"])
    assert scores.truncated.tolist() == [False, True]
    assert np.isfinite(scores.scores).all()
    assert bleurt(model, [], []).scores.shape == (0,)


def test_bleurt_is_absent_without_a_model() -> None:
    scores = bleurt(None, CANDIDATES, REFERENCES)
    assert (scores.scores, scores.model_id, scores.reason) == (None, None, NOT_CONFIGURED)


def test_bleurt_refuses_what_is_no_regression(tmp_path: Path) -> None:
    with pytest.raises(FinragError, match="has 3 labels"):
        bleurt(checkpoint(tiny_models.bert(tmp_path, labels=3)), CANDIDATES, REFERENCES)
    with pytest.raises(FinragError, match="of kind cosine"):
        bleurt(checkpoint(str(tmp_path), kind="cosine"), CANDIDATES, REFERENCES)


def test_cosine_encodes_each_text_once() -> None:
    vectors = {"a": [2.0, 0.0], "b": [3.0, 3.0], "c": [0.0, 0.0], " ": [1.0, 1.0]}
    calls = []

    def encode(texts: list[str]) -> np.ndarray:
        calls.append(texts)
        return np.array([vectors[text] for text in texts])

    scores = cosine(["a", "a", "a", "c", " "], ["a", "b", "b", "a", "a"], encode)
    assert scores == pytest.approx([1.0, 0.5**0.5, 0.5**0.5, 0.0, 0.0])
    assert calls == [["a", "c", " ", "b"]]
    assert cosine([], [], encode).shape == (0,)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=2), max_size=12), st.randoms())
def test_partners_are_a_derangement_that_row_order_does_not_change(references: dict[str, str], random) -> None:
    found = partners(references)
    for question, other in found.items():
        if other is None:
            assert set(references.values()) == {references[question]}
        else:
            assert references[other] != references[question]
    rows = list(references.items())
    random.shuffle(rows)
    assert partners(dict(rows)) == found
    if len(set(references.values())) == len(references) > 1:
        assert sorted(found.values()) == sorted(references)


def test_partners_depend_on_the_seed() -> None:
    references = {f"q{number}": str(number) for number in range(20)}
    assert partners(references) != partners(references, seed="another")
