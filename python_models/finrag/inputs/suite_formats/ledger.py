"""LEDGER (arXiv:2606.13100): KPI questions over annual reports of many pages, with graded judgements of pages.

Read as https://huggingface.co/datasets/artefactory/ledger-long-context-KPI-QA has it (made by generate_qrels.py of
https://github.com/artefactory/LEDGER), Parquet or JSON: query_id, query_text, ticker, exchange, company_name, year,
kpi, value in base units, and qrels, a list of {doc_id, relevance}: NYSE_SHW_2017/page_0003 is the fourth page of that
report, relevance 0, 1 or 2. A report is a file of its own, NYSE_SHW_2017.mmd, with <--- Page Split ---> between pages.
An answer is right within 0.05 % of value.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, field_validator

from finrag.inputs.suite_formats.form import (
    Format,
    LooseId,
    LooseNumber,
    LooseWhole,
    MaybeText,
    MaybeWhole,
    Place,
    Stated,
    Text,
)

PAGE = re.compile(r"(?P<document>.+)/page_(?P<index>\d+)")
TOLERANCE = 0.0005
# Reports to these are in dollars; what currency those to others are in is not stated.
AMERICAN = ("NYSE", "NASDAQ", "AMEX")


class Judgement(Stated):
    """A page, counted from 0, and how relevant it is."""

    doc_id: Text
    relevance: LooseWhole

    @field_validator("doc_id")
    @classmethod
    def names_a_page(cls, doc_id: str) -> str:
        if not PAGE.fullmatch(doc_id):
            raise ValueError("expected <document>/page_<number>, such as NYSE_SHW_2017/page_0003")
        return doc_id


class Row(Stated):
    """A question; the report's text is left alone."""

    query_id: LooseId
    query_text: Text
    value: LooseNumber
    qrels: Annotated[list[Judgement], Field(description="a list of objects with doc_id and relevance")]
    company_name: MaybeText = None
    exchange: MaybeText = None
    year: MaybeWhole = None
    kpi: MaybeText = None
    source: MaybeText = None


def to_record(row: Row) -> dict:
    stated = {"kpi": row.kpi, "exchange": row.exchange, "source": row.source}
    return {
        "question_id": row.query_id,
        "question": row.query_text,
        "answer": f"{row.value:,.15g}",
        "answer_type": "numeric",
        "answer_numeric": row.value,
        "answer_unit": unit_of(row),
        "tolerance": TOLERANCE * abs(row.value),
        "evidence_sentence_ids": [],
        "company": row.company_name or None,
        "years": [row.year] if row.year else None,
        "notes": "; ".join(f"{name}: {value}" for name, value in stated.items() if value),
        "created_by": "LEDGER",
    }


def unit_of(row: Row) -> str | None:
    if row.kpi and row.kpi.startswith("shares"):
        return "shares"
    if (row.exchange or "").upper() not in AMERICAN:
        return None
    return "USD per share" if row.kpi and row.kpi.startswith("eps") else "USD"


def places_of(row: Row) -> list[Place]:
    """Pages from 1, those judged irrelevant among them, each with the highest grade that it has."""
    grades: dict[tuple[str, int], int] = {}
    for each in row.qrels:
        named = PAGE.fullmatch(each.doc_id)
        place = (named["document"], int(named["index"]) + 1)
        grades[place] = max(each.relevance, grades.get(place, 0))
    return [Place(*place, grade) for place, grade in grades.items()]


FORMAT = Format(
    "ledger",
    frozenset({"query_id", "query_text", "qrels", "value"}),
    Row,
    to_record,
    places_of,
    names={"years": "year"},
)
