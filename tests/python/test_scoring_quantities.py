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


OF_PART = "What did Brill Energy state for revenues (segment: Midstream) in fiscal 2021?"
OF_DEBT = "What figure does Brill give for long-term debt at the end of fiscal 2021?"
CAPEX = "What was the capital expenditure amount?"
EPS = "What was the change in diluted EPS between fiscal 2020 and fiscal 2021?"
OF_COMPANY = "What was the revenue of Norda in fiscal 2020?"


@pytest.mark.parametrize(
    ("question", "answer", "is_match"),
    [
        # another part, where its clause names it and not the question's
        (OF_PART, "Pipelines revenue was $5.0 million.", False),
        (OF_PART, "The Pipelines segment had revenues of $5.0 million.", False),
        (OF_PART, "In the Pipelines segment revenue was $5.0 million; Midstream had $3.0 million.", False),
        ("What were the sales of the Snacks segment?", "Its Meals division had sales of $5.0 million.", False),
        (OF_PART, "Midstream revenue was $5.0 million.", True),
        (OF_PART, "Brill Energy reported revenues of $5.0 million.", True),
        (OF_PART, "BRL revenue was $5.0 million.", True),
        (OF_PART, "Total Revenues were $5.0 million.", True),
        (OF_PART, "In the Midstream segment, revenue was $5.0 million, in the Pipelines segment $3.0 million.", True),
        # another fiscal year, where the question's is never said
        (OF_PART, "In fiscal 2020, Midstream revenue was $5.0 million.", False),
        (OF_PART, "Midstream revenue was $5.0 million in FY2020.", False),
        (OF_PART, "Midstream revenue rose 25% from fiscal 2020 to $5.0 million.", True),
        (OF_PART, "Midstream: $5.0 million, up from $4.0 million in fiscal 2020.", True),
        (OF_DEBT, "As of January 29, 2022, long-term debt was $5.0 million.", True),
        # what flows in or out of a debt
        (OF_DEBT, "Repayments of long-term debt were $5.0 million in 2021.", False),
        (OF_DEBT, "Proceeds from the issuance of long-term debt were $5.0 million.", False),
        (OF_DEBT, "Interest paid on long-term debt was $5.0 million.", False),
        (OF_DEBT, "After repayments of debt, long-term debt was $5.0 million.", True),
        (OF_DEBT, "Repayments of debt were $2.0 million; long-term debt was $5.0 million.", True),
        ("How much long-term debt did Brill repay?", "Repayments of long-term debt were $5.0 million.", True),
        # another company, where the question's has a figure
        (OF_COMPANY, "Ostrava had revenue of $5.0 million; Norda had revenue of $3.0 million.", False),
        (OF_COMPANY, "Ostrava had revenue of $3.0 million; Norda had revenue of $5.0 million.", True),
        # a franchise is a part, and so is what a company's name is before; interest may be paid or earned
        (
            "What were the sales of its Skin Care franchise?",
            "The Oral Care franchise had sales of $5.0 million.",
            False,
        ),
        ("What was Brill's Snacks revenue?", "Frozen Meals revenue was $5.0 million.", False),
        ("What was Brill's Food and Snacks revenue?", "FoS revenue was $5.0 million.", True),
        ("What was Brill's interest income?", "Interest expense: $5.0 million", False),
        ("What was Brill's net interest income?", "Net interest expense was $5.0 million.", True),
        # what a change comes from is not what it is of
        (
            "By how much did Brill's debt increase?",
            "It attributes the $5.0 million increase to net proceeds of debt.",
            True,
        ),
        (
            "Comparing 2021 with 2020, by how much did its debt change?",
            "* 2021 debt: $9.0 million\n\nDifference: $5.0 million",
            True,
        ),
        ("What cash came from operating activities?", "$5.0 million was used in investing activities.", False),
        ("What cash did its financing activities use?", "Cash used in financing activities was $5.0 million.", True),
        # by how much it changed is not what it was
        ("By how much did Brill's debt increase?", "Total debt was $5.0 million.", False),
        ("By how much did Brill's debt increase?", "Total debt was $5.0 million higher.", True),
        ("By how much did capital expenditures rise?", "Capex was $5.0 million.", False),
        ("By how much did capital expenditures rise?", "The effect on capex was $5.0 million.", True),
        ("By how much did Brill's debt increase?", "The increase in debt was $5.0 million.", True),
        (OF_COMPANY, "Revenue was $5.0 million.", True),
        # or where the answer never names the question's
        (OF_COMPANY, "Ostrava reported revenue of $5.0 million in fiscal 2020.", False),
        (OF_COMPANY, "Ostrava's total revenue was $5.0 million.", False),
        (OF_COMPANY, "The revenue of Ostrava Corporation was $5.0 million.", False),
        (OF_COMPANY, "Unlike Ostrava, Norda reported revenue of $5.0 million.", True),
        (OF_COMPANY, "Management reported revenue of $5.0 million.", True),
        (OF_COMPANY, "NRD's revenue was $5.0 million.", True),
        (OF_COMPANY, "The Income Statement reports revenue of $5.0 million.", True),
        ("What was Alphabet's revenue in fiscal 2020?", "Google's revenue was $5.0 million.", True),
        ("What was the net income of JPMorgan Chase?", "JP Morgan reported net income of $5.0 million.", True),
        ("What were Norda's well costs in 2020?", "Ostrava reported well costs of $5.0 million.", False),
        ("What share of the votes does the founder of Norda hold?", "$5.0 million of the votes of Class A", True),
        ("What was the revenue of Norda's largest customer?", "Ostrava had revenue of $5.0 million.", True),
        ("What was Norda's cloud revenue?", "Cloud generated revenue of $5.0 million.", True),
    ],
)
def test_figures_of_other_parts_years_flows_and_companies(question: str, answer: str, is_match: bool) -> None:
    match = numeric_match(5, "USD millions", None, answer, question=question)
    assert (match.verdict == "matched") == is_match, match.reason


@pytest.mark.parametrize(
    ("gold", "unit", "question", "answer", "is_match"),
    [
        (1577, "USD millions", CAPEX, "In the cash flow statement, purchases of PP&E were $(1,577) million.", True),
        (1577, "USD millions", CAPEX, "The statement of cash flows has $1,577 million for it.", True),
        (1577, "USD millions", CAPEX, "Additions to property were $1,577 million.", True),
        (1577, "USD millions", CAPEX, "Cash flow from operations was $1,577 million.", False),
        (1577, "USD millions", "What was revenue?", "Purchases of property were $1,577 million.", False),
        # a rise said once more in brackets, a fall, and a bracket that is a minus
        (1.93, "USD per share", EPS, "Diluted EPS increased by 98% ($1.93).", True),
        (-1.93, "USD per share", EPS, "Diluted EPS fell by 50% ($1.93).", True),
        (1.93, "USD per share", EPS, "Diluted EPS changed by ($1.93).", False),
    ],
)
def test_what_statements_and_brackets_say(gold, unit, question, answer, is_match) -> None:
    match = numeric_match(gold, unit, None, answer, question=question)
    assert (match.verdict == "matched") == is_match, match.reason


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
