"""Loading libraries whose parts import each other, in a process where dbt runs several models at once.

Two threads that enter such a library at different parts wait for each other; Python then hands one of them a
half-loaded module instead of a deadlock, and the import fails. Where entering by the front door is enough
(`from rapidfuzz import fuzz`, not `from rapidfuzz.fuzz import ...`) that is what is written; torch, transformers and
sentence-transformers, which also enter each other, are loaded here first.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading

_LOADING = threading.RLock()


def load_libraries(*names: str) -> None:
    """Import libraries, one thread at a time; instant when they are loaded."""
    with _LOADING:
        for name in names:
            importlib.import_module(name)


def load_torch() -> None:
    """torch, told two things that it asks for once, when it is loaded.

    MKL, which multiplies for it, gives the same bits whatever the number of threads. Its threads fall asleep
    microseconds after an operation: spinning for milliseconds, as they do by default, they take the processors from
    dbt's other models and from each other, and encoding takes several times as long.
    """
    os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    load_libraries("torch")


def load_transformers() -> None:
    """torch, transformers and sentence-transformers, in the order in which they build on each other. No bar of their
    own stands for each file of weights."""
    load_torch()
    load_libraries("transformers", "sentence_transformers")
    sys.modules["transformers"].utils.logging.disable_progress_bar()
