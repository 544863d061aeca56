"""Which quantity a figure is of, and what was done with an item: the right figure of another thing answers nothing."""

from __future__ import annotations

import pytest

from finrag.scoring.numbers import numeric_match
from finrag.scoring.quantities import of_what_is_asked, quantities_of
from finrag.text.acts import is_of_another_phase, is_undone
from finrag.text.amounts import parse_amounts


@pytest.mark.parametrize(
    ("question", "answer", "left"),
    [
        ("How much was spent on research?", "Research cost $5 million and SG&A was $7 million.", ["$5 million"]),
        ("How much was paid in dividends?", "It repurchased $5 million of its stock.", []),
        ("How much did research cost?", "It cost $5 million, driven by lower advertising.", ["$5 million"]),
        ("By how much did Mills grow?", "Mills grew 5% while Stores grew 7%.", ["5%"]),
        ("By how much did Asia grow?", "Europe grew 13% and Asia 2%.", ["2%"]),
        ("What share is medical?", "Defense: 26%, medical: 33%", ["33%"]),
        ("What was the net loss?", "It earned $5 million.", []),
        ("What was the Level 3 balance?", "Level 2 assets were $5 million.", []),
        ("How many shares were repurchased?", "It issued 5 million shares and repurchased 3 million.", ["3 million"]),
        ("How much more went on content than on tools?", "$5 million more on tools than on content.", []),
        ("How much is due?", "$5 million or $7 million is due.", ["$5 million", "$7 million"]),
    ],
)
def test_figures_of_what_is_asked(question, answer, left):
    amounts = parse_amounts(answer)
    assert [amount.text for amount in of_what_is_asked(amounts, amounts, answer, question)] == left


def test_a_quantity_that_only_measures_another_is_not_named():
    assert quantities_of("research was 12% of revenue") == {"research"}


def test_the_figure_of_another_quantity_is_no_match():
    match = numeric_match(5, "USD millions", None, "Goodwill was $5 million.", question="How large was the inventory?")
    assert (match.verdict, match.reason) == ("unmatched", "other_quantity")


@pytest.mark.parametrize(
    ("lead", "tail", "question", "undone"),
    [
        ("It redeemed A and issued ", "", "Which notes were issued?", False),
        ("It redeemed ", " and issued B", "Which notes were issued?", True),
        ("", " was sold in 2020", "Which companies were acquired?", True),
        ("Park left and was succeeded by ", "", "Who left?", True),
        ("It acquired A, which sells software, and ", "", "Which companies were acquired?", False),
        ("It redeemed ", "", "Which notes are described?", False),
    ],
)
def test_what_was_done_with_an_item(lead, tail, question, undone):
    assert is_undone(lead, tail, question) == undone


def test_another_phase():
    assert is_of_another_phase(" is in Phase 1", "What is in Phase 2?")
    assert not is_of_another_phase(" is in Phase 2", "What is in Phase 2?")
    assert not is_of_another_phase(" was approved", "What is in Phase 2?")
