"""What the estimate says before is what the ledger says after."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import duckdb
import pytest
import yaml

from emulator import Fault
from finrag.errors import FinragError
from finrag.llm import estimate
from finrag.llm.ledger import Ledger
from finrag.llm.models import find_models
from finrag.llm.requests import Items
from finrag.llm.run import Settings, plan, seed_relations
from finrag.llm.tasks import find_task, task_names
from finrag.llm.tokens import estimate_tokens, most_tokens
from warehouses import ROOT

SENTENCES = [
    "Net sales increased $12.4 billion or 8% during fiscal 2019, primarily due to higher volumes in North America.",
    "We are subject to laws and regulations worldwide, which could increase our costs and adversely affect us.",
    "Cash provided by operating activities was $3,412 million, compared to $2,987 million in the prior year.",
    "The Company's amortization of acquisition-related intangible assets is recorded in selling, general and "
    "administrative expenses.",
]


def questions(count: int) -> dict[str, dict]:
    """Requests of answer_question of different lengths."""
    return {
        f"q{number:03}": {
            "question_text": f"How did net sales develop in fiscal {2000 + number}?",
            "answer_type": "span",
            "entities": {"years": [2000 + number]},
            "contexts": [
                {
                    "sentence_id": f"0000{number:06}_10-K_{2000 + number}_section_7_{position}",
                    "company_name": "ACME CORP",
                    "report_year": 2000 + number,
                    "section_id": "ITEM_7",
                    "text": SENTENCES[(number + position) % 4],
                }
                for position in range(5 + number % 20)
            ],
        }
        for number in range(count)
    }


def estimated(
    llm, items: dict, model: str, task: str = "answer_question", settings: Settings | None = None
) -> estimate.Estimate:
    models = find_models(model, *seed_relations(llm.connection))
    with Ledger(llm.ledger) as ledger:
        asked = Items(llm.connection, llm.requests(items), task)
        (row,) = estimate.estimate_task(find_task(task), asked, models, settings or Settings(model), ledger)
    return row


@pytest.fixture
def answering(llm):
    """The emulator answers as the baseline would."""
    task, items = find_task("answer_question"), questions(30)
    by_question = {item["question_text"]: task.baseline(item).model_dump_json() for item in items.values()}
    llm.emulator.answer = lambda asked: by_question[asked.blocks()[0]]
    return llm


@pytest.mark.parametrize("model", ["gemini-2.5-flash-lite", "sonar"])
def test_the_estimate_is_close_to_the_cost(answering, model):
    before = estimated(answering, questions(20), model)
    assert answering.emulator.events() == []
    rows = answering.run(questions(20), model, task="answer_question")
    assert {row["status"] for row in rows} == {"ok"}
    assert before.calls == len(answering.emulator.received()) == 20
    assert before.input_tokens == pytest.approx(sum(row["input_tokens"] for row in rows), rel=0.15)
    assert before.expected_usd == pytest.approx(sum(row["cost_usd"] for row in rows), rel=0.15)
    assert before.max_usd >= sum(row["cost_usd"] for row in rows)


def test_with_calls_in_the_ledger_it_is_closer(answering):
    answering.run(questions(10), "gpt-4o-mini", task="answer_question")
    before = estimated(answering, questions(30), "gpt-4o-mini")
    assert (before.wanted, before.finished, before.calls) == (30, 10, 20)
    rows = answering.run(questions(30), "gpt-4o-mini", task="answer_question")[10:]
    assert before.input_tokens == pytest.approx(sum(row["input_tokens"] for row in rows), rel=0.02)
    assert before.expected_usd == pytest.approx(sum(row["cost_usd"] for row in rows), rel=0.05)


def test_what_is_known_or_equal_is_not_counted(llm):
    items = {str(number): {"text": f"text {number % 3}"} for number in range(9)}
    assert estimated(llm, items, "gpt-4o-mini", "echo").calls == 3
    llm.emulator.fail(Fault.http(400), Fault.safety())
    llm.run(items, "gpt-4o-mini", concurrency=1)
    assert estimated(llm, items, "gpt-4o-mini", "echo").calls == 1  # the failed one; a blocked reply is an answer
    assert estimated(llm, items, "baseline", "echo").calls == 0
    assert estimated(llm, items, "local-transformers", "echo").max_usd == 0


def test_of_a_reply_that_is_kept_the_repair_alone_is_estimated(llm):
    items = {"one": {"text": "hello"}}
    first = estimated(llm, items, "gpt-4o-mini", "echo")
    llm.emulator.fail(Fault.reply("no JSON"), Fault.http(400))
    llm.call("gpt-4o-mini")
    repair = estimated(llm, items, "gpt-4o-mini", "echo")
    assert repair.calls == 1 and first.input_tokens + 20 < repair.input_tokens < first.input_tokens + 60
    assert estimated(llm, items, "gpt-4o-mini", "echo", Settings("gpt-4o-mini", repair_calls=0)).calls == 0
    paid = llm.ledger_value("input_tokens")
    llm.call("gpt-4o-mini")
    assert llm.ledger_value("input_tokens") - paid == pytest.approx(repair.input_tokens, rel=0.15)
    assert estimated(llm, items, "gpt-4o-mini", "echo").calls == 0


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_call_bought_under_the_key_of_an_older_version_is_known(llm, elsewhere):
    """Up to 0.8.0 a key left the endpoint out; it is that of the call while the endpoint recorded is the same."""
    items = {"one": {"text": "hello"}}
    llm.call("gpt-4o-mini")
    models = find_models("gpt-4o-mini", *seed_relations(llm.connection))
    (planned,) = plan(find_task("echo"), Items(llm.connection, llm.requests(items), "echo"), models, 1)
    with sqlite3.connect(llm.ledger) as connection:
        connection.execute("update calls set call_key = ?", [planned.older_keys[0]])
    if elsewhere:
        llm.set_model("gpt-4o-mini", base_url="http://127.0.0.1:9/v1", base_url_env=None)
    row = estimated(llm, items, "gpt-4o-mini", "echo")
    assert (row.wanted, row.finished, row.calls, row.max_usd > 0) == (1, 1 - elsewhere, elsewhere, elsewhere)
    if not elsewhere:
        llm.call("gpt-4o-mini")
        assert len(llm.emulator.received()) == 1  # the build sends nothing either


def test_an_estimate_of_sentiment_needs_no_encoder(llm, monkeypatch):
    """A word of one token for each headline."""
    monkeypatch.setattr("finrag.tasks.classify_sentiment.descriptions.nearest_label", lambda *_: 1 / 0)
    items = {f"h{number}": {"text": f"Sales rose {number} %.", "options": "negative, neutral"} for number in range(3)}
    assert estimated(llm, items, "gpt-4o-mini", "classify_sentiment").expected_output_tokens == 3


def test_an_estimate_needs_no_key(llm, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert estimated(llm, {"a": {"text": "x"}}, "gpt-4o-mini", "echo").calls == 1


def test_tokens_follow_what_was_billed_for_23_real_prompts(real_data):
    """Published runs state the tokens of a prompt whose fixed part is unknown: the rest must grow at the same rate."""
    import numpy as np

    runs = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(Path(real_data, "finsights/runs").glob("*.json"))
    ]
    billed = np.array([run["metadata"]["llm"]["input_tokens"] for run in runs], dtype=float)
    ours = np.array([estimate_tokens(run["context"] + run["query"]) for run in runs], dtype=float)
    slope, fixed = np.polyfit(ours, billed, 1)
    assert len(runs) == 23
    assert 0.85 < slope < 1.15
    assert np.abs(slope * ours + fixed - billed).max() / billed.mean() < 0.08


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("Revenue grew", 2), ("12,345.67", 5), ("2019", 2), ("amortization", 2), ("a\n\nb", 3), ("营业收入", 3)],
)
def test_tokens_by_hand(text, tokens):
    assert estimate_tokens(text) == tokens
    assert most_tokens(text) >= tokens


def test_the_table_for_people(answering, tmp_path):
    """From tables of a warehouse and dbt's manifest to a table on the screen, read-only."""
    database, manifest = tmp_path / "warehouse.duckdb", tmp_path / "manifest.json"
    rows = answering.requests(questions(3)).to_arrow_table()
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema seeds; create schema answers")
        connection.register("requests", rows)
        connection.execute("create table answers.int_answer_question_requests as from requests")
        for seed in ("llm_models", "llm_prices"):
            connection.register(seed, answering.connection.table(f"seeds.{seed}").to_arrow_table())
            connection.execute(f"create table seeds.{seed} as from {seed}")
    meta = {"models": "baseline gpt-4o-mini", "llm_budget_usd": "0.0001", "llm_replicates": "2"}
    node = {"resource_type": "model", "name": "int_answer_question_responses", "config": {"meta": meta}}
    manifest.write_text(json.dumps({"nodes": {"model.finrag.int_answer_question_responses": node}}))
    lines = estimate.estimate(database, manifest).splitlines()
    assert lines[0].split() == [
        *(
            "task",
            "model",
            "rows",
            "known",
            "calls",
            "input",
            "tokens",
            "output",
            "tokens",
            "at",
            "most",
            "USD",
            "at",
            "most",
        )
    ]
    assert lines[1].split()[:5] == ["answer_question", "baseline", "6", "6", "0"]
    assert lines[2].split()[:5] == ["answer_question", "gpt-4o-mini", "6", "0", "6"]
    assert lines[3].split()[:4] == ["total", "12", "6", "6"]
    assert "Nothing has been sent" in lines[5]
    assert "rows of status over_budget" in lines[-1]
    assert answering.emulator.events() == []

    manifest.write_text(json.dumps({"nodes": {}}))
    with pytest.raises(
        FinragError, match=r"for answers.int_answer_question_requests\. Run dbt parse.*drop table answers"
    ):
        estimate.estimate(database, manifest)


