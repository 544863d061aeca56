"""Sign-flip permutation test of paired means.

If neither run is better, a pair's difference could as well have had the other sign. The p-value is the share of sign
patterns that give a total at least as far from zero as the observed one. Few pairs: every pattern is tried. Many:
some thousand random ones, and the observed one counts among them, (count + 1) / (N + 1), so that no p-value is 0.
B. Phipson and G. K. Smyth, Permutation P-values should never be zero, SAGMB 9 (2010).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

PATTERNS = 10_000
# Up to so many pairs that differ, all patterns (2 to the power of it, at most 8,192) are tried.
EXACT_PAIRS = 13
# Flips drawn at a time, 8 bytes each.
FLIPS_PER_BATCH = 200_000
# Differences below this are rounding, and so are those between two totals.
ROUNDING = 1e-12


def sign_flip(differences: np.ndarray, seed: int, patterns: int = PATTERNS) -> np.ndarray:
    """Two-sided p-values, per column. differences: pairs × columns, b minus a; 1 where no pair differs."""
    import numpy as np

    differences = np.where(np.abs(differences) < ROUNDING, 0.0, differences)
    differing = (differences != 0).sum(0)
    p_values = np.ones(differences.shape[1])
    for column in np.flatnonzero((differing > 0) & (differing <= EXACT_PAIRS)):
        values = differences[differences[:, column] != 0, column]
        p_values[column] = at_least_as_far(all_patterns(len(values)) @ values, values.sum()) / 2 ** len(values)
    sampled = np.flatnonzero(differing > EXACT_PAIRS)
    if len(sampled):
        p_values[sampled] = sampled_p_values(differences[:, sampled], seed, patterns)
    return p_values


def sampled_p_values(differences: np.ndarray, seed: int, patterns: int) -> np.ndarray:
    import numpy as np

    differences = differences[(differences != 0).any(1)]
    observed = differences.sum(0)
    generator = np.random.default_rng(seed)
    batch = max(8, FLIPS_PER_BATCH // len(differences) // 8 * 8)
    count = np.zeros(differences.shape[1])
    for first in range(0, patterns, batch):
        size = min(batch, patterns - first)
        # one bit per pair and pattern: whether the difference is flipped, which takes it from the total twice
        bits = np.frombuffer(generator.bytes(-(-size * len(differences) // 8)), np.uint8)
        flips = np.unpackbits(bits, count=size * len(differences)).reshape(size, -1).astype(float)
        count += at_least_as_far(observed - 2 * (flips @ differences), observed)
    return (count + 1) / (patterns + 1)


def at_least_as_far(totals: np.ndarray, observed) -> np.ndarray:
    """How many totals (along the first axis) are as far from zero as the observed one, up to rounding."""
    import numpy as np

    return (np.abs(totals) >= np.abs(observed) - ROUNDING * np.maximum(1, np.abs(totals).max())).sum(0)


def all_patterns(pairs: int) -> np.ndarray:
    """Every pattern of +1 and -1: 2^pairs × pairs."""
    import numpy as np

    return ((np.arange(2**pairs)[:, None] >> np.arange(pairs)) & 1) * 2.0 - 1.0
