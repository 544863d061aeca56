"""BERTScore against the bert_score package on the same model and layer, and its cache of token vectors.

With transformers 5 the package cannot encode an empty text and no longer puts a space before RoBERTa's first word;
the first is tested by hand, the second against the package's own functions with a tokeniser that does put it.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import tiny_models
from csv_files import rows_of
from finrag.encoders import parts, token_vectors
from finrag.encoders.score_models import KINDS, ScoreModel, chosen, location
from finrag.encoders.token_vectors import TokenNetwork
from finrag.errors import FinragError
from finrag.scoring.bertscore import BertScorer

REGISTRY = "seeds/score_models.csv"
CANDIDATES = [
    "Net sales increased 5% to $2.3 billion",
    "the company fell",
    "  revenue rose due to higher costs of debt and lower income in fiscal year 2019 of the company, net of debt ",
    "Net sales increased 5% to $2.3 billion",
    "costs",
]
REFERENCES = [
    "revenue rose 5 percent, to 2.3 billion",
    "income and net sales fell in the fiscal year",
    "debt decreased",
    "sales",
    "costs",
]
IS_CUT = [False, False, True, False, False]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> str:
    return tiny_models.bert(tmp_path_factory.mktemp("bert"))


def registered(folder: str, **columns: object) -> ScoreModel:
    return ScoreModel.from_row({"model_id": "tiny", "kind": "bertscore", "model_name": folder} | columns)


def ours(scorer: BertScorer, *arguments: object, **options: object) -> np.ndarray:
    scores = scorer.score(*arguments, **options)
    return np.stack([scores.precision, scores.recall, scores.f1], axis=1)


def package(folder: str, layers: int, **options: object) -> np.ndarray:
    import bert_score  # it loads torch and transformers, which no other worker needs for its tests

    scores = bert_score.score(
        CANDIDATES, REFERENCES, model_type=folder, num_layers=layers, nthreads=0, device="cpu", **options
    )
    return np.stack([part.numpy() for part in scores], axis=1)


@pytest.mark.parametrize("layers", [0, 1, 3])
def test_equals_the_package(folder: str, layers: int) -> None:
    scorer = BertScorer(registered(folder, num_layers=layers))
    expected = package(folder, layers)
    assert np.abs(ours(scorer, CANDIDATES, REFERENCES) - expected).max() < 1e-4
    assert len(np.unique(expected.round(4))) > 9, "the model tells the pairs apart"


def test_equals_the_package_rescaled(folder: str, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.tsv"
    baseline.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.2,0.3,0.4\n")
    row = {"num_layers": 1, "rescale_precision": 0.2, "rescale_recall": 0.3, "rescale_f1": 0.4}
    scorer = BertScorer(registered(folder, **row))
    expected = package(folder, 1, lang="en", rescale_with_baseline=True, baseline_path=str(baseline))
    assert np.abs(ours(scorer, CANDIDATES, REFERENCES, rescale=True) - expected).max() < 1e-4
    assert scorer.score(CANDIDATES, REFERENCES, rescale=True).is_rescaled


def test_equals_the_package_on_the_default_model() -> None:
    row = next(row for row in rows_of(REGISTRY) if row["model_id"] == "bertscore-minilm")
    model = ScoreModel.from_row(row)
    scores = BertScorer(model).score(CANDIDATES, REFERENCES)
    expected = package(location(model), model.num_layers)
    assert np.abs(np.stack([scores.precision, scores.recall, scores.f1], axis=1) - expected).max() < 1e-4
    assert (scores.layer, scores.max_tokens) == (model.num_layers, 512)


def test_byte_level_tokenisers_see_a_space_before_the_first_word(tmp_path: Path) -> None:
    folder = tiny_models.roberta(tmp_path)
    texts = ["sales rose", "Sales fell"], ["sales", "a debt"]
    from bert_score.utils import bert_cos_score_idf, get_model
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, add_prefix_space=True)
    tokenizer.model_max_length = 62
    weights = defaultdict(lambda: 1.0, {tokenizer.sep_token_id: 0, tokenizer.cls_token_id: 0})
    expected = bert_cos_score_idf(get_model(folder, 2), texts[1], texts[0], tokenizer, weights, device="cpu")
    scorer = BertScorer(registered(folder, num_layers=2))
    assert np.abs(ours(scorer, *texts) - expected.numpy()).max() < 1e-4
    assert scorer.encode.network.limit == 62, "64 positions, of which RoBERTa leaves two unused"


def test_matching_by_hand(folder: str) -> None:
    # Greedy matching: each token takes its best cosine on the other side, special tokens may be taken but do not count.
    scorer = BertScorer(registered(folder))
    candidate, reference = CANDIDATES[0], REFERENCES[0]
    entries = scorer.encode([candidate, reference])
    left, right = entries[candidate].vectors, entries[reference].vectors
    assert np.linalg.norm(left, axis=1) == pytest.approx(1)
    similarity = left @ right.T
    precision, recall = similarity.max(axis=1)[1:-1].mean(), similarity.max(axis=0)[1:-1].mean()
    assert ours(scorer, [candidate], [reference])[0] == pytest.approx(
        [precision, recall, 2 * precision * recall / (precision + recall)], abs=1e-6
    )


@pytest.mark.parametrize("pair", [("", "sales"), ("sales", " \n"), ("", "")])
def test_a_text_without_words_scores_zero(folder: str, pair: tuple[str, str]) -> None:
    scorer = BertScorer(registered(folder))
    assert ours(scorer, [pair[0]], [pair[1]]).tolist() == [[0.0, 0.0, 0.0]]


def test_texts_over_the_limit_are_counted(folder: str) -> None:
    scores = BertScorer(registered(folder)).score(CANDIDATES, REFERENCES)
    assert scores.candidate_truncated.tolist() == IS_CUT
    assert scores.reference_truncated.tolist() == [False] * 5


def test_the_limit_is_a_boundary(folder: str) -> None:
    # 22 words and two special tokens fill MAX_TOKENS exactly
    fits, over = " ".join(["sales"] * 22), " ".join(["sales"] * 23)
    scorer = BertScorer(registered(folder))
    assert scorer.score([fits, over], ["debt", "debt"]).candidate_truncated.tolist() == [False, True]
    narrow = BertScorer(registered(folder, max_tokens=23))
    assert narrow.score([fits], ["debt"]).candidate_truncated.tolist() == [True]


def test_a_score_does_not_depend_on_its_company(folder: str, monkeypatch) -> None:
    together = ours(BertScorer(registered(folder)), CANDIDATES, REFERENCES)
    monkeypatch.setattr("finrag.scoring.bertscore.CHUNK_PAIRS", 2)
    monkeypatch.setattr("finrag.scoring.bertscore.MEMORY_BYTES", 0)
    monkeypatch.setattr(token_vectors, "BATCH_TOKENS", 1)
    alone = ours(BertScorer(registered(folder)), CANDIDATES, REFERENCES)
    assert np.array_equal(together, alone)


def test_each_distinct_text_is_encoded_once(folder: str) -> None:
    scorer = BertScorer(registered(folder))
    distinct = len({*CANDIDATES, *REFERENCES})
    first = ours(scorer, CANDIDATES, REFERENCES)
    assert np.array_equal(ours(scorer, CANDIDATES, REFERENCES), first)
    assert scorer.encode.encoded == distinct == 8


def test_vectors_are_read_back_from_disk(folder: str, tmp_path: Path) -> None:
    first = BertScorer(registered(folder), store=tmp_path)
    scores = ours(first, CANDIDATES, REFERENCES)
    second = BertScorer(registered(folder), store=tmp_path)
    assert np.array_equal(ours(second, CANDIDATES, REFERENCES), scores)
    assert (second.encode.encoded, second.encode.read) == (0, 8)
    assert second.score([CANDIDATES[2]], ["new text"]).candidate_truncated.tolist() == [True]
    assert second.encode.encoded == 1


def test_models_layers_and_limits_do_not_mix(folder: str, tmp_path: Path) -> None:
    other = tiny_models.bert(tmp_path / "other", seed=1)
    models = [
        registered(folder),
        registered(folder, num_layers=2),
        registered(folder, max_tokens=10),
        registered(other),
    ]
    for model in models:
        scorer = BertScorer(model, store=tmp_path)
        scorer.score(CANDIDATES, REFERENCES)
        assert (scorer.encode.encoded, scorer.encode.read) == (8, 0)
    assert len(list((tmp_path / "token_vectors").iterdir())) == len(models)


def test_the_fingerprint_does_not_depend_on_the_folder(folder: str, tmp_path: Path) -> None:
    copy = tiny_models.bert(tmp_path / "elsewhere")
    found = {BertScorer(registered(each)).encode.network.fingerprint for each in (copy, folder)}
    assert len(found) == 1


def test_a_stopped_run_keeps_the_parts_that_were_done(folder: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 1)  # one text a part
    forward, calls = TokenNetwork._forward, []

    def stopped(self: TokenNetwork, ids: list[list[int]]):
        calls.append(ids)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return forward(self, ids)

    monkeypatch.setattr(TokenNetwork, "_forward", stopped)
    with pytest.raises(KeyboardInterrupt):
        BertScorer(registered(folder), store=tmp_path).score(CANDIDATES, REFERENCES)
    again = BertScorer(registered(folder), store=tmp_path)
    again.score(CANDIDATES, REFERENCES)
    assert (again.encode.read, again.encode.encoded) == (5, 3)
    assert len(calls) == 6 + 3


def test_a_store_gives_the_scores_of_memory(folder: str, tmp_path: Path) -> None:
    scores = ours(BertScorer(registered(folder)), CANDIDATES, REFERENCES)
    assert np.array_equal(ours(BertScorer(registered(folder), store=tmp_path), CANDIDATES, REFERENCES), scores)


def test_batches_hold_few_tokens_and_every_text(monkeypatch) -> None:
    monkeypatch.setattr(token_vectors, "BATCH_TOKENS", 10)
    assert list(token_vectors.batches([5, 3, 20, 5, 1])) == [[2], [0, 3], [1], [4]]
    assert list(token_vectors.batches([])) == []


def test_no_pairs(folder: str) -> None:
    assert ours(BertScorer(registered(folder)), [], []).shape == (0, 3)


def test_registry_is_well_formed() -> None:
    rows = rows_of(REGISTRY)
    assert len({row["model_id"] for row in rows}) == len(rows)
    assert {ScoreModel.from_row(row).kind for row in rows} == set(KINDS)
    assert [model.model_id for model in chosen(rows, "cosine-minilm bertscore-minilm", "bertscore")] == [
        "bertscore-minilm"
    ]
    assert chosen(rows, "cosine-minilm", "bleurt") == []
    with pytest.raises(FinragError, match="score_models names nothing, which"):
        chosen(rows, "nothing", "bleurt")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"kind": "bertscores"}, "kind 'bertscores' is unknown"),
        ({"rescale_f1": "0.5"}, "fill all of"),
        ({"rescale_precision": 0.5, "rescale_recall": 0.5, "rescale_f1": 1}, "leaves no range"),
    ],
)
def test_bad_registry_rows_are_named(columns: dict[str, object], message: str) -> None:
    with pytest.raises(FinragError, match=message):
        registered("anywhere", **columns)


def test_faults_of_the_user_say_what_to_do(folder: str, tmp_path: Path) -> None:
    with pytest.raises(FinragError, match=r"num_layers is 4, but .* has 3 layers"):
        BertScorer(registered(folder, num_layers=4))
    with pytest.raises(FinragError, match="cannot be loaded from"):
        BertScorer(registered(str(tmp_path)))
    with pytest.raises(FinragError, match="needs the Python package no_such_module"):
        BertScorer(registered("package:no_such_module"))
    with pytest.raises(FinragError, match="of kind cosine"):
        BertScorer(registered(folder, kind="cosine"))
    with pytest.raises(FinragError, match="has no rescale baseline"):
        BertScorer(registered(folder)).score(CANDIDATES, REFERENCES, rescale=True)
