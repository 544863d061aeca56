"""A package that adds a provider, a strategy, a metric and a layout by entry points, a module with its metadata."""

from __future__ import annotations

import importlib
import sys

import polars as pl
import pyarrow as pa
import pytest

from finrag import plugins
from finrag.build import unchanged
from finrag.cli import doctor, toml
from finrag.errors import FinragError
from finrag.evaluation import evaluate
from finrag.llm.providers import find_provider
from finrag.metrics.plugged import add_plugged
from finrag.metrics.rollup import roll_up_runs
from finrag.search.engines import Engines
from finrag.search.hits import hit_schema
from finrag.search.runs import Search, search_new_runs

MODULE = '''
"""A provider that repeats what it is told in capitals, a search that finds one sentence, and a layout."""
from finrag.llm.providers import Reply

PROVIDER = "shout"
IS_PRICED = False
IS_REMEMBERED = True
NAMES = {"item_1": "Business", "item_1A": "Risks"}


class Connection:
    def send(self, request, timeout):
        return Reply(request.messages[-1].text.upper(), "stop", "stop", 1, 1, "{}")

    def close(self):
        pass


def connect(model, key):
    return Connection()


def search(engines, search, columns, depth):
    import pyarrow as pa
    from finrag.search.hits import hit_schema

    ids = engines.queries["query_id"].to_pylist()
    hits = [{"query_id": id_, "sentence_id": "s", "raw_rank": rank, "score": 1.0} for id_ in ids for rank in (1, 2)]
    return pa.Table.from_pylist(hits, schema=hit_schema())


def found_first(ids, grades):
    return grades.get(ids[0], 0) / 2 if ids else None


def many(ids, grades):
    return 7
'''
ENTRY_POINTS = """\
[finrag.providers]
shout = finrag_shout
broken = finrag_shout_that_is_gone

[finrag.strategies]
first = finrag_shout:search

[finrag.metrics]
found_first = finrag_shout:found_first

[finrag.layouts]
headed = finrag_shout:NAMES
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The package, as an installer leaves it."""
    (tmp_path / "finrag_shout.py").write_text(MODULE, encoding="utf-8")
    metadata = tmp_path / "finrag_shout-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: finrag-shout\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "finrag_shout", raising=False)
    plugins.plugins.cache_clear()
    yield tmp_path
    plugins.plugins.cache_clear()


def test_a_provider_of_another_package_answers(installed, llm):
    llm.set_model("local-openai", provider="shout")
    row = llm.call("local-openai", "hello", repair_calls=0)
    assert row["provider"] == "shout" and "HELLO" in row["raw_text"]
    assert llm.emulator.events() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("IS_PRICED = False\n", ""),
            r"'shout' of finrag.providers \(finrag_shout\) is no provider: it lacks IS_PRICED",
        ),
        (("def connect(", "def link("), "it lacks connect. Needed: PROVIDER, IS_PRICED, IS_REMEMBERED, connect"),
        (
            ("return Connection()", "raise ValueError(f'bad {key}')"),
            r"raised ValueError: bad \[key removed\] \(finrag_",
        ),
    ],
)
def test_a_provider_that_cannot_be_used_is_named_and_shows_no_key(installed, llm, monkeypatch, change, said):
    (installed / "finrag_shout.py").write_text(MODULE.replace(*change), encoding="utf-8")
    llm.set_model("gpt-4o-mini", provider="shout")
    with pytest.raises(FinragError, match=said) as raised:
        llm.call("gpt-4o-mini")
    assert "key-of-" not in str(raised.value) and raised.value.__suppress_context__ is ("raised" in said)
    lacks = "lacks" in said
    found = doctor.Findings()
    doctor.of_others(found)
    assert found.faults == 1 + lacks  # the other is the plugin whose module is gone


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (("    def close(self):\n        pass", "    def close(self):\n        raise ValueError"), "invalid_output"),
        (("return Reply(request.messages[-1].text.upper(), ", "return (("), "provider_error"),
    ],
)
def test_what_a_provider_does_wrong_once_it_is_connected_costs_no_other_call(installed, llm, change, status):
    (installed / "finrag_shout.py").write_text(MODULE.replace(*change).replace('(("stop"', '("stop"'), encoding="utf-8")
    llm.set_model("local-openai", provider="shout")
    row = llm.call("local-openai", "hello", repair_calls=0)
    assert row["status"] == status and (status != "provider_error" or "the client failed: Attr" in row["error"])


