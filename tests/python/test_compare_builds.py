"""Two builds side by side: what changed, what is the same, and what is in one of them alone."""

from __future__ import annotations

import pytest

from databases import in_memory
from finrag.cli.compare import show_builds
from finrag.errors import FinragError


@pytest.fixture
def connection():
    """Of two builds: dense with another model, bm25 as it was, answers that went and hybrid, which came."""
    with in_memory() as connection:
        connection.execute("""
            create schema metrics;
            create table metrics.builds as from (values
                ('one', '2026-01-01 12:00'::timestamp, 'abc'), ('two', '2026-01-02 12:00'::timestamp, null)
            ) as builds (build_id, started_at, git_commit);
            create table metrics.build_values as
            select
                *, 'none' as dataset, 'open' as regime, 'none' as judge_model, 'none' as question_model, 1 as replicate,
                'p3' as suite, 'none' as gold_window, 'evidence' as variant,
                value - 0.1 as ci_low, value + 0.1 as ci_high,
            from (values
                ('one', 'r1', 'retrieval', 'dense', 'x', null, 'm', 'hit', 5, 0.5, 238),
                ('two', 'r2', 'retrieval', 'dense', 'x', null, 'two', 'hit', 5, 0.25, 119),
                ('one', 'r3', 'retrieval', 'bm25', 'x', null, 'none', 'hit', 5, 0.75, 238),
                ('two', 'r3', 'retrieval', 'bm25', 'x', null, 'none', 'hit', 5, 0.75, 238),
                ('one', 'r5', 'answers', 'dense', 'gpt', null, 'm', 'answer_accuracy', 0, 0.5, 12),
                ('two', 'r4', 'retrieval', 'hybrid', 'x', null, 'two', 'hit', 5, 0.5, 119),
                ('one', 'r6', 'retrieval', 'random', 'x', null, 'none', 'hit', 5, 0.01, 238),
            ) as runs (
                build_id, run_id, task, strategy, system, model_id, embedding_model, metric, k, value, n
            );
        """)
        yield connection


def test_of_each_figure_n_is_said_and_what_went_or_came_is_named(connection, capsys):
    show_builds(connection, "last-1", "last", 10)
    assert capsys.readouterr().out.splitlines()[:-1] == [
        "Builds of 2026-01-01 12:00 abc and 2026-01-02 12:00:",
        "p3 open dense hit@5, m then two: 0.500 (0.400 to 0.600), n 238, then 0.250 (0.150 to 0.350), n 119",
        "p3 answers open dense answer_accuracy gpt m: in the first only, 0.500 (0.400 to 0.600), n 12",
        "p3 open hybrid hit@5 two: in the second only, 0.500 (0.400 to 0.600), n 119",
        "p3 open bm25 hit@5: 0.750 (0.650 to 0.850), n 238, the same run",
    ]
    show_builds(connection, "abc", "two", 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "3 lines more: --limit 4." and len(lines) == 4


def test_a_build_without_a_name_is_none(connection):
    with pytest.raises(FinragError, match=r"Of 2 builds so far none is ''\. Allowed: build:last"):
        show_builds(connection, "", "last", 10)


def test_where_one_build_is_all_there_is_the_error_says_so(connection):
    connection.execute("delete from metrics.builds where build_id != (select max(build_id) from metrics.builds)")
    with pytest.raises(FinragError, match=r"Of 1 build so far none is 'last-1'\. "):
        show_builds(connection, "last-1", "last", 10)
