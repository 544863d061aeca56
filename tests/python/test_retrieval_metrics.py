"""The compiled retrieval_items against trec_eval itself, on thousands of random queries."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import pytrec_eval
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from warehouses import Warehouse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CUTOFFS = (1, 3, 5, 10, 20, 30)
QUERIES_PER_EXAMPLE = 150
EXAMPLES = 14
TABLES = """
    create schema if not exists finrag.retrieval;
    create schema if not exists finrag.gold;
    create schema if not exists finrag.corpus;
    create or replace table finrag.retrieval.int_anchor_runs as
    select
        'run' as run_id, 'p1' as suite, 'open' as regime, 'dense' as strategy, 'dense' as method,
        'model' as embedding_model, 'index' as index_checksum, 'gold' as gold_version,
        true as is_current, false as is_external;
    create or replace table finrag.gold.int_anchor_gold (
        suite varchar, query_id varchar, gold_window varchar, gold_predicate varchar, sentence_id varchar,
        grade integer);
    create or replace table finrag.gold.int_anchor_gold_counts (
        suite varchar, query_id varchar, gold_window varchar, gold_predicate varchar, n_gold bigint,
        n_chosen bigint, is_covered boolean);
    create or replace table finrag.gold.int_anchor_queries (
        suite varchar, query_id varchar, sentence_id varchar, text_hash varchar, filing_id varchar,
        cluster_id varchar, second_cluster_id varchar, inclusion_probability double);
    create or replace table finrag.corpus.fct_sentences (sentence_id varchar, text_hash varchar);
    create or replace table finrag.retrieval.int_anchor_states (
        suite varchar, index_checksum varchar, gold_version varchar, query_id varchar, is_lost boolean,
        gold_ids varchar[], distances float[]);
    create or replace table scores (query_id varchar, sentence_id varchar, anchor varchar, score double);
"""
# Scores are float32 values; equal ones rank by sentence_id descending; the query sentence is removed by id.
RANKED = """
    create or replace table finrag.retrieval.int_anchor_hits as
    with raw as (
        select
            query_id, sentence_id, score::float as score, sentence_id = anchor as is_query_sentence,
            row_number() over (partition by query_id order by score::float desc, sentence_id desc)::integer as raw_rank
        from scores
    )
    select
        'run' as run_id, query_id, sentence_id, raw_rank, score, (1 - score)::float as distance, is_query_sentence,
        if(is_query_sentence, null, row_number() over (
            partition by query_id, is_query_sentence order by raw_rank))::integer as rank,
    from raw
    where raw_rank <= 32
"""


# Gold that was not found is farther away than any hit.
DISTANCES = """
    insert into finrag.retrieval.int_anchor_states
    select
        'p1', 'index', 'gold', queries.query_id, false,
        list(gold.sentence_id) filter (where gold.sentence_id is not null),
        list((1 - coalesce(scores.score, -1))::float) filter (where gold.sentence_id is not null)
    from finrag.gold.int_anchor_queries as queries
    left join finrag.gold.int_anchor_gold as gold
        on queries.query_id = gold.query_id and gold.gold_predicate = 'evidence'
    left join scores on gold.query_id = scores.query_id and gold.sentence_id = scores.sentence_id
    group by queries.query_id
