"""Long steps say what is done and what is left, also where nobody sits at a terminal."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest

from finrag import progress
from warehouses import ROOT

# A step of one second, whose lines come every 0.2 s.
STEP = """
import sys, time
from finrag import progress
progress.SECONDS = 0.2
with progress.progress("Embedding mine", int(sys.argv[1]), "text") as done:
    for _ in range(int(sys.argv[1]) // 10):
        time.sleep(0.05)
        done.update(10)
"""


def test_lines_come_through_a_pipe_as_the_step_goes():
    """Read as they are written: a step that told all at its end would not help who waits for it."""
    command = [sys.executable, "-c", STEP, "200"]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = child.stderr.readline()
    assert child.poll() is None, "the first line came when the step was over"
    rest = child.stderr.readlines()
    assert child.wait() == 0 and child.stdout.read() == ""
    form = r"Embedding mine: \d\d of 200 texts done \(\d\d? %\), [\d.]+ a second, about \d+ s left\n"
    assert re.fullmatch(form, first), first
    assert len(rest) >= 2
    assert re.fullmatch(r"Embedding mine: 200 of 200 texts done \(100 %\), [\d.]+ a second, in [1-9] s\n", rest[-1])


def test_a_short_step_says_nothing(capsys):
    with progress.progress("Short", 3, "text") as done:
        done.update(3)
    assert capsys.readouterr().err == ""


def test_a_line(monkeypatch):
    """A model is loaded in 60 s, and with the first 200 texts done at 75 s begins what the rest is judged by."""
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    lines = progress.Lines("Embedding", 10_200, "text")

    def told(seconds: float, done: int) -> str:
        clock[0] = seconds
        if done:
            lines.update(done)
        return lines.sentence(seconds)

    assert told(15, 0) == "0 of 10,200 texts done (0 %)"
    assert told(75, 200) == "200 of 10,200 texts done (2 %)"
    assert told(77, 160) == "360 of 10,200 texts done (4 %), 80.0 a second", "4 % less 2 % are too few to tell"
    assert told(90, 1040) == "1,400 of 10,200 texts done (14 %), 80.0 a second, about 1 min 50 s left"
    lines.note = "$0.0200"
    assert told(200, 8800) == "10,200 of 10,200 texts done (100 %), 80.0 a second, in 3 min 20 s, $0.0200"


def test_long_texts_are_more_of_the_work(monkeypatch):
    """The first tenth of the texts are half of the characters: after 50 s of them 50 s are left, not 450."""
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    lines = progress.Lines("Embedding", 1000, "text")
    for clock[0], done, lines.share in ((10.0, 10, 0.1), (50.0, 90, 0.5)):
        lines.update(done)
    assert lines.sentence(50) == "100 of 1,000 texts done (10 %), 2.2 a second, about 50 s left"


def test_lines_grow_rarer_as_a_step_grows_long():
    """15 s apart at first; after an hour a twentieth of it, three minutes."""
    assert [progress.pause(seconds) for seconds in (0, 299, 300, 3600)] == [15, 15, 15, 180]


def test_a_step_that_has_not_begun_says_so_and_one_that_breaks_off_stops_telling(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    with pytest.raises(ZeroDivisionError), progress.progress("Loading", 10, "text"):
        time.sleep(0.2)
        raise ZeroDivisionError
    told = capsys.readouterr().err.splitlines()
    assert len(told) >= 2 and set(told) == {"Loading: 0 of 10 texts done (0 %)"}
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_a_step_without_units(capsys):
    with progress.progress("Nothing", 0, "text") as done:
        done.update(0)
    assert capsys.readouterr().err == ""
