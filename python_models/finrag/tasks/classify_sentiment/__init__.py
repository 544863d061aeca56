"""Say which sentiment a financial headline or post has, without examples.

The reply is plain text, not JSON: how well a model keeps to the options is part of what the benchmark measures, and
``finrag.sentiment.matching`` reads it as it reads the replies of systems elsewhere.
"""

from __future__ import annotations

from finrag.llm.tasks import Task


def baseline(inputs: dict) -> str:
    """The option whose descriptions are nearest; see ``finrag.tasks.classify_sentiment.descriptions``."""
    from finrag.tasks.classify_sentiment.descriptions import nearest_label

    return nearest_label(inputs["text"], inputs["options"].split(", "))


def longest_option(inputs: dict) -> str:
    """As long as any reply that keeps to the options; the baseline's needs an encoder, ten seconds to load."""
    return max(inputs["options"].split(", "), key=len)


TASK = Task(
    "classify_sentiment",
    version=1,
    output=None,
    baseline=baseline,
    max_output_tokens=32,
    stand_in=longest_option,
)
