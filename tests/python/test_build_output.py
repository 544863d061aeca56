"""The end of a build's output is written for the person who runs it."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import duckdb
import pytest
from typer.testing import CliRunner

from finrag.build import run
from finrag.build.dbt_run import Console, Run, check_options, faults_of_log_told
from finrag.build.output import message_for_people, sentence_of, without_tracebacks
from finrag.build.results import Results, duration
from finrag.build.run import failure
from finrag.build.turn import Ended
from finrag.cli.app import OF_NO_BUILD, app
from finrag.errors import FinragError
from warehouses import OPEN_TO_WRITE, Warehouse, environment

OF_FINRAG = """\
17:10:40    Runtime Error in model source_files (python_models/staging/source_files.py)
  Python model failed:
  Traceback (most recent call last):
    File "/x/environments/__init__.py", line 286, in run_python_job
      df = module.model(dbt, con)
           ^^^^^^^^^^^^^^^^^^^^^^
    File "/x/sources.py", line 127, in matches
      raise FinragError(
  finrag.errors.FinragError: CORPUS path '/nowhere' matches no file. Give paths: a.json.
17:10:40  Done.
"""
OF_OTHERS = """\
  Python model failed:
  Traceback (most recent call last):
    File "/x/sources.py", line 127, in matches
      1 / 0
  ZeroDivisionError: division by zero
"""
LOCKED = (
    'IO Error: Could not set lock on file "/p/warehouse/finrag.duckdb": Conflicting lock is held in '
    "/usr/bin/python3.11 (PID 4242) by user root. See also https://duckdb.org/docs/connect/concurrency"
)


def test_an_error_for_people_stands_without_its_traceback():
    told = "".join(without_tracebacks(OF_FINRAG.splitlines(keepends=True)))
    assert told == (
        "17:10:40    Runtime Error in model source_files (python_models/staging/source_files.py)\n"
        "  CORPUS path '/nowhere' matches no file. Give paths: a.json.\n"
        "17:10:40  Done.\n"
    )


def test_an_error_raised_while_another_was_handled_stands_without_both():
    chained = (
        "  Traceback (most recent call last):\n    File 'x', line 1, in f\n  KeyError: 'a'\n\n"
        "  The above exception was the direct cause of the following exception:\n\n"
        "  Traceback (most recent call last):\n    File 'x', line 3, in f\n"
        "  finrag.errors.FinragError: There is no model 'a'.\n"
    )
    assert message_for_people(chained) == "There is no model 'a'."


def test_any_other_traceback_stays():
    assert "".join(without_tracebacks(OF_OTHERS.splitlines(keepends=True))) == OF_OTHERS
    assert message_for_people(OF_OTHERS).startswith("ZeroDivisionError: division by zero (the traceback")


def test_ctrl_c_leaves_no_traceback():
    lines = [
        "before\n",
        "18:00:55  Traceback (most recent call last):\n",
        "  File 'x', line 1\n",
        "KeyboardInterrupt\n",
    ]
    assert list(without_tracebacks(lines)) == ["before\n"]


def test_output_that_ends_within_a_traceback_is_not_swallowed():
    lines = OF_OTHERS.splitlines(keepends=True)[:3]
    assert list(without_tracebacks(lines)) == lines


def test_a_locked_file_names_who_holds_it_and_what_to_use_instead():
    told = message_for_people(LOCKED)
    assert "PID 4242" in told and "finrag_bi.duckdb" in told and "duckdb.org" not in told


def test_what_keeps_a_command_from_the_warehouse_is_said_in_a_sentence(tmp_path):
    (tmp_path / "none.duckdb").write_text("no database")
    with pytest.raises(duckdb.IOException) as no_database:
        duckdb.connect(str(tmp_path / "none.duckdb"))
    assert "A warehouse is a DuckDB file that a build wrote; FINRAG_DATABASE says which." in sentence_of(
        no_database.value
    )
    with pytest.raises(duckdb.CatalogException) as no_table:
        duckdb.sql("from metrics.gate")
    assert sentence_of(no_table.value).startswith(
        "The warehouse is of another version, or no build of it came so far: "
    )
    with pytest.raises(OSError) as no_file:
        (tmp_path / "none" / "file").write_text("")
    assert sentence_of(no_file.value).startswith(f"{tmp_path}/none/file: No such file or directory.")
    assert "is open in another process" in sentence_of(duckdb.IOException(LOCKED))
    assert sentence_of(ValueError("a fault of the program")) == ""


def test_the_last_lines_name_every_failed_node_and_count_the_skipped():
    results = Results(
        [
            {
                "unique_id": "model.finrag.source_files",
                "status": "error",
                "message": OF_FINRAG.split("\n", 1)[1].rsplit("17:", 1)[0],
            },
            {"unique_id": "test.finrag.assert_no_p0_alerts", "status": "fail", "message": "Got 1 result"},
            {"unique_id": "model.finrag.dim_filings", "status": "skipped", "message": None},
        ]
    )
    assert failure(Run(code=1, results=results)).splitlines()[2:-2] == [
        "  model source_files: CORPUS path '/nowhere' matches no file. Give paths: a.json.",
        "  test assert_no_p0_alerts: Got 1 result",
        "  1 model or test that depends on it was skipped.",
    ]


def test_what_fails_several_for_one_reason_is_said_once():
    failed = {"model.f.anchors": "No such id.", "test.f.one": "Got 1 result", "model.f.questions": "No such id."}
    results = Results([{"unique_id": name, "status": "error", "message": told} for name, told in failed.items()])
    assert results.failures() == ["model anchors, model questions: No such id.", "test one: Got 1 result"]


def test_what_was_built_is_counted():
    # imported where it is needed: dbt takes longer than all of these tests, and every worker imports this file
    from dbt.artifacts.schemas.results import NodeStatus

    statuses = {"model.f.a": "success", "model.f.b": "success", "seed.f.c": "success", "test.f.d": "pass"}
    statuses |= {"test.f.e": "warn", "model.f.z": "skipped"}
    nodes = [
        SimpleNamespace(node=SimpleNamespace(unique_id=name), status=NodeStatus(status), message=None)
        for name, status in statuses.items()
    ]
    told = Results.of_run(nodes).summary(75.4)
    assert told == "1 seed, 2 models, 1 check passed, 1 warned in 1 min 15 s"


def test_the_time_of_a_build_is_that_of_the_whole_command(tmp_path, monkeypatch, capsys):
    """90 s of dbt, in which it reads the project too, and 30 s in which what is published is written."""
    clock = SimpleNamespace(now=0.0)

    def passed(seconds: float, result: object) -> Callable:
        def step(*_: object) -> object:
            clock.now += seconds
            return result

        return step

    began = datetime(2026, 1, 31, tzinfo=UTC)
    now = SimpleNamespace(now=lambda _zone=None: began + timedelta(seconds=clock.now))
    monkeypatch.setattr(run, "datetime", now)
    for name in ("check_options", "check_before", "Display", "tell_published"):
        monkeypatch.setattr(run, name, passed(0, None))
    monkeypatch.setattr(run.unchanged, "what_is_read", passed(0, None))
    monkeypatch.setattr(run.unchanged, "named_variables", passed(0, {}))
    monkeypatch.setattr(
        run, "run_dbt", passed(90, Run(results=Results([{"unique_id": "model.f.a", "status": "success"}])))
    )
    monkeypatch.setattr(run, "publish", passed(30, None))
    ended = Ended()
    assert run.build_alone(tmp_path / "w.duckdb", [], ended) == 0
    assert not ended.is_gate_decided
    assert "\nBuilt: 1 model in 2 min 0 s.\n" in capsys.readouterr().out


def test_duration():
    assert [duration(0.4), duration(59.6), duration(61)] == ["0 s", "1 min 0 s", "1 min 1 s"]


FILING = {
    **{"cik": "43", "company": "Filing Co", "filing_type": "10-K", "filing_date": "2021-02-01"},
    "item_7": "Revenue was $5 million. It rose 3%.",
}


def build(warehouse: Warehouse, corpus: str, *options: str) -> subprocess.Popen:
    """`finrag build` as make calls it, without a terminal. No test of dbt's is run, so none is in the parse."""
    variables = warehouse.parsed(tested=False, corpus=corpus, company_facts="")
    some = ["--select", "+dim_companies", "+rejected_rows", "--exclude-resource-type", "test", "--vars", variables]
    command = [sys.executable, "-m", "finrag", "build", "--corpus", corpus, "--facts", "", *options, *some]
    given = environment() | {"PYTHONPATH": "python_models"}
    del given["DBT_WRITE_JSON"], given["DBT_LOG_LEVEL_FILE"]
    piped = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=warehouse.project, env=given, text=True, **piped)