def test_a_provider_whose_calls_are_not_remembered_is_named_where_it_raises(installed, llm):
    module = MODULE.replace("IS_REMEMBERED = True", "IS_REMEMBERED = False").replace("text.upper()", "words")
    (installed / "finrag_shout.py").write_text(module, encoding="utf-8")
    llm.set_model("local-openai", provider="shout")
    with pytest.raises(
        FinragError, match=r"'shout' of finrag.providers .* raised AttributeError: .* no attribute 'words'"
    ):
        llm.call("local-openai")


def test_an_address_that_is_none_is_named(llm):
    llm.set_model("gpt-4o-mini", base_url="http://host:http/v1", base_url_env=None)
    with pytest.raises(FinragError, match=r"'gpt-4o-mini' cannot be reached at http://host:http/v1: "):
        llm.call("gpt-4o-mini")


def test_its_search_is_a_method(installed):
    queries = pa.table({"query_id": ["q1", "q2"]})
    engines = Engines("nowhere", _registry(), queries, 10)
    values = dict.fromkeys(Search.__dataclass_fields__) | {"method": "first", "regime": "open", "filter_columns": ""}
    hits = engines.search(Search(**values), 1)
    assert hits.schema.names == hit_schema().names
    assert hits["query_id"].to_pylist() == ["q1", "q2"], "no deeper than asked"
    with pytest.raises(FinragError, match=r"Unknown retrieval method 'second'. Allowed: dense, bm25, .*, first"):
        engines.search(Search(**values | {"method": "second"}), 1)


def test_its_row_needs_no_columns_of_ours(installed):
    """A run as the registry plans it where depth, rrf_k and kinds are empty."""
    import duckdb

    parameters = '{"rrf_k": null, "depth": null, "sentence_kinds": null, "note": null}'
    with duckdb.connect() as connection:
        planned = connection.sql(
            "select 'r' as run_id, 'p3' as suite, 'open' as regime, '' as filter_columns, 'mine' as strategy, "
            f"'first' as method, '{parameters}' as parameters, 'none' as embedding_model, false as is_external"
        )
        queries = connection.sql(
            "select 'p3' as suite, 'q1' as query_id, 'h' as text_hash, 'Why?' as query_text, null as sentence_id, "
            "null as filing_id, null as cik, null as report_year, null as section_id, null as section_heading, "
            "null as form_type"
        )
        brought = connection.sql(
            "select * from (values ('', '', '', '', '', '', 1, 1, 1.0, false)) as rows "
            "(kind, external_run, regime, suite, query_id, sentence_id, raw_rank, rank, score, is_query_sentence)"
        )
        hits = search_new_runs(connection, planned, None, queries, brought, None, _registry(), "nowhere", 30)
        found = hits.project("run_id, query_id, sentence_id, rank").order("rank").fetchall()
    assert found == [("r", "q1", "s", 1), ("r", "q1", "s", 2)]


def test_a_run_is_of_the_code_that_searched(installed):
    before = unchanged.code_of_strategy("first")
    (installed / "finrag_shout.py").write_text(MODULE + "# other\n", encoding="utf-8")
    assert before != unchanged.code_of_strategy("first") is not None
    assert unchanged.code_of_strategy("dense") is None


def _registry():
    import duckdb

    columns = "model_id, model_name, revision, dimension, max_tokens, query_prefix, document_prefix, weights_sha256"
    values = "'m', 'imported', '1', 2, null, '', '', null"
    return duckdb.connect().sql(f"select * from (values ({values})) as registry({columns})")


def test_its_layout_names_columns(installed):
    assert toml.columns("corpus.columns", "headed") == {"item_1": "Business", "item_1A": "Risks"}
    with pytest.raises(FinragError, match=r"'other'. Allowed: a table .*, or a layout that is installed: headed\."):
        toml.columns("corpus.columns", "other")


