"""Summarise a piece of Item 7 by eight themes and in general, each with the sentences it rests on."""

from __future__ import annotations

from pydantic import BaseModel, Field

from finrag.llm.tasks import Task
from finrag.project import seeds_folder


class Theme(BaseModel):
    """What the piece says about one theme; an empty summary where it says nothing."""

    summary: str
    sentence_numbers: list[int] = Field(default_factory=list)


class MdnaSummary(BaseModel):
    """The reply, a field per theme. What each theme is about is said in prompt.md."""

    overview_of_financial_results: Theme
    liquidity_and_capital_resources: Theme
    results_of_operations: Theme
    critical_accounting_estimates: Theme
    trends_and_outlook: Theme
    business_risks_and_uncertainties: Theme
    planned_actions: Theme
    future_goals: Theme
    general: Theme


GENERAL = "general"
THEMES = tuple(name for name in MdnaSummary.model_fields if name != GENERAL)


def baseline(inputs: dict) -> MdnaSummary:
    """Sentences of the piece by theme and in general, by rules; see ``finrag.tasks.summarise_mdna.extractive``."""
    from finrag.tasks.summarise_mdna.extractive import summarise

    return MdnaSummary(**summarise(inputs, THEMES, GENERAL))


TASK = Task(
    "summarise_mdna",
    version=2,
    output=MdnaSummary,
    baseline=baseline,
    max_output_tokens=8192,
    baseline_reads=(seeds_folder() / "summary_theme_patterns.csv",),
)