"""


@dataclass
class Query:
    """A query as a retriever answered it: candidate sentences with scores, the query sentence perhaps among them."""

    scores: dict[str, float] = field(default_factory=dict)
    gold: dict[str, int] = field(default_factory=dict)
    anchor: str = "anchor"


@st.composite
def queries(draw) -> Query:
    """Few distinct scores (ties), scores that only differ beyond float32, no hits, no gold, gold never found."""
    hits = draw(st.integers(0, 45))
    distinct_scores = draw(st.sampled_from([1, 2, 5, 1000]))
    gold = draw(st.integers(0, 14))
    generator = random.Random(draw(st.integers(0, 2**32)))
    names = [f"{generator.choice(['s', 'é', 'S_'])}{number}" for number in range(60)]
    levels = [generator.uniform(-1, 1) for _ in range(distinct_scores)]
    scores = {name: generator.choice(levels) for name in generator.sample(names, hits)}
    for name in scores:
        if generator.random() < 0.2:
            scores[name] += 1e-12  # the same float32
    anchor = generator.choice([*names, "anchor"])
    grades = {name: generator.choice([1, 1, 2]) for name in generator.sample(names, gold) if name != anchor}
    return Query(scores, grades, anchor)


@pytest.fixture(scope="session")
def items_sql(tmp_path_factory) -> str:
    """retrieval_items as dbt compiles it for a database that holds nothing yet."""
    warehouse = Warehouse(tmp_path_factory.mktemp("compiled") / "warehouse")
    done = warehouse.dbt("compile", "--quiet", "--select", "int_anchor_items")
    assert done.returncode == 0, warehouse.output
    return next(warehouse.target.glob("compiled/**/int_anchor_items.sql")).read_text()


@pytest.fixture(scope="session")
def connection():
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as finrag")
        yield connection


def variants(query: Query) -> dict[str, dict[str, int]]:
    """All gold, and that of grade 2 alone."""
    return {"evidence": query.gold, "chosen": {name: grade for name, grade in query.gold.items() if grade == 2}}


def score_items(connection, items_sql: str, batch: list[Query]) -> dict[str, dict]:
    """Rows of retrieval_items under all gold, by query_id."""
    return score_variants(connection, items_sql, batch)["evidence"]


def score_variants(connection, items_sql: str, batch: list[Query]) -> dict[str, dict[str, dict]]:
    """Rows of retrieval_items by predicate and query_id."""
    connection.execute(TABLES)
    rows = {"scores": [], "gold": [], "counts": [], "queries": []}
    for number, query in enumerate(batch):
        query_id = f"q{number}"
        rows["scores"] += [(query_id, name, query.anchor, score) for name, score in query.scores.items()]
        for variant, gold in variants(query).items():
            rows["gold"] += [("p1", query_id, "none", variant, name, grade) for name, grade in sorted(gold.items())]
            chosen = sum(grade == 2 for grade in gold.values())
            rows["counts"].append(("p1", query_id, "none", variant, len(gold), chosen, bool(gold)))
        rows["queries"].append(("p1", query_id, query.anchor, "hash", "filing", "company", "hash", 0.5))
    for table, name in (
        ("scores", "scores"),
        ("finrag.gold.int_anchor_gold", "gold"),
        ("finrag.gold.int_anchor_gold_counts", "counts"),
        ("finrag.gold.int_anchor_queries", "queries"),
    ):
        if rows[name]:
            columns = list(map(pa.array, zip(*rows[name], strict=True)))
            connection.register("given", pa.table(columns, names=[f"column_{n}" for n in range(len(columns))]))
            connection.execute(f"insert into {table} from given")
    connection.execute(RANKED)
    connection.execute(DISTANCES)
    found = connection.execute(items_sql)
    names = [column[0] for column in found.description]
    items = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return {
        predicate: {item["query_id"]: item for item in items if item["gold_predicate"] == predicate}
        for predicate in ("evidence", "chosen")
    }


def trec_eval(batch: list[Query], predicate: str) -> dict[str, dict[str, float]]:
    """The same measures from trec_eval, 0 for queries without gold or hits, which it leaves out without -c."""
    qrels = {f"q{n}": gold for n, query in enumerate(batch) if (gold := variants(query)[predicate])}
    answered = {
        f"q{n}": {name: score for name, score in query.scores.items() if name != query.anchor}
        for n, query in enumerate(batch)
    }
    runs = {query_id: scores for query_id, scores in answered.items() if scores}
    cuts = ",".join(map(str, CUTOFFS))
    measures = {f"success.{cuts}", f"recall.{cuts}", f"ndcg_cut.{cuts}"}
    results = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(runs) if qrels else {}
    expected = {f"q{n}": dict(results.get(f"q{n}", {})) for n in range(len(batch))}
    for k in CUTOFFS:
        cut = {
            query_id: dict(sorted(scores.items(), key=lambda hit: (np.float32(hit[1]), hit[0]), reverse=True)[:k])
            for query_id, scores in runs.items()
        }
        ranks = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(cut) if qrels else {}
        for query_id, measured in expected.items():
            measured[f"recip_rank_{k}"] = ranks.get(query_id, {}).get("recip_rank", 0.0)
    return expected


def test_agrees_with_trec_eval(connection, items_sql):
    seen = {"queries": 0, "ties": 0, "no gold": 0, "no hits": 0, "found": 0, "grades": 0}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # shrinking a batch of 150 queries takes minutes and tells nothing more
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(st.lists(queries(), min_size=QUERIES_PER_EXAMPLE, max_size=QUERIES_PER_EXAMPLE))
    def check(batch):
        for predicate, items in score_variants(connection, items_sql, batch).items():
            compare(batch, predicate, items)

    def compare(batch, predicate, items):
        expected = trec_eval(batch, predicate)
        assert items.keys() == expected.keys()
        for number, query in enumerate(batch):
            item, measured = items[f"q{number}"], expected[f"q{number}"]
            for k in CUTOFFS:
                assert item[f"hit_at_{k}"] == bool(measured.get(f"success_{k}", 0)), (k, query)
                assert abs(item[f"recall_at_{k}"] - measured.get(f"recall_{k}", 0)) < 1e-9, (k, query)
                assert abs(item[f"ndcg_at_{k}"] - measured.get(f"ndcg_cut_{k}", 0)) < 1e-9, (k, query)
                assert abs(item[f"rr_at_{k}"] - measured[f"recip_rank_{k}"]) < 1e-9, (k, query)
            seen["queries"] += 1
            seen["ties"] += len(set(map(np.float32, query.scores.values()))) < len(query.scores)
            seen["no gold"] += not variants(query)[predicate]
            seen["grades"] += len(set(query.gold.values())) > 1
            seen["no hits"] += not query.scores
            seen["found"] += item["hit_at_30"]

    check()
    assert seen["queries"] >= 2000
    assert min(seen.values()) >= 20, seen


def test_the_query_sentence_counts_for_self_at_1_and_for_nothing_else(connection, items_sql):
    first = Query({"anchor": 1.0, "b": 0.5, "a": 0.5}, {"a": 1})
    tied = Query({"anchor": 1.0, "zz": 1.0}, {"zz": 1})
    absent = Query({"a": 0.5}, {"a": 1})
    items = score_items(connection, items_sql, [first, tied, absent])
    assert [items[name]["self_at_1"] for name in ("q0", "q1", "q2")] == [True, False, False]
    # of the equal scores b ranks before a; the query sentence takes no rank
    assert [items[name]["first_gold_rank"] for name in ("q0", "q1", "q2")] == [2, 1, 1]
    assert [items[name]["n_hits"] for name in ("q0", "q1", "q2")] == [2, 1, 1]
    assert np.allclose(items["q0"]["gold_distances"], [0.5]) and np.allclose(items["q0"]["non_gold_distances"], [0.5])


def test_no_anchor_or_an_external_run_has_no_self_at_1(connection, items_sql):
    score_items(connection, items_sql, [Query({"a": 0.5}, {"a": 1})])
    connection.execute("update finrag.retrieval.int_anchor_runs set is_external = true")
    assert connection.execute(f"select self_at_1, self_at_1_text from ({items_sql})").fetchall() == [(None, None)] * 2
    connection.execute("update finrag.retrieval.int_anchor_runs set is_external = false")
    connection.execute("update finrag.gold.int_anchor_queries set sentence_id = null")
    assert connection.execute(f"select self_at_1, self_at_1_text from ({items_sql})").fetchall() == [(None, None)] * 2


@st.composite
def short_queries(draw) -> Query:
    """Up to seven hits in few groups of equal score, gold of both grades, some of it not found."""
    generator = random.Random(draw(st.integers(0, 2**32)))
    names = list("abcdefghi")
    hits = generator.sample(names, generator.randint(1, 7))
    levels = [generator.random() for _ in range(generator.randint(1, 3))]
    gold = {name: generator.choice([1, 2]) for name in generator.sample(names, generator.randint(1, 4))}
    return Query({name: generator.choice(levels) for name in hits}, gold)


def ndcg(ranking: Sequence[str], gold: dict[str, int], k: int) -> float:
    def gain(grades: Iterable[int]) -> float:
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(list(grades)[:k], 1))

    return gain(gold.get(name, 0) for name in ranking) / gain(sorted(gold.values(), reverse=True))


def reciprocal_rank(ranking: Sequence[str], gold: dict[str, int], k: int) -> float:
    return next((1 / rank for rank, name in enumerate(ranking[:k], 1) if name in gold), 0.0)


def orders(scores: dict[str, float]) -> list[tuple[str, ...]]:
    """Every ranking that the scores allow."""
    groups = [[name for name in scores if scores[name] == level] for level in sorted(set(scores.values()))[::-1]]
    return [sum(parts, ()) for parts in itertools.product(*(itertools.permutations(group) for group in groups))]


def test_best_and_worst_are_those_of_all_orders_of_ties(connection, items_sql):
    seen = {"apart": 0, "alike": 0}

    @settings(max_examples=3, deadline=None, derandomize=True, database=None)
    @given(st.lists(short_queries(), min_size=60, max_size=60))
    def check(batch):
        items = score_items(connection, items_sql, batch)
        for number, query in enumerate(batch):
            item, rankings = items[f"q{number}"], orders(query.scores)
            assert not item["is_tie_cut"]
            for k in (1, 3, 5):
                tops = {ranking[:k] for ranking in rankings}
                of_orders = {
                    "ndcg": [ndcg(top, query.gold, k) for top in tops],
                    "rr": [reciprocal_rank(top, query.gold, k) for top in tops],
                    "hit": [float(not query.gold.keys().isdisjoint(top)) for top in tops],
                }
                for name, values in of_orders.items():
                    assert abs(item[f"{name}_best_at_{k}"] - max(values)) < 1e-9, (name, k, query)
                    assert abs(item[f"{name}_worst_at_{k}"] - min(values)) < 1e-9, (name, k, query)
                seen["apart" if max(of_orders["ndcg"]) > min(of_orders["ndcg"]) else "alike"] += 1

    check()
    assert min(seen.values()) >= 50, seen


def test_a_tie_that_goes_on_beyond_the_hits_kept_gives_bounds(connection, items_sql):
    tied = {f"s{number:02}": 0.5 for number in range(50)}
    cut = Query(dict(tied), {"s00": 1, "s49": 1})  # s49 is first, s00 is not among the hits kept
    clear = Query({name: 1 - number / 100 for number, name in enumerate(tied)}, {"s49": 1})
    items = score_items(connection, items_sql, [cut, clear])
    assert items["q0"]["is_tie_cut"] and not items["q1"]["is_tie_cut"]
    assert (items["q0"]["rr_at_30"], items["q0"]["rr_best_at_30"], items["q0"]["rr_worst_at_30"]) == (1, 1, 0)
    assert (items["q0"]["ndcg_best_at_30"], items["q0"]["ndcg_worst_at_30"]) == (1, 0)
    assert (items["q1"]["hit_best_at_30"], items["q1"]["ndcg_best_at_30"]) == (False, 0)


def test_a_list_that_ends_where_the_slice_does_is_whole(connection, items_sql):
    """30 sentences of one score beside the query's own are all there are: the gold is first or last of them. Of hits
    made elsewhere 30 may be as many as were asked for."""
    whole = Query({"anchor": 1.0} | {f"s{number:02}": 0.5 for number in range(30)}, {"s05": 1})
    item = score_items(connection, items_sql, [whole])["q0"]
    assert not item["is_tie_cut"]
    assert (item["rr_best_at_30"], item["rr_worst_at_30"]) == (1, 1 / 30)
    connection.execute("update finrag.retrieval.int_anchor_runs set is_external = true")
    try:
        columns = "is_tie_cut, rr_best_at_30, rr_worst_at_30"
        found = connection.execute(f"select {columns} from ({items_sql}) where gold_predicate = 'evidence'").fetchall()
    finally:
        connection.execute("update finrag.retrieval.int_anchor_runs set is_external = false")
    assert found == [(True, 1, 0)]


def test_distances_are_of_all_gold_and_a_query_without_a_vector_is_an_error(connection, items_sql):
    found = Query({"a": 0.75, "x": 0.5}, {"a": 2, "lost": 1})
    items = score_items(connection, items_sql, [found])
    assert items["q0"]["gold_distances"] == [0.25, 2.0] and items["q0"]["non_gold_distances"] == [0.5]
    assert items["q0"]["median_gold_distance"] == 1.125 and not items["q0"]["is_error"]
    connection.execute("update finrag.retrieval.int_anchor_states set is_lost = true")
    assert connection.execute(f"select distinct is_error from ({items_sql})").fetchall() == [(True,)]
