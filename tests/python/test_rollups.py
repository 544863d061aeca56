"""Rollups and comparisons of hand-made items: what counts, what does not, and what a user's fault says."""

from __future__ import annotations

import numpy as np
import pytest

from databases import in_memory, insert
from finrag.errors import FinragError
from finrag.metrics.comparisons import COLUMNS, Pairs, check_requested, compare, compare_runs
from finrag.metrics.estimates import mean_estimates
from finrag.metrics.registry import Metric, read_metrics
from finrag.metrics.rollup import Stratum, crossing_of, percentile_estimates, roll_up_runs
from finrag.statistics.clustered import cluster_ways
from finrag.statistics.wilson import Z, wilson_interval

REGISTRY = [
    ("coverage", "is_covered", False, "proportion", None, "all", "every_run", False),
    ("self_at_1", "self_at_1", False, "proportion", None, "covered all", "anchor_runs", True),
    ("hit", "hit_at_{k}", True, "proportion", None, "covered all", "every_run", True),
    ("mrr", "rr_at_{k}", True, "mean", None, "covered all", "every_run", True),
    ("distance_p50", "gold_distances", False, "percentile", 50, "covered", "dense_runs", False),
]
# run, query, cluster, is_error, is_covered, self_at_1, hit_at_5, rr_at_5, distances
ITEMS = [
    ("a", "q1", "f1", False, True, True, True, 1.0, [0.1, 0.3]),
    ("a", "q2", "f1", False, True, True, True, 0.5, [0.2]),
    ("a", "q3", "f2", False, True, False, False, 0.0, []),
    ("a", "q4", "f3", True, True, True, True, 1.0, [0.9]),  # failed: must not count at all
    ("a", "q5", "f3", False, False, True, False, 0.0, []),  # not covered
    ("b", "q1", "f1", False, True, True, True, 0.5, None),
    ("b", "q2", "f1", False, True, True, False, 0.0, None),
    ("b", "q3", "f2", False, True, True, False, 0.0, None),
    ("b", "q4", "f3", False, True, True, True, 1.0, None),
    ("b", "q5", "f3", False, False, True, False, 0.0, None),
]


@pytest.fixture
def tables():
    with in_memory() as connection:
        connection.execute(
            """
            create table metrics (metric varchar, item_column varchar, is_per_k boolean, kind varchar,
                percentile integer, populations varchar, applies_to varchar, is_compared boolean,
                items varchar default 'retrieval_items', best_column varchar, worst_column varchar);
            create table runs as
            select unnest(['a', 'b']) as run_id, 'p1' as suite, 'open' as regime, unnest(['dense', 'bm25']) as strategy,
                unnest(['dense', 'bm25']) as method, 'm' as embedding_model, false as is_external, true as is_current;
            create table items (run_id varchar, query_id varchar, cluster_id varchar, is_error boolean,
                is_covered boolean, self_at_1 boolean, hit_at_5 boolean, rr_at_5 double, gold_distances float[],
                suite varchar default 'p1', second_cluster_id varchar, sampling_weight double,
                filing_id varchar,
                gold_window varchar default '5', gold_predicate varchar default 'content',
                metrics_version varchar default 'v1');
            create table strata as
            select 'p1' as suite, query_id, 'overall' as stratum_by, 'all' as stratum
            from unnest(['q1', 'q2', 'q3', 'q4', 'q5']) as queries (query_id)
            union all values
                ('p1', 'q1', 'numeric_heavy', 'yes'), ('p1', 'q2', 'numeric_heavy', 'yes'),
                ('p1', 'q3', 'numeric_heavy', 'no'), ('p1', 'q4', 'numeric_heavy', 'no'),
                ('p1', 'q5', 'section_id', 'X');
            create table pairs as select 'a' as run_id_a, 'b' as run_id_b;
            """
        )
        columns = "metric, item_column, is_per_k, kind, percentile, populations, applies_to, is_compared"
        insert(connection, f"metrics ({columns})", REGISTRY)
        columns = "run_id, query_id, cluster_id, is_error, is_covered, self_at_1, hit_at_5, rr_at_5, gold_distances"
        insert(connection, f"items ({columns})", ITEMS)
        yield connection


def rolled_up(connection, done=frozenset()) -> list[dict]:
    return roll_up_runs(
        "retrieval_items",
        read_metrics(connection.table("metrics"), "retrieval_items", [5]),
        runs=connection.table("runs"),
        items=connection.table("items"),
        strata=connection.table("strata"),
        done=done,
    ).to_pylist()


