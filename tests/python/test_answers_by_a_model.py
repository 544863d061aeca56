"""Answers on the demo warehouse as a language model gives them, through the real Gemini client, faults included."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable

import duckdb
import pytest

from emulator import Asked, Emulator, Fault
from finrag.llm import estimate
from warehouses import OTHER_ANSWERS, Warehouse

MODEL = "gemini-2.5-flash-lite"
# questions whose call ends for good in one of the ways in which it can, and those whose first reply has to be repaired
FATES = {0: Fault.safety, 1: Fault.recitation, 2: Fault.max_tokens, 3: Fault.cut}


def fate(asked: Asked) -> Fault | None:
    """Of a question; a request with the reply to repair is answered."""
    return FATES.get(int(asked.digest, 16) % 20, lambda: None)() if len(asked.turns) == 1 else None


def is_remembered(question: str) -> bool:
    """Whether the model knows the answer to a question by heart: one in two."""
    return len(question) % 2 == 0


def replies(gold: dict[str, str]) -> Callable[[Asked], str]:
    """The first sentence of the context, with its id as the citation, in the words of no rule; of what it remembers the
    gold figure, whatever it is given to read. gold: of the questions that ask for a figure.
    """

    def reply(asked: Asked) -> str:
        question, *_ = asked.blocks()
        ids = re.findall(r"\d{10}_10-K_\d{4}_section_\w+?_\d+", asked.user)
        known = gold.get(question) if is_remembered(question) else None
        answer = {
            "answer_text": known or f"It is said in the filing: {question[:60]}",
            "answer_type": "span",
            "is_answerable": bool(ids or known),
            "cited_sentence_ids": ids[:1],
        }
        return json.dumps(answer)

    return reply


# What of the DAG below the calls these tests read.
READ = (
    *("int_altered_evidence", "int_answer_contexts"),
    *("int_answer_requests+,+answer_comparisons", "int_answer_requests+,+llm_calls"),
    *("int_answer_metric_values", "answer_metric_values"),
)


STRATEGIES = "multi_path closed_book altered_evidence"


@pytest.fixture(scope="module")
def answered(demo: Warehouse, tmp_path_factory):
    """The answers of the context of one strategy, of none and of altered evidence, asked for twice, and the number of
    requests after either build.
    """
    folder = tmp_path_factory.mktemp("answered")
    copy = demo.copy(folder / "answered")
    with duckdb.connect(str(copy.database)) as connection:
        connection.execute("delete from retrieval.contexts where strategy != 'multi_path'")
        # nobody counts these tokens: calls would wait two minutes for the limit of the registry's row
        connection.execute("update seeds.llm_models set requests_per_minute = null, tokens_per_minute = null")
        gold = "select question_text, answer_text from gold.p3_questions where answer_numeric is not null"
        replying = replies(dict(connection.execute(gold).fetchall()))
    with Emulator(folder / "requests.jsonl", replying) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEMINI_BASE_URL", server.url)
        patch.setenv("GEMINI_API_KEY", "key-0123456789")
        server.fault_for = fate
        server.fail(Fault.http(429, retry_after=0.1), Fault.http(500))
        counts = []
        for selected in (READ, ["int_answer_requests", "int_answer_responses"]):
            models = ("--exclude-resource-type", "seed", "--select", *selected)
            copy.build(*models, **OTHER_ANSWERS, retrieval_strategies=STRATEGIES)
            counts.append(len(server.log.read_text(encoding="utf-8").splitlines()))
        copy.keep_open()
        yield copy, counts


def test_every_question_has_an_answer_or_the_reason_why_not(answered):
    warehouse, _ = answered
    rows = warehouse.rows(
        "select status, is_error, is_baseline, count(*) from answers.answers where model_id = $model and strategy = "
        "'multi_path' group by all",
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
    errors = warehouse.value(
        "select count(*) from answers.answers where is_error and not is_baseline and strategy = 'multi_path'"
    )
    assert errors > 0
    scored = warehouse.rows(
        "select n_total, n_measured, n_error from metrics.answer_metric_values where metric = 'rouge_l' "
        "and population = 'all' and stratum = 'all' and answer_model = $model and is_current "
        "and strategy = 'multi_path'",
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


def test_the_last_line_says_the_cost_of_calls_that_the_table_does_not_have_yet(answered):
    """The second build made answers alone; before the first, the table was the demo's, without a call."""
    warehouse, _ = answered
    usd, calls = warehouse.rows("select sum(cost_usd), count(*) from answers.llm_calls")[0]
    line = f"Cost: ${usd:.2f} for {calls:,} calls to language models so far"
    assert f"{line} (the ledger; answers.llm_calls is of an earlier build)\n" in warehouse.output


def test_models_are_compared_on_the_same_questions(answered):
    warehouse, _ = answered
    pairs = warehouse.rows(
        "select label_a, label_b, n_pairs from metrics.answer_comparisons where metric = 'rouge_l' and stratum = 'all'"
    )
    assert any(MODEL in label_a + label_b and n > 100 for label_a, label_b, n in pairs)


