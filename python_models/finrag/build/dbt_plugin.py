"""What every dbt command does before its first model, `finrag build` and plain `dbt build` alike (profiles.yml)."""

from __future__ import annotations

import os

from dbt.adapters.duckdb.plugins import BasePlugin

from finrag.analysis import READING
from finrag.threads import keep_one_blas_thread


class Plugin(BasePlugin):
    """Of dbt-duckdb."""

    def initialize(self, plugin_config: dict) -> None:
        keep_one_blas_thread()

    def update_connection_config(self, creds, config: dict) -> None:
        if os.environ.get(READING):
            config["access_mode"] = "READ_ONLY"
