"""Vectors made elsewhere: every fault has a reason and a row, and nothing is dropped in silence."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.encoders.embed import embed_corpus, embed_texts, rejected_vectors
from finrag.encoders.encoder import load_encoder
from finrag.encoders.models import QUERY, EmbeddingModel
from finrag.encoders.store import EmbeddingStore
from finrag.errors import FinragError
from finrag.inputs.vectors import REASONS
from finrag.lance_folder import sidecar
from test_embedding_store import corpus, registry, unit
from tiny_models import save_tiny_model, sentences, tiny

OURS = EmbeddingModel("ours", "imported", None, 32)
TEXTS = sentences(12)


def write(path, keys, vectors, column="sentence_id", role=None):
    columns = {
        column: pa.array(keys, pa.string()),
        "vector": pa.array([None if v is None else list(v) for v in vectors]),
    }
    if role:
        columns["role"] = pa.array(role)
    pq.write_table(pa.table(columns), path)
    return path


class Build:
    """A corpus of twelve texts and the model `ours`, built as dbt builds it."""

    def __init__(self, folder):
        self.folder = folder
        self.lance = str(folder / "lance")
        self.connection, self.sentences = corpus(TEXTS)

    def __call__(self, *paths, model=OURS):
        models = registry(self.connection, model)
        pairs = " ".join(f"{model.model_id}={path}" for path in paths)
        manifest = embed_corpus(self.connection, self.sentences, models, model.model_id, pairs, self.lance)
        self.manifest = manifest.to_pylist()[0]
        rejected = rejected_vectors(self.connection, self.connection.from_arrow(manifest))
        rejected = rejected if isinstance(rejected, pa.Table) else rejected.to_arrow_table()
        rows = rejected.to_pylist()
        # rows count from 1; the place in the lists of a test from 0
        found = [(row["source_row"] - 1, row["key"], row["reason"]) for row in rows if row["reason"] != "missing"]
        return sorted(found, key=lambda row: row[0])

    def missing(self):
        rows = pq.read_table(sidecar(self.store.path, "rejected.parquet")).to_pylist()
        return sorted(row["key"] for row in rows if row["reason"] == "missing")

    @property
    def store(self):
        return EmbeddingStore.open(self.lance, OURS)


@pytest.fixture
def build(tmp_path):
    return Build(tmp_path)


def keys(*numbers):
    return [f"s{number:05}" for number in numbers]


def test_a_complete_set_is_taken_as_it_is(build, tmp_path):
    vectors = unit(12)
    assert build(write(tmp_path / "v.parquet", keys(*range(12)), vectors)) == []
    counts = ("embedded_count", "computed_count", "missing_count", "rejected_count", "normalised_count")
    assert [build.manifest[name] for name in counts] == [12, 0, 0, 0, 0]
    assert build.manifest["precision"] == "imported" and build.missing() == []
    hashes = [f"hash{number}" for number in range(12)]
    assert np.allclose(build.store.vectors(hashes), vectors, atol=1e-7)
    assert (build.store.query_vectors(hashes) == build.store.vectors(hashes)).all()


def test_each_fault_has_its_reason(build, tmp_path):
    vectors = [list(vector) for vector in unit(12)]
    vectors[1] = vectors[1][:31]
    vectors[2][5] = float("nan")
    vectors[3][0] = float("inf")
    vectors[4] = [0.0] * 32
    vectors[5] = None
    vectors[6][7] = None
    given = [*keys(0, 1, 2, 3, 4, 5, 6, 7), "s99999", None, *keys(10, 11)]
    roles = ["document"] * 11 + ["answer"]
    assert build(write(tmp_path / "v.parquet", given, vectors, role=roles)) == [
        (1, "s00001", "wrong_dimension"),
        (2, "s00002", "not_finite"),
        (3, "s00003", "not_finite"),
        (4, "s00004", "zero_norm"),
        (5, "s00005", "no_vector"),
        (6, "s00006", "no_vector"),
        (8, "s99999", "unknown_id"),
        (9, None, "no_key"),
        (11, "s00011", "unknown_role"),
    ]
    assert build.missing() == sorted(f"hash{number}" for number in (1, 2, 3, 4, 5, 6, 8, 9, 11))
    assert (build.manifest["embedded_count"], build.manifest["missing_count"]) == (3, 9)
    assert build.manifest["rejected_count"] == 9


def test_vectors_of_any_length_are_normalised_and_counted(build, tmp_path):
    vectors = unit(12)
    scaled = vectors * np.array([[1.0]] * 6 + [[1.0005]] + [[3.0]] * 5, np.float32)
    assert build(write(tmp_path / "v.parquet", keys(*range(12)), scaled.astype(np.float64))) == []
    assert build.manifest["normalised_count"] == 5
    assert np.allclose(build.store.vectors([f"hash{n}" for n in range(12)]), vectors, atol=1e-6)


def test_repeated_keys_count_once_when_they_agree_and_not_at_all_when_they_do_not(build, tmp_path):
    vectors = unit(12)
    first = write(tmp_path / "1.parquet", keys(*range(12)), vectors)
    agreeing = write(tmp_path / "2.parquet", keys(3), vectors[3:4])
    assert build(first, agreeing) == []
    assert build.manifest["embedded_count"] == 12
    opposed = write(tmp_path / "3.parquet", keys(4), -vectors[4:5])
    assert build(first, opposed) == [(0, "s00004", "conflicting_duplicate"), (4, "s00004", "conflicting_duplicate")]
    assert build.missing() == ["hash4"]


def test_sentences_of_one_text_share_the_vector_of_the_first(build, tmp_path):
    build.connection.execute(
        "insert into fct_sentences values ('s00100', 'hash0', 'same'), ('s00101', 'hash0', 'same')"
    )
    vectors = unit(14)
    vectors[12] = vectors[0]
    found = build(write(tmp_path / "v.parquet", keys(*range(12), 100, 101), vectors))
    assert found == [(13, "s00101", "conflicting_text")]
    assert np.allclose(build.store.vectors(["hash0"]), vectors[:1], atol=1e-6)


def test_text_hashes_are_keys_too_and_go_before_sentences(build, tmp_path):
    vectors = unit(13)
    by_text = write(tmp_path / "t.parquet", ["hash3", "elsewhere"], vectors[11:13], column="text_hash")
    by_sentence = write(tmp_path / "s.parquet", keys(*range(11)), vectors[:11])
    assert build(by_sentence, by_text) == [(1, "elsewhere", "unknown_id"), (3, "s00003", "conflicting_text")]
    assert np.allclose(build.store.vectors(["hash3"]), vectors[11:12], atol=1e-6)
    assert build.missing() == ["hash11"]


def test_query_vectors_are_kept_apart(build, tmp_path):
    vectors = unit(14)
    build(write(tmp_path / "v.parquet", keys(*range(12), 0, 1), vectors, role=["document"] * 12 + ["query"] * 2))
    store = build.store
    assert np.allclose(store.query_vectors(["hash1", "hash0"]), vectors[[13, 12]], atol=1e-6)
    assert np.isnan(store.query_vectors(["hash2"], missing="nan")).all()
    before = build.manifest["checksum"]
    vectors[12] = -vectors[12]
    build(write(tmp_path / "v.parquet", keys(*range(12), 0, 1), vectors, role=["document"] * 12 + ["query"] * 2))
    assert build.manifest["checksum"] != before


def test_unchanged_files_are_not_read_again_and_changed_ones_are(build, tmp_path, monkeypatch):
    path = write(tmp_path / "v.parquet", keys(*range(11)), unit(11))
    build(path)
    first = build.manifest
    with monkeypatch.context() as patch:
        patch.setattr("finrag.encoders.imported._replace_imported", lambda *rest: pytest.fail("read again"))
        build(path)
    assert build.manifest == first
    write(path, keys(*range(12)), unit(12, seed=1))
    os.utime(path, (1, 1))
    build(path)
    assert build.manifest["missing_count"] == 0 and build.manifest["checksum"] != first["checksum"]
    build.connection.execute("insert into fct_sentences values ('s00500', 'hash500', 'new')")
    build(path)
    assert build.missing() == ["hash500"]


def test_an_empty_corpus_keeps_the_imported_vectors(build, tmp_path):
    path = write(tmp_path / "v.parquet", keys(*range(12)), unit(12))
    build(path)
    kept, build.sentences = build.sentences, build.sentences.filter("false")
    build(path)
    assert build.manifest["text_count"] == 0
    build.sentences = kept
    build(path)
    assert build.manifest["embedded_count"] == 12


def test_imported_vectors_stand_in_for_computed_ones_when_a_sample_agrees(build, tmp_path):
    model = tiny(save_tiny_model(tmp_path / "models" / "tiny"))
    vectors = np.empty((12, 32), np.float32)
    for batch in load_encoder(model).encode(TEXTS):
        vectors[batch.positions] = batch.vectors
    store = EmbeddingStore.open(build.lance, model)
    embed_texts(store, ["hash0", "hash1"], TEXTS[:2])
    path = write(tmp_path / "v.parquet", keys(*range(1, 8)), vectors[1:8])
    assert build(path, model=model) == []
    assert (build.manifest["computed_count"], build.manifest["embedded_count"]) == (4, 12)
    assert build.manifest["precision"] == "mixed"
    build(model=model)  # without the files the model computes what they held
    assert (build.manifest["computed_count"], build.manifest["precision"]) == (7, "fp32")

    other = write(tmp_path / "w.parquet", keys(*range(12)), unit(12))
    with pytest.raises(FinragError, match="differ from those of the model"):
        build(other, model=model)
    assert EmbeddingStore.open(build.lance, model).missing([f"hash{n}" for n in range(12)]) == []
    assert EmbeddingStore.open(build.lance, model).missing(["hash0"], QUERY) == ["hash0"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"vector": [[1.0]]}, "has the columns vector. Expected Parquet with"),
        ({"sentence_id": ["s"], "vector": [1.0]}, "Expected Parquet with"),
        ({"sentence_id": ["s"], "vector": [["a"]]}, "cannot be read"),
    ],
)
def test_a_file_of_another_kind_is_refused(build, tmp_path, columns, message):
    pq.write_table(pa.table(columns), tmp_path / "v.parquet")
    with pytest.raises(FinragError, match=message):
        build(tmp_path / "v.parquet")


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ("", "imported vectors only, and none were given"),
        ("ours", "names 'ours' without a path"),
        ("theirs=pyproject.toml", "'theirs', which is not in use. In use: ours"),
        ("ours=nowhere/*.parquet", "matches no file"),
    ],
)
def test_a_var_that_says_nothing_useful_is_refused(build, pairs, message):
    with pytest.raises(FinragError, match=message):
        embed_corpus(build.connection, build.sentences, registry(build.connection, OURS), "ours", pairs, build.lance)


def test_every_reason_is_accepted_by_the_public_table():
    with open("models/staging/input_problems.yml", encoding="utf-8") as file:
        described = file.read()
    assert all(f"                  - {reason}\n" in described for reason in REASONS)


@pytest.mark.parametrize(
    ("key", "dimension", "count", "told"),
    [
        (
            "x1",
            32,
            2,
            "none of the 2 rows of ours .* row 1 of .*v.parquet with the sentence_id 'x1': the corpus has no",
        ),
        ("s00001", 31, 2, "dimension 32.*vector has another number of values"),
        ("s00001", 32, 0, "hold no rows"),
    ],
)
def test_files_of_which_no_vector_can_be_used_stop_the_build(build, tmp_path, key, dimension, count, told):
    path = write(tmp_path / "v.parquet", [key, key], [unit(12)[0, :dimension]] * 2)
    pq.write_table(pq.read_table(path).slice(0, count), path)
    with pytest.raises(FinragError, match=told):
        build(path)
