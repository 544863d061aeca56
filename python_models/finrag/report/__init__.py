"""The report: one HTML page with the figures, the alerts and the hardest cases. It needs no network."""
