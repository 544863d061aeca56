"""Filings and company facts from EDGAR, the SEC's own archive. Nothing else in finrag needs the network."""
