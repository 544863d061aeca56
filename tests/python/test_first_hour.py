"""docs/first-hour.md, followed to the letter: its commands run in order and answer what it promises."""

from __future__ import annotations

import re

import duckdb
import pytest

from finrag.metrics.frozen import FILE, compare_with_frozen
from warehouses import ROOT, Warehouse

TUTORIAL = ROOT / "docs" / "first-hour.md"


@pytest.fixture(scope="module")
def followed(demo: Warehouse, tmp_path_factory) -> tuple[Warehouse, list[tuple[str, str]]]:
    """A folder in which the commands were run, and each command with what it printed.

    `make build` has built the demo warehouse, so that the first command finds that nothing has changed.
    """
    copy = demo.copy(tmp_path_factory.mktemp("first_hour") / "clone", published=True)
    copy.own_seeds()
    copy.parsed()
    commands = re.findall(r"^```sh\n(.*?)^```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    printed = [(command, copy.shell(command, COLUMNS="160")) for command in commands]
    copy.keep_open()
    return copy, printed


def test_every_data_test_passes(demo, followed):
    """On the demo corpus, and with a second embedding model those of what depends on it."""
    _, printed = followed
    endings = [
        re.search(r"^Built: \d+ seeds?, (\d+) models, (\d+) checks passed in ", output, re.MULTILINE)
        for output in (demo.output, *(output for _, output in printed))
    ]
    [(models, checks), (further_models, further_checks)] = [map(int, ending.groups()) for ending in endings if ending]
    assert models > 200 and checks > 700
    assert 80 < further_models < models / 2 and further_checks > 200
    assert "Built is what depends on embedding_models, int_embedded_texts;" in printed[3][1]


def test_a_build_that_changes_nothing_runs_nothing(followed):
    _, [(command, output), *_] = followed
    assert command == "make build\n"
    assert output.startswith("Nothing has changed since ") and "12 companies" in output


def test_what_was_measured_before_is_not_measured_again(demo, followed):
    """The registry of models has a row more, which the runs of the first model do not depend on."""
    warehouse, _ = followed
    for versions in (
        "select distinct run_id, rollup_version from metrics.int_anchor_metric_values",
        "select distinct run_id, rollup_version from metrics.int_question_metric_values",
        "select distinct pair_id, comparison_version from metrics.int_run_comparisons",
    ):
        before = set(demo.rows(versions))
        assert before < set(warehouse.rows(versions)), versions


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


def test_the_gate_would_not_let_the_smaller_encoder_take_the_place_of_the_first(followed):
    """The frozen runs of seeds/ against those of two-layers alone: questions (P3) lose evidence, beyond chance."""
    warehouse, _ = followed
    with duckdb.connect(str(warehouse.database), read_only=True) as connection:
        scores = connection.table("metrics.int_headline_scores").filter("not contains(model, 'all-MiniLM-L6-v2')")
        held_against = compare_with_frozen(
            connection,
            scores,
            runs=scores.project("run_id, place, model").distinct(),
            registry=connection.table("seeds.metrics"),
            baselines=connection.table("seeds.baselines"),
            file=ROOT / "seeds" / FILE,
        )
    rows = {row["place"]: row for row in held_against.to_pylist()}
    swapped = rows["p3 open dense"]
    assert (swapped["frozen_model"], swapped["model"]) == ("all-MiniLM-L6-v2", "two-layers")
    assert swapped["difference"] < -0.05
    # Holm's first step: a tested run each is counted
    assert swapped["p_value"] * sum(row["p_value"] is not None for row in rows.values()) < 0.05
