"""Speed and size of the warehouse, each figure beside a named peer measured in the same run.

    make bench                                  everything, on 1M sentences (growth on 1M and 3M)
    make bench BENCH="tagging neighbours"       some of it
    make bench BENCH=growth BENCH_ROWS=10000000 growth up to 10M sentences

Machines differ and are noisy: compare ratios, not seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from corpus import create_sentences
from llm import llm

ROOT = Path(__file__).parents[1]
DBT = Path(sys.executable).parent / "dbt"
ROWS = int(os.environ.get("BENCH_ROWS", "1000000"))
THREADS = (1, 2)


def dbt(database: Path, *arguments: str, corpus: str = "demo") -> tuple[float, float]:
    """Run dbt against a database of the benchmark's own; seconds and peak resident memory in GB."""
    environment = os.environ | {
        "FINRAG_DATABASE": str(database),
        "FINRAG_TEMP": str(database.with_suffix(".tmp")),
        "DBT_PROFILES_DIR": str(ROOT),
        "DBT_TARGET_PATH": str(database.with_suffix(".target")),
        "DBT_LOG_PATH": str(database.with_suffix(".logs")),
    }
    variables = json.dumps({"corpus": corpus, "company_facts": ""})
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [str(DBT), *arguments, "--quiet", "--vars", variables],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            output.seek(0)
            raise SystemExit(f"dbt {' '.join(arguments)} failed:\n{output.read()}")
    return time.perf_counter() - start, usage.ru_maxrss / 1e6


