"""Speed of the language model layer: calls at a time, and what the ledger costs.

The models are the emulator of the tests, on loopback, through the real Gemini client.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
CALLS, CONCURRENCY, SECONDS = 200, 16, 1.0
SEQUENTIAL_CALLS = 20
LEDGER_ROWS = 10_000


def llm(folder: Path) -> None:
    """200 calls of a second each, 16 at a time, against one after another; what the ledger costs."""
    sys.path[:0] = [str(ROOT / "python_models"), str(ROOT / "tests" / "python")]
    import finrag.tasks
    from conftest import ECHO, echo
    from emulator import Emulator

    finrag.tasks.__path__.append(str(ECHO))
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
