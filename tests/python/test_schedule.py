"""docs/schedule.md and its examples: commands that exist, with vars and models that the project knows."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from csv_files import rows_of
from warehouses import ROOT

EXAMPLES = ROOT / "docs" / "examples"
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
ARGUMENTS = set(re.findall(r"\b([A-Z]+):[a-z]+", (ROOT / "Makefile").read_text(encoding="utf-8")))
VARIABLES = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]


def registry(name: str) -> list[dict]:
    return rows_of(f"seeds/{name}.csv")


def commands() -> dict[str, list[str]]:
    """The shell commands of each example, comments left out."""
    cron = [line for line in (EXAMPLES / "crontab").read_text(encoding="utf-8").splitlines() if "make " in line]
    workflow = yaml.safe_load((EXAMPLES / "evaluation.yml").read_text(encoding="utf-8"))
    steps = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    return {"crontab": cron, "evaluation.yml": steps}


@pytest.mark.parametrize("example", ["crontab", "evaluation.yml"])
def test_commands_targets_vars_and_models_exist(example):
    found = "\n".join(commands()[example])
    targets = set(re.findall(r"\bmake ([a-z-]+)", found))
    assert targets == {"build", "report"} <= TARGETS
    assert set(re.findall(r"\b([A-Z]+)=", found)) <= ARGUMENTS
    [variables] = [json.loads(text) for text in re.findall(r"VARS='([^']+)'", found)]
    assert variables.keys() <= VARIABLES.keys()
    assert variables["llm_answers"] in {row["model_id"] for row in registry("llm_models")}
    scored_with = set(variables["score_models"].split())
    assert scored_with <= {row["model_id"] for row in registry("score_models")}
    needed = {row["score_model"] for row in registry("alert_rules") if row["schedule"] == "quarterly"} - {""}
    assert needed <= scored_with


def test_both_examples_keep_one_schedule_per_rule_set():
    workflow = yaml.safe_load((EXAMPLES / "evaluation.yml").read_text(encoding="utf-8"))
    # YAML reads the key `on` as true
    in_ci = [entry["cron"].split() for entry in workflow[True]["schedule"]]
    in_cron = [line.split()[:5] for line in commands()["crontab"]]
    assert {row["schedule"] for row in registry("alert_rules")} == set(workflow["jobs"]) == {"monthly", "quarterly"}
    for schedules in (in_ci, in_cron):
        assert all(re.fullmatch(r"[\d*,/-]+", field) for schedule in schedules for field in schedule)
        monthly, quarterly = schedules
        assert (monthly[3], quarterly[3]) == ("*", "1,4,7,10")
