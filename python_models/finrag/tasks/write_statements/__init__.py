"""Write statements about a text, true ones and false ones."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from finrag.llm.tasks import Task


class WrittenStatement(BaseModel):
    """One statement. What each field means is said in prompt.md."""

    model_config = ConfigDict(str_strip_whitespace=True)

    statement: str = Field(min_length=5)
    is_true: bool
    evidence_quote: str
    change: str | None = None


class WrittenStatements(BaseModel):
    """The reply."""

    statements: list[WrittenStatement]


def baseline(inputs: dict) -> WrittenStatements:
    """Sentences of the text, half of them with one change; see ``finrag.quizzes.writing``."""
    from finrag.quizzes.writing import write_statements

    return WrittenStatements(statements=write_statements(inputs))


TASK = Task(
    "write_statements",
    version=1,
    output=WrittenStatements,
    baseline=baseline,
    max_output_tokens=4096,
)
