"""The KPI pattern registry against hand-written sentences, with DuckDB alone.

A sentence carries label L when an include or cue pattern of L matches the text in which every match of L's exclude
patterns has been replaced by ' # ', and the sentence states something: it matches an include pattern of the
statement registry, and none of its exclude patterns, for `all` and for L. Where the statement registry has blank
patterns for L, its include patterns, the forms of a statement, are tried on the text without excluded phrases and
without what is blanked. Words in braces stand for the rows of role `word`, {phrase} for the include patterns of L.
The tests rebuild that rule from the three CSV files, without dbt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import duckdb
import pytest

from csv_files import rows_of
from databases import in_memory

REPO = Path(__file__).resolve().parents[2]
REGISTRY = REPO / "seeds" / "kpi_patterns.csv"
STATEMENTS = REPO / "seeds" / "kpi_statement_patterns.csv"
CASES = REPO / "tests" / "fixtures" / "kpi_pattern_cases.csv"

LABELS = (
    "capex",
    "cash_from_ops",
    "debt",
    "eps",
    "gross_margin",
    "interest_expense",
    "net_income",
    "operating_income",
    "revenue",
)
MIN_POSITIVES = 12
MIN_NEAR_MISSES = 8

Row = dict[str, str]


PATTERN_ROWS = sorted(rows_of(REGISTRY), key=lambda row: (int(row["priority"]), row["pattern_id"]))
ALL_STATEMENT_ROWS = sorted(rows_of(STATEMENTS), key=lambda row: (int(row["priority"]), row["pattern_id"]))
STATEMENT_ROWS = [row for row in ALL_STATEMENT_ROWS if row["role"] != "word"]
WORDS = {
    row["pattern_id"].partition("_word_")[2]: row["pattern"] for row in ALL_STATEMENT_ROWS if row["role"] == "word"
}
CASE_ROWS = rows_of(CASES)
# Of these labels any figure or direction with the phrase is a statement.
WITHOUT_FORMS = {"cash_from_ops", "gross_margin"}
LABELS_WITH_FORMS = {row["kpi_label"] for row in STATEMENT_ROWS if row["role"] == "blank"}


def quoted(text: str) -> str:
    """A SQL string literal: constant patterns are compiled once per query."""
    return "'" + text.replace("'", "''") + "'"


def names_of(label: str) -> str:
    return "|".join(row["pattern"] for row in PATTERN_ROWS if (row["kpi_label"], row["role"]) == (label, "include"))


def spelled_out(pattern: str, names: str) -> str:
    """A pattern with its words written out, those that hold other words first."""
    for word, meaning in (WORDS | ({"phrase": f"(?:{names})"} if names else {})).items():
        pattern = pattern.replace(f"{{{word}}}", meaning)
    return pattern


def alternation(rows: list[Row], label: str, *roles: str, names: str | None = None) -> str:
    """All patterns of one label and its roles as one case-insensitive alternation; empty if there are none."""
    names = names_of(label) if names is None else names
    patterns = [
        spelled_out(row["pattern"], names) for row in rows if row["kpi_label"] == label and row["role"] in roles
    ]
    return f"(?i)(?:{'|'.join(patterns)})" if patterns else ""


def blank_together(rows: list[Row], label: str) -> str:
    """SQL that blanks the exclude patterns of a label in one pass."""
    excludes = alternation(rows, label, "exclude")
    return f"regexp_replace(sentence, {quoted(excludes)}, ' # ', 'g')" if excludes else "sentence"


def blank_in_turn(rows: list[Row], label: str) -> str:
    """SQL that blanks the exclude patterns of a label one after the other, in the order given."""
    text = "sentence"
    for row in rows:
        if row["kpi_label"] == label and row["role"] == "exclude":
            text = f"regexp_replace({text}, {quoted('(?i)(?:' + row['pattern'] + ')')}, ' # ', 'g')"
    return text


def stated_text(label: str, rows: list[Row]) -> str:
    """SQL of the text in which the forms of the label's statements are looked for."""
    blanks = alternation(rows, label, "blank")
    if label not in LABELS_WITH_FORMS:
        return "sentence"
    plain = (
        "regexp_replace(translate(sentence, chr(160) || chr(8201) || chr(8239) || chr(10) || chr(8209), '    -'), "
        "' {2,}', ' ', 'g')"
    )
    phrased = blank_together(PATTERN_ROWS, label).replace("(sentence,", f"({plain},")
    phrased = plain if phrased == "sentence" else phrased
    return f"regexp_replace({phrased}, {quoted(blanks)}, ' # ', 'g')" if blanks else phrased


