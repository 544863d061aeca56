"""The baseline of answer_question by hand, and its prompt."""

from __future__ import annotations

import re

import pytest

from finrag.llm.prompts import render
from finrag.llm.tasks import find_task

ACME, BOLT = "ACME CORP", "BOLT & NUT, INC."
TEXTS = [
    ("a1", ACME, 2019, "Total revenue was $4.3 billion in 2019, compared to $4.0 billion in 2018."),
    ("a2", ACME, 2019, "Gross margin was 41.5% of revenue, and diluted earnings were $1.46 per share."),
    ("a3", ACME, 2019, "Net cash used in financing activities was $(2.3) million, mainly repayments of debt."),
    ("a4", ACME, 2020, "Total revenue declined because of lower volumes in Europe."),
    ("b1", BOLT, 2019, "A cyber attack could disrupt our plants and harm our reputation."),
    ("a5", ACME, 2019, "A breach of cyber security could expose customer data to theft."),
    ("a6", ACME, 2019, "We did not pay any dividends on our common stock."),
    ("a7", ACME, 2019, "We repurchased 1,250,000 shares of common stock."),
]
CONTEXTS = [
    {"sentence_id": key, "company_name": company, "report_year": year, "section_id": "ITEM_7", "text": text}
    for key, company, year, text in TEXTS
]


def answer(question: str, kind: str, contexts: list[dict] = CONTEXTS) -> dict:
    inputs = {"question_text": question, "answer_type": kind, "entities": None, "contexts": contexts}
    return find_task("answer_question").baseline(inputs).model_dump()


@pytest.mark.parametrize(
    ("question", "value", "unit", "cited"),
    [
        ("What was the total revenue of Acme in 2019?", 4.3e9, "USD", "a1"),
        ("What was Acme's gross margin as a percentage of revenue in 2019?", 41.5, "%", "a2"),
        ("What were Acme's diluted earnings per share in 2019?", 1.46, "USD per share", "a2"),
        ("How much net cash did Acme use in financing activities in 2019?", -2.3e6, "USD", "a3"),
        ("How many shares of common stock did Acme repurchase in 2019?", 1_250_000, "shares", "a7"),
    ],
)
def test_numbers_come_out_in_base_units(question, value, unit, cited):
    found = answer(question, "numeric")
    assert (found["answer_numeric"], found["answer_unit"]) == (pytest.approx(value), unit)
    assert found["cited_sentence_ids"] == [cited]
    assert found["is_answerable"]


def test_a_span_is_the_sentence():
    found = answer("Why did the total revenue of Acme decline in 2020?", "span")
    assert found["answer_text"] == TEXTS[3][3]
    assert (found["cited_sentence_ids"], found["answer_type"]) == (["a4"], "span")


def test_a_list_has_an_item_for_each_company():
    by_id = {key: text for key, _, _, text in TEXTS}
    found = answer("How do Acme and Bolt & Nut describe cyber risks in 2019?", "list")
    assert sorted(found["cited_sentence_ids"]) == ["a5", "b1"]
    assert found["answer_items"] == [by_id[key] for key in found["cited_sentence_ids"]]


@pytest.mark.parametrize(
    ("question", "expected", "opening"),
    [
        ("Did Acme's total revenue decline in 2020?", True, "Yes. "),
        ("Did Acme's total revenue increase in 2020?", False, "No. "),
        ("Did Acme pay dividends on its common stock in 2019?", False, "No. "),
    ],
)
def test_yes_or_no(question, expected, opening):
    found = answer(question, "boolean")
    assert found["answer_boolean"] is expected
    assert found["answer_text"].startswith(opening)


LEVELS = [
    (
        "c1",
        ACME,
        2020,
        "Interest expense rose to $173.6 million in 2020 from $149.2 million in 2019, owing to new notes.",
    ),
    ("c2", ACME, 2020, "Net income was $191.1 million in 2020, because of the fall in operating income and rate cuts."),
    (
        "c3",
        ACME,
        2020,
        "Gross profit was $240.7 million, or 34% of sales, compared with $274.6 million in fiscal 2019.",
    ),
    ("c4", ACME, 2020, "We report on the fiscal year ended January 31, 2020."),
    (
        "c5",
        ACME,
        2020,
        "Freight revenue increased 17.6%, as a result of higher contract rates and more miles per truck.",
    ),
    ("c6", BOLT, 2020, "Freight revenue increased 3.1%, due to two new depots."),
    ("c7", ACME, 2020, "Adjusted EBITDA means operating income before depreciation and amortization."),
]
LEVELS = [
    {"sentence_id": key, "company_name": company, "report_year": year, "section_id": "ITEM_7", "text": text}
    for key, company, year, text in LEVELS
]


@pytest.mark.parametrize(
    ("question", "value", "said"),
    [
        ("What was Acme's interest expense in fiscal 2020?", 173.6e6, "$173.6 million"),
        ("What was Acme's interest expense in fiscal 2019?", 149.2e6, "$149.2 million"),
        (
            "By how much did Acme's interest expense change from fiscal 2019 to fiscal 2020?",
            24.4e6,
            "an increase of $24.4 million",
        ),
        (
            "What was the change in the gross profit of Acme between fiscal 2019 and fiscal 2020?",
            -33.9e6,
            "a decrease of $33.9 million",
        ),
    ],
)
def test_the_figure_of_the_year_and_its_change(question, value, said):
    found = answer(question, "numeric", LEVELS)
    assert found["answer_numeric"] == pytest.approx(value)
    assert said in found["answer_text"]