def test_requests_of_several_tasks_in_one_table_are_estimated_by_task(llm):
    """Two requests of answer_question and one of write_statements, told apart by the column task."""
    rows = [(item_id, "answer_question", json.dumps(inputs)) for item_id, inputs in questions(2).items()]
    rows.append(("s", "write_statements", json.dumps({"text": SENTENCES[0], "count": 1, "company_name": None})))
    llm.connection.execute("create table int_mixed_requests (item_id varchar, task varchar, inputs varchar)")
    llm.connection.executemany("insert into int_mixed_requests values (?, ?, ?)", rows)
    node = {"resource_type": "model", "name": "int_mixed_responses", "config": {"meta": {"models": "gpt-4o-mini"}}}
    found, _ = estimate.estimate_warehouse(llm.connection, {"nodes": {"model.finrag.int_mixed_responses": node}})
    assert [(row.task, row.wanted, row.calls) for row in found] == [
        ("answer_question", 2, 2),
        ("write_statements", 1, 1),
    ]


@pytest.mark.parametrize("asked_first", ["gpt-4o-mini", "baseline"])
def test_what_is_asked_of_replies_that_are_yet_to_come_is_open(llm, asked_first):
    """Requests made, at two removes, of replies: bounded once those are known, as the baseline's always are."""
    for name in ("first", "second"):
        llm.requests({name: {"text": name}})
        llm.connection.execute(f"create table int_{name}_requests as from requests")
    parents = {
        "int_first_requests": [],
        "int_first_responses": ["int_first_requests"],
        "int_texts": ["int_first_responses"],
        "int_second_requests": ["int_texts"],
        "int_second_responses": ["int_second_requests"],
    }
    nodes = {
        name: {"resource_type": "model", "name": name, "config": {"meta": {}}, "depends_on": {"nodes": before}}
        for name, before in parents.items()
    }
    nodes["int_first_responses"]["config"]["meta"] = {"models": asked_first, "task": "echo"}
    nodes["int_second_responses"]["config"]["meta"] = {"models": "baseline gpt-4o-mini", "task": "echo"}
    rows, budget = estimate.estimate_warehouse(llm.connection, {"nodes": nodes})
    is_open = asked_first != "baseline"
    assert [row.awaits for row in rows] == [(), (), ("echo",) if is_open else ()]
    lines = estimate.report(rows, budget).splitlines()
    assert [("open" in line.split()) for line in lines[1:5]] == [False, False, is_open, is_open]
    assert any(line.startswith("open: what echo will ask depends on replies to echo") for line in lines) is is_open
    assert lines[-1].startswith("The budget may end the build early") is is_open

    llm.run({"first": {"text": "first"}}, asked_first)
    rows, _ = estimate.estimate_warehouse(llm.connection, {"nodes": nodes})
    assert [row.awaits for row in rows] == [(), (), ()]


def test_a_warehouse_without_requests_is_named(llm):
    with pytest.raises(FinragError, match=r"no table int_<task>_requests.*make build"):
        estimate.estimate_warehouse(duckdb.connect(), {"nodes": {}})


def test_every_response_model_of_the_project_names_a_task():
    """The estimate finds the task of a pair of tables by their name, or by what the meta of the responses says.

    The requests of answers and of the quizzes have a column that names it.
    """
    found = {}
    for path in (ROOT / "python_models").glob("*/int_*_responses.yml"):
        model = yaml.safe_load(path.read_text(encoding="utf-8"))["models"][0]
        name = model["name"].removeprefix("int_").removesuffix("_responses")
        if name in ("answer", "quiz_writing", "quiz_reading"):
            continue
        found[name] = model["config"]["meta"].get("task", name)
    assert {"question", "classify_sentiment"} <= found.keys()
    assert set(found.values()) <= set(task_names())