def ended(process: subprocess.Popen) -> tuple[int, str, str]:
    """Exit code, output and errors of a build."""
    output, errors = process.communicate()
    return process.returncode, output, errors


@dataclass(frozen=True)
class Built:
    """A warehouse of one file, published by a build, and what that build printed."""

    warehouse: Warehouse
    file: Path
    output: str

    @property
    def published(self) -> Path:
        return self.warehouse.project / "warehouse" / "bi" / "finrag_bi.duckdb"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Iterator[Built]:
    """What no test of it may change, by whatever build: the file that is published is the same in the end."""
    warehouse = Warehouse(tmp_path_factory.mktemp("built") / "built")
    file = warehouse.project / "corpus" / "filing.json"
    file.parent.mkdir()
    file.write_text(json.dumps(FILING), encoding="utf-8")
    code, output, errors = ended(build(warehouse, "corpus/*"))
    assert code == 0, output + errors
    first = Built(warehouse, file, output)
    before = first.published.read_bytes()
    yield first
    assert first.published.read_bytes() == before


def test_a_build_says_what_it_made_and_publishes_it(built):
    assert "The warehouse holds:" in built.output
    assert "Published for readers: warehouse/bi/finrag_bi.duckdb" in built.output
    assert "all that dbt says: logs/dbt.log" in built.output
    said = (built.warehouse.project / "logs/dbt.log").read_text(encoding="utf-8")
    assert "START sql table model corpus.dim_companies" in said and "On model.finrag.dim_companies: " in said
    with duckdb.connect(str(built.published), read_only=True) as reader:
        assert reader.execute("select count(*) from bi_dim_companies").fetchone() == (1,)


