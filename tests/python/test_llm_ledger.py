"""No call is paid twice: kills, rebuilds, equal requests, several processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from importlib import import_module

import pytest

from conftest import ECHO
from databases import beside
from emulator import Fault
from finrag.errors import FinragError
from finrag.llm.ledger import FINAL, Call, Ledger, cost_of_calls, is_version_of
from warehouses import ROOT

# After these no answer has come.
NOT_FINAL = ("rate_limited", "timeout", "provider_error", "over_budget")
ITEMS = {f"item {number:03}": {"text": f"text {number}"} for number in range(200)}

RUN = f"""
import json, os, signal, sys
import duckdb
import finrag.tasks
from finrag.llm.ledger import Ledger
from finrag.llm.providers.openai_compatible import OpenAICompatible
from finrag.llm.run import run_requests

def die_after(owner, name, times):
    goes_on, over = getattr(owner, name), []
    def dying(*arguments, **named):
        result = goes_on(*arguments, **named)
        over.append(name)
        if len(over) == times:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    setattr(owner, name, dying)

database, model, name, times = sys.argv[1:]
if times != "0":
    die_after(OpenAICompatible if name == "send" else Ledger, name, int(times))
finrag.tasks.__path__.append({str(ECHO)!r})
connection = duckdb.connect(database, read_only=True)
settings = {{"models": model, "llm_concurrency": 8, "llm_budget_usd": 100}}
rows = run_requests(connection, connection.table("requests"), task="echo", settings=settings).fetchall()
print(json.dumps([row[6] for row in rows]))
"""


def run_apart(
    llm, tmp_path, model: str, items: dict[str, dict] = ITEMS, dies: tuple[str, int] = ("", 0)
) -> subprocess.Popen:
    """A process of its own that asks for the items, as a build would.

    dies: a method of the ledger, or send of OpenAI's provider; the process is killed once it has been called so often.
    """
    import duckdb

    database = tmp_path / "requests.duckdb"
    if not database.exists():
        llm.requests(items)
        with duckdb.connect(str(database)) as connection:
            connection.execute("create schema seeds")
            for table in ("seeds.llm_models", "seeds.llm_prices", "requests"):
                rows = llm.connection.table(table).to_arrow_table()
                connection.register("rows", rows)
                connection.execute(f"create table {table} as from rows")
    command = [sys.executable, "-c", RUN, str(database), model, dies[0], str(dies[1])]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python_models")}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def digests_in(ledger) -> set[str]:
    """User messages of the finished calls."""
    with sqlite3.connect(ledger) as connection:
        rows = connection.execute("select prompt, status from calls").fetchall()
    return {json.loads(prompt)["user"] for prompt, status in rows if status in FINAL}


@pytest.mark.slow
def test_a_killed_run_repeats_no_finished_call(llm, tmp_path):
    model = "gemini-2.5-flash-lite"
    llm.emulator.latency = 0.02
    process = run_apart(llm, tmp_path, model)
    end = time.monotonic() + 60
    while len(llm.emulator.events("answered")) < 60 and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    time.sleep(0.2)  # the server notes what was in flight
    finished, before = digests_in(llm.ledger), llm.emulator.received()
    assert 40 <= len(finished) < 200

    rerun = run_apart(llm, tmp_path, model)
    output, errors = rerun.communicate(timeout=120)
    assert rerun.returncode == 0, errors
    assert Counter(json.loads(output)) == {"ok": 200}
    after = llm.emulator.received()[len(before) :]
    assert finished.isdisjoint(line["user"] for line in after)
    # nothing but what was in flight was sent again, and everything was sent
    counts = Counter(line["user"] for line in llm.emulator.received())
    assert len(counts) == 200
    assert max(counts.values()) <= 2
    assert sum(counts.values()) - 200 <= 8
    assert len(digests_in(llm.ledger)) == 200


KEPT, UNKEPT = ("provider_error", 2, "no JSON"), ("provider_error", 1, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dies", "held", "sent_again"),
    [
        (("_claim", 1), None, [1, 3]),
        (("record", 1), UNKEPT, [1, 3]),
        (("received", 1), UNKEPT, [1, 3]),
        (("send", 1), UNKEPT, [1, 3]),
        (("record", 2), KEPT, [3]),
        (("received", 2), KEPT, [3]),
        (("send", 2), KEPT, [3]),
        (("record", 3), ("repaired", 2, '{"text": "HOUSE", "length": 5}'), []),
    ],
    ids=["claimed", "written", "received", "answered", "kept", "repair-received", "repaired", "ended"],
)
def test_wherever_a_call_is_killed_what_came_is_kept_and_what_was_sent_is_told(llm, tmp_path, dies, held, sent_again):
    """A reply that does not fit, and its repair. Received: the server has the request, and no byte has come back."""
    first, both = costs_of_a_repaired_call(llm)
    others = len(llm.emulator.received())
    is_killed_by_server = dies[0] == "received"
    items = {"one": {"text": "house"}}
    process = run_apart(llm, tmp_path, "gpt-4o-mini", items, ("", 0) if is_killed_by_server else dies)

    def fault(asked):
        if is_killed_by_server and dies[1] == (len(asked.turns) + 1) // 2:
            process.kill()
        return Fault.reply("no JSON") if len(asked.turns) == 1 else None

    llm.emulator.fault_for = fault
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    before = len(llm.emulator.received())
    with sqlite3.connect(llm.ledger) as connection:
        query = "select status, attempts, raw_text from calls join asked using (call_key)"
        assert connection.execute(query).fetchall() == ([held] if held else [])

    row = llm.call("gpt-4o-mini", text="house")
    sent = [line["turns"] for line in llm.emulator.received()]
    assert sent[before:] == sent_again
    assert (row["status"], row["cost_usd"]) == ("repaired", pytest.approx(both))
    # what is written before it is sent counts as sent
    assert row["attempts"] == len(sent[others:]) + (dies in (("record", 1), ("record", 2)))
    with sqlite3.connect(llm.ledger) as connection:
        query = "select unanswered_usd from calls where call_key = ?"
        unanswered = connection.execute(query, [row["call_key"]]).fetchone()[0]
    assert (unanswered > 0) is (held in (KEPT, UNKEPT))
    assert sum(first if turns == 1 else both - first for turns in sent[others:]) <= both + unanswered + 1e-12


def costs_of_a_repaired_call(llm) -> tuple[float, float]:
    """USD of a reply that does not fit, and of that with its repair."""
    llm.emulator.fail(Fault.reply("no JSON"), Fault.http(400))
    return tuple(llm.call("gpt-4o-mini", text="hello")["cost_usd"] for _ in range(2))


def test_a_rebuild_gives_the_same_rows_and_sends_nothing(llm):
    first = llm.run({"a": {"text": "x"}, "b": {"text": "y"}}, "gpt-4o-mini", replicates=2)
    second = llm.run({"a": {"text": "x"}, "b": {"text": "y"}}, "gpt-4o-mini", replicates=2)
    assert first == second
    assert len(llm.emulator.received()) == 4


def test_what_the_ledger_holds_needs_no_key(llm, monkeypatch):
    first = llm.call("gpt-4o-mini")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert llm.call("gpt-4o-mini") == first
    with pytest.raises(FinragError, match="needs a key, and the environment variable OPENAI_API_KEY is not set"):
        llm.call("gpt-4o-mini", text="another")


def test_equal_requests_of_one_run_are_sent_once(llm):
    rows = llm.run({f"{number}": {"text": "the same"} for number in range(10)}, "gpt-4o-mini")
    assert len(llm.emulator.received()) == 1
    assert {row["call_key"] for row in rows} == {rows[0]["call_key"]}
    assert [row["item_id"] for row in rows] == [str(number) for number in range(10)]
    assert {row["status"] for row in rows} == {"ok"}


def test_another_spelling_of_an_endpoint_buys_nothing_again(llm, monkeypatch):
    llm.call("gpt-4o-mini")
    url = f"{llm.emulator.url}/v1"
    for written in (f"{url}/", url.replace("http", "HTTP", 1), f" {url}//"):
        monkeypatch.setenv("OPENAI_BASE_URL", written)
        assert llm.call("gpt-4o-mini")["status"] == "ok"
    assert len(llm.emulator.received()) == 1


@pytest.mark.parametrize("after", ["", "/"])
def test_what_was_bought_under_the_endpoint_as_written_stays_bought(llm, monkeypatch, after):
    """Keys once had the address as it stood in the environment, with its slash."""
    with monkeypatch.context() as older:
        older.setenv("OPENAI_BASE_URL", f"{llm.emulator.url}/v1{after}")
        older.setattr("finrag.llm.models.one_spelling", lambda address: address)
        as_written = llm.call("gpt-4o-mini")
    assert llm.ledger_value("endpoint") == f"{llm.emulator.url}/v1{after}"
    for now in ("", "/"):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{llm.emulator.url}/v1{now}")
        row = llm.call("gpt-4o-mini")
        assert (row["status"], row["cost_usd"]) == ("ok", as_written["cost_usd"])
        assert (row["call_key"] == as_written["call_key"]) is (after == "")
    assert len(llm.emulator.received()) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"model_name": "gpt-4o-mini-2"},
        {"temperature": 0.7},
        {"max_output_tokens": 100},
        {"structured_output": "json_object"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_decides_the_reply_makes_another_call(llm, change):
    llm.call("gpt-4o-mini")
    llm.set_model("gpt-4o-mini", **change)
    llm.call("gpt-4o-mini")
    assert len(llm.emulator.received()) == 2


def test_what_does_not_decide_the_reply_makes_no_other_call(llm):
    llm.call("gpt-4o-mini")
    llm.set_model("gpt-4o-mini", requests_per_minute=7, timeout_seconds=3, note="other")
    llm.call("gpt-4o-mini", concurrency=3, deadline_seconds=50, repair_calls=0)
    assert len(llm.emulator.received()) == 1


def test_another_prompt_is_another_call(llm, monkeypatch):
    from finrag.llm.tasks import Task

    echo = import_module("finrag.tasks.echo")
    llm.call("gpt-4o-mini")
    version = echo.TASK.prompt_version
    monkeypatch.setattr(echo, "TASK", Task("echo", 2, echo.Echo, echo.baseline))
    row = llm.call("gpt-4o-mini")
    assert row["prompt_version"] == version.replace("1-", "2-", 1)
    assert len(llm.emulator.received()) == 2


def test_attempts_and_cost_of_a_failed_call_add_up(llm):
    llm.emulator.fail(Fault.http(400))
    assert llm.call("gpt-4o-mini")["status"] == "provider_error"
    assert llm.call("gpt-4o-mini")["status"] == "ok"
    with Ledger(llm.ledger) as ledger:
        ((status, attempts, cost, error),) = ledger.rows(("status", "attempts", "cost_usd", "error"))
    assert (status, attempts, error) == ("ok", 2, None)
    assert cost > 0


SUMS = ("attempts", "input_tokens", "output_tokens", "cost_usd", "latency_seconds")


def test_what_a_call_took_is_a_sum_over_its_attempts_in_every_build(llm):
    """Two replies: one that is no JSON, whose repair is refused; one to the repair sent again; none in the third."""
    llm.emulator.fail(Fault.reply("no JSON"), Fault.http(400))
    price = llm.connection.execute(
        "select input_usd_per_million / 1e6, output_usd_per_million / 1e6 from seeds.llm_prices "
        "where model_id = 'gpt-4o-mini'"
    ).fetchone()
    rows = [llm.call("gpt-4o-mini") for _ in range(3)]
    assert [(row["status"], row["attempts"]) for row in rows] == [("provider_error", 2)] + [("repaired", 3)] * 2
    assert rows[1]["input_tokens"] > 2 * rows[0]["input_tokens"]
    assert rows[1]["output_tokens"] > rows[0]["output_tokens"] > 0
    for row in rows:
        assert row["cost_usd"] == pytest.approx(row["input_tokens"] * price[0] + row["output_tokens"] * price[1])
    assert rows[1] == rows[2]
    assert [llm.ledger_value(name) for name in SUMS] == [rows[2][name] for name in SUMS]


def test_what_was_paid_for_stays_where_nothing_more_is_sent(llm):
    llm.emulator.fail(Fault.reply("no JSON"), Fault.http(400))
    paid = llm.call("gpt-4o-mini")
    row = llm.call("gpt-4o-mini", budget_usd=0)
    assert row["status"] == "over_budget" and [row[name] for name in SUMS] == [paid[name] for name in SUMS]


def test_what_unanswered_attempts_may_cost_is_in_no_cost_and_is_told(llm):
    """Two attempts time out: 1,024 tokens out are $0.0006144 each, and what went in comes on top: under a cent."""
    from finrag.llm import budget

    llm.emulator.fail(Fault.http(408), Fault.http(408))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("ok", 3)
    unanswered = llm.ledger_value("unanswered_usd")
    assert 2 * 0.0006144 < unanswered < 0.0019
    assert budget._OF_PROCESS.spent == pytest.approx(row["cost_usd"] + unanswered, rel=0.01)
    told = "; at most $0.01 more for 1 of them, by attempts that got no answer"
    assert cost_of_calls("here") == f"$0.00 for 1 calls to language models so far (here){told}"
    assert llm.call("gpt-4o-mini") == row and llm.ledger_value("unanswered_usd") == unanswered


def test_what_may_be_billed_of_a_call_is_kept_where_its_key_is_refused_then(llm):
    llm.emulator.fail(Fault.http(408), Fault.http(401))
    with pytest.raises(FinragError, match="refuses the key"):
        llm.call("gpt-4o-mini")
    assert llm.ledger_value("unanswered_usd") > 0.0006144 and llm.ledger_value("cost_usd") == 0


@pytest.mark.parametrize(
    ("column", "before"), [("unanswered_usd", 0), ("cached_input_tokens", 0), ("answered_by", None)]
)
def test_a_ledger_without_the_column_gets_it(tmp_path, column, before):
    path = tmp_path / "calls.sqlite"
    with Ledger(path) as ledger:
        ledger.record(call(1, status="timeout"))
        ledger._connection.execute(f"alter table calls drop column {column}")
    with Ledger(path) as ledger:
        assert ledger.rows([column]) == [(before,)]
        value = 5 if before == 0 else "other"
        ledger.record(call(1, **{column: value}))
        assert ledger.rows([column, "attempts"]) == [(value, 2)]


@pytest.mark.parametrize(
    ("answered", "asked", "expected"),
    [
        ("gpt-4o-mini", "gpt-4o-mini", True),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini", True),
        ("gemini-2.5-flash-001", "gemini-2.5-flash", True),
        ("models/gemini-2.5-flash", "gemini-2.5-flash", True),
        ("claude-x@20250929", "anthropic/claude-x", True),
        ("anthropic.claude-x-v1:0", "anthropic.claude-x", True),
        ("gpt-4-0613", "gpt-4", True),
        ("gpt-4.1", "gpt-4", False),
        ("gpt-41", "gpt-4", False),
        ("claude-x-4-5", "claude-x-4", False),
        ("gemini-2.5-flash-lite", "gemini-2.5-flash", False),
        ("gemini-2.5-flash", "gemini-2.5-flash-lite", False),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gemini-3.5-flash-lite", "gemini-2.5-flash", False),
        ("Qwen/Qwen2.5-0.5B-Instruct", "default", False),
        ("gemini-3.8-flash", "gemini-flash-latest", False),
        ("", "gpt-4o-mini", False),
    ],
)
def test_a_date_or_a_number_of_three_digits_is_a_version_and_all_else_another_model(answered, asked, expected):
    assert is_version_of(answered, asked) is expected


def test_who_gave_a_kept_reply_stays_known_until_another_does(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        for by, expected in (("one", "one"), (None, "one"), ("two", "two")):
            ledger.record(call(1, status="timeout", answered_by=by))
            assert ledger.rows(["answered_by"]) == [(expected,)]


def test_calls_that_another_model_answered_are_counted_by_it(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        for number, by in enumerate(["other", "other", "third", "gpt-4o-mini-2024-07-18", None]):
            ledger.record(call(number, model_id="mine", model_name="gpt-4o-mini", answered_by=by))
        assert ledger.answered_by_others("") == (("mine", "other", 2), ("mine", "third", 1))
        assert ledger.answered_by_others("9999") == ()


def test_the_ledger_keeps_prompt_parameters_and_raw_response(llm):
    row = llm.call("gemini-2.5-flash-lite")
    with Ledger(llm.ledger) as ledger:
        ((key, prompt, parameters, raw, endpoint),) = ledger.rows(
            ("call_key", "prompt", "parameters", "raw_response", "endpoint")
        )
    assert key == row["call_key"]
    assert "hello" in json.loads(prompt)["user"]
    assert json.loads(parameters) == {"max_output_tokens": 1024, "structured_output": "json_schema", "temperature": 0.0}
    assert json.loads(json.loads(raw)[0])["candidates"][0]["content"]["parts"][0]["text"]
    assert endpoint == llm.emulator.url


def call(number: int, **other: object) -> Call:
    values = {
        "call_key": f"key{number:029}",
        "task": "echo",
        "item_id": f"item {number}",
        "model_id": "m",
        "provider": "openai",
        "model_name": "m",
        "endpoint": None,
        "prompt_version": "1-00000000",
        "replicate": 1,
        "parameters": "{}",
        "prompt": "p" * 4000,
        "status": "ok",
        "finish_reason": "stop",
        "attempts": 1,
        "estimated_input_tokens": 900,
        "input_tokens": 1000,
        "output_tokens": 50,
        "cost_usd": 0.001,
        "latency_seconds": 1.0,
        "requested_at": "2026-01-01T00:00:00.000000+00:00",
        "error": None,
        "output": '{"text": "x"}',
        "raw_text": "x" * 300,
        "raw_response": "r" * 1000,
    }
    return Call(**values | other)


def test_a_call_costs_little_to_record_and_ten_thousand_little_to_read(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        times = []
        with ledger._transaction():
            for number in range(9_500):
                ledger.record(call(number))
        for number in range(9_500, 10_000):
            start = time.perf_counter()
            ledger.record(call(number))
            times.append(time.perf_counter() - start)
        assert sorted(times)[250] < 0.005
        # what else the machine does is not counted
        start = time.process_time()
        found = ledger.finished(f"key{number:029}" for number in range(10_000))
        assert time.process_time() - start < 1
    assert len(found) == 10_000
    assert found["key" + "0" * 28 + "7"]["item_id"] == "item 7"


def test_processes_may_share_a_ledger(tmp_path):
    path = tmp_path / "calls.sqlite"
    program = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_llm_ledger import call
from finrag.llm.ledger import Ledger
with Ledger(Path(sys.argv[1])) as ledger:
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 200):
        ledger.record(call(number))
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python_models")}
    writers = [
        subprocess.Popen([sys.executable, "-c", program, path, str(first), ROOT / "tests" / "python"], env=environment)
        for first in (0, 100)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    with Ledger(path) as ledger:
        rows = ledger.rows(("attempts", "cost_usd"))
    assert Counter(attempts for attempts, _ in rows) == {1: 200, 2: 100}


OPENED_BY_MANY = """
import sys
from multiprocessing import Pool
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_llm_ledger import call
from finrag.llm.ledger import Ledger

