"""Wilson's score interval for a proportion.

E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Z = 1.959963984540054  # 97.5th percentile of the normal distribution


def wilson_interval(successes: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper 95 % bounds of successes / n, elementwise; nan where n is 0. Bounds stay within 0 and 1."""
    import numpy as np

    successes, n = np.asarray(successes, float), np.asarray(n, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = successes / n
        spread = Z**2 / n
        centre = (share + spread / 2) / (1 + spread)
        half_width = np.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    # exactly 0 and 1 at the ends, where rounding would leave 1e-17
    low = np.where(successes == 0, 0.0, centre - half_width)
    high = np.where(successes == n, 1.0, centre + half_width)
    return np.where(n > 0, low, np.nan), np.where(n > 0, high, np.nan)
