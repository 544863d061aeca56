"""Rise and fall: SQL and Python read the same words the same way."""

from __future__ import annotations

import re

import pytest

from finrag.tasks.answer_question import extractive
from finrag.text import tokens, words
from finrag.text.directions import CHANGE, FALLS, GAIN, LOSS, RISES
from sql_models import macro

SQL, RESULTS = macro("change_words"), macro("loss_words")
RISING = """
increase increases increased increasing grew grow grows grown growing growth rose rise rises risen rising higher improve
improves improved improving improvement expanded expansion
""".split()
FALLING = """
decrease decreases decreased decreasing decline declines declined declining fell fall falls fallen falling drop drops
dropped reduce reduces reduced reducing reduction reductions lower lowered lowering contracted contraction
""".split()
# They begin as words of the lists do, and say nothing of the kind.
NEITHER = "risk risks rosemary fellow grewsome contract contracts dropbox fallon gainsborough growmark lowerre".split()


@pytest.mark.parametrize(("which", "said", "stems"), [("increase", RISING, RISES), ("decrease", FALLING, FALLS)])
def test_sql_and_python_know_the_same_words(which, said, stems):
    in_sql = re.compile(SQL(which), re.I)
    assert [word for word in said if not in_sql.fullmatch(word)] == []
    assert [word for word in said if not re.match(stems, word)] == []
    other = re.compile(SQL("decrease" if which == "increase" else "increase"), re.I)
    assert [word for word in said if other.fullmatch(word)] == []


@pytest.mark.parametrize(("said", "turn", "group"), [(RISING, tokens.UP, "rise"), (FALLING, tokens.DOWN, "fall")])
def test_every_reader_of_texts_has_them(said, turn, group):
    mine, other = (words.RISE, words.FALL) if group == "rise" else (words.FALL, words.RISE)
    for word in said:
        assert tokens.direction(word) == turn, word
        assert mine.search(f"It {word} 5%") and not other.search(f"It {word} 5%"), word
    if group == "rise":
        assert all(CHANGE.search(f"it {word} by")["rise"] for word in said)


def test_words_that_only_begin_so_say_nothing():
    for word in NEITHER:
        assert tokens.direction(word) is None, word
        assert not words.RISE.search(word) and not words.FALL.search(word), word
        assert not extractive.RISE.match(word) and not extractive.FALL.match(word), word


def test_every_alternative_of_sql_is_read_by_python_or_stands_for_itself():
    """The words of SQL that Python's lists have not: they give an amount a direction, and a text none."""
    for which, stems, beyond in (("increase", RISES, {"greater", "up"}), ("decrease", FALLS, {"down"})):
        single = [part for part in re.split(r"\|(?![^(]*\))", SQL(which)) if " " not in part]
        unread = {part for part in single if not re.match(stems, re.sub(r"\(\?:.*", "", part))}
        unread = {part for part in unread if not any(re.fullmatch(part, word) for word in RISING + FALLING)}
        assert {part for part in unread if not part.startswith("deteriorat")} == beyond


def test_sql_and_python_know_the_same_losses():
    """But for cash that is consumed or generated, which only the phrases of SQL read."""
    losses, gains = re.compile(RESULTS("loss"), re.I), re.compile(RESULTS("gain"), re.I)
    for said in "net loss|net losses|deficit|cash outflow|outflows|cash used in operations|negative".split("|"):
        assert LOSS.search(said) and losses.search(said) and not gains.search(said), said
    for said in ("income", "profit", "profits", "earnings", "EPS", "cash provided", "inflow", "inflows"):
        assert GAIN.search(said) and gains.search(said) and not losses.search(said), said
    for said in ("loss of exclusivity", "loss ratio", "revenue", "sales"):
        assert not LOSS.search(said) and not gains.search(said), said
