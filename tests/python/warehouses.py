"""Warehouses built by dbt for the integration tests, each in a project folder of its own.

A folder links to everything of the repository that dbt reads and has its own warehouse/ and target/, so that every
build runs with the defaults that users have, and dbt's parse of the project, which takes longer than most builds
here, is computed once for all folders with the same vars.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Client
from pathlib import Path

import duckdb
from filelock import FileLock

from finrag.build.parse import forget_stale_parse
from finrag.settings import AT_PARSE

ROOT = Path(__file__).parents[2]
# Models that a run of dbt builds at a time. Tests that another number changes nothing set another.
THREADS = 2
# A program that has a database open until its input ends: `python -c … DATABASE`.
OPEN_TO_WRITE = "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
READ_BY_DBT = (
    *("models", "python_models", "macros", "seeds", "tests", "analyses"),
    *("dbt_project.yml", "profiles.yml", "selectors.yml", ".dbtignore"),
)
PARSE = "partial_parse.msgpack"
# The same without tests of dbt, which are three in four nodes: what a run without tests reads.
UNTESTED_PARSE = "untested_parse.msgpack"
# dbt parses the whole project for every set of vars that are not read at run time, so tests that each build the part of
# the DAG that reads some of these share them.
OTHER_ANSWERS = {
    "gold_seed": "other",
    "question_suites": "suites/*",
    "llm_answers": "baseline gemini-2.5-flash-lite",
    "summary_pairs": "planted=planted.jsonl",
    "judged_questions": 0,
    # none of these tests reads BERTScore or cosine
    "score_models": "",
}
SEEDS = "resource_type:seed"
# The part of the DAG that needs no embeddings.
CORPUS_AND_BUNDLES = (
    "--select",
    SEEDS,
    *(f"path:models/{folder}" for folder in ("staging/stg_*", "corpus", "bundles")),
    *(f"path:python_models/{folder}" for folder in ("staging", "corpus", "bundles")),
)
WITHOUT_TESTS = ("--exclude-resource-type", "test", "unit_test")


def environment(**variables: object) -> dict[str, str]:
    """The environment of every dbt run: none of the user's own files, no manifest.json unless it is asked for.

    Of the vars, those that are read at run time are handed over here.
    """
    own = ("FINRAG_DATABASE", "FINRAG_LANCE", "FINRAG_TEMP", "FINRAG_LEDGER", "FINRAG_BI")
    kept = {name: value for name, value in os.environ.items() if name not in own and not name.startswith("DBT_")}
    return kept | {
        "DBT_PROFILES_DIR": ".",
        "DBT_WRITE_JSON": "false",
        "DBT_LOG_LEVEL_FILE": "none",
        "FINRAG_THREADS": str(THREADS),
        "FINRAG_SETTINGS": json.dumps({name: value for name, value in variables.items() if name not in AT_PARSE}),
    }


def run_dbt(
    arguments: list[str], folder: Path, environment: dict[str, str], parse: Path | None = None
) -> subprocess.CompletedProcess:
    """As subprocess.run of the dbt command in a folder, its output and errors as one text.

    parse: dbt's parse of exactly what lies in the folder, where there is one; without it dbt looks for what changed.
    """
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as output, Client(dbt_server()) as server:
        server.send((arguments, str(folder), environment, output.name, str(parse) if parse else None))
        try:
            code = server.recv()
        except EOFError:
            code = -signal.SIGKILL
        return subprocess.CompletedProcess(arguments, code, output.read(), "")


def dbt_server() -> str:
    """The socket of the process that runs dbt for all workers of these tests; the first to ask starts it."""
    tests = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder = Path(tempfile.gettempdir(), f"finrag-tests-{session()}")
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        if not (folder / "dbt").exists():
            command = (sys.executable, Path(__file__).with_name("dbt_server.py"), folder / "dbt", str(tests))
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
            assert process.stdout.readline() == "ready\n", "the process that runs dbt did not start"
    return str(folder / "dbt")


def session() -> str:
    """Of these tests, the same in all workers."""
    return os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))


def parse_of(variables: str) -> Path:
    """dbt's parse of the repository with these vars, computed where no earlier test or test run has.

    Vars that the parse refuses have none: dbt then says so where the test expects it.
    """
    key = hashlib.sha256(variables.encode()).hexdigest()[:16]
    folder = ROOT / "target" / "parses" / key
    folder.mkdir(parents=True, exist_ok=True)
    checked = folder / "checked_by"
    with FileLock(folder / "lock"):
        if not checked.exists() or checked.read_text() != session():
            forget_stale_parse(ROOT, folder)
            beside = environment() | {"DBT_TARGET_PATH": str(folder), "DBT_LOG_PATH": str(folder)}
            done = run_dbt(["parse", "--vars", variables], ROOT, beside)
            if done.returncode == 0:
                (folder / UNTESTED_PARSE).write_bytes(without_tests((folder / PARSE).read_bytes()))
            checked.write_text(session() if done.returncode == 0 else "")
    return folder / PARSE


def without_tests(parse: bytes) -> bytes:
    """A parse whose tests are left out; dbt links and searches its nodes at the start of every run (0.9 of 2 s)."""
    from dbt.contracts.graph.manifest import Manifest
    from dbt.parser.manifest import extended_mashumaro_encoder, extended_mashumuro_decoder

    manifest = Manifest.from_msgpack(parse, decoder=extended_mashumuro_decoder)
    manifest.nodes = {name: node for name, node in manifest.nodes.items() if node.resource_type != "test"}
    manifest.unit_tests = {}
    return manifest.to_msgpack(extended_mashumaro_encoder)


def at_parse(variables: dict[str, object]) -> str:
    """Those of the vars that dbt's parse depends on, as its option takes them."""
    return json.dumps({name: value for name, value in variables.items() if name in AT_PARSE})


