"""The bill of materials that `make lint` writes, and what it says of known faults, also where nobody answers."""

from __future__ import annotations

import importlib.util
import json
import re
import stat
from importlib.metadata import version

import pytest

from warehouses import ROOT


@pytest.fixture(scope="module")
def sbom():
    spec = importlib.util.spec_from_file_location("sbom", ROOT / ".ci" / "sbom.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_installed_package_is_in_the_bill_with_what_it_needs(sbom):
    made = sbom.bill()
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.5")
    by_reference = {each["bom-ref"]: each for each in made["components"]}
    assert len(by_reference) == len(made["components"]) > 100
    duckdb = f"pkg:pypi/duckdb@{version('duckdb')}"
    assert by_reference[duckdb]["version"] == version("duckdb")
    edges = {each["ref"]: each["dependsOn"] for each in made["dependencies"]}
    assert edges.keys() == {"finrag", *by_reference}
    assert {reference for needed in edges.values() for reference in needed} <= by_reference.keys()
    assert duckdb in edges["finrag"] and duckdb in edges[f"pkg:pypi/dbt-duckdb@{version('dbt-duckdb')}"]
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", made["serialNumber"])
    assert json.dumps(sbom.bill()) == json.dumps(made)


@pytest.mark.parametrize(
    ("script", "is_fine", "said"),
    [
        (None, True, "pip-audit is not installed"),
        ("echo No known vulnerabilities found", True, "No known vulnerabilities found"),
        ("echo 'requests.exceptions.ConnectionError: nobody' >&2; exit 1", True, "reached no network"),
        ("echo 'Found 1 known vulnerability in 1 package' >&2; echo 'x 1.0 PYSEC-1'; exit 1", False, "PYSEC-1"),
        ("echo 'a wrong option' >&2; exit 2", False, "a wrong option"),
        ("sleep 20", True, "no answer within 1 s"),
    ],
    ids=["not installed", "none", "no network", "a fault", "its own error", "no answer"],
)
def test_what_is_known_against_packages(sbom, tmp_path, monkeypatch, script, is_fine, said):
    monkeypatch.setattr(sbom, "SECONDS", 1)
    monkeypatch.setattr(sbom.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    if script:
        command = tmp_path / "pip-audit"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
    fine, told = sbom.audit()
    assert fine == is_fine and said in told
    assert not is_fine or "\n" not in told
