"""Citations, attribution to companies and bad questions."""

from __future__ import annotations

import json
import re

import pytest

from csv_files import rows_of
from finrag.scoring.attribution import Company, attribution, company, is_telling
from finrag.scoring.bad_questions import (
    SEED_BERTSCORE,
    SEED_ROUGE_L,
    CrossReferences,
    bad_question,
    gold_faults,
    seed_rule,
)
from finrag.scoring.citations import Label, cited_ids, cited_labels, score_citations
from finrag.scoring.numbers import parse_amounts
from finrag.text.words import sentences

EVIDENCE = {
    "walmart": [
        "Net sales were $514,405 million in fiscal 2019.",
        "Comparable store sales in the United States grew 3.6%.",
        "Certain legal proceedings, to which we are subject, may hurt our results of operations, our liquidity and our "
        "financial condition.",
    ],
    "apple": [
        "Net sales were $265.6 billion in 2018 and dividends $12.3 billion.",
        "Liquidity, or credit that deteriorates, can have a negative impact on credit ratings and pricing of these "
        "investments.",
    ],
    "microsoft": ["Revenue was $125.8 billion; dividends were $12.3 billion."],
}
NAMES = {"walmart": ("Walmart Inc.", "WMT"), "apple": ("Apple Inc.", "AAPL"), "microsoft": ("MICROSOFT CORP", "MSFT")}
COMPANIES = [company(key, name, ticker) for key, (name, ticker) in NAMES.items()]
WALMART_142 = "0000104169_10-K_2018_section_7_142"
WALMART_143 = "0000104169_10-K_2018_section_7_143"
OLD_FORM = "0000104169_10-K405_1997_section_1A_9"


ATTRIBUTIONS = rows_of("tests/fixtures/attribution_cases.csv")
GOLD_FAULTS = rows_of("tests/fixtures/gold_fault_cases.csv")
CROSS_REFERENCE = CrossReferences(rows_of("seeds/cross_reference_patterns.csv"))


def test_ids_come_from_the_field_and_the_text() -> None:
    text = f"Debt rose [{WALMART_143}]. Sales fell ({OLD_FORM}); see {WALMART_143}, not x{WALMART_142}."
    assert cited_ids(text, [f" [{WALMART_142}] ", "", "made up"]) == (WALMART_142, "made up", WALMART_143, OLD_FORM)
    assert cited_ids(None) == ()


@pytest.mark.parametrize("field", ["{}, {}", '["{}", "{}"]', "`{}`; `{}`.", "sentence_id: {} and {}"])
def test_ids_of_a_field_may_stand_together_and_in_marks(field) -> None:
    both = (WALMART_142, WALMART_143)
    assert cited_ids("", [field.format(*both)]) == both
    row = WALMART_142.replace("142", "row_4_2")
    assert cited_ids(f"x [{row}]", [f"`{row}`"]) == (row,)
    # another hyphen, and Markdown
    assert cited_ids("", [WALMART_142.replace("10-K", "10‑K")]) == cited_ids(f"_{WALMART_142}_") == both[:1]


def test_citations_by_hand() -> None:
    """a and d state a fact each, e one of them again and another, which no citation states."""
    gold = {"a": {"1"}, "d": {"2"}, "e": {"1", "3"}}
    score = score_citations(["a", "b", "c", "x", "a"], ["a", "b", "d"], gold, corpus={"a", "b", "c", "d", "e"})
    assert score.cited == ("a", "b", "c", "x")
    assert (score.existing_share, score.in_context_share) == (0.75, 0.5)
    assert (score.support_share, score.evidence_recall) == (0.25, 1 / 3)


def test_shares_without_a_denominator_are_null() -> None:
    none_cited = score_citations([], ["a"], {"a": {"1"}}, ["a"])
    assert (none_cited.existing_share, none_cited.support_share, none_cited.evidence_recall) == (None, None, 0.0)
    no_gold = score_citations(["a"], ["a"], {}, ["a"])
    assert (no_gold.existing_share, no_gold.support_share, no_gold.evidence_recall) == (1.0, None, None)


