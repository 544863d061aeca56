"""From items to values: rollups by stratum, and comparisons of runs item by item."""
