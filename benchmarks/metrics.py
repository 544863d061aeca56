"""The metrics of retrieval_items against trec_eval, on 100,000 queries of 30 hits each.

The peer is pytrec_eval's RelevanceEvaluator.evaluate alone, its dictionaries already filled: one call for success,
recall, nDCG and the reciprocal rank at 30, and, for the same measures as ours, one more for each smaller cut-off of
the reciprocal rank, which trec_eval knows only of a run that is cut (as ir_measures does it). Ours starts from the
tables of hits and gold: the model as dbt compiles it, as far as the metrics (its CTE scores), and the whole of it,
which also joins the queries, counts hits, collects distances and writes the table.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb

ROOT = Path(__file__).parents[1]
QUERIES = 100_000
HITS = 30
GOLD = 10
CUTOFFS = (1, 3, 5, 10, 30)
TOLERANCE = 1e-12
REPEATS = 5
LABELS = {
    "scores": "retrieval_items, metrics only",
    "whole": "retrieval_items, whole model",
    "all calls": "pytrec_eval, the same measures",
    "one call": "pytrec_eval, without MRR below 30",
}


def metrics(folder: Path) -> None:
    """Seconds of ours and of trec_eval, the best of some interleaved repeats, and that the values are the same."""
    import pytrec_eval

    sql = compiled(folder)
    cuts = ",".join(map(str, CUTOFFS))
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as metrics")
        create_tables(connection)
        gold: dict[str, dict[str, int]] = {}
        run: dict[str, dict[str, float]] = {}
        for query, sentence in rows(connection, "select query_id, sentence_id from metrics.gold.int_anchor_gold"):
            gold.setdefault(query, {})[sentence] = 1
        hits = "select query_id, sentence_id, score from metrics.retrieval.int_anchor_hits order by query_id, rank"
        for query, sentence, score in rows(connection, hits):
            run.setdefault(query, {})[sentence] = score
        evaluator = pytrec_eval.RelevanceEvaluator(
            gold, {f"success.{cuts}", f"recall.{cuts}", f"ndcg_cut.{cuts}", "recip_rank"}
        )
        reciprocal = pytrec_eval.RelevanceEvaluator(gold, {"recip_rank"})
        # filled in order of rank
        cut = {k: {query: dict(list(hits.items())[:k]) for query, hits in run.items()} for k in CUTOFFS if k < HITS}
        columns = ", ".join(f"{name}_at_{k}" for k in CUTOFFS for name in ("hit", "recall", "rr", "ndcg"))
        only_scores = sql.removesuffix("select * from items") + f"select query_id, {columns} from scores"
        for threads in (1, 2):
            connection.execute(f"set threads = {threads}")
            seconds = dict.fromkeys(("scores", "whole", "one call", "all calls"), float("inf"))
            for _ in range(REPEATS):
                for name, query in (("whole", sql), ("scores", only_scores)):
                    start = time.perf_counter()
                    connection.execute(f"create or replace temp table result as {query}")
                    seconds[name] = min(seconds[name], time.perf_counter() - start)
                start = time.perf_counter()
                expected = evaluator.evaluate(run)
                seconds["one call"] = min(seconds["one call"], time.perf_counter() - start)
                reciprocal_ranks = {k: reciprocal.evaluate(hits) for k, hits in cut.items()}
                seconds["all calls"] = min(seconds["all calls"], time.perf_counter() - start)
            difference = largest_difference(connection, expected, reciprocal_ranks)
            if not difference <= TOLERANCE:
                raise SystemExit(f"metrics differ from trec_eval's by {difference}")
            for ours, peer in itertools.product(("scores", "whole"), ("all calls", "one call")):
                print(
                    f"{LABELS[ours]:<34} {threads} thread{'s' if threads > 1 else ' '}  {seconds[ours]:7.2f} s   "
                    f"{LABELS[peer]:<32} {seconds[peer]:7.2f} s   {seconds[peer] / seconds[ours]:6.1f}x  "
                    f"largest difference {difference:.0e}",
                    flush=True,
                )


def compiled(folder: Path) -> str:
    """The model's SQL for a database named metrics that has none of its tables yet."""
    database = folder / "metrics.duckdb"
    environment = os.environ | {
        "FINRAG_DATABASE": str(database),
        "FINRAG_TEMP": str(folder / "tmp"),
        "DBT_PROFILES_DIR": str(ROOT),
        "DBT_TARGET_PATH": str(folder / "target"),
        "DBT_LOG_PATH": str(folder / "logs"),
    }
    dbt = Path(sys.executable).parent / "dbt"
    command = [str(dbt), "compile", "--quiet", "--select", "int_anchor_items"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"dbt compile failed:\n{done.stdout}{done.stderr}")
    return next((folder / "target").glob("compiled/**/int_anchor_items.sql")).read_text(encoding="utf-8").strip()


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple]:
    return connection.execute(query).fetchall()


