"""Answers on the demo warehouse as a language model gives them, through the real Gemini client, faults included."""

from __future__ import annotations

import json
import re
from collections import Counter

import duckdb
import pytest

from emulator import Asked, Emulator, Fault
from warehouses import OTHER_ANSWERS, Warehouse

MODEL = "gemini-2.5-flash-lite"
# questions whose call ends for good in one of the ways in which it can, and those whose first reply has to be repaired
FATES = {0: Fault.safety, 1: Fault.recitation, 2: Fault.max_tokens, 3: Fault.cut}


def fate(asked: Asked) -> Fault | None:
    """Of a question; a request with the reply to repair is answered."""
    return FATES.get(int(asked.digest, 16) % 20, lambda: None)() if len(asked.turns) == 1 else None


def reply(asked: Asked) -> str:
    """The first sentence of the context, with its id as the citation, in the words of no rule."""
    question, *_ = asked.blocks()
    ids = re.findall(r"\d{10}_10-K_\d{4}_section_\w+?_\d+", asked.user)
    answer = {
        "answer_text": f"It is said in the filing: {question[:60]}",
        "answer_type": "span",
        "is_answerable": bool(ids),
        "cited_sentence_ids": ids[:1],
    }
    return json.dumps(answer)


# What of the DAG below the calls these tests read.
READ = (
    *("int_answer_requests+,+answer_comparisons", "int_answer_requests+,+llm_calls"),
    *("int_answer_metric_values", "answer_metric_values"),
)


@pytest.fixture(scope="module")
def answered(demo: Warehouse, tmp_path_factory):
    """The answers of the context of one strategy, asked for twice; the number of requests after either build."""
    folder = tmp_path_factory.mktemp("answered")
    copy = demo.copy(folder / "answered")
    with duckdb.connect(str(copy.database)) as connection:
        connection.execute("delete from retrieval.contexts where strategy != 'multi_path'")
    with Emulator(folder / "requests.jsonl", reply) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEMINI_BASE_URL", server.url)
        patch.setenv("GEMINI_API_KEY", "key-0123456789")
        server.fault_for = fate
        server.fail(Fault.http(429, retry_after=0.1), Fault.http(500))
        counts = []
        for selected in (READ, ["int_answer_requests", "int_answer_responses"]):
            done = copy.dbt("run", "--select", *selected, **OTHER_ANSWERS)
            assert done.returncode == 0, copy.output
            counts.append(len(server.log.read_text(encoding="utf-8").splitlines()))
    return copy, counts


def test_every_question_has_an_answer_or_the_reason_why_not(answered):
    warehouse, _ = answered
    rows = warehouse.rows(
        "select status, is_error, is_baseline, count(*) from answers.answers where model_id = $model group by all",
        {"model": MODEL},
    )
    statuses = Counter({status: count for status, *_, count in rows})
    assert sum(statuses.values()) == warehouse.value("select count(*) from gold.p3_questions where is_own")
    assert {"ok", "repaired", "safety", "recitation", "max_tokens"} <= set(statuses)
    for status, is_error, is_baseline, _ in rows:
        assert is_error == (status not in ("ok", "repaired"))
        assert not is_baseline


def test_failed_calls_are_counted_and_not_scored(answered):
    warehouse, _ = answered
    errors = warehouse.value("select count(*) from answers.answers where is_error and not is_baseline")
    assert errors > 0
    scored = warehouse.rows(
        "select n_total, n_measured, n_error from metrics.answer_metric_values where metric = 'rouge_l' "
        "and population = 'all' and stratum = 'all' and answer_model = $model and is_current",
        {"model": MODEL},
    )
    [(total, measured, n_error)] = scored
    assert n_error == errors
    assert measured <= total - errors
    assert warehouse.value("select count(*) from metrics.answer_items where is_error and rouge_l is not null") == 0


def test_tokens_and_dollars_are_those_of_the_wire(answered):
    warehouse, _ = answered
    cost, tokens = warehouse.rows(
        "select sum(cost_usd), sum(input_tokens) from answers.llm_calls where model_id = $model", {"model": MODEL}
    )[0]
    assert tokens > 10_000
    assert 0 < cost < 1


def test_a_second_build_asks_nothing(answered):
    _, (first, second) = answered
    assert first > 160
    assert second == first


def test_models_are_compared_on_the_same_questions(answered):
    warehouse, _ = answered
    pairs = warehouse.rows(
        "select label_a, label_b, n_pairs from metrics.answer_comparisons where metric = 'rouge_l' and stratum = 'all'"
    )
    assert any(MODEL in label_a + label_b and n > 100 for label_a, label_b, n in pairs)
