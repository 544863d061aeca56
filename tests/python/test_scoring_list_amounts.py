"""Amounts in list items: by value and scale, as numeric answers are."""

from __future__ import annotations

import pytest

from finrag.scoring.list_amounts import figures_differ, in_amounts_of
from finrag.scoring.lists import contradict, list_match
from growth import assert_linear

GOLD = ["Harbor Foods: $1,613.2 million", "Copper Farms: $619.5 million", "Freight: $261.4 million"]
QUESTION = "Which figures does Brill report for revenues by segment in fiscal 2021?"
HEADER = "| Segment | Revenue |\n|---|---|\n"
IN_MILLIONS = "| Segment | Revenue ($ millions) |\n|---|---|\n"


@pytest.mark.parametrize(
    ("answer", "jaccard"),
    [
        ("Harbor Foods: $1,613.2M; Copper Farms: $619.5M; Freight: $261.4M", 1.0),
        ("Harbor Foods: $1,613,200,000; Copper Farms: $619,500,000; Freight: $261,400,000", 1.0),
        ("Harbor Foods: $1.6132 billion; Copper Farms: $619.5 million; Freight: $261.4 million", 1.0),
        (["Harbor Foods: $1.6132 billion", "$619.5M for Copper Farms", "Freight: 261.4 million"], 1.0),
        ('{"Harbor Foods": "$1,613.2M", "Copper Farms": "$619.5M", "Freight": "$261.4M"}', 1.0),
        (
            HEADER
            + "| Harbor Foods | $1,613.2 million |\n| Copper Farms | $619.5 million |\n| Freight | $261.4 million |",
            1.0,
        ),
        (IN_MILLIONS + "| Harbor Foods | $1,613.2 |\n| Copper Farms | $619.5 |\n| Freight | $261.4 |", 1.0),
        ("In millions: Harbor Foods $1,613.2, Copper Farms $619.5, Freight $261.4", 1.0),
        (
            "Brill reported $1,613.2 million for Harbor Foods, $619.5 million for Copper Farms and $261.4 million for "
            "Freight.",
            1.0,
        ),
        ("Harbor Foods had revenues of $1,613.2 million, Copper Farms of $619.5 million and Freight of $261M.", 1.0),
        # a millionth, a thousandth, another currency, a minus
        ("Harbor Foods: $1,613.2; Copper Farms: $619.5; Freight: $261.4", 0.0),
        ("Harbor Foods: $1,613.2 thousand; Copper Farms: $619.5 thousand; Freight: $261.4 thousand", 0.0),
        ("Harbor Foods: €1,613.2 million; Copper Farms: €619.5 million; Freight: €261.4 million", 0.0),
        ("Harbor Foods: -$1,613.2 million; Copper Farms: -$619.5 million; Freight: -$261.4 million", 0.0),
        # of other parts: one of three is right, 1 / (3 + 3 - 1)
        ("Harbor Foods $619.5M, Copper Farms $1,613.2M, Freight $261.4M", 0.2),
        (IN_MILLIONS + "| Harbor Foods | $619.5 |\n| Copper Farms | $1,613.2 |\n| Freight | $261.4 |", 0.2),
        # another figure: two of three, 2 / (3 + 3 - 2)
        (IN_MILLIONS + "| Harbor Foods | $1,613.2 |\n| Copper Farms | $619.5 |\n| Freight | $261.5 |", 0.5),
        ("$1,613.2 million, $619.5 million and $261.4 million", 0.0),
        # all labels, then all amounts; two of them exchanged: 1 / (3 + 3 - 1)
        (
            "Harbor Foods, Copper Farms and Freight brought in $1,613.2 million, $619.5 million and $261.4 million, "
            "respectively.",
            1.0,
        ),
        (
            "Harbor Foods, Copper Farms and Freight brought in $619.5 million, $1,613.2 million and $261.4 million, "
            "respectively.",
            0.2,
        ),
        # a share before the amount; before those of other parts, shares are items of their own: 1 / (3 + 5 - 1)
        ("Harbor Foods (65%, $1,613.2 million), Copper Farms (25%, $619.5 million), Freight ($261.4 million)", 1.0),
        ("Harbor Foods (65%, $619.5 million), Copper Farms (25%, $1,613.2 million), Freight ($261.4 million)", 1 / 7),
        # the sum of the others, 1,613.2 + 619.5 + 261.4 = 2,494.1, and another: 3 / (3 + 4 - 3)
        ("Harbor Foods: $1,613.2M\nCopper Farms: $619.5M\nFreight: $261.4M\nTotal: $2,494.1 million", 1.0),
        ("Harbor Foods: $1,613.2M\nCopper Farms: $619.5M\nFreight: $261.4M\nTotal revenues: $2.5 billion", 1.0),
        ("Harbor Foods: $1,613.2M\nCopper Farms: $619.5M\nFreight: $261.4M\nTotal: $2,594.1 million", 0.75),
        ("Harbor Foods: $1,613.2M\nCopper Farms: $619.5M\nTotal: $2,494.1 million", 0.5),
    ],
)
def test_amounts_of_parts(answer: str | list[str], jaccard: float) -> None:
    assert list_match(GOLD, answer, QUESTION).jaccard == pytest.approx(jaccard)


