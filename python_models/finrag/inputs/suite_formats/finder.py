"""FinDER (Choi et al. 2025, arXiv:2504.15800): 5,703 questions as analysts type them, with passages of 10-Ks.

Read as https://huggingface.co/datasets/Linq-AI-Research/FinDER has it, Parquet, or JSON with the same fields: _id, text
(the question), reasoning, category, references (a list of passages), answer and type. Companies are named in the
questions only, by name, ticker or abbreviation, and years mostly nowhere: they are told by where the passages stand.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from finrag.inputs.rows import Boolean
from finrag.inputs.suite_formats.form import Answer, Format, LooseId, MaybeText, Stated, Text


class Row(Stated):
    """A question."""

    id: LooseId = Field(alias="_id")
    text: Text
    references: Annotated[list[str], Field(description="a list of passages, one or more of which are not empty")]
    answer: Answer
    reasoning: Boolean = None
    category: MaybeText = None
    type: MaybeText = None


def to_record(row: Row) -> dict:
    stated = {"category": row.category, "type": row.type, "reasoning": row.reasoning}
    return {
        "question_id": row.id,
        "question": row.text,
        "answer": row.answer,
        "evidence": [passage for passage in row.references if passage.strip()],
        "company": row.text,
        "notes": "; ".join(f"{name}: {value}" for name, value in stated.items() if value is not None),
        "created_by": "FinDER",
    }


FORMAT = Format(
    "finder",
    frozenset({"_id", "text", "references", "answer"}),
    Row,
    to_record,
    names_in_question=True,
    names={"evidence_sentence_ids": "references"},
)
