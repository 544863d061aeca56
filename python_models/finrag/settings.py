"""Settings that are read when a model runs, so that another corpus, or other hits, cost dbt no parse.

dbt parses the whole project anew for every other set of vars, which takes longer than loading a file. What names data,
and what only loaders and callers read, is therefore handed over beside the vars: as JSON in the environment, by the
command `finrag`. A setting that is not handed over is the var of its name, so `dbt build --vars` works as ever. SQL
reads them with the macro `setting`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from finrag.errors import FinragError

VARIABLE = "FINRAG_SETTINGS"
# Vars of dbt_project.yml that no SQL, no test and no description of a table is rendered with.
RUN_TIME = (
    *("corpus", "company_facts", "embedding_models", "imported_vectors", "external_hits"),
    *("compare_runs", "question_suites", "external_answers", "summary_pairs"),
    *("sentiment_data", "sentiment_replies", "calibration_data"),
    *("llm_replicates", "llm_concurrency", "llm_budget_usd", "llm_deadline_seconds", "llm_repair_calls"),
)


def handed_over() -> dict[str, object]:
    """The settings in the environment, by name."""
    text = os.environ.get(VARIABLE) or "{}"
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise FinragError(f"The environment variable {VARIABLE} is no JSON: {error}. `finrag` sets it.") from error
    unknown = sorted(given.keys() - set(RUN_TIME))
    if unknown:
        raise FinragError(
            f"The environment variable {VARIABLE} names {', '.join(unknown)}. Allowed: {', '.join(RUN_TIME)}. Other "
            "vars are dbt's: finrag build --vars, dbt build --vars."
        )
    return given


def in_force(meta: Mapping[str, object]) -> dict[str, object]:
    """A model's meta, which holds vars by their names, with the settings handed over in their place."""
    return {**meta, **{name: value for name, value in handed_over().items() if name in meta}}
