"""After a change of some files a build makes what depends on them; where that is not certain, it makes everything."""

from __future__ import annotations

import re

import pytest

from finrag.build import concerned
from finrag.build.unchanged import Finished
from finrag.metrics import frozen
from warehouses import ROOT

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
    assert finished().concerned(["models"], files) == ["dim_filings"]
    assert finished().concerned(["models", also], files) is None


def test_what_a_build_of_a_part_left_unfinished_is_built_although_its_file_is_as_before():
    assert finished(unfinished=["sections"]).concerned([], BEFORE) == ["sections"]
    assert finished(unfinished=["sections"]).concerned(["models"], BEFORE | {"models/corpus/dim_filings.sql": "2"}) == [
        "dim_filings",
        "sections",
    ]


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
