"""Answer one question from memory: nothing is given to read."""

from __future__ import annotations

from finrag.llm.tasks import Task
from finrag.tasks.answer_question import Answer


def baseline(inputs: dict) -> Answer:
    """Rules remember nothing, so they never answer."""
    kind = inputs["answer_type"]
    return Answer(answer_text="Without a text there is nothing to answer from.", answer_type=kind, is_answerable=False)


TASK = Task("answer_closed_book", version=1, output=Answer, baseline=baseline)
