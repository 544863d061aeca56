"""Rows of a query on the terminal: nothing is cut, whatever its width."""

from __future__ import annotations

import duckdb
import pytest

from finrag.cli.rows import print_rows

SAID = "cannot be told: the interval and p are of this one"
FIRST = f"select 'p1' as suite, 12.50 as value, null::varchar as note, '{SAID}' as verdict"
SECOND = "select 'p2', 3, '', ''"


@pytest.fixture
def printed(monkeypatch, capsys):
    def at(columns: int | None) -> list[str]:
        if columns:
            monkeypatch.setenv("COLUMNS", str(columns))
        else:
            monkeypatch.delenv("COLUMNS", raising=False)
        print_rows(duckdb.sql(f"select * from ({FIRST} union all {SECOND}) order by suite"))
        return [line.rstrip() for line in capsys.readouterr().out.splitlines()]

    return at


def test_what_no_terminal_shows_has_a_line_to_a_row(printed):
    """Widths 5, 5, 4 and 50, and 13 for four columns' rules."""
    top, names, rule, first, second, bottom = printed(None)
    assert names.split() == ["│", "suite", "│", "value", "│", "note", "│", "verdict", "│"]
    assert first == f"│ p1    │ 12.50 │      │ {SAID} │" and second.startswith("│ p2    │  3.00 │      │  ")
    assert {len(line) for line in (top, rule, second, bottom)} == {5 + 5 + 4 + 50 + 13}


def test_text_is_wrapped_where_the_terminal_is_narrower(printed):
    """Down to 18 characters: 5 + 5 + 4 + 18 + 13 are 45."""
    lines = printed(45)
    assert max(map(len, lines)) == 45 and lines[0].startswith("╭")
    cells = [line.strip("│").split("│")[3].strip() for line in lines[3:-2]]
    assert " ".join(cells) == SAID and len(cells) > 2


def test_where_no_table_fits_a_row_is_printed_column_by_column(printed):
    lines = printed(44)
    assert lines[:4] == ["── 1 ──", "suite    p1", "value    12.50", "note"]
    second = lines.index("── 2 ──")
    assert " ".join(line.removeprefix("verdict").strip() for line in lines[4:second]) == SAID
    assert lines[second + 1 :] == ["suite    p2", "value    3.00", "note", "verdict"]


def test_what_looks_like_markup_is_printed_as_it_is(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    print_rows(duckdb.sql("select '[bold]Item 7[/bold] :smile:' as text, [1, 2] as list"))
    assert "[bold]Item 7[/bold] :smile:" in capsys.readouterr().out
