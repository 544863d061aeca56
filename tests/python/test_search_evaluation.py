"""finrag.evaluate_search: a function is judged as a file of its hits would be by a build."""

from __future__ import annotations

import polars as pl
import pytest

from finrag import evaluate_search
from finrag.errors import FinragError
from finrag.search_evaluation import EXPLORATORY, Evaluation, hits_of

# Suite, regime, a strategy of the demo and what its suite's primary comparison holds it against.
COMPARED = [
    ("p3", "open", "multi_path", "hybrid"),
    ("p3", "open", "bm25", "hybrid"),
    ("p1", "filtered", "bm25", "dense"),
    ("p2", "open", "bm25", "dense"),
]
SAME = "n_pairs, value_a, value_b, difference, ci_low, ci_high, p_value"


def stored(demo, suite: str, regime: str, strategy: str) -> dict[str, list[tuple[str, float]]]:
    """What a strategy found, by query."""
    found = demo.rows(
        "select query_id, list((sentence_id, score) order by raw_rank) from retrieval.retrieval_hits "
        "inner join retrieval.retrieval_runs using (run_id) "
        f"where is_current and suite = '{suite}' and regime = '{regime}' and strategy = '{strategy}' group by query_id"
    )
    return dict(found)


@pytest.mark.parametrize(("suite", "regime", "strategy", "reference"), COMPARED)
def test_a_function_that_returns_what_a_strategy_found_gets_its_comparison(demo, suite, regime, strategy, reference):
    """All figures the same; corrected for one primary comparison more, so that what was just sure may not be."""
    hits = stored(demo, suite, regime, strategy)
    found = evaluate_search(lambda q: hits.get(q.query_id, []), suite=suite, regime=regime, database=demo.database)
    label = f"{regime} {reference} all-MiniLM-L6-v2"
    [(family_size, verdict, *figures)] = demo.rows(
        f"select family_size, verdict, {SAME} from metrics.run_comparisons where suite = '{suite}' and is_primary "
        f"and label_a = '{label}' and starts_with(label_b, '{regime} {strategy}') and comparison_kind = 'strategy'"
    )
    assert [found.primary[name] for name in SAME.split(", ")] == figures
    assert found.primary["family_size"] == family_size + 1
    is_still_sure = found.primary["p_adjusted"] <= 0.05
    assert found.verdict.split(":")[0] == (verdict.split(":")[0] if is_still_sure else "cannot be told")
    assert not len(found.problems) and found.against == label
    assert found.verdict in str(found) and f"{figures[0]} queries" in str(found)


def test_what_a_function_is_told_of_a_query_and_what_it_loses_by_failing(demo):
    """One that fails at every tenth query is measured at the others; nothing is written."""
    hits, asked = stored(demo, "p1", "open", "bm25"), []
    before = demo.database.stat().st_mtime_ns

    def search(query):
        asked.append((query.query_id, query.cik, query.section_id, str(query)))
        if len(asked) % 10 == 0:
            raise TimeoutError("too slow")
        return [sentence for sentence, _ in hits[query.query_id]]

    found = evaluate_search(search, suite="p1", against="random", database=demo.database)
    assert demo.database.stat().st_mtime_ns == before
    assert len(asked) == 600 and all(cik and section and text for _, cik, section, text in asked)
    pairs = found.comparisons.filter(metric="hit", k=5, gold_window="5", gold_predicate="positional")["n_pairs"].item()
    assert pairs == 540
    assert found.problems["reason"].value_counts().rows() == [("failed_query", 60)]
    with pytest.raises(FinragError, match="open random is no reference"):
        found.verdict  # noqa: B018 (a property that raises)
    first, second, *_ = str(found).splitlines()
    assert first.startswith("function against open random, 540 queries: hit@5 ") and EXPLORATORY in second


@pytest.mark.parametrize(
    ("search", "options", "said"),
    [
        (lambda query: ["a"], {}, r"0 % of the sentences .* like 'a', those of the corpus like '\d{10}_"),
        (lambda query: 1 / 0, {}, "failed at every query. The first: ZeroDivisionError"),
        (lambda query: [1, 2], {}, "returned 1 among its hits"),
        (lambda query: [], {"suite": "p9"}, "no suite 'p9'. Allowed: p1, p2, p3"),
        (lambda query: [], {"regime": "filtered"}, "no regime 'filtered'. Allowed: open"),
        (lambda query: [], {"against": "colbert"}, r"no run colbert of p3, open. Allowed: bm25 \("),
        (lambda query: [], {"database": "nowhere.duckdb"}, "no warehouse at nowhere.duckdb"),
    ],
)
def test_what_cannot_be_judged_is_said(demo, search, options, said):
    with pytest.raises(FinragError, match=said):
        evaluate_search(search, **{"database": demo.database} | options)


def test_distances_in_place_of_scores_are_said(demo):
    hits = stored(demo, "p1", "open", "bm25")
    with pytest.raises(
        FinragError, match=r"The function: in all \d+ queries of function@open .* Write distances with a"
    ):
        evaluate_search(
            lambda query: [(sentence, -score) for sentence, score in hits.get(query.query_id, [])],
            suite="p1",
            database=demo.database,
        )


def test_hits_may_be_ids_pairs_or_scores_by_id():
    assert hits_of(["a", "b"]) == [("a", "1", None), ("b", "2", None)]
    assert hits_of([("a", 0.5), ["b", 0.25]]) == [("a", None, "0.5"), ("b", None, "0.25")]
    assert hits_of({"a": 2}) == [("a", None, "2.0")]
    assert hits_of(iter([])) == [] == hits_of(None)


@pytest.mark.parametrize("returned", ["0009000001_10-K_2020_section_10_0", b"a", 5])
def test_what_is_no_list_of_hits_is_said_of_the_function(returned):
    with pytest.raises(FinragError, match=f"The function returned {returned!r} in place of a list of hits. Allowed: "):
        hits_of(returned)


@pytest.mark.parametrize(
    ("is_primary", "verdict", "told"),
    [
        (True, "better", "better"),
        (False, "better, exploratory: to be confirmed on other queries", None),
        (False, "cannot be told: no pair differs", "cannot be told: no pair differs (exploratory)"),
    ],
)
def test_an_evaluation_is_told_against_any_reference(is_primary, verdict, told):
    figures = {"n_pairs": 9, "value_a": 0.5, "value_b": 0.75, "difference": 0.25, "ci_low": 0.125, "ci_high": 0.5}
    row = {"metric": "hit", "k": 5, "is_primary": is_primary, "verdict": verdict, **figures}
    found = Evaluation("mine", "open bm25", pl.DataFrame([row]), pl.DataFrame({"reason": ["missing_query"]}))
    assert str(found).splitlines() == [
        "mine against open bm25, 9 queries: hit@5 0.750 against 0.500, difference +0.250 (+0.125 to +0.500)",
        told or verdict,
        "problems: 1 missing_query",
    ]