def value(rows, run, metric, population, stratum="all") -> dict:
    found = [
        row
        for row in rows
        if (row["run_id"], row["metric"], row["population"], row["stratum"]) == (run, metric, population, stratum)
    ]
    assert len(found) == 1
    return found[0]


def compared(connection, done=frozenset()) -> list[dict]:
    return compare_runs(
        "retrieval_items",
        read_metrics(connection.table("metrics"), "retrieval_items", [5]),
        runs=connection.table("runs"),
        pairs=connection.table("pairs"),
        items=connection.table("items"),
        strata=connection.table("strata"),
        done=done,
    ).to_pylist()


def test_values_and_counts_by_hand(tables):
    rows = rolled_up(tables)
    hit = value(rows, "a", "hit", "covered")
    assert hit["value"] == pytest.approx(2 / 3)  # q1, q2 of q1, q2, q3; the failed q4 is neither hit nor miss
    counts = ("n_total", "n_covered", "n_measured", "n_error", "n_clusters")
    assert [hit[name] for name in counts] == [5, 4, 3, 1, 2]
    everyone = value(rows, "a", "hit", "all")
    assert everyone["value"] == pytest.approx(2 / 4)  # q5 has no gold and counts 0
    assert [everyone[name] for name in counts] == [5, 4, 4, 1, 3]
    assert value(rows, "a", "mrr", "covered")["value"] == pytest.approx(0.5)
    assert value(rows, "a", "mrr", "covered")["k"] == 5
    assert value(rows, "b", "coverage", "all")["value"] == pytest.approx(0.8)


def test_percentiles_pool_the_hits_of_dense_runs(tables):
    rows = rolled_up(tables)
    distance = value(rows, "a", "distance_p50", "covered")
    assert distance["value"] == pytest.approx(0.2)  # of 0.1, 0.2, 0.3
    assert (distance["n_measured"], distance["n_clusters"]) == (2, 1)
    # one cluster says nothing of others: a distance is between 0 and 2
    assert (distance["ci_low"], distance["ci_high"], distance["ci_method"]) == (0, 2, "range")
    assert not [row for row in rows if row["run_id"] == "b" and row["metric"] == "distance_p50"]


def test_percentiles_take_the_wider_of_two_ways(tables):
    tables.execute("update items set second_cluster_id = cluster_id, cluster_id = query_id")
    # q1 and q2 are one cluster of the second way, which says nothing of others
    assert value(rolled_up(tables), "a", "distance_p50", "covered")["ci_method"] == "range"
    tables.execute("update items set second_cluster_id = query_id")
    found = value(rolled_up(tables), "a", "distance_p50", "covered")
    assert (found["ci_method"], found["n_clusters"]) == ("bootstrap", 2)


def test_a_percentile_is_as_much_wider_as_both_ways_make_the_mean():
    """60 values, 12 companies of 5; a variance 4 times as large is an interval twice as wide."""
    values = np.sort(np.random.default_rng(4).uniform(0.2, 0.8, 60))
    metric = Metric("distance_p50", 0, "distances", "percentile", 0.5, ("all",), "every_run", False)
    owners, way = np.arange(60), np.arange(60) % 12
    ((one,), (both,)) = (percentile_estimates(values, owners, way, times, [metric], 1) for times in (1.0, 4.0))
    assert both.value - both.ci_low == pytest.approx(2 * (one.value - one.ci_low))
    assert both.ci_high - both.value == pytest.approx(2 * (one.ci_high - one.value))
    assert crossing_of(values, owners, [way]) == 1.0
    # 12 companies × 5 texts, both of which matter: V(company) + V(text) - V(company and text) over the larger
    texts = np.arange(60) // 12
    both_matter = np.random.default_rng(5).normal(0, 1, 12)[way] + np.random.default_rng(6).normal(0, 1, 5)[texts]
    crossing = crossing_of(both_matter, owners, [way, texts])
    assert crossing == cluster_ways(both_matter[:, None], [way, texts]).means.crossing[0]
    assert 1 < crossing < 2


TENTH, HALF = (
    Metric(f"p{share}", 0, "d", "percentile", share / 100, ("all",), "every_run", False) for share in (10, 50)
)


