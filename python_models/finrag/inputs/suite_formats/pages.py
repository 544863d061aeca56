"""Questions whose evidence is a document and a page: the plain form of suites that others make of PDFs.

An object a line with question, answer and document, the name of a file of the corpus; page, a number or a list of
numbers from 1; evidence, a text or a list of texts that stand there; id and other fields of ours as far as there are
any. Described in docs/questions.md.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from finrag.inputs.rows import LooseText
from finrag.inputs.suite_formats.form import Format, LooseId, LooseWhole, MaybeAnswer, Place, Stated, Text, or_none

Page = Annotated[LooseWhole, Field(ge=1)]
# Fields of our schema that a row may have, which are checked with the record.
OURS = ("answer_type", "answer_numeric", "answer_unit", "tolerance", "key_points", "category", "difficulty", "notes")


class Row(Stated):
    """A question; of fields that are not named here those of OURS are kept."""

    model_config = ConfigDict(extra="allow")

    question: Text
    answer: MaybeAnswer
    document: Annotated[
        LooseId | Annotated[list[LooseId], Field(min_length=1)],
        Field(description="the name of a document of the corpus, or a list of names"),
    ]
    page: Annotated[
        Page | list[Page] | None,
        BeforeValidator(or_none),
        Field(description="a whole number from 1, or a list of them"),
    ] = None
    evidence: Annotated[
        Text | list[str] | None, BeforeValidator(or_none), Field(description="a text, or a list of texts")
    ] = None
    id: LooseText = None

    @model_validator(mode="after")
    def has_no_page_of_no_answer(self) -> Row:
        if self.is_without_answer and self.page:
            raise ValueError(
                "answer_type no_answer says that the filings have no answer, and page is stated: leave one out"
            )
        return self

    @property
    def is_without_answer(self) -> bool:
        return (self.model_extra or {}).get("answer_type") == "no_answer"


def to_record(row: Row) -> dict:
    # without a text there is no sentence to name: what counts is the page
    texts = row.evidence if isinstance(row.evidence, list) else [row.evidence]
    quoted = [text for text in texts if text and text.strip()]
    evidence = {"evidence": quoted} if quoted else {"evidence_sentence_ids": []}
    extra = row.model_extra or {}
    ours = {name: extra[name] for name in OURS if extra.get(name) not in (None, "")}
    stated = ours | ({"question_id": row.id} if row.id else {})
    if row.answer is None:
        # where it stands is what it is asked for
        stated = {"answer_type": "unstated"} | stated
    return {"question": row.question, "answer": row.answer, "created_by": "stated by page"} | evidence | stated


def places_of(row: Row) -> list[Place]:
    """Pages are those of the document; of several documents each has all of them."""
    documents = row.document if isinstance(row.document, list) else [row.document]
    pages = row.page if isinstance(row.page, list) else [row.page]
    return [Place(document, page) for document in documents for page in pages or [None]]


FORMAT = Format("pages", frozenset({"question", "answer", "document"}), Row, to_record, places_of)
