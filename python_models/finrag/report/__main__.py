"""Write the report: `python -m finrag.report [FILE]`, from the published file, or the warehouse where there is none."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from finrag.errors import FinragError
from finrag.publish.catalog import manifest_path
from finrag.publish.files import Publication
from finrag.publish.publish import WarehouseInUseError, configured_warehouse, publish

DEFAULT_REPORT = "reports/finrag.html"


def source() -> Path:
    """What to read: the published file, brought up to date first, so that no build waits for the report."""
    publication = Publication.configured()
    try:
        publish(configured_warehouse(), publication, manifest_path())
    except WarehouseInUseError:
        if not publication.file.exists():
            raise
        print("A build is writing the warehouse; the report shows what was published before.")
    return publication.file


def write(file: Path, report: Path) -> int:
    """The size of the report in bytes."""
    from finrag.report.data import Reader
    from finrag.report.page import render

    page = render(Reader(file))
    report.parent.mkdir(parents=True, exist_ok=True)
    partial = report.with_name(report.name + ".partial")
    partial.write_text(page, encoding="utf-8")
    os.replace(partial, report)
    return report.stat().st_size


if __name__ == "__main__":
    try:
        started = time.monotonic()
        report = Path(sys.argv[1] if len(sys.argv) > 1 else DEFAULT_REPORT)
        size = write(source(), report)
        print(f"{report}, {size / 1e6:.1f} MB ({time.monotonic() - started:.1f} s). Open it in any browser.")
    except FinragError as error:
        sys.exit(str(error))
