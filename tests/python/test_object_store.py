"""FINRAG_LANCE at an object store: tables lie there, what is remembered of them in the project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pytest

import sentence_tables
import tiny_models
from finrag.encoders.models import EmbeddingModel
from finrag.encoders.score_models import ScoreModel
from finrag.encoders.store import EmbeddingStore
from finrag.index.lance import SentenceIndex, sync
from finrag.lance_folder import beside
from finrag.scoring.bertscore import BertScorer
from finrag.search import bm25, dense
from finrag.search import parts as search_parts

BUCKET = "s3://finrag/lance"


@pytest.fixture
def bucket(tmp_path, monkeypatch) -> Iterator[str]:
    """A server that speaks S3 on the loopback, with an empty bucket, and a project's folder to stand in."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "ACCESS_KEY_ID": "none",
        "SECRET_ACCESS_KEY": "none",
        "REGION": "us-east-1",
        "ENDPOINT_URL": f"http://{host}:{port}",
        "ALLOW_HTTP": "true",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="finrag")
    monkeypatch.chdir(tmp_path)
    yield BUCKET
    server.stop()


def searched(folder: str) -> list:
    """Vectors, indexes and hits of a small corpus whose tables lie at the folder; built twice."""
    connection = sentence_tables.connect({(cik, 2020, "ITEM_1"): 40 for cik in range(3)})
    tables = connection.table("fct_sentences"), connection.table("dim_filings")
    rows = connection.sql("from fct_sentences join dim_filings using (filing_id) order by sentence_id").to_arrow_table()
    store = EmbeddingStore.open(folder, EmbeddingModel("plain", "imported", "1", sentence_tables.DIMENSION))
    assert store.dataset() is None
    hashes = rows["text_hash"].unique()
    for some in (hashes[:50], hashes[50:]):
        store.append(store.batch(some.to_pylist(), "document", sentence_tables.vectors(some), "fp32"))
    store.compact()
    text = SentenceIndex.of_text(folder)
    vectors = SentenceIndex.of_vectors(folder, "plain", "0" * 8, sentence_tables.DIMENSION)
    given = {"vectors": store.vectors, "source": store.checksum(hashes)}
    reports = [sync(connection, *tables, text), sync(connection, *tables, vectors, **given)]
    version = text.dataset().version
    again = [sync(connection, *tables, text).added_count, sync(connection, *tables, vectors, **given).added_count]
    assert again == [0, 0] and text.dataset().version == version
    connection.execute("delete from fct_sentences where cik = 2")
    assert sync(connection, *tables, text).deleted_count == 40
    asked = rows.filter(pc.less(rows["cik"], 2)).rename_columns(
        {"sentence_id": "query_id", "sentence_text": "query_text"}
    )
    indexed = dense.IndexedVectors(vectors)
    hits = indexed.search(asked, store.vectors(asked["text_hash"]), 10, ("cik",))
    return [[each.checksum for each in reports], store.checksum(hashes), bm25.search(text, asked, 10), hits]


def test_a_bucket_gives_what_a_folder_gives(bucket, tmp_path, monkeypatch):
    here = searched(str(tmp_path / "lance"))
    monkeypatch.setattr(dense, "KEPT_BYTES", 0)
    monkeypatch.setattr(search_parts, "PART_ROWS", 50)
    assert searched(bucket) == here
    kept = [path for path in (tmp_path / "warehouse").rglob("*") if path.is_file()]
    assert sorted(path.suffix for path in kept) == [".json", ".json", ".json"]
    assert not list(tmp_path.glob("s3*"))


def test_token_vectors_lie_in_a_bucket(bucket, tmp_path):
    model = ScoreModel("tiny", "bertscore", tiny_models.bert(tmp_path / "bert"))
    first, second = tiny_models.sentences(10)[:5], tiny_models.sentences(10)[5:]
    scores = BertScorer(model).score(first, second).f1
    assert np.array_equal(BertScorer(model, bucket).score(first, second).f1, scores)
    again = BertScorer(model, bucket)
    assert np.array_equal(again.score(first, second).f1, scores)
    assert (again.encode.encoded, again.encode.read) == (0, 10)


def test_files_beside_the_tables_of_a_bucket_are_the_projects():
    assert beside("s3://finrag/lance/embeddings") == Path("warehouse/lance/s3_finrag_lance_embeddings")
    assert beside("elsewhere/lance") == Path("elsewhere/lance")
