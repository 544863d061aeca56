"""Rule on the claims of a text: does the source bear them out, contradict them, or neither?"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from finrag.llm.tasks import Task


class ClaimVerdict(BaseModel):
    """The ruling on one claim. What each field means is said in prompt.md."""

    claim_number: int
    reason: str
    quotes: list[str] = Field(default_factory=list)
    sentence_numbers: list[int] = Field(default_factory=list)
    verdict: Literal["True", "False", "Unclear"]


class Judgement(BaseModel):
    """The reply, an entry per claim."""

    verdicts: list[ClaimVerdict]


def baseline(inputs: dict) -> Judgement:
    """Verdicts by rules; see ``finrag.judging.rules``."""
    from finrag.judging import baseline_verdicts

    numbers = [sentence["n"] for sentence in inputs["sentences"]]
    found = baseline_verdicts(
        [sentence["text"] for sentence in inputs["sentences"]],
        [claim["claim"] for claim in inputs["claims"]],
        known_names=inputs["names"],
    )
    return Judgement(
        verdicts=[
            ClaimVerdict(
                claim_number=claim["n"],
                reason=verdict.reason,
                quotes=list(verdict.quotes),
                sentence_numbers=[numbers[index] for index in verdict.evidence],
                verdict=verdict.verdict,
            )
            for claim, verdict in zip(inputs["claims"], found, strict=True)
        ]
    )


TASK = Task(
    "judge_claims",
    version=1,
    output=Judgement,
    baseline=baseline,
    max_output_tokens=8192,
)
