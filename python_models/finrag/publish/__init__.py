"""The published BI file: a second DuckDB file, and Parquet, that people read while builds write the warehouse.

DuckDB lets one process write a file or many read it, so whatever is connected to the warehouse makes the next build
fail. Readers therefore get a copy of the public tables, which is swapped in whole once a build has succeeded.
"""
