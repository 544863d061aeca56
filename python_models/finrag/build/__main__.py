"""Build the warehouse and publish it: `python -m finrag.build [options of dbt build]`.

dbt runs as a process of its own, so that its progress is visible line by line and Ctrl-C reaches it. Only a build that
succeeded is published.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from finrag.build.output import LOCKED, locked_sentence, without_tracebacks
from finrag.build.results import Results
from finrag.errors import FinragError
from finrag.publish.catalog import manifest_path
from finrag.publish.files import Publication
from finrag.publish.publish import configured_warehouse, publish

INTERRUPTED = 130


def run_dbt(arguments: list[str]) -> tuple[int, str, bool]:
    """dbt's exit code, its last lines, and whether someone stopped it."""
    command = [str(Path(sys.executable).with_name("dbt")), "build", *arguments]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "DBT_WRITE_JSON": "true"}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=environment)
    stopped = False

    def stop(number: int, _frame: object) -> None:
        nonlocal stopped
        stopped = True
        # A terminal sends Ctrl-C to dbt too; what is sent to this process alone has to be passed on.
        if number != signal.SIGINT or not sys.stdin.isatty():
            child.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    tail: list[str] = []
    for line in without_tracebacks(child.stdout):
        sys.stdout.write(line)
        sys.stdout.flush()
        tail = [*tail[-40:], line]
    return child.wait(), "".join(tail), stopped


def failure(results: Results | None, tail: str) -> str:
    """The last lines of a build that failed."""
    lines = ["", "The build failed, and nothing was published:"]
    locked = LOCKED.search(" ".join(tail.split()))
    if locked:
        lines.append(f"  {locked_sentence(locked)}")
    elif results is None:
        lines.append("  dbt stopped before it built anything; its own message is above.")
    else:
        lines += [f"  {line}" for line in results.failures()]
        if results.skipped():
            lines.append(f"  {results.skipped()} models and tests that depend on it were skipped.")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    started = time.time_ns()
    code, tail, stopped = run_dbt(arguments)
    if stopped:
        print("\nStopped. Nothing was published; what was computed is kept, and `make build` goes on from there.")
        return INTERRUPTED
    results = Results.written_since(started)
    if code:
        print(failure(results, tail))
        return code
    outcome = publish(configured_warehouse(), Publication.configured(), manifest_path())
    print(f"\nBuilt: {results.summary() if results else 'nothing'}.")
    print(f"Published for readers: {outcome.sentence()}.")
    print("To look at it: make report. To ask it: make analysis NAME=… (analyses/README.md), or any SQL client on")
    print(f"{outcome.publication.file} (read only).")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except FinragError as error:
        sys.exit(str(error))
