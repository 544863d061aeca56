"""Closed questions, true or false statements and multiple choice that are put to a source and to its summaries."""
