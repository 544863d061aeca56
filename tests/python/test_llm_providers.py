"""The contract of a provider: the same faults on the wire give the same statuses, through the providers' own clients.

A new provider is added to HOSTED (and, where its wire format is new, to the emulator), and has to pass as it stands.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from emulator import Emulator, Fault, count_tokens
from finrag.errors import FinragError
from finrag.llm.ledger import cost_of_calls

HOSTED = ("gemini-2.5-flash-lite", "gpt-4o-mini")
GOOD = '{"text": "HELLO", "length": 5}'


@pytest.fixture(params=HOSTED)
def model(request) -> str:
    return request.param


@pytest.fixture
def two_attempts(monkeypatch) -> None:
    """What fails every time is given up after two, however fast the machine is, long before the deadline."""
    from finrag.llm import calls

    monkeypatch.setattr(calls, "MOST_ATTEMPTS", 2)


def test_a_reply_that_follows_the_schema_is_ok(llm, model):
    row = llm.call(model)
    assert (row["status"], json.loads(row["output"])) == ("ok", {"text": "HELLO", "length": 5})
    assert (row["item_id"], row["task"], row["model_id"], row["is_baseline"]) == ("one", "echo", model, False)
    assert (row["replicate"], row["attempts"], row["error"]) == (1, 1, None)
    assert json.loads(row["raw_text"]) == {"text": "HELLO", "length": 5}
    assert row["latency_seconds"] > 0


def test_tokens_are_the_providers_and_cost_follows_the_price_seed(llm, model):
    row = llm.call(model)
    price = llm.connection.execute(
        "select input_usd_per_million, output_usd_per_million, usd_per_thousand_requests from seeds.llm_prices "
        "where model_id = ? order by valid_from desc",
        [model],
    ).fetchone()
    assert row["output_tokens"] == count_tokens(row["raw_text"])
    assert row["input_tokens"] > 100
    expected = (row["input_tokens"] * price[0] + row["output_tokens"] * price[1]) / 1e6 + price[2] / 1e3
    assert row["cost_usd"] == pytest.approx(expected)


def test_what_goes_over_the_wire(llm, model):
    asked = []
    answer = llm.emulator.answer
    llm.emulator.answer = lambda request: asked.append(request) or answer(request)
    llm.call(model, text="hello")
    (request,) = asked
    assert request.model == model
    assert "Repeat the text in capitals" in request.system
    assert request.blocks() == ["hello"]
    assert "hello" not in request.system
    assert set(request.schema["properties"]) == {"text", "length"}
    assert request.key.startswith("key-of-")
    settings = request.body.get("generationConfig", request.body)
    assert settings["temperature"] == 0
    assert 1024 in settings.values()  # the task's limit, whatever the provider calls it


@pytest.mark.parametrize(
    ("fault", "attempts"),
    [
        (Fault.http(429), 2),
        (Fault.http(500), 2),
        (Fault.disconnect(), 2),
        (Fault.broken_body(), 2),
        (Fault.silence(10.0), 2),
        (Fault.drip(20.0), 2),
        (Fault.cut(), 2),
        (Fault.reply("I do not know."), 2),
        (Fault.reply('{"text": "HELLO"}'), 2),
        (Fault.reply('{"text": "HELLO", "length": "five"}'), 2),
        (Fault.reply(""), 2),
        (Fault.reply(f"Sure! Here it is:\n{GOOD}\nAnything else?"), 1),
        (Fault.reply(f"```json\n{GOOD}\n```"), 1),
    ],
    ids=lambda value: f"{value.kind}-{value.code}-{value.text}"[:30] if isinstance(value, Fault) else "",
)
def test_one_fault_is_overcome(llm, model, fault, attempts):
    ends_by_time = fault.kind in ("silence", "drip")
    if ends_by_time:
        llm.set_model(model, timeout_seconds=0.5)
    llm.emulator.fail(fault)
    row = llm.call(model)
    assert row["status"] == ("repaired" if fault.kind in ("reply", "cut") else "ok")
    assert json.loads(row["output"]) == {"text": "HELLO", "length": 5}
    if ends_by_time:  # on a full machine a good reply may take as long
        assert row["attempts"] >= attempts
    else:
        assert row["attempts"] == attempts == len(llm.emulator.received())


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.safety(), "safety"),
        (Fault.blocked_prompt(), "safety"),
        (Fault.max_tokens(), "max_tokens"),
        (Fault.refusal(), "refused"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else value,
)
def test_what_the_model_would_not_say_is_a_status_and_is_final(llm, model, fault, status):
    llm.emulator.fail(fault)
    row = llm.call(model)
    assert (row["status"], row["output"], row["attempts"]) == (status, None, 1)
    assert row["finish_reason"]
    assert row["input_tokens"] > 0
    assert row["cost_usd"] > 0
    assert llm.call(model)["status"] == status
    assert len(llm.emulator.received()) == 1


def test_recitation_is_a_status_of_its_own(llm):
    llm.emulator.fail(Fault.recitation())
    row = llm.call("gemini-2.5-flash-lite")
    assert (row["status"], row["finish_reason"], row["output"]) == ("recitation", "RECITATION", None)


@pytest.mark.parametrize(
    ("fault", "timeout", "status"),
    [
        (Fault.http(429), 60.0, "rate_limited"),
        (Fault.disconnect(), 60.0, "provider_error"),
        (Fault.silence(10.0), 0.5, "timeout"),
        (Fault.drip(20.0), 0.5, "timeout"),
    ],
    ids=lambda value: value.kind if isinstance(value, Fault) else value,
)
def test_a_fault_that_stays_ends_the_call_and_is_tried_again_by_the_next_build(
    llm, model, fault, timeout, status, two_attempts
):
    llm.set_model(model, timeout_seconds=timeout)
    llm.emulator.fault_for = lambda asked: fault
    row = llm.call(model)
    assert (row["status"], row["output"], row["cost_usd"], row["attempts"]) == (status, None, 0.0, 2)
    assert row["error"]
    llm.emulator.fault_for = lambda asked: None
    llm.set_model(model, timeout_seconds=60.0)
    assert llm.call(model)["status"] == "ok"


class Clock(threading.Event):
    """Time that passes only while something is waited for."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        return self.is_set()


@pytest.mark.parametrize("first", [None, "rate_limited"])
def test_a_call_ends_at_its_deadline_by_the_failure_of_an_attempt_that_had_its_time(monkeypatch, first):
    """A deadline of two seconds holds two attempts of 0.8 and what is left of a third, which says nothing."""
    from finrag.llm import calls
    from finrag.llm.budget import Budget
    from finrag.llm.limits import RateLimit
    from finrag.llm.models import Model
    from finrag.llm.providers import Message, ProviderError, Request
    from finrag.llm.tasks import find_task

    clock, given = Clock(), []
    monkeypatch.setattr(calls, "time", clock)
    monkeypatch.setattr(calls, "FIRST_WAIT_SECONDS", 0.02)

    class Silent:
        def send(self, request, timeout):
            given.append(timeout)
            clock.now += timeout
            status = first if first and len(given) < 3 else "timeout"
            raise ProviderError(status, f"attempt {len(given)}")

        def close(self) -> None: ...

    model = Model("m", "openai", "m", timeout_seconds=0.8)
    caller = calls.Caller(model, Silent(), RateLimit(None, None), Budget(1.0), 2.0, 1, stopped=clock)
    request = Request(find_task("answer_question"), {}, "", (Message("user", "x"),), 16, 0.0, "none")
    outcome = caller.call(request)
    assert given == [0.8, 0.8, pytest.approx(0.36, abs=0.05)]
    assert clock.now == pytest.approx(2.0)
    assert (outcome.status, outcome.error, outcome.attempts) == (first or "timeout", "attempt 2", 3)


