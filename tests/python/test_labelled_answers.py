"""Answers as models write them, judged as the warehouse judges them, against what a careful reader says of each.

Each set was labelled before the readers saw it, judged once, and then read and mended on; docs/benchmarks.md has how
many were wrong at their first run. Cases that mends were made on are of the development half. held_out are the half of
the first 457 that a hash chose, run when the readers were done, and halves of later sets by question; all of them have
been read and mended since, but those of blind9 and blind10, and usual4, on which nothing was developed.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter

import pytest

from csv_files import rows_of
from finrag.answers.verdicts import Answer, compare_number, judge
from finrag.scoring.bad_questions import CrossReferences
from growth import assert_linear

CASES = rows_of("tests/fixtures/labelled_answers.csv")
MOST_WRONG = 0.02  # what is wanted, and kept where cases were met before
# What is judged wrongly, and why it is left.
KNOWN_MISSES = {
    "numeric_169": "about 13,000 for 12,500: the gold lies on the border of the rounding",
    "numeric_040": "a filing that gives no total: an abstention rather than a wrong answer",
    "list_100": "two companies in one sentence joined by while",
    "list_111": "a noun said once for two names, read as in second and third quarters",
    "list_133": "a noun said once for two risks, read as in second and third quarters",
    "label1_284": "growth of both where one is asked against the other",
    "label2_048": "the figure of another thing in the same noun",
    "label3_022": "a reversal of what is asked for",
    "label3_100": "no customer of such a share",
    "label3_123": "the share of the opposite, and the question does not choose between clauses",
    "label3_233": "a refusal after a figure that the company, not the filing, discloses",
    "label3_190": "not in compliance for a breach",
    "ordinary_292": "a noun said once for two factors",
    "ordinary_761": "two figures of one sentence, that of another thing the one asked for",
    "label5_155": "one item too many: a Jaccard of 0.8, which the seed's rule takes",
    "label5_174": "one item too many: a Jaccard of 0.8, which the seed's rule takes",
    "label8_033": "employees here for employees abroad",
    "label8_147": "names in full with their short forms after or",
    "label4_285": "where to look first, and what is out of reach after it",
    "label6_048": "the direction of one thing in the words that lead to another",
    "label6_085": "a cause before what offset it",
    "label10_020": "a clause about one item before the next",
    "label10_199": "what is blamed, in a sentence without the question's verb",
    "blind4_198": "a board named by its body",
    "label6_187": "one item too few of five: a Jaccard of 0.8, which the seed's rule takes",
    "ordinary_1146": "an item of another sentence, which takes it back",
    "ordinary_1330": "a rate for an interest rate",
    "label10_047": "a customer below the share asked for, in a sentence of its own",
    "label10_169": "two periods of which the question's is the first",
    "label10_192": "a change in percent for a level in percent",
    "blind5_039": "the share of another payor, where only that one is named",
    "blind5_096": "stores closed for a change in their number",
    "blind5_149": "two risks told by the verbs of one noun",
    "blind7_170": "a licence that expired, after a name that ends in a full stop",
    "blind8_023": "the figure of another thing, which alone is named",
    "blind8_039": "the figure of another thing, which alone is named",
    "blind8_070": "of a whole the part that has the property asked for, in another verb",
    "blind8_168": "names with more of the company's name than the gold has",
    "blind9_007": "of the half that is not read",
    "blind9_017": "of the half that is not read",
    "blind9_021": "two shares, each told by what follows it",
    "usual3_115": "a target that is missed, where it is asked whether it was met",
    "usual4_151": "of the half that was not developed on",
    **{
        f"asked1_{number}": "items in other words than the gold's"
        for number in ("086", "094", "098", "100", "102", "103")
    },
    **{
        f"asked2_{number}": "items in other words than the gold's"
        for number in ("086", "088", "092", "094", "095", "098", "102")
    },
    **{f"asked3_{number}": "items in other words than the gold's" for number in ("087", "095", "097", "101", "103")},
    **{f"asked4_{number}": "items in other words than the gold's" for number in ("074", "078", "081")},
    **{
        f"asked7_{number}": "a yes or no in other words than the question's"
        for number in ("004", "021", "045", "053", "074", "082", "105", "106", "112", "123", "127", "130")
    },
    **{
        f"asked8_{number}": "a yes or no in other words than the question's"
        for number in (
            *("053", "075", "076", "079", "083", "091", "096", "097", "099", "102", "105", "107", "113", "115", "117"),
            *("118", "120", "127", "129", "134", "137", "139"),
        )
    },
    **{
        f"asked9_{number}": "a yes or no in other words than the question's"
        for number in ("006", "016", "028", "062", "064", "069", "098", "106", "108")
    },
    "asked10_117": "when it was announced for when it was completed",
    "probe1_053": "the question's figure said of another year, and that of its year said to be missing",
    "probe1_063": "a minus with a space, as of a list",
    "probe1_090": "a level in basis points",
    "probe1_193": "about 7 for 6.8",
    "asked9_032": "another segment's fall",
    "asked9_095": "the text of an item, quoted",
    "asked9_101": "a negative figure for one that is to be positive",
    **{f"asked8_{number}": "two figures to compare" for number in ("074", "090", "093", "094", "112", "125")},
    **{f"asked8_{number}": "a yes that is taken back" for number in ("084", "121")},
    "asked8_101": "churn that improved",
    "asked7_063": "two of the three where all are asked for",
    "asked7_094": "what is denied first is another verb",
    "asked7_124": "a company called Cannot",
    "asked5_056": "a facility's fee for a commitment's, before another fee",
    "asked5_075": "a net figure after what it is made of",
    "asked6_049": "what shareholders received for a dividend",
    "asked6_071": "about three points for 3.1",
    "asked6_107": "a count before its parts in brackets",
    "asked6_109": "a number in words before a noun without an s",
    "asked6_119": "a year and a half",
    "asked4_082": "a city before its country",
    "asked4_020": "a facility for the commitment under it, beside what was drawn",
    **{f"asked4_{number}": "a yes or no in other words than the question's" for number in ("056", "057")},
    **{f"asked1_{number}": "a yes or no in other words than the question's" for number in ("054", "064", "065", "070")},
    **{
        f"asked2_{number}": "a yes or no in other words than the question's"
        for number in ("058", "059", "062", "063", "068")
    },
    **{f"asked3_{number}": "a yes or no in other words than the question's" for number in ("068",)},
    "asked1_024": "initials of what is asked for, with a number in them",
    "asked2_016": "a net figure after what it is made of",
    "asked3_036": "one of two figures, called unclear",
    "form1_028": "dollars of a bracket without their scale",
    "form1_064": "years after a date",
    "form1_087": "an item that became part of another",
    "form1_114": "the figure of another year after a refusal",
    "form1_157": "roughly 8 for 8.2",
    "form1_191": "two figures to compare",
    "form1_203": "a yes or no in other words than the question's",
    "form2_012": "a benefit for a provision",
    "form2_016": "a figure of a quarter alone",
    "form2_066": "the year of another act",
    "form2_078": "a refusal without a verb",
    "form2_101": "initials of a part of an item",
    "form4_029": "EY for Ernst & Young",
    "form2_104": "a name with a letter wrong",
    "label11_093": "an item after a semicolon that another party bears",
}


def answer_to(case: dict[str, str]) -> Answer:
    kind, gold = case["answer_type"], case["gold"]
    fields = dict.fromkeys(field.name for field in dataclasses.fields(Answer)) | {
        "content_key": case["case_id"],
        "question_text": case["question"],
        "answer_type": kind,
        "gold_text": None if kind == "numeric" else gold,
        "gold_items": gold.split("|") if kind == "list" else None,
        "gold_numeric": float(gold) if kind == "numeric" else None,
        "gold_unit": case["unit"] or None,
        "tolerance": float(case["tolerance"]) if case["tolerance"] else None,
        "answer_text": case["answer"],
        "evidence": [],
        "companies": [],
        "existing_sentence_ids": [],
    }
    return Answer(**fields)


def verdict_on(case: dict[str, str]) -> str:
    kind, verdict = case["answer_type"], judge(answer_to(case), CrossReferences([]))
    if verdict["abstention_kind"] == "full":
        return "right" if kind == "no_answer" else "abstained"
    return "right" if kind != "no_answer" and verdict[f"{kind}_match"] else "wrong"


@pytest.fixture(scope="module")
def wrong() -> set[str]:
    """Ids of the cases whose verdict is not their label."""
    return {case["case_id"] for case in CASES if verdict_on(case) != case["label"]}


def test_the_half_that_was_not_developed_on(wrong: set[str]) -> None:
    held_out = {case["case_id"] for case in CASES if case["half"] == "held_out"}
    assert len(held_out) >= 200
    assert len(held_out & wrong) <= MOST_WRONG * len(held_out), held_out & wrong


def test_every_other_miss_is_known(wrong: set[str]) -> None:
    assert set(KNOWN_MISSES) == wrong


def test_cases_are_many_and_of_every_kind() -> None:
    assert len(CASES) >= 300
    assert (
        len({case["case_id"] for case in CASES})
        == len({(c["question"], c["gold"], c["answer"]) for c in CASES})
        == len(CASES)
    )
    kinds = Counter((case["answer_type"], case["label"]) for case in CASES)
    assert min(kinds[kind, label] for kind in ("numeric", "list", "boolean") for label in ("right", "wrong")) >= 15
    assert {label for _, label in kinds} == {"right", "wrong", "abstained"}


def test_a_hash_drew_the_half() -> None:
    for case in CASES:
        if case["case_id"].startswith("usual"):  # the last set is one that nothing was mended by
            assert case["half"] == ("held_out" if case["case_id"].startswith("usual4") else "development")
        elif case["case_id"].startswith("blind"):  # all answers to a question in one half
            digest = hashlib.md5(case["question"].encode(), usedforsecurity=False).hexdigest()
            assert int(digest, 16) % 2 or case["half"] == "development"
        elif case["case_id"].startswith("label"):
            digest = hashlib.sha256(f"{case['question']}{case['answer']}".encode()).hexdigest()
            assert case["half"] == ("development" if int(digest, 16) % 2 else "held_out")
        else:
            text = f"{case['question']}|{case['answer']}"
            digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
            assert int(digest, 16) % 2 or case["half"] == "development"


@pytest.mark.parametrize(
    ("text", "field", "unit", "verdict", "source"),
    [
        ("$4.32 billion", 4_318_600_000.0, None, "matched", "text"),
        ("$4,318.6 million", 0.0, "", "matched", "text"),
        ("See the field.", 4318.6, None, "matched", "field"),
        ("Revenue rose to a record, $4 billion.", 4318.6, "USD millions", "matched", "field"),
        ("$4,318.6 million", 4318.6, "USD", "matched", "text"),  # its words say in which scale the field is
        ("$4,318.6 million", 4_318_600_000.0, "USD millions", "matched", "text"),
        ("$4,318.6 million", 4381.6, "USD", "unmatched", "field"),
        ("$4,318.6 million", 43_186.0, "USD", "unmatched", "field"),
        ("$4,318.6", 4318.6, "USD", "unmatched", "field"),
    ],
)
def test_the_number_of_a_field_and_that_of_the_text(text, field, unit, verdict, source) -> None:
    given = answer_to(CASES[0] | {"gold": "4318.6", "answer": text})
    match, found_in = compare_number(dataclasses.replace(given, answer_numeric=field, answer_unit=unit))
    assert (match.verdict, found_in) == (verdict, source)


PROSE = "In fiscal 2019, revenue rose 4% to $2.4 billion, driven by higher volume and mix, with $290 million in 2018. "
TABLE = "| 2019 | $3.4 million | 5% |\n| 2020 | $4.4 million | 6% |\n"


# What a model that repeats itself writes, and what a pattern may begin in anywhere.
REPEATED = {"prose": PROSE, "table": TABLE} | {
    passage: passage for passage in ("7", "1,", "\n", " ", "; ", ". ", "-", "(", "[", "½")
}


@pytest.mark.parametrize("passage", REPEATED.values(), ids=map(repr, REPEATED))
@pytest.mark.parametrize("case_id", ["numeric_001", "list_001", "boolean_001"])
def test_time_grows_with_the_length_of_an_answer(case_id: str, passage: str) -> None:
    case = next(case for case in CASES if case["case_id"] == case_id)
    assert_linear(lambda answer: verdict_on(case | {"answer": answer}), passage)


def test_time_grows_with_the_zeros_of_a_number() -> None:
    case = next(case for case in CASES if case["case_id"] == "numeric_001")
    assert_linear(lambda answer: verdict_on(case | {"answer": answer}), "0", opening="{}0.")


@pytest.mark.parametrize(
    "answer",
    [
        "The odds are 1 in 0.",
        "The odds are 1 in 0.5.",
        "one in zero",
        "1 out of 0",
        '{"a":' * 1200,
        "[" * 90_000,
        "about " + "9" * 320,
        "9" * 300 + " trillion",
        "1 in " + "3" * 4400,
        "3" * 4400 + " and a half",
        "3" * 4400 + " and a quarter",
        "3" * 4400 + " years and 3 months",
        "3" * 4400 + "½",
        "3" * 320 + "½",
        "one hundred" + " hundred" * 3000,
        "one hundred" + " thousand" * 2000,
    ],
    ids=lambda answer: f"{answer[:16]}{len(answer)}",
)
@pytest.mark.parametrize("kind", ["numeric", "list", "boolean", "no_answer"])
def test_an_odd_answer_ends_no_run(kind: str, answer: str) -> None:
    case = next(case for case in CASES if case["answer_type"] == kind)
    assert verdict_on(case | {"answer": answer}) in ("wrong", "abstained")