def test_without_a_context_only_what_is_remembered_is_answered(answered):
    """Every question is asked again under a prompt of its own, scored as the others are and paired with them."""
    warehouse, _ = answered
    rows = warehouse.rows(
        "select question_text, answer_numeric is not null, is_abstention, is_correct, context_count, "
        "items.answer_type = 'no_answer' from metrics.answer_items as items "
        "inner join gold.p3_questions using (query_id) "
        "where strategy = 'closed_book' and answer_model = $model and not is_error",
        {"model": MODEL},
    )
    known = [row for row in rows if row[1] and is_remembered(row[0])]
    assert 20 < len(known) < len(rows) - 100
    for question, is_numeric, is_abstention, is_correct, context_count, has_no_answer in rows:
        is_known = is_numeric and is_remembered(question)
        assert (is_abstention, context_count) == (not is_known, 0)
        if is_known or has_no_answer:
            assert is_correct, question
    versions = warehouse.rows("select strategy, count(distinct prompt_version) from answers.answer_runs group by all")
    assert dict(versions) == {"multi_path": 1, "closed_book": 1, "altered_evidence": 1}
    assert warehouse.value("select count(distinct prompt_version) from answers.answer_runs") == 2
    pairs = warehouse.rows(
        "select n_pairs, n_clusters, ci_low, ci_high from metrics.answer_comparisons "
        "where metric = 'answer_accuracy' and stratum = 'all' "
        "and 'closed_book ' || $model in (label_a, label_b) and label_a || label_b like '%multi_path%'",
        {"model": MODEL},
    )
    [(n_pairs, n_clusters, low, high)] = pairs
    assert n_pairs > n_clusters > 30 and low < high


def test_altered_evidence_tells_what_comes_from_memory(answered):
    """The shares are those of a count over the answers, failed calls apart; by the filing nothing is right or wrong."""
    warehouse, _ = answered
    rows = warehouse.rows(
        "select question_text, answered_from, items.is_correct, items.numeric_match from metrics.answer_items as items "
        "inner join gold.p3_questions using (query_id) where strategy = 'altered_evidence' and answer_model = $model "
        "and not is_error",
        {"model": MODEL},
    )
    assert {row[1] for row in rows if is_remembered(row[0])} == {"memory"}
    assert {row[1] for row in rows if not is_remembered(row[0])} == {"neither"}
    assert {row[2:] for row in rows} == {(None, None)}
    values = warehouse.rows(
        "select metric, value, n_measured, n_error, ci_low < value and value < ci_high "
        "from metrics.answer_metric_values where strategy = 'altered_evidence' and answer_model = $model "
        "and stratum = 'all' and is_current and metric in "
        "('follows_context', 'answers_from_memory', 'states_neither_figure')",
        {"model": MODEL},
    )
    failed = warehouse.value(
        "select count(*) from answers.answers where strategy = 'altered_evidence' and is_error and not is_baseline"
    )
    share = sum(is_remembered(row[0]) for row in rows) / len(rows)
    assert {metric: rest for metric, *rest in values} == {
        "follows_context": [0, len(rows), failed, False],
        "answers_from_memory": [pytest.approx(share), len(rows), failed, True],
        "states_neither_figure": [pytest.approx(1 - share), len(rows), failed, True],
    }
    # rules read what they are given
    assert warehouse.rows(
        "select answered_from = 'memory', count(*) > 20 from metrics.answer_items where answered_from in ('memory', "
        "'context') and is_baseline group by all"
    ) == [(False, True)]
    asked, reasons = warehouse.rows(
        "select count(*) filter (where reason is null), count(reason) from answers.int_altered_evidence"
    )[0]
    assert asked == len(rows) + failed and reasons > 0


def test_the_estimate_counts_what_was_asked(answered, monkeypatch):
    """Of the tables as they are built: every request of either prompt, and none of them still to be sent."""
    warehouse, _ = answered
    monkeypatch.setenv("FINRAG_LEDGER", str(warehouse.project / "warehouse" / "ledger" / "calls.sqlite"))
    monkeypatch.setenv("FINRAG_SETTINGS", json.dumps({"llm_answers": MODEL}))
    manifest = json.loads((warehouse.target / "manifest.json").read_text(encoding="utf-8"))
    with duckdb.connect(str(warehouse.database), read_only=True) as connection:
        rows, _ = estimate.estimate_warehouse(connection, manifest)
    counts = {row.task: (row.wanted, row.calls) for row in rows if row.model_id == MODEL}
    of_strategy = dict(
        warehouse.rows("select strategy, count(*) from answers.answers where not is_baseline group by all")
    )
    assert counts == {
        "answer_closed_book": (of_strategy["closed_book"], 0),
        "answer_question": (of_strategy["multi_path"] + of_strategy["altered_evidence"], 0),
    }
