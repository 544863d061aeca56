"""After a change of some files a build makes what depends on them; where that is not certain, it makes everything."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from finrag.build import concerned
from finrag.build.unchanged import Finished
from finrag.metrics import frozen
from finrag.settings import AT_PARSE, default_variables
from warehouses import ROOT

NO_MANIFEST = Path("none.json")

BEFORE = {
    "models/corpus/dim_filings.sql": "1",
    "models/corpus/dim_filings.yml": "1",
    "models/corpus/sec_items.md": "1",
    "models/exposures.yml": "1",
    "python_models/corpus/int_split_sentences.py": "1",
    "python_models/corpus/int_split_sentences.yml": "1",
    "seeds/sections.csv": "1",
    "seeds/sections.yml": "1",
    "seeds/summary_theme_patterns.csv": "1",
    "tests/singular/assert_no_p0_alerts.sql": "1",
    "tests/generic/unique_combination.sql": "1",
}


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (["models/corpus/dim_filings.sql"], ["dim_filings"]),
        (["models/corpus/dim_filings.yml"], ["dim_filings"]),
        (["models/corpus/dim_filings.yml", "models/corpus/dim_filings.sql"], ["dim_filings"]),
        (["python_models/corpus/int_split_sentences.py"], ["int_split_sentences"]),
        (["seeds/sections.csv", "tests/singular/assert_no_p0_alerts.sql"], ["assert_no_p0_alerts", "sections"]),
        (["models/corpus/new.sql", "models/corpus/new.yml"], ["new"]),
        # anything else may concern every table
        (["models/corpus/sec_items.md"], None),
        (["models/exposures.yml"], None),
        (["models/corpus/without_sql.yml"], None),
        (["tests/generic/unique_combination.sql"], None),
        (["models/corpus/dim_filings.sql", "seeds/summary_theme_patterns.csv"], None),
    ],
)
def test_a_changed_file_is_of_a_node_or_of_all(changed, names):
    assert concerned.nodes_of(BEFORE, BEFORE | dict.fromkeys(changed, "2")) == names


@pytest.mark.parametrize("gone", ["models/corpus/dim_filings.sql", "models/corpus/dim_filings.yml"])
def test_a_file_that_went_concerns_all(gone):
    assert concerned.nodes_of(BEFORE, {path: of for path, of in BEFORE.items() if path != gone}) is None


def finished(**fields) -> Finished:
    return Finished(
        **{"read": {}, "files": BEFORE, "written": "", "ended_at": "", "summary": "", "report": ""} | fields
    )


@pytest.mark.parametrize(
    "also",
    [
        *("macros", "the library", "source files", "options of the build", "environment variables"),
        *("installed packages", "dbt_project.yml", "profiles.yml", "the warehouse"),
    ],
)
def test_a_change_of_anything_but_models_registries_and_tests_concerns_all(also):
    files = BEFORE | {"models/corpus/dim_filings.sql": "2"}
    assert finished().concerned(["models"], files, NO_MANIFEST) == ["dim_filings"]
    assert finished().concerned(["models", also], files, NO_MANIFEST) is None


def test_what_a_build_of_a_part_left_unfinished_is_built_although_its_file_is_as_before():
    left = finished(unfinished=["sections"])
    assert left.concerned([], BEFORE, NO_MANIFEST) == ["sections"]
    changed = BEFORE | {"models/corpus/dim_filings.sql": "2"}
    assert left.concerned(["models"], changed, NO_MANIFEST) == ["dim_filings", "sections"]


def node(name: str, code: str = "", macros: tuple[str, ...] = (), kind: str = "model", **meta: str) -> dict:
    return {
        **{"name": name, "resource_type": kind, "raw_code": code, "macro_sql": code, "config": {"meta": meta}},
        "depends_on": {"macros": [f"macro.finrag.{macro}" for macro in macros]},
    }


def test_models_that_read_a_setting_are_those_that_name_it_themselves_or_by_a_macro(tmp_path):
    nodes = [
        node("by_meta", corpus="demo"),
        node("in_sql", "select '{{ setting('compare_reference') }}'", ("setting",)),
        node("by_macro", "{{ files() }}", ("files",)),
        node("by_none", "select setting from corpus"),
        node("seed", kind="seed", corpus="demo"),
    ]
    macros = [
        node("setting", "{{ return(var(name)) }}"),
        node("files", "{{ columns() }}", ("columns",)),
        node("columns", "{{ setting('corpus_columns') }}{{ files() }}", ("setting", "files")),
    ]
    manifest = tmp_path / "manifest.json"
    found = {f"macro.finrag.{macro['name']}": macro for macro in macros}
    manifest.write_text(json.dumps({"nodes": {each["name"]: each for each in nodes}, "macros": found}))
    assert concerned.readers_of(["corpus"], manifest) == ["by_meta"]
    assert concerned.readers_of(["corpus_columns", "compare_reference"], manifest) == ["by_macro", "in_sql"]
    assert concerned.readers_of(["corpus", "what_nobody_reads"], manifest) is None
    assert finished().concerned(["the setting corpus"], BEFORE, manifest) == ["by_meta"]
    assert finished().concerned(["the setting corpus", "macros"], BEFORE, manifest) is None


def test_every_setting_of_the_run_has_a_model_that_reads_it(demo):
    manifest = demo.target / "manifest.json"
    of_the_run = [name for name in default_variables() if name not in AT_PARSE]
    # of an analysis
    read = set().union(*concerned.settings_by_model(manifest).values())
    assert [name for name in of_the_run if name not in read] == ["traced_query"]
    assert concerned.readers_of(["embedding_models"], manifest) == ["int_embedded_texts"]


@pytest.mark.parametrize(
    ("arguments", "is_whole"),
    [
        ([], True),
        (["--exclude-resource-type", "unit_test", "--exclude-resource-type", "exposure"], True),
        (["--vars", '{"gold_seed": "other"}'], True),
        (["--select", "dim_filings"], False),
        (["-s", "dim_filings", "--vars", "{}"], False),
        (["--exclude", "tag:slow"], False),
        (["--full-refresh"], False),
        (["--exclude-resource-type", "seed"], False),
    ],
)
def test_only_builds_of_everything_say_what_the_warehouse_holds(arguments, is_whole):
    assert concerned.is_of_whole_builds(arguments) == is_whole


def test_registries_that_the_library_reads_by_itself_are_known():
    """Whoever asks for the folder of the seeds; the command, and what checks or writes them, apart."""
    library = ROOT / "python_models" / "finrag"
    apart = ("cli", "build", "baseline.py", "project.py")
    read = set()
    for file in sorted(library.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file.relative_to(library).parts[0] not in apart and "seeds_folder()" in text:
            read |= set(re.findall(r'seeds_folder\(\) / "(\w+)\.csv"', text)) or {file.stem}
    assert read - {"frozen"} == concerned.READ_DIRECTLY
    # what `finrag baseline` freezes is of no node, so that a change of it concerns all
    assert concerned.nodes_of({}, {f"seeds/{frozen.FILE}": "1"}) is None
