"""Judges and metrics against human scores of the same summaries."""