def create_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Queries with 10 gold sentences each, of which about 4 are among 30 hits; ids as long as real ones, no ties."""
    name = "'0000104169_10-K_2018_section_7_' || "
    connection.execute(
        f"""
        create schema metrics.retrieval; create schema metrics.gold; create schema metrics.corpus;
        create table metrics.retrieval.int_anchor_runs as
        select 'a62f2225bf70bfaccbc7f1ef2a397836' as run_id, 'p1' as suite, 'open' as regime, 'bm25' as strategy,
            'bm25' as method, 'index' as index_checksum, 'gold' as gold_version,
            'none' as embedding_model, true as is_current, false as is_external;
        create table metrics.gold.int_anchor_gold as
        select 'p1' as suite, 'p1:' || {name} query as query_id, '5' as gold_window, 'positional' as gold_predicate,
            {name} (query * 40 + gold * 4) as sentence_id, 1 as grade
        from range({QUERIES}) as queries (query), range({GOLD}) as golds (gold);
        create table metrics.retrieval.int_anchor_states (
            suite varchar, index_checksum varchar, gold_version varchar, query_id varchar, is_lost boolean,
            gold_ids varchar[], distances float[]);
        create table metrics.gold.int_anchor_gold_counts as
        select suite, query_id, gold_window, gold_predicate, count(*) as n_gold, 0 as n_chosen, true as is_covered
        from metrics.gold.int_anchor_gold group by all;
        create table metrics.gold.int_anchor_queries as
        select suite, query_id, query_id[4:] as sentence_id, md5(query_id) as text_hash, 'filing' as filing_id,
            'company' as cluster_id, md5(query_id) as second_cluster_id, 1.0 as inclusion_probability
        from metrics.gold.int_anchor_gold_counts;
        create table metrics.corpus.fct_sentences as
        select sentence_id, text_hash from metrics.gold.int_anchor_queries;
        create table metrics.retrieval.int_anchor_hits as
        with candidates as (
            select query, query * 40 + candidate as sentence, hash(query, candidate) as lot
            from range({QUERIES}) as queries (query), range(75) as candidates (candidate)
        ), ranked as (
            select *, row_number() over (partition by query order by lot)::integer as rank from candidates
            qualify rank <= {HITS}
        )
        select 'a62f2225bf70bfaccbc7f1ef2a397836' as run_id, 'p1:' || {name} query as query_id,
            {name} sentence as sentence_id, rank as raw_rank, rank, (1.0 / rank)::float as score,
            null::float as distance, false as is_query_sentence
        from ranked order by query, rank;
        """
    )


def largest_difference(connection: duckdb.DuckDBPyConnection, expected: dict, reciprocal_ranks: dict) -> float:
    """Over all queries, measures and cut-offs; infinite when not all queries are there."""
    peers = {"hit": "success", "recall": "recall", "ndcg": "ndcg_cut"}
    names = [(f"{ours}_at_{k}", f"{theirs}_{k}") for ours, theirs in peers.items() for k in CUTOFFS]
    names.append((f"rr_at_{HITS}", "recip_rank"))
    columns = [ours for ours, _ in names] + [f"rr_at_{k}" for k in reciprocal_ranks]
    found = rows(connection, f"select query_id, {', '.join(f'{name}::double' for name in columns)} from result")
    if len(found) != len(expected):
        return float("inf")
    largest = 0.0
    for query_id, *values in found:
        theirs = [expected[query_id][name] for _, name in names]
        theirs += [ranks[query_id]["recip_rank"] for ranks in reciprocal_ranks.values()]
        largest = max(largest, *(abs(ours - peer) for ours, peer in zip(values, theirs, strict=True)))
    return largest
