"""What can be known to be wrong before anything runs: registries, settings and the files that they name."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from finrag.chunking import brought
from finrag.corpus.layouts import read_layouts
from finrag.corpus.reader import REMOTE
from finrag.corpus.sources import check_some_load
from finrag.encoders import weights
from finrag.encoders.models import read_models
from finrag.encoders.rerank import reranker
from finrag.engine.choice import chosen as chosen_engine
from finrag.errors import FinragError
from finrag.inputs import answers, calibration, headlines, hits, registries, replies, suites, summaries, vectors
from finrag.inputs.registries import Registry
from finrag.inputs.setting import BY_SPACES, DEMO, NamedFile, as_parted
from finrag.metrics.frozen import frozen_file
from finrag.project import command, registry_of, seeds_folder
from finrag.questions.schema import is_time
from finrag.settings import ROLES, named
from finrag.spelling import did_you_mean
from finrag.text.companies import alias_pairs

# Settings whose words are rows of a registry, by the registry.
REGISTERED = {
    **dict.fromkeys(ROLES, "llm_models"),
    **{"embedding_models": "embedding_models", "score_models": "score_models"},
    **{"retrieval_strategies": "retrieval_strategies", "retrieval_regimes": "retrieval_regimes"},
    "chunkings": "chunkings",
    **dict.fromkeys(("health_long_items", "health_needed_items", "health_brief_items"), "sections"),
}
# Settings that may be a word in place of a number, and numbers that may be below zero.
WORDS = {
    **dict.fromkeys(("p1_anchors", "p2_anchors", "summary_filings", "judged_questions"), "all"),
    "summary_chunk_tokens": "window",
}
# Of none of these can there be 0.
COUNTED = {"llm_concurrency", "llm_replicates", "llm_deadline_seconds"}
# As whole numbers are held; a larger one fits into no column.
LARGEST = 2**31 - 1
# Texts that may be written as a number.
NUMBERED = {"gold_seed", "chunk_min_coverage"}
# Texts that are one word of these.
ONE_OF = {"pipeline_searched_text": ("remainder", "question")}
# A run's id, or the part of one that tells runs of one name apart; and which replicate a run is.
RUN_ID = r"[0-9a-f]{16}"
OF_RUN = re.compile(rf"{RUN_ID}|[0-9a-f]{{8}}|#\d+")
# Names of runs are made of words of these registries, of names that settings give to files, and of these words.
NAMING = ("retrieval_strategies", "retrieval_regimes", "embedding_models", "llm_models", "chunkings")
WORDS_OF_RUNS = (
    *("p1", "p2", "p3", "mdna", DEMO, "answers", "judged", "by", "chunks,", "run", "zero_shot", "majority", "class"),
)
# Files that name systems, suites or data sets within.
NAMING_WITHIN = ("external_answers", "question_suites", "summary_pairs", "sentiment_data", "sentiment_replies")
SIGNED = {"sentiment_negative_below", "sentiment_positive_from"}


def check_before(values: Mapping[str, object], defaults: Mapping[str, object]) -> None:
    """Raises FinragError with a line for each fault of the registries, the settings and the files that they name.

    values: the settings in force, by name. defaults: those of dbt_project.yml.
    """
    registries.check(seeds_folder())
    texts = dict(wrong_texts(values, defaults))
    # what is no text has no words to look at
    values = {name: defaults[name] if name in texts else value for name, value in values.items()}
    found = [*texts.values(), *wrong_numbers(values, defaults), *unknown_names(values), *wrong_files(values)]
    found += [*wrong_columns(values), *wrong_models(values), *wrong_words(values), *wrong_machine(), *wrong_baseline()]
    found += wrong_rules(values, defaults)
    if found:
        raise FinragError("\n".join(found))


def wrong_texts(values: Mapping[str, object], defaults: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Settings whose default is a text and that are none, with what is wrong."""
    for name, default in defaults.items():
        value = values.get(name, default)
        if not isinstance(default, str) or name in WORDS or isinstance(value, str):
            continue
        if name not in NUMBERED or math.isnan(as_number(value)):
            words = isinstance(value, list) and all(isinstance(each, str) for each in value)
            example = f", with blanks between its words: {' '.join(value)!r}" if words else f" such as {default!r}"
            yield name, f"{named(name, begins=True)} is {value!r}. Allowed: a text{example}."


