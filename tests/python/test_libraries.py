"""Libraries are loaded whole however many of dbt's threads ask for them first."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[2] / "python_models").rglob("*.py"))

# Their __init__ imports the parts and the parts import the package: entered at a part by one thread and at the front
# by another, they come half loaded.
CIRCULAR = {"rapidfuzz", "torch", "sentence_transformers"}

FIRST_USES = """
import threading
from finrag.judging.quotes import check_quote
from finrag.scoring.lists import similarities
from finrag.scoring.rouge import rouge_l

uses = [
    lambda: rouge_l(["net sales rose"], ["net sales fell"]),
    lambda: similarities(["cloud growth"], ["growth in cloud"]),
    lambda: check_quote("net sales climbed", ["Net sales rose."]),
]
gate, failures = threading.Barrier(len(uses)), []

def run(use):
    gate.wait()
    try:
        use()
    except Exception as error:  # whatever a first use meets: the first is raised below
        failures.append(error)

threads = [threading.Thread(target=run, args=(use,)) for use in uses]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
if failures:
    raise failures[0]
"""


def test_circular_libraries_are_entered_at_the_front():
    entered_at_a_part = [
        f"{path.name}:{node.lineno} {node.module}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and "." in node.module
        if node.module.split(".")[0] in CIRCULAR
    ]
    assert entered_at_a_part == []


def test_models_that_run_at_once_may_all_be_the_first_to_use_a_library():
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", FIRST_USES], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr


def test_what_a_person_waits_for_loads_no_library_of_builds():
    """Each takes a second or more of processor time; who needs one imports it where it is used."""
    code = """
import sys
import finrag.analysis, finrag.build.unchanged, finrag.cli.compare, finrag.cli.doctor, finrag.gate
import finrag.llm.estimate, finrag.report.page, finrag.search.export
print(*sorted({"dbt", "lancedb", "numpy", "polars", "pyarrow", "scipy", "torch", "transformers"} & sys.modules.keys()))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "\n", "")
