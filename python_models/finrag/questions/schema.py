"""One question of a suite: the 20 fields of the FinRAG gold schema, and what our own suite adds to them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(min_length=1)]


def known_year(year: int) -> int:
    """A fiscal year, or 0, which is that of documents that state none."""
    if year != 0 and not 1980 <= year <= 2100:
        raise ValueError("expected a year from 1980 to 2100, or 0 for a document that states none")
    return year


Year = Annotated[int, AfterValidator(known_year)]


class Question(BaseModel):
    """Fields 1 to 20 are the published schema; the rest is optional, and other fields are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)

    question_id: Text
    cik_int: list[int] = Field(min_length=1)
    company_name: list[Text] = Field(min_length=1)
    years: list[Year] = Field(min_length=1)
    question_text: Text
    answer_type: Literal["span", "list", "boolean", "numeric", "no_answer", "unstated"]
    answer_text: str | Annotated[list[Text], Field(min_length=1)]
    answer_numeric: float | None = None
    answer_unit: str | None = None
    tolerance: Annotated[float, Field(ge=0)] | None = None
    evidence_sentence_ids: list[Text]
    evidence_spans: list[str] = Field(default_factory=list)
    retrieval_scope: Literal["local", "cross_year", "cross_company"]
    difficulty: Literal["easy", "medium", "hard"]
    section_hints: list[str] = Field(default_factory=list)
    notes: str | None = None
    gold_version: Text
    created_by: Text
    created_at: Text
    curation_confidence: Annotated[float, Field(ge=0, le=1)]
    category: Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"] | None = None
    paraphrase_group_id: str | None = None
    bundle_id: str | None = None
    key_points: Annotated[list[Text], Field(min_length=1)] | None = None

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
        return self
