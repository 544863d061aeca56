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


SOUND = {"name": "a", "version": "1.0", "vulns": []}
FAULTY = {"name": "b", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": []}]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


def printing(*packages: dict) -> str:
    return f"echo '{json.dumps({'dependencies': packages})}'"


@pytest.mark.parametrize(
    ("script", "is_fine", "said"),
    [
        (None, True, "pip-audit is not installed"),
        (printing(SOUND, UNKNOWN), True, "0 known faults; 1 of 2 packages are known"),
        (printing(SOUND, FAULTY) + "; exit 1", False, "b 2.0: PYSEC-1, mended in 2.1"),
        ("echo 'requests.exceptions.ConnectionError: nobody' >&2; exit 1", True, "reached no network"),
        ("echo 'a wrong option' >&2; exit 2", False, "a wrong option"),
        ("exec sleep 20", True, "no answer within 1 s"),
    ],
    ids=["not installed", "none", "a fault", "no network", "its own error", "no answer"],
)
def test_what_is_known_against_packages(sbom, tmp_path, monkeypatch, script, is_fine, said):
    monkeypatch.setattr(sbom, "SECONDS", 1)
    monkeypatch.setattr(sbom.sys, "executable", str(tmp_path / "python"))
    if script:
        command = tmp_path / "pip-audit"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
    fine, told = sbom.audit()
    assert fine == is_fine and said in told
