"""Relevance and copying by hand-counted words."""

from __future__ import annotations

import pytest

from finrag.scoring.relevance import RUN, answer_relevance, copied_share


@pytest.mark.parametrize(
    ("question", "answer", "share"),
    [
        ("What was revenue in 2019?", "Revenue was $5 million in 2019.", 1.0),  # revenue, 2019
        ("What was revenue in 2019?", "Revenue was $5 million.", 0.5),
        ("What was revenue in 2019?", "Costs rose.", 0.0),
        (
            "Why did interest expense increase?",
            "It increased because of new notes.",
            1 / 3,
        ),  # interest, expense, increase
        ("What is it?", "A tool.", None),
    ],
)
def test_relevance(question: str, answer: str, share: float | None) -> None:
    assert answer_relevance(question, answer) == (None if share is None else pytest.approx(share))


def test_copying_counts_runs_of_eight() -> None:
    source = "one two three four five six seven eight nine ten"
    assert RUN == 8
    assert copied_share("One two three four five six seven eight", [source]) == 1.0
    assert copied_share("one two three four five six seven x", [source]) == 0.0  # seven in a row
    assert copied_share("one two three four five six seven eight a b c d e f g h", [source]) == 0.5
    assert copied_share("one two three", [source]) is None
    assert copied_share("one two three four five six seven eight", []) == 0.0
