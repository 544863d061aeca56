"""Commands with less garbage collection and a quick end; dbt and sqlfluff too: `python -m finrag.commands dbt build …`.

Both hold a whole project as a graph of small objects and go on making more. Python's collector looks through them for
cycles every 700 objects and finds none worth the time: a fifth of what a build's own steps cost, a quarter of a lint.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import entry_points

# Objects made between collections of the young ones, and collections of them between those of the older.
THRESHOLDS = (200_000, 20, 20)


def collect_rarely() -> None:
    """For the rest of this process. A build's memory grows by 40 MB."""
    gc.set_threshold(*THRESHOLDS)


def run_to_end(run: Callable[[], object]) -> None:
    """Run a command that is all that this process does, and end with its status, without freeing what it made: to take
    dbt's objects apart takes Python a second.
    """
    statuses: list[object] = []

    def end() -> None:
        if statuses and isinstance(statuses[0], int):
            with suppress(OSError):  # where nobody reads any more, Python says so as it ends
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(statuses[0])

    # what is registered first runs last: all that the command registers has run then, and what imports did before it
    # (the log's last flush, locks of files) the end of a process does as well
    atexit.register(end)
    collect_rarely()
    try:
        run()
    except SystemExit as ended:
        statuses.append(ended.code)
        raise


def main(command: str, *arguments: str) -> None:
    """Run a command that a package of this environment installs, as if it had been called by its name."""
    found = next(iter(entry_points(group="console_scripts", name=command)), None)
    if found is None:
        sys.exit(f"No package installs a command {command} here. make test installs all that the Makefile names.")
    sys.argv = [command, *arguments]
    run_to_end(lambda: sys.exit(found.load()()))


if __name__ == "__main__":
    main(*sys.argv[1:])
