"""Replies are read back exactly or not at all, and schemas reach the providers in their own dialects."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from finrag.llm.schemas import gemini_schema, openai_schema, read_reply


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
        ("[" * 100_000, ""),
        ('{"a":' * 100_000, ""),
        ("{" * 5_000, "not valid JSON"),
    ],
    ids=range(15),
)
def test_a_reply_that_does_not_is_not_guessed_at(reply, error):
    reading = read_reply(reply, Sample)
    assert reading.output is None
    assert error in reading.error


def test_what_databases_refuse_is_taken_out():
    reading = read_reply('{"label": "a", "either": "x\\u0000y\\ud800z"}', Sample)
    assert json.loads(reading.output)["either"] == "xy?z"


@given(st.text())
def test_reading_never_raises(reply):
    read_reply(reply, Sample)
    read_reply(f"```json\n{reply}```{{", Sample)


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

    from finrag.llm.tasks import find_task, task_names

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
