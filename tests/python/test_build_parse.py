"""dbt's parse of the project is kept while its properties and its folder are the same."""

from __future__ import annotations

import shutil

import pytest

from finrag.build.parse import forget_stale_parse


@pytest.fixture
def parse(tmp_path, monkeypatch):
    """The file of the parse, in a project of one model with properties."""
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    monkeypatch.setenv("DBT_TARGET_PATH", str(tmp_path / "target"))
    (tmp_path / "models" / "metrics").mkdir(parents=True)
    (tmp_path / "models" / "metrics" / "values.yml").write_text("models: []\n", encoding="utf-8")
    (tmp_path / "models" / "metrics" / "values.sql").write_text("select 1\n", encoding="utf-8")
    forget_stale_parse()
    file = tmp_path / "target" / "partial_parse.msgpack"
    file.write_bytes(b"parsed")
    return file


def test_a_parse_is_kept_while_no_properties_change(parse):
    (parse.parents[1] / "models" / "metrics" / "values.sql").write_text("select 2\n", encoding="utf-8")
    forget_stale_parse()
    assert parse.exists()


@pytest.mark.parametrize("change", ["written", "moved", "new"])
def test_other_properties_are_parsed_anew(parse, change):
    properties = parse.parents[1] / "models" / "metrics" / "values.yml"
    if change == "written":
        properties.write_text("models: [{name: values}]\n", encoding="utf-8")
    elif change == "moved":
        properties.rename(properties.with_name("other.yml"))
    else:
        properties.with_name("more.yml").write_text("", encoding="utf-8")
    forget_stale_parse()
    assert not parse.exists()
    forget_stale_parse()


@pytest.mark.parametrize("way", ["moved", "copied"])
def test_a_project_in_another_folder_is_parsed_anew(parse, tmp_path_factory, monkeypatch, way):
    """A parse holds the folder of each seed: those of the project that was copied would be loaded."""
    other = tmp_path_factory.mktemp("projects") / "other"
    (shutil.move if way == "moved" else shutil.copytree)(parse.parents[1], other)
    monkeypatch.setenv("DBT_PROJECT_DIR", str(other))
    monkeypatch.setenv("DBT_TARGET_PATH", str(other / "target"))
    copied = other / "target" / parse.name
    assert copied.exists()
    forget_stale_parse()
    assert not copied.exists()
    assert parse.exists() == (way == "copied")
