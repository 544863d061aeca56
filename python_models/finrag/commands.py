"""dbt and sqlfluff with less garbage collection: `python -m finrag.commands dbt build …`.

Both hold a whole project as a graph of small objects and go on making more. Python's collector looks through them for
cycles every 700 objects and finds none worth the time: a fifth of what a build's own steps cost, a quarter of a lint.
"""

from __future__ import annotations

import gc
import sys
from importlib.metadata import entry_points

# Objects made between collections of the young ones, and collections of them between those of the older.
THRESHOLDS = (200_000, 20, 20)


def collect_rarely() -> None:
    """For the rest of this process. A build's memory grows by 40 MB."""
    gc.set_threshold(*THRESHOLDS)


def main(command: str, *arguments: str) -> object:
    """Run a command that a package of this environment installs, as if it had been called by its name."""
    found = [entry.load() for entry in entry_points(group="console_scripts", name=command)]
    if not found:
        sys.exit(f"No package installs a command {command} here. make test installs all that the Makefile names.")
    collect_rarely()
    sys.argv = [command, *arguments]
    return found[0]()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
