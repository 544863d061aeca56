"""What every dbt command does before its first model, `finrag build` and plain `dbt build` alike (profiles.yml)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import CatalogException

from finrag.build.unchanged import code_of_strategy
from finrag.llm.ledger import cost_of_calls
from finrag.threads import keep_one_blas_thread

FUNCTIONS: tuple[Callable[[str], str | None], ...] = (
    # for the macro cost_lines: DuckDB reads the ledger's file only with an extension that it would have to fetch
    cost_of_calls,
    # for the macro planned_runs: which code decides the hits of a plugin
    code_of_strategy,
)


class Plugin(BasePlugin):
    """Of dbt-duckdb."""

    def initialize(self, plugin_config: dict) -> None:
        keep_one_blas_thread()

    def configure_connection(self, conn) -> None:
        for function in FUNCTIONS:
            with suppress(CatalogException):  # in this process the database is open already, and has it
                conn.create_function(
                    function.__name__, function, ["varchar"], "varchar", null_handling="special", side_effects=True
                )
