"""What models reply, through the real Gemini client and with faults: nothing is dropped, invented or averaged away."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields

import pytest

from csv_files import rows_of
from emulator import Asked, Fault
from finrag.llm.ledger import Call, Ledger
from finrag.llm.schemas import read_reply
from finrag.llm.tasks import find_task
from finrag.quizzes.answers import KINDS, outcome_of
from finrag.quizzes.questions import set_rows
from quiz_pipeline import ANSWERERS, WRITERS, QuizPipeline

MODEL = "gemini-2.5-flash-lite"
SOURCE = [
    "Net sales rose 4.2% to $812.5 million in fiscal 2021.",
    "Gross margin decreased to 36.4% of net sales because of higher freight costs.",
    "Net cash provided by operating activities was $96.3 million.",
]
SUMMARY = "Net sales rose 4.2% to $812.5 million in fiscal 2021."
QUESTIONS = [
    {"question": "Did net sales rise by 4.2%?", "answer": "yes", "evidence_quote": SOURCE[0]},
    {"question": "Did the gross margin increase?", "answer": "no", "evidence_quote": SOURCE[1]},
    {"question": "Was operating cash flow $96.3 million?", "answer": "yes", "evidence_quote": SOURCE[2]},
]
STATEMENTS = [
    {"statement": "Net sales rose by 4.2%.", "is_true": True, "evidence_quote": SOURCE[0], "change": None},
    {"statement": "The gross margin rose.", "is_true": False, "evidence_quote": SOURCE[1], "change": "direction"},
]
CHOICES = [
    {"question": "What were net sales?", "key": "$812.5 million", "distractors": ["$1 million", "$2", "$3"],
     "evidence_quote": SOURCE[0]},
]  # fmt: skip


def task_of(asked: Asked) -> str:
    """Which task a request is of: the one whose instructions it carries."""
    (found,) = [name for name in (*WRITERS, *ANSWERERS) if find_task(name).text.instructions == asked.system]
    return found


class Replies:
    """A model that answers every task well, unless told to reply otherwise; by task."""

    def __init__(self) -> None:
        self.instead: dict[str, object] = {}
        self.asked: list[str] = []

    def __call__(self, asked: Asked) -> str:
        task = task_of(asked)
        self.asked.append(task)
        reply = self.instead.get(task, getattr(self, task))
        return json.dumps(reply(asked)) if callable(reply) else str(reply)

    def write_closed_questions(self, asked: Asked) -> dict:
        return {"questions": [question for question in QUESTIONS if question["evidence_quote"] in asked.user]}

    def write_statements(self, asked: Asked) -> dict:
        return {"statements": [one for one in STATEMENTS if one["evidence_quote"] in asked.user]}

    def write_choices(self, asked: Asked) -> dict:
        return {"questions": CHOICES}

    def answer_closed_questions(self, asked: Asked) -> dict:
        return {"answers": [self.closed(line, asked) for line in ids(asked)]}

    def closed(self, line: dict, asked: Asked) -> dict:
        (known,) = [question for question in QUESTIONS if question["question"] == line["question"]]
        quote = known["evidence_quote"]
        if quote not in asked.blocks()[-1]:
            return {"question_id": line["question_id"], "answer": "idk", "quotes": []}
        return {"question_id": line["question_id"], "answer": known["answer"], "quotes": [quote]}

    def judge_statements(self, asked: Asked) -> dict:
        verdicts = []
        for line in ids(asked):
            (known,) = [one for one in STATEMENTS if one["statement"] == line["statement"]]
            is_there = known["evidence_quote"] in asked.blocks()[-1]
            verdict = {"verdict": str(known["is_true"]), "quotes": [known["evidence_quote"]]}
            verdict = verdict if is_there else {"verdict": "Uncertain", "quotes": []}
            verdicts.append({"statement_id": line["statement_id"], **verdict})
        return {"verdicts": verdicts}

    def answer_choices(self, asked: Asked) -> dict:
        has_text = "No text is given." not in asked.user
        answers = []
        for line in ids(asked):
            letter = next(letter for letter in "ABCD" if line[letter] == CHOICES[0]["key"])
            answers.append(
                {"question_id": line["question_id"], "choice": letter if has_text else "A",
                 "quotes": [SOURCE[0]] if has_text else []}
            )  # fmt: skip
        return {"answers": answers}


def ids(asked: Asked) -> list[dict]:
    return [json.loads(line) for line in asked.blocks()[0].splitlines()]


@pytest.fixture
def model(llm) -> Replies:
    replies = Replies()
    llm.emulator.answer = replies
    return replies


def quizzed(llm, summaries: dict | None = None, **fields) -> QuizPipeline:
    given = summaries or {("s", "a"): SUMMARY}
    settings = {"budget_usd": 5.0, "deadline_seconds": 10.0, "concurrency": 2}
    return QuizPipeline(llm.connection, {"s": SOURCE}, given, writer=MODEL, judge=MODEL, settings=settings, **fields)


def one(rows: list[tuple]) -> tuple:
    (row,) = rows
    return row


def test_a_model_writes_and_answers_all_kinds(llm, model):
    quiz = quizzed(llm).build()
    # the summary holds one of three facts
    assert quiz.values("qag_inclusion")["a"] == pytest.approx(1 / 3)
    assert quiz.values("qag_inclusion_idk")["a"] == pytest.approx(2 / 3)
    assert quiz.values("qag_alignment")["a"] == 1.0
    assert quiz.values("statement_accuracy")["a"] == 0.5
    assert quiz.values("statement_recall_false")["a"] == 0.0
    assert quiz.values("choice_accuracy")["a"] == 1.0
    assert quiz.rows("select distinct judge_is_baseline, question_model, judge_model from qag_items") == [
        (False, MODEL, MODEL)
    ]
    assert one(quiz.rows("select key, problem from int_quiz_questions where kind = 'choice'"))[1] is None
    # 2 texts × 2 kinds + 1 choice set written; 3 readings of closed questions, 2 of statements, 2 of choices answered
    assert len(model.asked) == 5 + 4 + 2 + 2
    again = quizzed(llm).build()
    assert len(model.asked) == 13  # all of it from the ledger
    assert again.rows("select run_id from int_quiz_runs order by 1") == quiz.rows(
        "select run_id from int_quiz_runs order by 1"
    )


def test_calls_that_an_older_version_bought_are_not_bought_again(llm, model):
    """The ledger of this quiz as 0.7.0 left it, with a table of requests for each task: no call is made.

    A changed prompt or schema makes other calls; the file then has to be made again from this quiz's ledger.
    """
    bought = rows_of("tests/fixtures/quiz_calls_0_7_0.csv")
    blank = {field.name: "" for field in fields(Call)} | {"model_id": MODEL, "provider": "gemini", "model_name": MODEL}
    blank |= {
        "endpoint": llm.emulator.url,
        "status": "ok",
        "attempts": 1,
        "replicate": 1,
        "input_tokens": 1,
        "output_tokens": 1,
    }
    blank |= {"cost_usd": 0.0, "latency_seconds": 0.0, "estimated_input_tokens": 1}
    with Ledger(llm.ledger) as ledger:
        for call in bought:
            ledger.record(Call(**blank | call))
    quiz = quizzed(llm).build()
    assert model.asked == []
    assert quiz.values("qag_inclusion")["a"] == pytest.approx(1 / 3)
    asked = "select item_id, task from {} union all select item_id, task from {}"
    used = quiz.rows(asked.format("int_quiz_writing_responses", "int_quiz_reading_responses"))
    assert sorted(used) == sorted((call["item_id"], call["task"]) for call in bought)
    # without one of them, that one is bought
    with sqlite3.connect(llm.ledger) as connection:
        connection.execute("delete from calls where task = 'write_choices'")
    quizzed(llm).build()
    assert model.asked == ["write_choices"]


def test_two_systems_share_the_calls_about_their_source(llm, model):
    quiz = quizzed(llm, {("s", "a"): SUMMARY, ("s", "b"): SOURCE[2], ("s", "c"): SUMMARY}).build()
    assert model.asked.count("write_choices") == 1
    assert model.asked.count("write_closed_questions") == 3  # of the source once, of each distinct summary once
    assert quiz.values("qag_inclusion") == {name: pytest.approx(1 / 3) for name in "abc"}
    faced = quiz.rows(
        "select list(question_id order by question_id) from qag_items where origin = 'source' group by system"
    )
    assert len(faced) == 3
    assert len({str(row) for row in faced}) == 1


def test_a_reply_that_answers_fewer_questions_than_asked(llm, model):
    """The question left out is unmatched: no agreement, still in the denominator, and counted by itself."""

    def fewer(asked: Asked) -> dict:
        answers = model.answer_closed_questions(asked)["answers"]
        return {"answers": answers[1:] if SOURCE[2] in asked.blocks()[-1] else answers}

    model.instead["answer_closed_questions"] = fewer
    quiz = quizzed(llm).build()
    assert quiz.values("qag_inclusion")["a"] == 0.0
    assert quiz.values("qag_inclusion_unmatched")["a"] == pytest.approx(1 / 3)
    lacking = (
        "select answer, stated_answer, reason from int_quiz_answers where outcome = 'unmatched' and question_no = 1"
    )
    assert set(quiz.rows(lacking)) == {("idk", None, "not_in_reply")}
    assert one(
        quiz.rows("select distinct n_total, n_measured, n_error from values where metric = 'qag_inclusion'")
    ) == (3, 3, 0)


def test_an_invented_id_answers_nothing_and_is_kept(llm, model):
    def invented(asked: Asked) -> dict:
        verdicts = model.judge_statements(asked)["verdicts"]
        return {"verdicts": [{**verdicts[0], "statement_id": "q99"}, *verdicts[1:], verdicts[-1]]}

    model.instead["judge_statements"] = invented
    quiz = quizzed(llm).build()
    unused = (
        "select reason, question_id is null from int_quiz_answers where row_kind = 'unused' and reading = 'summary'"
    )
    assert sorted(quiz.rows(unused)) == [("repeated_id: q2", False), ("unknown_id: q99", True)]
    first = "select outcome, verdict from statement_items where origin = 'source' and question_no = 1"
    assert one(quiz.rows(first)) == ("unmatched", "Uncertain")
    assert quiz.values("statement_uncertainty")["a"] == 1.0


def test_a_quote_that_is_not_in_the_text_voids_the_answer(llm, model):
    def misquoting(asked: Asked) -> dict:
        answers = model.answer_closed_questions(asked)["answers"]
        changed = [
            {**answer, "quotes": [quote.replace("4.2", "4.3") for quote in answer["quotes"]]} for answer in answers
        ]
        return {"answers": changed}

    model.instead["answer_closed_questions"] = misquoting
    quiz = quizzed(llm).build()
    voided = "select distinct stated_answer, answer, reason from int_quiz_answers where outcome = 'voided'"
    assert one(quiz.rows(voided)) == ("yes", "idk", "quote_not_in_text")
    assert quiz.values("qag_inclusion")["a"] == 0.0
    assert quiz.values("qag_inclusion_voided")["a"] == pytest.approx(1 / 3)


def test_idk_from_both_is_no_agreement(llm, model):
    model.instead["answer_closed_questions"] = lambda asked: {
        "answers": [{"question_id": line["question_id"], "answer": "idk", "quotes": []} for line in ids(asked)]
    }
    quiz = quizzed(llm).build()
    assert quiz.values("qag_inclusion")["a"] == 0.0
    assert quiz.values("qag_inclusion_idk")["a"] == 1.0
    assert quiz.values("qag_inclusion_of_answered")["a"] is None


def test_cut_json_is_an_error_and_no_score(llm, model):
    """The model stops halfway, twice: the summary's items are n_error, and their value is null, not 0."""
    llm.emulator.fault_for = lambda asked: Fault.cut() if task_of(asked) == "judge_statements" else None
    quiz = quizzed(llm).build()
    query = "select distinct status from int_quiz_reading_responses where task = 'judge_statements'"
    assert quiz.rows(query) == [("invalid_output",)]
    for metric in ("statement_accuracy", "statement_f1_macro"):
        query = f"select distinct value, n_total, n_measured, n_error from values where metric = '{metric}'"
        assert one(quiz.rows(query)) == (None, 2, 0, 2)
    assert quiz.values("qag_alignment")["a"] == 1.0  # the other kinds stand


