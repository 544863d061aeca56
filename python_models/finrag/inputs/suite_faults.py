"""What is wrong with a question of a suite, in the words of its file: one fault a field, with what is allowed there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from pydantic import BaseModel, ValidationError

from finrag.inputs.files import shorten
from finrag.inputs.suite_formats import Format
from finrag.questions import fill
from finrag.questions.schema import Question

VALUE_ERROR = "value_error"
IDS = "evidence_sentence_ids"
# What fields of our schema may be called in a file.
SHORT = {name: other for other, name in fill.ALIASES.items()} | {IDS: fill.EVIDENCE}
# What evidence tells, so that it is missing where the evidence is at fault.
TOLD = ("cik_int", "company_name", "years")
NO_ANSWER = (
    "answer: missing, and so is evidence. State evidence, which measures retrieval alone then, or answer_type "
    "no_answer where the filings have no answer"
)


def not_an_object(row: object) -> str:
    return f"{shown(row)} where an object with the fields of a question is expected"


def of_row(error: ValidationError, row: Mapping, form: Format) -> str:
    """What is wrong with a row of a published format."""
    described = descriptions(form.row)
    return "; ".join(fault_of(each, row, described) for each in by_field(error, row).values())


def of_question(error: ValidationError, record: Mapping, stated: Mapping, form: Format | None, is_unfound: bool) -> str:
    """What is wrong with a question in our schema.

    record: what was checked; stated: what its file says. is_unfound: whether evidence of it stands nowhere.
    """
    names = {name: name if name in stated else other for name, other in (SHORT | (form.names if form else {})).items()}
    described = descriptions(Question)
    if form:
        own = descriptions(form.row)
        described |= {name: own[other] for name, other in names.items() if other in own}
    # what nothing was told for is as the file has it
    row = record | {name: stated.get(other) for name, other in names.items() if record.get(name) is None}
    wrong = by_field(error, row)
    told = consequences(wrong, record, row, names[IDS], is_unfound)
    return "; ".join([*told, *(fault_of(each, row, described, names) for each in wrong.values())])


def consequences(wrong: dict[str, dict], record: Mapping, row: Mapping, evidence: str, is_unfound: bool) -> list[str]:
    """Take out of the errors what is missing because of something else, and say that where no error does.

    evidence: what the file calls it.
    """
    told = []
    missing = {name for name in wrong if record.get(name) is None}
    gone = {"question_id"} if "question_text" in wrong else set()
    if {"answer_type", "answer_text"} <= missing:
        gone |= {"answer_type", "answer_text"}
        if not row.get(IDS):
            told.append(NO_ANSWER)
            gone |= {IDS, *TOLD}
    if is_unfound and "cik_int" in missing and "years" not in wrong.keys() - missing:
        told.append(tells_nothing(evidence, record.get("years")))
    if told or IDS in wrong or wrong.keys() - missing & set(TOLD):
        gone |= set(TOLD)
    for name in gone & missing:
        del wrong[name]
    return told


def tells_nothing(evidence: str, years: object) -> str:
    """Of a question that states no company."""
    where = f"in no filing of {shown(years)[1:-1]}" if years else "nowhere in the corpus"
    return f"{evidence}: it stands {where}, so that it tells no company. State cik_int, company_name and years"


def by_field(error: ValidationError, row: Mapping) -> dict[str, dict]:
    """The error of each field of a row that says most precisely where; that of all of it by an empty name."""
    errors: dict[str, dict] = {}
    for each in error.errors():
        name = str(each["loc"][0]) if each["loc"] else ""
        if name not in errors or len(place_of(each, row)[0]) > len(place_of(errors[name], row)[0]):
            errors[name] = dict(each)
    return errors


def place_of(error: Mapping, row: object) -> tuple[list[str | int], object]:
    """Where in a row an error is, and what stands there: its loc also names the types that were tried."""
    path = []
    for part in error["loc"]:
        if part in row if isinstance(row, Mapping) else isinstance(row, list) and part in range(len(row)):
            path.append(part)
            row = row[part]
    return path, row


def fault_of(
    error: Mapping, row: Mapping, described: Mapping[str, str], names: Mapping[str, str] = MappingProxyType({})
) -> str:
    """An error in words. described: what is allowed, by field; names: what the file calls fields."""
    if not error["loc"]:
        return text_of(error)
    path, value = place_of(error, row)
    is_missing = error["type"] == "missing" and (not path or path[-1] != error["loc"][-1] or value is None)
    if is_missing:
        path = [*path, error["loc"][-1]] if not path or path[-1] != error["loc"][-1] else path
    fields = [part for part in path if part in described]
    allowed = f"expected {described[fields[-1]]}"
    name = names.get(path[0], path[0])
    # what a format calls otherwise need not be a list there
    where = ".".join(map(str, [name, *path[1:]])) if name == path[0] or path[0] in SHORT else name
    if is_missing:
        return f"{where}: missing; {allowed}"
    return f"{where}: {text_of(error) if error['type'] == VALUE_ERROR else f'{shown(value)}; {allowed}'}"


def text_of(error: Mapping) -> str:
    """What a check of ours says."""
    return error["msg"].removeprefix("Value error, ")


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """What is allowed in the fields of a model and of those in its lists, by their names in a file."""
    found = {}
    for name, field in model.model_fields.items():
        found[field.alias or name] = field.description or ""
        for inner in get_args(field.annotation):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found |= descriptions(inner)
    return found


def shown(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False, default=str))
