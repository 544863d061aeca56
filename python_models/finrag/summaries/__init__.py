"""Summaries: pairs of sources and summaries given as files, and the cutting of long sources."""