def test_questions_that_could_not_be_written_are_an_error(llm, model):
    llm.emulator.fault_for = lambda asked: Fault.safety() if task_of(asked) == "write_choices" else None
    quiz = quizzed(llm).build()
    assert one(quiz.rows("select problem, status, question_no from int_quiz_questions where kind = 'choice'")) == (
        "call_failed",
        "safety",
        0,
    )
    assert one(quiz.rows("select is_error, is_correct, judge_model from choice_items")) == (True, None, "none")
    query = "select distinct value, n_total, n_measured, n_error from values where metric = 'choice_accuracy'"
    assert one(quiz.rows(query)) == (None, 1, 0, 1)


def test_a_summary_that_failed_is_an_error_in_every_kind(llm, model):
    quiz = quizzed(llm, {("s", "a"): SUMMARY, ("s", "b"): None}).build()
    failed = (
        "select distinct metric, n_measured, values.n_error from values inner join int_quiz_runs using (run_id)"
        " where system = 'b' and stratum_by = 'overall'"
    )
    assert {n_measured for _, n_measured, _ in quiz.rows(failed)} == {0}
    errors = {metric: n_error for metric, _, n_error in quiz.rows(failed)}
    assert (errors["qag_inclusion"], errors["qag_alignment"], errors["statement_accuracy"]) == (3, 1, 2)
    assert (errors["summary_statement_accuracy"], errors["choice_accuracy"]) == (1, 1)
    assert quiz.values("qag_inclusion")["a"] == pytest.approx(1 / 3)


