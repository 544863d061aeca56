"""Build the warehouse and publish it.

dbt runs as a process of its own, so that its progress is visible line by line and Ctrl-C reaches it. Only a build that
succeeded is published. One that would read what the last one read runs nothing, unless it is forced to.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from finrag.build import unchanged
from finrag.build.checks import check_before
from finrag.build.output import LOCKED, TIME, locked_sentence, without_tracebacks
from finrag.build.results import Results
from finrag.project import command, warehouse
from finrag.publish.catalog import manifest_path
from finrag.publish.files import Publication
from finrag.publish.publish import publish

INTERRUPTED = 130
# What the macro report_build prints first.
REPORT = "The warehouse holds:"
FORCED = {"make build": "make build FORCE=1", "finrag build": "finrag build --force"}


def run_dbt(arguments: list[str]) -> tuple[int, list[str], bool]:
    """dbt's exit code, its last lines, and whether someone stopped it."""
    asked = [sys.executable, "-m", "finrag.commands", "dbt", "build", *arguments]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "DBT_WRITE_JSON": "true"}
    child = subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, errors="replace", env=environment)
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
        tail = [*tail[-200:], line]
    return child.wait(), tail, stopped


def report_in(tail: list[str]) -> str:
    """What the warehouse holds, as the end of dbt's output says; empty where it ends without."""
    starts = [number for number, line in enumerate(tail) if line.strip() == REPORT]
    if not starts:
        return ""
    lines = tail[starts[-1] :]
    ends = next((number for number, line in enumerate(lines) if TIME.match(line)), len(lines))
    return "".join(lines[:ends])


def failure(results: Results | None, tail: str) -> str:
    """The last lines of a build that failed: what did, what readers have now, and what to do."""
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
    lines += [what_readers_have(Publication.configured()), "Mend what failed and run it again: what was built is kept."]
    return "\n".join(lines)


def what_readers_have(publication: Publication) -> str:
    if not publication.state():
        return "Nothing has been published before, so there is nothing to read yet."
    at = datetime.fromtimestamp(publication.file.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    return f"{publication.file} is still the one published at {at}, of an earlier build."


def published(database: Path) -> None:
    outcome = publish(database, Publication.configured(), manifest_path())
    print(f"Published for readers: {outcome.sentence()}.")
    print(f"To look at it: {command('report')}. To ask it: {command('analysis')}, or any SQL client on")
    print(f"{outcome.publication.file} (read only).")


def build(arguments: list[str], is_forced: bool = False) -> int:
    """Build with options of `dbt build`, unless nothing has changed since the last build; the exit code."""
    database = warehouse()
    check_before(unchanged.named_variables(arguments), unchanged.default_variables())
    read = unchanged.what_is_read(arguments)
    last = unchanged.Finished.noted(database)
    if last and not is_forced and manifest_path().exists():
        changes = last.changes(read, unchanged.what_is_written(database))
        if not changes:
            print(f"Nothing has changed since {last.ended_at}, when this was built: {last.summary}.")
            print(f"So nothing was run; {FORCED[command('build')]} runs it all again.\n{last.report}")
            published(database)
            return 0
        print(f"Changed since the build of {last.ended_at}: {', '.join(changes)}.")
    unchanged.forget(database)
    started, started_at = time.time_ns(), datetime.now(UTC).isoformat()
    code, tail, stopped = run_dbt(arguments)
    if stopped:
        print("\nStopped. Nothing was published; what was computed is kept, and the next build goes on from there.")
        return INTERRUPTED
    results = Results.written_since(started)
    if code:
        print(failure(results, "".join(tail[-40:])))
        return code
    summary = results.summary() if results else "nothing"
    print(f"\nBuilt: {summary}.")
    published(database)
    if read is not None and not unchanged.calls_left_over(database, started_at):
        ended_at = datetime.now().strftime("%Y-%m-%d %H:%M")
        written = unchanged.what_is_written(database)
        unchanged.Finished(read, written, ended_at, summary, report_in(tail)).note(database)
    return 0
