"""The process that the tests' runs of dbt are forks of, one for all workers: `python dbt_server.py SOCKET PID`.

Importing dbt and torch takes longer than many a run, dbt writes the code that reads and checks its manifest when it
first needs it, which is a third of what a short run costs, and reading the parse of this project takes as long. All of
it is done here once. It ends when the process of that PID, which runs the tests, has ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import re
import shutil
import socket
import sys
import tempfile
import traceback
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType

import sentence_transformers  # noqa: F401 (imported for the forks, which find it there)
from dbt import compilation
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner
from dbt.contracts.graph.manifest import Manifest
from dbt.graph import Graph
from dbt.parser.manifest import extended_mashumuro_decoder
from dbt.parser.unit_tests import UnitTestManifestLoader
from dbt_common.clients import agate_helper
from dbt_common.clients.jinja import MacroFuzzEnvironment, template_cache
from dbt_common.events import event_manager
from dbt_common.events.base_types import DebugLevel

from finrag.commands import collect_rarely
from finrag.versions import code_version

MODEL = "select 1 as one\n"
CONTRACT = """
models:
  - name: warm
    config: {contract: {enforced: true}}
    columns:
      - {name: one, data_type: integer, data_tests: [not_null]}
"""
PROJECT = "name: warm\nprofile: warm\n"
MODELS = Path(__file__).parents[2] / "python_models"
# Graphs of the parses read here, by the parse, its nodes and whether they have edges of tests.
LINKED: dict[tuple[int, int, bool], Graph] = {}
PROFILE = "warm: {target: here, outputs: {here: {type: duckdb, path: ':memory:'}}}\n"


def forget_debug_events() -> None:
    """These runs keep no log file and print no debug events, which are most of all: none is made, and none is sent."""
    fire_event = event_manager.EventManager.fire_event

    def fire(self, e, level=None, node=None, force_warn_or_error_handling=False) -> None:
        if level or not isinstance(e, DebugLevel):
            fire_event(self, e, level, node, force_warn_or_error_handling)

    event_manager.EventManager.fire_event = fire
    DebugLevel.__init__ = lambda self, **_: None


def split_first_words_only() -> None:
    """dbt asks whether a statement begins with `with`, and has all of it split and grouped for that."""
    sql_of, tokens = compilation.sqlparse.sql, compilation.sqlparse.tokens

    def parse(sql: str) -> tuple[sql_of.Statement]:
        first, words = [], 0
        for kind, text in compilation.sqlparse.lexer.tokenize(sql):
            first.append(sql_of.Token(kind, text))
            words += not (first[-1].is_whitespace or kind in tokens.Comment)
            if words == 2:
                break
        rest = sql[sum(len(token.value) for token in first) :]
        return (sql_of.Statement([*first, sql_of.Token(tokens.Other, rest)]),)

    compilation.sqlparse.parse = parse


def compile_templates_once() -> None:
    """Each unit test of a model has its template compiled twice, and all macros put in order by their names.

    What a template is compiled to depends on its text and the class of its environment alone: dbt gives all of a class
    the same extensions and filters.
    """
    compile_anew = MacroFuzzEnvironment.compile
    compiled: dict[tuple[type, str], CodeType] = {}

    def compile_once(self, source, *named, **options) -> CodeType | str:
        if named or options or not isinstance(source, str):
            return compile_anew(self, source, *named, **options)
        if (type(self), source) not in compiled:
            compiled[type(self), source] = compile_anew(self, source)
        return compiled[type(self), source]

    MacroFuzzEnvironment.compile = compile_once
    begin = UnitTestManifestLoader.__init__

    def begin_with_macros(self, manifest: Manifest, root_project, selected) -> None:
        begin(self, manifest, root_project, selected)
        self.unit_test_manifest._macros_by_name = manifest.get_macros_by_name()
        self.unit_test_manifest._macros_by_package = manifest.get_macros_by_package()

    UnitTestManifestLoader.__init__ = begin_with_macros


def share_column_types() -> None:
    """Every answer of a query makes agate's types of columns anew, with a calendar of all date formats in them."""
    build = cache(agate_helper.build_type_tester)
    agate_helper.build_type_tester = lambda text_columns, string_null_values=("null", ""): build(
        frozenset(text_columns), string_null_values
    )


