"""The rate limit and the budget hold however many threads pull at them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from emulator import Fault
from finrag.llm.budget import Budget
from finrag.llm.ledger import cost_of_calls
from finrag.llm.limits import RateLimit


def moments(limit: RateLimit, tokens: list[int]) -> list[float]:
    """When each of some requests, all asked for at once by threads, was let through."""
    with ThreadPoolExecutor(len(tokens)) as pool:
        return sorted(pool.map(lambda each: limit.acquire(each) and time.monotonic(), tokens))


@pytest.mark.parametrize(
    ("limit", "tokens", "per_window"),
    [
        (RateLimit(5, None, window=0.3), [1] * 15, 5),
        (RateLimit(None, 1000, window=0.3), [250] * 12, 4),
        (RateLimit(3, 1000, window=0.3), [100] * 9, 3),
    ],
    ids=["requests", "tokens", "both"],
)
def test_no_window_holds_more_than_the_limit(limit, tokens, per_window):
    let_through = moments(limit, tokens)
    for first, later in zip(let_through, let_through[per_window:], strict=False):
        assert later - first >= 0.28
    assert let_through[-1] - let_through[0] < 2


def test_without_a_limit_nothing_waits():
    start = time.monotonic()
    moments(RateLimit(None, None), [10**9] * 20)
    assert time.monotonic() - start < 0.5


def test_a_request_above_the_whole_limit_goes_alone():
    limit = RateLimit(None, 100, window=0.2)
    first, second = moments(limit, [500, 500])
    assert second - first >= 0.18


def test_a_wait_beyond_the_patience_is_refused():
    limit = RateLimit(1, None, window=5)
    assert limit.acquire(1)
    start = time.monotonic()
    assert not limit.acquire(1, timeout=0.1)
    assert time.monotonic() - start < 0.1


def test_a_stop_ends_the_wait():
    limit, stopped = RateLimit(1, None, window=30), threading.Event()
    assert limit.acquire(1)
    threading.Timer(0.1, stopped.set).start()
    assert not limit.acquire(1, stopped=stopped)


def test_a_pause_holds_for_every_thread():
    limit = RateLimit(None, None)
    limit.pause(0.3)
    start = time.monotonic()
    assert moments(limit, [1] * 4)[0] - start >= 0.29


def test_the_limit_of_the_registry_row_is_kept(llm, monkeypatch):
    """Told by the server, which a call reaches up to 0.4 s after it was let go where the machine is busy."""
    from finrag.llm import limits

    monkeypatch.setattr(limits, "WINDOW_SECONDS", 2.0)
    monkeypatch.setattr(limits.RateLimit.__init__, "__defaults__", (2.0,))
    llm.set_model("gpt-4o-mini", requests_per_minute=4)
    llm.run({str(number): {"text": f"text {number}"} for number in range(10)}, "gpt-4o-mini", concurrency=10)
    times = [line["at"] for line in llm.emulator.received()]
    assert all(later - first >= 1.6 for first, later in zip(times, times[4:], strict=False))


def test_concurrent_reservations_never_exceed_the_budget():
    budget, lock = Budget(1.0), threading.Lock()
    state = {"out": 0.0, "spent": 0.0, "worst": 0.0}

    def call(number: int) -> bool:
        if not budget.reserve(0.2):
            return False
        with lock:
            state["out"] += 0.2
            state["worst"] = max(state["worst"], state["out"] + state["spent"])
        time.sleep(0.001)
        actual = 0.2 if number % 2 else 0.05
        with lock:
            state["out"] -= 0.2
            state["spent"] += actual
        budget.settle(0.2, actual)
        return True

    with ThreadPoolExecutor(16) as pool:
        made = sum(pool.map(call, range(200)))
    assert state["worst"] <= 1.0 + 1e-9
    assert budget.spent == pytest.approx(state["spent"])
    assert 5 <= made < 20


def test_a_reservation_waits_for_others_and_not_for_money():
    budget = Budget(1.0)
    assert budget.reserve(0.9)
    threading.Timer(0.1, budget.settle, (0.9, 0.1)).start()
    assert budget.reserve(0.9)  # the first call turned out cheap
    budget.settle(0.9, 0.9)
    assert not budget.reserve(0.1)
    assert budget.reserve(0.0)  # what costs nothing is always allowed


def test_what_is_left_to_the_cent_is_spent_and_not_waited_for():
    """0.1 + 0.2 + 0.3 less each of them again is 1.1e-16, which nobody would ever give back."""
    budget, stopped = Budget(1.0), threading.Event()
    for amount in (0.1, 0.2, 0.3):
        assert budget.reserve(amount)
    for amount in (0.1, 0.2, 0.3):
        budget.settle(amount, 0.0)
    stop = threading.Timer(5.0, stopped.set)
    stop.start()
    assert budget.with_limit(0.3).reserve(0.3, stopped)
    stop.cancel()


def test_calls_without_money_are_counted_and_those_that_were_stopped_are_not():
    budget, stopped = Budget(1.0), threading.Event()
    assert [budget.reserve(amount) for amount in (0.6, 2.0, 3.0)] == [True, False, False]
    stopped.set()
    assert not budget.reserve(2.0, stopped) and not budget.reserve(0.1, stopped)
    assert budget.refused == 2
    budget.settle(0.6, 1.5)
    assert (budget.spent, budget.left) == (1.5, 0.0)


def test_a_stop_ends_the_wait_for_money_and_nothing_is_set_aside_after_it():
    budget, stopped = Budget(1.0), threading.Event()
    assert budget.reserve(0.9, stopped)
    threading.Timer(0.1, stopped.set).start()
    start = time.monotonic()
    assert not budget.reserve(0.9, stopped)
    assert time.monotonic() - start < 2
    budget.settle(0.9, 0.0)
    assert not budget.reserve(0.1, stopped) and not budget.reserve(0.0, stopped)
    assert budget.reserve(0.9)


@pytest.mark.parametrize("end", ["a refused key", "Ctrl-C"])
def test_calls_that_wait_for_money_are_not_sent_after_the_stop(llm, monkeypatch, end):
    """The budget holds one call at a time (1,024 tokens out are $0.0006), so seven wait for the one that is sent."""
    from finrag.errors import FinragError
    from finrag.llm import run

    llm.emulator.latency = 0.3
    if end == "Ctrl-C":

        def interrupted(*_, **__):
            while not llm.emulator.received():
                time.sleep(0.01)
            raise KeyboardInterrupt

        monkeypatch.setattr(run, "wait", interrupted)
    else:
        llm.emulator.fail(Fault.http(401))
    items = {f"{number}": {"text": f"text {number}"} for number in range(30)}
    with pytest.raises((FinragError, KeyboardInterrupt)):
        llm.run(items, "gpt-4o-mini", budget_usd=0.001, concurrency=8)
    assert len(llm.emulator.received()) == 1


def test_calls_beyond_the_budget_are_rows_and_are_made_once_there_is_money(llm):
    items = {f"{number:02}": {"text": f"text {number}"} for number in range(40)}
    rows = llm.run(items, "gpt-4o-mini", budget_usd=0.002, concurrency=8)
    counts = Counter(row["status"] for row in rows)
    assert set(counts) == {"ok", "over_budget"}
    assert sum(row["cost_usd"] or 0 for row in rows) <= 0.002
    refused = [row for row in rows if row["status"] == "over_budget"]
    assert {(row["attempts"], row["cost_usd"], row["output"]) for row in refused} == {(0, None, None)}
    assert "not sent: it could cost $" in refused[0]["error"]
    assert len(llm.emulator.received()) == counts["ok"]
    told = f"; the budget of this build ran out before {counts['over_budget']} calls"
    assert told in cost_of_calls("here")
    assert Counter(row["status"] for row in llm.run(items, "gpt-4o-mini", budget_usd=5)) == {"ok": 40}
    assert len(llm.emulator.received()) == 40


def test_what_was_never_sent_has_neither_cost_nor_tokens_nor_seconds(llm):
    """One that was sent and refused cost nothing, and has no time until a reply; with a reply it has all."""
    measured = ("cost_usd", "input_tokens", "output_tokens", "latency_seconds")
    unsent = llm.call("gpt-4o-mini", budget_usd=0)
    assert [unsent[name] for name in measured] == [None] * 4
    llm.emulator.fail(Fault.http(400))
    refused = llm.call("gpt-4o-mini")
    assert [refused[name] for name in measured] == [0.0, 0, 0, None]
    assert all(llm.call("gpt-4o-mini")[name] > 0 for name in measured)
    # as often as the ledger is asked, and of the baseline
    assert all(llm.call("gpt-4o-mini")[name] > 0 for name in measured)
    assert [llm.call("baseline", budget_usd=0)[name] for name in measured[:3]] == [0.0, 0, 0]


def test_a_budget_of_nothing_sends_nothing(llm):
    assert llm.call("gpt-4o-mini", budget_usd=0)["status"] == "over_budget"
    assert llm.call("baseline", budget_usd=0)["status"] == "ok"
    assert llm.emulator.events() == []


def test_what_may_have_been_billed_counts_against_the_budget(llm):
    llm.set_model("gpt-4o-mini", timeout_seconds=0.2)
    llm.emulator.fault_for = lambda asked: Fault.silence(1.0)
    row = llm.call("gpt-4o-mini", budget_usd=0.0019, deadline_seconds=3)
    # one attempt may cost about $0.0009 at most, so two fit and the third is not sent
    assert (row["status"], len(llm.emulator.received())) == ("over_budget", 2)


def test_tasks_of_one_build_share_the_budget(llm):
    llm.call("gpt-4o-mini", text="first", budget_usd=0.0011)
    assert llm.call("gpt-4o-mini", text="second " * 500, budget_usd=0.0011)["status"] == "over_budget"


def test_calls_run_at_the_same_time(llm):
    llm.emulator.latency = 0.1
    items = {str(number): {"text": f"text {number}"} for number in range(32)}
    llm.call("gpt-4o-mini")  # imports and connections
    start = time.monotonic()
    llm.run(items, "gpt-4o-mini", concurrency=16)
    assert time.monotonic() - start < 32 * 0.1 / 2
    assert 8 < llm.emulator.most_in_flight <= 16
