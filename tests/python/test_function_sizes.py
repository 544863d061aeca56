"""A function is read at a glance and called without counting: what is longer or takes more says why it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from warehouses import ROOT

LINES, PARAMETERS = 60, 6
CASE = "a row of a table, its parameters are the columns"
RELATIONS = "dbt.ref takes literals, so a dbt model hands over each relation by its name"
# By file and function.
REASONS = {
    "app.build": "each parameter is an option of the command",
    "app.fetch": "each parameter is an option of the command",
    "fetch.wanted": "each parameter is an option of the command",
    "planted_cases.row": CASE,
    "ledger.call_key": "each parameter is a part of the key",
    "run.run_requests": RELATIONS,
    "run.carry_out": "what is asked of whom, how, from what is there and for how much; each is made by another caller",
    "entities.extract_all": RELATIONS,
    "strategy.search_new_runs": RELATIONS,
    "strategy.steps": "the two lists to join, and each thing that decides the final one",
    "charts.dots": "named parts of a chart, most with one value for a caller",
    "measured.dots_by": "what it hands on to charts.dots",
    "exact.search": "two arrays and k; the others are by name and have defaults",
    "external.rank_rows": RELATIONS,
    "gold_distances.measure_new": RELATIONS,
    "lance.sync": "the corpus and the index; the others are by name and have defaults",
    "runs.search_new_runs": RELATIONS,
    "search.search_chunks": RELATIONS,
    "comparisons.compare_runs": RELATIONS,
    "estimates.mean_estimates": "what a mean and its interval are computed from",
    "estimates.resampled_estimate": "what is known of a value, its bounds and what they are made of",
    "bad_questions.bad_question": "what a question and its answer are judged by",
    "numbers.numeric_match": "the rules in the order in which they are tried",
}


def functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, lines and parameters of every function, without self and cls."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            names += [each.arg for each in (given.vararg, given.kwarg) if each]
            count = len(names) - (names[:1] in (["self"], ["cls"]))
            yield node.name, node.end_lineno - node.lineno + 1, count


def large(files: list[Path]) -> set[str]:
    return {
        f"{file.stem}.{name}"
        for file in files
        for name, lines, parameters in functions(file.read_text(encoding="utf-8"))
        if lines > LINES or parameters > PARAMETERS
    }


def test_functions_are_counted():
    text = "class A:\n    def f(self, a, *b, c=1, **d):\n        pass\n\n\nasync def g():\n    x = 1\n    return x\n"
    assert sorted(functions(text)) == [("f", 2, 4), ("g", 3, 0)]


def test_every_large_function_has_a_reason_and_every_reason_a_function():
    assert large(sorted((ROOT / "python_models").rglob("*.py"))) == REASONS.keys()
