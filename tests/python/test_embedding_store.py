"""The store of vectors: order, missing texts, checksums, two revisions, and a build that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import duckdb
import lance
import numpy as np
import pytest

from databases import insert
from finrag.encoders import embed, encoder, fragments, parts
from finrag.encoders.embed import embed_corpus, embed_queries, embed_texts, truncated_texts
from finrag.encoders.encoder import Encoder
from finrag.encoders.models import DOCUMENT, QUERY
from finrag.encoders.store import EmbeddingStore, row_checksums
from finrag.errors import FinragError
from tiny_models import save_tiny_model, sentences, tiny

HASHES = [f"hash{number}" for number in range(200)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def store(tmp_path, folder) -> EmbeddingStore:
    return EmbeddingStore.open(tmp_path, tiny(folder))


def unit(count: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, 32)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def filled(
    store: EmbeddingStore, vectors: np.ndarray, hashes: list[str] = HASHES, role: str = DOCUMENT
) -> EmbeddingStore:
    for start in range(0, len(hashes), 64):
        store.append(store.batch(hashes[start : start + 64], role, vectors[start : start + 64], "fp32"))
    return store


def corpus(texts: list[str]):
    connection = duckdb.connect()
    connection.execute("create table fct_sentences (sentence_id varchar, text_hash varchar, sentence_text varchar)")
    rows = [(f"s{number:05}", f"hash{number}", text) for number, text in enumerate(texts)]
    if rows:
        insert(connection, "fct_sentences", rows)
    return connection, connection.table("fct_sentences")


def registry(connection, *models):
    connection.execute(
        "create or replace table embedding_models (model_id varchar, model_name varchar, revision varchar, dimension "
        "integer, max_tokens integer, query_prefix varchar, document_prefix varchar, weights_sha256 varchar)"
    )
    for model in models:
        connection.execute(
            "insert into embedding_models values (?, ?, ?, ?, ?, ?, ?, ?)", list(vars(model).values())[:8]
        )
    return connection.table("embedding_models")


def test_vectors_come_in_the_order_asked(store):
    vectors = unit(200)
    filled(store, vectors)
    for count in (3, 150):  # few rows are taken one by one, many by reading the column
        asked = np.random.default_rng(count).permutation(200)[:count]
        asked = np.append(asked, asked[:2])
        assert (store.vectors([HASHES[number] for number in asked]) == vectors[asked]).all()
    assert store.vectors([]).shape == (0, 32)


def test_missing_texts_are_listed_once_and_never_invented(store):
    assert store.missing(["a", "b", "a"]) == ["a", "b"]
    filled(store, unit(200))
    assert store.missing(["hash7", "new", "hash3", "new", "other"]) == ["new", "other"]
    assert store.missing(["hash7"], QUERY) == ["hash7"]
    with pytest.raises(FinragError, match="1 of 2 texts have no document vector, the first is text_hash new"):
        store.vectors(["hash7", "new"])
    found = store.vectors(["new", "hash7"], missing="nan")
    assert np.isnan(found[0]).all() and not np.isnan(found[1]).any()


def test_the_checksum_ignores_order_and_sees_every_change(tmp_path, folder, store):
    vectors = unit(200)
    first = filled(store, vectors).checksum(HASHES)
    order = np.random.default_rng(1).permutation(200)
    shuffled = filled(
        EmbeddingStore.open(tmp_path / "shuffled", tiny(folder)), vectors[order], [HASHES[number] for number in order]
    )
    assert shuffled.checksum(HASHES[::-1] + HASHES[:5]) == first
    assert shuffled.checksum([*HASHES, "not there"]) == first
    assert shuffled.checksum(HASHES[1:]) != first

    swapped = vectors[[1, 0, *range(2, 200)]]
    nudged = vectors.copy()
    nudged[5, 7] = np.nextafter(nudged[5, 7], np.float32(2))
    turned = vectors.copy()
    turned[9, [0, 1]] = turned[9, [1, 0]]
    negated = -vectors
    sums = [
        row_checksums(HASHES, changed).sum(dtype=np.uint64) for changed in (vectors, swapped, nudged, turned, negated)
    ]
    assert len(set(map(int, sums))) == 5
    assert f"{int(sums[0]):016x}" == first


def test_the_checksum_is_remembered_until_the_table_changes(store, monkeypatch):
    vectors = unit(200)
    first = filled(store, vectors).checksum(HASHES)
    with monkeypatch.context() as patch:
        patch.setattr("finrag.encoders.store.matrix", lambda *rest: pytest.fail("vectors were read"))
        assert store.checksum(HASHES) == first
    store.delete("text_hash in ('hash0', 'hash1')")
    store.append(store.batch(["hash0", "hash1"], DOCUMENT, vectors[[1, 0]], "fp32"))
    assert store.checksum(HASHES) != first


def test_compaction_leaves_one_fragment_and_the_same_rows(store):
    vectors = unit(200)
    filled(store, vectors)
    assert len(store.dataset().get_fragments()) == 4
    store.compact()
    assert len(store.dataset().get_fragments()) == 1
    assert (store.vectors(HASHES) == vectors).all()
    version = store.dataset().version
    store.compact()
    assert store.dataset().version == version


def test_two_revisions_never_share_a_table(tmp_path, folder):
    one, other = (EmbeddingStore.open(tmp_path, tiny(folder, revision=revision)) for revision in "12")
    smaller = EmbeddingStore.open(tmp_path, tiny(folder, dimension=16))
    filled(one, unit(200))
    assert len({one.path, other.path, smaller.path}) == 3
    assert other.missing(HASHES) == HASHES and smaller.missing(HASHES) == HASHES


def test_queries_have_vectors_of_their_own_only_where_prefixes_differ(tmp_path, folder):
    texts = sentences(20)
    hashes = HASHES[:20]
    same, differing = tiny(folder), tiny(folder, query_prefix="query: ")
    symmetric = EmbeddingStore.open(tmp_path, same)
    assert embed_texts(symmetric, hashes, texts) == 20
    assert embed_queries(symmetric, same, hashes, texts) == 0
    assert embed_queries(symmetric, same, ["question"], ["what rose"]) == 1
    assert (symmetric.query_vectors(hashes) == symmetric.vectors(hashes)).all()

    asymmetric = EmbeddingStore.open(tmp_path, differing)
    embed_texts(asymmetric, hashes, texts)
    before = asymmetric.checksum(hashes)
    assert embed_queries(asymmetric, differing, hashes[:5], texts[:5]) == 5
    assert embed_queries(asymmetric, differing, hashes[:7], texts[:7]) == 2
    assert np.abs(asymmetric.query_vectors(hashes[:7]) - asymmetric.vectors(hashes[:7])).max() > 1e-3
    assert asymmetric.checksum(hashes) == before
    with pytest.raises(FinragError, match="no query vector"):
        asymmetric.query_vectors(hashes)


def test_the_manifest_counts_what_was_done(tmp_path, folder):
    texts = [*sentences(30), "net sales " * 40]
    connection, relation = corpus(texts)
    connection.execute("insert into fct_sentences values ('s99999', 'hash3', 'THE SAME TEXT IN CAPITALS')")
    models = registry(connection, tiny(folder), tiny(folder, model_id="cased", revision="2"))
    first = embed_corpus(connection, relation, models, "tiny cased", "", str(tmp_path)).to_pylist()
    counts = ("text_count", "embedded_count", "computed_count", "missing_count", "truncated_count", "rejected_count")
    assert [tuple(row[name] for name in counts) for row in first] == [(31, 31, 31, 0, 1, 0)] * 2
    assert first[0]["precision"] == "fp32" and first[0]["checksum"] == first[1]["checksum"]
    assert first[0]["store_path"] != first[1]["store_path"]

    second = embed_corpus(connection, relation, models, "tiny cased", "", str(tmp_path)).to_pylist()
    assert [row["computed_count"] for row in second] == [0, 0]
    assert [row["checksum"] for row in second] == [row["checksum"] for row in first]
    manifest = connection.from_arrow(embed_corpus(connection, relation, models, "tiny", "", str(tmp_path)))
    assert truncated_texts(manifest, models, str(tmp_path)).to_pylist() == [
        {"model_id": "tiny", "text_hash": "hash30", "token_count": 82, "max_tokens": 32}
    ]


def test_an_empty_corpus_loads_no_model(tmp_path, folder, monkeypatch):
    monkeypatch.setattr("finrag.encoders.encoder.load_encoder", lambda model: pytest.fail("loaded"))
    connection, relation = corpus([])
    row = embed_corpus(connection, relation, registry(connection, tiny(folder)), "tiny", "", str(tmp_path)).to_pylist()[
        0
    ]
    assert (row["text_count"], row["embedded_count"], row["precision"]) == (0, 0, None)
    assert not list(tmp_path.iterdir())


def test_the_last_parts_of_a_job_are_smaller():
    """Of 200 characters in texts of ten, at most 100 a part: half of 200, 100, 50, 30; then an eighth of 100, 12.5."""
    rows = [(f"{number:02}", "ten chars.") for number in range(20)]
    cut = list(parts.cut(rows, 100))
    assert [len(part) for part in cut] == [10, 5, 2, 1, 1, 1]
    assert [row for part in cut for row in part] == rows
    assert [len(part) for part in parts.cut([("long", "x" * 300), *rows], 100)] == [1, 10, 5, 2, 1, 1, 1]


def test_a_text_beyond_what_the_encoder_reads_is_no_more_work():
    """Of a paragraph of a million characters 80 are read: as much as eight texts of ten, wherever the sample fell."""
    long, short = ("long", "x" * 1_000_000), [(str(number), "ten chars.") for number in range(12)]
    for sample in (["ten chars."], [long[1], "ten chars."]):
        work = parts.Work.of(sample, 13, max_tokens=10)
        assert list(work.begin([[long, *short]])) == [[long, *short]]
        assert (work.all(), work.share_done()) == (200, 0)
        work.finish([long, *short[:2]])
        assert work.share_done() == 0.5


def test_the_work_that_is_not_begun_is_guessed_by_the_sample():
    rows = [(str(number), "ten chars.") for number in range(4)]
    work = parts.Work.of(["x" * 30, "x" * 10], 8, max_tokens=None)
    assert work.all() == 8 * 20
    next(slices := work.begin([rows, rows]))
    assert work.all() == 4 * 10 + 4 * 20
    next(slices)
    assert work.all() == 8 * 10


def test_a_job_in_parts_gives_what_one_part_gives(tmp_path, folder, monkeypatch):
    texts = sentences(90)
    connection, relation = corpus(texts)
    models = registry(connection, tiny(folder))
    embed_corpus(connection, relation, models, "tiny", "", str(tmp_path / "whole"))
    given = EmbeddingStore.open(tmp_path / "parts", tiny(folder))
    embed_texts(given, HASHES[20:30], texts[20:30])  # in the middle of a part, and not embedded twice
    held = []
    encode = Encoder.encode
    monkeypatch.setattr(Encoder, "encode", lambda self, some, *how: held.append(len(some)) or encode(self, some, *how))
    monkeypatch.setattr(embed, "SLICE_TEXTS", 48)
    monkeypatch.setattr(parts, "LEAST_CHARACTERS", 1_000)
    monkeypatch.setattr(fragments, "FLUSH_TEXTS", 40)
    [row] = embed_corpus(connection, relation, models, "tiny", "", str(tmp_path / "parts")).to_pylist()
    assert sum(held) == 80 and len(held) >= 5
    assert (row["computed_count"], row["embedded_count"], row["missing_count"]) == (80, 90, 0)
    assert not list((tmp_path / "parts").rglob("parts-*"))
    vectors = [EmbeddingStore.open(tmp_path / name, tiny(folder)).vectors(HASHES[:90]) for name in ("whole", "parts")]
    # a tiny model's products round by the size of the batch
    assert np.abs(vectors[0] - vectors[1]).max() < 1e-6


@pytest.mark.parametrize(("has_bf16", "expected"), [(True, "bf16"), (False, "mixed")])
def test_all_jobs_of_a_store_have_the_precision_of_the_first(tmp_path, folder, monkeypatch, has_bf16, expected):
    texts = sentences(20)
    connection, relation = corpus(texts)
    store = EmbeddingStore.open(tmp_path, tiny(folder))
    store.append(store.batch(HASHES[:1], DOCUMENT, unit(1), "bf16"))
    monkeypatch.setattr(encoder, "has_fast_bf16", lambda: has_bf16)
    monkeypatch.setattr(encoder, "BF16_MIN_COSINE", 2)  # no sample of texts would choose it
    (row,) = embed_corpus(
        connection, relation, registry(connection, tiny(folder)), "tiny", "", str(tmp_path)
    ).to_pylist()
    assert (row["computed_count"], row["precision"]) == (19, expected)


def test_rows_are_found_in_a_table_of_many_batches_and_the_first_of_two_counts(store, monkeypatch):
    monkeypatch.setattr("finrag.encoders.store.BATCH_ROWS", 7)
    vectors = unit(200)
    filled(store, vectors)
    store.append(store.batch(HASHES[:3], QUERY, vectors[5:8], "fp32"))
    store.append(store.batch(HASHES[:3], DOCUMENT, vectors[5:8], "fp32"))
    assert store.rows([*HASHES[::-1], "new"]).tolist() == [*range(199, -1, -1), -1]
    assert store.rows(HASHES[:4], QUERY).tolist() == [200, 201, 202, -1]
    assert (store.vectors(HASHES * 2) == np.concatenate([vectors, vectors])).all()
    assert (store.query_vectors(HASHES[:3]) == vectors[:3]).all()


KILLED = """
import sys, time
sys.path[:0] = ["python_models", "tests/python"]
from finrag.encoders import embed, encoder, fragments, parts
from finrag.encoders.store import EmbeddingStore
from tiny_models import sentences, tiny
fragments.FLUSH_TEXTS, parts.LEAST_CHARACTERS = 50, 1_000
encoder.BATCH_TOKENS = 200
forward = encoder.Encoder._forward
encoder.Encoder._forward = lambda *arguments: (time.sleep(0.01), forward(*arguments))[1]
texts = sentences(800)
store = EmbeddingStore.open(sys.argv[1], tiny(sys.argv[2]))
embed.embed_texts(store, [f"hash{number}" for number in range(800)], texts)
"""


@pytest.mark.slow
def test_a_killed_build_computes_only_what_is_missing(tmp_path, folder, monkeypatch):
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path), str(folder)], stderr=subprocess.DEVNULL, env=os.environ
    )
    path = Path(EmbeddingStore.open(tmp_path, tiny(folder)).path)
    try:
        while not (
            path.is_dir() and list((path / "_versions").glob("*")) and lance.dataset(str(path)).count_rows() >= 200
        ):
            assert process.poll() is None, "ended before it could be killed"
            time.sleep(0.02)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    store = EmbeddingStore.open(tmp_path, tiny(folder))
    stored = store.dataset().count_rows()
    assert 200 <= stored < 800

    hashes, texts = [f"hash{number}" for number in range(800)], sentences(800)
    encoded: Counter[str] = Counter()
    forward = Encoder._forward

    def counted(self, batch, *rest):
        encoded.update(batch)
        return forward(self, batch, *rest)

    monkeypatch.setattr(Encoder, "_forward", counted)
    assert embed_texts(store, hashes, texts) == 800 - stored == encoded.total()
    assert max(encoded.values()) == 1
    assert Counter(store.dataset().to_table(columns=["text_hash"])["text_hash"].to_pylist()) == Counter(hashes)

    whole = EmbeddingStore.open(tmp_path / "whole", tiny(folder))
    embed_texts(whole, hashes, texts)
    assert (whole.vectors(hashes) * store.vectors(hashes)).sum(axis=1).min() > 0.99999
