"""Every analysis compiles, runs on the demo warehouse, finds something, and opens with the question it answers."""

from __future__ import annotations

import pytest

from warehouses import ROOT, Warehouse

ANALYSES = sorted(path.stem for path in (ROOT / "analyses").glob("*.sql"))


@pytest.fixture(scope="module")
def compiled(demo: Warehouse, tmp_path_factory) -> dict[str, str]:
    copy = demo.copy(tmp_path_factory.mktemp("compiled") / "demo")
    done = copy.dbt("compile", "--quiet", "--select", "resource_type:analysis")
    assert done.returncode == 0, copy.output
    folder = copy.target / "compiled" / "finrag" / "analyses"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.sql")}


@pytest.mark.parametrize("name", ANALYSES)
def test_analysis_answers_its_question(demo, compiled, name):
    source = (ROOT / "analyses" / f"{name}.sql").read_text(encoding="utf-8")
    assert source.startswith("-- ") and "?" in source.split("\nwith", 1)[0]
    # the demo has one model and one summariser; test_first_hour and test_summaries compare two
    assert demo.rows(compiled[name]) or name in ("is_my_model_better", "which_summariser_is_better")
    assert f"| {name} |" in (ROOT / "analyses" / "README.md").read_text(encoding="utf-8")