@pytest.mark.parametrize(
    ("code", "status", "is_retryable", "may_be_billed"),
    [
        (400, "provider_error", False, False),
        (408, "timeout", True, True),
        (409, "provider_error", False, False),
        (413, "provider_error", False, False),
        (429, "rate_limited", True, False),
        (500, "provider_error", True, False),
        (502, "provider_error", True, False),
        (503, "provider_error", True, False),
        (529, "provider_error", True, False),
    ],
)
def test_what_a_status_code_means(code, status, is_retryable, may_be_billed):
    from finrag.llm.models import Model
    from finrag.llm.providers import http_failure

    failure = http_failure(Model("m", "openai", "m"), code, "why", {"retry-after": "3"})
    assert (failure.status, failure.is_retryable, failure.may_be_billed) == (status, is_retryable, may_be_billed)
    assert str(failure) == f"HTTP {code}: why"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        *(("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("soon", None), ("", None), (None, None)),
        *(("1e300", 86_400.0), ("inf", 86_400.0), ("nan", None), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0)),
    ],
)
def test_retry_after_as_it_may_be_written(value, seconds):
    from finrag.llm.providers import retry_after

    assert retry_after({} if value is None else {"retry-after": value}) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after-ms": "-5"}, 0.0),
        ({"retry-after-ms": "nan"}, None),
    ],
)
def test_retry_after_in_milliseconds(headers, seconds):
    from finrag.llm.providers import retry_after

    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("delay", "seconds"),
    [("37s", 37.0), ("0.7s", 0.7), (".5s", 0.5), ("\u00b2s", None), ("1.2.3s", None), ("37", None), (None, None)],
)
def test_a_delay_as_gemini_may_write_it(delay, seconds):
    from finrag.llm.providers.gemini import _retry_delay

    assert _retry_delay([{"retryDelay": delay}]) == seconds


@pytest.mark.parametrize("as_date", [False, True], ids=["seconds", "date"])
def test_retry_after_is_honoured(llm, model, as_date):
    # a date has whole seconds: two seconds ahead is between one and two
    moment = datetime.now(UTC) + timedelta(seconds=2)
    llm.emulator.fail(Fault.http(429, retry_after=format_datetime(moment, usegmt=True) if as_date else 0.7))
    assert llm.call(model)["status"] == "ok"
    first, second = (line["at"] for line in llm.emulator.received())
    assert second - first >= 0.7


def test_a_wait_beyond_the_deadline_is_not_waited_for(llm, model):
    llm.emulator.fail(Fault.http(429, retry_after=3600))
    row = llm.call(model)
    assert (row["status"], row["attempts"]) == ("rate_limited", 1)


@pytest.mark.parametrize("asked", ["3600", "1e300", "inf"])
def test_a_wait_beyond_the_deadline_keeps_no_call_behind_it_waiting(llm, model, asked):
    """What the provider asks one call to wait, all calls of the model would: they end as a status instead."""
    llm.emulator.fault_for = lambda _: Fault.http(429, retry_after=asked)
    rows = llm.run({f"{n}": {"text": f"{n}"} for n in range(40)}, model, concurrency=4)
    assert {row["status"] for row in rows} == {"rate_limited"}
    assert len(rows) == 40 and len(llm.emulator.received()) <= 4
    unsent = {row["error"] for row in rows if not row["attempts"]}
    assert all(error.startswith("not sent: the provider asks to wait ") for error in unsent) and unsent


def test_gemini_states_the_wait_in_the_body(llm):
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.7s"}
    llm.emulator.fail(Fault("http", code=429, details=({"@type": "type.googleapis.com/odd"}, detail)))
    assert llm.call("gemini-2.5-flash-lite")["status"] == "ok"
    first, second = (line["at"] for line in llm.emulator.received())
    assert second - first >= 0.7


def test_gemini_refuses_a_key_as_a_bad_request(llm):
    detail = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    llm.emulator.fail(Fault("http", code=400, message="API key not valid.", details=(detail,)))
    with pytest.raises(FinragError, match="refuses the key in GEMINI_API_KEY"):
        llm.call("gemini-2.5-flash-lite")


def test_thinking_is_counted_as_output(llm):
    from finrag.llm.providers.gemini import _reply

    usage = {"prompt_token_count": 100, "candidates_token_count": 20, "total_token_count": 520}
    candidate = {"finish_reason": 1, "content": {"parts": [{"text": "{"}, {"text": "}"}]}}
    reply = _reply({"candidates": [candidate], "usage_metadata": usage}, "{}")
    assert (reply.text, reply.outcome, reply.input_tokens, reply.output_tokens) == ("{}", "stop", 100, 420)


@pytest.mark.parametrize(
    ("stated", "output"),
    [
        ((100, 20, 120), 20),
        ((100, 20, 5_120), 5_020),
        ((100, 420, 520), 420),
        ((100, None, 520), 420),
        ((100.0, 20.0, 5_120.0), 5_020),
        *(((100, 20, total), 20) for total in (None, 0, 20, "5120", 5_120.5)),
        ((None, 20, 5_120), 20),
        ((100, -1, 5_120), -1),
        ((100, "20", 5_120), "20"),
    ],
)
def test_output_is_what_the_total_leaves_of_it(stated, output):
    """Reasoning that only the total counts is output: 5,120 in all and 100 in are 5,020 out."""
    from finrag.llm.providers import with_reasoning

    assert with_reasoning(*stated) == output


def test_reasoning_outside_of_the_output_is_paid_for_and_within_the_budget(llm):
    """5,020 tokens out at $0.60 a million are $0.003012, and 100 in at $0.15 $0.000015: seven are over $0.02."""
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 5_120}
    llm.emulator.fault_for = lambda _: Fault.body(in_reply("usage", usage))
    row = llm.call("gpt-4o-mini")
    assert (row["output_tokens"], row["cost_usd"]) == (5_020, pytest.approx(0.003027))
    rows = llm.run({f"{n:02}": {"text": f"{n}"} for n in range(20)}, "gpt-4o-mini", budget_usd=0.02, concurrency=1)
    assert sum(row["status"] == "ok" for row in rows) == 6


CACHED = {
    "usage": {"prompt_tokens": 1_000, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 600}},
    "usageMetadata": {"promptTokenCount": 1_000, "totalTokenCount": 1_020, "cachedContentTokenCount": 600},
}


