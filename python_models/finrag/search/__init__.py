"""Ranked sentences for queries: the strategies, hits made elsewhere, and how far an index finds what is nearest."""
