"""The installed packages as a bill of materials (CycloneDX 1.5, JSON), and what pip-audit knows against them.

Run by `make lint`. The bill is made of what is installed, without a network. pip-audit asks one for known faults; where
none answers, a line says so. A known fault is a line too, and with --strict a failure: one that is published tomorrow
must not fail the tests of what was released yesterday, but whoever releases wants to stop.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import uuid
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
BILL = ROOT / "target" / "sbom.cdx.json"
SECONDS = 120
# Known faults that are accepted, by their ids, and why.
ACCEPTED: dict[str, str] = {}
# What pip-audit and its libraries say where nobody answers.
NO_NETWORK = re.compile(
    r"ConnectionError|NewConnectionError|NameResolutionError|MaxRetryError|ProxyError|Timeout|timed out|ServiceError"
)


def normal(name: str) -> str:
    """A name as pip and package URLs compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def url(name: str, version: str) -> str:
    return f"pkg:pypi/{normal(name)}@{version}"


def installed() -> dict[str, Distribution]:
    """The packages beside finrag by their package URL, the first of each name on the path."""
    found: dict[str, Distribution] = {}
    for distribution in distributions():
        found.setdefault(normal(distribution.metadata["Name"]), distribution)
    found.pop(normal(project()["name"]), None)
    return {url(name, each.version): each for name, each in sorted(found.items())}


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def component(reference: str, distribution: Distribution) -> dict:
    """A package: name, version, package URL and the licence that it states."""
    metadata = distribution.metadata
    stated = metadata.get("License-Expression") or metadata.get("License") or ""
    licences = [{"license": {"name": stated.splitlines()[0][:120]}}] if stated.strip() else []
    found = {"type": "library", "bom-ref": reference, "name": metadata["Name"], "version": distribution.version}
    return found | {"purl": reference} | ({"licenses": licences} if licences else {})


def needed(distribution: Distribution, by_name: dict[str, str]) -> list[str]:
    """The installed packages that it states it requires, extras included."""
    names = [normal(re.match(r"[\w.-]+", requirement)[0]) for requirement in distribution.requires or []]
    return sorted({by_name[name] for name in names if name in by_name})


def bill() -> dict:
    """The same for the same packages: neither time nor chance is in it."""
    packages = installed()
    by_name = {normal(each.metadata["Name"]): reference for reference, each in packages.items()}
    own = project()
    product = {"type": "application", "bom-ref": "finrag", "name": own["name"], "version": own["version"]}
    declared = [*own["dependencies"], *(name for names in own["optional-dependencies"].values() for name in names)]
    direct = {by_name[name] for name in (normal(re.match(r"[\w.-]+", each)[0]) for each in declared) if name in by_name}
    edges = [{"ref": "finrag", "dependsOn": sorted(direct)}]
    edges += [{"ref": reference, "dependsOn": needed(each, by_name)} for reference, each in packages.items()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(packages))}",
        "version": 1,
        "metadata": {"component": product},
        "components": [component(reference, each) for reference, each in packages.items()],
        "dependencies": edges,
    }


def audit() -> tuple[bool, str]:
    """Whether no fault is known, and what is known against the packages that are pinned, or why nothing is."""
    command = shutil.which("pip-audit", path=str(Path(sys.executable).parent))
    if command is None:
        return True, "pip-audit is not installed: nothing was asked about known faults of packages."
    asked = [command, "--requirement", "constraints.txt", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    asked += ["--format", "json", *(part for name in ACCEPTED for part in ("--ignore-vuln", name))]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return True, f"pip-audit had no answer within {SECONDS} s: nothing is known about faults of packages."
    if not done.stdout.strip():
        if NO_NETWORK.search(done.stderr):
            return True, "pip-audit reached no network: nothing is known about faults of packages."
        return False, f"pip-audit failed: {done.stderr.strip()}"
    packages = json.loads(done.stdout)["dependencies"]
    known = [package for package in packages if "vulns" in package]
    faults = [
        f"{package['name']} {package['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'none'}"
        for package in known
        for fault in package["vulns"]
    ]
    asked_of = f"{len(known)} of {len(packages)} packages are known to who was asked"
    told = f"pip-audit: {len(faults)} known faults; {asked_of}."
    return not faults, "\n".join([told, *faults])


if __name__ == "__main__":
    BILL.parent.mkdir(parents=True, exist_ok=True)
    made = bill()
    BILL.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    is_fine, told = audit()
    print(f"{len(made['components'])} packages in {BILL.relative_to(ROOT)}. {told}")
    sys.exit(not is_fine and "--strict" in sys.argv)
