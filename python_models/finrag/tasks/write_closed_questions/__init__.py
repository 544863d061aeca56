"""Write questions that a text answers with yes or no."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class ClosedQuestion(BaseModel):
    """One question. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    question: str = Field(min_length=5)
    answer: Literal["yes", "no"]
    evidence_quote: str


class ClosedQuestions(BaseModel):
    """The reply."""

    questions: list[ClosedQuestion]


def baseline(inputs: dict) -> ClosedQuestions:
    """Sentences of the text, half of them changed, asked about; see ``finrag.quizzes.writing``."""
    from finrag.quizzes.writing import write_closed_questions

    return ClosedQuestions(questions=write_closed_questions(inputs))


TASK = Task(
    "write_closed_questions",
    version=1,
    output=ClosedQuestions,
    baseline=baseline,
    max_output_tokens=4096,
)
