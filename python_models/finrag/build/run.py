"""Build the warehouse and publish it.

Only a build that succeeded is published. One that would read what the last one read runs nothing, and one that would
read other models runs these and what depends on them, unless it is forced to run all.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from finrag import gate
from finrag.build import concerned, unchanged
from finrag.build.checks import check_before
from finrag.build.dbt_run import Console, Run, check_options, log_file, run_dbt
from finrag.build.display import Display
from finrag.build.output import NO_DATABASE
from finrag.build.turn import Ended, refused, turn
from finrag.errors import FinragError
from finrag.llm.budget import refused_in_build
from finrag.llm.ledger import Total
from finrag.project import command, version, warehouse
from finrag.publish.catalog import manifest_path, read_manifest
from finrag.publish.files import Publication
from finrag.publish.publish import Outcome, publish
from finrag.settings import default_variables

STOPPED = "Stopped. Nothing was published; what was computed is kept, and the next build goes on from there."
# What the macro report_build prints first.
REPORT = "The warehouse holds:"


def report_in(printed: list[str]) -> str:
    """What the warehouse holds, as macros printed it when dbt ended; empty where they did not."""
    starts = [number for number, text in enumerate(printed) if text.strip() == REPORT]
    return "\n".join(printed[starts[-1] :]).strip() + "\n" if starts else ""


def failure(run: Run) -> str:
    """The last lines of a build that failed: what did, what readers have now, and what to do."""
    problems = run.problems()
    lines = ["", "The build failed, and nothing was published:", *(f"  {line}" for line in problems)]
    if run.results and (skipped := run.results.skipped()):
        several = f"{skipped} models and tests that depend on it were skipped."
        lines.append("  " + ("1 model or test that depends on it was skipped." if skipped == 1 else several))
    lines.append(what_readers_have(Publication.configured()))
    # of a warehouse that is none nothing can be kept, and the problem itself says what to do
    if not any(NO_DATABASE in line for line in problems):
        lines.append("Mend what failed and run it again: what was built is kept.")
    faults = run.results.tracebacks() if run.results else []
    return "\n".join([*lines, *faults])


def what_readers_have(publication: Publication) -> str:
    if not publication.file.exists():
        return "Nothing has been published before, so there is nothing to read yet."
    at = datetime.fromtimestamp(publication.file.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    return f"{publication.file} is still the one published at {at}, of an earlier build."


def tell_published(outcome: Outcome) -> None:
    print(f"Published for readers: {outcome.sentence()}.")
    print(f"To look at it: {command('report')}. To ask it: {command('analysis')}, or any SQL client on")
    print(f"{outcome.publication.file} (read only).")


def build(arguments: list[str], is_forced: bool = False, is_waiting: bool = False, is_verbose: bool = False) -> int:
    """Build with options of `dbt build` what has changed since the last build, and what depends on it; the exit code.

    is_waiting: for another build of the same warehouse, if one runs; is_verbose: with dbt's own log.
    """
    database = warehouse()
    with redirect_stdout(Console(sys.stdout)), turn(database, is_waiting) as ended:
        try:
            ended.status = build_alone(database, arguments, ended, is_forced, is_verbose)
        finally:
            if not ended.is_gate_decided:
                gate.forget()
        return ended.status


def build_alone(
    database: Path, arguments: list[str], ended: Ended, is_forced: bool = False, is_verbose: bool = False
) -> int:
    """The exit code; whether the gate was decided is told as soon as it is known."""
    started = datetime.now(UTC)
    read, files = unchanged.what_is_read(arguments), unchanged.what_is_built()
    last = unchanged.Finished.noted(database)
    names, told = None, []
    if last and not is_forced and read_manifest(manifest_path()) is not None:
        changes = last.changes(read, unchanged.what_is_written(database))
        if not changes and not last.unfinished:
            ended.is_gate_decided = last.is_gate_decided
            print(f"Nothing has changed since {last.ended_at}, when this was built: {last.summary}.")
            print(f"So nothing was run; {command('build', force=True)} runs it all again.\n{last.report}")
            tell_published(publish(database, Publication.configured(), manifest_path()))
            return 0
        told.append(f"Changed since the build of {last.ended_at}: {', '.join(changes or last.unfinished)}.")
        if concerned.is_of_whole_builds(arguments):
            names = last.concerned(changes, files, manifest_path())
    check_before(unchanged.named_variables(arguments), default_variables())
    check_options("build", arguments)  # imports dbt, which takes a second
    if names is not None:
        told.append(f"Built is what depends on {', '.join(names)}; {command('build', force=True)} builds it all.")
    unchanged.forget(database)
    of_part = concerned.selection(names) if names is not None else []
    run = run_told([*arguments, *of_part], told, database, is_verbose)
    if last and unchanged.what_is_written(database) == last.written:
        last.note(database)  # dbt stopped before it wrote anything
    if run.code:
        if not run.is_stopped:
            print(failure(run))
        if names is not None:
            # the rest is as the last build left it
            written = unchanged.what_is_written(database)
            replace(last, written=written, unfinished=names).note(database)
        ended.is_gate_decided = tell_gate(run, database)
        return run.code
    if not run.results.nodes and names is None:
        raise FinragError(f"Nothing is selected by {shlex.join(arguments)}, so nothing was built. Names: dbt ls.")
    unchanged.Made(manifest_path().name, read).note()
    # a gate that is not among what a change concerns stands
    is_gate_kept = names is not None and last.is_gate_decided
    draft = None if read is None else unchanged.Finished(read, files, is_gate_decided=is_gate_kept)
    finish(run, database, draft, started, ended)
    return 0


def run_told(arguments: list[str], told: list[str], database: Path, is_verbose: bool) -> Run:
    """Run `dbt build`, after the lines of what is built and why."""
    if is_verbose and told:
        print("\n".join(told))
    told = [*told, f"Building {database} (all that dbt says: {log_file()}, or {command('build', verbose=True)})"]
    display = None if is_verbose else Display("\n".join(told))
    os.environ.update(who_builds())
    return run_dbt(["build", "--write-json", *arguments], STOPPED, display)


def finish(run: Run, database: Path, draft: unchanged.Finished | None, started: datetime, ended: Ended) -> None:
    """Publish what was built, and note what is known of it, which is as much where it cannot be published.

    draft: the note but for what is known only now; None where nothing is to be noted.
    """
    problem = None
    try:
        outcome = publish(database, Publication.configured(), manifest_path())
    except Exception as error:  # raised once the rest is known and noted
        problem = error
    # with the project read and what is published written, as the person has waited
    summary = run.results.summary((datetime.now(UTC) - started).total_seconds())
    print(f"\nBuilt: {summary}.")
    if not problem:
        tell_published(outcome)
    ended.is_gate_decided = tell_gate(run, database, bool(draft and draft.is_gate_decided))
    # of the ledger: a part of the graph may call models and leave the table of calls as it was
    if draft and not Total.since(started.isoformat()).unfinished and not refused_in_build():
        ended_at = datetime.now().strftime("%Y-%m-%d %H:%M")
        said = {"ended_at": ended_at, "summary": summary, "report": report_in(run.printed)}
        left = {"written": unchanged.what_is_written(database), "is_gate_decided": ended.is_gate_decided}
        replace(draft, **said, **left).note(database)
    if problem:
        raise problem


def tell_gate(run: Run, database: Path, is_kept: bool = False) -> bool:
    """Where a build ends: what the gate decided, or that this build did not come so far; whether it is decided.

    is_kept: where the gate had no part in the build, whether the one before it stands.
    """
    status = run.results and run.results.status_of("gate")
    if status == "success":
        if gate.tell(database) and run.code:
            print("The gate judges figures alone: the build failed all the same, as said above.")
        return True
    if status:
        print("\nGate (metrics.gate): not decided, since what it is made of failed.")
    elif not run.code and not is_kept:
        print("\nGate (metrics.gate): not decided, since it was not among what was built.")
    return is_kept and not status


def forget_gate() -> None:
    """Where a build is refused before it has its turn: what was decided of the one before is not said of it."""
    refused(warehouse())
    gate.forget()


def who_builds() -> dict[str, str]:
    """Version and commit for metrics.builds, as its model reads them from the environment."""
    found = {"BUILD_VERSION": version(), "BUILD_COMMIT": ""}
    if shutil.which("git"):
        asked = ("git", "describe", "--always", "--abbrev=12", "--match=", "--dirty=+")
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        # outside a repository it fails
        found["BUILD_COMMIT"] = done.stdout.strip()
    return found
