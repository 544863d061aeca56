"""Build the warehouse and publish it.

Only a build that succeeded is published. One that would read what the last one read runs nothing, unless it is forced
to.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from finrag.build import unchanged
from finrag.build.checks import check_before
from finrag.build.dbt_run import Run, run_dbt
from finrag.build.turn import turn
from finrag.project import command, warehouse
from finrag.publish.catalog import manifest_path
from finrag.publish.files import Publication
from finrag.publish.publish import publish

STOPPED = "Stopped. Nothing was published; what was computed is kept, and the next build goes on from there."
# What the macro report_build prints first.
REPORT = "The warehouse holds:"


def report_in(printed: list[str]) -> str:
    """What the warehouse holds, as macros printed it when dbt ended; empty where they did not."""
    starts = [number for number, text in enumerate(printed) if text.strip() == REPORT]
    return "\n".join(printed[starts[-1] :]).strip() + "\n" if starts else ""


def failure(run: Run) -> str:
    """The last lines of a build that failed: what did, what readers have now, and what to do."""
    lines = ["", "The build failed, and nothing was published:", *(f"  {line}" for line in run.problems())]
    if run.results and run.results.skipped():
        lines.append(f"  {run.results.skipped()} models and tests that depend on it were skipped.")
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


def build(arguments: list[str], is_forced: bool = False, is_waiting: bool = False) -> int:
    """Build with options of `dbt build`, unless nothing has changed since the last build; the exit code.

    is_waiting: for another build of the same warehouse, if one runs.
    """
    database = warehouse()
    with turn(database, is_waiting):
        return build_alone(database, arguments, is_forced)


def build_alone(database: Path, arguments: list[str], is_forced: bool) -> int:
    read = unchanged.what_is_read(arguments)
    last = unchanged.Finished.noted(database)
    if last and not is_forced and manifest_path().exists():
        changes = last.changes(read, unchanged.what_is_written(database))
        if not changes:
            print(f"Nothing has changed since {last.ended_at}, when this was built: {last.summary}.")
            print(f"So nothing was run; {command('build', force=True)} runs it all again.\n{last.report}")
            published(database)
            return 0
        print(f"Changed since the build of {last.ended_at}: {', '.join(changes)}.")
    check_before(unchanged.named_variables(arguments), unchanged.default_variables())
    unchanged.forget(database)
    started_at = datetime.now(UTC).isoformat()
    run = run_dbt(["build", "--write-json", *arguments], STOPPED)
    if run.is_stopped:
        return run.code
    if run.code:
        print(failure(run))
        return run.code
    summary = run.results.summary()
    print(f"\nBuilt: {summary}.")
    published(database)
    if read is not None and not unchanged.calls_left_over(database, started_at):
        ended_at = datetime.now().strftime("%Y-%m-%d %H:%M")
        written = unchanged.what_is_written(database)
        unchanged.Finished(read, written, ended_at, summary, report_in(run.printed)).note(database)
    return 0
