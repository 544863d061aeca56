"""A package that adds a provider, a strategy and a layout by entry points, installed as a module with its metadata."""

from __future__ import annotations

import pyarrow as pa
import pytest

from finrag import plugins
from finrag.cli import toml
from finrag.errors import FinragError
from finrag.llm.providers import find_provider
from finrag.search.engines import Engines
from finrag.search.hits import hit_schema
from finrag.search.runs import Search

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
'''
ENTRY_POINTS = """\
[finrag.providers]
shout = finrag_shout
broken = finrag_shout_that_is_gone

[finrag.strategies]
first = finrag_shout:search

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
    plugins.plugins.cache_clear()
    yield tmp_path
    plugins.plugins.cache_clear()


def test_a_provider_of_another_package_answers(installed, llm):
    llm.set_model("local-openai", provider="shout")
    row = llm.call("local-openai", "hello", repair_calls=0)
    assert row["provider"] == "shout" and "HELLO" in row["raw_text"]
    assert llm.emulator.events() == []


def test_its_search_is_a_method(installed):
    queries = pa.table({"query_id": ["q1", "q2"]})
    engines = Engines("nowhere", _registry(), queries, 10)
    values = dict.fromkeys(Search.__dataclass_fields__) | {"method": "first", "regime": "open", "filter_columns": ""}
    hits = engines.search(Search(**values), 1)
    assert hits.schema.names == hit_schema().names
    assert hits["query_id"].to_pylist() == ["q1", "q2"], "no deeper than asked"
    with pytest.raises(FinragError, match=r"Unknown retrieval method 'second'. Allowed: dense, bm25, .*, first"):
        engines.search(Search(**values | {"method": "second"}), 1)


def _registry():
    import duckdb

    columns = "model_id, model_name, revision, dimension, max_tokens, query_prefix, document_prefix, weights_sha256"
    values = "'m', 'imported', '1', 2, null, '', '', null"
    return duckdb.sql(f"select * from (values ({values})) as registry({columns})")


def test_its_layout_names_columns(installed):
    assert toml.columns("corpus.columns", "headed") == {"item_1": "Business", "item_1A": "Risks"}
    with pytest.raises(FinragError, match=r"corpus.columns is 'other'. Allowed: headed; or a table"):
        toml.columns("corpus.columns", "other")


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