def cached(response: dict) -> dict:
    """600 of 1,000 tokens in were cached."""
    return response | {name: usage for name, usage in CACHED.items() if name in response}


@pytest.mark.parametrize("price", [0.02, 0.0, None])
def test_cached_input_costs_its_own_price_or_that_of_all_input(llm, model, price):
    """At $1 a million and $2 out: 400 in, 600 cached and 20 out are $0.000440 and the 600."""
    from finrag.llm import budget

    llm.connection.execute(
        "update seeds.llm_prices set input_usd_per_million = 1, cached_input_usd_per_million = ?, "
        "output_usd_per_million = 2 where model_id = ?",
        [price, model],
    )
    llm.emulator.fail(Fault.body(cached))
    row = llm.call(model)
    expected = 0.00044 + 600 * (1 if price is None else price) / 1e6
    assert (row["input_tokens"], row["cost_usd"], row["error"]) == (1_000, pytest.approx(expected), None)
    assert budget._OF_PROCESS.spent == pytest.approx(row["cost_usd"])
    assert (llm.ledger_value("cached_input_tokens"), llm.ledger_value("cost_usd")) == (600, row["cost_usd"])


@pytest.mark.parametrize(
    ("said", "kept", "told"),
    [
        ("gemini-3.5-flash-lite", "gemini-3.5-flash-lite", "answered by gemini-3.5-flash-lite"),
        ("{asked}-2024-07-18", "{asked}-2024-07-18", ""),
        ("{asked}-001", "{asked}-001", ""),
        ("{asked}-lite", "{asked}-lite", "answered by {asked}-lite"),
        (None, None, ""),
    ],
)
def test_who_answered_is_kept_and_told_where_it_is_another_model(llm, model, said, kept, told):
    """As of a model that is retired, whose calls its provider hands on, or of a gateway's choice."""
    said, kept, told = (text.format(asked=model) if isinstance(text, str) else text for text in (said, kept, told))
    llm.emulator.fail(Fault.body(in_reply("model", said)))
    assert llm.call(model)["status"] == "ok"
    assert llm.ledger_value("answered_by") == kept
    line = cost_of_calls("here")
    assert f"1 of them to {model} were {told}" in line if told else "answered by" not in line


def test_a_model_is_asked_for_nothing_that_its_row_does_not_say(llm):
    """Google's models from 3 on are said to refuse a number of candidates and, in time, a temperature."""
    configs = []
    answer = llm.emulator.answer
    llm.emulator.answer = lambda asked: configs.append(asked.body["generationConfig"]) or answer(asked)
    for model in ("gemini-3.5-flash-lite", "gemini-2.5-flash-lite"):
        assert llm.call(model)["status"] == "ok"
    newer, older = map(set, configs)
    assert newer == {"maxOutputTokens", "responseMimeType", "responseSchema"} and older - newer == {"temperature"}


@pytest.mark.parametrize("stated", [1_001, -1, "all"])
def test_more_cached_input_than_there_was_is_said_and_charged_in_full(llm, stated):
    usage = {"prompt_tokens": 1_000, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": stated}}
    llm.emulator.fail(Fault.body(in_reply("usage", usage)))
    row = llm.call("gpt-4o-mini")
    assert row["cost_usd"] == pytest.approx(0.00015) and "cached input tokens" in row["error"]
    assert llm.ledger_value("cached_input_tokens") == 0


def test_counts_may_be_stated_as_floats(llm):
    usage = {"prompt_tokens": 100.0, "completion_tokens": 20.0, "total_tokens": 120.0}
    llm.emulator.fail(Fault.body(in_reply("usage", usage)))
    row = llm.call("gpt-4o-mini")
    assert (row["input_tokens"], row["output_tokens"], row["error"]) == (100, 20, None)


@pytest.mark.parametrize("body", ['{"choices": [{"message": {"content": [1]}}]}', "[1]", "null"])
def test_a_response_of_another_form_is_kept_and_not_asked_for_again(llm, body):
    llm.emulator.fail(Fault.body(body))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("invalid_output", 1) and "no chat completion" in row["error"]
    assert json.loads(llm.ledger_value("raw_response")) == [body]
    assert llm.call("gpt-4o-mini")["status"] == "invalid_output" and len(llm.emulator.received()) == 1


def test_a_content_in_parts_is_the_text_of_them(llm):
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    parts = [thought, {"type": "text", "text": GOOD[:9]}, {"type": "text", "text": GOOD[9:]}, {"type": "reference"}]
    llm.emulator.fail(Fault.body(in_reply("text", parts)))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["raw_text"], row["attempts"]) == ("ok", GOOD, 1)


@pytest.mark.parametrize("parts", [[1], [{"type": "text", "text": [1]}], [{"type": "text"}], {"text": GOOD}])
def test_what_is_no_text_keeps_the_usage_that_it_states(llm, model, parts):
    """34 tokens in and 78 out, which the text that is not there would not make."""

    def change(body: dict) -> dict:
        stated = in_reply("usage", {"promptTokenCount": 34, "totalTokenCount": 112})(in_reply("text", parts)(body))
        if "usage" in stated:
            stated["usage"] = {"prompt_tokens": 34, "completion_tokens": 78}
        return stated

    llm.emulator.fail(Fault.body(change))
    row = llm.call(model)
    assert (row["status"], row["input_tokens"], row["output_tokens"]) == ("invalid_output", 34, 78)


def stating(code: object):
    """A body with HTTP 200 that states an error in the place of a reply, as gateways send it."""
    return Fault.body(lambda _: error_of(code, "Upstream provider rate limited"))


@pytest.mark.parametrize("code", [429, "429", 503, "overloaded", None])
def test_an_error_in_the_body_is_a_failed_attempt_whatever_the_http_status(llm, model, code, two_attempts):
    llm.emulator.fail(stating(code))
    clean = llm.call(model, text="clean")
    assert (clean["status"], clean["attempts"]) == ("ok", 2)
    llm.emulator.fault_for = lambda _: stating(code)
    row = llm.call(model)
    status = "rate_limited" if code in (429, "429") else "provider_error"
    assert (row["status"], row["cost_usd"], row["output_tokens"]) == (status, 0.0, 0)
    assert "Upstream provider rate limited" in row["error"]
    llm.emulator.fault_for = lambda _: None
    assert llm.call(model)["status"] == "ok"


def test_an_error_in_the_body_means_what_its_code_means(llm, model):
    llm.emulator.fail(stating(400))
    row = llm.call(model)
    assert (row["status"], row["attempts"], row["cost_usd"]) == ("provider_error", 1, 0.0)
    for code in (401, 403):
        llm.emulator.fail(stating(code))
        with pytest.raises(FinragError, match="refuses the key in"):
            llm.call(model, text=f"{code}")


def test_an_error_with_http_200_is_no_label(llm, model):
    """Plain text is kept as it came: the text of an error would be read for a label."""
    llm.emulator.answer = lambda _: "positive"
    llm.emulator.fail(stating(429))
    inputs = {"text": "Profit rose.", "options": "negative, positive, neutral"}
    (row,) = llm.run({"a": inputs}, model, task="classify_sentiment")
    assert (row["status"], row["raw_text"], row["attempts"]) == ("ok", "positive", 2)


