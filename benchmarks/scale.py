"""Time and peak memory of each stage as the corpus grows, with vectors given: what a machine needs for a large corpus.

Generated sentences (benchmarks/corpus.py: the lengths, the sections and the repetition of real ones, a vocabulary of
neutral words); vectors are random, of BENCH_DIMENSION (32) numbers: embedding has a benchmark of its own, and of 384
numbers ten million are 15 GB. BENCH_SCALE names the millions of sentences ("0.3 1"; the full run is
"1 3 10 30", 0.5 GB of disk per million). Every stage runs in a process of its own, so that its peak memory is its own.
Metrics are not here: they read the hits of 1,200 queries, however large the corpus is.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import duckdb
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "python_models"), str(Path(__file__).parent)]

MILLIONS = [float(each) for each in os.environ.get("BENCH_SCALE", "0.3 1").split()]
DIMENSION = int(os.environ.get("BENCH_DIMENSION", "32"))
QUERIES = 1200
DEPTH = 102  # hits kept of each query: max_k and two to spare
BUNDLES = ("v1_kpi_scan", "v2_risk_atlas", "v3_trend_bundles", "v4_cross_company_bundles", "v5_definition_bundles")
REGIMES = {"open": (), "filtered": ("cik", "report_year", "section_id")}


def scale(folder: Path) -> None:
    """Seconds and peak memory of each stage at each size."""
    import shutil

    for millions in MILLIONS:
        rows, place = round(millions * 1e6), folder / f"{millions}"
        place.mkdir()
        print(f"{rows:,} sentences, vectors of {DIMENSION}", flush=True)
        corpus_and_bundles(place, rows)
        for stage in (texts_to_embed, store, index_of_vectors, index_of_text, search, search_by_words, unchanged):
            with get_context("spawn").Pool(1) as pool:
                seconds, memory, found = pool.apply(measured, (stage.__name__, place))
            line(stage.__name__, seconds, memory, found)
        disk = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        print(f"  {'disk':<20} {disk / 1e9:7.2f} GB", flush=True)
        shutil.rmtree(place)


def line(stage: str, seconds: float, memory: float, found: str = "") -> None:
    print(f"  {stage.replace('_', ' '):<20} {seconds:7.1f} s   peak memory {memory:5.2f} GB   {found}", flush=True)


def measured(stage: str, place: Path) -> tuple[float, float, str]:
    start = time.perf_counter()
    found = globals()[stage](place)
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, found


def corpus_and_bundles(place: Path, rows: int) -> None:
    from tables import dbt

    path = place / "corpus.parquet"
    subprocess.run([sys.executable, str(Path(__file__).parent / "corpus.py"), str(path), str(rows)], check=True)
    chosen = [f"+{name}" for name in (*BUNDLES, "dim_filings")]
    seconds, memory = dbt(
        place / "scale.duckdb",
        "build",
        "--exclude-resource-type",
        "test",
        "unit_test",
        "--select",
        *chosen,
        corpus=str(path),
    )
    line("corpus_and_bundles", seconds, memory)


def opened(place: Path):
    from finrag.encoders.models import EmbeddingModel
    from finrag.encoders.store import EmbeddingStore

    connection = duckdb.connect(
        str(place / "scale.duckdb"),
        read_only=True,
        config={"memory_limit": "2GB", "temp_directory": str(place / "tmp")},
    )
    model = EmbeddingModel("generated", "imported", "1", DIMENSION)
    return connection, connection.table("corpus.fct_sentences"), EmbeddingStore.open(place / "lance", model)


def texts_to_embed(place: Path) -> str:
    """Which texts have no vector, and the text of the first part of them, as int_embedded_texts reads them."""
    from finrag.encoders.embed import SLICE_TEXTS, _texts, distinct_hashes
    from finrag.index.regimes import quoted

    _, sentences, vectors = opened(place)
    hashes = distinct_hashes(sentences)
    missing = np.flatnonzero(vectors.rows(hashes) < 0)
    last = hashes[int(missing[:SLICE_TEXTS][-1])].as_py()
    start = time.perf_counter()
    texts = _texts(sentences, f"text_hash <= {quoted(last)}")
    return f"{len(missing):,} texts, {len(texts):,} read in {time.perf_counter() - start:.1f} s"


def store(place: Path) -> str:
    """Appended by 65,536, compacted, found again and summed."""
    from finrag.encoders.embed import distinct_hashes
    from finrag.encoders.parts import FLUSH_TEXTS

    _, sentences, vectors = opened(place)
    hashes = distinct_hashes(sentences)
    for start in range(0, len(hashes), FLUSH_TEXTS):
        some = hashes.slice(start, FLUSH_TEXTS).to_pylist()
        vectors.append(vectors.batch(some, "document", unit(len(some), start), "fp32"))
    vectors.compact()
    return f"{len(hashes):,} vectors, checksum {vectors.checksum(hashes)}"


def unit(count: int, seed: int) -> np.ndarray:
    generated = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    return generated / np.linalg.norm(generated, axis=1, keepdims=True)


def synced(place: Path, names: tuple[str, ...] = ("vectors", "text")) -> Iterator[str]:
    from finrag.index.lance import sync

    connection, sentences, vectors = opened(place)
    for name in names:
        given = {}
        if name == "vectors":
            given = {"vectors": lambda hashes: vectors.vectors(hashes, missing="nan"), "source": "1"}
        filings = connection.table("corpus.dim_filings")
        report = sync(connection, sentences, filings, index(place, name, vectors.model), **given)
        yield f"{report.added_count:,} added, {report.index_type}"


def index(place: Path, name: str, model):
    from finrag.index.lance import SentenceIndex

    if name == "text":
        return SentenceIndex.of_text(place / "lance")
    return SentenceIndex.of_vectors(place / "lance", model.model_id, model.fingerprint, model.dimension)


def index_of_vectors(place: Path) -> str:
    return ", ".join(synced(place, ("vectors",)))


def index_of_text(place: Path) -> str:
    return ", ".join(synced(place, ("text",)))


def asked(sentences):
    return (
        sentences.project(
            "sentence_id as query_id, text_hash, sentence_text as query_text, filing_id, cik, report_year, section_id"
        )
        .order("md5(query_id)")
        .limit(QUERIES)
        .to_arrow_table()
    )


def search(place: Path) -> str:
    """Exact search and ranking by lot, in both regimes."""
    from finrag.search import chance
    from finrag.search.dense import IndexedVectors

    _, sentences, vectors = opened(place)
    queries = asked(sentences)
    indexed, wanted = IndexedVectors(index(place, "vectors", vectors.model)), vectors.vectors(queries["text_hash"])
    parts = []
    for name, columns in REGIMES.items():
        start = time.perf_counter()
        hits = indexed.search(queries, wanted, DEPTH, columns)
        chance.search(index(place, "text", vectors.model), queries, DEPTH, columns, "seed")
        parts.append(f"{name} {hits.num_rows:,} hits in {time.perf_counter() - start:.1f} s")
    return ", ".join(parts)


def search_by_words(place: Path) -> str:
    """BM25, filtered: a generated word stands in every tenth sentence, so an open search would measure that."""
    from finrag.search import bm25

    _, sentences, vectors = opened(place)
    hits = bm25.search(index(place, "text", vectors.model), asked(sentences), DEPTH, REGIMES["filtered"])
    return f"{hits.num_rows:,} hits"


def unchanged(place: Path) -> str:
    """What a build does where nothing changed: texts looked up, the known checksum, two indexes compared."""
    from finrag.encoders.embed import distinct_hashes

    _, sentences, vectors = opened(place)
    hashes = distinct_hashes(sentences)
    missing = int((vectors.rows(hashes) < 0).sum())
    vectors.checksum(hashes)
    return f"{missing} missing, {', '.join(synced(place))}"
