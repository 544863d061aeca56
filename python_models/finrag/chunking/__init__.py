"""Chunkings: ways to cut the corpus into what is embedded and found, judged on the gold that stands on sentences."""