@pytest.fixture
def scored():
    """Four queries of four companies: a grade 2 first, a grade 1 first, no gold, and one that nothing was found for."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("""
            create table items as select 'r' as run_id, 'p3' as suite, query_id, 'none' as gold_window,
                'evidence' as gold_predicate, query_id as cluster_id, null::varchar as second_cluster_id,
                query_id as filing_id, null::double as sampling_weight, query_id != 'd' as is_covered,
                false as is_error, 'v' as metrics_version
            from (values ('a'), ('b'), ('c'), ('d')) as queries (query_id);
            create table hits as from (values
                ('r', 'a', 'self', null), ('r', 'a', 's1', 1), ('r', 'a', 's2', 2), ('r', 'b', 's2', 1),
                ('r', 'd', 's1', 1)
            ) as hits (run_id, query_id, sentence_id, rank);
            create table gold as select 'p3' as suite, 'none' as gold_window, 'evidence' as gold_predicate, *
            from (values ('a', 's1', 2), ('b', 's2', 1), ('c', 's1', 2)) as gold (query_id, sentence_id, grade);
            create table strata as
            select 'p3' as suite, query_id, 'overall' as stratum_by, 'all' as stratum from items;
            create table runs as select 'r' as run_id, 'p3' as suite, 'open' as regime, 'mine' as strategy,
                'm' as embedding_model;
        """)
        yield connection


def plugged(connection) -> tuple[list, object]:
    tables = {name: connection.table(name) for name in ("items", "hits", "gold")}
    return add_plugged([], connection, **tables)


def test_its_metric_is_rolled_up_with_an_interval(installed, scored):
    metrics, items = plugged(scored)
    given = {"runs": scored.table("runs"), "items": items, "strata": scored.table("strata")}
    rows = roll_up_runs("retrieval_items", metrics, **given, done=set()).to_pylist()
    found = {row["population"]: row for row in rows}
    assert {row["metric"] for row in rows} == {"finrag-shout:found_first"} and len(rows) == 2
    # a finds grade 2 of 2 first, b grade 1; for c nothing was found, which is no value; d has no gold and counts 0
    assert (found["covered"]["value"], found["covered"]["n_measured"]) == (0.75, 2)
    assert (found["all"]["value"], found["all"]["n_measured"], found["all"]["n_total"]) == (0.5, 3, 4)
    assert all(0 < row["ci_low"] < row["value"] < row["ci_high"] < 1 for row in rows)
    assert (found["all"]["ci_method"], found["all"]["n_clusters"], found["all"]["variant"]) == ("wilson", 3, "evidence")
    done = {(row["run_id"], row["rollup_version"]) for row in rows}
    assert roll_up_runs("retrieval_items", metrics, **given, done=done).num_rows == 0


def test_its_metric_is_one_of_the_function_too(installed):
    """As in the warehouse: grade 2 first, grade 1 first, nothing found (no value), and no gold, which counts 0."""
    qrels = {"a": {"s1": 2}, "b": {"s2": 1}, "c": {"s1": 2}, "d": {}}
    run = {"a": {"s1": 0.9, "s2": 0.8}, "b": {"s2": 0.5}, "d": {"s1": 0.5}}
    values = evaluate(qrels, run, cutoffs=[1])
    of_it = {row["population"]: row for row in values.filter(pl.col("metric").str.contains(":")).to_dicts()}
    assert {row["metric"] for row in of_it.values()} == {"finrag-shout:found_first"}
    assert (of_it["covered"]["value"], of_it["covered"]["n_measured"]) == (0.75, 2)
    assert (of_it["all"]["value"], of_it["all"]["n_measured"], of_it["all"]["n_total"]) == (0.5, 3, 4)
    assert of_it["all"]["ci_low"] < 0.5 < of_it["all"]["ci_high"]
    hits = values.filter(metric="hit", population="all")
    assert hits["value"].to_list() == [0.5]


def test_without_a_plugin_nothing_is_added(scored):
    metrics, items = plugged(scored)
    assert metrics == [] and items.columns == scored.table("items").columns


def test_its_metric_may_give_a_number_of_numpy(installed, scored):
    given = "numpy.float32(grades.get(ids[0], 0) / 2) if ids else None"
    module = f"import numpy\n\ndef found_first(ids, grades):\n    return {given}\n"
    (installed / "finrag_shout.py").write_text(module, encoding="utf-8")
    _, items = plugged(scored)
    assert [row[-1] for row in items.order("query_id").fetchall()][:2] == [1.0, 0.5]


def test_a_metric_that_cannot_be_used_is_named(installed, scored, monkeypatch):
    points = installed / "finrag_shout-1.0.dist-info" / "entry_points.txt"
    points.write_text("[finrag.metrics]\nmany = finrag_shout:many\n", encoding="utf-8")
    plugins.plugins.cache_clear()
    with pytest.raises(
        FinragError, match=r"'finrag-shout:many' of finrag.metrics gave 7. Allowed: numbers from 0.0 to 1.0"
    ):
        plugged(scored)
    module = installed / "finrag_shout.py"
    module.write_text(MODULE + '\nmany.kind = "median"\n', encoding="utf-8")
    monkeypatch.delitem(sys.modules, "finrag_shout")
    importlib.invalidate_caches()
    with pytest.raises(FinragError, match=r"'finrag-shout:many' of finrag.metrics has the kind 'median'. Allowed"):
        plugged(scored)


RAISING = """

