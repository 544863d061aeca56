"""Write a question and its gold answer from the evidence that a bundle holds."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class WrittenQuestion(BaseModel):
    """The reply. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    question_text: str = Field(min_length=10)
    paraphrases: list[str] = Field(default_factory=list)
    answer_text: str = Field(min_length=1)
    answer_items: list[str] = Field(default_factory=list)


def baseline(inputs: dict) -> WrittenQuestion:
    """A question from one of the templates of its shape; see ``finrag.tasks.write_question.templates``."""
    from finrag.tasks.write_question.templates import write

    return WrittenQuestion(**write(inputs))


TASK = Task("write_question", version=2, output=WrittenQuestion, baseline=baseline)
