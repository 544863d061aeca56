"""Encoding: the same vectors as SentenceTransformer.encode, prefixes, batches, truncation, and when bf16 is used."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag.encoders import encoder as encoding
from finrag.encoders.encoder import Encoder, batches, load_encoder
from finrag.encoders.models import DOCUMENT, QUERY
from test_embedding_models import MINILM
from tiny_models import save_tiny_model, sentences, tiny

TEXTS = [
    "Net sales rose 5.2% to $1.5 billion because the Company opened new stores.",
    "Risk",
    "We may not be able to hire and keep qualified people.",
    "Item 1A.",
    "The Company's revolving credit facility of $500 million matures in 2026 and bears interest at SOFR plus 1.25%.",
    "Our systems were breached.",
    *(
        f"Segment {number} grew {number % 9}.{number % 7}% in {2000 + number}" + ", again" * (number % 13)
        for number in range(12)
    ),
    "Long " * 400,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


def encoded(encoder: Encoder, texts: list[str], *how: str) -> tuple[np.ndarray, np.ndarray]:
    vectors = np.full((len(texts), encoder.model.dimension), np.nan, np.float32)
    counts = np.zeros(len(texts), int)
    for batch in encoder.encode(texts, *how):
        vectors[batch.positions] = batch.vectors
        counts[batch.positions] = batch.token_counts
    return vectors, counts


@pytest.mark.slow
def test_vectors_are_those_of_sentence_transformers():
    encoder = load_encoder(MINILM)
    vectors, counts = encoded(encoder, TEXTS)
    expected = encoder.network.encode(TEXTS, batch_size=4)
    assert vectors.dtype == np.float32
    assert (vectors * expected).sum(axis=1).min() >= 0.9999
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert counts[1] == 3 and counts[-1] == 402  # with [CLS] and [SEP]; only the last is above 256
    assert (counts > encoder.max_tokens).sum() == 1


def test_counting_tokens_waits_for_a_batch_under_way(folder):
    """Else the tokeniser is told not to truncate between being told to and doing so."""
    encoder = load_encoder(tiny(folder, max_tokens=64))
    with ThreadPoolExecutor(1) as threads, encoder._lock:
        counted = threads.submit(encoder.token_counts, TEXTS)
        with pytest.raises(TimeoutError):
            counted.result(timeout=0.2)
    assert len(counted.result()) == len(TEXTS)


def test_prefixes_are_part_of_the_text(folder):
    model = tiny(folder, query_prefix="query: ", document_prefix="passage: ", max_tokens=64)
    asymmetric, plain = load_encoder(model), load_encoder(tiny(folder, max_tokens=64))
    texts = sentences(30)
    documents, counts = encoded(asymmetric, texts)
    queries, _ = encoded(asymmetric, texts, QUERY)
    expected, expected_counts = encoded(plain, ["passage: " + text for text in texts])
    assert np.allclose(documents, expected, atol=1e-5)
    assert (counts == expected_counts).all()
    assert np.allclose(queries, encoded(plain, ["query: " + text for text in texts])[0], atol=1e-5)
    assert np.abs(documents - queries).max(axis=1).min() > 1e-3


def test_what_is_cut_is_not_in_the_vector(folder):
    encoder = load_encoder(tiny(folder, max_tokens=12))
    same_start = ["net sales rose in the year by million"] * 2
    vectors, counts = encoded(encoder, [same_start[0] + " " + "debt " * 20, same_start[1] + " " + "debt " * 30])
    assert counts.tolist() == [30, 40]  # 8 words, 20 or 30 more, [CLS] and [SEP]
    assert np.allclose(vectors[0], vectors[1], atol=1e-6)


@given(st.lists(st.integers(1, 300), max_size=200), st.integers(1, 4096))
def test_batches_hold_each_text_once_within_the_budget(lengths, budget):
    array = np.array(lengths, np.int64)
    parts = list(batches(array, budget))
    assert sorted(position for part in parts for position in part.tolist()) == list(range(len(lengths)))
    order = [lengths[position] for part in parts for position in part.tolist()]
    assert order == sorted(lengths, reverse=True)
    for part in parts:
        assert len(set(array[part])) == 1
        assert len(part) == 1 or len(part) * array[part].max() <= budget


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_vector_does_not_depend_on_its_company_its_order_or_the_threads(folder, precision):
    import torch

    encoder = Encoder(tiny(folder))
    together = encoded(encoder, TEXTS, DOCUMENT, precision)[0]
    backwards = encoded(encoder, TEXTS[::-1], DOCUMENT, precision)[0][::-1]
    alone = np.concatenate([encoded(encoder, [text], DOCUMENT, precision)[0] for text in TEXTS])
    threads = torch.get_num_threads()
    torch.set_num_threads(1 if threads > 1 else 2)
    try:
        otherwise = encoded(encoder, TEXTS, DOCUMENT, precision)[0]
    finally:
        torch.set_num_threads(threads)
    for vectors in (backwards, alone, otherwise):
        assert np.array_equal(together, vectors)


@pytest.mark.parametrize(
    ("has_bf16", "noise", "expected"),
    [
        (False, 0.0, "fp32"),  # the CPU cannot
        (True, 0.0, "bf16"),
        (True, 0.05, "fp32"),  # cosine 0.999: too far from fp32
    ],
)
def test_bf16_is_used_only_where_it_is_supported_and_close(folder, monkeypatch, has_bf16, noise, expected):
    encoder = Encoder(tiny(folder))
    fp32 = encoder._forward
    monkeypatch.setattr(encoding, "has_fast_bf16", lambda: has_bf16)

    def forward(texts, prefix, precision):
        vectors = fp32(texts, prefix, "fp32")
        if precision == "bf16" and noise:
            vectors = vectors + noise * np.roll(vectors, 1, axis=1)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    monkeypatch.setattr(encoder, "_forward", forward)
    assert encoder.choose_precision(sentences(100)) == expected


def test_bf16_products_stay_close_to_fp32(folder):
    encoder = load_encoder(tiny(folder))
    texts = sentences(40)
    exact, rounded = (encoder._forward(texts, "", precision) for precision in ("fp32", "bf16"))
    assert rounded.dtype == np.float32 and np.abs(exact - rounded).max() > 0
    assert (exact * rounded).sum(axis=1).min() > 0.999


def test_weights_rounded_once_give_what_rounding_them_for_each_batch_gives(folder):
    import torch

    encoder = load_encoder(tiny(folder))
    texts, transformer = sentences(40), encoder.network[0]
    features = encoder.network.preprocess(texts)
    twin = encoding.with_bf16_weights(transformer)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        expected, found = (module(dict(features))["token_embeddings"] for module in (transformer, twin))
    assert torch.equal(expected, found)
    assert {weights.dtype for weights in transformer.parameters()} == {torch.float32}
    layers = zip(transformer.modules(), twin.modules(), strict=True)
    for ours, theirs in ((a, b) for a, b in layers if type(a) is torch.nn.Embedding):
        assert ours.weight is theirs.weight


def test_the_capability_is_asked_of_torch(monkeypatch):
    import torch

    for capabilities, expected in (({"avx512_bf16": True}, True), ({"amx_bf16": True}, True), ({"avx2": True}, False)):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda found=capabilities: found)
        assert encoding.has_fast_bf16() is expected
