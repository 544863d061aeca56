"""Minimum detectable effect: how small a true difference a comparison of n pairs still finds.

A two-sided test at 5 % finds a difference of (z_0.975 + z_0.8) standard errors in 80 % of the cases. The standard error
of a mean paired difference is its standard deviation over the square root of n. For yes-or-no outcomes a difference is
-1, 0 or 1, so without a true difference its variance is the share of pairs that differ (the discordance).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Z_TWO_SIDED = 1.959963984540054  # 97.5th percentile of the normal distribution
Z_POWER = 0.8416212335729143  # 80th percentile


def detectable_difference(deviation: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Smallest true mean difference that is found. deviation: standard deviation of the pairs' differences.

    nan where it cannot be told: no pairs, or none that differ.
    """
    import numpy as np

    deviation, n = np.asarray(deviation, float), np.asarray(n, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = (Z_TWO_SIDED + Z_POWER) * deviation / np.sqrt(n)
    return np.where((n > 0) & (deviation > 0), effect, np.nan)


def detectable_share_difference(discordance: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The same for yes-or-no outcomes. discordance: share of the pairs that differ."""
    import numpy as np

    return detectable_difference(np.sqrt(np.asarray(discordance, float)), n)
