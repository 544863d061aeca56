"""T²-RAGBench (Strich et al. 2025, arXiv:2506.12071): questions with a number for an answer and a page for evidence.

Read as data/<subset>/<split>/metadata.jsonl of https://huggingface.co/datasets/G4KMU/t2-ragbench has it, subsets
FinQA, ConvFinQA, TAT-DQA and VQAonBD: an object a line with id, context_id, split, question, program_answer,
original_answer, context, the page as text with its tables in Markdown, and file_name, that page as a PDF; most also
with company_name, company_cik, report_year and page_number, the page in the report. The suite counts an answer as right
within 1 % of program_answer (its Number Match, epsilon 0.01).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field

from finrag.inputs.suite_formats.form import Format, LooseId, MaybeAmount, MaybeText, Place, Stated, Text
from finrag.questions.fill import answer_fields
from finrag.text.amounts import PERCENT, PERCENT_OR_POINTS

TOLERANCE = 0.01


class Row(Stated):
    """A question."""

    id: LooseId
    context_id: LooseId
    question: Text
    program_answer: Annotated[Text | int | float, Field(description="a number or a text, not empty")]
    context: Text
    original_answer: MaybeAmount = None
    split: MaybeText = None
    file_name: MaybeText = None
    company_name: MaybeText = None
    company_cik: MaybeAmount = None
    report_year: MaybeAmount = None
    page_number: MaybeAmount = None


def to_record(row: Row) -> dict:
    stated = {
        "split": row.split,
        "context": row.context_id,
        "file": row.file_name,
        "page": row.page_number,
        "original answer": row.original_answer,
    }
    year = whole(row.report_year)
    record = {
        "question_id": row.id,
        "question": row.question,
        "evidence": [row.context],
        "company": row.company_name or None,
        "company_cik": whole(row.company_cik),
        "years": [year] if year else None,
        "notes": "; ".join(f"{name}: {value}" for name, value in stated.items() if value not in (None, "")),
        "created_by": "T²-RAGBench",
    }
    return record | answer_of(row)


def answer_of(row: Row) -> dict[str, object]:
    """The number with 1 % of it as tolerance; in percent where the original answer says that it is a share of 100.

    program_answer 0.14136 is 14.136 % where original_answer is 14.1%; else it has the unit that question or original
    answer state, if they do.
    """
    fields = answer_fields(as_number(row.program_answer), row.question)
    if fields.get("answer_type") != "numeric":
        return {"answer": row.program_answer} | fields
    value, text, unit = fields["answer_numeric"], str(row.program_answer), fields.get("answer_unit")
    original = answer_fields(str(row.original_answer or ""), row.question)
    is_percent = original.get("answer_unit") in (PERCENT, PERCENT_OR_POINTS)
    if is_percent and is_rounded(100 * value, str(row.original_answer)):
        value, text, unit = round(100 * value, 10), str(row.original_answer), original["answer_unit"]
    elif "answer_unit" in original and is_rounded(value, str(row.original_answer)):
        unit = original["answer_unit"]
    return {
        "answer": text,
        "answer_type": "numeric",
        "answer_numeric": value,
        "answer_unit": unit,
        "tolerance": TOLERANCE * abs(value),
    }


def is_rounded(value: float, stated: str) -> bool:
    """Whether a number is what a text states, to its last digit or to 1 %; a sign may be in the words around it."""
    figure = re.search(r"\d[\d,]*(?:\.(?P<decimals>\d+))?", stated)
    other = float(figure[0].replace(",", ""))
    return abs(abs(value) - other) <= max(0.5 * 10 ** -len(figure["decimals"] or ""), TOLERANCE * other) + 1e-9


def as_number(value: object) -> object:
    """A number, also where it is written as one ("1e-05"); any other text as it is."""
    try:
        return float(value)
    except ValueError:
        return value


def whole(value: object) -> int | None:
    """A whole number, also as 2015.0, as tables with gaps have it, or "2015"; None for any other."""
    number = as_number(value) if value is not None else None
    return int(number) if isinstance(number, float) and number.is_integer() else None


def places_of(row: Row) -> list[Place]:
    """The context is a document of its own, called by its id or by its file; page_number is of the report.

    Files of many companies are called page_2.pdf, each in a folder of its own.
    """
    file_name = PurePosixPath(row.file_name).stem if row.file_name else ""
    return [Place(row.context_id), *([Place(file_name, is_guess=True)] if file_name else [])]


FORMAT = Format(
    "t2-ragbench",
    frozenset({"context_id", "question", "program_answer", "context"}),
    Row,
    to_record,
    places_of,
    are_names=True,
    names={"evidence_sentence_ids": "context", "years": "report_year"},
)
