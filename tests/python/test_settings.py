"""Settings that are read at run time: what is handed over wins, and no model is rendered with one."""

from __future__ import annotations

import json
import re

import pytest

from finrag.errors import FinragError
from finrag.settings import AT_PARSE, VARIABLE, default_variables, in_force
from warehouses import ROOT

RENDERED = [
    path
    for folder in ("models", "macros", "analyses", "tests/singular", "tests/generic", "python_models")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".sql", ".yml")
]
MODELS = [path for path in (ROOT / "python_models").glob("*/*.py") if "finrag" not in path.parts[-3:]]


def test_what_is_handed_over_takes_the_place_of_the_var(monkeypatch):
    meta = {"corpus": "demo", "company_facts": "auto", "max_k": 30}
    monkeypatch.delenv(VARIABLE, raising=False)
    assert in_force(meta) == meta
    monkeypatch.setenv(VARIABLE, json.dumps({"corpus": "a.json", "external_hits": "x@open=y"}))
    assert in_force(meta) == {"corpus": "a.json", "company_facts": "auto", "max_k": 30}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ('{"p1_windows": 3}', "dbt reads when it parses"),
        ('{"x": 3}', "which dbt_project.yml does not have: corpus,"),
    ],
)
def test_what_cannot_be_handed_over(monkeypatch, text, said):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(FinragError, match=said):
        in_force({})


def test_nothing_but_the_meta_of_python_models_is_rendered_with_one():
    """A var that SQL is rendered with would be read when dbt parses or compiles, and what is handed over ignored."""
    rendered = {
        (path.name, name)
        for path in RENDERED
        for line in path.read_text(encoding="utf-8").splitlines()
        for name in re.findall(r"""\bvar\(\s*['"](\w+)""", line)
        if name not in AT_PARSE and not (path.parts[-3] == "python_models" and re.match(rf"\s+{name}: \"", line))
    }
    assert rendered == set()


def test_a_var_of_the_parse_is_one_that_a_yml_is_rendered_with():
    """Any other would cost a parse for nothing."""
    rendered = {
        name
        for path in RENDERED
        if path.suffix == ".yml" and path.parts[-3] != "python_models"
        for name in re.findall(r"\bvar\('(\w+)'\)", path.read_text(encoding="utf-8"))
    }
    assert rendered == set(AT_PARSE)


def test_every_python_model_whose_meta_has_one_asks_what_is_in_force():
    """run_requests asks by itself, as it reads the settings of calls."""
    for model in MODELS:
        described = model.with_suffix(".yml").read_text(encoding="utf-8")
        if any(f"var('{name}')" in described for name in default_variables() if name not in AT_PARSE):
            code = model.read_text(encoding="utf-8")
            assert 'in_force(dbt.config.get("meta"))' in code or "run_requests" in code, model