def needs_tests(arguments: Sequence[str]) -> bool:
    """Whether a run of dbt reads its tests, or writes a manifest of the project, which has them."""
    return arguments[0] != "build" or not {*WITHOUT_TESTS} <= {*arguments} or "--write-json" in arguments


@dataclass
class Warehouse:
    """A project folder, the database and vectors in it, and what dbt last printed about it."""

    project: Path
    output: str = ""
    reader: duckdb.DuckDBPyConnection | None = None
    """Of a warehouse that nobody writes to any more: opening one takes a tenth of a second of a processor."""

    def __post_init__(self) -> None:
        (self.project / "warehouse").mkdir(parents=True, exist_ok=True)
        for name in READ_BY_DBT:
            if not (self.project / name).exists():
                (self.project / name).symlink_to(ROOT / name)

    @property
    def database(self) -> Path:
        return self.project / "warehouse" / "finrag.duckdb"

    @property
    def lance(self) -> Path:
        return self.project / "warehouse" / "lance"

    @property
    def target(self) -> Path:
        return self.project / "target"

    def own_seeds(self) -> Path:
        """The folder of seeds, from now on a copy that a test may change."""
        seeds = self.project / "seeds"
        if seeds.is_symlink():
            seeds.unlink()
            shutil.copytree(ROOT / "seeds", seeds)
        return seeds

    def linked(self, name: str, *files: Path) -> str:
        """Put links to files into a folder, in place of those there before; the pattern that finds them."""
        folder = self.project / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in files:
            (folder / file.name).symlink_to(file.resolve())
        return f"{name}/*"

    def parsed(self, *, tested: bool = True, **variables: object) -> str:
        """Vars as dbt takes them; the project's parse with these vars is put in place, with dbt's tests if tested."""
        given = at_parse(variables)
        self.target.mkdir(exist_ok=True)
        if (parse := parse_of(given)).exists():
            shutil.copy(parse if tested else parse.with_name(UNTESTED_PARSE), self.target / PARSE)
        return given

    def command(self, *arguments: str, **variables: object) -> list[str]:
        """Arguments of dbt with vars by keyword, parsed; a manifest that is written has dbt's tests."""
        return [*arguments, "--vars", self.parsed(tested=needs_tests(arguments), **variables)]

    def shell(self, command: str, **options: str) -> str:
        """What a command prints that is given in this folder, as in a clone; fails the test where the command does."""
        for name in ("Makefile", "pyproject.toml", "constraints.txt"):
            if not (self.project / name).exists():
                (self.project / name).symlink_to(ROOT / name)
        if not (self.project / ".venv").exists():
            (self.project / ".venv").symlink_to(Path(sys.prefix))
        # a make that runs the tests tells those below it how to speak
        others = ("DBT_WRITE_JSON", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")
        given = {name: value for name, value in environment().items() if name not in others} | options
        done = subprocess.run(
            ["bash", "-euc", command], cwd=self.project, env=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, command + done.stdout + done.stderr
        return done.stdout

    def dbt(self, *arguments: str, **variables: object) -> subprocess.CompletedProcess:
        """Run dbt, with vars by keyword; never raises."""
        given = at_parse(variables)
        parse = parse_of(given).with_name(PARSE if needs_tests(arguments) else UNTESTED_PARSE)
        is_linked = all((self.project / name).is_symlink() for name in READ_BY_DBT)
        if is_linked and parse.exists() and "--write-json" not in arguments:
            done = run_dbt([*arguments, "--vars", given], self.project, environment(**variables), parse)
        else:
            done = run_dbt(self.command(*arguments, **variables), self.project, environment(**variables))
        self.output = done.stdout
        return done

    def build(self, *arguments: str, **variables: object) -> Warehouse:
        """Seeds and models without dbt's tests, which is all that most tests here need; fails the test on an error."""
        done = self.dbt("build", *WITHOUT_TESTS, *arguments, **variables)
        assert done.returncode == 0, self.output
        return self

    def build_bundles(self, *arguments: str, **variables: object) -> Warehouse:
        """The corpus and the bundles, which need no embeddings."""
        return self.build(*CORPUS_AND_BUNDLES, *arguments, **variables)

    def rows(self, query: str, parameters: dict[str, object] | None = None) -> list[tuple]:
        if self.reader:
            return self.reader.execute(query, parameters or {}).fetchall()
        with duckdb.connect(str(self.database), read_only=True) as connection:
            # views of source files name them from here
            connection.execute(f"set file_search_path = '{self.project}'")
            return connection.execute(query, parameters or {}).fetchall()

    def keep_open(self) -> None:
        """Nobody writes to it from now on, so that it stays open. Attached, for others may open it as they like."""
        self.reader = duckdb.connect()
        self.reader.execute(f"set file_search_path = '{self.project}'")
        self.reader.execute(f"attach '{self.database}' as {self.database.stem} (read_only)")
        self.reader.execute(f"use {self.database.stem}")

    def value(self, query: str, parameters: dict[str, object] | None = None) -> object:
        return self.rows(query, parameters)[0][0]

    def copy(self, project: Path, *, published: bool = False) -> Warehouse:
        """The same tables and seeds in a second folder, so that a test can change them; published: and what was."""
        copy = Warehouse(project)
        made = (self.project / "warehouse", copy.project / "warehouse")
        ignored = None if published else shutil.ignore_patterns("bi")
        shutil.copytree(*made, symlinks=True, dirs_exist_ok=True, ignore=ignored)
        if (self.target / "manifest.json").exists():
            copy.target.mkdir(exist_ok=True)
            shutil.copy(self.target / "manifest.json", copy.target)
        if not (self.project / "seeds").is_symlink():
            (copy.project / "seeds").unlink()
            shutil.copytree(self.project / "seeds", copy.project / "seeds")
        return copy
