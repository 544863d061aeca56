"""What every dbt command does before its first model, `finrag build` and plain `dbt build` alike (profiles.yml)."""

from __future__ import annotations

from dbt.adapters.duckdb.plugins import BasePlugin

from finrag.threads import keep_one_blas_thread


class Plugin(BasePlugin):
    """Of dbt-duckdb. It changes no connection."""

    def initialize(self, plugin_config: dict) -> None:
        keep_one_blas_thread()