def states(label: str, rows: list[Row] = STATEMENT_ROWS, names: str | None = None) -> list[str]:
    """SQL conditions that all hold where the sentence states the label's KPI, by the names of its line."""
    names = names_of(label) if names is None else names
    conditions = []
    for scope in ("all", label):
        for role, negation in (("include", ""), ("exclude", "not ")):
            if patterns := alternation(rows, scope, role, names=names):
                text = stated_text(label, rows) if (scope, role) == (label, "include") else "sentence"
                conditions.append(f"{negation}regexp_matches({text}, {quoted(patterns)})")
    return conditions


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    """A database holding the cases as table `cases` (case_id, sentence)."""
    con = duckdb.connect()
    con.execute("create table cases (case_id varchar, sentence varchar)")
    con.executemany("insert into cases values (?, ?)", [(row["case_id"], row["sentence"]) for row in CASE_ROWS])
    return con


@pytest.fixture(scope="module")
def tagged(connection: duckdb.DuckDBPyConnection) -> Callable[..., set[str]]:
    """Function returning the ids of the cases that carry a label under given registry rows."""

    @cache
    def meeting(condition: str) -> frozenset[str]:
        """Each condition is asked once: without one pattern of a registry, all others are what they were."""
        return frozenset(
            case_id for (case_id,) in connection.execute(f"select case_id from cases where {condition}").fetchall()
        )

    def run(
        rows: list[Row],
        label: str,
        blank: Callable[[list[Row], str], str] = blank_together,
        conditions: Sequence[str] = (),
    ) -> set[str]:
        includes = alternation(rows, label, "include", "cue")
        if not includes:
            return set()
        carried = f"regexp_matches({blank(rows, label)}, {quoted(includes)})"
        return set(frozenset.intersection(*map(meeting, (carried, *conditions))))

    return run


@pytest.fixture(scope="module")
def labels_by_case(tagged: Callable[..., set[str]]) -> dict[str, list[str]]:
    """Labels that the whole registry gives to each case, in alphabetical order."""
    found: dict[str, list[str]] = {row["case_id"]: [] for row in CASE_ROWS}
    for label in LABELS:
        for case_id in tagged(PATTERN_ROWS, label, conditions=states(label)):
            found[case_id].append(label)
    return found


def test_registry_columns_are_well_formed() -> None:
    ids = Counter(row["pattern_id"] for row in PATTERN_ROWS)
    assert [pattern_id for pattern_id, count in ids.items() if count > 1] == []
    for row in PATTERN_ROWS:
        assert row["kpi_label"] in LABELS, row["pattern_id"]
        assert row["role"] in ("include", "cue", "exclude"), row["pattern_id"]
        assert re.fullmatch(rf"kpi_{row['kpi_label']}_[a-z0-9_]+", row["pattern_id"]), row["pattern_id"]
        assert (row["role"] == "exclude") == row["pattern_id"].startswith(f"kpi_{row['kpi_label']}_not_")
        assert int(row["priority"]) >= 1 and int(row["version"]) >= 1, row["pattern_id"]
        assert row["pattern"] == row["pattern"].strip() != "", row["pattern_id"]
        assert row["note"].strip(), row["pattern_id"]


def test_duckdb_reads_the_same_patterns_as_the_csv_module() -> None:
    # Backslashes, quotes and commas must survive the way the warehouse loads the file.
    with in_memory() as connection:
        rows = connection.execute(
            f"select pattern_id, pattern from read_csv({quoted(str(REGISTRY))}, header = true, all_varchar = true)"
        ).fetchall()
    assert dict(rows) == {row["pattern_id"]: row["pattern"] for row in PATTERN_ROWS}


@pytest.mark.parametrize("row", PATTERN_ROWS, ids=lambda row: row["pattern_id"])
def test_pattern_compiles_in_re2_and_never_matches_nothing(row: Row, connection: duckdb.DuckDBPyConnection) -> None:
    # A pattern that matches the empty string would tag, or blank, every sentence.
    pattern = quoted(f"(?i)(?:{row['pattern']})")
    assert connection.execute(f"select regexp_matches('', {pattern})").fetchall() == [(False,)]


@pytest.mark.parametrize("label", LABELS)
def test_label_has_enough_cases(label: str) -> None:
    kinds = Counter(row["kind"] for row in CASE_ROWS if row["tests_label"] == label)
    assert set(kinds) == {"positive", "near_miss"}
    assert kinds["positive"] >= MIN_POSITIVES
    assert kinds["near_miss"] >= MIN_NEAR_MISSES


def test_cases_are_consistent() -> None:
    for column in ("case_id", "sentence"):
        values = Counter(row[column] for row in CASE_ROWS)
        assert [value for value, count in values.items() if count > 1] == []
    for row in CASE_ROWS:
        expected = row["expected_labels"].split("|") if row["expected_labels"] else []
        assert row["tests_label"] in LABELS, row["case_id"]
        assert expected == sorted(set(expected)) and set(expected) <= set(LABELS), row["case_id"]
        assert (row["tests_label"] in expected) == (row["kind"] == "positive"), row["case_id"]


