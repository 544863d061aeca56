"""Numeric answers: the hand-made cases, units, and properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csv_files import rows_of
from finrag.errors import FinragError
from finrag.questions.fill import answer_fields
from finrag.scoring.numbers import numeric_match
from finrag.text.amounts import Unit, parse_amounts, parse_unit, parse_years, whole_amount
from finrag.text.plain_text import plain, without_long_runs
from growth import assert_linear

CASES = rows_of("tests/fixtures/numeric_answer_cases.csv")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case_id"])
def test_case(case: dict[str, str]) -> None:
    gold = float(case["gold"])
    match = numeric_match(
        (gold, float(case["gold_high"])) if case["gold_high"] else gold,
        case["unit"],
        float(case["tolerance"]) if case["tolerance"] else None,
        case["answer"],
        case["context_unit"] or None,
    )
    assert (match.verdict, match.reason) == (case["verdict"], case["reason"]), match


def test_cases_are_many_and_distinct() -> None:
    assert len(CASES) >= 40
    assert len({case["case_id"] for case in CASES}) == len(CASES)
    assert {case["verdict"] for case in CASES} == {"matched", "unmatched", "no_number"}


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("USD millions", Unit("USD", 1e6)),
        ("$ in thousands", Unit("USD", 1e3)),
        ("USD", Unit("USD")),
        ("billion dollars", Unit("USD", 1e9)),
        ("%", Unit("%")),
        ("bps", Unit("percentage points", 0.01)),
        ("million shares", Unit("shares", 1e6)),
        ("USD per share", Unit("USD per share")),
        ("USD/share", Unit("USD per share")),
        ("EUR millions", Unit("EUR", 1e6)),
        ("x", Unit("times")),
        ("years", Unit("years")),
        ("fiscal year", Unit("calendar year")),
        (None, Unit("number")),
        ("full-time employees", Unit("number")),
        ("thousand barrels per day", Unit("number", 1e3)),
    ],
)
def test_units(text: str | None, unit: Unit) -> None:
    assert parse_unit(text) == unit


def test_unknown_unit_is_refused() -> None:
    with pytest.raises(FinragError, match=r"Unit 'USD milions' .* is unknown"):
        parse_unit("USD milions")


def test_a_number_is_taken_in_the_unit_of_the_gold() -> None:
    assert numeric_match(2.3, "USD billions", 0.05, 2.34).verdict == "matched"
    assert numeric_match(2.3, "USD billions", 0.05, 2.36).verdict == "unmatched"
    assert numeric_match(2.3, "USD billions", None, None).verdict == "no_number"


def test_amounts_of_an_answer_as_models_write() -> None:
    text = (
        "Long-term debt of $12.4 billion was issued in fiscal 2021 [ACME, FY 2021, Item 7: MD&A]. Dividends were "
        "approximately $3.0-3.2 billion ($1.04 per share for FY 2020, $1.16 for FY 2021); the cloud grew **87%**."
    )
    assert [(amount.value, amount.high, amount.unit, amount.is_approximate) for amount in parse_amounts(text)] == [
        (12.4e9, None, "USD", False),
        (3.0e9, 3.2e9, "USD", True),
        (1.04, None, "USD per share", False),
        (1.16, None, "USD", False),
        (87.0, None, "%", False),
    ]


# The warehouse reads tables too: units of headers and rows, columns of bare figures. An answer has none of them.
TABLES = {
    "percent_in_table_brackets",
    "empty_table_cell_is_no_range",
    "header_bare_integers",
    "header_except_per_share",
    "header_dollars",
    "header_leaves_other_currencies",
    "header_share_row",
    "reference_but_table_row",
    "basis_points_listed",  # "increased 36 and decreased 60 basis points"
}


def test_agrees_with_the_amounts_of_the_warehouse() -> None:
    expected: dict[str, list[tuple[float, str]]] = {}
    texts: dict[str, str] = {}
    for row in rows_of("tests/fixtures/amount_cases.csv"):
        texts.setdefault(row["case_id"], row["sentence"])
        # what the filing around a sentence says of its scale no answer has with it
        if row["unit"] and row["scale_source"] not in ("caption", "convention"):
            expected.setdefault(row["case_id"], []).append((float(row["value"]), row["unit"]))
    missed = set()
    for case_id, amounts in expected.items():
        found = [
            (f"{value:.9g}", amount.unit.replace("percentage points", "%"))
            for amount in parse_amounts(texts[case_id])
            for value in (amount.value, amount.high)
            if value is not None
        ]
        if any((f"{value:.9g}", unit) not in found for value, unit in amounts):
            missed.add(case_id)
    assert len(expected) > 80
    assert missed == TABLES


@given(st.integers(1, 999_999), st.sampled_from(["million", "billion", "thousand"]))
def test_what_is_written_is_read(number: int, scale: str) -> None:
    answer = f"It came to ${number / 10:,.1f} {scale}."
    assert numeric_match(number / 10, f"USD {scale}s", 0.0, answer).verdict == "matched"
    assert numeric_match(number / 10 + 1, f"USD {scale}s", 0.5, answer).verdict == "unmatched"


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for amount in parse_amounts(text):
        assert amount.high is None or amount.high >= amount.value
        assert amount.rounding >= 0


def test_a_long_run_keeps_its_ends_and_its_lines() -> None:
    assert without_long_runs(f"Sales {'.' * 150} $-5") == f"Sales {'.' * 150} $-5"
    assert without_long_runs(f"Sales {'.' * 900} $-5") == f"Sales {'.' * 156} $-5"
    assert without_long_runs(f"a{' ' * 900}\nb") == f"a{' ' * 159}\nb"
    assert without_long_runs(f"a{' ' * 300}\n{' ' * 300}b") == f"a{' ' * 80}\n{' ' * 80}b"
    assert without_long_runs(f"a{' ' * 90}{chr(10) * 300}{' ' * 90}b") == f"a{' ' * 80}\n\n{' ' * 80}b"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1 in 4", "25 percent"),
        ("1 in 0", "1 in 0"),
        ("one in zero", "one in zero"),
        ("5½ years and 12 and a half", "5.5 years and 12.5"),
        ("2 years and 3 months", "27 months"),
        ("3" * 16 + "½", "3" * 16 + "½"),
        ("3" * 4400 + " years and 3 months", "3" * 4400 + " years and 3 months"),
    ],
    ids=lambda text: text[:24],
)
def test_what_is_no_figure_stays_as_it_is(text: str, written: str) -> None:
    assert plain(text) == written


@pytest.mark.parametrize("digits", ["9" * 31, "9" * 320, "9" * 5000])
def test_a_row_of_digits_is_no_amount(digits: str) -> None:
    assert parse_amounts(f"about {digits} trillion and ${digits}") == []
    assert whole_amount(digits) is None


@pytest.mark.parametrize("passage", ["7", "\n", "1,", ". "])
def test_time_grows_with_the_length_of_a_text_with_amounts(passage: str) -> None:
    assert_linear(parse_amounts, passage)
    assert_linear(parse_years, passage)
    assert_linear(whole_amount, passage)


def test_fiscal_years_are_years():
    assert [year.value for year in parse_years("From FY 2019 and FY2020 to 2021, not 2,022 or $2023.")] == [
        2019,
        2020,
        2021,
    ]


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("What were traffic acquisition costs (TAC) in 2021?", "TAC was $45 million.", "matched"),
        ("What was the increase in 2021 (as reported)?", "$45 million as reported.", "matched"),
        ("What was the income tax expense (benefit) in 2021?", "A benefit of $45 million.", "unmatched"),
        ("How much did changes in rates reduce sales in 2021?", "They reduced sales by $45 million.", "matched"),
        ("How much did changes in rates reduce sales in 2021?", "They increased sales by $45 million.", "unmatched"),
    ],
)
def test_what_brackets_and_changes_of_a_question_say_of_the_sign(question: str, answer: str, verdict: str) -> None:
    assert numeric_match(45, "USD millions", 0.5, answer, question=question).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("45% ↓", "matched"),
        ("Sales: $3 billion (45% ▼)", "matched"),
        ("↓ 45%", "matched"),
        ("45% ↑", "unmatched"),
        ("▲ 45%", "unmatched"),
        ("Sales fell to $3 billion (45%).", "matched"),
        ("Sales rose to $3 billion (45%).", "unmatched"),
        ("Sales were $3 billion (45%).", "unmatched"),
    ],
)
def test_arrows_and_brackets_after_a_level_give_a_sign(answer: str, verdict: str) -> None:
    question = "What was the change in sales in 2021?"
    assert numeric_match(-45, "%", 0.5, answer, question=question).verdict == verdict


@pytest.mark.parametrize("answer", ["$3 billion (45%)", "$3 billion (45% ↓)", "$3 billion ▼45%", "$3B ↓"])
def test_a_change_beside_a_level_leaves_it_as_it_is(answer: str) -> None:
    assert numeric_match(3, "USD billions", 0.5, answer, question="What were the sales in 2021?").verdict == "matched"


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("What was the income tax expense (benefit) in 2021?", "$45 million (benefit)", "matched"),
        ("What was the income tax expense (benefit) in 2021?", "$45 million (income tax benefit)", "matched"),
        ("What was the income tax expense (benefit) in 2021?", "$45 million (expense)", "unmatched"),
        (
            "What was the income tax expense (benefit) in 2021?",
            "Income tax expense (benefit): $45 million",
            "unmatched",
        ),
        ("What was the net income in 2021?", "$45 million (a loss)", "matched"),
        ("What was the net income in 2021?", "$45 million (negative)", "matched"),
        ("What was the net income in 2021?", "$45 million (a profit)", "unmatched"),
    ],
)
def test_a_word_in_brackets_after_a_figure_gives_its_sign(question: str, answer: str, verdict: str) -> None:
    assert numeric_match(-45, "USD millions", 0.5, answer, question=question).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Operating cash flow was a use of $45 million.", "matched"),
        ("Operating cash flow was a source of $45 million.", "unmatched"),
        ("It had a cash drain of $45 million.", "matched"),
    ],
)
def test_what_makes_a_cash_flow_negative(answer: str, verdict: str) -> None:
    question = "What was the operating cash flow in 2021?"
    assert numeric_match(-45, "USD millions", 0.5, answer, question=question).verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("For the nine months ended June 30, 2024 net sales were $45 million.", "unmatched"),
        ("Net sales were $45 million for the nine months ended June 30, 2024.", "unmatched"),
        ("Net sales for the twelve months ended September 30, 2024 were $45 million.", "matched"),
        (
            "Net sales were $30 million in the nine months ended June 30, 2024 and $45 million in fiscal 2024.",
            "matched",
        ),
        (
            "For the nine months ended June 30, 2024 net sales were $30 million, for the full year $45 million.",
            "matched",
        ),
        ("Net sales were $45 million, of which $30 million in the first nine months ended June 30, 2024.", "matched"),
        ("$45 million in Q4 FY2024", "unmatched"),
        ("Q4 2024 net sales: $45 million", "unmatched"),
        ("Net sales were $45 million for the quarter.", "unmatched"),
        ("For the fourth quarter of fiscal 2024, net sales were $45 million.", "unmatched"),
        ("Quarterly net sales were $45 million.", "unmatched"),
        ("Adding the quarterly figures gives $45 million.", "matched"),
        ("The quarterly net sales summed to $45 million.", "matched"),
        ("At the end of the fourth quarter, net sales stood at $45 million.", "matched"),
        ("Net sales were $12 million in the fourth quarter, which brought them to $45 million.", "matched"),
        ("Q1 10 + Q2 11 + Q3 12 + Q4 12 = $45 million", "matched"),
    ],
)
def test_a_part_of_a_year_is_no_year(answer: str, verdict: str) -> None:
    question = "What were the net sales in fiscal 2024?"
    assert numeric_match(45, "USD millions", 0.5, answer, question=question).verdict == verdict
    charged = "What restructuring charge did Norda record in fiscal 2024?"
    assert numeric_match(45, "USD millions", 0.5, "$45 million in the fourth quarter", question=charged).amount
    of_months = "What were the net sales in the nine months of fiscal 2024?"
    assert numeric_match(45, "USD millions", 0.5, "$45 million, for the nine months ended June.", question=of_months)


def verdict_of(gold: str, question: str, answer: str) -> tuple[str, str]:
    """Of an answer to a published question: the unit of its gold is told from both."""
    told = answer_fields(gold, question)
    match = numeric_match(told["answer_numeric"], told.get("answer_unit"), None, answer, question=question)
    return match.verdict, match.reason


IN_MILLIONS = "What were total operating expenses in 2018, in millions?"


@pytest.mark.parametrize(
    ("gold", "question", "answer"),
    [
        ("93.86", "What is the DPO?", "93.86 days"),
        ("-3.7", "What is the cash conversion cycle?", "-3.7 days"),
        ("5", "For how long does it run?", "5 years"),
        ("2.88", "How much was earned for each share?", "$2.88"),
        ("12.5", "What percentage of sales is it?", "12.5%"),
        ("1.8", "How much did it rise, in percentage points?", "1.8 percentage points"),
        ("250,500,000", "How many shares were there?", "250.5 million shares"),
        ("1200000000", "What was revenue?", "£1.2 billion"),
        ("1,577 million", "What was capex?", "$1,577 million"),
        ("9362.2", IN_MILLIONS, "$9,362.2 million"),
        ("9362.2", IN_MILLIONS, "$9362.2"),
        ("9362.2", IN_MILLIONS, "9,362.2"),
        ("5", "How many dollars was it?", "$5"),
        ("80", "By how many basis points did it rise?", "80 basis points"),
        ("1577", "What was revenue (in EUR millions)?", "€1,577"),
    ],
)
def test_the_value_decides_where_nobody_states_a_unit(gold, question, answer):
    assert verdict_of(gold, question, answer)[0] == "matched"


@pytest.mark.parametrize(
    ("gold", "question", "answer", "reason"),
    [
        ("94", "What was revenue?", "$94 million", "scale_error"),
        ("9362.2", IN_MILLIONS, "$9,362.2 billion", "scale_error"),
        ("9362.2", IN_MILLIONS, "$9,462.2 million", "outside_tolerance"),
        ("94", "What was revenue in 2018, in millions?", "94%", "scale_error"),
        ("94", "What was revenue in 2018?", "It was $94 in 2017 and $80 in 2018.", "compared_with"),
        ("80", "By how many percentage points did it rise?", "70 basis points", "outside_tolerance"),
        ("1577", "What was revenue (in EUR millions)?", "$1,577", "unit_mismatch"),
        ("5", "How many stores does it have?", "$5", "unit_mismatch"),
        ("5", "How many stores does it have?", "5%", "unit_mismatch"),
        ("12.5", "What percentage of sales is it?", "$12.5", "unit_mismatch"),
    ],
)
def test_another_scale_year_or_quantity_is_wrong_without_a_unit_too(gold, question, answer, reason):
    assert verdict_of(gold, question, answer) == ("unmatched", reason)


@pytest.mark.parametrize(
    ("gold", "unit", "answer", "is_matched"),
    [
        # half of the last digit of 5.2 million are 50,000; a count of single things is exact
        (5.2, "million shares", "It repurchased 5,203,118 shares.", True),
        (5.2, "million shares", "It repurchased 5,249,999 shares.", True),
        (5.2, "million shares", "It repurchased 5,250,001 shares.", False),
        (5.2, "million shares", "It repurchased 5.203 million shares.", True),
        (1240, "employees", "It had 1,240 employees.", True),
        (1240, "employees", "It had 1,241 employees.", False),
    ],
)
def test_a_count_in_millions_is_as_precise_as_its_last_digit(gold, unit, answer, is_matched):
    assert (numeric_match(gold, unit, None, answer).verdict == "matched") == is_matched


@pytest.mark.parametrize(
    ("gold", "unit", "answer", "reason"),
    [
        (2.3, "years", "It is 2.27 years.", "within_tolerance"),
        (2.3, "years", "It is 2.36 years.", "outside_tolerance"),
        (3.75, "times", "The ratio may be no more than 3.75 to 1.00; it was 2.10 to 1.00.", "within_tolerance"),
        (3.75, "times", "It was 2.10 to 1.00, better than 3.75 to 1.00.", "compared_with"),
        (618, "thousand barrels per day", "618", "within_tolerance"),
        (618, "thousand barrels per day", "It shipped 618 barrels per day.", "scale_error"),
        (618, "thousand barrels per day", "It shipped 618,000 barrels per day.", "within_tolerance"),
        (24.7, "million square feet", "There were 24.7 million square feet in 118 centers.", "within_tolerance"),
        (9815, "GWh", "Sales were 9,815 gigawatt-hours.", "within_tolerance"),
        (9815, "gigawatt hours", "Sales were 9.815 TWh.", "within_tolerance"),
        (9815, "gigawatt hours", "Sales were 9,815 MWh.", "scale_error"),
        (1240, "MW", "It owns 1.24 GW, sold at $45.20 per MWh.", "within_tolerance"),
    ],
)
def test_what_is_counted_says_the_scale(gold, unit, answer, reason):
    assert numeric_match(gold, unit, None, answer).reason == reason


@pytest.mark.parametrize(
    ("question", "answer", "is_matched"),
    [
        ("What was the performance obligation (backlog)?", "Backlog was $45 million.", True),
        ("What was revenue per room (RevPAR)?", "RevPAR was $45 million.", True),
        ("What was income tax expense (benefit)?", "There was a benefit of $45 million.", False),
    ],
)
def test_brackets_name_an_opposite_or_another_name(question, answer, is_matched):
    assert (numeric_match(45, "USD millions", None, answer, question=question).verdict == "matched") == is_matched


@pytest.mark.parametrize("name", ["Fallowfield Solar", "Dropbox", "Burnham", "Lossiemouth", "contract assembly"])
def test_a_name_asks_for_no_fall(name):
    """So that a profit does not answer for a loss of the same size."""
    question = f"What was the result of {name} in 2019?"
    assert (
        numeric_match(-45, "USD millions", None, "A profit of $45 million.", question=question).verdict == "unmatched"
    )
    assert numeric_match(-45, "USD millions", None, "A loss of $45 million.", question=question).verdict == "matched"


@pytest.mark.parametrize(
    ("gold", "unit", "question", "answer"),
    [
        (1127, "stores", "Stores at the end of 2022?",
         "1,127 stores in 38 states in 2022, versus 1,089 the year before."),
        (160, "beds", "Beds added in 2019?", "It went from 2,240 to 2,400 beds in 2019, so it added 160 beds."),
        (3.1, "million customers", "How many electric customers has it?",
         "3.1 million electric customers and 1.2 million gas customers, 4.3 million in total."),
    ],
)  # fmt: skip
def test_the_figure_beside_others(gold, unit, question, answer):
    assert numeric_match(gold, unit, None, answer, question=question).verdict == "matched"


def test_of_like_counts_the_one_in_the_words_of_the_question():
    answer = "It held 628 issued U.S. patents, 211 pending U.S. applications and 405 foreign patents."
    question = "How many issued US patents does it hold?"
    assert numeric_match(628, "patents", None, answer, question=question).verdict == "matched"
    assert numeric_match(405, "patents", None, answer, question=question).reason == "compared_with"


def test_a_unit_that_is_stated_stays_strict():
    assert numeric_match(5, "number", None, "5 years").reason == "unit_mismatch"
    assert numeric_match(5, "stores", None, "$5").reason == "unit_mismatch"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("What is the FY2020 EPS?", "$3.46 per share", "within_tolerance"),
        ("What did earnings per diluted share come to?", "Diluted EPS was $3.46.", "within_tolerance"),
        ("What is the FY2020 EPS?", "$3.64 per share", "outside_tolerance"),
        ("What is the FY2020 EPS?", "€3.46 per share", "unit_mismatch"),
        ("What was net income?", "$3.46 per share", "unit_mismatch"),
    ],
)
def test_a_gold_for_a_share_need_not_say_so(question, answer, reason):
    assert verdict_of("$3.46", question, answer)[1] == reason


def test_no_amount_for_a_share_answers_for_millions():
    assert verdict_of("$3.46 million", "What is the FY2020 EPS?", "$3.46 per share")[1] == "unit_mismatch"


BEST = "In which fiscal year was revenue highest?"
STORES = "How many stores were there?"


@pytest.mark.parametrize(
    ("gold", "question", "answer", "verdict"),
    [
        ("2018", BEST, "2018", "matched"),
        ("2019", BEST, "fiscal 2019", "matched"),
        ("2019", BEST, "FY2019", "matched"),
        ("2019", BEST, "Revenue was highest in 2019, at $5 million.", "matched"),
        ("2019", BEST, "Revenue was highest in 2018.", "unmatched"),
        ("2019", BEST, "$2,019", "no_number"),
        ("2019", "When was it founded?", "It was founded in 2019.", "matched"),
        ("2019", "What was fiscal year 2018 revenue?", "$2,019", "matched"),
        ("1990", STORES, "1990", "matched"),
        ("1990", STORES, "There were 1990 stores.", "matched"),
        ("1990", STORES, "There were 1,990 stores in 5 states in 2020.", "matched"),
        # a year is no count
        ("1990", STORES, "It opened its first in 1990.", "no_number"),
        ("1990", STORES, "There were 1,800 stores in fiscal 1990.", "unmatched"),
        ("1990", STORES, "On December 31, 1990, there were 1,800.", "unmatched"),
        ("5", STORES, "It opened stores in 2018.", "no_number"),
    ],
)
def test_a_gold_that_looks_like_a_year(gold, question, answer, verdict):
    assert verdict_of(gold, question, answer)[0] == verdict


def test_a_stated_count_may_look_like_a_year():
    assert numeric_match(1990, "number", None, "1990 stores").verdict == "matched"
    assert numeric_match(1990, "USD millions", None, "1990").verdict == "no_number"


@pytest.mark.parametrize(
    ("gold", "answer", "verdict"),
    [
        ("$0.00", "No preferred dividends were paid.", "matched"),
        ("0", "None.", "matched"),
        ("$5", "No preferred dividends were paid.", "no_number"),
        ("$0.00", "Preferred dividends are not disclosed.", "no_number"),
        ("$0.00", "No preferred dividends were paid, $5 in common ones.", "unmatched"),
    ],
)
def test_a_denial_is_zero_where_the_gold_is(gold, answer, verdict):
    assert verdict_of(gold, "How much in preferred dividends was paid?", answer)[0] == verdict


MARGIN = "What was the change in operating margin from FY2021 to FY2022?"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        (MARGIN, "0.8%", "within_tolerance"),
        (MARGIN, "0.8 percentage points", "within_tolerance"),
        (MARGIN, "It increased by 0.8 percentage points.", "within_tolerance"),
        (MARGIN, "80 basis points", "within_tolerance"),
        (MARGIN, "70 basis points", "outside_tolerance"),
        (MARGIN, "It decreased by 0.8 percentage points.", "sign_error"),
        # the margin itself, a change in percent, and that of something else
        ("What was the operating margin in FY2022?", "0.8 percentage points", "percent_vs_points"),
        ("What was the percentage change in operating margin?", "0.8 percentage points", "percent_vs_points"),
        ("What was the increase in growth rate?", "0.8 percentage points", "percent_vs_points"),
        ("What was the change in revenue?", "0.8 percentage points", "percent_vs_points"),
    ],
)
def test_a_published_change_of_a_margin_is_in_percent_or_points(question, answer, reason):
    assert verdict_of("0.8%", question, answer)[1] == reason


def test_a_stated_percent_is_no_point():
    assert numeric_match(0.8, "%", None, "0.8 percentage points", question=MARGIN).reason == "percent_vs_points"
