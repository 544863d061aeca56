"""Which engine is in use.

FINRAG_ENGINE is `here` (this process, the default) or `ray` (the cluster at RAY_ADDRESS). It says where work is done
and never what comes of it, so nothing that is stored, no run id and no fingerprint holds it.
"""

from __future__ import annotations

import os

from finrag.errors import FinragError
from finrag.settings import variable_named

VARIABLE = "FINRAG_ENGINE"
ADDRESS = "RAY_ADDRESS"
HERE, RAY = "here", "ray"


def chosen() -> str:
    """The engine in use. Raises FinragError for one that there is not."""
    name = os.environ.get(VARIABLE) or HERE
    if name not in (HERE, RAY):
        called = variable_named(VARIABLE)
        raise FinragError(f"{called} is {name!r}. Allowed: {HERE} (this process) and {RAY} (a cluster).")
    return name
