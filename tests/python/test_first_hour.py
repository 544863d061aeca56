"""docs/first-hour.md, followed to the letter: its commands run in order and answer what it promises."""

from __future__ import annotations

import re

import pytest

from warehouses import ROOT, Warehouse

TUTORIAL = ROOT / "docs" / "first-hour.md"


@pytest.fixture(scope="module")
def followed(demo: Warehouse, tmp_path_factory) -> tuple[Warehouse, list[tuple[str, str]]]:
    """A folder in which the commands were run, and each command with what it printed.

    `make build` has built the demo warehouse, so that the first command finds that nothing has changed.
    """
    copy = demo.copy(tmp_path_factory.mktemp("first_hour") / "clone")
    copy.own_seeds()
    copy.parsed()
    commands = re.findall(r"^```sh\n(.*?)^```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return copy, [(command, copy.shell(command, COLUMNS="160")) for command in commands]


def test_every_data_test_passes(demo, followed):
    """On the demo corpus, and with a second embedding model."""
    _, printed = followed
    endings = [
        re.search(r"^Built: \d+ seeds, \d+ models, (\d+) checks passed in ", output, re.MULTILINE)
        for output in (demo.output, *(output for _, output in printed))
    ]
    found = [int(ending[1]) for ending in endings if ending]
    assert len(found) == 2 and min(found) > 700


def test_a_build_that_changes_nothing_runs_nothing(followed):
    _, [(command, output), *_] = followed
    assert command == "make build\n"
    assert output.startswith("Nothing has changed since ") and "12 companies" in output


def test_the_answer_is_there_with_its_certainty(followed):
    _, printed = followed
    [answer] = [output for command, output in printed if "NAME=is_my_model_better" in command]
    assert "two-layers" in answer
    assert re.search(r"better|worse|cannot be told", answer)


def test_both_models_were_measured_on_the_same_queries(followed):
    warehouse, _ = followed
    pairs = warehouse.rows(
        "select suite, n_pairs from metrics.run_comparisons where comparison_kind = 'model' and metric = 'hit' "
        "and k = 5 and stratum_by = 'overall' and gold_predicate = 'positional'"
    )
    assert {suite for suite, _ in pairs} >= {"p1", "p2"}
    assert all(n_pairs >= 500 for _, n_pairs in pairs)
