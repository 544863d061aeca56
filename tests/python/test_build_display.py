"""A build says where it is: a line a step, none of dbt's thousand, and never a long silence."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time
from types import SimpleNamespace

from finrag import progress
from finrag.build.display import Display
from warehouses import environment


def event(name: str, **data):
    return SimpleNamespace(info=SimpleNamespace(name=name, level="info"), data=SimpleNamespace(**data))


def node(name: str, unique_id: str, schema: str, status: str = "success"):
    relation = SimpleNamespace(schema=schema)
    return event(name, node_info=SimpleNamespace(unique_id=unique_id, node_relation=relation, node_status=status))


def test_a_step_is_told_once_tests_never_and_failures_and_prints_at_once(capsys):
    with Display("Building it").open() as display:
        display.hear(event("LogStartLine", index=1, total=4))
        for unique_id, schema, status in (
            ("seed.finrag.sections", "seeds", "success"),
            ("model.finrag.dim_filings", "corpus", "success"),
            ("test.finrag.unique_dim_filings", "of_tests", "pass"),
            ("model.finrag.dim_companies", "corpus", "error"),
        ):
            display.hear(node("NodeStart", unique_id, schema))
            display.hear(node("NodeFinished", unique_id, schema, status))
        display.hear(event("PrintEvent", msg="\nCost:"))
        display.hear(event("Formatting", msg="dbt's own"))
    assert capsys.readouterr().out.splitlines() == [
        "Building it",
        "  0:00  seeds        registries",
        "  0:00  corpus       filings and sentences",
        "  0:00  failed: model dim_companies",
        "",
        "Cost:",
    ]


def test_a_silence_is_broken_by_what_is_being_built_and_what_of_it_is_done(capsys, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.1)
    with Display("Building it").open() as display:
        time.sleep(0.15)
        display.hear(event("LogStartLine", index=1, total=1048))
        display.hear(node("NodeStart", "model.finrag.int_embedded_texts", "retrieval"))
        with progress.progress("Embedding mine", 200, "text") as texts_done:
            texts_done.update(50)
            time.sleep(0.25)
        display.hear(node("NodeFinished", "model.finrag.int_embedded_texts", "retrieval"))
    told = capsys.readouterr()
    assert told.err == "", "a step told of itself beside the build"
    lines = told.out.splitlines()
    assert lines[1] == "  0:00  reading the project"
    form = r"  0:00  0 of 1,048 done; at int_embedded_texts \(0 s\); Embedding mine: 50 of 200 texts done \(25 %\)"
    assert [line for line in lines if re.fullmatch(form, line)], lines
    assert len(lines) <= 7


def test_nobody_tells_when_the_build_is_over(capsys, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    with Display("Building it").open():
        pass
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr().out == ""
    assert "display" not in [thread.name for thread in threading.enumerate()]


ON_A_TERMINAL = """
import sys, time
sys.path.insert(0, "tests/python")
from test_build_display import event, node
from finrag.build.display import Display
with Display("Building it").open() as display:
    display.hear(event("LogStartLine", index=1, total=2))
    for name in ("a", "b"):
        display.hear(node("NodeStart", f"model.finrag.{name}", "corpus"))
        time.sleep(0.2)
        display.hear(node("NodeFinished", f"model.finrag.{name}", "corpus"))
print("over")
"""


def test_on_a_terminal_a_bar_stands_below_the_lines_and_goes_at_the_end():
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    child = subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL],
        env=environment() | {"PYTHONPATH": "python_models"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = ""
    while True:
        try:
            piece = os.read(ours, 4096).decode()
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    assert child.wait() == 0, shown
    os.close(ours)
    assert "2/2" in shown and "corpus:" in shown, shown
    assert re.search(
        r"Building it.*\r  0:00  corpus       filings and sentences\r\n.* 2/2 .*\rover\r\n$", shown, re.DOTALL
    )
