"""What dbt keeps of its parse of the project, and when it may not be kept."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from finrag.project import dbt_folder, dbt_target

PARSE, NOTE = "partial_parse.msgpack", "properties.sha256"
FOLDERS = ("models", "python_models", "seeds", "macros", "analyses")


def forget_stale_parse(project: Path | None = None, target: Path | None = None) -> None:
    """Have dbt parse the whole project where a .yml or its folder is another than when it was last asked to.

    From many changed files at once, as an upgrade brings them, dbt's partial parse (1.10.8) loses the properties of
    models: a public table is then no longer published, and nothing says so. Of a seed it keeps the folder: a project
    that was copied would be built with the registries of the other, and one that was moved not at all. project, target:
    by default those in use.
    """
    project, target = project or dbt_folder(), target or dbt_target()
    files = sorted(path for folder in FOLDERS for path in (project / folder).rglob("*.yml"))
    # a folder may have a name that is no UTF-8
    digest = hashlib.sha256(os.fsencode(project.resolve()))
    for path in files:
        digest.update(path.relative_to(project).as_posix().encode() + path.read_bytes())
    noted = target / NOTE
    if noted.exists() and noted.read_text(encoding="utf-8") != digest.hexdigest():
        (target / PARSE).unlink(missing_ok=True)
    noted.parent.mkdir(parents=True, exist_ok=True)
    noted.write_text(digest.hexdigest(), encoding="utf-8")