def test_a_body_may_be_an_error_in_other_ways(llm):
    def in_choice(response: dict) -> dict:
        response["choices"][0] |= {"finish_reason": "error", "error": {"code": 502, "message": "disconnected"}}
        return response

    llm.emulator.fail(Fault.body(in_choice), Fault.body(lambda _: {"error": "overloaded"}))
    llm.emulator.fail(Fault.body(lambda _: [{"error": {"code": 503, "message": "overloaded"}}]))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("ok", 4)


@pytest.mark.parametrize("word", ["error", "abort", "insufficient_system_resource"])
def test_a_reply_that_the_server_breaks_off_is_none(llm, word):
    """Plain text has no schema that would show that half of it is missing."""
    llm.emulator.answer = lambda _: "positive"
    llm.emulator.fail(Fault.body(in_reply("finish_reason", word)))
    (row,) = llm.run(HEADLINE, "gpt-4o-mini", task="classify_sentiment")
    assert (row["status"], row["attempts"]) == ("ok", 2) and llm.ledger_value("unanswered_usd") > 0


@pytest.mark.parametrize("word", ["model_length", "max_output_tokens"])
def test_a_cut_reply_is_cut_in_the_words_of_other_servers_too(llm, word):
    llm.emulator.fail(Fault.body(in_reply("finish_reason", word)))
    (row,) = llm.run(HEADLINE, "gpt-4o-mini", task="classify_sentiment")
    assert (row["status"], row["finish_reason"]) == ("max_tokens", word)


@pytest.mark.parametrize("word", ["UNEXPECTED_TOOL_CALL", "IMAGE_SAFETY"])
def test_an_end_that_google_has_no_number_for_yet_is_no_good_one(llm, word):
    llm.emulator.fail(Fault.body(in_reply("finish_reason", word)))
    (row,) = llm.run(HEADLINE, "gemini-2.5-flash-lite", task="classify_sentiment")
    assert (row["status"], row["finish_reason"]) == ("refused", word)


def streamed(response: dict, ends: bool = True) -> str:
    """The chat completion in chunks of ten characters, with comments and the usage at the end, as gateways send it."""
    (choice,), text = response["choices"], response["choices"][0]["message"]["content"]
    head = {name: response[name] for name in ("id", "model", "created")} | {"object": "chat.completion.chunk"}
    deltas = [
        {"role": "assistant", "content": ""},
        *({"content": text[at : at + 10]} for at in range(0, len(text), 10)),
    ]
    chunks = [
        head | {"choices": [{"index": 0, "delta": each, "finish_reason": None}], "usage": None} for each in deltas
    ]
    end = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks += [head | {"choices": [end]}, head | {"choices": [], "usage": response["usage"]}] if ends else []
    lines = [": processing", *(f"data: {json.dumps(chunk)}" for chunk in chunks), *(["data: [DONE]"] if ends else [])]
    return "\r\n\r\n".join(lines) + "\r\n\r\n"


def test_a_reply_that_a_gateway_streams_is_put_together(llm):
    """Nobody asks for a stream; one that cannot be read would be paid for and bought again, ten times a call."""
    llm.emulator.fault_for = lambda _: Fault.body(streamed)
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["raw_text"], row["finish_reason"], row["attempts"]) == ("ok", GOOD, "stop", 1)
    assert row["output_tokens"] == count_tokens(GOOD) and row["input_tokens"] > 100


@pytest.mark.parametrize(
    "broken",
    [
        lambda response: streamed(response, ends=False),
        lambda response: streamed(response)[:400],
        lambda _: 'data: {"error": {"code": 503, "message": "overloaded"}}\n\n',
    ],
    ids=["without an end", "cut", "an error"],
)
def test_a_stream_that_breaks_off_is_no_reply(llm, broken):
    llm.emulator.fail(Fault.body(broken))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("ok", 2)


@pytest.mark.parametrize("chunk", ["[1]", '{"choices": [1]}', '{"choices": [{"delta": {"content": 5}}]}'])
def test_a_stream_of_something_else_is_kept_and_not_asked_for_again(llm, chunk):
    llm.emulator.fail(Fault.body(f"data: {chunk}\n\ndata: [DONE]\n\n"))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("invalid_output", 1) and "no chat completion" in row["error"]


def test_a_server_that_asks_for_less_than_the_back_off_is_asked_again_less_and_less_often(llm, model, monkeypatch):
    from finrag.llm import calls

    monkeypatch.setattr(calls, "FIRST_WAIT_SECONDS", 0.1)
    llm.emulator.fault_for = lambda _: Fault.http(429, retry_after=0)
    assert llm.call(model, deadline_seconds=2)["status"] == "rate_limited"
    assert len(llm.emulator.received()) <= 6


@pytest.mark.parametrize("usage", [False, True], ids=["without usage", "with usage"])
@pytest.mark.parametrize("empty", [{}, {"choices": [], "candidates": []}], ids=["none", "empty list"])
def test_a_response_without_any_reply_is_asked_for_again_and_paid_where_it_says_so(
    llm, model, usage, empty, two_attempts
):
    from finrag.llm import budget

    names = ("usage", "usageMetadata") if usage else ()

    def change(body: dict) -> dict:
        return {name: body[name] for name in names if name in body} | empty

    llm.emulator.fault_for = lambda _: Fault.body(change)
    row = llm.call(model)
    assert (row["status"], row["cost_usd"], row["attempts"]) == ("provider_error", 0.0, 2)
    assert (budget._OF_PROCESS.spent > 0) is usage
    llm.emulator.fault_for = lambda _: None
    assert llm.call(model)["status"] == "ok"


def in_reply(path: str, value: object):
    """The response with a value in the place of that of a path, in either wire format."""

    def change(response: dict) -> dict:
        names = PLACES[path]["gemini" if "candidates" in response else "openai"]
        inner = response
        for name in names[:-1]:
            inner = inner[name]
        inner[names[-1]] = value
        return response

    return change


PLACES = {
    "text": {
        "gemini": ("candidates", 0, "content", "parts", 0, "text"),
        "openai": ("choices", 0, "message", "content"),
    },
    "finish_reason": {"gemini": ("candidates", 0, "finishReason"), "openai": ("choices", 0, "finish_reason")},
    "usage": {"gemini": ("usageMetadata",), "openai": ("usage",)},
    "input": {"gemini": ("usageMetadata", "promptTokenCount"), "openai": ("usage", "prompt_tokens")},
    "output": {"gemini": ("usageMetadata", "totalTokenCount"), "openai": ("usage", "completion_tokens")},
    "model": {"gemini": ("modelVersion",), "openai": ("model",)},
    "further": {"gemini": ("further",), "openai": ("further",)},
}


def nested(levels: int) -> list:
    inner: list = []
    for _ in range(levels):
        inner = [inner]
    return inner


