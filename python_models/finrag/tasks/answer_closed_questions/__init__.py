"""Answer questions by yes, no or idk from one text, all of them at once, with quotes."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class ClosedAnswer(BaseModel):
    """The answer to one question. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    question_id: str
    answer: Literal["yes", "no", "idk"]
    quotes: list[str] = Field(default_factory=list)


class ClosedAnswers(BaseModel):
    """The reply."""

    answers: list[ClosedAnswer]


def baseline(inputs: dict) -> ClosedAnswers:
    """What the best-supporting sentence says; see ``finrag.quizzes.reading``."""
    from finrag.quizzes.reading import answer_closed_questions

    return ClosedAnswers(answers=answer_closed_questions(inputs))


TASK = Task(
    "answer_closed_questions",
    version=1,
    output=ClosedAnswers,
    baseline=baseline,
    max_output_tokens=8192,
)