def test_a_build_with_nothing_changed_builds_nothing(built):
    code, output, errors = ended(build(built.warehouse, "corpus/*"))
    assert code == 0 and output.startswith("Nothing has changed since "), output + errors
    assert "Building " not in output and "1 company," in output and "is up to date" in output


def test_a_build_of_a_warehouse_that_another_process_writes_says_which(built):
    command = [sys.executable, "-c", OPEN_TO_WRITE, str(built.warehouse.database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "open\n"
        code, output, _ = ended(build(built.warehouse, "corpus/*", "--force"))
        writer.communicate("")
    last_lines = output.splitlines()[-4:]
    assert code == 2
    assert last_lines[0] == "The build failed, and nothing was published:"
    assert f"is open in another process ({os.path.realpath(sys.executable)} (PID {writer.pid}))" in last_lines[1]
    assert "finrag_bi.duckdb is still the one published at" in last_lines[2]


def test_a_build_that_is_ended_publishes_nothing(built):
    killed = build(built.warehouse, "corpus/*", "--force")
    for line in killed.stdout:
        if "filings and sentences" in line:  # the step that it has come to
            break
    killed.send_signal(signal.SIGTERM)
    code, output, _ = ended(killed)
    assert code == 130 and "Nothing was published" in output


def test_a_failed_build_prints_the_failure_and_nothing_of_an_older_warehouse(built):
    """The only file is broken."""
    built.file.write_text('{"cik": ', encoding="utf-8")
    code, output, errors = ended(build(built.warehouse, "corpus/*"))
    assert code == 1 and output == ""
    assert errors.startswith("The corpus file cannot be loaded: corpus/filing.json: not readable as json")

    # whether a PDF is whole is known only once it is read
    built.file.unlink()
    built.file.with_suffix(".pdf").write_bytes(b"%PDF-1.4 that ends here")
    code, output, _ = ended(build(built.warehouse, "corpus/*"))
    assert code == 1
    told = output.split("The build failed, and nothing was published:")[1]
    assert "model source_files: The corpus file cannot be loaded" in told
    assert "warehouse/bi/finrag_bi.duckdb is still the one published at 20" in told
    # of the ledger, whatever became of the tables
    assert "\nCost: $0.00 for 0 calls to language models so far (the ledger" in output
    for old in ("The warehouse holds", "1 company,", "Corpus health", "Alerts (", "Published for readers"):
        assert old not in output, old


def test_a_file_that_is_named_twice_is_refused_before_a_build(empty, monkeypatch, taken_back):
    """test_checks has what else is refused then."""
    (empty.project / "corpus").mkdir()
    (empty.project / "corpus" / "filing.pdf").write_bytes(b"%PDF-1.4 that ends here")
    monkeypatch.chdir(empty.project)
    ran = CliRunner().invoke(app, ["build", "--corpus", "corpus/*", "--facts", "corpus/filing.pdf"])
    error = "1 file stands under both corpus.paths in finrag.toml (or --corpus) and corpus.facts"
    assert isinstance(ran.exception, FinragError) and error in str(ran.exception), ran.output
    assert ran.exit_code == 1 and ran.output == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--selct", "dim_companies"],
            "There is no option --selct. Did you mean --select? `finrag build",
        ),
        (["--bogus"], "There is no option --bogus. `finrag build --help` names ours."),
        # as make has it
        (["--questions", "a.json"], "There is no option --questions. Did you mean --suites? `finrag build --help`"),
        (["--corpora", "x"], "There is no option --corpora. Did you mean --corpus? `finrag build --help` names ours."),
        (
            ["--selector", "anwsers"],
            "There is no selector anwsers. Did you mean answers? Those of selectors.yml: bundles, ",
        ),
        (["--threads", "many"], "Invalid value for '--threads': 'many' is not a valid integer."),
        (["stray"], "Got unexpected extra argument (stray)"),
    ],
)
def test_an_option_that_dbt_does_not_know_is_named_before_anything_runs(options, said):
    check_options("build", ["--select", "a", "b", "--vars", '{"metric_ks": [5]}', *OF_NO_BUILD, "--full-refresh"])
    with pytest.raises(FinragError) as error:
        check_options("build", options)
    assert str(error.value).startswith(said)


