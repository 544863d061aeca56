"""Say of statements whether one text makes them true or false, or leaves it open."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class StatementVerdict(BaseModel):
    """The verdict on one statement. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    statement_id: str
    verdict: Literal["True", "False", "Uncertain"]
    quotes: list[str] = Field(default_factory=list)


class StatementVerdicts(BaseModel):
    """The reply."""

    verdicts: list[StatementVerdict]


def baseline(inputs: dict) -> StatementVerdicts:
    """What the best-supporting sentence says; see ``finrag.quizzes.reading``."""
    from finrag.quizzes.reading import judge_statements

    return StatementVerdicts(verdicts=judge_statements(inputs))


TASK = Task(
    "judge_statements",
    version=1,
    output=StatementVerdicts,
    baseline=baseline,
    max_output_tokens=8192,
)