def as_text(change, placeholder: str, text: str):
    """The changed response as text, with what json.dumps cannot write in the place of the placeholder."""
    return lambda response: json.dumps(change(response)).replace(f'"{placeholder}"', text)


POISON = {
    "an integer of 5,000 digits": as_text(in_reply("further", "HERE"), "HERE", "9" * 5000),
    "5,000 digits as tokens": as_text(in_reply("input", "HERE"), "HERE", "9" * 5000),
    "nesting of 200,000": as_text(in_reply("further", "HERE"), "HERE", "[" * 200_000 + "]" * 200_000),
    "nesting of 500": in_reply("further", nested(500)),
    "usage that is text": in_reply("usage", "much"),
    "usage that is a list": in_reply("usage", [1]),
    "usage that is nothing": in_reply("usage", None),
    "tokens that are text": in_reply("input", "many"),
    "tokens that are half": in_reply("input", 1.5),
    "an integer as finish_reason": in_reply("finish_reason", 7),
    "an object as finish_reason": in_reply("finish_reason", {"a": 1}),
    "half a surrogate pair": as_text(in_reply("text", "HERE"), "HERE", '"\\ud800 and no more"'),
    "NUL": in_reply("text", "a\x00b"),
    "5,000 digits in the text": in_reply("text", '{"text": "A", "length": ' + "9" * 5000 + "}"),
    "deep nesting in the text": in_reply("text", '{"text": ' + "[" * 100_000),
    "a number as text": in_reply("text", 5),
    "a list as text": in_reply("text", [1, 2]),
}


def test_a_reply_that_cannot_be_read_costs_its_own_call_alone_and_once(llm, model):
    """Whatever comes back: recorded as it came, a status of that call, never bought again, the others as ever."""
    poison_of = {name: Fault.body(change) for name, change in POISON.items()}
    llm.emulator.fault_for = lambda asked: poison_of.get(asked.blocks()[0])
    items = {name: {"text": name} for name in ("one", *POISON, "two")}
    rows = {row["item_id"]: row for row in llm.run(items, model, repair_calls=0)}
    assert [rows[name]["status"] for name in ("one", "two")] == ["ok", "ok"]
    for name in POISON:
        assert rows[name]["status"] in ("ok", "invalid_output", "repaired", "refused", "safety"), name
        assert rows[name]["cost_usd"] >= 0 and rows[name]["input_tokens"] >= 0, name
        assert llm.ledger_value("raw_response", item_id=name), name
    again = {row["item_id"]: row["status"] for row in llm.run(items, model, repair_calls=0)}
    assert again == {name: row["status"] for name, row in rows.items()}
    assert len(llm.emulator.received()) == len(items)


@pytest.mark.parametrize("tokens", [-1_000_000, 200_000, 10**15])
def test_tokens_that_cannot_be_are_said_and_never_lower_what_was_spent(llm, model, tokens):
    llm.emulator.fail(Fault.body(in_reply("output", tokens)))
    row = llm.call(model)
    assert row["cost_usd"] > 0 and row["output_tokens"] >= 0
    if (model, tokens) == ("gemini-2.5-flash-lite", 10**15):  # more than the 32 bits of Google's format
        assert row["status"] == "invalid_output" and "no generated content" in row["error"]
    else:
        assert row["status"] == "ok" and "tokens" in row["error"]


def test_the_same_question_to_another_server_is_another_call(llm, tmp_path, monkeypatch):
    llm.call("gpt-4o-mini")
    with Emulator(tmp_path / "other.jsonl", lambda asked: GOOD) as other:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{other.url}/v1")
        llm.call("gpt-4o-mini")
        assert len(other.received()) == 1
    monkeypatch.setenv("OPENAI_BASE_URL", f"{llm.emulator.url}/v1")
    llm.call("gpt-4o-mini")
    assert len(llm.emulator.received()) == 1


@pytest.mark.parametrize("place", ["text", "finish_reason", "further"])
def test_a_key_that_the_provider_repeats_anywhere_is_stored_nowhere(llm, model, place):
    key = {"gemini-2.5-flash-lite": "key-of-gemini-0123456789", "gpt-4o-mini": "key-of-openai-0123456789"}[model]
    said = json.dumps({"text": key, "length": 5}) if place == "text" else key
    llm.emulator.fail(Fault.body(in_reply(place, said)))
    row = llm.call(model, repair_calls=0)
    assert key not in str(row)
    with sqlite3.connect(llm.ledger) as connection:
        assert key not in str(connection.execute("select * from calls").fetchall())
        connection.execute("pragma wal_checkpoint(truncate)")
    assert key.encode() not in llm.ledger.read_bytes()


def test_the_ledger_is_its_owners_alone(llm):
    llm.call("gpt-4o-mini")
    assert {path.stat().st_mode & 0o077 for path in llm.ledger.parent.iterdir()} == {0}


def test_the_budget_counts_no_less_than_the_texts_make_likely(llm):
    from finrag.llm import budget

    llm.emulator.fail(Fault.body(in_reply("usage", {"prompt_tokens": 0, "completion_tokens": 0})))
    row = llm.call("gpt-4o-mini")
    assert row["cost_usd"] == 0.0
    assert budget._OF_PROCESS.spent > 0


def test_a_reply_that_never_fits_is_kept_as_it_is(llm, model):
    llm.emulator.answer = lambda asked: "no JSON today"
    row = llm.call(model)
    assert (row["status"], row["output"], row["raw_text"]) == ("invalid_output", None, "no JSON today")
    assert row["attempts"] == 2
    assert "not valid JSON" in row["error"]


def test_the_repair_shows_the_model_its_reply_and_the_fault(llm, model):
    asked = []
    answer = llm.emulator.answer
    llm.emulator.answer = lambda request: asked.append(request) or answer(request)
    llm.emulator.fail(Fault.reply('{"text": "HELLO"}'))
    assert llm.call(model)["status"] == "repaired"
    (repair,) = asked
    assert repair.turns[1][1] == '{"text": "HELLO"}'
    assert "length: Field required" in repair.turns[2][1]


def test_repairs_can_be_turned_off(llm, model):
    llm.emulator.fail(Fault.reply("no JSON"))
    row = llm.call(model, repair_calls=0)
    assert (row["status"], row["attempts"], len(llm.emulator.received())) == ("invalid_output", 1, 1)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.http(400, message="no such setting"), "provider_error"),
        (Fault.http(429), "rate_limited"),
        (Fault.http(503, retry_after=600), "provider_error"),
        (Fault.http(408), "timeout"),
    ],
    ids=lambda value: f"{value.kind}-{value.code}" if isinstance(value, Fault) else "",
)
def test_a_repair_that_was_not_carried_out_is_no_answer(llm, model, fault, status, two_attempts):
    """Its status is that of a first attempt with the same failure; the next build sends the repair alone."""
    llm.emulator.fail(Fault.reply("no JSON"))
    llm.emulator.fault_for = lambda asked: fault if len(asked.turns) > 1 else None
    row = llm.call(model)
    assert (row["status"], row["output"], row["raw_text"]) == (status, None, "no JSON")
    assert row["error"].startswith("not valid JSON") and "; the repair failed: " in row["error"]
    assert row["cost_usd"] > 0 and row["input_tokens"] > 0
    llm.emulator.fault_for = lambda asked: None
    again = llm.call(model)
    assert (again["status"], again["attempts"], again["error"]) == ("repaired", row["attempts"] + 1, None)
    assert [line["turns"] for line in llm.emulator.received()] == [1] + [3] * row["attempts"]
    assert len(json.loads(llm.ledger_value("raw_response"))) == 2
    assert llm.ledger_value("cost_usd") == again["cost_usd"] > row["cost_usd"]


