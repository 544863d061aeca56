"""The Superset dashboard of dashboards/superset as the archive that Superset imports, for the file published here."""

from __future__ import annotations

import zipfile
from pathlib import Path

from finrag.errors import FinragError
from finrag.project import command, product
from finrag.publish.files import Publication

# What every path in the archive begins with: Superset takes one folder.
FOLDER = "finrag"
PLACEHOLDER = "/absolute/path/warehouse/bi/finrag_bi.duckdb"


def write_archive(path: Path, publication: Publication) -> int:
    """Write the archive, its database being the published file; how many files are in it."""
    if not publication.file.exists():
        raise FinragError(f"Nothing is published at {publication.file} yet. A build does it: {command('build')}")
    source = product() / "dashboards" / "superset"
    files = sorted(source.rglob("*.yaml"))
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            text = file.read_text(encoding="utf-8").replace(PLACEHOLDER, str(publication.file.absolute()))
            archive.writestr(f"{FOLDER}/{file.relative_to(source).as_posix()}", text)
    return len(files)
