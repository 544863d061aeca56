"""Two builds of one warehouse: the second is told who builds, or waits its turn."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import time
from pathlib import Path

import pytest

from finrag.build.turn import last_build, refused, turn, undecided
from finrag.errors import FinragError

FORKS = multiprocessing.get_context("spawn")


def hold(database: str, seconds: float, began) -> None:
    with turn(Path(database)):
        began.set()
        time.sleep(seconds)


@pytest.fixture
def builder(tmp_path):
    """Starts a process that builds for so long; it has begun when this returns."""
    started = []

    def start(seconds: float):
        began = FORKS.Event()
        process = FORKS.Process(target=hold, args=(str(tmp_path / "finrag.duckdb"), seconds, began))
        process.start()
        started.append(process)
        assert began.wait(20)
        return process

    yield start
    for process in started:
        process.kill()
        process.join()


def test_the_second_build_says_who_builds_since_when(tmp_path, builder):
    process = builder(60)
    said = rf"finrag.duckdb is being built by process {process.pid} since 20"
    with pytest.raises(FinragError, match=said), turn(tmp_path / "finrag.duckdb"):
        pass
    with turn(tmp_path / "other.duckdb"):  # another warehouse is nobody's business
        pass


def test_it_waits_where_it_is_told_to(tmp_path, builder, capsys):
    builder(1.0)
    with turn(tmp_path / "finrag.duckdb", is_waiting=True):
        assert "Waiting for the build" in capsys.readouterr().out


def test_a_build_that_was_killed_is_in_nobodys_way(tmp_path, builder):
    process = builder(60)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert re.fullmatch(r"A later build, begun 20[-\d: ]+, was killed\.", last_build(tmp_path / "finrag.duckdb"))
    with turn(tmp_path / "finrag.duckdb") as ended:
        ended.status, ended.is_gate_decided = 0, True
    assert last_build(tmp_path / "finrag.duckdb") == ""


def test_what_did_not_succeed_is_known_until_a_build_does(tmp_path, builder):
    database = tmp_path / "finrag.duckdb"
    assert last_build(database) == ""
    process = builder(60)
    assert last_build(database).startswith(f"A build runs by process {process.pid} since 20")
    process.kill()
    process.join()
    with turn(database) as ended:
        ended.status = 2
    assert last_build(database).endswith("(exit status 2).")
    with pytest.raises(FinragError), turn(database):
        raise FinragError("before it was built")
    assert re.fullmatch(
        r"A later build, begun 20[-\d: ]+, failed at 20[-\d: ]+ \(exit status 1\)\.", last_build(database)
    )
    (tmp_path / "finrag.duckdb.building.json").write_text('{"proc')
    assert last_build(database) == "A later build was killed as it began."
    with turn(database) as ended:
        ended.status, ended.is_gate_decided = 0, True
    assert last_build(database) == ""


def test_a_gate_is_of_the_last_build_or_of_none(tmp_path, builder):
    """A build whose gate fails has decided it; one that stopped before, was killed or runs has not."""
    database = tmp_path / "finrag.duckdb"
    assert undecided(database) == ""
    with turn(database) as ended:
        ended.is_gate_decided = True
    assert undecided(database) == ""
    with pytest.raises(FinragError), turn(database):
        raise FinragError("before it was built")
    assert "failed at" in undecided(database)
    process = builder(60)
    assert undecided(database).startswith("A build runs by process")
    process.kill()
    process.join()
    assert undecided(database).endswith("was killed.")
    with turn(database) as ended:
        ended.status, ended.is_gate_decided = 0, True
    assert undecided(database) == ""


def test_a_build_that_did_not_come_to_the_gate_has_succeeded_and_decided_nothing(tmp_path):
    database = tmp_path / "finrag.duckdb"
    with turn(database) as ended:
        ended.status = 0
    assert last_build(database) == ""
    assert re.fullmatch(r"The last build, begun 20[-\d: ]+, did not come to the gate\.", undecided(database))


def test_a_build_that_was_refused_before_its_turn_is_the_last_one(tmp_path, builder):
    database = tmp_path / "finrag.duckdb"
    refused(database)
    assert undecided(database) == "" and not list(tmp_path.iterdir()), "nothing was built there"
    database.touch()
    refused(database)
    assert "failed at" in undecided(database) and "failed at" in last_build(database)
    process = builder(60)
    refused(database)
    assert undecided(database).startswith(f"A build runs by process {process.pid} since")
