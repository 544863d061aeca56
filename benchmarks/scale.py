"""Time and peak memory of each stage as the corpus grows, with vectors given: what a machine needs for a large corpus.

Generated sentences (benchmarks/corpus.py: the lengths, the sections and the repetition of real ones, a vocabulary of
neutral words); vectors are random, of BENCH_DIMENSION (32) numbers: embedding has a benchmark of its own, and of 384
numbers ten million are 15 GB. BENCH_SCALE names the millions of sentences ("0.3 1"; the full run is
"1 3 10 30", 0.8 GB of disk per million). Every stage runs in a process of its own, so that its peak memory is its own;
beside the clock stand seconds of CPU, which other work on the machine hardly changes. BENCH_FOLDER names a folder that
is kept, where a run that was stopped goes on with the stage that it was stopped at.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "python_models"), str(Path(__file__).parent)]

MILLIONS = [float(each) for each in os.environ.get("BENCH_SCALE", "0.3 1").split()]
DIMENSION = int(os.environ.get("BENCH_DIMENSION", "32"))
QUERIES = 1200
DEPTH = 102  # hits kept of each query: max_k and two to spare
BUNDLES = ("v1_kpi_scan", "v2_risk_atlas", "v3_trend_bundles", "v4_cross_company_bundles", "v5_definition_bundles")
LOADED = ("+fct_sentences", "+dim_filings")
REGIMES = {"open": (), "filtered": ("cik", "report_year", "section_id")}


def scale(folder: Path) -> None:
    """Seconds and peak memory of each stage at each size."""
    folder = Path(os.environ.get("BENCH_FOLDER") or folder)
    folder.mkdir(parents=True, exist_ok=True)
    for millions in MILLIONS:
        rows, place = round(millions * 1e6), folder / f"{millions}"
        place.mkdir(exist_ok=True)
        print(f"{rows:,} sentences, vectors of {DIMENSION}", flush=True)
        told = folder / f"{millions}.txt"
        for stage in STAGES:
            name = f"  {stage.__name__.replace('_', ' '):<20} "
            known = told.read_text() if told.exists() else ""
            if name not in known:
                known = name + result(stage.__name__, place, rows)
                with told.open("a") as file:
                    print(known, file=file)
            print(next(line for line in known.splitlines() if line.startswith(name)), flush=True)
        shutil.rmtree(place)


def result(stage: str, place: Path, rows: int) -> str:
    """What a stage took and found, as a line."""
    with get_context("spawn").Pool(1) as pool:
        seconds, cpu, memory, found = pool.apply(measured, (stage, place, rows))
    return f"{seconds:7.1f} s   CPU {cpu:7.1f} s   peak memory {memory:5.2f} GB   {found}"


def measured(stage: str, place: Path, rows: int) -> tuple[float, float, float, str]:
    """Of this process, or of the largest that it started."""
    start = time.perf_counter()
    found = globals()[stage](place, rows) if stage == "corpus" else globals()[stage](place)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(each.ru_utime + each.ru_stime for each in usage)
    return time.perf_counter() - start, cpu, max(each.ru_maxrss for each in usage) / 1e6, found


def corpus(place: Path, rows: int) -> str:
    """Generated, and loaded by dbt."""
    path = place / "corpus.parquet"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        subprocess.run(
            [sys.executable, str(Path(__file__).parent / "corpus.py"), str(unfinished), str(rows)], check=True
        )
        unfinished.replace(path)
    return built(place, "--select", *LOADED)


def bundles(place: Path) -> str:
    """Over the loaded corpus, by dbt."""
    return built(place, "--select", *(f"+{name}" for name in BUNDLES), "--exclude", *LOADED)


def built(place: Path, *chosen: str) -> str:
    from tables import dbt

    corpus_file = str(place / "corpus.parquet")
    seconds, memory = dbt(
        place / "scale.duckdb", "build", *chosen, "--exclude-resource-type", "test", "unit_test", corpus=corpus_file
    )
    return f"dbt alone {seconds:.1f} s, {memory:.2f} GB"


def opened(place: Path):
    from finrag.encoders.models import EmbeddingModel
    from finrag.encoders.store import EmbeddingStore

    connection = duckdb.connect(
        str(place / "scale.duckdb"),
        read_only=True,
        # as in profiles.yml
        config={"memory_limit": "2GB", "temp_directory": str(place / "tmp"), "allocator_background_threads": True},
    )
    model = EmbeddingModel("generated", "imported", "1", DIMENSION)
    return connection, connection.table("corpus.fct_sentences"), EmbeddingStore.open(place / "lance", model)


def texts_to_embed(place: Path) -> str:
    """All texts without a vector, a slice at a time, as int_embedded_texts reads them."""
    from finrag.encoders.embed import SLICE_TEXTS, distinct_hashes, in_order, missing_texts

    connection, sentences, vectors = opened(place)
    hashes = distinct_hashes(sentences)
    missing = np.flatnonzero(vectors.rows(hashes) < 0)
    ordered = in_order(connection, sentences, hashes, missing)
    slices = range(0, len(missing), SLICE_TEXTS)
    read = sum(len(missing_texts(hashes, missing[start : start + SLICE_TEXTS], ordered)) for start in slices)
    return f"{read:,} texts in {len(slices)} slices"


def store(place: Path) -> str:
    """Appended by 65,536, compacted, found again and summed."""
    from finrag.encoders.embed import distinct_hashes
    from finrag.encoders.fragments import FLUSH_TEXTS

    shutil.rmtree(place / "lance", ignore_errors=True)  # of a run that was stopped
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
    pq.write_table(hits, place / "hits.parquet")
    return f"{hits.num_rows:,} hits"


def metrics(place: Path) -> str:
    """Of the hits by words: a query's gold are the sentences up to five places from it in its item."""
    import finrag

    connection, sentences, _ = opened(place)
    asked_for = asked(sentences)["query_id"]
    gold = connection.execute(
        """
        with anchors as (from corpus.fct_sentences where list_contains($asked, sentence_id))
        select anchors.sentence_id, map_from_entries(list((near.sentence_id, 1)))
        from anchors
        inner join corpus.fct_sentences as near
            on anchors.filing_id = near.filing_id
            and anchors.section_id = near.section_id
            and abs(anchors.sentence_pos - near.sentence_pos) between 1 and 5
        group by anchors.sentence_id
        """,
        {"asked": asked_for.to_pylist()},
    ).fetchall()
    run: dict[str, dict[str, float]] = {query: {} for query in asked_for.to_pylist()}
    for hit in pq.read_table(place / "hits.parquet", columns=["query_id", "sentence_id", "raw_rank"]).to_pylist():
        run[hit["query_id"]][hit["sentence_id"]] = -hit["raw_rank"]
    values = finrag.evaluate({query: {} for query in run} | dict(gold), run)
    return f"{len(values)} values of {len(run):,} queries, {len(gold):,} of them with gold"


def unchanged(place: Path) -> str:
    """What a build does where nothing changed: texts looked up, the known checksum, two indexes compared."""
    from finrag.encoders.embed import distinct_hashes

    _, sentences, vectors = opened(place)
    hashes = distinct_hashes(sentences)
    missing = int((vectors.rows(hashes) < 0).sum())
    vectors.checksum(hashes)
    return f"{missing} missing, {', '.join(synced(place))}"


def disk(place: Path) -> str:
    """Of all that the other stages left."""
    used = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
    return f"{used / 1e9:.2f} GB"


STAGES = (
    corpus,
    texts_to_embed,
    store,
    index_of_vectors,
    index_of_text,
    search,
    search_by_words,
    metrics,
    unchanged,
    bundles,  # last: nothing else reads them, and they take longest
    disk,
)
