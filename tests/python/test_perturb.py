"""Questions asked again in other words, and what that costs: each perturbation by hand, and where it must not apply."""

from __future__ import annotations

import json

import duckdb
import pytest

from finrag.errors import FinragError
from finrag.questions.perturb import PERTURBATIONS, Asked, UnfitError, misspelt, typo
from finrag.questions.stress import AS_WRITTEN, deck_of, export_deck
from finrag.text.companies import Companies, Company

NAMES = {
    1: ("Tarnwick Energy Corporation", "TWKE"),
    2: ("Nimbrel Software, Inc.", "NMSW"),
    3: ("Larkspur & Vane Stores, Inc.", "LKVN"),
    4: ("COPPERPOT KITCHENS, INC.", None),
    5: ("Walmart Inc.", "WMT"),
    6: ("Horizon Bank Corp", "HBNK"),
    7: ("Horizon Oil Ltd", "HOIL"),
    8: ("Oda", None),
    9: ("MBIA INC", None),
    10: ("Johnson & Johnson", "JNJ"),
}
COMPANIES = Companies([Company(cik, name, (name,), ticker) for cik, (name, ticker) in NAMES.items()])
TICKERS = {cik: ticker for cik, (_, ticker) in NAMES.items() if ticker}


def asked(text: str, question_id: str = "Q1") -> Asked:
    return Asked(question_id, text, COMPANIES, TICKERS)