def test_labels_of_a_real_answer() -> None:
    text = "Debt rose [WMT, FY 2018-2020, Item 7: MD&A]; see [META, FY 2019, Item 1A: Risk Factors] and [1]."
    assert cited_labels(text) == (
        Label("WMT", 2018, "ITEM_7"),
        Label("WMT", 2019, "ITEM_7"),
        Label("WMT", 2020, "ITEM_7"),
        Label("META", 2019, "ITEM_1A"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "[WMT, FY 2019, Item 7; NVDA, FY 2019, Item 1A]",
        "(WMT, FY 2019, Item 7) and (NVDA FY2019 Item 1A)",
        "**[WMT FY2019 Item 7]**, [NVDA, FY 2019, Item 1A: Risk Factors]",
        "[WMT 10-K FY2019, Item 7], [NVDA, fiscal 2019 10‑K, Part I, Item 1A]",
        "【WMT, FY 2019, ITEM 7】, [NVDA, 2019, item 1A] (FY 2019, Item 8)",
    ],
)
def test_labels_stand_in_either_bracket_and_together(text) -> None:
    assert cited_labels(text) == (Label("WMT", 2019, "ITEM_7"), Label("NVDA", 2019, "ITEM_1A"))


def test_a_label_may_be_of_several_items() -> None:
    labels = cited_labels("[WMT, FY 2018, Items 1, 7A and 8] WMT, FY 2018, Item 9 (AND FY 2018 filings)")
    assert [label.section_id for label in labels] == ["ITEM_1", "ITEM_7A", "ITEM_8"]


def test_a_label_of_all_years_is_of_its_ends() -> None:
    assert [label.year for label in cited_labels("[WMT, FY 0000-9999, Item 7]")] == [0, 9999]
    assert len(cited_labels("[WMT, FY 1993-2024, Item 7]")) == 32


@pytest.mark.parametrize("case", ATTRIBUTIONS, ids=lambda case: case["case_id"])
def test_attribution_case(case: dict[str, str]) -> None:
    result = attribution(case["answer"], COMPANIES, EVIDENCE)
    found = [":".join(filter(None, (part.company_id, part.verdict, part.of_company))) for part in result.clauses]
    assert "|".join(found) == case["verdicts"]


def test_attribution_share_counts_checked_clauses() -> None:
    answer = "Walmart had net sales of $514.4 billion. Apple had net sales of $514.4 billion. Microsoft grew."
    result = attribution(answer, COMPANIES, EVIDENCE)
    assert (result.checked_count, result.misattributed_count, result.misattributed_share) == (2, 1, 0.5)
    assert attribution("Microsoft grew.", COMPANIES, EVIDENCE).misattributed_share is None


@pytest.mark.parametrize(
    ("text", "telling"),
    [("5%", False), ("$20 million", False), ("$500", False), ("5.3%", True), ("$15 million", True), ("$1,050", True)],
)
def test_figures_that_many_companies_share_prove_nothing(text: str, telling: bool) -> None:
    assert is_telling(parse_amounts(text)[0]) is telling


def test_shared_words_are_a_boundary() -> None:
    # one content word in common (sales) is chance, two (net, sales) are the same thing
    companies = [Company("a", ("Alpha",)), Company("b", ("Beta",))]
    evidence = {"a": [], "b": ["Net sales were $514.4 billion."]}
    assert attribution("Alpha made $514.4 billion in sales.", companies, evidence).misattributed_count == 0
    assert attribution("Alpha made $514.4 billion in net sales.", companies, evidence).misattributed_count == 1


@pytest.mark.parametrize(
    ("shared", "own", "verdict"), [(8, 0, "other"), (7, 0, "unsupported"), (8, 4, "other"), (8, 5, "own")]
)
def test_word_shares_are_boundaries(shared: int, own: int, verdict: str) -> None:
    # ten content words, of which the other company's sentence has `shared` and the named one's `own`
    words = "amber basil cedar daisy ember fjord grape hazel ivory jolly".split()
    companies = [Company("a", ("Alpha",)), Company("b", ("Beta",))]
    evidence = {"a": [" ".join(words[:own])], "b": [" ".join(words[:shared])]}
    (clause,) = attribution(f"Alpha {' '.join(words)}", companies, evidence).clauses
    assert clause.verdict == verdict


@pytest.mark.parametrize(("count", "verdict"), [(7, "unchecked"), (8, "other")])
def test_few_words_say_too_little(count: int, verdict: str) -> None:
    words = " ".join("amber basil cedar daisy ember fjord grape hazel".split()[:count])
    companies = [Company("a", ("Alpha",)), Company("b", ("Beta",))]
    (clause,) = attribution(f"Alpha {words}", companies, {"b": [words]}).clauses
    assert clause.verdict == verdict


