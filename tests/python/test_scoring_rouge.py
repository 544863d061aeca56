"""ROUGE-L against Google's rouge_score, on all REALSumm pairs and on texts that Hypothesis invents."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag.errors import FinragError
from finrag.scoring.rouge import Characters, rouge_l


@pytest.fixture(scope="module")
def realsumm(real_data) -> pl.DataFrame:
    return pl.read_parquet(real_data / "summaries" / "realsumm.parquet")


def google(candidates: list[str], references: list[str], metric: str = "rougeL") -> np.ndarray:
    """Precision, recall and F1 of the package, shape (pairs, 3)."""
    # imported where it is needed: with it comes nltk, and every worker imports this file
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([metric], use_stemmer=False)
    return np.array([scorer.score(r, c)[metric] for c, r in zip(candidates, references, strict=True)])


def ours(candidates: list[str], references: list[str]) -> np.ndarray:
    scores = rouge_l(candidates, references)
    return np.stack([scores.precision, scores.recall, scores.f1], axis=1)


def test_hand_computed_pair() -> None:
    # candidate "a c b d" and reference "a b c d e" share a-b-d (or a-c-d): 3 tokens of 4 and of 5
    scores = rouge_l(["a c b d"], ["a b c d e"])
    assert scores.precision.tolist() == [0.75]
    assert scores.recall.tolist() == [0.6]
    assert scores.f1[0] == pytest.approx(2 / 3)


def test_equals_rouge_score_on_all_realsumm_pairs(realsumm) -> None:
    candidates, references = realsumm["summary"].to_list(), realsumm["reference"].to_list()
    assert len(candidates) == 2500
    assert np.abs(ours(candidates, references) - google(candidates, references)).max() < 1e-6


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_equals_rouge_score_on_any_text(candidate: str, reference: str) -> None:
    assert np.allclose(ours([candidate], [reference]), google([candidate], [reference]), atol=1e-9)


@pytest.mark.parametrize("texts", [("", "a"), ("a", ""), ("", ""), ("…", "a"), ("β", "β")])
def test_text_without_tokens_scores_zero(texts: tuple[str, str]) -> None:
    assert ours([texts[0]], [texts[1]]).tolist() == [[0.0, 0.0, 0.0]]


def test_no_pairs_give_no_scores() -> None:
    assert rouge_l([], []).f1.shape == (0,)


def test_more_tokens_than_there_are_characters_before_the_surrogates() -> None:
    # the 55,296th distinct token would become a surrogate, which is no character
    characters = Characters()
    assigned = [characters[str(number)] for number in range(0xD800 + 10)]
    assert len(set(assigned)) == len(assigned)
    "".join(assigned).encode("utf-8")
    text = " ".join(f"t{number}" for number in range(0xD800 + 10))
    assert rouge_l([text], [text]).f1.tolist() == [1.0]


def test_unequal_numbers_of_texts_are_refused() -> None:
    with pytest.raises(FinragError, match="2 candidates, but 1 references"):
        rouge_l(["a", "b"], ["a"])