def test_a_repair_that_cannot_be_carried_out_build_after_build_buys_no_reply_again(llm, model):
    llm.emulator.fail(Fault.reply("no JSON"))
    llm.emulator.fault_for = lambda asked: Fault.http(400)
    rows = [llm.call(model) for _ in range(3)]
    assert {(row["status"], row["raw_text"], row["cost_usd"]) for row in rows} == {
        ("provider_error", "no JSON", rows[0]["cost_usd"])
    }
    assert rows[2]["error"] == rows[0]["error"] and [row["attempts"] for row in rows] == [2, 3, 4]
    assert [line["turns"] for line in llm.emulator.received()] == [1, 3, 3, 3]


def test_of_several_repairs_those_that_came_are_not_made_again(llm, model):
    asked = []
    llm.emulator.answer = lambda request: asked.append(request) or GOOD
    llm.emulator.fail(Fault.reply("one"), Fault.reply("two"), Fault.http(400), Fault.http(400))
    for _ in range(2):
        assert llm.call(model, repair_calls=2)["raw_text"] == "two"
    assert llm.call(model, repair_calls=2)["status"] == "repaired"
    assert asked[0].turns[1][1] == "two" and len(llm.emulator.received()) == 5


def test_a_reply_is_the_end_of_its_call_once_no_repair_is_wanted(llm, model):
    llm.emulator.fail(Fault.reply("no JSON"), Fault.http(400))
    paid = llm.call(model)
    row = llm.call(model, repair_calls=0)
    assert (row["status"], row["raw_text"], row["attempts"]) == ("invalid_output", "no JSON", 2)
    assert row["cost_usd"] == paid["cost_usd"] and "not valid JSON" in row["error"]
    assert llm.ledger_value("status") == "invalid_output" and len(llm.emulator.received()) == 2


def test_a_repair_that_the_budget_forbids_is_made_once_there_is_money(llm):
    from finrag.llm import budget

    def spent(asked):
        budget._OF_PROCESS.with_limit(0.0)
        return Fault.reply("no JSON")

    llm.emulator.fault_for = spent
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["attempts"]) == ("over_budget", 1) and row["cost_usd"] > 0
    assert "not valid JSON" in row["error"] and "the repair failed: not sent: it could cost" in row["error"]
    llm.emulator.fault_for = lambda asked: None
    assert llm.call("gpt-4o-mini")["status"] == "repaired"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.safety(), "the provider ended the reply: "),
        (Fault.refusal(), "the provider ended the reply: "),
        (Fault.max_tokens(), "the reply was cut at 1024 tokens"),
        (Fault.body(in_reply("text", [1, 2])), ""),
    ],
    ids=["safety", "refusal", "max_tokens", "unreadable"],
)
def test_a_repair_that_was_ended_is_said_beside_the_fault_it_was_for(llm, model, fault, said):
    llm.emulator.fail(Fault.reply('{"text": "HELLO"}'), fault)
    row = llm.call(model)
    assert (row["status"], row["attempts"], row["raw_text"]) == ("invalid_output", 2, '{"text": "HELLO"}')
    assert row["error"].startswith(f"length: Field required; the repair failed: {said}")
    assert llm.call(model)["error"] == row["error"] and len(llm.emulator.received()) == 2


HEADLINE = {"one": {"text": "Net sales rose 8%.", "options": "positive, negative, neutral"}}


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_text_is_asked_for_again(llm, model, empty):
    asked = []
    llm.emulator.answer = lambda request: asked.append(request) or "positive"
    llm.emulator.fail(Fault.reply(empty))
    (row,) = llm.run(HEADLINE, model, task="classify_sentiment")
    assert (row["status"], row["raw_text"], row["attempts"]) == ("repaired", "positive", 2)
    (repair,) = asked
    assert "empty" in repair.turns[2][1] and "JSON" not in repair.turns[2][1]


def test_a_text_that_stays_empty_is_no_reply(llm, model):
    llm.emulator.answer = lambda request: ""
    (row,) = llm.run(HEADLINE, model, task="classify_sentiment")
    assert (row["status"], row["error"], row["attempts"]) == ("invalid_output", "the reply is empty", 2)
    llm.run(HEADLINE, model, task="classify_sentiment")
    assert len(llm.emulator.received()) == 2


def test_a_bad_request_is_not_repeated(llm, model):
    llm.emulator.fail(Fault.http(400, message="bad schema"))
    row = llm.call(model)
    assert (row["status"], row["attempts"]) == ("provider_error", 1)
    assert "bad schema" in row["error"]


@pytest.mark.parametrize("code", [200, 400])
def test_a_prompt_that_a_filter_takes_is_a_final_status_also_where_it_is_an_error(llm, code):
    error = json.dumps({"error": {"code": "content_filter", "message": "The prompt triggered the filter."}})
    llm.emulator.fail(Fault.body(error) if code == 200 else Fault.http(code, message="content_filter"))
    row = llm.call("gpt-4o-mini")
    assert (row["status"], row["finish_reason"], row["output"]) == ("safety", "content_filter", None)
    assert row["input_tokens"] > 0 and row["output_tokens"] == 0 and row["cost_usd"] > 0
    assert llm.call("gpt-4o-mini")["status"] == "safety"
    assert len(llm.emulator.received()) == 1


@pytest.mark.parametrize("fault", [Fault.http, lambda code, said: Fault.body(lambda _: error_of(code, said))])
@pytest.mark.parametrize("code", [400, 401, 429])
def test_an_error_of_signs_that_no_file_takes_is_kept_without_them(llm, model, fault, code, two_attempts):
    """JSON may hold half of a pair of surrogates, which would end the build where the call is recorded."""
    llm.emulator.fault_for = lambda _: fault(code, "half \ud800 and \x00 none")
    if code == 401:
        with pytest.raises(FinragError, match=r"half \? and  none"):
            llm.call(model)
    else:
        row = llm.call(model)
        assert row["status"] == {400: "provider_error", 429: "rate_limited"}[code]
    assert "half ? and  none" in llm.ledger_value("error")


BODIES = ['"busy"', "5", '{"error": null}', '{"error": "busy"}', '[{"error": {"message": "busy"}}]', '{"error":' * 300]


