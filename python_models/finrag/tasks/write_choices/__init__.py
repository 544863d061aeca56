"""Write multiple-choice questions about a text: one right answer and three wrong ones."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class WrittenChoice(BaseModel):
    """One question. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    question: str = Field(min_length=5)
    key: str = Field(min_length=1)
    distractors: list[str] = Field(min_length=3, max_length=3)
    evidence_quote: str


class WrittenChoices(BaseModel):
    """The reply."""

    questions: list[WrittenChoice]


def baseline(inputs: dict) -> WrittenChoices:
    """A figure left out of a sentence, among other figures of its unit; see ``finrag.quizzes.writing``."""
    from finrag.quizzes.writing import write_choices

    return WrittenChoices(questions=write_choices(inputs))


TASK = Task(
    "write_choices",
    version=2,
    output=WrittenChoices,
    baseline=baseline,
    max_output_tokens=4096,
)