def wrong_numbers(values: Mapping[str, object], defaults: Mapping[str, object]) -> Iterator[str]:
    """Settings whose default is a number, a list of numbers, or true or false, and that are none.

    A default between 0 and 1 that is no whole number is a share, and so is what may stand in its place.
    """
    for name, default in defaults.items():
        value, word, called = values.get(name, default), WORDS.get(name), named(name, begins=True)
        if isinstance(default, list):
            if not is_list(value):
                yield (
                    f"{called} is {value!r}. Allowed: a list of whole numbers of at least 1, each once, "
                    f"such as {default}."
                )
        elif isinstance(default, bool):
            if not isinstance(value, bool):
                yield f"{called} is {value!r}. Allowed: true or false."
        elif word is not None or isinstance(default, int | float):
            allowed, is_allowed = allowed_number(name, default)
            if value != word and not is_allowed(value):
                allowed += f" and at most {LARGEST:,}" if as_number(value) > LARGEST and "whole" in allowed else ""
                yield f"{called} is {value!r}. Allowed: {allowed}{f', or {word}' if word else ''}."


def allowed_number(name: str, default: object) -> tuple[str, Callable[[object], bool]]:
    if name in SIGNED:
        return "a number from -1 to 1", lambda value: -1 <= as_number(value) <= 1
    if not isinstance(default, float):
        least = 1 if name in COUNTED else 0
        return f"a whole number of at least {least}", lambda value: is_whole(value, least)
    if default < 1:
        return "a number from 0 to 1", lambda value: 0 <= as_number(value) <= 1
    return "a number of at least 0", lambda value: 0 <= as_number(value) < math.inf


def as_number(value: object) -> float:
    """The number that a value is or says; NaN, which nothing is equal to or within, where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def is_whole(value: object, least: int = 0) -> bool:
    number = as_number(value)
    return least <= number <= LARGEST and number == int(number)


def is_list(value: object) -> bool:
    """Whether it is whole numbers, each once: columns are called by them, so that 5.0 and "5" are none."""
    if not isinstance(value, list) or not all(type(each) is int and is_whole(each, 1) for each in value):
        return False
    return 0 < len(set(value)) == len(value)


def unknown_names(values: Mapping[str, object]) -> Iterator[str]:
    for name, registry in REGISTERED.items():
        known = names_of(registry)
        value = values.get(name) or ""
        asked = value.split()
        if unknown := [word for word in asked if word not in known]:
            yield (
                f"{named(name, begins=True)} names {', '.join(unknown)}, no row of {registry_of(registry)}. Allowed: "
                f"{', '.join(known)}."
            )


def wrong_columns(values: Mapping[str, object]) -> Iterator[str]:
    """Names of corpus.columns that no layout has, where what the files call so would be read by nobody."""
    stated, called = values.get("corpus_columns") or {}, named("corpus_columns", begins=True)
    if not are_columns(stated):
        yield f'{called} is {stated!r}. Allowed: a table of names in your files, such as item_1 = "item1".'
        return
    known = columns_of_layouts()
    by_name = {column.lower(): column for column in known}
    for column, theirs in stated.items():
        if column.lower() in by_name:
            continue
        if theirs.lower() in by_name:
            hint = f' The name of the layout stands first: {by_name[theirs.lower()]} = "{column}".'
        else:
            hint = did_you_mean(column, known, alike=0.7)
        yield f"{called}: {column} is a column of no layout.{hint} Allowed: {', '.join(known)}."
    columns: dict[str, list[str]] = {}
    for column, theirs in stated.items():
        columns.setdefault(theirs.lower(), []).append(column)
    for together in columns.values():
        if len(together) > 1:
            yield (
                f"{called}: {' and '.join(together)} are both {stated[together[0]]!r}, whose text would be read twice. "
                "Allowed: each name in your files once."
            )


def are_columns(stated: object) -> bool:
    return isinstance(stated, dict) and all(isinstance(name, str) for pair in stated.items() for name in pair)


def columns_of_layouts() -> list[str]:
    """The columns that are read of files of the corpus, of all layouts, once each."""
    rows = [row for row in Registry(seeds_folder() / "corpus_layouts.csv").rows if row["level"] != "facts"]
    stated = (row[name].split("|") for row in rows for name in ("required_columns", "other_columns"))
    return list(dict.fromkeys(column for names in stated for column in names if column))


def wrong_models(values: Mapping[str, object]) -> Iterator[str]:
    """Embedding and score models in use whose files are not where the registry says; hub names are not asked for."""
    asked = {name: str(values.get(name) or "").split() for name in ("embedding_models", "score_models")}
    held = Registry(seeds_folder() / "embedding_models.csv")
    with registries.connection().cursor() as connection:
        rows = connection.sql(f"from read_csv(?, columns = {held.types})", params=[str(held.path)])
        for model in read_models(rows).values():
            try:
                if model.model_id in asked["embedding_models"] and not model.is_imported:
                    # of a hub model this asks for a revision, of a folder for a model in it
                    weights.local_folder(model) or weights.files_digest(model)
            except FinragError as error:
                yield str(error)
    for row in Registry(seeds_folder() / "score_models.csv").rows:
        name = row["model_name"]
        is_path = name.startswith((".", "/", "~"))
        if row["model_id"] in asked["score_models"] and is_path and not Path(name).expanduser().is_dir():
            yield f"Score model {row['model_id']}: {name} is no folder. Correct it in {registry_of('score_models')}."
    try:
        reranker(Registry(seeds_folder() / "score_models.csv").rows, str(values.get("pipeline_reranker") or ""))
    except FinragError as error:
        yield str(error)


def wrong_words(values: Mapping[str, object]) -> Iterator[str]:
    """Settings whose text has a form of its own."""
    for pair in str(values.get("compare_runs") or "").split():
        runs = pair.split(":")
        if len(set(runs)) != 2 or len(runs) != 2 or not all(re.fullmatch(RUN_ID, run) for run in runs):
            form = as_parted(f"Write run_id:run_id, two of retrieval.retrieval_runs, several {BY_SPACES}.")
            yield f"{named('compare_runs')}: '{pair}' is not a pair of runs. {form}"
    yield from wrong_reference(values)
    try:
        list(alias_pairs(str(values.get("company_aliases") or "")))
    except FinragError as error:
        yield str(error)
    yield from wrong_forms(values)


def wrong_reference(values: Mapping[str, object]) -> Iterator[str]:
    """Words of compare.reference that are in no run's name, where these are known before a build."""
    asked = str(values.get("compare_reference") or "").split()
    if any((values.get(name) or DEMO) != DEMO for name in (*NAMING_WITHIN, "compare_runs")):
        return
    try:
        files = [file.name for name in ("external_hits", "external_chunks") for file in named_files(name, values)]
    except FinragError:  # which wrong_files says
        return
    names = [name for registry in NAMING for name in names_of(registry)] + files
    known = dict.fromkeys([*names, *WORDS_OF_RUNS, *(f"({name})" for name in names_of("retrieval_regimes"))])
    if unknown := [word for word in asked if word not in known and not OF_RUN.fullmatch(word)]:
        hint = did_you_mean(unknown[0], known, alike=0.7)
        yield (
            f"{named('compare_reference', begins=True)} names {', '.join(unknown)}, and no run is called so.{hint} "
            f"Allowed: a run_id, or words of a run's name: {', '.join(names)}."
        )


