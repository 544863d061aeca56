"""Intervals and tests, vectorised over many metrics at once; one method per file."""
