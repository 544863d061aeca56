"""Write the report: `python -m finrag.report [FILE]`, from the published file."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from finrag.errors import FinragError
from finrag.publish.files import Publication
from finrag.publish.publish import configured_warehouse

DEFAULT_REPORT = "reports/finrag.html"


def source() -> Path:
    """What to read: the published file, so that no build waits for the report, and a failed one is not shown."""
    publication, warehouse = Publication.configured(), configured_warehouse()
    if not publication.file.exists():
        raise FinragError(
            f"There is no {publication.file} yet. A build that succeeds publishes it (make build); make publish "
            "publishes the warehouse as it stands."
        )
    if warehouse.exists() and not publication.shows(warehouse):
        print(f"{warehouse} was written since it was last published, by a build that runs, failed or was dbt's own;")
        print("the report shows what was published before. make publish publishes it as it stands.")
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