def named_files(name: str, values: Mapping[str, object]) -> Sequence[NamedFile]:
    """Those that a setting names; none where it names none. Raises FinragError."""
    value = values.get(name) or ""
    return file_readers()[name](value) if value else []


def wrong_forms(values: Mapping[str, object]) -> Iterator[str]:
    """Settings that are one word of several, shares, texts that SQL quotes, and a date."""
    for name, allowed in ONE_OF.items():
        if (value := values.get(name, allowed[0])) not in allowed:
            yield f"{named(name, begins=True)} is {value!r}. Allowed: {', '.join(allowed)}."
    coverage = str(values.get("chunk_min_coverage", "1"))
    if not coverage.split() or not all(0 < as_number(share) <= 1 for share in coverage.split(" ")):
        called = named("chunk_min_coverage", begins=True)
        yield f"{called} is {coverage!r}. Allowed: shares above 0 up to 1, with one blank between, such as '0.5 1'."
    if "'" in (value := str(values.get("gold_seed") or "")):  # SQL states it between quotes
        yield f"{named('gold_seed', begins=True)} is {value!r}. Allowed: a text without an apostrophe."
    stated = str(values.get("questions_created_at") or "")
    if stated and not is_time(stated):
        called = named("questions_created_at", begins=True)
        yield f"{called} is {stated!r}. Allowed: a date and time such as 2026-11-21T00:00:00Z."


def wrong_rules(values: Mapping[str, object], defaults: Mapping[str, object]) -> Iterator[str]:
    per_k = {row["metric"] for row in Registry(seeds_folder() / "metrics.csv").rows if row["is_per_k"] == "true"}
    return unmeasured(Registry(seeds_folder() / "alert_rules.csv").rows, per_k, values, defaults)


