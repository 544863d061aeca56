"""Write the report from the published file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.build.turn import last_build
from finrag.errors import FinragError
from finrag.project import command, warehouse
from finrag.publish.files import Publication
from finrag.whole import write_whole

if TYPE_CHECKING:
    from pathlib import Path


def source() -> Path:
    """What to read: the published file, so that no build waits for the report, and a failed one is not shown."""
    publication = Publication.configured()
    if not publication.file.exists():
        raise FinragError(
            f"There is no {publication.file} yet. A build that succeeds publishes it ({command('build')}); "
            f"{command('publish')} publishes the warehouse as it stands."
        )
    return publication.file


def notice() -> str:
    """What the page, and the command, say where a later build than the one that is shown runs or did not succeed."""
    publication, database = Publication.configured(), warehouse()
    if not publication.file.exists() or not database.exists():
        return ""
    told = last_build(database)
    if not told and publication.shows(database):
        return ""
    told = told or "The warehouse was written later, by dbt itself or without being published."
    return f"{told} What is shown was published before; {command('publish')} publishes the warehouse as it stands."


def write(file: Path, report: Path, notice: str = "") -> int:
    """The size of the report in bytes. notice: what to say of the state that is shown.

    Raises FinragError where the report is to be a folder.
    """
    if not report.name or report.is_dir():
        raise FinragError(f"{report} is a folder, and a report is a file. Name one, such as {report / 'finrag.html'}.")
    from finrag.report.data import Reader
    from finrag.report.page import render

    page = render(Reader(file), notice)
    write_whole(report, page)
    return report.stat().st_size
