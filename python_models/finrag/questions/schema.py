"""One question of a suite: the 20 fields of the FinRAG gold schema, and what our own suite adds to them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(min_length=1, description="a text that is not empty")]
MaybeText = Annotated[str | None, Field(description="a text")]


def known_year(year: int) -> int:
    """A fiscal year, or 0, which is that of documents that state none."""
    if year != 0 and not 1980 <= year <= 2100:
        raise ValueError("expected a year from 1980 to 2100, or 0 for a document that states none")
    return year


# What of ISO 8601 DuckDB casts to a time.
TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?", re.ASCII)


def is_time(text: str) -> bool:
    """Whether it is a date, with or without a time of day and its zone, as a warehouse can hold it."""
    try:
        return bool(TIME.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


def known_time(text: str) -> str:
    """A text that is one."""
    if not is_time(text):
        raise ValueError(f"{text[:80]!r}; expected a date and time such as 2026-11-22T12:00:00Z, or a date")
    return text


TEXTS = "a list of texts"
YEARS = "a list of years, whole numbers from 1980 to 2100, or 0 for a document that states none"
Year = Annotated[int, AfterValidator(known_year)]


class Question(BaseModel):
    """Fields 1 to 20 are the published schema; the rest is optional, and other fields are ignored.

    What is allowed in a field is its description, which a fault says.
    """

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)

    question_id: Text
    cik_int: list[int] = Field(min_length=1, description="a list of whole numbers, one or more")
    company_name: list[Text] = Field(min_length=1, description="a list of texts, as many as cik_int")
    years: list[Year] = Field(min_length=1, description=YEARS)
    question_text: Text
    answer_type: Literal["span", "list", "boolean", "numeric", "no_answer", "unstated"] = Field(
        description="span, list, boolean, numeric, no_answer or unstated"
    )
    answer_text: str | Annotated[list[Text], Field(min_length=1)] = Field(
        description="a text, or a list of texts for answer_type list"
    )
    answer_numeric: float | None = Field(None, description="a number")
    answer_unit: MaybeText = None
    tolerance: Annotated[float, Field(ge=0)] | None = Field(None, description="a number, 0 or more")
    evidence_sentence_ids: list[Text] = Field(description="a list of ids of sentences, or of texts of the corpus")
    evidence_spans: list[str] = Field(default_factory=list, description=TEXTS)
    retrieval_scope: Literal["local", "cross_year", "cross_company"] = Field(
        description="local, cross_year or cross_company"
    )
    difficulty: Literal["easy", "medium", "hard"] = Field(description="easy, medium or hard")
    section_hints: list[str] = Field(default_factory=list, description=TEXTS)
    notes: MaybeText = None
    gold_version: Text
    created_by: Text
    created_at: Annotated[Text, AfterValidator(known_time)]
    curation_confidence: Annotated[float, Field(ge=0, le=1)] = Field(description="a number from 0 to 1")
    category: Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"] | None = Field(
        None, description="a letter from A to J"
    )
    paraphrase_group_id: MaybeText = None
    bundle_id: MaybeText = None
    key_points: Annotated[list[Text], Field(min_length=1)] | None = Field(None, description=TEXTS)

    @model_validator(mode="after")
    def fields_agree(self) -> Question:
        """What one field says another must not contradict."""
        if len(self.cik_int) != len(self.company_name):
            raise ValueError("cik_int and company_name must have the same length")
        if self.answer_type == "numeric" and self.answer_numeric is None:
            raise ValueError("a numeric answer needs answer_numeric")
        if (self.answer_type == "list") != isinstance(self.answer_text, list):
            raise ValueError("answer_text must be an array for answer_type list, and text otherwise")
        if (self.answer_type == "unstated") != (self.answer_text == ""):
            raise ValueError("answer_text must be empty for answer_type unstated, and for no other")
        if self.answer_type == "no_answer" and self.evidence_sentence_ids:
            raise ValueError(
                "answer_type no_answer says that the filings have no answer, and evidence is stated: leave one out "
                "(without an answer the evidence measures retrieval alone)"
            )
        return self
