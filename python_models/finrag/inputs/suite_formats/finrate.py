"""Fin-RATE: 7,500 questions over parts of SEC filings, across years and companies, with the points of a right answer.

Read as qa/*.json of https://github.com/jyd777/Fin-RATE (also https://huggingface.co/datasets/GGLabYale/Fin-RATE) has
it: an array of objects with q_id, question, answer, key_points (a list of texts), source and doc_id, or doc_ids, the
_id of documents of its corpus.jsonl. No passage is quoted: what is asked about is the document.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from finrag.inputs.rows import LooseText
from finrag.inputs.suite_formats.form import Answer, Format, LooseId, MaybeText, Place, Stated, Text


class Row(Stated):
    """A question."""

    q_id: LooseId
    question: Text
    answer: Answer
    key_points: Annotated[list[Text], Field(description="a list of texts that are not empty")]
    doc_id: LooseText = None
    doc_ids: Annotated[list[LooseId], Field(default_factory=list, description="a list of texts or whole numbers")]
    source: MaybeText = None

    @model_validator(mode="after")
    def has_documents(self) -> Row:
        if not self.doc_id and not self.doc_ids:
            raise ValueError("doc_id, or doc_ids with one or more, is needed")
        return self


def to_record(row: Row) -> dict:
    return {
        "question_id": row.q_id,
        "question": row.question,
        "answer": row.answer,
        "evidence_sentence_ids": [],
        "key_points": row.key_points or None,
        "notes": f"source: {row.source}" if row.source else None,
        "created_by": "Fin-RATE",
    }


def places_of(row: Row) -> list[Place]:
    """Of each document all is gold of grade 1."""
    names = dict.fromkeys([*([row.doc_id] if row.doc_id else []), *row.doc_ids])
    return [Place(name, grade=1) for name in names]


FORMAT = Format("fin-rate", frozenset({"q_id", "question", "answer", "key_points"}), Row, to_record, places_of)