@pytest.mark.parametrize("row", CASE_ROWS, ids=lambda row: row["case_id"])
def test_case_carries_exactly_the_expected_labels(row: Row, labels_by_case: dict[str, list[str]]) -> None:
    assert "|".join(labels_by_case[row["case_id"]]) == row["expected_labels"], row["sentence"]


@pytest.mark.parametrize("row", PATTERN_ROWS, ids=lambda row: row["pattern_id"])
def test_pattern_is_needed(row: Row, tagged: Callable[..., set[str]]) -> None:
    # An include must be the only reason for some positive, an exclude for some near miss: no dead rows.
    label = row["kpi_label"]
    others = [other for other in PATTERN_ROWS if other["pattern_id"] != row["pattern_id"]]
    with_row, without_row = tagged(PATTERN_ROWS, label), tagged(others, label)
    changed = without_row - with_row if row["role"] == "exclude" else with_row - without_row
    assert changed, f"no case depends on {row['pattern_id']}: add a case to {CASES.name} or drop the row"


@pytest.mark.parametrize("label", LABELS)
def test_a_new_name_is_enough_for_its_label(label: str, connection: duckdb.DuckDBPyConnection) -> None:
    # a row of one's own in kpi_patterns has no effect where a statement has to name the line in other words
    conditions = " and ".join(states(label, names=f"{names_of(label)}|turnaround of the group".strip("|")))
    expected = {
        f"{name} {rest}": holds
        for name, holds in (("Turnaround of the group", True), ("Turnabout of the group", label in WITHOUT_FORMS))
        for rest in ("was $3.1 million in 2021.", "increased by 5%.", "of $3 million was a record.")
    }
    asked = f"select sentence, {conditions} from unnest(?) as sentences (sentence)"
    assert dict(connection.execute(asked, [list(expected)]).fetchall()) == expected


@pytest.mark.parametrize(
    "row", [row for row in STATEMENT_ROWS if row["pattern"] != "{plain}"], ids=lambda row: row["pattern_id"]
)
def test_statement_pattern_is_needed(row: Row, tagged: Callable[..., set[str]]) -> None:
    labels = LABELS if row["kpi_label"] == "all" else [row["kpi_label"]]
    others = [other for other in STATEMENT_ROWS if other["pattern_id"] != row["pattern_id"]]
    changed = {
        (label, case_id)
        for label in labels
        for case_id in tagged(PATTERN_ROWS, label, conditions=states(label))
        ^ tagged(PATTERN_ROWS, label, conditions=states(label, others))
    }
    assert changed, f"no case depends on {row['pattern_id']}: add a case to {CASES.name} or drop the row"


@pytest.mark.parametrize("word", WORDS)
def test_word_is_used_and_leaves_none_unwritten(word: str) -> None:
    users = [row for row in ALL_STATEMENT_ROWS if f"{{{word}}}" in row["pattern"]]
    assert users, f"no pattern uses {{{word}}}"
    assert not re.search(r"\{[a-z_]+\}", spelled_out(f"{{{word}}}", "name"))


def test_patterns_of_statements_use_only_words_that_exist() -> None:
    for row in STATEMENT_ROWS:
        assert not re.search(r"\{[a-z_]+\}", spelled_out(row["pattern"], "name")), row["pattern_id"]


@pytest.mark.parametrize("label", LABELS)
def test_order_of_excludes_does_not_matter(label: str, tagged: Callable[..., set[str]]) -> None:
    expected = tagged(PATTERN_ROWS, label)
    assert tagged(PATTERN_ROWS[::-1], label) == expected
    assert tagged(PATTERN_ROWS, label, blank_in_turn) == expected
    assert tagged(PATTERN_ROWS[::-1], label, blank_in_turn) == expected


def test_one_alternation_of_all_includes_is_a_sound_prefilter(
    connection: duckdb.DuckDBPyConnection, labels_by_case: dict[str, list[str]]
) -> None:
    # The tagger skips a sentence when this one pass over the raw text fails, so blanking must never create a match.
    includes = "|".join(row["pattern"] for row in PATTERN_ROWS if row["role"] != "exclude")
    passed = {
        case_id
        for (case_id,) in connection.execute(
            f"select case_id from cases where regexp_matches(sentence, {quoted(f'(?i)(?:{includes})')})"
        ).fetchall()
    }
    assert {case_id for case_id, labels in labels_by_case.items() if labels} <= passed
    assert passed != set(labels_by_case), "the prefilter passes every case, so it filters nothing"


def test_prefilter_patterns_stay_compact() -> None:
    # Unbounded gaps and word gaps after common words blow up the automaton that all includes share.
    for row in PATTERN_ROWS:
        if row["role"] != "exclude":
            assert ".*" not in row["pattern"], row["pattern_id"]
            assert max((int(n) for n in re.findall(r"\{\d+,(\d+)\}", row["pattern"])), default=0) <= 8