@pytest.mark.parametrize("body", [*BODIES, '{"error": {"details": [1, null]}}', "", "<html>busy</html>"])
def test_an_http_error_means_what_its_status_says_whatever_its_body(llm, model, body, two_attempts):
    meant = {"400": ("provider_error", 1), "429": ("rate_limited", 2), "503": ("provider_error", 2)}
    llm.emulator.fault_for = lambda asked: Fault.http_body(int(asked.blocks()[0]), body)
    rows = {row["item_id"]: row for row in llm.run({code: {"text": code} for code in meant}, model)}
    assert {code: (row["status"], row["attempts"]) for code, row in rows.items()} == meant
    for code, row in rows.items():
        assert row["cost_usd"] == llm.ledger_value("unanswered_usd", code) == 0
        assert row["error"].startswith(f"HTTP {code}: ")
    llm.emulator.fault_for = lambda _: Fault.http_body(401, body)
    with pytest.raises(FinragError, match="refuses the key"):
        llm.call(model)


def error_of(code: object, said: str) -> dict:
    return {"error": {"message": said, "code": code}}


def test_an_empty_account_is_not_waited_for(llm):
    llm.emulator.fail(Fault.http(429, message="insufficient_quota"))
    assert llm.call("gpt-4o-mini")["attempts"] == 1


def test_an_unknown_model_is_named(llm, model):
    llm.emulator.fail(Fault.http(404, message="no such model"))
    with pytest.raises(FinragError, match=r"does not know the model.*model_name and base_url in seeds/llm_models.csv"):
        llm.call(model)


def test_a_missing_key_is_named_before_anything_is_sent(llm, model, monkeypatch):
    variable = llm.connection.execute(
        "select api_key_env from seeds.llm_models where model_id = ?", [model]
    ).fetchone()[0]
    monkeypatch.delenv(variable)
    with pytest.raises(FinragError, match=f"environment variable {variable} is not set"):
        llm.call(model)
    assert llm.emulator.events() == []


@pytest.mark.parametrize(
    ("sign", "name"),
    [("\u2013", "EN DASH .U.2013"), ("\u200b", "ZERO WIDTH SPACE .U.200B"), ("\n", "a line break .* .U.000A")],
)
def test_a_key_with_a_sign_that_no_request_can_carry_is_refused_by_its_variable(llm, model, sign, name, monkeypatch):
    variable = {"gemini-2.5-flash-lite": "GEMINI_API_KEY", "gpt-4o-mini": "OPENAI_API_KEY"}[model]
    monkeypatch.setenv(variable, f"key{sign}SECRET")
    with pytest.raises(FinragError, match=f"that in {variable} has a sign that no key has, {name}") as refused:
        llm.call(model)
    assert "SECRET" not in str(refused.value) and llm.emulator.events() == []


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://nobody.invalid", "127.0.0.1:1", "ftp://127.0.0.1"])
def test_where_nobody_listens_nothing_is_spent(llm, model, address):
    """At $0.0009 at most, two attempts that might have been billed would end the budget."""
    from finrag.llm import budget

    llm.set_model(model, base_url=address, base_url_env=None)
    llm.connection.execute("update seeds.llm_prices set output_usd_per_million = 1000 where model_id = ?", [model])
    items = {f"{number:02}": {"text": f"{number}"} for number in range(6)}
    rows = llm.run(items, model, budget_usd=2.5, deadline_seconds=1)
    assert {row["status"] for row in rows} == {"provider_error"}
    assert budget._OF_PROCESS.spent == 0 and llm.ledger_value("unanswered_usd", "00") == 0
    assert budget.refused_in_build() == 0


@pytest.mark.parametrize(
    ("name", "is_sent"),
    [("ConnectTimeout", False), ("ReadTimeout", True), ("ConnectionError", True), ("SSLError", False)],
)
def test_what_has_found_no_server_was_not_sent(name, is_sent):
    import requests

    from finrag.llm.providers.gemini import may_have_been_sent

    assert may_have_been_sent(getattr(requests.exceptions, name)("why")) is is_sent


@pytest.mark.parametrize(("name", "is_billed"), [("ConnectTimeout", False), ("ReadTimeout", True)])
def test_a_time_that_ended_before_there_was_a_connection_is_not_billed(name, is_billed):
    import httpx2

    from finrag.llm.models import Model
    from finrag.llm.providers import Message, ProviderError, Request
    from finrag.llm.providers.openai_compatible import connect
    from finrag.llm.tasks import find_task

    def late(request):
        raise getattr(httpx2, name)("late", request=request)

    connection = connect(Model("m", "openai", "m"), "key")
    connection._client = connection._client.with_options(
        http_client=httpx2.Client(transport=httpx2.MockTransport(late))
    )
    request = Request(find_task("answer_question"), {}, "", (Message("user", "x"),), 16, 0.0, "none")
    with pytest.raises(ProviderError) as failed:
        connection.send(request, 1.0)
    assert (failed.value.status, failed.value.may_be_billed) == ("timeout", is_billed)


def test_what_cannot_be_encoded_was_not_sent(llm, monkeypatch):
    from finrag.llm import budget
    from finrag.llm.providers import openai_compatible

    def send(*_):
        "\ud800".encode()

    monkeypatch.setattr(openai_compatible.OpenAICompatible, "send", send)
    row = llm.call("gpt-4o-mini")
    assert row["status"] == "provider_error" and "the client failed: UnicodeEncodeError" in row["error"]
    assert budget._OF_PROCESS.spent == 0


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_stops_the_run_without_being_shown(llm, model, code, capfd, caplog):
    caplog.set_level("DEBUG")
    llm.emulator.fault_for = lambda asked: Fault.http(code, message=f"bad key {asked.key}")
    with pytest.raises(FinragError, match="refuses the key in") as refused:
        llm.run({str(number): {"text": f"text {number}"} for number in range(20)}, model, concurrency=2)
    seen = capfd.readouterr()
    assert "key-of-" not in str(refused.value) + seen.out + seen.err
    assert "key-of-" not in repr(refused.value.__cause__)
    # no new call after the first refusal; Google's client itself asks three times
    assert len({line["digest"] for line in llm.emulator.received()}) <= 4


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_key_refused_at_the_repair_is_not_shown_either_and_the_first_reply_is_recorded(llm, model, code):
    llm.emulator.answer = lambda asked: f"{asked.key} is your key"
    llm.emulator.fault_for = lambda asked: (
        Fault.http(code, message=f"Incorrect API key {asked.key}") if len(asked.turns) > 1 else None
    )
    items = {str(number): {"text": f"text {number}"} for number in range(20)}
    with pytest.raises(FinragError, match=r"Incorrect API key \[key removed\]") as refused:
        llm.run(items, model, concurrency=1)
    assert "key-of-" not in str(refused.value) and "not valid JSON" not in str(refused.value)
    assert len({line["user"] for line in llm.emulator.received()}) == 1  # the run has stopped
    with sqlite3.connect(llm.ledger) as connection:
        ((status, raw_text, error, cost),) = connection.execute(
            "select status, raw_text, error, cost_usd from calls"
        ).fetchall()
        assert "key-of-" not in str(connection.execute("select * from calls").fetchall())
    assert (status, raw_text) == ("provider_error", "[key removed] is your key") and cost > 0
    assert "not valid JSON" in error and "Incorrect API key [key removed]" in error
    llm.emulator.fault_for, llm.emulator.answer = lambda asked: None, lambda asked: GOOD
    assert {row["item_id"]: row["status"] for row in llm.run(items, model)} == dict.fromkeys(items, "ok") | {
        "0": "repaired"
    }