def link_once() -> None:
    """The graph of a parse that has been linked here is that of its forks, which would link it again at every run."""
    compile_anew = compilation.Compiler.compile

    def compile_linked(self, manifest: Manifest, write: bool = True, add_test_edges: bool = False) -> Graph:
        # SQL of the command line is a node more
        linked = LINKED.get((id(manifest), len(manifest.nodes), add_test_edges))
        return linked or compile_anew(self, manifest, write=write, add_test_edges=add_test_edges)

    compilation.Compiler.compile = compile_linked


def link(manifest: Manifest) -> None:
    """As dbt does, with the edges by which tests come before what reads the tested, and without."""
    of = (id(manifest), len(manifest.nodes))
    LINKED[*of, False] = compilation.Linker().get_graph(manifest)
    linker = compilation.Linker()
    linker.link_graph(manifest)
    manifest.build_parent_and_child_maps()
    linker.add_test_edges(manifest)
    LINKED[*of, True] = Graph(linker.graph)


def run_once() -> None:
    """Parse a project of one model twice, so that its parse is made, kept and read.

    Without the static parser: it has threads of its own, which a fork would wait for and not have.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "dbt_project.yml": PROJECT,
            "profiles.yml": PROFILE,
            "models/warm.sql": MODEL,
            "models/warm.yml": CONTRACT,
        }
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for _ in range(2):
            of = ("--project-dir", folder, "--profiles-dir", folder, "--log-level-file", "none", "--no-static-parser")
            done = dbtRunner().invoke(["parse", "--quiet", "--no-send-anonymous-usage-stats", *of])
            if not done.success:
                raise RuntimeError(f"dbt cannot parse a project of one model: {done.exception}")


def import_what_models_import() -> None:
    """What dbt's Python models name of the library; none of it starts a thread or reads the environment."""
    for path in sorted(MODELS.glob("*/*.py")):
        for name in re.findall(r"^ +from (finrag[\w.]*) import", path.read_text(encoding="utf-8"), re.MULTILINE):
            importlib.import_module(name)


@cache
def manifest_of(parse: str, written: int) -> Manifest:
    """What dbt has read in a project, from the file of its parse; written: when, for a later one is another."""
    manifest = Manifest.from_msgpack(Path(parse).read_bytes(), decoder=extended_mashumuro_decoder)
    manifest.build_flat_graph()
    for macro in manifest.macros.values():
        template_cache.get_node_template(macro)
    link(manifest)
    gc.freeze()
    return manifest


def run(arguments: list[str], folder: str, environment: dict[str, str], output: str, manifest: Manifest | None) -> int:
    """Run dbt in this process as its command would; the exit code."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    descriptor = os.open(output, os.O_WRONLY | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    try:
        done = dbtRunner(manifest).invoke(arguments)
        # as the command ends: 1 where a node failed, 2 where dbt did
        return 0 if done.success else 2 if done.exception else 1
    finally:
        # a fork ends without the clean-up of an interpreter, and the last tables would stay in the write-ahead log
        DuckDBConnectionManager.close_all_connections()


def answer(asked: Connection) -> None:
    """Fork a run of what is asked for; it says its exit code to who asked, or breaks off where it is killed."""
    *given, parse = asked.recv()
    manifest = manifest_of(parse, Path(parse).stat().st_mtime_ns) if parse else None
    if os.fork():
        return
    code = 2
    try:
        code = run(*given, manifest)
    except Exception:
        traceback.print_exc()  # where dbt's output goes
    finally:
        sys.stdout.flush()
        asked.send(code)
        os._exit(0)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def serve(address: str, tests: int) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        server.settimeout(1)
        print("ready", flush=True)
        while is_running(tests):
            # who asked may be gone before it said what for
            with contextlib.suppress(TimeoutError, EOFError, ConnectionError):
                taken, _ = server.accept()
                taken.setblocking(True)
                with Connection(taken.detach()) as asked:
                    answer(asked)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    shutil.rmtree(Path(address).parent)


if __name__ == "__main__":
    collect_rarely()
    forget_debug_events()
    split_first_words_only()
    compile_templates_once()
    share_column_types()
    link_once()
    run_once()
    import_what_models_import()
    # the code of all modules is read once, not by each run
    code_version("finrag")
    serve(sys.argv[1], int(sys.argv[2]))
    os._exit(0)