def write(number):
    with Ledger(Path(sys.argv[1]) / str(number // 8) / "calls.sqlite") as ledger:
        ledger.record(call(number))

with Pool(8) as pool:
    pool.map(write, range(320), chunksize=1)
"""


def test_a_new_ledger_may_be_opened_by_many_at_once(tmp_path):
    """SQLite waits for no other process while one of them switches the new file to WAL."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python_models")}
    command = [sys.executable, "-c", OPENED_BY_MANY, tmp_path, ROOT / "tests" / "python"]
    subprocess.run(command, env=environment, check=True, timeout=120)
    for folder in range(40):
        with Ledger(tmp_path / str(folder) / "calls.sqlite") as ledger:
            assert len(ledger.rows(["call_key"])) == 8


def test_calls_that_are_not_final_are_not_found(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        for number, status in enumerate((*FINAL, *NOT_FINAL)):
            ledger.record(call(number, status=status))
        found = ledger.finished(f"key{number:029}" for number in range(20))
    assert {row["status"] for row in found.values()} == set(FINAL)


@pytest.mark.parametrize("later", ["rate_limited", "ok"])
def test_an_answer_stays_whatever_a_build_at_the_same_time_gets(tmp_path, later):
    """Both have asked: what the second took is added, and the first answer is the call's."""
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        ledger.record(call(1, output="first"))
        second = call(1, status=later, output="second", error="late")
        ledger.record(second)
        held = ledger.as_held(second)
        assert ledger.rows(["status", "output", "error", "attempts"]) == [("ok", "first", None, 2)]
    assert (held.status, held.output, held.error, held.attempts) == ("ok", "first", None, 2)


@pytest.mark.parametrize("first", [[], [Fault.http(400)]], ids=["answered", "failed"])
def test_two_builds_at_once_buy_a_call_once(llm, first):
    """The one that comes later waits for the other's answer, and asks itself where that has failed."""
    from concurrent.futures import ThreadPoolExecutor

    from finrag.llm.run import run_requests

    llm.emulator.latency = 0.2
    llm.emulator.fail(*first)
    requests = {f"{number}": {"text": f"text {number}"} for number in range(12)}
    llm.requests(requests)

    def build(connection):
        settings = {"models": "gpt-4o-mini", "llm_concurrency": 4}
        rows = run_requests(connection, connection.table("requests"), task="echo", settings=settings)
        return Counter(row[rows.columns.index("status")] for row in rows.fetchall())

    with ThreadPoolExecutor(2) as pool:
        builds = list(pool.map(build, [beside(llm.connection) for _ in range(2)]))
    assert len(llm.emulator.received()) == 12 + len(first)
    assert sum(builds, Counter()) == Counter(ok=24 - len(first)) + Counter(provider_error=len(first))
    with sqlite3.connect(llm.ledger) as connection:
        assert connection.execute("select count(*) from asked").fetchone() == (0,)
        assert connection.execute("select sum(attempts) from calls").fetchone() == (12 + len(first),)


def test_a_build_that_was_killed_keeps_no_call_waiting(tmp_path):
    program = """
import os, sys, threading
from pathlib import Path
from finrag.llm.ledger import Ledger
with Ledger(Path(sys.argv[1])).asking("key", 300, threading.Event()):
    print("asking", flush=True)
    sys.stdin.read()
"""
    path = tmp_path / "calls.sqlite"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python_models")}
    other = subprocess.Popen(
        [sys.executable, "-c", program, path],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None and other.stdout.readline() == "asking\n"
    with Ledger(path) as ledger:
        assert not ledger._claim("key", 300) and ledger._claim("another key", 300)
        other.kill()
        other.wait()
        assert ledger._claim("key", 300)


def test_a_container_that_is_started_again_waits_for_no_call_of_its_own_number(tmp_path):
    """Its host and process are those of the one before it, whose calls nobody asks any more."""
    with Ledger(tmp_path / "calls.sqlite") as ledger, Ledger(tmp_path / "calls.sqlite") as of_another_model:
        before = ["key", socket.gethostname(), os.getpid(), time.time() + 300]
        ledger._connection.execute("insert into asked values (?, ?, ?, ?)", before)
        assert ledger._claim("key", 300)
        assert not ledger._claim("key", 300) and not of_another_model._claim("key", 300)
        with ledger.asking("other key", 300, threading.Event()):
            assert not of_another_model._claim("other key", 300)
        assert of_another_model._claim("other key", 300)


def test_a_call_of_a_build_on_another_machine_is_waited_for_as_long_as_it_may_take(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        for key, seconds in (("late", -1), ("under way", 60)):
            ledger._connection.execute("insert into asked values (?, 'elsewhere', 1, ?)", [key, time.time() + seconds])
        assert ledger._claim("late", 300) and not ledger._claim("under way", 300)


def test_another_file_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "calls.sqlite"
    path.write_text("this is no database, whatever its name says")
    with pytest.raises(FinragError, match=r"calls.sqlite cannot be opened.*FINRAG_LEDGER names the file"):
        Ledger(path)
    monkeypatch.setenv("FINRAG_LEDGER", str(path))
    assert cost_of_calls("here").startswith("unknown. The ledger of language model calls")


def test_a_ledger_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "calls.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 99")
    with pytest.raises(FinragError, match=r"version 99"):
        Ledger(path)


def test_a_call_that_cannot_be_recorded_stops_the_run(tmp_path):
    with Ledger(tmp_path / "calls.sqlite") as ledger:
        ledger._connection.execute("pragma query_only = on")
        with pytest.raises(FinragError, match=r"could not be written to the ledger"):
            ledger.record(call(1))
        with pytest.raises(FinragError, match=r"A call that is to be sent could not be written to the ledger"):
            ledger._claim("key", 1)


def test_the_ledger_as_a_table(llm):
    from finrag.llm.run import read_ledger

    assert read_ledger(llm.connection).fetchall() == []
    llm.call("gpt-4o-mini")
    relation = read_ledger(llm.connection)
    (row,) = relation.fetchall()
    found = dict(zip(relation.columns, row, strict=True))
    assert (found["item_id"], found["status"], found["model_id"]) == ("one", "ok", "gpt-4o-mini")
    assert set(found).isdisjoint({"prompt", "raw_text", "raw_response", "output"})
