"""No model: the task's own rules. Free, deterministic, and labelled as what it is in every table."""

from __future__ import annotations

from finrag.llm.models import Model
from finrag.llm.providers import Reply, Request

PROVIDER = "baseline"
IS_PRICED = False
IS_REMEMBERED = False


def connect(model: Model, key: str | None) -> Baseline:
    return Baseline()


class Baseline:
    """Answers with ``task.baseline``."""

    def send(self, request: Request, timeout: float) -> Reply:
        text = request.task.baseline_reply(request.inputs)
        return Reply(text, "stop", "stop", 0, 0, text)

    def close(self) -> None:
        """Nothing is open."""