APPLIES = {
    "ticker": [
        ("How much did Tarnwick Energy report in 2021?", "How much did TWKE report in 2021?"),
        ("What was the debt of Nimbrel Software, Inc.?", "What was the debt of NMSW?"),
        ("List what Nimbrel Software, Inc. names in its 10-K.", "List what NMSW names in its 10-K."),
        ("List the segments of Nimbrel Software, Inc.", "List the segments of NMSW."),
        ("Why did Larkspur & Vane Stores' sales fall?", "Why did LKVN's sales fall?"),
        ("What was Walmart's revenue?", "What was WMT's revenue?"),
        ("Did Walmart or Copperpot Kitchens grow?", "Did WMT or Copperpot Kitchens grow?"),
        # part of another name is not the company's
        ("Why did Walmart's Tarnwick brand grow?", "Why did WMT's Tarnwick brand grow?"),
    ],
    "abbreviation": [
        ("How much did Tarnwick Energy Corporation report?", "How much did Tarnwick report?"),
        ("What was Copperpot Kitchens' revenue?", "What was Copperpot's revenue?"),
        ("What was the debt of Larkspur & Vane Stores, Inc. in 2021?", "What was the debt of LVS in 2021?"),
        ("What was the debt of Walmart Inc. in 2021?", "What was the debt of Walmart in 2021?"),
        # two companies are called Horizon
        ("How does Horizon Bank Corp explain it?", "How does Horizon Bank explain it?"),
        # so short a name in capitals may be initials
        ("What does MBIA INC own?", "What does MBIA own?"),
    ],
    "year_missing": [
        ("What was the debt of Oda in fiscal 2021?", "What was the debt of Oda?"),
        ("In fiscal 2021, what did Oda report?", "What did Oda report?"),
        (
            "In Item 1A of its fiscal 2020 and 2021 10-Ks, what could hurt Oda?",
            "In Item 1A of its 10-Ks, what could hurt Oda?",
        ),
        ("Why did Oda's revenue move in fiscal 2020, 2021 and 2022?", "Why did Oda's revenue move?"),
        ("What was Oda's 2021 revenue?", "What was Oda's revenue?"),
        ("What did Oda owe at the end of fiscal 2021?", "What did Oda owe?"),
        ("What did Oda earn for the year ended December 31, 2021?", "What did Oda earn?"),
        (
            "Which item of the 10-K of Oda for the fiscal year ended May 2, 2021 has it?",
            "Which item of the 10-K of Oda has it?",
        ),
        ("In their 10-Ks for the fiscal years ended in 2021, what could hurt?", "In their 10-Ks, what could hurt?"),
        (
            "How does Oda define “Comparable sales” in its fiscal 2022 10-K?",
            "How does Oda define “Comparable sales” in its 10-K?",
        ),
        ("What is the FY2018 net PPNE for Oda? Answer in USD.", "What is the net PPNE for Oda? Answer in USD."),
        ("What drove the change as of FY2022 for Oda?", "What drove the change for Oda?"),
        ("What was Oda's quick ratio for Q2 of FY2023?", "What was Oda's quick ratio for Q2?"),
        ("What risks are in its 2019 Risk Factors section?", "What risks are in its Risk Factors section?"),
        ("Why the decline in 2024 product sales, and how?", "Why the decline in product sales, and how?"),
        ("What did Oda earn in 2021 and how did it grow?", "What did Oda earn and how did it grow?"),
    ],
    "word_order": [
        (
            "What did Oda earn in the fiscal year ended May 2, 2021?",
            "In the fiscal year ended May 2, 2021, what did Oda earn?",
        ),
        ("In fiscal 2021, what did Oda report?", "What did Oda report, in fiscal 2021?"),
        ("What did Oda report in fiscal 2021?", "In fiscal 2021, what did Oda report?"),
        (
            "What did Oda report for sales (segment: Oil) in 2021?",
            "In 2021, what did Oda report for sales (segment: Oil)?",
        ),
        (
            "What did Oda owe, according to its fiscal 2021 10-K?",
            "According to its fiscal 2021 10-K, what did Oda owe?",
        ),
        (
            "In its fiscal 2021 10-K, to which factors does Oda put it down?",
            "To which factors does Oda put it down, in its fiscal 2021 10-K?",
        ),
        (
            "What is backlog in the fiscal 2020 10-K of Nimbrel Software, Inc.?",
            "In the fiscal 2020 10-K of Nimbrel Software, Inc., what is backlog?",
        ),
        (
            "What risks does Oda name in its 2019 Risk Factors section?",
            "In its 2019 Risk Factors section, what risks does Oda name?",
        ),
        ("How does Oda grow in its 2012 Form 10-K?", "In its 2012 Form 10-K, how does Oda grow?"),
        ("Does Oda improve as of FY2022?", "As of FY2022, does Oda improve?"),
    ],
}
UNFIT = {
    "ticker": [
        ("What was the revenue in 2021?", "names no company"),
        ("What was Copperpot Kitchens' revenue?", "no company named has a ticker"),
        ("What does TWKE report?", "names no company"),
        ("What was Tarnwick's revenue?", "names no company"),
    ],
    "abbreviation": [
        ("What was the revenue in 2021?", "names no company"),
        ("What was Walmart's revenue?", "no company named has a shorter name"),
        ("How does Horizon Bank explain it?", "no company named has a shorter name"),
        ("What does Oda own?", "no company named has a shorter name"),
        ("What does Johnson & Johnson own?", "no company named has a shorter name"),
    ],
    "typo": [("Is EPS 12,345.67 or Q4?", "no word of 5 letters"), ("Why 2021?", "no word of 5 letters")],
    "year_missing": [
        ("What was the debt of Oda?", "names no year"),
        ("Was Oda's income higher in fiscal 2022 than in fiscal 2021?", "years are compared"),
        ("Comparing fiscal 2022 with fiscal 2021, did Oda's income rise?", "years are compared"),
        ("By how much did debt change from fiscal 2019 to fiscal 2020?", "years are compared"),
        ("What are the 2030 notes of 2020 vintage?", "a year cannot be taken out"),
        ("When did Oda repay its 2027 senior notes?", "a year cannot be taken out"),
        ("What is the FY2017 - FY2019 average of capex?", "a year cannot be taken out"),
        ("How much of the 2,021 stores closed?", "names no year"),
    ],
    "word_order": [
        ("What does Oda own?", "no phrase can be moved"),
        ("List the revenues of Oda by segment for fiscal 2021.", "no phrase can be moved"),
        ("Was Oda's income higher in fiscal 2022 than in fiscal 2021?", "no phrase can be moved"),
        ("For fiscal 2021, whose debt was higher: that of Oda or Walmart?", "no phrase can be moved"),
        ("When Oda speaks of “the year”, on which date does it end?", "no phrase can be moved"),
    ],
}