def test_real_answers_about_two_companies_are_not_accused(real_data) -> None:
    # Four of the published answers had contexts of two companies; read by hand, none mixes them up.
    checked = {}
    for path in sorted((real_data / "finsights" / "runs").glob("*.json")):
        run = json.loads(path.read_text(encoding="utf-8"))
        texts: dict[str, list[str]] = {}
        names: dict[str, str] = {}
        for block in re.split(r"^=== \[", run["context"], flags=re.M)[1:]:
            ticker, _, rest = block.partition("] ")
            names.setdefault(ticker, rest.partition(" |")[0])
            texts.setdefault(ticker, []).extend(sentences(rest))
        if len(texts) > 1:
            companies = [company(ticker, names[ticker], ticker) for ticker in texts]
            result = attribution(run["answer"], companies, texts)
            checked[path.stem] = result.checked_count
            assert result.misattributed_count == 0, result
    assert len(checked) == 4
    assert sum(checked.values()) >= 20


def test_names_of_companies() -> None:
    assert company("1", "EXXON MOBIL CORP", "XOM").names == (
        "EXXON MOBIL CORP",
        "EXXON MOBIL",
        "EXXONMOBIL",
        "EXXON",
    )
    assert company("1", "EXXON MOBIL CORP", "XOM").ticker == "XOM"
    assert company("1", "COSTCO WHOLESALE CORP /NEW").names[1] == "COSTCO WHOLESALE"
    assert "American" not in company("1", "American Express Co").names
    assert "General" not in company("1", "General Electric Co", others=["General Motors Co"]).names
    assert "Delta" not in company("1", "Delta Air Lines, Inc.", others=["Delta Apparel, Inc"]).names
    assert "Delta" in company("1", "Delta Air Lines, Inc.").names


@pytest.mark.parametrize("case", GOLD_FAULTS, ids=lambda case: case["case_id"])
def test_gold_fault_case(case: dict[str, str]) -> None:
    gold = case["gold"].split("|") if case["answer_type"] == "list" else case["gold"]
    assert "|".join(gold_faults(case["question"], gold, case["answer_type"], CROSS_REFERENCE)) == case["faults"]


@pytest.mark.parametrize(
    ("in_corpus", "expected"), [(None, ()), ([], ()), ([False, True], ()), ([False, False], ("out_of_corpus",))]
)
def test_out_of_corpus(in_corpus: list[bool] | None, expected: tuple[str, ...]) -> None:
    assert gold_faults("Why?", "Sales rose due to prices.", "span", CROSS_REFERENCE, in_corpus) == expected


def test_seed_rule_is_the_published_function() -> None:
    gold, answer = "Reference is made to the following.", "The data is unavailable; see Item 8."
    assert seed_rule(gold, answer, 0.04, 0.8) is True
    assert seed_rule(gold, answer, SEED_ROUGE_L, 0.8) is False
    assert seed_rule(gold, answer, 0.04, SEED_BERTSCORE) is False
    assert seed_rule(gold, "Revenue was $5 million.", 0.04, 0.8) is False
    assert seed_rule("Revenue was $5 million.", answer, 0.04, 0.8) is False
    assert seed_rule(gold, None, 0.04, 0.8) is None
    assert seed_rule(gold, answer, None, 0.8) is None


def test_both_verdicts_side_by_side() -> None:
    # The seed's own example: the answer says "unavailable", but not in the order that the seed's pattern wants.
    question = "What total revenue does EXXON MOBIL CORP report for 2008?"
    gold = "Reference is made to these parts of the Financial Section of this report."
    answer = "The data for Exxon 2008 is unavailable; this corpus covers 2016-2020."
    verdict = bad_question(question, gold, "span", CROSS_REFERENCE, None, answer, 0.01, 0.802)
    assert verdict.seed_flag is False
    assert verdict.reasons == ("cross_reference", "layout", "no_figure")


def test_faults_of_the_real_suites(real_data) -> None:
    # Read by hand. The published text says that it removed P3V2-Q001 for its gold; it is still there. Not found: gold
    # about something else, such as P3V2-Q002 of test_suite, a sensitivity where net income was asked for.
    faults = {}
    for path in sorted((real_data / "finsights" / "gold").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            found = gold_faults(row["question_text"], row["answer_text"], row["answer_type"], CROSS_REFERENCE)
            if found:
                faults[path.stem, row["question_id"]] = found
    assert faults == {
        ("p3_gold_qtest_31q_ffhall", "P3V2-Q001"): ("cross_reference", "layout", "no_figure"),
        ("p3_gold_qtest_31q_ffhall", "P3V2-Q004"): ("audit_report",),
        ("p3_gold_test_suite_31q", "P3V2-Q001"): ("cross_reference", "layout", "no_figure"),
        ("p3_gold_test_suite_31q", "P3V2-Q004"): ("audit_report",),
        ("p3_gold_test_suite_31q", "P3V2-Q010"): ("layout",),
        ("p3_gold_test_suite_31q", "P3V2-Q011"): ("layout",),
    }
