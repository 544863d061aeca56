"""Very many calls: requests, calls and rows are held so many at a time. 10,000 over HTTP: benchmarks/llm.py."""

from __future__ import annotations

import gc
import json
import sqlite3
import tracemalloc

import pytest

from finrag.errors import FinragError
from finrag.llm import requests
from finrag.llm import run as carrying
from finrag.llm.providers import Reply, openai_compatible
from finrag.llm.run import run_requests

SETTINGS = {"models": "gpt-4o-mini", "llm_concurrency": 8, "llm_budget_usd": 10_000}
# Of a request.
CHARACTERS = 10_000


class AtOnce:
    """A model that answers without a network."""

    def __init__(self, *_) -> None:
        pass

    def send(self, request, timeout: float) -> Reply:
        return Reply(json.dumps({"text": "SEEN", "length": len(request.messages[0].text)}), "stop", "stop", 9, 9, "{}")

    def close(self) -> None:
        pass


def run(llm, monkeypatch, count: int, distinct: int) -> tuple[list[tuple], int]:
    """item_id and status of every row, and the most bytes that Python held."""
    monkeypatch.setattr(openai_compatible, "connect", AtOnce)
    llm.connection.execute(
        "create or replace table requests as select printf('%06d', n) as item_id, "
        f"json_object('text', repeat('x', {CHARACTERS}) || n % {distinct}) as inputs "
        f"from range({count}) as numbers (n)"
    )
    thresholds = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # Python's own; the tests and builds collect garbage rarely
    tracemalloc.start()
    try:
        rows = run_requests(llm.connection, llm.connection.table("requests"), task="echo", settings=SETTINGS)
        peak = tracemalloc.get_traced_memory()[1]
        return rows.project("item_id, status").fetchall(), peak
    finally:
        tracemalloc.stop()
        gc.set_threshold(*thresholds)


def recorded(llm) -> int:
    with sqlite3.connect(llm.ledger) as connection:
        return connection.execute("select count(*) from calls where status = 'ok'").fetchone()[0]


def test_memory_does_not_grow_with_the_number_of_calls(llm, monkeypatch):
    for module, name in ((requests, "REQUESTS_AT_ONCE"), (requests, "ROWS_AT_ONCE"), (carrying, "LOOKED_UP")):
        monkeypatch.setattr(module, name, 10)
    run(llm, monkeypatch, 10, 10)  # imports
    _, first = run(llm, monkeypatch, 60, 60)
    found, second = run(llm, monkeypatch, 240, 240)
    assert found == [(f"{number:06}", "ok") for number in range(240)]
    assert recorded(llm) == 240
    # Half of what the texts of 180 requests more would take, held once. How many are under way when memory is highest
    # differs by some thirty from run to run where other programs use the cores.
    assert second - first < 180 * CHARACTERS / 2


def test_equal_requests_are_sent_once_however_far_apart(llm, monkeypatch):
    found, _ = run(llm, monkeypatch, 600, 7)
    assert found == [(f"{number:06}", "ok") for number in range(600)]
    assert recorded(llm) == 7


@pytest.mark.parametrize(("inputs", "said"), [("null", "inputs must be a JSON object"), ("{}", "text")])
def test_what_is_wrong_with_the_last_request_is_said_before_the_first_is_sent(llm, inputs, said):
    asked = llm.requests({f"item {number:04}": {"text": f"text {number}"} for number in range(150)})
    llm.connection.execute("insert into requests values ('z', ?)", [inputs])
    with pytest.raises(FinragError, match=said):
        run_requests(llm.connection, asked, task="echo", settings=SETTINGS)
    assert not llm.emulator.received()