def test_what_dbt_says_passes_by_in_whole_pieces_and_a_reader_that_goes_ends_nothing():
    read, write = os.pipe()
    console = Console(os.fdopen(write, "w"))
    console.write(OF_FINRAG)
    assert os.read(read, 10_000).decode().endswith("matches no file. Give paths: a.json.\n17:10:40  Done.\n")
    os.close(read)
    assert console.write("nobody reads this\n") == 18
    assert console.write("nor this\n") == 9


STOPPABLE = """
import time
from finrag.build import dbt_run
dbt_run.SECONDS_TO_STOP = {seconds}
with dbt_run.stoppable(dbt_run.Run(), "Stopped."):
    try:
        print("started", flush=True)
        {work}
    except KeyboardInterrupt:
        print("asked", flush=True)
        {work}
"""
# A minute in pieces: a signal that comes just before a sleep is heard only after it.
MINUTE = "[time.sleep(0.1) for _ in range(600)]"


@pytest.mark.parametrize(
    ("seconds", "signals"), [(1, [signal.SIGINT]), (1, [signal.SIGTERM]), (60, [signal.SIGINT, signal.SIGINT])]
)
def test_who_stops_a_build_waits_for_no_model(seconds, signals):
    """One that does not end when it is asked to is left where it is; asked twice, at once."""
    command = [sys.executable, "-c", STOPPABLE.format(seconds=seconds, work=MINUTE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for expected, number in zip(("started\n", "asked\n"), signals, strict=False):
            assert process.stdout.readline() == expected
            process.send_signal(number)
        assert process.wait(timeout=30) == 130
        assert process.stdout.read().endswith("Stopped.\n")


def test_a_build_under_nohup_outlives_its_terminal():
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    command = [sys.executable, "-c", ignoring + STOPPABLE.format(seconds=60, work="input()")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGHUP)
        output, _ = process.communicate("\n", timeout=30)
        assert (process.returncode, output) == (0, "")


def test_a_first_build_that_fails_has_nothing_to_read(tmp_path, monkeypatch):
    monkeypatch.setenv("FINRAG_BI", str(tmp_path / "bi.duckdb"))
    told = failure(Run(code=2, error="The file is locked.")).splitlines()
    assert told[1:3] == ["The build failed, and nothing was published:", "  The file is locked."]
    assert told[-2:] == [
        "Nothing has been published before, so there is nothing to read yet.",
        "Mend what failed and run it again: what was built is kept.",
    ]


@pytest.mark.parametrize("content", [b"", b"no database" * 1000])
def test_a_warehouse_that_is_no_database_is_to_be_moved_away(tmp_path, monkeypatch, content):
    """Nothing of it is kept, so that the last line is not the one of other failures."""
    monkeypatch.setenv("FINRAG_BI", str(tmp_path / "bi.duckdb"))
    (tmp_path / "mine.duckdb").write_bytes(content)
    with pytest.raises(duckdb.IOException) as no_database:
        duckdb.connect(str(tmp_path / "mine.duckdb"))
    problem = message_for_people(f"Runtime Error\n  {no_database.value}")
    assert problem.startswith(f"{tmp_path}/mine.duckdb is no DuckDB database: it is damaged, or of another program. ")
    assert "Move this file away, or remove what builds made (" in problem and problem == sentence_of(no_database.value)
    told = failure(Run(code=2, error=problem))
    assert problem in told and "is kept" not in told


def test_a_log_that_cannot_be_written_is_one_line_and_no_stacks(capfd, monkeypatch):
    monkeypatch.setenv("DBT_LOG_PATH", "somewhere")
    full = SimpleNamespace(write=Mock(side_effect=OSError(28, "No space left on device")), flush=Mock())
    log = logging.Logger("dbt's")
    log.addHandler(logging.StreamHandler(full))
    with faults_of_log_told():
        log.error("one")
        log.error("two")
    said = "somewhere/dbt.log lacks 2 lines, since it cannot be written: [Errno 28] No space left on device.\n"
    assert capfd.readouterr() == (said, "")


WRITES = """
import resource, sys
import duckdb
connection = duckdb.connect(sys.argv[1])
if sys.argv[2] == "disk":
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))
else:
    connection.execute("set memory_limit = '30MB'; set temp_directory = ''")
connection.execute("create table large as select list(md5(range::varchar)) as m from range(1000000)")
"""


@pytest.mark.parametrize(("short", "said"), [("disk", "The disk is full"), ("memory", "Memory was too small")])
def test_too_little_disk_or_memory_is_said_and_leaves_the_warehouse(tmp_path, short, said):
    """What DuckDB really says and does where a file must not grow (a full disk) or its memory limit is reached."""
    database = tmp_path / "finrag.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create table kept as select range as i from range(1000)")
    done = subprocess.run(
        [sys.executable, "-c", WRITES, str(database), short], capture_output=True, text=True, check=False
    )
    assert done.returncode
    told = message_for_people(f"  Python model failed:\n{done.stderr}")
    assert told.startswith(said) and "Traceback" not in told and "\n" not in told, told
    assert ("FINRAG_TEMP" if short == "disk" else "FINRAG_MEMORY_LIMIT (now") in told
    with duckdb.connect(str(database)) as connection:
        assert connection.execute("select table_name from duckdb_tables()").fetchall() == [("kept",)]
        assert connection.execute("select count(*), sum(i) from kept").fetchone() == (1000, 499500)
        connection.execute("create table large as select range as i from range(1000000)")


def test_answers_to_questions_that_mostly_have_none_are_told(empty):
    """Of 40 questions whose answers are judged 30 have none, or 20, which is not most."""
    with duckdb.connect(str(empty.database)) as made:
        made.execute("create schema metrics")
        made.execute(
            "create table metrics.metric_values_by_run as select suites.*, runs.*, suite || strategy as run_id, metric,"
            " if(metric = 'answer_accuracy', 40, without_answer) as n_measured, 'none' as dataset,"
            " 'none' as model_id, 'baseline' as system, 'answers' as task, 'answer' as variant,"
            " null::double as ci_low, null::double as ci_high, null::varchar as judge_calibration,"
            " 0 as n_error, true as is_current, 'overall' as stratum_by, 'all' as population"
            " from (values ('p3', 30), ('half', 20)) as suites (suite, without_answer),"
            " (values ('dense', 0.9), ('random', 0.97)) as runs (strategy, value),"
            " (values ('answer_accuracy'), ('no_answer_accuracy')) as metrics (metric)"
        )
    done = empty.dbt("compile", "--quiet", "--inline", "{{ language_model_lines() | join('|') }}")
    shown = "answer_accuracy         40  baseline, random 0.97  baseline, dense 0.90"
    assert done.stdout.strip() == f"half   {shown}|p3     {shown}; 30 of them have no answer", done.stdout
