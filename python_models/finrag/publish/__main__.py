"""Publish the warehouse for readers: `python -m finrag.publish`. `make build` does it when it has succeeded."""

from __future__ import annotations

import sys

from finrag.errors import FinragError
from finrag.publish.catalog import manifest_path
from finrag.publish.files import Publication
from finrag.publish.publish import configured_warehouse, publish

if __name__ == "__main__":
    try:
        print(publish(configured_warehouse(), Publication.configured(), manifest_path()).sentence())
    except FinragError as error:
        sys.exit(str(error))
