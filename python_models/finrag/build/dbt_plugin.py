"""What every dbt command does before its first model, `finrag build` and plain `dbt build` alike (profiles.yml)."""

from __future__ import annotations

import os
from contextlib import suppress

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import CatalogException

from finrag.analysis import READING
from finrag.llm.ledger import cost_of_calls
from finrag.threads import keep_one_blas_thread


class Plugin(BasePlugin):
    """Of dbt-duckdb."""

    def initialize(self, plugin_config: dict) -> None:
        keep_one_blas_thread()

    def update_connection_config(self, creds, config: dict) -> None:
        if os.environ.get(READING):
            config["access_mode"] = "READ_ONLY"

    def configure_connection(self, conn) -> None:
        # for the macro cost_lines: DuckDB reads the ledger's file only with an extension that it would have to fetch
        with suppress(CatalogException):  # in this process the database is open already, and has it
            conn.create_function("cost_of_calls", cost_of_calls, ["varchar"], "varchar", side_effects=True)