ROW = ("r1", ACME, 2020, "Stock-based compensation $18.0 $30.5")
SENTENCE = ("r2", ACME, 2020, "Stock-based compensation was $18.0 million in 2020 compared with $30.5 million in 2019.")
EARLIER = ("r3", ACME, 2019, "Stock-based compensation was $30.5 million in 2019.")


@pytest.mark.parametrize(
    ("texts", "change"),
    [([ROW, SENTENCE], -12.5e6), ([SENTENCE], -12.5e6), ([ROW, EARLIER], None)],
    ids=["sentence beside row", "sentence", "row and sentence"],
)
def test_a_row_whose_caption_has_the_scale_is_not_set_against_a_sentence(texts, change):
    """ "$18.0" of a table in millions less "$30.5 million" is no change of anything."""
    contexts = [
        {"sentence_id": key, "company_name": company, "report_year": year, "section_id": "ITEM_7", "text": text}
        for key, company, year, text in texts
    ]
    asked = "By how much did Acme's stock-based compensation change from fiscal 2019 to fiscal 2020?"
    assert answer(asked, "numeric", contexts)["answer_numeric"] == (change and pytest.approx(change))
    lower = answer("Was Acme's stock-based compensation lower in fiscal 2020 than in fiscal 2019?", "boolean", contexts)
    assert lower["answer_boolean"] == (change and True)


@pytest.mark.parametrize(
    ("question", "kind", "items", "text"),
    [
        ("Was Acme's interest expense higher in fiscal 2020 than in fiscal 2019?", "boolean", [], "Yes. Interest"),
        ("Was Acme's gross profit higher in fiscal 2020 than in fiscal 2019?", "boolean", [], "No. Gross"),
        (
            "Which factors does Acme name for the increase in its freight revenue in fiscal 2020?",
            "list",
            ["higher contract rates", "more miles per truck"],
            "Freight revenue increased 17.6%",
        ),
        (
            "In fiscal 2020, why did Acme's freight revenue increase and Bolt & Nut's freight revenue increase?",
            "list",
            ["ACME CORP: higher contract rates and more miles per truck", "BOLT & NUT, INC.: two new depots"],
            "Freight revenue",
        ),
        (
            "Which date closes the fiscal year that Acme reports on in its fiscal 2020 10-K?",
            "span",
            [],
            "January 31, 2020",
        ),
        ("How does Acme define “Adjusted EBITDA” in its fiscal 2020 10-K?", "span", [], "Adjusted EBITDA means"),
        (
            "Which item of the fiscal 2018 to 2022 10-Ks of Acme defines “Adjusted EBITDA”?",
            "span",
            [],
            "Adjusted EBITDA",
        ),
    ],
)
def test_years_are_compared_and_reasons_and_dates_read(question, kind, items, text):
    found = answer(question, kind, LEVELS)
    assert found["answer_items"] == items
    assert found["answer_text"].startswith(text)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What was Acme's operating income in fiscal 2020?", "numeric"),  # named only as the cause of another figure
        ("What was Bolt & Nut's interest expense in fiscal 2020?", "numeric"),
        ("What was Acme's interest expense in fiscal 2016?", "numeric"),
        ("What is the definition of “constant currency” in the fiscal 2020 10-K of Acme?", "span"),
        ("What do the risk factors of Acme's fiscal 2020 10-K say about regulatory risks?", "span"),
        ("Which factors does Acme name for the decrease in its freight revenue in fiscal 2020?", "list"),
    ],
)
def test_negative_controls_are_not_answered(question, kind):
    assert not answer(question, kind, LEVELS)["is_answerable"]


@pytest.mark.parametrize(
    ("question", "kind", "contexts"),
    [
        ("What was the average lease term of aircraft at Delta?", "span", CONTEXTS),
        ("Why did the total revenue of Acme decline in 2020?", "numeric", CONTEXTS[3:4]),  # no figure there
        ("What was the total revenue of Acme in 2019?", "numeric", []),
        ("", "span", CONTEXTS),
    ],
)
def test_what_the_sentences_do_not_hold_is_not_answered(question, kind, contexts):
    found = answer(question, kind, contexts)
    assert not found["is_answerable"]
    assert (found["answer_numeric"], found["cited_sentence_ids"], found["answer_items"]) == (None, [], [])


def test_equal_inputs_give_equal_answers_whatever_the_order_of_ties():
    question = "What was the total revenue of Acme in 2019?"
    assert answer(question, "span") == answer(question, "span")


def test_that_a_question_has_no_answer_is_not_given_away():
    """An answer type that names the answer reaches the prompt as the plain form, and so does an unknown one."""
    task = find_task("answer_question")
    inputs = {"question_text": "What was revenue?", "entities": None, "contexts": CONTEXTS[:1]}
    prompts = [render(task.text, inputs | {"answer_type": kind}).user for kind in ("no_answer", "span", None)]
    bodies = [re.sub(r"\b[0-9a-f]{12}\b", "KEY", prompt) for prompt in prompts]
    assert bodies[0] == bodies[1] == bodies[2]
    assert "no_answer" not in prompts[0]
    assert answer("What was revenue?", "no_answer")["answer_type"] == "span"


def test_the_prompt_holds_question_entities_and_a_sentence_per_line():
    inputs = {"question_text": "What was revenue?", "answer_type": "numeric", "entities": {"years": [2019]}}
    user = render(find_task("answer_question").text, inputs | {"contexts": CONTEXTS}).user
    assert user.count('{"sentence_id": ') == len(CONTEXTS)
    assert "Form of the answer: numeric, one figure." in user
    assert '{"years": [2019]}' in user
