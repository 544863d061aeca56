"""Every alert, fired by really breaking what it guards: vectors, ids, the model, the filter."""

from __future__ import annotations

import re

import duckdb
import lance
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.inputs.registries import Registry
from warehouses import ROOT, Warehouse

MODEL = "all-MiniLM-L6-v2"
EVALUATED = ("questions", "answers", "summaries", "sentiment", "calibration")
UNCHANGED = (
    *(f"path:models/{folder}" for folder in ("staging", "corpus", "bundles", *EVALUATED)),
    *(f"path:python_models/{folder}" for folder in ("staging", "corpus", "bundles", *EVALUATED)),
    *(f"fqn:finrag.*.int_{name}*" for name in ("question", "answer", "judged", "faithfulness", "quiz", "sentiment")),
    *("faithfulness_items", "answer_items", "qag_items", "statement_items", "choice_items"),
)
NOT_SINGULAR = ("test_type:generic", "test_type:unit")
ENDED_TEST = r" (PASS|FAIL|WARN|ERROR)(?: \d+)? (\w+) \.+ \["
TESTS = {"assert_no_p0_alerts", "assert_no_p1_alerts", "assert_no_p2_alerts", "assert_gate_passes"}


def rebuild(warehouse: Warehouse, **variables: object) -> dict[str, str]:
    """Build and test what the gate depends on, from the vectors on. Status of the tests that did not just pass.

    The registries are those of the database, where a test may have changed them. Sentences, bundles, anchors,
    questions, answers and the like stay as they are: nothing here changes them.
    """
    variables = {"retrieval_strategies": "dense"} | variables
    models = ("--select", "int_embedded_texts+,+gate", "--exclude-resource-type", "seed")
    tests = ("--indirect-selection", "cautious", "--exclude", *UNCHANGED, *NOT_SINGULAR)
    done = warehouse.dbt("build", *models, *tests, **variables)
    found = {name: status.lower() for status, name in re.findall(ENDED_TEST, warehouse.output)}
    failing_ones = sum(status == "fail" for status in found.values())
    warnings = sum(status == "warn" for status in found.values())
    [counts] = re.findall(r"Done\. PASS=\d+ WARN=(\d+) ERROR=(\d+) SKIP=(\d+) ", warehouse.output)
    # nothing else failed or was left out, a model neither
    assert set(found) >= TESTS and counts == (str(warnings), str(failing_ones), "0"), warehouse.output
    assert done.returncode == (1 if failing_ones else 0), warehouse.output
    warehouse.keep_open()
    return {name: status for name, status in found.items() if status != "pass"}


def fired(warehouse: Warehouse) -> set[str]:
    return {rule for (rule,) in warehouse.rows("select rule_id from metrics.alerts where is_fired")}


def failing(warehouse: Warehouse, kind: str) -> set[str]:
    """Rules of metrics.gate that fail; the gate is made even where alerts fire."""
    of_kind = {"kind": kind}
    rows = warehouse.rows("select rule from metrics.gate where kind = $kind and decision = 'fails'", of_kind)
    return {rule for (rule,) in rows}


def messages(warehouse: Warehouse, rule_id: str) -> str:
    rows = warehouse.rows("select message from metrics.alerts where rule_id = $rule and is_fired", {"rule": rule_id})
    return "\n".join(message for (message,) in rows)


@pytest.fixture
def broken(demo: Warehouse, tmp_path) -> Warehouse:
    """A copy to break of the demo warehouse, which was measured against the baseline in seeds/ and is healthy."""
    return demo.copy(tmp_path / "broken")


def change_index(warehouse: Warehouse, change) -> None:
    """Put change(vectors) in place of the (n, dimension) vectors of the index, ids left as they are."""
    [path] = (warehouse.lance / "sentences").glob(f"vectors__{MODEL}__*.lance")
    table = lance.dataset(str(path)).to_table()
    field = table.schema.field("vector")
    vectors = table["vector"].combine_chunks().flatten().to_numpy().reshape(len(table), field.type.list_size)
    flat = pa.array(np.ascontiguousarray(change(vectors), dtype=np.float32).reshape(-1))
    column = pa.FixedSizeListArray.from_arrays(flat, field.type.list_size)
    changed = table.set_column(table.schema.get_field_index("vector"), field, column)
    lance.write_dataset(changed, str(path), mode="overwrite")


def change_filter(warehouse: Warehouse, regime: str, filter_columns: str | None) -> None:
    """What a regime filters by, in the warehouse's registry."""
    with duckdb.connect(str(warehouse.database)) as connection:
        changed = "update seeds.retrieval_regimes set filter_columns = ? where regime = ?"
        assert connection.execute(changed, [filter_columns, regime]).fetchone() == (1,)


def test_nothing_fires_when_nothing_changed(demo):
    statuses = demo.rows("select distinct status, is_change_shown from metrics.alerts where suite in ('p1', 'p2')")
    assert statuses == [("ok", False)]
    assert fired(demo) == set()
    # where the baseline was frozen they are 0; another processor's last digits can change the order of two sentences
    changes = "select max(abs(difference)), max(n_baseline_anchors_missing) from metrics.alerts where metric = 'hit'"
    [(difference, missing)] = demo.rows(changes)
    assert difference < 0.005 and missing == 0