@pytest.mark.parametrize(
    ("answer", "is_match"),
    [
        ("Product sales of $53.2M and service sales of $13.3M", True),
        (HEADER + "| Products | $53.2 million |\n| Services | $13.3 million |\n| Total | $66.5 million |", True),
        (HEADER + "| Products | $13.3 million |\n| Services | $53.2 million |", False),
        ("Product costs of $53.2M and service costs of $13.3M", False),
        ("Product sales of $13.3M and service sales of $53.2M", False),
        ("Costs of product sales of $53.2M and of service sales of $13.3M", False),
    ],
)
def test_labels_turned_round_and_cut_short(answer: str, is_match: bool) -> None:
    gold = ["Sales of products: $53.2 million", "Sales of services: $13.3 million"]
    assert list_match(gold, answer, "How does Brill break revenues down?").is_match == is_match


@pytest.mark.parametrize(
    ("answer", "jaccard"),
    [
        ("- Lower average loan size (ALS) due to higher rates\n- Fewer branches in all states", 1.0),
        ("- Lower average lot size (AXS) due to higher rates\n- Fewer branches in all states", 1 / 3),
    ],
)
def test_initials_within_an_item(answer: str, jaccard: float) -> None:
    gold = ["Lower ALS due to higher rates", "Fewer branches in all states"]
    assert list_match(gold, answer, "List the drivers.").jaccard == pytest.approx(jaccard)


def test_a_scale_that_the_question_asks_for_need_not_be_said() -> None:
    answer = "Harbor Foods: $1,613.2; Copper Farms: $619.5; Freight: $261.4"
    assert list_match(GOLD, answer, f"{QUESTION[:-1]} (in USD millions)?").jaccard == 1.0


@pytest.mark.parametrize(
    ("gold", "answer", "differ"),
    [
        ("cut its workforce by 20%", "20% workforce reduction", False),
        ("notes of $500 million due 2021", "$0.5 billion notes due 2021", False),
        ("notes of $500 million due 2021", "$500 million notes due 2023", True),
        ("notes of $500 million", "notes of $500", True),
        ("$80.9 million", "$81 million", False),  # within half of the last digit of the coarser
        ("$80.9 million", "$82 million", True),
        ("six plants", "seven plants", True),
        ("a 6.5% rate on $40 million", "a rate of 6.5%", True),
    ],
)
def test_figures_by_value(gold: str, answer: str, differ: bool) -> None:
    assert figures_differ(gold, answer) == differ
    assert contradict(gold, answer) == differ


def test_an_answer_without_the_amounts_stays_as_it_is() -> None:
    assert in_amounts_of(["higher volume"], "higher volume of 5%") == "higher volume of 5%"
    assert in_amounts_of(["Snacks $3.4 million"], "Meals $5 million") == "Meals $5 million"
    assert (
        in_amounts_of(["Snacks $3.4 million"], "$3.4 million was not for Snacks") == "$3.4 million was not for Snacks"
    )


@pytest.mark.parametrize(
    "passage", ["Harbor Foods: ", "$1,613.2M, ", "Harbor Foods: $1.6B; ", "$1.6B for ", "| ", "7", "-"]
)
def test_time_grows_with_the_length_of_an_answer(passage: str) -> None:
    assert_linear(lambda answer: in_amounts_of(GOLD, answer), passage)