@pytest.mark.parametrize(
    ("clusters", "tenth", "half"),
    [
        (np.arange(600) % 30, True, True),  # 30 clusters of 20, two of which are in the lowest tenth
        (np.arange(600) % 20, True, True),
        (np.arange(589) % 19, False, False),  # 19 clusters
        # three clusters are the lowest tenth: 60 items that are worth about three
        (np.r_[np.arange(60) // 20, 3 + np.arange(540) % 27], False, True),
        # 31 clusters, one of which has half of all: 600² / (300² + 30 * 10²) = 3.9
        (np.where(np.arange(600) % 2, 0, 1 + np.arange(600) // 2 % 30), False, False),
    ],
)
def test_a_percentile_is_reliable_where_the_share_below_it_is(clusters, tenth, half):
    values = np.linspace(0.2, 0.8, len(clusters))
    found = percentile_estimates(values, np.arange(len(clusters)), clusters, 1.0, [TENTH, HALF], 1)
    assert [each.is_interval_reliable for each in found] == [tenth, half]
    assert {each.ci_method for each in found} == {"bootstrap"}


@pytest.mark.parametrize(
    ("ways", "is_reliable"),
    [
        ([np.arange(600) % 20], True),
        ([np.where(np.arange(600) % 2, 0, 1 + np.arange(600) // 2 % 30)], False),  # one of 31 has half of all
        ([np.arange(600) % 19, np.arange(600)], False),  # 19 companies, each text its own
    ],
)
def test_a_resampled_mean_of_few_large_clusters_is_flagged(ways, is_reliable):
    cosine = Metric("cosine", 0, "c", "cosine", 0, ("all",), "every_run", True)
    values = np.random.default_rng(1).uniform(0.2, 0.8, (600, 1))
    [found] = mean_estimates(values, ways, None, [cosine], 1)
    assert (found.ci_method, found.is_interval_reliable) == ("bootstrap", is_reliable)


def test_a_stratum_without_measured_items_says_so(tables):
    """q5, alone in its stratum, has no gold: over covered queries there is nothing, and over all a certain 0 of 1."""
    rows = rolled_up(tables)
    nothing = value(rows, "a", "hit", "covered", "X")
    assert (nothing["value"], nothing["ci_low"], nothing["n_measured"], nothing["n_total"]) == (None, None, 0, 1)
    for metric in ("hit", "mrr"):
        alone = value(rows, "a", metric, "all", "X")
        assert (alone["value"], alone["ci_low"], alone["ci_high"], alone["n_eff"]) == (0.0, 0.0, 1.0, 0.0)
        assert (alone["ci_method"], alone["is_interval_reliable"]) == ("range", False)


def test_the_draw_and_the_corpus_by_hand(tables):
    """q3 stands for 4 sentences, q1 and q2 for 1 each: 2 of 3 hits in the draw are 2 of 6 in the corpus."""
    tables.execute("update items set sampling_weight = if(query_id = 'q3', 4, 1)")
    hit = value(rolled_up(tables), "a", "hit", "covered")
    assert (hit["value"], hit["corpus_value"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    # clusters f1 (1 1) and f2 (0): variance 2/1 * ((4/3)^2 + (4/3)^2) / 36 = 16/81, s^2/n = (2/9) / 2 = 1/9; deff 16/9
    low, high = wilson_interval(1 / 3, 3 / (16 / 9) * (Z / 12.706204736174698) ** 2)
    assert (hit["corpus_ci_low"], hit["corpus_ci_high"]) == (pytest.approx(float(low)), pytest.approx(float(high)))
    assert value(rolled_up(tables), "a", "distance_p50", "covered")["corpus_value"] is None


def test_anchors_added_to_the_draw_are_in_no_weighted_mean(tables):
    """q3 and q5 were added for a baseline: of the drawn q1 and q2 both are found, whatever the added ones are.

    q4 failed in run a, where it counts nowhere, and was found in run b.
    """
    tables.execute(
        "update items set sampling_weight = case query_id when 'q1' then 4 when 'q2' then 2 when 'q4' then 9 end"
    )
    columns = ("corpus_value", "corpus_ci_low", "corpus_ci_high")
    both = [value(rolled_up(tables), run, metric, "covered") for run in "ab" for metric in ("hit", "mrr")]
    assert [row["n_measured"] for row in both] == [3, 3, 4, 4]
    # weights 4, 2 and 9: a finds 6 of 6, at (4 + 2 * 0.5) / 6; b 4 + 9 of 15, at (4 * 0.5 + 9) / 15
    assert [row["corpus_value"] for row in both] == pytest.approx([1, 5 / 6, 13 / 15, 11 / 15])
    tables.execute("delete from items where sampling_weight is null")
    drawn = [value(rolled_up(tables), run, metric, "covered") for run in "ab" for metric in ("hit", "mrr")]
    assert [row["n_measured"] for row in drawn] == [2, 2, 3, 3]
    assert [[row[name] for name in columns] for row in drawn] == [[row[name] for name in columns] for row in both]
    assert drawn[0]["value"] != both[0]["value"]


def test_ties_by_hand(tables):
    """q2 found at rank 2 could as well stand first or third, and q3 fifth or nowhere; the failed q4 does not count."""
    tables.execute("""
        alter table items add column rr_best_at_5 double;
        alter table items add column rr_worst_at_5 double;
        update items set
            rr_best_at_5 = case query_id when 'q2' then 1 when 'q3' then 0.2 else rr_at_5 end,
            rr_worst_at_5 = case query_id when 'q2' then 1 / 3 when 'q4' then 0 else rr_at_5 end
        where run_id = 'a';
        update items set rr_best_at_5 = rr_at_5, rr_worst_at_5 = rr_at_5 where run_id = 'b';
        update metrics set best_column = 'rr_best_at_{k}', worst_column = 'rr_worst_at_{k}' where metric = 'mrr';
    """)
    before = {name: value(rolled_up(tables), "a", name, "covered") for name in ("mrr", "hit")}
    assert before["mrr"]["value_best"] == pytest.approx((1 + 1 + 0.2) / 3)
    assert before["mrr"]["value_worst"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert before["mrr"]["value"] == pytest.approx(0.5)
    assert value(rolled_up(tables), "a", "mrr", "all")["value_best"] == pytest.approx((1 + 1 + 0.2 + 0) / 4)
    # no order changes run b, and hit has no such columns
    for found in (value(rolled_up(tables), "b", "mrr", "covered"), before["hit"]):
        assert (found["value_best"], found["value_worst"]) == (None, None)


def test_a_best_value_needs_a_worst_one(tables):
    tables.execute("update metrics set best_column = 'rr_best_at_{k}' where metric = 'mrr'")
    with pytest.raises(FinragError, match="metric mrr: worst_column is None"):
        read_metrics(tables.table("metrics"), "retrieval_items", [5])


def test_items_of_one_company_vary_between_its_filings(tables):
    before = value(rolled_up(tables), "a", "hit", "covered")
    tables.execute("update items set filing_id = cluster_id, cluster_id = 'one company'")
    after = value(rolled_up(tables), "a", "hit", "covered")
    assert (after["n_clusters"], after["n_eff"], after["ci_method"]) == (2, before["n_eff"], "wilson")
    distance = value(rolled_up(tables), "a", "distance_p50", "covered")
    assert distance["n_clusters"] == 1  # the hits that are gold are of one filing


def test_items_without_a_cluster_are_refused(tables):
    tables.execute("update items set cluster_id = null where query_id = 'q2'")
    with pytest.raises(FinragError, match="1 items have no cluster_id"):
        rolled_up(tables)


def test_the_second_way_counts_where_it_leaves_fewer_items(tables):
    before = value(rolled_up(tables), "a", "hit", "covered")
    tables.execute("update items set second_cluster_id = if(query_id = 'q1', 'other', 'same')")
    # q2 and q3, one right and one wrong, have a text in common; f1 and f2 differ more
    assert value(rolled_up(tables), "a", "hit", "covered")["deff"] == before["deff"]
    tables.execute("update items set second_cluster_id = cluster_id, cluster_id = query_id")
    after = value(rolled_up(tables), "a", "hit", "covered")
    assert (after["deff"], after["n_clusters"], after["n_eff"]) == (before["deff"], 2, before["n_eff"])


def test_a_second_way_widens_what_is_drawn_again():
    """12 companies with one item of each of 4 texts, whose effects are 20 times what else varies."""
    generator = np.random.default_rng(2)
    companies, texts = np.repeat(np.arange(12), 4), np.tile(np.arange(4), 12)
    values = 5 + generator.normal(0, 1, 4)[texts] + generator.normal(0, 0.05, 48)
    amount = Metric("tokens", 0, "tokens", "amount", 0, ("all",), "every_run", False)
    (one,) = mean_estimates(values[:, None], [companies], None, [amount], seed=1)
    (both,) = mean_estimates(values[:, None], [companies, texts], None, [amount], seed=1)
    assert both.n_clusters == 4 and both.ci_high - both.ci_low > 10 * (one.ci_high - one.ci_low)


def test_a_ten_thousandth_of_a_dollar_has_an_interval():
    """23,000 calls of about 0.0001 dollars, in dollars and in cents: the same interval."""
    costs = np.random.default_rng(3).normal(1e-4, 1.5e-5, 23_000)
    metric = Metric("cost_usd", 0, "cost_usd", "amount", 0, ("all",), "every_run", False)
    units = np.column_stack([costs, 100 * costs, costs / 1000])
    dollars, cents, small = mean_estimates(units, [np.arange(23_000)], None, 3 * [metric], seed=1)
    assert dollars.ci_method == "bootstrap" and dollars.ci_high < 1.01e-4
    assert (100 * dollars.ci_low, 100 * dollars.ci_high) == pytest.approx((cents.ci_low, cents.ci_high))
    assert (small.deff, 1000 * small.minimum_detectable_effect) == pytest.approx(
        (dollars.deff, dollars.minimum_detectable_effect)
    )


def test_unchanged_runs_are_not_rolled_up_again(tables):
    rows = rolled_up(tables)
    done = {(row["run_id"], row["rollup_version"]) for row in rows}
    assert rolled_up(tables, done) == []
    tables.execute("update items set metrics_version = 'v2' where run_id = 'b'")
    assert {row["run_id"] for row in rolled_up(tables, done)} == {"b"}
    tables.execute("update strata set stratum = 'Y' where stratum = 'X'")
    assert {row["run_id"] for row in rolled_up(tables, done)} == {"a", "b"}


def test_the_same_items_give_the_same_intervals(tables):
    first = rolled_up(tables)
    tables.execute("create or replace table items as select * from items order by query_id desc")
    assert first == rolled_up(tables)


def test_pairs_are_items_that_both_runs_measured_and_cover(tables):
    rows = [row for row in compared(tables) if row["stratum_by"] == "overall"]
    hit, mrr = (next(row for row in rows if row["metric"] == name) for name in ("hit", "mrr"))
    assert (hit["n_pairs"], hit["n_clusters"], hit["n_a_only"], hit["n_b_only"]) == (3, 2, 1, 0)
    assert hit["value_a"] == pytest.approx(2 / 3) and hit["value_b"] == pytest.approx(1 / 3)
    assert hit["difference"] == pytest.approx(-1 / 3) and hit["mean_absolute_difference"] == pytest.approx(1 / 3)
    # two clusters are too few for a test
    assert (hit["p_value"], mrr["p_value"], hit["test"], mrr["test"]) == (None, None, "sign_flip", "sign_flip")
    assert -1 < hit["ci_low"] < hit["difference"] < hit["ci_high"] < 1
    assert mrr["n_a_only"] is None
    assert mrr["difference"] == pytest.approx(-1 / 3)
    assert "coverage" not in {row["metric"] for row in rows}


MRR = Metric("mrr", 5, "mrr", "mean", 0, ("all",), "all", True)
HIT = Metric("hit", 5, "hit", "proportion", 0, ("all",), "all", True)
FIELDS = COLUMNS[COLUMNS.index("stratum_by") : -1]


def test_clusters_are_compared_and_not_their_items():
    """Eight clusters of two items. In six b finds both, in one a does, in one they tie: sums of 2 (six times), -2, 0.

    Of 128 patterns of the seven that differ, 1 + 7 have at most one sign apart, and as many opposite ones: 16 / 128.
    The mean is 10 / 16, the deviations of the sums from twice the mean 0.75 (six), -3.25 and -1.25, so that the
    variance is 8 / 7 * (6 * 0.75² + 3.25² + 1.25²) / 16². The items alone have 10 / 16 too, and a variance of
    (14 / 16 - (10 / 16)²) / 15.
    """
    differences = np.repeat([1, 1, 1, 1, 1, 1, -1, 0], 2)
    values_a, values_b = (differences < 0).astype(float)[:, None], (differences > 0).astype(float)[:, None]
    ids = np.array([f"q{n:02}" for n in range(16)])
    [(_, row)] = compare([Pairs(ids, np.repeat(np.arange(8), 2), values_a, values_b)], [HIT], [])
    found = dict(zip(FIELDS, row, strict=True))
    deff = (8 / 7 * (6 * 0.75**2 + 3.25**2 + 1.25**2) / 16**2) / ((14 / 16 - (10 / 16) ** 2) / 15)
    assert (found["n_pairs"], found["n_clusters"], found["n_a_only"], found["n_b_only"]) == (16, 8, 2, 12)
    assert (found["p_value"], found["difference"]) == (16 / 128, 10 / 16)
    assert found["mean_absolute_difference"] == 14 / 16 and found["deff"] == pytest.approx(deff)
    # effective pairs that differ: 14 / (15 / 7) * (1.96 / 2.365)² = 4.49; clusters of two, 2 / 3 / sqrt(4.49) = 0.31
    assert found["is_interval_reliable"]
    # more than all that differ: one way, and no less than those, which were not enough
    error = np.sqrt(8 / 7 * (6 * 0.75**2 + 3.25**2 + 1.25**2)) / 16
    assert 3.7142 * error + 1 / 16 > 7 / 8 and found["minimum_detectable_effect"] == 7 / 8


def test_the_clusters_that_leave_fewer_effective_pairs_count():
    """Texts that repeat across companies, always with the same outcome, and companies that are alike: text counts.

    Where there are too few companies, many texts do not make up for it.
    """
    texts = np.repeat(np.arange(10), 8)
    differences = np.where(texts < 6, 1.0, -1.0)[:, None]
    ids = np.array([f"q{n:02}" for n in range(80)])
    for companies, n_clusters, p_value in ((8, 10, 772 / 1024), (4, 10, None)):
        pairs = Pairs(ids, np.arange(80) % companies, 0 * differences, differences, texts)
        [(_, row)] = compare([pairs], [MRR], [])
        found = dict(zip(FIELDS, row, strict=True))
        assert found["n_clusters"] == n_clusters and found["deff"] > 8
        # 6 against 4: all but the 252 even patterns of 10 are at least as far out
        assert np.isnan(found["p_value"]) if p_value is None else found["p_value"] == p_value


def test_variants_and_strata_are_compared_apart():
    generator = np.random.default_rng(3)

    def pairs(ids: list[str]) -> Pairs:
        values = generator.random((2, len(ids), 2)).round(1)
        values[:, :, 1] = values[:, :, 1] > 0.5
        values[0, 0, 0] = np.nan
        return Pairs(np.array(ids), np.arange(len(ids)) // 3, values[0], values[1])

    variants = [pairs([f"q{n:03}" for n in range(80)]), pairs([f"q{n:03}" for n in range(40, 150)]), pairs(["q001"])]
    strata = [Stratum("half", "first", frozenset(f"q{n:03}" for n in range(60))), Stratum("half", "no", frozenset())]
    together = list(compare(variants, [MRR, HIT], strata))
    for number, alone in enumerate(variants):
        expected = [values for _, values in compare([alone], [MRR, HIT], strata)]
        found = [values for which, values in together if which == number]
        assert [repr(row) for row in found] == [repr(row) for row in expected]
    assert {(number, values[1]) for number, values in together} == {
        (number, name) for number in range(3) for name in ("all", "first")
    }
    assert list(compare([], [MRR, HIT], strata)) == []


def test_unchanged_pairs_are_not_compared_again(tables):
    done = {(row["pair_id"], row["comparison_version"]) for row in compared(tables)}
    assert compared(tables, done=done) == []


@pytest.mark.parametrize(
    ("requested", "says"),
    [
        ("a:nowhere", "no results of run nowhere. Runs with results (metrics.retrieval_items): a (p1), b (p1)"),
        ("a", "'a' is not a pair of runs. Write run_id:run_id"),
        ("a:a", "two different runs"),
        ("a:b:a", "is not a pair of runs"),
    ],
)
def test_a_pair_that_cannot_be_compared_is_refused(tables, requested, says):
    with pytest.raises(FinragError) as error:
        check_requested(requested, tables.table("items"))
    assert says in str(error.value)


def test_runs_of_different_suites_are_refused(tables):
    check_requested("a:b", tables.table("items"))
    tables.execute("update items set suite = 'p2' where run_id = 'b'")
    with pytest.raises(FinragError, match="share no query"):
        check_requested("a:b", tables.table("items"))


def test_a_registry_row_that_cannot_be_computed_is_refused(tables):
    tables.execute("update metrics set kind = 'median' where metric = 'mrr'")
    with pytest.raises(FinragError, match="metric mrr: kind is 'median'"):
        read_metrics(tables.table("metrics"), "retrieval_items", [5])