def timed(connection: duckdb.DuckDBPyConnection, query: str, runs: int = 2) -> float:
    """Seconds to materialise the query's rows, the best of some runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        connection.execute(f"create or replace temp table result as {query}")
        best = min(best, time.perf_counter() - start)
    return best


def report(name: str, threads: int, ours: float, peer_name: str, peer: float, note: str = "") -> None:
    print(
        f"{name:<34} {threads} thread{'s' if threads > 1 else ' '}  {ours:7.2f} s   {peer_name:<32} {peer:7.2f} s   "
        f"{peer / ours:6.1f}x  {note}",
        flush=True,
    )


def tagging(folder: Path) -> None:
    """V1 and V2 as the models compile them, against one regexp_matches per rule (and per label) over every sentence."""
    database = folder / "tagging.duckdb"
    dbt(database, "build", "--select", "resource_type:seed", "--exclude-resource-type", "test")
    with duckdb.connect(str(database)) as connection:
        create_sentences(connection, ROWS)
        connection.execute(
            """
            create schema if not exists corpus;
            create table corpus.fct_sentences as
            select
                'generated_' || row_id as sentence_id, 'filing_' || company || report_year as filing_id,
                company as cik, 'Generated' as company_name, report_year, 'ITEM_1A' as section_id,
                position as sentence_pos, sentence as sentence_text,
            from generated
            """
        )
    registries = {"int_kpi_matches": ("kpi_patterns", "kpi_label"), "v2_risk_atlas": ("risk_patterns", "risk_topic")}
    dbt(database, "compile", "--select", *registries)
    compiled = {
        name: next(database.with_suffix(".target").glob(f"compiled/**/{name}.sql")).read_text() for name in registries
    }
    with duckdb.connect(str(database)) as connection:
        for threads in THREADS:
            connection.execute(f"set threads = {threads}")
            ours = 0.0
            peers = {"rule": 0.0, "label": 0.0}
            rules = tagged = 0
            for name, (registry, label) in registries.items():
                ours += timed(connection, compiled[name])
                connection.execute(
                    f"create or replace temp table ours as select sentence_id, {label} as label from result"
                )
                for each in peers:
                    query, count = peer_query(connection, registry, label, each)
                    peers[each] += timed(connection, query, runs=1)
                    rules += count if each == "rule" else 0
                    different = connection.execute(
                        "select (select count(*) from (from ours except all from result)) "
                        "+ (select count(*) from (from result except all from ours))"
                    ).fetchone()[0]
                    if different:
                        raise SystemExit(f"{name}: {different} rows differ from those of one regexp_matches per {each}")
                tagged += connection.execute("select count(distinct sentence_id) from ours").fetchone()[0]
            note = f"rows identical, {tagged / ROWS / 2:.1%} of sentences tagged by each"
            report("V1 + V2 tagging", threads, ours, f"a regexp_matches per rule ({rules})", peers["rule"], note)
            report("V1 + V2 tagging", threads, ours, "a regexp_matches per label (16)", peers["label"], note)


def peer_query(connection: duckdb.DuckDBPyConnection, registry: str, label: str, each: str) -> tuple[str, int]:
    """The obvious query, and how many patterns it holds: each rule or label over every sentence, exclusions after."""
    patterns = connection.execute(
        f"select {label}, role, pattern from seeds.{registry} order by priority, {label}, pattern_id"
    ).fetchall()
    included: dict[str, list[str]] = {}
    excluded: dict[str, list[str]] = {}
    for name, role, pattern in patterns:
        (included if role == "include" else excluded).setdefault(name, []).append(pattern)
    branches = []
    count = 0
    for name, rules in included.items():
        whole = literal("|".join(rules))
        tests = [literal(rule) for rule in rules] if each == "rule" else [whole]
        count += len(tests)
        condition = " or ".join(f"regexp_matches(sentence_text, {test})" for test in tests)
        if name in excluded:
            blanked = f"regexp_replace(sentence_text, {literal('|'.join(excluded[name]))}, ' # ', 'g')"
            condition = f"({condition}) and regexp_matches({blanked}, {whole})"
        branches.append(f"select sentence_id, '{name}' as label from corpus.fct_sentences where {condition}")
    query = "\nunion all\n".join(branches)
    if registry == "risk_patterns":  # general_risk is the fallback
        query = f"""
        with tags as ({query})
        from tags where label != 'general_risk'
        union all
        select * from tags anti join (from tags where label != 'general_risk') as specific using (sentence_id)
        """
    return query, count


def literal(pattern: str) -> str:
    """SQL literal of a pattern, matched without regard to case."""
    return "'(?i)(?:" + pattern.replace("'", "''") + ")'"


def neighbours(folder: Path) -> None:
    """All pairs within ±5 positions, keyed densely, against a self-join on the range of positions."""
    from jinja2 import Environment

    macros = Environment().from_string((ROOT / "macros" / "neighbour_pairs.sql").read_text()).module
    for name, length in (("sections as in 10-Ks", None), ("sections of 5,000", 5000)):
        with duckdb.connect(str(folder / f"neighbours{length}.duckdb")) as connection:
            create_sentences(connection, ROWS)
            section = (
                "company || report_year, section" if length is None else f"(row_id // {length})::varchar, 'ITEM_8'"
            )
            position = "position" if length is None else f"(row_id % {length})::integer"
            columns = "(sentence_id, filing_id, section_id, sentence_pos)"
            connection.execute(
                f"create table sentences as from (select row_id, {section}, {position} from generated) as rows{columns}"
            )
            for threads in THREADS:
                connection.execute(f"set threads = {threads}")
                dense = timed(connection, macros.dense_positions("sentences"))
                connection.execute("create or replace table positions as from result")
                ours = timed(connection, macros.neighbour_pairs("positions", 5))
                ours_count = connection.execute("select count(*), sum(distance) from result").fetchone()
                peer = timed(
                    connection,
                    """
                    select sentences.sentence_id as sentence_key, neighbours.sentence_id as neighbour_key,
                        (neighbours.sentence_pos - sentences.sentence_pos)::integer as distance
                    from sentences
                    inner join sentences as neighbours
                        on sentences.filing_id = neighbours.filing_id
                        and sentences.section_id = neighbours.section_id
                        and neighbours.sentence_pos
                            between sentences.sentence_pos - 5 and sentences.sentence_pos + 5
                        and neighbours.sentence_pos != sentences.sentence_pos
                    """,
                )
                peer_count = connection.execute("select count(*), sum(distance) from result").fetchone()
                if ours_count != peer_count:
                    raise SystemExit(f"neighbour pairs differ: {ours_count} and {peer_count}")
                report(
                    f"±5 pairs, {name}",
                    threads,
                    ours,
                    "range self-join",
                    peer,
                    f"{ours_count[0]:,} pairs; numbering the sentences, once: {dense:.2f} s",
                )


def growth(folder: Path) -> None:
    """A full refresh of the corpus and of V1-V5: seconds per million sentences and peak memory as the corpus grows.

    dbt's start and the 40-odd statements cost the same on any corpus; a thousand sentences measure that part.
    """
    fixed = 0.0
    for rows in (1_000, *(rows for rows in (1_000_000, 3_000_000, 10_000_000) if rows <= max(ROWS, 3_000_000))):
        path, database = folder / f"{rows}.parquet", folder / f"growth{rows}.duckdb"
        # in a process of its own: a child's peak memory counts what its parent held when it was started
        subprocess.run([sys.executable, str(Path(__file__).parent / "corpus.py"), str(path), str(rows)], check=True)
        seconds, memory = dbt(
            database, "build", "--exclude-resource-type", "test", "unit_test", "--full-refresh", corpus=str(path)
        )
        fixed = fixed or seconds
        each = (
            "" if rows < 1_000_000 else f"{(seconds - fixed) / rows * 1e6:6.1f} s per million above the fixed part   "
        )
        print(
            f"full refresh, {rows:>10,} sentences {seconds:7.1f} s   {each}"
            f"peak memory {memory:.1f} GB   database {database.stat().st_size / 1e9:.1f} GB",
            flush=True,
        )
        path.unlink()
        database.unlink()


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    "tagging": tagging,
    "neighbours": neighbours,
    "growth": growth,
    "llm": llm,
}


def main() -> None:
    chosen = os.environ.get("BENCH", "").split() or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"BENCH={' '.join(unknown)}: no such benchmark. Allowed: {', '.join(BENCHMARKS)}.")
    print(f"{ROWS:,} sentences; DuckDB {duckdb.__version__}; Python {sys.version.split()[0]}; {os.cpu_count()} cores")
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="finrag-bench-") as folder:
            BENCHMARKS[name](Path(folder))


if __name__ == "__main__":
    main()