@pytest.mark.parametrize(("name", "text", "expected"), [(name, *case) for name in APPLIES for case in APPLIES[name]])
def test_asked_again(name, text, expected):
    assert PERTURBATIONS[name](asked(text)) == expected


@pytest.mark.parametrize(("name", "text", "reason"), [(name, *case) for name in UNFIT for case in UNFIT[name]])
def test_must_not_apply(name, text, reason):
    with pytest.raises(UnfitError, match=reason):
        PERTURBATIONS[name](asked(text))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("How much did Tarnwick Energy report in 2021?", "Tarnwick"),
        ("What was the debt of Nimbrel Software, Inc. in 2021?", "Nimbrel"),
        ("What was the depreciation of 2021?", "depreciation"),
        ("Why did revenue of KC46A12 fall by $1,234.5 million?", "revenue"),
        ("What was Walmart's debt in 2021?", "Walmart"),
    ],
)
def test_typo_is_one_letter_of_one_word(text, word):
    before, after = text.split(word)
    found = {typo(asked(text, f"Q{number}")) for number in range(40)}
    assert len(found) > 3, "the question's id chooses"
    for each in found:
        changed = each.removeprefix(before).removesuffix(after)
        assert each == before + changed + after
        assert changed != word
        assert changed[0] == word[0]
        assert changed in misspelt(word)
    assert typo(asked(text)) == typo(asked(text))


def test_misspelt_never_says_the_word_itself():
    assert misspelt("Booth") == ["Both", "Booh", "Boot", "Botoh", "Booht"]


def question(**changed) -> dict:
    given = {
        "question_id": "Q1",
        "question_text": "What did Tarnwick Energy earn?",
        "paraphrase_group_id": None,
        "evidence_sentence_ids": ["s1"],
        "years": [2021],
    }
    return {**given, **changed}


def deck(*questions: dict):
    return deck_of(list(questions), lambda each: asked(each["question_text"], each["question_id"]))


def test_deck_has_each_wording_once_with_the_same_evidence_and_group():
    found, unfit = deck(question(), question(question_id="Q2", paraphrase_group_id="G"))
    assert [each["question_id"] for each in found][:4] == ["Q1~as_written", "Q1~ticker", "Q1~abbreviation", "Q1~typo"]
    assert {each["paraphrase_group_id"] for each in found} == {"Q1", "G"}
    assert all(each["evidence_sentence_ids"] == ["s1"] and each["years"] == [2021] for each in found)
    assert unfit == {("year_missing", "names no year"): 2, ("word_order", "no phrase can be moved"): 2}


def test_deck_leaves_out_what_has_nothing_to_find_or_cannot_be_asked_again():
    found, unfit = deck(question(evidence_sentence_ids=[]), question(question_text="Why?"))
    assert found == []
    assert unfit[AS_WRITTEN, "has no evidence to find"] == 1
    assert sum(unfit.values()) == 1 + len(PERTURBATIONS)


def test_deck_of_the_demo_is_a_suite_that_reads_back_the_same_twice(demo, tmp_path):
    from finrag.questions.schema import Question

    with duckdb.connect(str(demo.database), read_only=True) as connection:
        told = export_deck(connection, tmp_path / "a.json", "p3")
        export_deck(connection, tmp_path / "b.json", "p3")
        with pytest.raises(FinragError, match="no question of the suite"):
            export_deck(connection, tmp_path / "c.json", "nobody")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    records = [Question.model_validate(each) for each in json.loads((tmp_path / "a.json").read_text("utf-8"))]
    assert len({each.question_id for each in records}) == len(records)
    assert {each.question_id.split("~")[1] for each in records} == {AS_WRITTEN, *PERTURBATIONS}
    assert "left out, years are compared" in told