@pytest.mark.parametrize("at_repair", [False, True])
def test_a_refusal_stops_the_caller_whenever_it_comes(at_repair):
    """The same for a provider that says the key itself, which is a contract of Caller and not of the provider."""
    from finrag.llm.budget import Budget
    from finrag.llm.calls import Caller, CallError
    from finrag.llm.limits import RateLimit
    from finrag.llm.models import Model
    from finrag.llm.providers import Message, Reply, Request
    from finrag.llm.tasks import find_task

    replies = [Reply("sk-SECRET: no JSON", "stop", "stop", 10, 5, "raw sk-SECRET")] if at_repair else []

    class Refusing:
        def send(self, request, timeout):
            if replies:
                return replies.pop()
            raise FinragError("HTTP 401: Incorrect API key sk-SECRET")

        def close(self) -> None: ...

    caller = Caller(
        Model("m", "openai", "m"), Refusing(), RateLimit(None, None), Budget(1.0), 5.0, 1, secrets=("sk-SECRET",)
    )
    request = Request(find_task("answer_question"), {}, "", (Message("user", "x"),), 16, 0.0, "none")
    with pytest.raises(CallError) as refused:
        caller.call(request)
    assert str(refused.value) == "HTTP 401: Incorrect API key [key removed]"
    assert caller.stopped.is_set()
    outcome = refused.value.outcome
    assert outcome.status == "provider_error" and "sk-SECRET" not in str(outcome)
    assert (outcome.attempts, outcome.output_tokens) == ((2, 5) if at_repair else (1, 0))


def test_a_key_that_the_provider_repeats_reaches_no_table(llm, model):
    llm.emulator.answer = lambda asked: f"{asked.key} is your key"
    llm.emulator.fail(Fault.http(400, message="key-of-gemini-0123456789 key-of-openai-0123456789"))
    failed = llm.call(model)
    refused = llm.call(model, text="another")
    assert failed["error"] and refused["raw_text"] == "[key removed] is your key"
    with sqlite3.connect(llm.ledger) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
        assert connection.execute("select count(*) from calls").fetchone() == (2,)
    own = [value for name, value in failed.items() if isinstance(value, str)]
    key = {"gemini-2.5-flash-lite": "key-of-gemini-", "gpt-4o-mini": "key-of-openai-"}[model]
    assert not any(key in text for text in own)
    assert key.encode() not in llm.ledger.read_bytes()


def test_a_long_error_is_cut_and_no_part_of_a_key_is_left():
    from finrag.llm.models import Model, redact
    from finrag.llm.providers import http_failure

    key = "sk-proj-0123456789-abcdefghij"
    for length in range(440, 520):
        message = "e" * 100 + " " + "e" * (length - 101) + f" {key} is no key of ours"
        said = redact(str(http_failure(Model("m", "openai", "m"), 401, message, {})), [key])
        assert len(said) < 600 and "sk-" not in said
    cut = str(http_failure(Model("m", "openai", "m"), 400, "two  words " * 100, {}))
    assert cut == f"HTTP 400: {'two words ' * 49}two […]"


def test_a_dead_endpoint_does_not_cost_every_call_its_deadline(llm, model):
    from finrag.llm import calls

    llm.emulator.fault_for = lambda asked: Fault.http(400)
    rows = llm.run({f"{n:03}": {"text": f"text {n}"} for n in range(60)}, model, concurrency=2)
    assert {row["status"] for row in rows} == {"provider_error"}
    assert calls.GIVE_UP_AFTER <= len(llm.emulator.received()) <= calls.GIVE_UP_AFTER + 2
    assert rows[-1]["error"] == "not sent: 20 calls in a row had failed"
    llm.emulator.fault_for = lambda asked: None
    rows = llm.run({f"{n:03}": {"text": f"text {n}"} for n in range(60)}, model)
    assert {row["status"] for row in rows} == {"ok"}


def test_a_prompt_that_the_model_cannot_take_is_not_sent(llm, model):
    llm.set_model(model, context_tokens=2000)
    row = llm.call(model, text="word " * 2000)
    assert (row["status"], row["attempts"]) == ("provider_error", 0)
    assert "the model takes 2000" in row["error"]
    assert llm.emulator.events() == []


def test_the_baseline_needs_no_key_and_says_what_it_is(llm):
    row = llm.call("baseline")
    assert (row["status"], row["is_baseline"], row["provider"]) == ("ok", True, "baseline")
    assert (row["cost_usd"], row["input_tokens"], json.loads(row["output"])["text"]) == (0.0, 0, "HELLO")
    assert llm.emulator.events() == []


def test_what_the_baseline_said_is_taken_over_where_the_request_is_the_same(llm):
    """A model that hands its last rows over asks the baseline for new requests only; other models have the ledger."""
    from finrag.llm.run import previous_rows, run_requests

    def run(**items: str) -> dict[str, str]:
        requests = llm.requests({name: {"text": text} for name, text in items.items()})
        answered = run_requests(
            llm.connection,
            requests,
            task="echo",
            settings={"models": "baseline gpt-4o-mini"},
            previous=previous_rows(llm.connection, "responses"),
        )
        rows = answered.to_arrow_table()
        llm.connection.register("rows", rows)
        llm.connection.execute("create or replace table responses as from rows")
        found = llm.connection.execute("select item_id || ' ' || provider, output from responses").fetchall()
        return {name: json.loads(output)["text"] for name, output in found}

    first = {"a baseline": "ONE", "a openai": "ONE"}
    assert run(a="one") == first
    llm.connection.execute("update responses set output = json_object('text', 'kept', 'length', 3)")
    kept = {"a baseline": "kept", "a openai": "ONE", "b baseline": "TWO", "b openai": "TWO"}
    assert run(a="one", b="two") == kept
    assert run(a="another") == {"a baseline": "ANOTHER", "a openai": "ANOTHER"}


def test_an_endpoint_of_another_company_is_a_registry_row(llm):
    """Perplexity: its own address, key, name of the limit and fee per request."""
    asked = []
    answer = llm.emulator.answer
    llm.emulator.answer = lambda request: asked.append(request) or answer(request)
    row = llm.call("sonar")
    assert row["cost_usd"] == pytest.approx((row["input_tokens"] + row["output_tokens"]) / 1e6 + 5 / 1e3)
    assert (asked[0].key, asked[0].body["max_tokens"]) == ("key-of-perplexity-0123456789", 1024)


def test_several_models_and_replicates_give_a_row_each(llm):
    rows = llm.run({"a": {"text": "x"}, "b": {"text": "y"}}, "baseline gpt-4o-mini gemini-2.5-flash-lite", replicates=2)
    assert len({(row["item_id"], row["model_id"], row["replicate"]) for row in rows}) == len(rows) == 12
    assert {row["status"] for row in rows} == {"ok"}
    assert len(llm.emulator.received()) == 8
