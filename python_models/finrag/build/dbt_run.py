"""dbt in this process: what it did comes back as objects, and what it prints passes by on its way to the person.

dbt-duckdb keeps one database open for a process. It is closed when a run ends, so that whoever reads the warehouse next
finds the file whole and free.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from finrag.build.display import Display
from finrag.build.output import message_for_people, without_tracebacks
from finrag.build.parse import forget_stale_parse
from finrag.build.results import Results, counted
from finrag.errors import FinragError
from finrag.project import dbt_folder, load_yaml, name_of_make
from finrag.settings import OPTIONS
from finrag.spelling import did_you_mean

SELECTORS = "selectors.yml"
# What dbt's own command ends with.
FAILED, REFUSED = 1, 2
INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# So long a model that runs may take to end after it was asked to; whatever it computed is kept wherever it stands.
SECONDS_TO_STOP = 5
STOPPED = "Stopped. What was computed is kept."
# dbt takes the level of the screen for its log file too where that has none of its own.
LOGGED = ("--log-level-file", "debug")


@dataclass
class Run:
    """How a run of dbt ended."""

    code: int = 0
    results: Results | None = None  # None where dbt stopped before it ran a node
    error: str = ""  # why it did
    printed: list[str] = field(default_factory=list)  # by macros
    is_stopped: bool = False  # by someone

    def problems(self) -> list[str]:
        """A line for each node that failed, or what kept dbt from them."""
        if self.results is None:
            return [self.error or f"dbt stopped before it built anything; its own log is {log_file()}."]
        return self.results.failures()

    def hear(self, event) -> None:
        """event: dbt's EventMsg."""
        if event.info.name == "PrintEvent":
            self.printed.append(event.info.msg)
        elif event.info.level == "error" and not self.error:
            self.error = message_for_people(event.info.msg)


class Console:
    """The terminal, or wherever the output goes, with errors for people in place of their tracebacks.

    dbt writes what it has to say at a time in one piece.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        try:
            self.stream.write("".join(without_tracebacks(text.splitlines(keepends=True))))
            self.stream.flush()
        except BrokenPipeError:
            # whoever read along has gone (`finrag build | head`); the build goes on, and logs/dbt.log has it all
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


def check_options(command: str, options: Sequence[str]) -> None:
    """Raises FinragError for options that a command of dbt does not take, before any of it runs."""
    import click
    from dbt.cli.main import cli

    try:
        context = cli.commands[command].make_context(command, list(options))
    except click.NoSuchOption as error:
        asked, of_make = error.option_name, {f"--{name_of_make(option).lower()}": f"--{option}" for option in OPTIONS}
        known = [*of_make.values(), *(error.possibilities or [])]
        hint = f" Did you mean {of_make[asked]}?" if asked in of_make else did_you_mean(asked, known)
        told = f"There is no option {asked}.{hint} `finrag {command} --help` names ours."
        raise FinragError(told) from error
    except click.UsageError as error:
        raise FinragError(error.format_message()) from error
    if asked := context.params.get("selector"):
        check_selector(asked)


def check_selector(asked: str) -> None:
    """Raises FinragError for a name that selectors.yml does not have, which dbt finds only once it has parsed."""
    known = [each["name"] for each in load_yaml((dbt_folder() / SELECTORS).read_text("utf-8"))["selectors"]]
    if asked not in known:
        hint = did_you_mean(asked, known)
        raise FinragError(f"There is no selector {asked}.{hint} Those of {SELECTORS}: {', '.join(known)}.")


def run_dbt(arguments: Sequence[str], when_stopped: str = STOPPED, display: Display | None = None) -> Run:
    """Run dbt as its own command would, and close the database.

    when_stopped: what to say where someone stops it; display: what tells of the run in place of dbt's own log.
    """
    from dbt.cli.main import dbtRunner

    forget_stale_parse()
    run = Run()
    hearing, showing, quiet = [run.hear], nullcontext(), []
    if display is not None:
        hearing, showing = [run.hear, lambda event: run.is_stopped or display.hear(event)], display.open()
        quiet = ["--log-level", "none", *(() if "DBT_LOG_LEVEL_FILE" in os.environ else LOGGED)]
    command, *options = arguments
    with redirect_stdout(Console(sys.stdout)), faults_of_log_told(), stoppable(run, when_stopped), showing:
        try:
            done = dbtRunner(callbacks=hearing).invoke([command, *quiet, *options])
        finally:
            close_database()
    if run.is_stopped:
        print(f"\n{when_stopped}")
        run.code = INTERRUPTED
        return run
    run.code = 0 if done.success else FAILED if done.exception is None else REFUSED
    if done.exception is not None:
        run.error = message_for_people(str(done.exception))
    if (nodes := getattr(done.result, "results", None)) is not None:
        run.results = Results.of_run(nodes)
    return run


@contextmanager
def faults_of_log_told() -> Iterator[None]:
    """Tell once, at the end, that dbt's log cannot be written, as on a full disk, and not with each of its lines.

    Python's logging prints two stacks for a line that it cannot write, which buries what a build says of itself.
    """
    faults: list[str] = []
    before = logging.Handler.handleError
    logging.Handler.handleError = lambda _handler, _record: faults.append(str(sys.exc_info()[1]))
    try:
        yield
    finally:
        logging.Handler.handleError = before
        if faults:
            print(f"{log_file()} lacks {counted(len(faults), 'line')}, since it cannot be written: {faults[0]}.")


def log_file() -> Path:
    """What dbt says of everything that it does."""
    return Path(os.environ.get("DBT_LOG_PATH", "logs")) / "dbt.log"


@contextmanager
def stoppable(run: Run, when_stopped: str) -> Iterator[None]:
    """Ctrl-C, and what schedulers send, let dbt end in order; asked again, or in vain, this process ends at once."""

    def stop(_number: int, _frame: object) -> None:
        if run.is_stopped:
            print(f"\n{when_stopped}", flush=True)
            os._exit(INTERRUPTED)
        run.is_stopped = True
        signal.alarm(SECONDS_TO_STOP)
        raise KeyboardInterrupt

    # a build under nohup outlives its terminal
    is_to_outlive = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    numbers = [number for number in SIGNALS if not (is_to_outlive and number == signal.SIGHUP)]
    before = {number: signal.signal(number, stop) for number in (*numbers, signal.SIGALRM)}
    try:
        yield
    finally:
        signal.alarm(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def close_database() -> None:
    """Close what dbt-duckdb holds open; nothing where dbt never came so far."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager

    if DuckDBConnectionManager._ENV is not None:
        DuckDBConnectionManager._ENV.close()
    DuckDBConnectionManager.close_all_connections()
