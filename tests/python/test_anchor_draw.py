"""The draw of anchors over many seeds: its probabilities are those stated, and weighted means are unbiased."""

from __future__ import annotations

from collections import Counter

import duckdb
import numpy as np
import pytest

from warehouses import Warehouse

SEEDS = 100
CAP = 4
# Sections as (filing, item, company, sentences): five companies, one item far longer than the others, short ones.
LENGTHS = {"ITEM_1A": 90, "ITEM_7": 60, "ITEM_8": 45, "ITEM_2": 12, "ITEM_9B": 3}
SECTIONS = [
    (f"f{company}{year}", item, company, length + 7 * company + 40 * (item == "ITEM_1A" and company == 4))
    for company in range(5)
    for year in range(2)
    for item, length in LENGTHS.items()
]


@pytest.fixture(scope="module")
def sql(tmp_path_factory) -> str:
    """int_anchor_draw as dbt compiles it, 60 anchors of p2 and none of p1."""
    warehouse = Warehouse(tmp_path_factory.mktemp("compiled") / "warehouse")
    variables = {"p1_anchors": 0, "p2_anchors": 60, "gold_anchors_per_section": CAP}
    done = warehouse.dbt("compile", "--quiet", "--select", "int_anchor_draw", **variables)
    assert done.returncode == 0, warehouse.output
    return next(warehouse.target.glob("compiled/**/int_anchor_draw.sql")).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tables():
    """The sections above, each sentence with a value that depends on where it stands."""
    with duckdb.connect() as connection:
        connection.execute(
            "attach ':memory:' as finrag;"
            "create schema finrag.gold; create schema finrag.corpus; create schema finrag.seeds;"
            "create table finrag.gold.int_gold_sections (filing_id varchar, section_id varchar, cik bigint,"
            " section_sentence_count bigint, section_length_bucket varchar, company_name varchar, report_year integer);"
            "create table finrag.seeds.baseline_items (suite varchar, sentence_id varchar, text_hash varchar)"
        )
        connection.executemany(
            "insert into finrag.gold.int_gold_sections values ($1, $2, $3, $4, case when $4 < 10 then '<10'"
            " when $4 < 20 then '10-19' when $4 < 40 then '20-39' else '40+' end, 'One Inc.', 2020)",
            SECTIONS,
        )
        connection.execute(
            "create table finrag.corpus.fct_sentences as "
            "select filing_id || section_id || n as sentence_id, filing_id, section_id, cik, n as sentence_pos,"
            " 't' as text_hash, 'prose' as sentence_kind,"
            " (n / section_sentence_count + section_sentence_count / 200 + cik / 10) as score "
            "from finrag.gold.int_gold_sections cross join range(300) as numbers (n) where n < section_sentence_count"
        )
        yield connection


def draw(tables, sql: str, seed: object) -> list[tuple]:
    """section, its bucket, inclusion probability and score of each anchor."""
    return tables.execute(
        "select d.filing_id || d.section_id, d.section_length_bucket, d.inclusion_probability, s.score, d.sentence_id "
        f"from ({sql.replace(chr(39) + 'finrag' + chr(39), chr(39) + str(seed) + chr(39))}) as d "
        "inner join finrag.corpus.fct_sentences as s using (sentence_id)"
    ).fetchall()


def test_sections_are_drawn_as_often_as_their_probability_says(tables, sql):
    lengths = {filing + item: length for filing, item, _, length in SECTIONS}
    counted, probability, weighted = Counter(), {}, []
    buckets: dict[str, list] = {}
    for seed in range(SEEDS):
        anchors = draw(tables, sql, seed)
        assert len(anchors) == 60
        counted.update(section for section, *_ in anchors)
        probability |= {section: p for section, _, p, *_ in anchors}
        weights = np.array([1 / p for _, _, p, *_ in anchors])
        weighted.append((weights @ [score for *_, score, _ in anchors]) / weights.sum())
        for bucket in {bucket for _, bucket, *_ in anchors}:
            of_bucket = [1 / p for _, b, p, *_ in anchors if b == bucket]
            buckets.setdefault(bucket, []).append(sum(of_bucket))
        assert max(Counter(section for section, *_ in anchors).values()) <= CAP
    assert probability.keys() == lengths.keys()
    expected = np.array([probability[section] * length for section, length in lengths.items()])
    # a section gives the whole number below or above what is expected of it
    noise = np.sqrt(np.maximum((expected % 1) * (1 - expected % 1), 0.02) / SEEDS)
    deviations = (np.array([counted[section] for section in lengths]) / SEEDS - expected) / noise
    assert np.abs(deviations).max() < 4.5
    assert 0.5 < deviations.std() < 1.5
    # 1 / probability adds up to the sentences, by bucket and overall
    totals = dict(
        tables.execute(
            "select section_length_bucket, sum(section_sentence_count) from finrag.gold.int_gold_sections group by all"
        ).fetchall()
    )
    for bucket, sums in buckets.items():
        assert np.mean(sums) == pytest.approx(totals[bucket], rel=0.01), bucket
    [truth] = tables.execute("select avg(score) from finrag.corpus.fct_sentences").fetchone()
    error = np.std(weighted) / SEEDS**0.5
    assert abs(np.mean(weighted) - truth) < 4 * error


def test_a_plain_mean_is_that_of_the_draw_and_not_of_the_corpus(tables, sql):
    plain = [np.mean([score for *_, score, _ in draw(tables, sql, seed)]) for seed in range(10)]
    [truth] = tables.execute("select avg(score) from finrag.corpus.fct_sentences").fetchone()
    assert abs(np.mean(plain) - truth) > 10 * np.std(plain) / 10**0.5


def test_a_filing_that_is_added_leaves_most_anchors_as_they_were(tables, sql):
    before = {anchor for *_, anchor in draw(tables, sql, "stable")}
    tables.execute(
        "begin; delete from finrag.corpus.fct_sentences where filing_id = 'f41';"
        "delete from finrag.gold.int_gold_sections where filing_id = 'f41'"
    )
    without = {anchor for *_, anchor in draw(tables, sql, "stable")}
    tables.execute("rollback")
    of_filing = {anchor for anchor in before if anchor.startswith("f41")}
    assert of_filing
    assert len(before - without) <= 3 * len(of_filing)
