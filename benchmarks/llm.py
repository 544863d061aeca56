"""Speed and memory of the language model layer: calls at a time, very many calls, and what the ledger costs.

The models are the emulator of the tests, on loopback, through the real clients.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import threading
import time
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).parents[1]
CALLS, CONCURRENCY, SECONDS = 200, 16, 1.0
SEQUENTIAL_CALLS = 20
LEDGER_ROWS = 10_000
# To a server of one's own, with requests of so many characters.
MANY_CALLS, MANY_AT_A_TIME, CHARACTERS = 10_000, 64, 4_000
# DuckDB keeps requests and rows in memory up to its limit, and on disk beyond.
DUCKDB_MEMORY = "100MB"


def llm(folder: Path) -> None:
    """200 calls of a second each, 16 at a time, against one after another; what the ledger costs."""
    imports()
    from conftest import echo
    from emulator import Emulator

    with Emulator(folder / "requests.jsonl", echo) as emulator:
        os.environ |= {"GEMINI_BASE_URL": emulator.url, "GEMINI_API_KEY": "none"}
        run(folder / "first.sqlite", 2, 2)  # imports
        emulator.latency = SECONDS
        one_by_one = run(folder / "sequential.sqlite", SEQUENTIAL_CALLS, 1) * CALLS / SEQUENTIAL_CALLS
        ours = run(folder / "concurrent.sqlite", CALLS, CONCURRENCY)
        rebuilt = run(folder / "concurrent.sqlite", CALLS, CONCURRENCY)
    print(
        f"{CALLS} calls of {SECONDS:.0f} s, {CONCURRENCY} at a time: {ours:.1f} s   "
        f"one after another (by {SEQUENTIAL_CALLS}) "
        f"{one_by_one:.1f} s   {one_by_one / ours:.1f}x   again, from the ledger: {rebuilt:.2f} s"
    )
    ledger(folder)


def many_calls(folder: Path) -> None:
    """Memory of a process that makes so many calls, 64 at a time, to a server in another process, as time goes by."""
    spawned = get_context("spawn")
    with spawned.Pool(1) as server, spawned.Pool(1) as client:
        address = server.apply(serve, (folder / "requests.jsonl",))
        seconds, memory, in_duckdb, recorded = client.apply(call_many, (address, folder / "many.sqlite"))
    marks = [f"{memory[len(memory) * tenth // 10 - 1]:.0f}" for tenth in (1, 2, 4, 6, 8, 10)]
    print(
        f"{MANY_CALLS:,} calls, {MANY_AT_A_TIME} at a time: {seconds:.0f} s, {MANY_CALLS / seconds:.0f} a second, "
        f"{recorded:,} in the ledger; MB after 1, 2, 4, 6, 8 and 10 tenths of the time: {', '.join(marks)}, "
        f"DuckDB's in the end {in_duckdb:.0f}"
    )
    if recorded != MANY_CALLS:
        raise SystemExit(f"the ledger has {recorded:,} of {MANY_CALLS:,} calls")


def serve(log: Path) -> str:
    """Start the emulator in this process and leave it running; its address."""
    imports()
    from conftest import echo
    from emulator import Emulator

    return Emulator(log, echo).__enter__().url


def call_many(address: str, path: Path) -> tuple[float, list[float], float, int]:
    """Seconds, memory in MB at each, what DuckDB has of it in the end, and calls in the ledger, of a model's run."""
    imports()
    import duckdb

    from finrag.llm.run import run_requests

    os.environ |= {"LOCAL_OPENAI_BASE_URL": f"{address}/v1", "FINRAG_LEDGER": str(path)}
    with duckdb.connect(path.with_suffix(".duckdb"), config={"memory_limit": DUCKDB_MEMORY}) as session:
        for seed in ("llm_models", "llm_prices"):
            session.execute(f"create table {seed} as from read_csv('{ROOT / 'seeds' / seed}.csv')")
        session.execute(
            "create table requests as select printf('%07d', n) as item_id, "
            f"json_object('text', left(repeat('Sales of unit ' || n || ' rose. ', 999), {CHARACTERS})) as inputs "
            f"from range({MANY_CALLS}) as numbers (n)"
        )
        memory: list[float] = []
        threading.Thread(target=watch, args=(memory,), daemon=True).start()
        start = time.perf_counter()
        rows = run_requests(
            session,
            session.table("requests"),
            {"models": "local-openai", "llm_concurrency": MANY_AT_A_TIME},
            task="echo",
            models=session.table("llm_models"),
            prices=session.table("llm_prices"),
        )
        if rows.filter("status = 'ok'").aggregate("count(*)").fetchall() != [(MANY_CALLS,)]:
            raise SystemExit(f"calls failed: {rows.aggregate('status, min(error), count(*)').fetchall()}")
        seconds = time.perf_counter() - start
        ((in_duckdb,),) = session.execute("select sum(memory_usage_bytes) / 1e6 from duckdb_memory()").fetchall()
    with sqlite3.connect(path) as connection:
        (recorded,) = connection.execute("select count(*) from calls where status = 'ok'").fetchone()
    return seconds, memory, in_duckdb, recorded


def watch(memory: list[float]) -> None:
    """Note what this process has of the machine's memory, in MB, every second."""
    while True:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        memory.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
        time.sleep(1)


def imports() -> None:
    """The library, the tests and their task echo, for this process."""
    sys.path[:0] = [str(ROOT / "python_models"), str(ROOT / "tests" / "python")]
    import finrag.tasks
    from conftest import ECHO

    finrag.tasks.__path__.append(str(ECHO))


def run(path: Path, calls: int, concurrency: int) -> float:
    """Seconds that so many calls of the task echo take."""
    from finrag.llm.budget import Budget
    from finrag.llm.ledger import Ledger
    from finrag.llm.models import Model
    from finrag.llm.run import Settings, carry_out
    from finrag.llm.tasks import find_task

    model = Model("m", "gemini", "m", base_url_env="GEMINI_BASE_URL", api_key_env="GEMINI_API_KEY")
    items = [(str(number), {"text": f"text {number} " * 50}) for number in range(calls)]
    start = time.perf_counter()
    with Ledger(path) as ledger:
        settings = Settings("m", concurrency=concurrency)
        rows = [row for _, row in carry_out(find_task("echo"), items, [model], settings, ledger, Budget(1))]
    seconds = time.perf_counter() - start
    if any(row["status"] != "ok" for row in rows):
        raise SystemExit(f"a call failed: {next(row for row in rows if row['status'] != 'ok')}")
    return seconds


def ledger(folder: Path) -> None:
    """Commits one by one, rows as large as answers with their contexts, and all of them read back."""
    from finrag.llm.ledger import Ledger
    from test_llm_ledger import call

    with Ledger(folder / "ledger.sqlite") as book:
        times = []
        for number in range(LEDGER_ROWS):
            start = time.perf_counter()
            book.record(call(number))
            times.append(time.perf_counter() - start)
        start = time.perf_counter()
        found = book.finished(f"key{number:029}" for number in range(LEDGER_ROWS))
        seconds = time.perf_counter() - start
    print(
        f"ledger: {statistics.mean(times) * 1e3:.2f} ms a call on average, 99 % under "
        f"{statistics.quantiles(times, n=100)[98] * 1e3:.2f} ms; {len(found):,} rows read back in {seconds:.2f} s"
    )
