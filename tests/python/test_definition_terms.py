"""The registry of where a definition names its term, against sentences whose term is known.

What it means: the term is what the first capture pattern captures, in order of priority and pattern_id, that no never
pattern matches; without one the sentence names no term.
"""

from __future__ import annotations

import duckdb
import pytest

from csv_files import rows_of

CASES = rows_of("tests/fixtures/definition_term_cases.csv")
PATTERNS = sorted(
    rows_of("seeds/definition_term_patterns.csv"), key=lambda row: (int(row["priority"]), row["pattern_id"])
)
CAPTURED = "select pattern_id, trim(regexp_extract($sentence, pattern, 1)) from patterns where role = 'capture'"
NEVER = "select count(*) from patterns where role = 'never' and regexp_matches($captured, pattern)"


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("create table patterns (pattern_id varchar, role varchar, pattern varchar)")
    rows = [[row["pattern_id"], row["role"], row["pattern"]] for row in PATTERNS]
    connection.executemany("insert into patterns values (?, ?, ?)", rows)
    return connection


def terms(connection: duckdb.DuckDBPyConnection, sentence: str) -> list[tuple[str, str]]:
    """What each capture pattern captures that may be a term, as (pattern_id, term), in their order."""
    captured = [row for row in connection.execute(CAPTURED, {"sentence": sentence}).fetchall() if row[1]]
    return [row for row in captured if not connection.execute(NEVER, {"captured": row[1]}).fetchone()[0]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case_id"])
def test_term_of_a_definition(connection, case):
    found = [term for _, term in terms(connection, case["sentence"])]
    assert (found or [""])[0] == case["expected_term"], case["sentence"]


def test_every_capture_pattern_is_needed_by_a_positive_case(connection):
    """Some case has another term without it."""
    needed = set()
    for case in CASES:
        found = terms(connection, case["sentence"])
        if case["kind"] == "positive" and found and (len(found) == 1 or found[1][1] != found[0][1]):
            needed.add(found[0][0])
    assert {row["pattern_id"] for row in PATTERNS if row["role"] == "capture"} == needed


def test_every_never_pattern_is_needed_by_a_near_miss(connection):
    needed = set()
    for case in CASES:
        for _, captured in connection.execute(CAPTURED, {"sentence": case["sentence"]}).fetchall():
            by = "select pattern_id from patterns where role = 'never' and regexp_matches($captured, pattern)"
            turned_down_by = connection.execute(by, {"captured": captured}).fetchall() if captured else []
            if len(turned_down_by) == 1 and case["kind"] == "near_miss":
                needed.add(turned_down_by[0][0])
    assert {row["pattern_id"] for row in PATTERNS if row["role"] == "never"} == needed