REQUEST = {"kind": "choice", "origin": "source", "text_id": "s", "source_id": "s", "wanted_count": 2}
RESPONSE = {
    "model_id": "m", "provider": "p", "is_baseline": False, "prompt_version": "1", "call_key": "k", "status": "ok",
    "error": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ({}, "duplicate"),
        ({"question": "What else?", "evidence_quote": "Nobody wrote this."}, "evidence_not_in_text"),
        ({"question": "What else?", "distractors": ["$812.5 million", "$2", "$3"]}, "options_not_distinct"),
        ({"question": "What else?"}, None),
    ],
)
def test_what_cannot_be_asked_stays_with_its_reason(second, problem):
    written = [
        CHOICES[0],
        CHOICES[0] | second,
        CHOICES[0] | {"question": "A third?"},
        CHOICES[0] | {"question": "A 4th?"},
    ]
    reply = json.dumps({"questions": written})
    rows = set_rows(REQUEST, RESPONSE | {"output": reply}, "\n".join(SOURCE), {})
    assert [row["problem"] for row in rows[:2]] == [None, problem]
    assert [row["question_no"] for row in rows] == [1, 2, 3, 4]
    assert sum(row["problem"] is None for row in rows) == 2
    assert rows[-1]["problem"] == "more_than_asked"
    # a key is the same option wherever it stands
    assert all(row[f"option_{row['key'].lower()}"] == CHOICES[0]["key"] for row in rows)


