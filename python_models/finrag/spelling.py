"""What a name that there is not may have been meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], *, most: int = 1, alike: float = 0.6) -> str:
    """A space and a question that names the most similar known names, whatever their case; empty where none is alike.

    The dashes that options begin with make none alike. alike: how similar they have to be, from 0 to 1 (the ratio of
    difflib).
    """
    spelt = {each.lower().lstrip("-"): each for each in known}
    close = difflib.get_close_matches(name.lower().lstrip("-"), spelt, most, alike)
    return f" Did you mean {' or '.join(spelt[each] for each in close)}?" if close else ""
