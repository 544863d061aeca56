"""The four source layouts. Each module has `files(filings)`: the bytes of a company's files by path."""
