"""docs/thresholds.md: its values are those of the code, its tests exist, and thresholds of answers are as it says."""

from __future__ import annotations

import csv
import importlib
import re

import pytest
import yaml

from documents import table_of
from finrag.scoring.lists import ITEM_SIMILARITY, list_match, similarities
from finrag.scoring.numbers import MAX_COARSE_SHARE, numeric_match
from warehouses import ROOT

VARIABLES = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]
ROWS = table_of(ROOT / "docs" / "thresholds.md", "Verdict")


def names_of_tests() -> set[str]:
    python = (path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "python").glob("test_*.py"))
    models = (path.read_text(encoding="utf-8") for path in (ROOT / "models").rglob("*.yml"))
    units = [text.split("\nunit_tests:\n", 1)[1] for text in models if "\nunit_tests:\n" in text]
    return {name for text in python for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)} | {
        name for text in units for name in re.findall(r"^  - name: (\w+)$", text, re.MULTILINE)
    }


def test_every_threshold_has_a_test_that_exists():
    named = {row["Test"].strip("`") for row in ROWS}
    assert len(ROWS) >= 20
    assert named <= names_of_tests()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["Verdict"][:50])
def test_a_threshold_is_where_the_table_says(row):
    place, value = row["Threshold"], row["Value"]
    if constant := re.fullmatch(r"`(finrag[\w.]+)\.([A-Z_]+)`", place):
        assert getattr(importlib.import_module(constant[1]), constant[2]) == float(value)
    elif variable := re.fullmatch(r"var `(\w+)`", place):
        assert VARIABLES[variable[1]] == float(value)
    elif stated := re.fullmatch(r"`([^`]+)` in `([^`]+)`", place):
        assert stated[1] in (ROOT / stated[2]).read_text(encoding="utf-8")
        assert float(stated[1].split()[-1]) == float(value)
    elif seed := re.fullmatch(r"`(seeds/\w+\.csv)`", place):
        with (ROOT / seed[1]).open(encoding="utf-8", newline="") as stream:
            assert "threshold" in next(csv.reader(stream))
    else:
        assert place == "the question's `tolerance`"


def test_wordings_exactly_as_similar_as_asked_are_one_item():
    # nine of fifty letters replaced are 18 edits of 100 letters: 82; ten are 80
    gold, at, below = "a" * 50, "a" * 41 + "b" * 9, "a" * 40 + "b" * 10
    assert similarities([gold], [at, below])[0].tolist() == [ITEM_SIMILARITY, 80.0]
    assert list_match([gold], [at]).is_match
    assert not list_match([gold], [below]).is_match


@pytest.mark.parametrize(("stated", "verdict"), [(100.5, "matched"), (100.51, "unmatched"), (99.5, "matched")])
def test_a_number_exactly_its_tolerance_away_is_right(stated, verdict):
    assert numeric_match(100.0, "USD millions", 0.5, stated, answer_unit="USD millions").verdict == verdict


@pytest.mark.parametrize(("share", "verdict"), [(MAX_COARSE_SHARE, "matched"), (0.0201, "unmatched")])
def test_a_figure_of_one_digit_at_exactly_the_largest_share_is_right(share, verdict):
    # half of the last digit of "$2 billion" is far more than 5 % of the gold
    gold = 2000 / (1 + share)
    assert numeric_match(gold, "USD millions", 0.0, "$2 billion").verdict == verdict
