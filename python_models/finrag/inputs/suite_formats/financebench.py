"""FinanceBench (Islam et al. 2023, arXiv:2311.11944): 150 open questions over filings, each with its page of evidence.

Read as data/financebench_open_source.jsonl of https://github.com/patronus-ai/financebench has it: an object a line with
financebench_id, company, doc_name, question_type, question_reasoning, question, answer, justification and evidence, a
list of {evidence_text, doc_name, evidence_page_num, evidence_text_full_page}. What a document is of stands in its name:
COMPANY_2018_10K, COMPANY_2023Q2_10Q, COMPANY_2022_8K_dated-2022-07-01.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from finrag.inputs.suite_formats.form import Answer, Format, LooseId, MaybeText, MaybeWhole, Place, Stated, Text
from finrag.text.years import YEAR_DIGITS

YEAR = re.compile(rf"_(?P<year>{YEAR_DIGITS})(?:Q[1-4])?(?:_|$)")


class Evidence(Stated):
    """A passage of a document; the page is counted from 0."""

    evidence_text: Annotated[str, Field(description="a text")]
    doc_name: MaybeText = None
    evidence_page_num: MaybeWhole = None


class Row(Stated):
    """A question."""

    financebench_id: LooseId
    company: Text
    doc_name: Text
    question: Text
    answer: Answer
    evidence: Annotated[
        list[Evidence],
        Field(description="a list of objects, one or more of which have an evidence_text that is not blank"),
    ]
    question_type: MaybeText = None
    question_reasoning: MaybeText = None
    justification: MaybeText = None


def to_record(row: Row) -> dict:
    """years: of the documents that the evidence is in, those being named, else of the question's own document."""
    documents = [each.doc_name for each in row.evidence if each.doc_name] or [row.doc_name]
    years = sorted({int(found["year"]) for name in documents if (found := YEAR.search(name))})
    pages = ", ".join(
        f"{each.doc_name or row.doc_name} {each.evidence_page_num}"
        for each in row.evidence
        if each.evidence_page_num is not None
    )
    stated = {
        "document": row.doc_name,
        "question_type": row.question_type,
        "reasoning": row.question_reasoning,
        "pages": pages,
        "justification": row.justification,
    }
    return {
        "question_id": row.financebench_id,
        "question": row.question,
        "answer": row.answer,
        "evidence": [each.evidence_text for each in row.evidence if each.evidence_text.strip()],
        "company": row.company,
        "years": years or None,
        "notes": "; ".join(f"{name}: {value}" for name, value in stated.items() if value),
        "created_by": "FinanceBench",
    }


def places_of(row: Row) -> list[Place]:
    places = [
        Place(
            each.doc_name or row.doc_name,
            None if each.evidence_page_num is None else each.evidence_page_num + 1,
            evidence=each.evidence_text if each.evidence_text.strip() else None,
        )
        for each in row.evidence
    ]
    return list(dict.fromkeys(places)) or [Place(row.doc_name)]


FORMAT = Format(
    "financebench",
    frozenset({"financebench_id", "doc_name", "question", "answer", "evidence"}),
    Row,
    to_record,
    places_of,
    names={"years": "doc_name"},
)
