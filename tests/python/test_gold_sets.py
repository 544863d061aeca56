"""The gold sets against a second, slow implementation; anchors when threads, filings and numbers change."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import duckdb
import pytest

from csv_files import rows_of
from warehouses import WITHOUT_TESTS, Warehouse

GOLD_MODELS = ("--select", "path:models/gold", "baseline_items", "cross_reference_patterns")
P1_WINDOWS = (3, 5)
P2_BASE, P2_MAX, P2_TARGET = 5, 12, 2


def build_gold(warehouse: Warehouse, **variables: object) -> Warehouse:
    return warehouse.build(*GOLD_MODELS, **variables)


def anchors(warehouse: Warehouse, suite: str) -> set[str]:
    """Those that the draw takes, without what is there for the sake of a baseline only."""
    drawn = f"select sentence_id from gold.{suite}_anchors where inclusion_probability is not null"
    return {sentence for (sentence,) in warehouse.rows(drawn)}


@pytest.fixture(scope="module")
def everything(demo, tmp_path_factory) -> Warehouse:
    """Every sentence of the demo corpus an anchor."""
    built = build_gold(demo.copy(tmp_path_factory.mktemp("all") / "all"), p1_anchors="all", p2_anchors="all")
    built.keep_open()
    return built


def cross_reference():
    """seeds/cross_reference_patterns.csv read anew, with Python's regular expressions."""
    rows = rows_of("seeds/cross_reference_patterns.csv")

    def alternation(role: str) -> re.Pattern:
        patterns = [f"(?:{row['pattern']})" for row in rows if row["role"] == role]
        return re.compile("|".join(patterns), re.IGNORECASE | re.ASCII)

    included, excluded = alternation("include"), alternation("exclude")
    return lambda text: bool(included.search(excluded.sub(" # ", text)))


def brute_force(warehouse: Warehouse) -> dict[tuple[str, str, str], set[str]]:
    """Gold of every sentence by (query_id, window, predicate), as DESIGN words it, compared sentence by sentence."""
    is_cross_reference = cross_reference()
    sections = defaultdict(list)
    for row in warehouse.rows(
        "select filing_id, section_id, sentence_id, sentence_pos, lower(sentence_text) from corpus.fct_sentences "
        "where sentence_kind != 'written_row'"
    ):
        words = row[4].split()
        says_something = len(words) >= 4 and not is_cross_reference(row[4])
        sections[row[:2]].append((row[2], row[3], " ".join(words), says_something))
    gold = {}
    for section in sections.values():
        for anchor, position, text, _ in section:
            others = {"positional": [], "content": []}
            for sentence, other_position, other_text, says_something in section:
                distance = abs(other_position - position)
                if 0 < distance <= P2_MAX:
                    others["positional"].append((sentence, distance))
                    if says_something and other_text != text:
                        others["content"].append((sentence, distance))
            for predicate, candidates in others.items():
                if len(section) >= 20:
                    for window in P1_WINDOWS:
                        found = {sentence for sentence, distance in candidates if distance <= window}
                        gold[f"p1:{anchor}", str(window), predicate] = found
                window = P2_BASE
                while sum(distance <= window for _, distance in candidates) < P2_TARGET and window < P2_MAX:
                    window += 1
                found = {sentence for sentence, distance in candidates if distance <= window}
                gold[f"p2:{anchor}", "adaptive", predicate] = found
    return gold


def test_gold_of_every_sentence_is_what_a_plain_reading_of_the_definition_gives(everything):
    expected = brute_force(everything)
    found = {
        key: set()
        for key in everything.rows(
            "select query_id, gold_window, gold_predicate from gold.int_query_gold_counts where suite in ('p1', 'p2')"
        )
    }
    for *key, sentence in everything.rows(
        "select query_id, gold_window, gold_predicate, sentence_id from gold.retrieval_gold where suite in ('p1', 'p2')"
    ):
        found[tuple(key)].add(sentence)
    assert found == expected
    # the comparison saw sections with gaps, windows that grew, queries without gold, and predicates that differ
    assert everything.value("select count(*) from gold.p2_anchors where positional_window > 5 and is_covered") > 0
    assert everything.value("select count(*) from gold.p2_anchors where not is_covered") > 0
    assert everything.value("select count(*) from gold.p2_anchors where content_gold_count < positional_gold_count") > 0


def test_all_means_all(everything):
    sentences = everything.rows(
        "select sentence_id, section_sentence_count from corpus.fct_sentences where sentence_kind != 'written_row'"
    )
    assert anchors(everything, "p2") == {sentence for sentence, _ in sentences}
    assert anchors(everything, "p1") == {sentence for sentence, count in sentences if count >= 20}


def test_fewer_anchors_are_the_first_of_more(demo, everything):
    for suite in ("p1", "p2"):
        drawn = (
            f"select sentence_id from gold.{suite}_anchors where inclusion_probability is not null "
            "order by draw_rank limit 600"
        )
        assert demo.rows(drawn) == everything.rows(drawn)


def test_the_same_tables_whatever_the_number_of_threads(demo, tmp_path, monkeypatch):
    monkeypatch.setattr("warehouses.THREADS", 1)
    single = build_gold(demo.copy(tmp_path / "single"))
    assert "Concurrency: 1 threads" in single.output  # dbt's; the demo's build had two
    single.keep_open()
    for table in ("p1_anchors", "p2_anchors", "p1_gold", "p2_gold", "int_query_strata", "gold_versions"):
        rows = f"select * from gold.{table} order by all"
        assert single.rows(rows) == demo.rows(rows), table


def test_a_filing_that_is_added_takes_its_share_and_no_more(demo, tmp_path):
    """Without one of the 36 filings, all but about its share of the anchors are the same."""
    filing = demo.value("select max(filing_id) from corpus.dim_filings where section_count > 10")
    warehouse = demo.copy(tmp_path / "smaller")
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute("delete from corpus.fct_sentences where filing_id = $filing", {"filing": filing})
    build_gold(warehouse).keep_open()
    for suite in ("p1", "p2"):
        with_it, without_it = anchors(demo, suite), anchors(warehouse, suite)
        of_filing = {
            row[0]
            for row in demo.rows(
                f"select sentence_id from gold.{suite}_anchors "
                "where filing_id = $filing and inclusion_probability is not null",
                {"filing": filing},
            )
        }
        assert of_filing
        assert len(with_it) == len(without_it) == 600
        replaced = len(with_it - without_it)
        assert len(of_filing) <= replaced <= 3 * len(of_filing), (suite, len(of_filing), replaced)


def test_no_company_and_no_section_dominates(demo):
    """Twelve companies of about the same size."""
    for suite in ("p1", "p2"):
        rows = demo.rows(
            f"select cik, section_length_bucket from gold.{suite}_anchors where inclusion_probability is not null"
        )
        companies, buckets = Counter(row[0] for row in rows), Counter(row[1] for row in rows)
        assert len(companies) == 12
        assert max(companies.values()) <= 2 * len(rows) / 12
        assert max(buckets.values()) - min(buckets.values()) <= 1


def test_a_number_that_is_none_is_explained(empty):
    done = empty.dbt("build", *WITHOUT_TESTS, "--select", "int_anchor_draw", p1_anchors="many")
    assert done.returncode != 0
    assert "var p1_anchors is 'many': give a number of anchors, 0 or more, or all" in done.stdout
