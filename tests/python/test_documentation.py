"""What people rely on is documented and tested: contracts, grains, descriptions of every public column."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest
import yaml

from csv_files import rows_of
from warehouses import ROOT, Warehouse


@pytest.fixture(scope="module")
def manifest(demo: Warehouse) -> dict:
    return json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))


def models(manifest: dict) -> list[dict]:
    return [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]


def is_public(model: dict) -> bool:
    """What analysts read, and what is published for them."""
    return model["access"] == "public"


def test_every_model_states_its_grain(manifest):
    lacking = [m["name"] for m in models(manifest) if "One row per " not in m["description"].rsplit(". ", 1)[-1]]
    assert lacking == []


def test_public_models_and_no_others_have_an_enforced_contract(manifest):
    """Of those in SQL; dbt has no contracts for Python models, so one in Python has a test of its own."""
    of_sql = [m for m in models(manifest) if m["language"] == "sql"]
    public = {m["name"] for m in of_sql if is_public(m)}
    assert public == {m["name"] for m in of_sql if m["config"]["contract"]["enforced"]}
    assert [name for name in public if name.startswith(("int_", "stg_"))] == []


def test_a_public_table_of_python_has_the_columns_stated(demo, manifest):
    """In their order and of their types: what a contract would hold, were there one."""
    of_python = [m for m in models(manifest) if m["language"] == "python" and is_public(m)]
    assert [m["name"] for m in of_python] == ["source_files"]
    for model in of_python:
        columns = demo.rows(
            "select column_name, lower(data_type) from information_schema.columns where table_schema = $schema "
            "and table_name = $name order by ordinal_position",
            {"schema": model["schema"], "name": model["name"]},
        )
        assert columns == [(name, column["data_type"]) for name, column in model["columns"].items()]


def test_what_is_not_public_is_called_a_step(manifest):
    """int_, or stg_ of a source; a task's own part of a public union has the union's name in its own."""
    others = {m["name"] for m in models(manifest) if not is_public(m)}
    unnamed = {name for name in others if not name.startswith(("int_", "stg_"))}
    assert {name for name in unnamed if not name.endswith("_metric_values")} == set()


def test_every_public_column_is_described(demo, manifest):
    described = {
        (m["schema"], m["name"], name.lower()): column["description"]
        for m in models(manifest)
        for name, column in m["columns"].items()
    }
    public = {(m["schema"], m["name"]) for m in models(manifest) if is_public(m)}
    columns = demo.rows("select table_schema, table_name, lower(column_name) from information_schema.columns")
    lacking = [column for column in columns if column[:2] in public and not described.get(column)]
    assert lacking == []


def test_a_figure_of_a_scorecard_has_an_interval_beside_it():
    """But for bounds over the order of ties, what an interval is worth, and what the description sends elsewhere."""
    without = {}
    for path in (ROOT / "models/metrics").glob("*_scorecard.yml"):
        [model] = yaml.safe_load(path.read_text(encoding="utf-8"))["models"]
        kinds = {column["name"]: column["data_type"] for column in model["columns"]}
        figures = {name for name, kind in kinds.items() if kind == "double" and "_ci_" not in name}
        without[model["name"]] = {name for name in figures if not {f"{name}_ci_low", f"{name}_ci_high"} <= set(kinds)}
        assert [name for name in kinds if name.endswith("_ci_low") and name.removesuffix("_ci_low") not in kinds] == []
    of_ties = {f"{metric}_{end}" for metric in ("hit_at_5", "mrr_at_30", "ndcg_at_10") for end in ("best", "worst")}
    of_hit = {f"hit_at_5_{name}" for name in ("n_eff", "deff", "minimum_detectable_effect")}
    elsewhere = without.pop("p3_scorecard")
    # what run there was cost so much: a total, not an estimate
    assert without == {
        **{"p1_scorecard": of_ties | of_hit, "p2_scorecard": of_ties | of_hit, "summary_scorecard": set()},
        **{"sentiment_scorecard": {"cost_usd", "cost_per_call_usd"}},
    }
    text = (ROOT / "models/metrics/p3_scorecard.yml").read_text(encoding="utf-8")
    assert "What has no interval and n here has them in" in text
    assert [name for name in elsewhere if name.endswith(("_accuracy", "_at_5", "_at_10", "_at_30", "_recall"))] == []


def test_every_public_table_has_its_place_on_the_page_of_tables(manifest):
    page = (ROOT / "docs/tables.md").read_text(encoding="utf-8")
    named = {name.rsplit(".", 1)[-1] for name in re.findall(r"`([a-z0-9_.]+)`", page)}
    assert {model["name"] for model in models(manifest) if is_public(model)} - named == set()


def test_every_public_table_is_tested_for_its_grain(manifest):
    tested = {
        node["attached_node"]
        for node in manifest["nodes"].values()
        if node["resource_type"] == "test"
        and (node.get("test_metadata") or {}).get("name") in ("unique", "unique_combination")
    }
    lacking = [m["name"] for m in models(manifest) if is_public(m) and m["unique_id"] not in tested]
    assert lacking == []


def described() -> tuple[dict[str, dict[str, str]], set[str]]:
    """Of every column the description by public table, as the file has it, and the doc blocks of all descriptions."""
    public, named = defaultdict(dict), set()
    for file in (*(ROOT / "models").rglob("*.yml"), *(ROOT / "python_models").rglob("*.yml")):
        text = file.read_text(encoding="utf-8")
        named |= set(re.findall(r"doc\('(\w+)'\)", text))
        for model in (yaml.load(text, yaml.CSafeLoader) or {}).get("models", ()):
            if model.get("config", {}).get("access") == "public":
                for column in model["columns"]:
                    public[column["name"]][model["name"]] = column["description"]
    return public, named


def described_otherwise(columns: dict[str, dict[str, str]], others: set[tuple[str, str]]) -> dict[str, set[str]]:
    """Columns that several tables have whose descriptions do not begin with one doc block, with the beginnings."""
    found = {}
    for column, texts in columns.items():
        rest = [text for table, text in texts.items() if (column, table) not in others]
        begins = {re.sub(r"^(\{\{ doc\('\w+'\) \}\})?.*", r"\1", text, flags=re.DOTALL) for text in rest}
        if len(rest) > 1 and (len(begins) > 1 or "" in begins):
            found[column] = begins
    return found


def test_what_is_described_otherwise_is_found():
    columns = {
        "k": {"a": "{{ doc('k') }}", "b": "{{ doc('k') }} In tokens.", "c": "A key."},
        "n": {"a": "Items.", "b": "Items."},
        "m": {"a": "{{ doc('m') }}", "b": "{{ doc('n') }}"},
        "one": {"a": "Alone."},
    }
    assert described_otherwise(columns, {("k", "c")}) == {"n": {""}, "m": {"{{ doc('m') }}", "{{ doc('n') }}"}}
    assert described_otherwise({"k": columns["k"]}, set()) == {"k": {"{{ doc('k') }}", ""}}


def test_a_column_of_several_tables_is_described_once(manifest):
    """By one doc block that its descriptions begin with; a list says which table means another thing by it."""
    columns, named = described()
    rows = rows_of("tests/fixtures/columns_of_other_meanings.csv")
    others = {(row["column"], row["table"]): row["meaning"] for row in rows}
    assert len(columns) > 600 and all(others.values())
    assert described_otherwise(columns, set(others)) == {}
    # the list has nothing that could go by the rule
    needed = {
        (column, table) for column, table in others if described_otherwise(columns, set(others) - {(column, table)})
    }
    assert set(others) - needed == set()
    blocks = {block["name"] for block in manifest["docs"].values() if block["package_name"] == "finrag"}
    assert blocks - named == {"__overview__"}


def test_every_seed_is_described(manifest):
    seeds = [node for node in manifest["nodes"].values() if node["resource_type"] == "seed"]
    assert [seed["name"] for seed in seeds if "One row per " not in seed["description"]] == []


def test_every_macro_is_described_by_its_own_arguments(manifest):
    macros = [node for node in manifest["macros"].values() if node["package_name"] == "finrag"]
    macros = [macro for macro in macros if not macro["name"].startswith("test_")]
    assert [macro["name"] for macro in macros if not macro["description"]] == []
    for macro in macros:
        if macro["name"].startswith("materialization_"):  # takes none
            continue
        named = [argument["name"] for argument in macro["arguments"]]
        (written,) = re.findall(rf"macro\s+{macro['name']}\s*\((.*?)\)\s*-?%}}", macro["macro_sql"], re.DOTALL)
        assert not named or named == re.findall(r"(\w+)(?:=[^,]*)?(?:,|$)", written), macro["name"]


def exposed(manifest: dict) -> dict[str, set[str]]:
    """The models and seeds that each exposure names."""
    return {
        node["name"]: {name.split(".")[2] for name in node["depends_on"]["nodes"]}
        for node in manifest["exposures"].values()
    }


def test_every_analysis_is_an_exposure_with_the_tables_that_it_reads(manifest):
    analyses = {
        f"analysis_{node['name']}": {name.split(".")[2] for name in node["depends_on"]["nodes"]}
        for node in manifest["nodes"].values()
        if node["resource_type"] == "analysis"
    }
    declared = {name: tables for name, tables in exposed(manifest).items() if name.startswith("analysis_")}
    assert declared == analyses, "models/exposures.yml and analyses/ do not agree"


def test_the_report_is_an_exposure_of_the_tables_that_it_reads(manifest):
    schemas = {model["schema"] for model in models(manifest)}
    named = re.compile(rf"\b(?:{'|'.join(sorted(schemas))})\.([a-z_0-9]+)")
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "python_models/finrag/report").glob("*.py")]
    read = {name for text in code for name in named.findall(text)} & {model["name"] for model in models(manifest)}
    assert exposed(manifest)["report"] == read, "models/exposures.yml and finrag/report do not agree"


def test_the_published_file_is_an_exposure_of_every_public_model(manifest):
    public = {model["name"] for model in models(manifest) if is_public(model)}
    assert exposed(manifest)["bi_file"] == public, "models/exposures.yml does not name the public models"


def test_a_folder_is_a_schema(manifest):
    placed = {(m["original_file_path"].split("/")[1], m["schema"]) for m in models(manifest)}
    assert [place for place in placed if len(set(place)) == 2] == []
