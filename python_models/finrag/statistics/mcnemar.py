"""Exact McNemar test of paired yes-or-no outcomes.

Only the pairs that differ count: if neither run is better, each is won by a or by b with probability one half.
Q. McNemar, Note on the sampling error of the difference between correlated proportions, Psychometrika 12 (1947).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def mcnemar_exact(a_only: np.ndarray, b_only: np.ndarray) -> np.ndarray:
    """Two-sided p-values from the counts of pairs that only a, and only b, got right; 1 where no pair differs."""
    import numpy as np
    from scipy.stats import binom

    a_only, b_only = np.asarray(a_only, int), np.asarray(b_only, int)
    return np.minimum(1.0, 2 * binom.cdf(np.minimum(a_only, b_only), a_only + b_only, 0.5))
