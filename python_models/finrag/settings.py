"""Settings: what a person calls them, and those that are read when a model runs, so that another corpus, or other hits,
cost dbt no parse.

dbt parses the whole project anew for every other set of vars, which takes longer than loading a file. All that its
parse need not know is therefore handed over beside the vars: as JSON in the environment, by the command `finrag`. A
setting that is not handed over is the var of its name, so `dbt build --vars` works as ever. SQL reads them with the
macro `setting`, Python models from their meta.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from finrag.errors import FinragError
from finrag.project import DBT_FILE, FILE, dbt_folder, front, load_yaml, name_of_make

VARIABLE = "FINRAG_SETTINGS"
# Variables of the environment that finrag.toml has set, with their keys there, as JSON.
SET_BY_FILE = "FINRAG_SET_BY_FILE"
# Vars that a contract, a column or a test in a .yml is rendered with: they stay vars of dbt. All others of
# dbt_project.yml are read when a model runs.
AT_PARSE = (
    *("metric_ks", "hardest_cases_per_run", "p1_windows", "p1_section_min_sentences"),
    *("p2_window_base", "p2_window_max", "p2_gold_target", "chunk_token_budgets"),
)
# Vars that name the language models of a job.
ROLES = ("llm_questions", "llm_answers", "llm_judges", "llm_summaries", "llm_sentiment")

# The var of each key of finrag.toml. Any other var is a key of its section settings.
KEYS = {
    "corpus.paths": "corpus",
    "corpus.facts": "company_facts",
    "corpus.columns": "corpus_columns",
    "corpus.aliases": "company_aliases",
    "vectors": "imported_vectors",
    "hits": "external_hits",
    "chunks": "external_chunks",
    "compare.reference": "compare_reference",
    "compare.pairs": "compare_runs",
    "suites": "question_suites",
    "answers": "external_answers",
    "summaries": "summary_pairs",
    "headlines": "sentiment_data",
    "replies": "sentiment_replies",
    "calibration": "calibration_data",
    "models.embedding": "embedding_models",
    "models.scores": "score_models",
    "models.reranker": "pipeline_reranker",
    "models.questions": "llm_questions",
    "models.answers": "llm_answers",
    "models.judges": "llm_judges",
    "models.summaries": "llm_summaries",
    "models.sentiment": "llm_sentiment",
    "budgets.usd": "llm_budget_usd",
    "budgets.seconds_per_call": "llm_deadline_seconds",
    "budgets.calls_at_a_time": "llm_concurrency",
    "budgets.replicates": "llm_replicates",
}
KEY_OF = {variable: key for key, variable in KEYS.items()}
# Inputs of a user that are paths by name.
BY_NAME = tuple("vectors hits chunks suites answers summaries headlines replies calibration".split())
# The var that each option of `finrag build` sets.
OPTIONS = {"corpus": "corpus", "facts": "company_facts", "compare": "compare_runs"} | {
    key: KEYS[key] for key in BY_NAME
}
OPTION_OF = {variable: option for option, variable in OPTIONS.items()}


def named(variable: str, *, begins: bool = False) -> str:
    """What a person calls a var here, for messages: HITS in a clone, hits in finrag.toml (or --hits) in a project.

    What has no option of its own can be given by --vars.
    begins: whether a sentence begins with it.
    """
    option = OPTION_OF.get(variable)
    if front() == "make":
        return name_of_make(option) if option else f"{'The' if begins else 'the'} var {variable}"
    return f"{KEY_OF.get(variable, f'settings.{variable}')} in {FILE} (or --{option or 'vars'})"


def variable_named(variable: str) -> str:
    """What a person calls a variable of the environment here: its key where finrag.toml has set it."""
    key = json.loads(os.environ.get(SET_BY_FILE) or "{}").get(variable)
    return f"{key} in {FILE}" if key else variable


def assigned(variable: str, value: str) -> str:
    """How a person gives a var a value here: HITS="mine=a.trec" in a clone, hits = "mine=a.trec" in finrag.toml."""
    option = OPTION_OF.get(variable)
    if front() != "make":
        return f'{KEY_OF.get(variable, f"settings.{variable}")} = "{value}" in {FILE}'
    return f'{name_of_make(option)}="{value}"' if option else f"VARS='{json.dumps({variable: value})}'"


@cache
def default_variables(folder: Path | None = None) -> dict[str, object]:
    """The vars of dbt_project.yml. folder: of the dbt project; that in use where it is left out."""
    return load_yaml(((folder or dbt_folder()) / DBT_FILE).read_text(encoding="utf-8"))["vars"]


def handed_over() -> dict[str, object]:
    """The settings in the environment, by name."""
    text = os.environ.get(VARIABLE)
    if not text:
        return {}
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise FinragError(f"The environment variable {VARIABLE} is no JSON: {error}. `finrag` sets it.") from error
    known = default_variables()
    if unknown := sorted(given.keys() - known.keys()):
        raise FinragError(
            f"The environment variable {VARIABLE} names {', '.join(unknown)}, which {DBT_FILE} does not have: "
            f"{', '.join(known)}."
        )
    ignored = [name for name in AT_PARSE if name in given]
    if ignored:
        raise FinragError(
            f"The environment variable {VARIABLE} names {', '.join(ignored)}, which dbt reads when it "
            "parses. Give them to it: finrag build --vars, dbt build --vars."
        )
    return given


def in_force(meta: Mapping[str, object]) -> dict[str, object]:
    """A model's meta, which holds vars by their names, with the settings handed over in their place."""
    return {**meta, **{name: value for name, value in handed_over().items() if name in meta}}
