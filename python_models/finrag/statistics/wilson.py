"""Wilson's score interval for a proportion, and for the mean of values between 0 and 1.

Such values vary at most as much as a proportion with the same mean does, so for them the interval is on the safe side.
E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Z = 1.959963984540054  # 97.5th percentile of the normal distribution


def wilson_interval(mean: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper 95 % bounds of a mean between 0 and 1, elementwise. Bounds stay within 0 and 1.

    n: the number of independent items, or what dependent ones are worth (finrag.statistics.clustered); need not be
    whole. 0 is the whole range. nan where there is no mean.
    """
    import numpy as np

    mean, n = np.broadcast_arrays(np.asarray(mean, float), np.asarray(n, float))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = Z**2 / n
        centre = (mean + spread / 2) / (1 + spread)
        half_width = np.sqrt(spread * (np.maximum(mean * (1 - mean), 0.0) + spread / 4)) / (1 + spread)
    # exactly 0 and 1 at the ends, where rounding would leave 1e-17
    low = np.where((mean <= 0) | (n == 0), 0.0, centre - half_width)
    high = np.where((mean >= 1) | (n == 0), 1.0, centre + half_width)
    return np.where(np.isnan(mean), np.nan, low), np.where(np.isnan(mean), np.nan, high)
