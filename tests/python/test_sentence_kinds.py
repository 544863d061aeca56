"""The registry of sentence kinds against sentences whose kind is known, through the warehouse's own rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

import duckdb
import pytest

from csv_files import rows_of

KINDS = ("index_line", "table_row", "heading", "list_item")

Row = dict[str, str]


@cache
def patterns() -> list[Row]:
    return rows_of("seeds/sentence_kind_patterns.csv")


@cache
def cases() -> list[Row]:
    return rows_of("tests/fixtures/sentence_kind_cases.csv")


@cache
def matches(pattern: str, exclude: str) -> tuple[bool, ...]:
    """Of every case whether the pattern matches it, as it is and with the matches of exclude blanked."""
    query = """
        select regexp_matches(sentence, $pattern) and regexp_matches(
            case when $exclude = '' then sentence else regexp_replace(sentence, $exclude, ' # ', 'g') end, $pattern
        )
        from (select unnest($sentences) as sentence, generate_subscripts($sentences, 1) as position)
        order by position
    """
    parameters = {
        "pattern": f"(?i)(?:{pattern})",
        "exclude": f"(?i)(?:{exclude})" if exclude else "",
        "sentences": [case["sentence"] for case in cases()],
    }
    return tuple(match for (match,) in duckdb.execute(query, parameters).fetchall())


def kinds(without: str = "") -> list[str]:
    """The kind of every case; without names a pattern to leave out."""
    found = ["prose"] * len(cases())
    by_kind: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"include": [], "exclude": []})
    for row in patterns():
        if row["pattern_id"] != without:
            by_kind[row["kind"]][row["role"]].append(row["pattern"])
    for kind in reversed(KINDS):
        exclude = "|".join(by_kind[kind]["exclude"])
        for pattern in by_kind[kind]["include"]:
            for position, match in enumerate(matches(pattern, exclude)):
                if match:
                    found[position] = kind
    return found


@cache
def complete() -> dict[str, str]:
    return {case["case_id"]: kind for case, kind in zip(cases(), kinds(), strict=True)}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["case_id"])
def test_sentence_is_of_the_stated_kind(case: Row) -> None:
    assert complete()[case["case_id"]] == case["expected_kind"], case["sentence"]


@pytest.mark.parametrize("pattern", patterns(), ids=lambda row: row["pattern_id"])
def test_every_pattern_is_needed_by_a_case(pattern: Row) -> None:
    assert kinds(without=pattern["pattern_id"]) != list(complete().values())


def test_rows_are_complete_and_kinds_are_tried_in_one_order() -> None:
    for row in patterns():
        assert all(row.values()), row
        assert row["pattern"] == row["pattern"].strip(), row["pattern_id"]
    order = {(row["kind"], int(row["priority"])) for row in patterns()}
    assert [kind for kind, _ in sorted(order, key=lambda pair: pair[1])] == list(KINDS)
    counted = Counter(row["pattern_id"] for row in patterns()) + Counter(case["case_id"] for case in cases())
    assert [name for name, number in counted.items() if number > 1] == []


def test_no_pattern_matches_the_empty_text_but_that_of_pages_without_words() -> None:
    for row in patterns():
        found = duckdb.execute("select regexp_matches('', $1)", [f"(?i)(?:{row['pattern']})"]).fetchall()
        assert found == [(row["pattern_id"] == "kind_heading_page_furniture",)], row["pattern_id"]