CLOSED = KINDS["closed_question"]


@pytest.mark.parametrize(
    ("entries", "answer", "outcome", "reason"),
    [
        ([("yes", [SUMMARY])], "yes", "answered", "quotes_exact"),
        ([("no", ["net sales rose 4.2% to $812.5 million"])], "no", "answered", "quotes_exact"),
        ([("yes", [])], "idk", "voided", "no_quote"),
        ([("yes", [SUMMARY, "It doubled."])], "idk", "voided", "quote_not_in_text"),
        ([("yes", ["Net sales rose 4.3% to $812.5 million in fiscal 2021."])], "idk", "voided", "quote_not_in_text"),
        ([("idk", [])], "idk", "undecided", "said_so"),
        ([("yes", [SUMMARY]), ("no", [SUMMARY])], "idk", "voided", "contradictory_entries"),
        ([("yes", [SUMMARY]), ("yes", [SUMMARY])], "yes", "answered", "quotes_exact"),
        ([], "idk", "unmatched", "not_in_reply"),
    ],
)
def test_what_becomes_of_an_answer(entries, answer, outcome, reason):
    given = [{"question_id": "q1", "answer": stated, "quotes": quotes} for stated, quotes in entries]
    found = outcome_of(given, CLOSED, SUMMARY)
    assert (found["answer"], found["outcome"], found["reason"]) == (answer, outcome, reason)


@pytest.mark.parametrize("task", [*WRITERS, *ANSWERERS])
def test_replies_outside_of_the_schema_are_refused(task):
    schema = find_task(task).output
    (entries,) = schema.model_fields
    assert read_reply(json.dumps({entries: []}), schema).output
    assert read_reply(json.dumps({entries: [{}]}), schema).output is None
    assert read_reply(json.dumps([]), schema).output is None
