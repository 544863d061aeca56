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


@pytest.mark.parametrize(
    ("done", "seconds", "note", "sentence"),
    [
        (0, 15, "", "0 of 10,838 texts done (0 %)"),
        (1200, 15, "", "1,200 of 10,838 texts done (11 %), 80.0 a second, about 2 min 0 s left"),
        (10838, 135.475, "$0.0200", "10,838 of 10,838 texts done (100 %), 80.0 a second, in 2 min 15 s, $0.0200"),
    ],
)
def test_a_line(done, seconds, note, sentence):
    lines = progress.Lines("Embedding", 10_838, "text")
    lines.done, lines.note = done, note
    assert lines.sentence(seconds) == sentence


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
