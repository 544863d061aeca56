"""Freeze the current runs as the baseline of the alerts and of the gate.

The runs that rules of seeds/alert_rules.csv compare with a baseline are written to seeds/baselines.csv, and what each
of their anchors scored to seeds/baseline_items.csv; what every run of any task scored on each item, under the metrics
of primary endpoints, to seeds/baseline_scores.parquet (finrag.metrics.frozen). What stood there is replaced. The
anchors are frozen with the figures: from the next build on they are drawn before all others.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections import Counter
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command, existing_warehouse, own_registries, seeds_folder
from finrag.whole import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

WHY = "'why it is frozen'"
# does not begin as an option does: `--help` is a question, no name
NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
RUNS = """
    select distinct
        runs.suite, runs.regime, runs.strategy, runs.embedding_model, runs.run_id, runs.corpus_version,
        runs.gold_version,
    from retrieval.retrieval_runs as runs
    semi join seeds.alert_rules as rules
        on runs.suite = rules.suite
        and runs.strategy = rules.strategy
        and coalesce(rules.regime, '') in ('', runs.regime)
        and rules.comparison = 'absolute_change'
    where runs.is_current
    order by all
"""
# Distances come from 32-bit floats, so nine digits lose nothing.
ITEMS = """
    select
        items.suite, items.regime, items.strategy, items.embedding_model, queries.sentence_id, items.gold_window,
        items.gold_predicate, queries.text_hash, items.self_at_1, items.self_at_1_text, items.is_covered,
        items.hit_at_5, round(items.rr_at_30, 9) as rr_at_30,
        round(items.median_gold_distance, 9) as median_gold_distance,
    from metrics.retrieval_items as items
    inner join gold.retrieval_queries as queries using (suite, query_id)
    semi join seeds.alert_rules as rules
        on items.suite = rules.suite
        and items.gold_window = rules.gold_window
        and items.gold_predicate = rules.gold_predicate
        and rules.comparison = 'absolute_change'
    where
        items.run_id = ? and not items.is_error and queries.sentence_id is not null
        -- anchors of an earlier baseline that the draw of this corpus leaves out are not frozen again
        and queries.inclusion_probability is not null
    order by all
"""
BROKEN = "select message from metrics.alerts where is_fired and severity = 'P0' order by all"


def freeze(connection: duckdb.DuckDBPyConnection, name: str, note: str, today: datetime.date, seeds: Path) -> list[str]:
    """Write the three files from the warehouse; a line for each frozen run.

    Raises FinragError where there is nothing to freeze, or where a P0 alert says that the index is broken: a baseline
    of that would make it the normal state.
    """
    import pyarrow.parquet

    from finrag.metrics import frozen

    if not NAME.fullmatch(name):
        raise FinragError(
            f"'{name}' cannot name a baseline. Allowed are letters, digits, and the characters _ . and -, the last not "
            f"at its beginning: {command('baseline', 'before-the-change', note=WHY)}."
        )
    broken = [message for (message,) in connection.execute(BROKEN).fetchall()]
    if broken:
        raise FinragError("The index is broken, so nothing is frozen:\n  " + "\n  ".join(broken))
    baselines, items, lines = [], [], []
    for run in connection.execute(RUNS).fetchall():
        suite, regime, strategy, model, run_id, corpus_version, gold_version = run
        of_run = connection.execute(ITEMS, [run_id]).fetchall()
        anchors = {row[4] for row in of_run}
        if not anchors:
            lines.append(f"not frozen: {suite}, {regime}, {strategy}, {model} (no items of the rules' gold)")
            continue
        baselines.append(
            (name, suite, regime, strategy, model, run_id, corpus_version, gold_version, len(anchors), today, note)
        )
        items += [(name, *row) for row in of_run]
        lines.append(f"{len(anchors):7,} anchors of {suite}, {regime}, {strategy}, {model} (run {run_id})")
    if not baselines:
        raise FinragError(
            "No current run is one that seeds/alert_rules.csv compares with a baseline, so there is nothing to freeze. "
            "Build with the regimes and strategies of the rules (vars retrieval_regimes and retrieval_strategies)."
        )
    scores = frozen.freeze(connection.table("metrics.int_headline_scores"), name)
    counted = Counter(zip(*(scores[column].to_pylist() for column in ("place", "model", "metric")), strict=True))
    lines += [
        f"{n:7,} items of {place}{model and ', '}{model}: {metric}"
        for (place, model, metric), n in sorted(counted.items())
    ]
    if earlier := sorted(earlier_names(seeds / "baselines.csv") - {name}):
        lines.append(f"in the place of {', '.join(earlier)}")
    replace(seeds / "baselines.csv", baselines)
    replace(seeds / "baseline_items.csv", items)
    stream = io.BytesIO()
    pyarrow.parquet.write_table(scores, stream, compression="zstd")
    write_whole(seeds / frozen.FILE, stream.getvalue())
    return lines


def earlier_names(path: Path) -> set[str]:
    """The baselines that stand in a file; none where there is no file."""
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["baseline_id"] for row in csv.DictReader(stream) if row.get("baseline_id")}


def replace(path: Path, rows: Sequence[tuple]) -> None:
    """Write rows below the header that the registry has; the file changes once it is whole."""
    with (path if path.exists() else seeds_folder() / path.name).open(encoding="utf-8", newline="") as stream:
        header = next(csv.reader(stream))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([as_text(value) for value in row] for row in rows)
    write_whole(path, stream.getvalue())


def as_text(value: object) -> object:
    """Booleans as DuckDB reads them, null as nothing."""
    return str(value).lower() if isinstance(value, bool) else "" if value is None else value


def freeze_warehouse(name: str, note: str) -> list[str]:
    """The same from the warehouse in use, into the registries in use."""
    import duckdb

    from finrag.build.turn import undecided

    database = existing_warehouse()
    if told := undecided(database):
        raise FinragError(f"{told} Runs of two builds would be frozen as one, so nothing is: {command('build')}")
    with duckdb.connect(str(database), read_only=True) as connection:
        try:
            return freeze(connection, name, note, datetime.date.today(), own_registries())
        except duckdb.CatalogException as error:
            raise FinragError(
                f"The warehouse at {database} holds no measured runs. Build it: {command('build')}"
            ) from error