def unmeasured(
    rules: list[dict[str, str]], per_k: set[str], values: Mapping[str, object], defaults: Mapping[str, object]
) -> Iterator[str]:
    """Alert rules that would never fire: nothing measures their figure, unless what a setting leaves out is let in."""
    cutoffs = {k for held in (values, defaults) if is_list(held.get("metric_ks")) for k in held["metric_ks"]}
    for row in rules:
        known = sorted(cutoffs) if row["metric"] in per_k else [0]
        if int(row["k"]) not in known:
            yield (
                f"{registry_of('alert_rules')}, {row['rule_id']}: {row['metric']} is not measured at k = {row['k']}. "
                f"Allowed: {', '.join(map(str, known))}{' (metric_ks)' if row['metric'] in per_k else ''}."
            )


def wrong_machine() -> Iterator[str]:
    """What the environment, or finrag.toml for it, says of the engine, of threads and of memory."""
    try:
        chosen_engine()
    except FinragError as error:
        yield str(error)
    threads, limit = os.environ.get("FINRAG_THREADS", "1"), os.environ.get("FINRAG_MEMORY_LIMIT")
    if not is_whole(threads, 1):
        yield f"FINRAG_THREADS is {threads!r}. Allowed: a whole number of at least 1."
    try:
        if limit:
            duckdb.connect(config={"memory_limit": limit}).close()
    except duckdb.Error as error:
        yield f"FINRAG_MEMORY_LIMIT is {limit!r}: {str(error).splitlines()[0]}. Allowed: a size such as 4GB."


def wrong_baseline() -> Iterator[str]:
    """The registry of baselines and the frozen scores are kept together: one alone would be held against nothing."""
    named_there = {row["baseline_id"] for row in Registry(seeds_folder() / "baselines.csv").rows}
    file = frozen_file()
    whole = (
        "The files baseline*, frozen together, are kept together: put back the one of the same freeze (was it ignored, "
        f"or is it a Git LFS pointer?), freeze anew ({command('baseline')}), or take the rows out of baselines.csv."
    )
    try:
        # read as a whole, for a file that was cut has its beginning
        with registries.connection().cursor() as connection:
            asked = "select baseline_id, max(score) from read_parquet(?) group by 1"
            held = {name for name, _ in connection.execute(asked, [str(file)]).fetchall()}
    except duckdb.Error as error:
        yield f"{file} cannot be read as Parquet ({str(error).splitlines()[0]}). {whole}"
        return
    if lacking := sorted(named_there - held):
        there = ", ".join(sorted(held)) or "none"
        yield f"baselines.csv names the baseline {', '.join(lacking)}, but {file} holds {there}. {whole}"


def names_of(registry: str) -> list[str]:
    held = Registry(seeds_folder() / f"{registry}.csv")
    return [held.key_of(row)[0] for row in held.rows]


def wrong_files(values: Mapping[str, object]) -> Iterator[str]:
    """Settings that name files: what cannot be read as names of files, what matches none, and a corpus that is none."""
    for name, read in file_readers().items():
        value = values.get(name) or ""
        try:
            if value != DEMO:
                read(value)
        except FinragError as error:
            yield str(error)
    corpus, facts = values.get("corpus", ""), values.get("company_facts", "")
    is_demo = (corpus, facts) == (DEMO, "auto")
    names = values.get("corpus_columns") or {}
    # what lies elsewhere is looked for when it is read
    if not is_demo and not any(REMOTE.match(part) for part in f"{corpus} {facts}".split()):
        try:
            with registries.connection().cursor() as connection:
                rows = connection.sql("from read_csv(?)", params=[str(seeds_folder() / "corpus_layouts.csv")])
                names = names if are_columns(names) else {}  # which wrong_columns says
                check_some_load(connection, corpus, facts, read_layouts(rows), names)
        except FinragError as error:
            yield str(error).replace("\n  ", " ")  # a fault is a line


def file_readers() -> dict[str, Callable[[str], Sequence[NamedFile]]]:
    """By setting, those of the corpus aside, what finds the files that a value of it names, as a build does."""
    strategies, regimes = names_of("retrieval_strategies"), names_of("retrieval_regimes")
    return {
        "imported_vectors": vectors.GRAMMAR.parse,
        "external_chunks": brought.GRAMMAR.parse,
        "external_hits": replace(hits.GRAMMAR, taken=(strategies, "a strategy"), regimes=regimes).parse,
        "external_answers": replace(answers.GRAMMAR, taken=(strategies, "a strategy")).parse,
        "question_suites": suites.suite_files,
        "summary_pairs": summaries.GRAMMAR.parse,
        "sentiment_data": headlines.GRAMMAR.parse,
        "sentiment_replies": replies.GRAMMAR.parse,
        "calibration_data": calibration.GRAMMAR.parse,
    }