def test_a_rule_may_name_every_way_of_splitting_and_no_other(demo):
    tests = Registry(ROOT / "seeds" / "alert_rules.csv").tests
    [named] = [given["values"] for column, test, given in tests if (column, test) == ("stratum_by", "accepted_values")]
    assert {*named} == {name for (name,) in demo.rows("select distinct stratum_by from gold.int_query_strata")}


def test_the_anchors_of_the_baseline_are_drawn_first(demo):
    assert demo.value("select count(*) from gold.retrieval_queries where suite in ('p1', 'p2') and not is_frozen") == 0


def test_shuffled_vectors_are_a_p0(broken):
    change_index(broken, lambda vectors: np.random.default_rng(1).permutation(vectors))
    statuses = rebuild(broken)
    assert statuses["assert_no_p0_alerts"] == "fail"
    assert {"p1-self", "p2-self", "p1-self-text", "p2-self-text"} <= fired(broken) & failing(broken, "alert")
    # in a section of a few sentences, chance finds the right one now and then
    assert broken.value("select max(value) from metrics.alerts where metric = 'self_at_1'") < 0.3


def test_a_swapped_id_mapping_is_a_p0(broken):
    """Two in ten rows hold their neighbour's vector."""

    def swap(vectors: np.ndarray) -> np.ndarray:
        order = np.arange(len(vectors))
        for first in range(0, len(vectors) - 1, 10):
            order[[first, first + 1]] = first + 1, first
        return vectors[order]

    change_index(broken, swap)
    assert rebuild(broken)["assert_no_p0_alerts"] == "fail"
    assert {"p1-self", "p2-self", "p1-self-text", "p2-self-text"} <= fired(broken)
    values = broken.rows("select min(value), max(value) from metrics.alerts where metric = 'self_at_1'")
    assert 0.7 < values[0][0] <= values[0][1] < 0.9
    assert "from 12 clusters" in messages(broken, "p1-self")


def test_a_changed_model_is_a_p1_and_moves_the_distances(broken):
    """A model that separates sentences hardly at all: vectors of its own for every text, made elsewhere."""
    [path] = (broken.lance / "embeddings").glob(f"{MODEL}__*.lance")
    hashes = lance.dataset(str(path)).to_table(columns=["text_hash"])["text_hash"].unique()
    vectors = np.random.default_rng(2).normal(size=(len(hashes), 16)).astype(np.float32)
    vectors[:, 0] += 4
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), 16)
    pq.write_table(pa.table({"text_hash": hashes, "vector": column}), broken.project / "other.parquet")
    with duckdb.connect(str(broken.database)) as connection:
        columns = "(model_id, model_name, revision, dimension, note)"
        row = "('other', 'imported', '1', 16, 'A model that was swapped in')"
        connection.execute(f"insert into seeds.embedding_models {columns} values {row}")
    statuses = rebuild(broken, embedding_models="other", imported_vectors="other=other.parquet")
    assert statuses == dict.fromkeys(("assert_gate_passes", "assert_no_p1_alerts"), "fail") | {
        "assert_no_p2_alerts": "warn"
    }
    # what P3 scored is not built here
    assert {f"{suite} filtered dense hit@5" for suite in ("p1", "p2")} <= failing(broken, "baseline")
    assert {"p1-filtered-hit-5", "p1-distance", "p2-distance"} <= fired(broken)
    # in short items chance finds gold in 84 of 100 cases, so that the fall may be within the threshold
    hit = "select value, baseline_value from metrics.alerts where rule_id = 'p2-filtered-hit-5'"
    [(value, before)] = broken.rows(hit)
    assert value < before - 0.03
    assert f"baseline demo of {MODEL}" in messages(broken, "p1-filtered-hit-5")
    assert "P0" not in {rule[:2] for (rule,) in broken.rows("select severity from metrics.alerts where is_fired")}


def test_a_dropped_filter_is_a_p1(broken):
    change_filter(broken, "filtered", None)
    assert rebuild(broken)["assert_no_p1_alerts"] == "fail"
    assert {"p1-filtered-hit-5", "p2-filtered-hit-5"} <= fired(broken)
    # the demo's own build was the first of the series
    assert "after 2 builds (20 is enough)" in messages(broken, "p1-filtered-hit-5")


def test_a_change_of_the_open_regime_is_a_p2_and_only_warns(broken):
    """A filter where there was none: Hit@5 rises, which is as much of a change as a fall."""
    change_filter(broken, "open", "filing_id")
    assert rebuild(broken) == {"assert_no_p2_alerts": "warn"}
    assert {"p1-open-hit-5", "p2-open-hit-5"} <= fired(broken)
    assert "difference +" in messages(broken, "p1-open-hit-5")
    # the gate takes what is better for better
    better = broken.rows("select rule from metrics.gate where decision = 'better'")
    assert {"p1 open dense hit@5", "p2 open dense hit@5"} <= {rule for (rule,) in better}
