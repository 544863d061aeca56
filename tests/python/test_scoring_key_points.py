"""Key points that answers state, by cases that were labelled by hand before the rules read them."""

from __future__ import annotations

import pytest

from csv_files import rows_of
from finrag.scoring.attribution import company
from finrag.scoring.key_points import WORD_SHARE, points_stated, unframed
from finrag.text.items import rows_in_words

CASES = rows_of("tests/fixtures/key_point_cases.csv")
# Points that are misread, and why. All but three are stated in words that the rules do not know for the point's.
MISREAD = {
    "The company has three reportable segments.": "a number before a colon counts nothing",
    "No material weaknesses in internal control were identified.": "internal control is left out",
    "$750 million matures in 2022.": "falls due",
    "The auditor remained Ernst & Young.": "replaced: two of three words are there",
    "The notes bear interest at 3.25%.": "3.25% notes",
    "The notes mature in 2031.": "due",
    "The company tests goodwill for impairment at least once a year.": "annually",
    "The company cut its leases because of remote work.": "work from home",
    "Lockheed Martin's backlog was $135 billion.": "the company is named after its figure",
    "The new lease standard was adopted in 2019.": "its number for new",
    "The credit facility matures in 2027.": "due",
    "The company has 12,500 employees.": "employs people",
    "Cybersecurity threats": "cyber attacks",
    "Margin rose because of lower input costs.": "cheaper inputs",
    "There were 512 million shares outstanding.": "512M after its name is no count of shares",
    "Adjusted EBITDA was $305 million.": "Adj.",
    "The company was founded in 1984.": "it went public in that year",
}


def stated(case: dict) -> bool:
    names = [name for name in case["companies"].split("|") if name]
    companies = [company(name, name, others=names) for name in names]
    return points_stated([case["point"]], case["answer"], case["question"], companies)[0]


def test_points_by_hand():
    wrong = [case for case in CASES if stated(case) != (case["stated"] == "yes")]
    assert {case["point"] for case in wrong} == MISREAD.keys()
    assert len(wrong) == len(MISREAD)
    assert (len(CASES), len([case for case in wrong if case["stated"] == "no"])) == (217, 2)


def test_every_point_has_its_verdict_in_order():
    points = ["The amount must be stated as $5 million.", "The answer must speak of 2018.", "Volumes rose."]
    answer = "It was $5.0 million in 2018, as volumes fell."
    assert points_stated(points, answer, "What was revenue?") == [True, True, False]
    assert points_stated(points, "", "What was revenue?") == [False, False, False]
    assert points_stated([], answer) == []


def test_exactly_the_share_of_words_is_enough():
    """Of five words three are said, and of four two."""
    assert WORD_SHARE == 0.6
    assert points_stated(["alpha beta gamma delta epsilon"], "Alpha, beta and gamma.") == [True]
    assert points_stated(["alpha beta gamma delta"], "Alpha and beta.") == [False]


@pytest.mark.parametrize(
    ("point", "said"),
    [
        ("The answer must speak of 2018.", "2018."),
        ("The amount must be stated as $1,577 million.", "$1,577 million."),
        ("The response identifies freight costs.", "freight costs."),
        ("Mentions that volumes rose", "volumes rose"),
        ("The figure rose 4%", "The figure rose 4%"),
        ("Notes payable rose.", "Notes payable rose."),
    ],
)
def test_what_a_point_says_about_answers_is_left_out(point, said):
    assert unframed(point) == said


@pytest.mark.parametrize(
    ("answer", "is_stated"),
    [
        ("Revenue was $1,577.4 million.", True),
        ("Revenue was $1,577.6 million.", False),
        ("Revenue was $1.577 billion.", True),
        ("Revenue was $1.58 billion.", False),
        ("Revenue was 1,577 million euros.", False),
    ],
)
def test_a_figure_counts_within_half_of_the_last_digit_of_the_point(answer, is_stated):
    assert points_stated(["Revenue was $1,577 million."], answer) == [is_stated]


TABLE = (
    "| Metric | FY2025 | FY2024 |\n|:--|--:|--:|\n| Gross margin | 75.0% | 72.7% |\n| Income tax | $11.1 billion | |"
)


@pytest.mark.parametrize(
    ("point", "is_stated"),
    [
        ("Gross margin was 75.0% in fiscal year 2025.", True),
        ("Gross margin was 72.7% in 2024.", True),
        # the figures of the other year's column
        ("Gross margin was 72.7% in fiscal year 2025.", False),
        ("Income tax was $11.1 billion in 2024.", False),
    ],
)
def test_a_row_of_a_table_is_read_with_its_headers(point, is_stated):
    assert points_stated([point], TABLE, "How did gross margin and income tax change?") == [is_stated]


def test_rows_in_words():
    assert rows_in_words(TABLE).splitlines() == [
        "Gross margin, FY2025 75.0%, FY2024 72.7%",
        "Income tax, FY2025 $11.1 billion",
    ]
    # without a rule no header is known, and a row of another width is left
    left = "Before\n| a | b |\n| c | d |\n\n| h | i |\n|---|---|\n| j | k | l |\nAfter"
    assert rows_in_words(left).splitlines() == ["Before", "| a | b |", "| c | d |", "", "| j | k | l |", "After"]


@pytest.mark.parametrize(
    ("point", "answer", "is_stated"),
    [
        ("EBITDA excludes discontinued operations.", "It includes the results of discontinued operations.", False),
        ("EBITDA excludes discontinued operations.", "EBITDA excluding discontinued operations.", True),
        ("Sales declined 23.1% compared to the prior year.", "A 23.1% drop in sales versus 2023.", True),
    ],
)
def test_an_opposite_is_not_the_point_and_a_comparison_is_no_part_of_it(point, answer, is_stated):
    assert points_stated([point], answer, "How is EBITDA defined, and how did it change?") == [is_stated]


@pytest.mark.parametrize(
    ("point", "answer", "is_stated"),
    [
        # a figure a share, by whichever name, of the same kind of share
        ("Diluted EPS was $0.73.", "Diluted earnings came to 73 cents per share.", True),
        ("EPS of $0.73", "Earnings per diluted share were $0.73.", True),
        ("Diluted EPS was $0.73.", "Dividends were 73 cents per share.", False),
        ("Diluted EPS was $0.73.", "Basic EPS was $0.73.", False),
        # a loss is a negative income
        ("Operating loss was $45 million.", "Operating income: -$45M", True),
        ("Operating loss was $45 million.", "Operating income was $45 million.", False),
        ("Diluted net income per share was $(1.20).", "Diluted loss per share was $1.20.", True),
        # a rise and a fall by the sign
        ("Gross margin rose 120 basis points.", "Gross margin: +120 bps", True),
        ("Gross margin rose 120 basis points.", "Gross margin: -120 bps", False),
        # a cause is none of its opposite
        ("Sales fell because of lower volumes.", "Sales fell despite higher volumes.", False),
        # all the words of a quantity that has another name
        ("Research and development expense was $310 million.", "R&D: $310M", True),
        ("Free cash flow was $2.1 billion.", "FCF was $2.1 billion.", True),
        ("Free cash flow was $2.1 billion.", "Operating cash flow was $2.1 billion.", False),
    ],
)
def test_other_names_and_signs_of_a_figure(point, answer, is_stated):
    question = "What were R&D cost, free cash flow, diluted EPS and the operating loss, and how did the margin change?"
    assert points_stated([point], answer, question) == [is_stated]
