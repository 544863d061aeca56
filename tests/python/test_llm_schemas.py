"""Replies are read back exactly or not at all, and schemas reach the providers in their own dialects."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from finrag.llm.schemas import gemini_schema, openai_schema, read_reply
from finrag.llm.tasks import find_task, task_names
from growth import assert_linear


class Part(BaseModel):
    """A part."""

    name: str
    share: float | None = None


class Sample(BaseModel):
    """A sample."""

    label: Literal["a", "b"]
    count: int = Field(default=0, description="How many.")
    parts: list[Part] = Field(default_factory=list, max_length=3)
    either: int | str | None = None


GOOD = '{"label": "a", "count": 2}'
READ = {"label": "a", "count": 2, "parts": [], "either": None}


@pytest.mark.parametrize(
    ("reply", "is_bare"),
    [
        (GOOD, True),
        (f"  \n{GOOD}\n", True),
        ('{"label": "a", "count": 2, "confidence": 0.9}', True),  # more than asked for is dropped
        ('{"label": "a", "count": "2"}', True),  # a number in quotes is that number
        (f"```json\n{GOOD}\n```", False),
        (f"```\n{GOOD}\n```", False),
        (f"Here you are: {GOOD} Ask again any time {{smiling}}.", False),
        (f"The schema {{see above}} asks for a label.\n{GOOD}", False),
        (f"{GOOD}\n{GOOD}", False),  # twice the same is no contradiction
        (f'{{"label": "c"}} no, I mean {GOOD}', False),  # the first does not fit
        (f"<think>{{'label': 'b'}}</think>{GOOD}", False),
        (f'<think>Is it {{"label": "b"}}?</think>\n{GOOD}', False),  # a draft is no second reply
        (f'It may be {{"label": "b"}}.</think>{GOOD}', False),
    ],
)
def test_a_reply_that_holds_one_object_that_fits_is_read(reply, is_bare):
    reading = read_reply(reply, Sample)
    assert (json.loads(reading.output), reading.is_bare) == (READ, is_bare)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("", "not valid JSON"),
        ("none of it", "not valid JSON"),
        ("null", "should be a valid dictionary"),
        ("[1, 2]", "should be a valid dictionary"),
        ('{"count": 2}', "label: Field required"),
        ('{"label": "c"}', "label: Input should be 'a' or 'b'"),
        ('{"label": "a", "count": 2.5}', "count"),
        ('{"label": "a", "count": NaN}', "NaN is not a JSON value"),
        ('{"label": "a", "parts": [{"name": "x", "share": Infinity}]}', "Infinity is not a JSON value"),
        ('{"label": "a", "parts": [{"name": "x"}, {"name": "y"', "not valid JSON"),  # cut: not closed by guessing
        (
            '{"outer": {"label": "a", "count": 2}, "more": "cut of',
            "not valid JSON",
        ),  # nor is a part taken for the whole
        ('{"label": "a"} or rather {"label": "b"}', "several objects that fit"),
        ('<think>It may be {"label": "a"}, but', "not valid JSON"),  # cut before the reply
        ("[" * 100_000, ""),
        ('{"a":' * 100_000, ""),
        ("{" * 5_000, "not valid JSON"),
    ],
    ids=range(16),
)
def test_a_reply_that_does_not_is_not_guessed_at(reply, error):
    reading = read_reply(reply, Sample)
    assert reading.output is None
    assert error in reading.error


ANSWER = {"answer_text": "x", "answer_type": "numeric", "is_answerable": True}
CLAIM = {"claim_number": 1, "reason": "r", "verdict": "True"}


def read(task: str, reply: dict) -> dict:
    """A bare reply read into the schema of a task."""
    reading = read_reply(json.dumps(reply), find_task(task).output)
    assert reading.is_bare, reading.error
    return json.loads(reading.output)


@pytest.mark.parametrize(
    ("stated", "read_as"),
    [
        ({"answer_items": None, "cited_sentence_ids": None}, {"answer_items": [], "cited_sentence_ids": []}),
        ({"answer_type": " Numeric "}, {"answer_type": "numeric"}),
        ({"answer_numeric": "12.3"}, {"answer_numeric": 12.3}),
        ({"answer_numeric": "2,406.7"}, {"answer_numeric": 2406.7}),
        ({"answer_numeric": " -1,234,567"}, {"answer_numeric": -1234567.0}),
        ({"answer_numeric": ""}, {"answer_numeric": None}),
        ({"answer_numeric": "N/A "}, {"answer_numeric": None}),
        ({"answer_numeric": "null"}, {"answer_numeric": None}),
        ({"answer_boolean": "", "answer_numeric": None}, {"answer_boolean": None, "answer_numeric": None}),
        ({"answer_boolean": "True "}, {"answer_boolean": True}),
        ({"is_answerable": " false"}, {"is_answerable": False}),
        # free text is as it was written
        (
            {"answer_text": " N/A ", "answer_unit": "", "answer_items": ["1,234", " Null"]},
            {"answer_text": " N/A ", "answer_unit": "", "answer_items": ["1,234", " Null"]},
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_another_form_of_the_same_value_needs_no_repair(stated, read_as):
    for task in ("answer_question", "answer_closed_book"):
        assert read_as.items() <= read(task, ANSWER | stated).items()


@pytest.mark.parametrize("number", ["1,23", "12,34.5", "1,2345", "2.406,7", "about 5", "$5", "NaN", "1e999", "5 %"])
def test_a_number_in_words_is_not_guessed_at(number):
    reading = read_reply(json.dumps(ANSWER | {"answer_numeric": number}), find_task("answer_question").output)
    assert reading.output is None and "answer_numeric" in reading.error


@pytest.mark.parametrize(
    ("task", "field", "entry", "word", "stated"),
    [
        ("judge_claims", "verdicts", CLAIM, "verdict", "True"),
        ("judge_claims", "verdicts", CLAIM, "verdict", "Unclear"),
        ("judge_statements", "verdicts", {"statement_id": "s"}, "verdict", "Uncertain"),
        ("answer_choices", "answers", {"question_id": "q"}, "choice", "none"),
        ("answer_choices", "answers", {"question_id": "q"}, "choice", "B"),
        ("answer_closed_questions", "answers", {"question_id": "q"}, "answer", "idk"),
    ],
)
def test_case_and_space_of_an_allowed_word_do_not_matter(task, field, entry, word, stated):
    for form in (stated, stated.lower(), stated.upper(), f"{stated} ", f"\n{stated.lower()}"):
        (found,) = read(task, {field: [entry | {word: form, "quotes": None}]})[field]
        assert (found[word], found["quotes"]) == (stated, [])
    for other in (f"{stated}, I think", stated[:-1], None, 1, ""):
        assert read_reply(json.dumps({field: [entry | {word: other}]}), find_task(task).output).output is None


@pytest.mark.parametrize(
    ("task", "reply", "verdict"),
    [
        ("judge_claims", {"verdicts": [CLAIM | {"verdict": True}]}, "True"),
        ("judge_statements", {"verdicts": [{"statement_id": "s", "verdict": False}]}, "False"),
        ("judge_claims", {"verdicts": [CLAIM | {"claim_number": True}]}, None),
        ("answer_choices", {"answers": [{"question_id": "q", "choice": True}]}, None),
        ("answer_question", ANSWER | {"answer_numeric": True}, None),
        ("answer_question", ANSWER | {"answer_text": True}, None),
    ],
)
def test_true_is_a_word_where_that_is_allowed_and_no_number(task, reply, verdict):
    reading = read_reply(json.dumps(reply), find_task(task).output)
    assert (verdict is None) == (reading.output is None)
    assert verdict is None or json.loads(reading.output)["verdicts"][0]["verdict"] == verdict


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", "Here it is: {}"])
def test_what_no_json_writes_in_quotes_is_read_as_it_stands(form):
    reply = form.format('{"label": "a", "either": "\\$5\n50\\% \\"net\\" \\u00e9 \\\\$"}')
    assert json.loads(read_reply(reply, Sample).output)["either"] == '\\$5\n50\\% "net" é \\$'


def test_a_list_that_has_a_default_may_be_null_at_any_depth():
    themes = find_task("summarise_mdna").output.model_fields
    found = read("summarise_mdna", {name: {"summary": "s", "sentence_numbers": None} for name in themes})
    assert found["general"] == {"summary": "s", "sentence_numbers": []}
    assert read_reply('{"label": null}', Sample).error.startswith("label")  # null is no value of what is required
    read_part = read_reply('{"label": "A", "count": null, "parts": [{"name": "x", "share": "n/a"}]}', Sample)
    assert json.loads(read_part.output) == READ | {"count": 0, "parts": [{"name": "x", "share": None}]}


def test_words_that_differ_in_case_alone_are_told_apart_by_it():
    class Units(BaseModel):
        unit: Literal["M", "m", "N/A"] | None = None

    assert [read_reply(json.dumps({"unit": unit}), Units).output for unit in ("m", "M", " n/a", "", "k")] == [
        '{"unit":"m"}',
        '{"unit":"M"}',
        '{"unit":"N/A"}',
        '{"unit":null}',
        None,
    ]


# What the calls of each task are found by, besides the inputs. Where one changes, all of its calls are bought again.
PROMPT_VERSIONS = {
    "answer_choices": "2-4377fa6a",
    "answer_closed_book": "1-b617202d",
    "answer_closed_questions": "1-cd27ae0e",
    "answer_question": "1-a422000a",
    "classify_sentiment": "1-3628683b",
    "judge_claims": "1-8146e46d",
    "judge_statements": "1-9b9339d4",
    "summarise_mdna": "2-1afb589e",
    "write_choices": "2-8050e91f",
    "write_closed_questions": "1-d80085d9",
    "write_question": "2-29f0a215",
    "write_statements": "1-c3212a03",
}


def test_calls_that_were_bought_keep_their_keys():
    assert {name: find_task(name).prompt_version for name in PROMPT_VERSIONS} == PROMPT_VERSIONS


def test_what_databases_refuse_is_taken_out():
    reading = read_reply('{"label": "a", "either": "x\\u0000y\\ud800z"}', Sample)
    assert json.loads(reading.output)["either"] == "xy?z"


@given(st.text())
def test_reading_never_raises(reply):
    read_reply(reply, Sample)
    read_reply(f"```json\n{reply}```{{", Sample)


@pytest.mark.parametrize(
    ("opening", "passage"), [("```{}", "\n"), ("```json{}\n", "\n"), ("({}) ", "{"), ("({}) ", '{"')]
)
def test_time_grows_with_the_length_of_a_reply(opening, passage):
    assert_linear(lambda reply: read_reply(reply, Sample), passage, opening)


def test_the_schema_in_openais_strict_dialect():
    schema = openai_schema(Sample.model_json_schema())
    assert schema["required"] == ["label", "count", "parts", "either"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Part"]["required"] == ["name", "share"]
    assert schema["$defs"]["Part"]["additionalProperties"] is False
    assert '"default"' not in json.dumps(schema)


def test_a_property_may_be_called_as_a_keyword_is():
    class Titled(BaseModel):
        title: str
        default: str

    assert set(openai_schema(Titled.model_json_schema())["properties"]) == {"title", "default"}
    assert set(gemini_schema(Titled.model_json_schema())["properties"]) == {"title", "default"}


def test_the_schema_in_geminis_dialect():
    assert gemini_schema(Sample.model_json_schema()) == {
        "type": "object",
        "description": "A sample.",
        "properties": {
            "label": {"type": "string", "format": "enum", "enum": ["a", "b"]},
            "count": {"type": "integer", "description": "How many."},
            "parts": {
                "type": "array",
                "max_items": 3,
                "items": {
                    "type": "object",
                    "description": "A part.",
                    "properties": {"name": {"type": "string"}, "share": {"type": "number", "nullable": True}},
                    "required": ["name", "share"],
                },
            },
            "either": {"type": "string", "nullable": True},
        },
        "required": ["label", "count", "parts", "either"],
    }


def test_geminis_client_takes_the_schema_of_every_task():
    from google.generativeai import protos

    schemas = [find_task(name).schema for name in task_names()]
    for stated in (*filter(None, schemas), Sample.model_json_schema()):
        schema = gemini_schema(stated)
        assert protos.Schema(_upper(schema)).properties


def _upper(schema: dict) -> dict:
    """Types as the client writes them."""
    upper = dict(schema)
    if "type" in schema:
        upper["type_"] = upper.pop("type").upper()
    if "format" in schema:
        upper["format_"] = upper.pop("format")
    if "items" in schema:
        upper["items"] = _upper(schema["items"])
    if "properties" in schema:
        upper["properties"] = {name: _upper(value) for name, value in schema["properties"].items()}
    return upper