def raising(ids, grades):
    raise ValueError("boom")


def lost(engines, search, columns, depth):
    return {}["first"]
"""
OF_RAISING = """\
[finrag.metrics]
raising = finrag_shout:raising

[finrag.strategies]
lost = finrag_shout:lost
"""


def test_a_plugin_that_raises_is_named(installed, scored, monkeypatch):
    """Entry point, package and line, and that it is not ours to mend."""
    (installed / "finrag_shout-1.0.dist-info" / "entry_points.txt").write_text(OF_RAISING, encoding="utf-8")
    (installed / "finrag_shout.py").write_text(MODULE + RAISING, encoding="utf-8")
    plugins.plugins.cache_clear()
    line = (MODULE + RAISING).splitlines().index('    raise ValueError("boom")') + 1
    told = (
        rf"plugin 'raising' of finrag.metrics \(finrag_shout:raising, of the package finrag-shout\) raised ValueError: "
        rf"boom \(finrag_shout.py, line {line}\). Mend it, or uninstall finrag-shout"
    )
    with pytest.raises(FinragError, match=told):
        plugged(scored)
    engines = Engines("nowhere", _registry(), pa.table({"query_id": ["q1"]}), 10)
    values = dict.fromkeys(Search.__dataclass_fields__) | {"method": "lost", "regime": "open", "filter_columns": ""}
    with pytest.raises(FinragError, match=r"plugin 'lost' of finrag.strategies .* raised KeyError: 'first'"):
        engines.search(Search(**values), 1)


def test_the_code_of_a_plugin_is_part_of_what_a_build_reads(installed):
    """It may be edited where it lies, under the same version; a module that is gone has none."""
    assert plugins.places() == [installed / "finrag_shout.py"]
    before = unchanged.packages()
    assert before == unchanged.packages()
    (installed / "finrag_shout.py").write_text(MODULE + "\nMORE = 1\n", encoding="utf-8")
    assert len(set(before) ^ set(unchanged.packages())) == 2


def test_of_a_package_all_its_files_are_read_and_none_is_imported(tmp_path, monkeypatch):
    (tmp_path / "shared_name" / "finrag_mine").mkdir(parents=True)
    (tmp_path / "shared_name" / "finrag_mine" / "__init__.py").write_text("raise ValueError", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "shared_name" / "finrag_mine"
    assert plugins.place_of("shared_name.finrag_mine.inner") == package
    assert plugins.place_of("shared_name_that_is_gone.inner") is None


def test_doctor_lists_plugins_and_finds_those_that_cannot_be_used(installed, capsys):
    points = installed / "finrag_shout-1.0.dist-info" / "entry_points.txt"
    points.write_text(ENTRY_POINTS.replace("[finrag.metrics]", "dense = finrag_shout:search\n\n[finrag.metrics]"))
    plugins.plugins.cache_clear()
    found = doctor.Findings()
    doctor.of_others(found)
    lines = capsys.readouterr().out.splitlines()
    assert "  finrag.layouts headed        finrag_shout:NAMES   (finrag-shout 1.0)" in lines
    faults = [line for line in lines if line.startswith("! ")]
    assert found.faults == len(faults) == 2
    assert faults[0].startswith(
        "! finrag.providers broken      The plugin 'broken' of finrag.providers (finrag_shout_th"
    )
    assert faults[1] == (
        "! finrag.strategies dense      is never used: finrag has a dense of its own. Rename it in finrag-shout."
    )


def test_what_cannot_be_used_is_named(installed, tmp_path):
    with pytest.raises(FinragError, match=r"plugin 'broken' of finrag.providers \(finrag_shout_that_is_gone\) cannot"):
        find_provider("broken", "mine")
    with pytest.raises(FinragError, match=r"unknown provider 'bard'. Allowed: baseline, broken, gemini, .*, shout"):
        find_provider("bard", "mine")
    second = tmp_path / "other-1.0.dist-info"
    second.mkdir()
    (second / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n", encoding="utf-8")
    (second / "entry_points.txt").write_text("[finrag.providers]\nshout = another\n", encoding="utf-8")
    plugins.plugins.cache_clear()
    with pytest.raises(FinragError, match="Two installed packages name a plugin 'shout'"):
        plugins.plugins(plugins.PROVIDERS)
