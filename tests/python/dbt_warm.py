"""Imported by the process that the tests' runs of dbt are forks of: what its first run makes ready, all of them have.

Importing dbt and torch takes longer than many a run, and dbt writes the code that reads and checks its manifest when it
first needs it, which is a third of what a short run costs.
"""

from __future__ import annotations

import importlib
import re
import tempfile
from pathlib import Path

import dbt.adapters.duckdb  # noqa: F401 (imported for the forks, which find it there)
import sentence_transformers  # noqa: F401 (so is this)
from dbt.cli.main import dbtRunner
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
PROFILE = "warm: {target: here, outputs: {here: {type: duckdb, path: ':memory:'}}}\n"


def forget_debug_events() -> None:
    """These runs keep no log file and print no debug events, which are most of all: none is made, and none is sent."""
    fire_event = event_manager.EventManager.fire_event

    def fire(self, e, level=None, node=None, force_warn_or_error_handling=False) -> None:
        if level or not isinstance(e, DebugLevel):
            fire_event(self, e, level, node, force_warn_or_error_handling)

    event_manager.EventManager.fire_event = fire
    DebugLevel.__init__ = lambda self, **_: None


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


collect_rarely()
forget_debug_events()
run_once()
import_what_models_import()
# the code of all modules is read once, not by each run
code_version("finrag")
