"""What words share, and the classes of words that patterns are made of."""

from __future__ import annotations

import re

import pytest

from finrag.text import vocabulary
from finrag.text.stems import PAST_OF, bare, in_one_word, root, stem, term
from finrag.text.vocabulary import COMMON, members


@pytest.mark.parametrize(
    ("reader", "alike", "other"),
    [
        (stem, "paid pays pay paying", "payment"),  # six letters: paymen
        (stem, "depends dependent depended", "defends"),
        (stem, "rates rate rated", "ratio"),
        (bare, "reports reported reporting report", "reporter"),
        (term, "invests investment investments investing", "investor"),
        (root, "accruals accrual", "accrued"),
        (root, "lenders lending lend", "loan"),
    ],
)
def test_forms_meet_and_other_words_do_not(reader, alike, other):
    assert len(set(map(reader, alike.split()))) == 1
    assert reader(other) != reader(alike.split()[0])


def test_verbs_of_two_words_keep_their_form():
    assert in_one_word("It bought back stock and is paying down debt.") == "It repurchased stock and is repaying debt."
    assert in_one_word("It paid a down payment; the buyback ended.") == "It paid a down payment; the buyback ended."


def test_short_words_stay_what_they_are():
    assert [stem("is"), stem("the"), bare("sales"), term("debts"), root("fees")] == ["i", "the", "sal", "debt", "fees"]
    assert stem("amortization", 7) == "amortiz"
    assert [past for past in PAST_OF if past.endswith("ed")] == ["led"]


def test_classes_are_alternatives_of_plain_words():
    """So that each stands in a pattern as it is, and none hides another that begins as it does."""
    classes = {name: value for name, value in vars(vocabulary).items() if name.isupper() and isinstance(value, str)}
    assert len(classes) > 20
    for name, value in classes.items():
        words = value.split("|")
        assert len(words) == len(set(words)) and all(map(str.isalpha, words)), name
        assert all(re.fullmatch(rf"(?:{value})\b", word) for word in words), name
    assert members("is|are", "are|was") == {"is", "are", "was"}
    assert {"is", "has", "did", "the", "of", "with"} < COMMON and not COMMON & {"not", "company", "could"}
