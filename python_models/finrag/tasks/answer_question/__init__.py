"""Answer one question from the sentences that retrieval found."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class Answer(BaseModel):
    """The reply. What each field means is said in prompt.md."""

    model_config = ConfigDict(allow_inf_nan=False)

    answer_text: str
    answer_type: Literal["span", "list", "boolean", "numeric"]
    answer_items: list[str] = Field(default_factory=list)
    answer_numeric: float | None = None
    answer_unit: str | None = None
    answer_boolean: bool | None = None
    is_answerable: bool
    cited_sentence_ids: list[str] = Field(default_factory=list)


def baseline(inputs: dict) -> Answer:
    """The best-covering sentences, by rules; see ``finrag.tasks.answer_question.extractive``."""
    from finrag.tasks.answer_question.extractive import answer

    return Answer(**answer(inputs))


TASK = Task("answer_question", version=1, output=Answer, baseline=baseline)
