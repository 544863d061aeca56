"""Whether a text holds a quote: exactly after normalisation, or nearly so, with the score."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

LEAST_SIMILARITY = 90.0
"""rapidfuzz's partial ratio from which a quote counts as found: a slip of the pen, not another figure."""
LEAST_CHARACTERS = 8
"""A quote below this length has to be exact: two words are like too much."""
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "\u00a0": " "})


@dataclass(frozen=True)
class Found:
    """is_found, how (exact, near or none) and rapidfuzz's score from 0 to 100."""

    is_found: bool
    how: str
    score: float


def find_quote(quote: str, text: str) -> Found:
    """Look for a quote in a text. Marks around it, typography, case and spaces make no difference; figures do."""
    from rapidfuzz import fuzz

    wanted, held = plain(quote.strip().strip("\"'“”‘’").strip(". …")), plain(text)
    if not wanted or not held:
        return Found(False, "none", 0.0)
    if wanted in held:
        return Found(True, "exact", 100.0)
    best = fuzz.partial_ratio_alignment(wanted, held, score_cutoff=0)
    score = best.score if best else 0.0
    if score < LEAST_SIMILARITY or len(wanted) < LEAST_CHARACTERS:
        return Found(False, "none", score)
    passage = held[max(0, best.dest_start - 2) : best.dest_end + 2]
    same_figures = set(re.findall(r"\d[\d,.]*\d|\d", wanted)) <= set(re.findall(r"\d[\d,.]*\d|\d", passage))
    return Found(same_figures, "near" if same_figures else "none", score)


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text.translate(_MARKS)).lower().split())
