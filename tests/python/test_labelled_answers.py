"""Answers as models write them, judged as the warehouse judges them, against what a careful reader says of each.

The first 457 cases were labelled before the readers were written, and a hash put each in a half. The readers were
developed on the one half (and on the cases after the 457th, all of that half); the other was run when they were done:
6 of 242 wrong, 2.5 %. Those six were then read and belong to the development half since; four of them are right today.

Three more sets in harder phrasings were labelled and then run once, each with the readers mended by the set before: of
186 cases 21 were wrong (11.3 %), of 163 others 17 (10.4 %), of 117 others 14 (12.0 %). All are of the development half
since.

Three sets more (label1, label2, label3) were written blind and to be hard. Wrong at the first run: 25 of 394 (6.3 %),
41 of 385 (10.6 %) and 30 of 262 (11.5 %); with the readers as they were before the first of them 25, 70 and 35. Each
was then developed on by its development half; its other half, run after that, had 8 of 195, 11 of 189 and 16 of 140
wrong. These other halves were then read and mended too, so that no case of them is unread any more.

739 (ordinary_001 to 739) are phrased as models answer: the structures of 23 published answers with other names and
figures, bold, bullets that explain, tables, citations, calculations, both years given. Labelled before each run, but
written by whoever mended the readers: wrong at the first run were 29 of 399, then, each with the readers mended by
those before, 8 of 133, 7 of 87, 4 of 58 and 6 of 62 (6 to 10 % each time, half of them right answers to a question
for a list). All are of the development half.

label4: 320 representative cases, written blind, 8 wrong at the first run (2.5 %), 11 with the readers before. Both its
halves were then read and mended. After it 345 more (ordinary_740 to 1084) were labelled before each run
by whoever mended the readers: of 114 neighbours of those 8 misses 53 were wrong, of ordinary answers, 131 of
231 lists, 7 of 86, 4 of 54, 8 of 56 and 7 of 35 (11 %, 21 of the 26 lists).

label5: 300 representative cases, written blind, 16 wrong at the first run (5.3 %), 13 of them lists; 21 with the
readers before. Both halves were then read, and lists are looked for in prose since.

label6: 260 representative cases (four of them met before), written blind, 8 wrong at the first run (3.1 %), 6 lists.
label7, label8 and label9: 291, 227 and 116, each written without running the scorer by whoever mended it after: 12
(4.1 %), 10 (4.4 %) and 4 (3.4 %) wrong at the first run, 16 of these 26 lists. All four were then read, both halves.

label10 and label11: 225 and 151 cases, mostly lists and half of them subtly wrong, labelled without running the scorer.
Gold items are aligned with the answer since (finrag.scoring.alignment), developed on ordinary_1085 to 1344 (260 lists)
without a look at either: 9 wrong at the first run of label10 (4.0 %; 23 with the readers before) and 8 of label11 (5.3
%; 23). Of their 262 lists 13 were wrong (42 before), of their 114 others 4. Both halves were then read.

blind1 to blind10: 1,900 cases, the first three sets written before any scoring code was read by whoever mended it, the
others labelled before their run; about half the answers subtly wrong. All answers to a question are in one half. The
readers before blind1 judge 168 of the 1,900 wrongly (8.8 %). Wrong at the first run, each set after the mends by those
before it: 28 of 311 (9.0 %), 10 of 171, 7 of 159, 17 of 242, 20 of 210, 12 of 206, 18 of 191, 16 of 198, 5 of 118 and 3
of 94 (the last nine: 108 of 1,589, 6.8 %; 140 with the readers before). The held_out halves of blind9 and blind10 are
unread.

514 cases quoted published answers, filings or suites. They are told in other words now, of companies that there are
not, by somebody who had not read the readers: 20 were wrong at the first run (3.9 %), 12 of them abstentions.

asked1 to asked3: 360 cases, as analysts ask and models answer, written by somebody who had not read the readers: 44
wrong at the first run (12.2 %): 23 of 108 lists, 15 of 108 of yes or no, 6 of 144 numbers, 42 of them right answers
turned down. All were then read; 31 are left, most in words that no rule sets beside the gold's.

usual1 to usual4: 925 cases in the usual ways of models, written and labelled before they were run: 8 of 305, 5 of 232,
4 of 199 and 2 of 189 wrong at the first run (2.1 %), each with the readers mended by those before. usual4 is held_out.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import time
import timeit
from collections import Counter

import pytest

from csv_files import rows_of
from finrag.answers.verdicts import Answer, judge
from finrag.scoring.bad_questions import CrossReferences

CASES = rows_of("tests/fixtures/labelled_answers.csv")
MOST_WRONG = 0.02  # what is wanted, and kept where cases were met before
# What is judged wrongly, and why it is left.
KNOWN_MISSES = {
    "numeric_169": "about 13,000 for 12,500: the gold lies on the border of the rounding",
    "numeric_040": "a filing that gives no total: an abstention rather than a wrong answer",
    "boolean_161": "the margin for the operating margin: half of the question's words are too few to go by",
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
    "usual4_085": "of the half that was not developed on",
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
    "asked7_063": "two of the three where all are asked for",
    "asked7_065": "two figures to compare",
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
    "label11_093": "an item after a semicolon that another party bears",
}


def verdict_on(case: dict[str, str]) -> str:
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
    verdict = judge(Answer(**fields), CrossReferences([]))
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


PROSE = "In fiscal 2019, revenue rose 4% to $2.4 billion, driven by higher volume and mix, with $290 million in 2018. "
TABLE = "| 2019 | $3.4 million | 5% |\n| 2020 | $4.4 million | 6% |\n"


@pytest.mark.parametrize("passage", [PROSE, TABLE], ids=["prose", "table"])
@pytest.mark.parametrize("case_id", ["numeric_001", "list_001", "boolean_001"])
def test_time_grows_with_the_length_of_an_answer(case_id: str, passage: str) -> None:
    case = next(case for case in CASES if case["case_id"] == case_id)

    numbers = itertools.count()

    def seconds(length: int) -> float:
        # each time another, since what is read once is remembered
        text = (passage * length)[:length]
        timer = timeit.Timer(
            lambda: verdict_on(case | {"answer": f"({next(numbers)}) {text}"}), timer=time.process_time
        )
        return min(timer.repeat(3, number=1))

    seconds(100)
    assert seconds(24_000) < 9 * seconds(6_000)  # four times the text; in quadratic time 16 times as long
