"""Answer multiple-choice questions from one text, or without any."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class ChosenOption(BaseModel):
    """The answer to one question. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    question_id: str
    choice: Literal["A", "B", "C", "D", "none"]
    quotes: list[str] = Field(default_factory=list)


class ChosenOptions(BaseModel):
    """The reply."""

    answers: list[ChosenOption]


def baseline(inputs: dict) -> ChosenOptions:
    """The option in the best-supporting sentence, or without a text a guess; see ``finrag.quizzes.reading``."""
    from finrag.quizzes.reading import answer_choices

    return ChosenOptions(answers=answer_choices(inputs))


TASK = Task(
    "answer_choices",
    version=2,
    output=ChosenOptions,
    baseline=baseline,
    max_output_tokens=8192,
)
