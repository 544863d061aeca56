"""Accuracy of what is extracted from questions, by hand."""

from __future__ import annotations

import pytest
from scipy.stats import t

from databases import in_memory
from finrag.metrics.extraction import extraction_accuracy
from finrag.metrics.shares import share, shares_by
from finrag.statistics.wilson import Z, wilson_interval

ITEMS = """
    select 'p3' as suite, cluster_id, is_item_named, true as are_companies_right, are_years_right,
        true as is_scope_right, are_items_right
    from (values ('a', false, true, false), ('a', true, false, true), ('b', true, true, true), ('c', true, true, true))
        as items (cluster_id, is_item_named, are_years_right, are_items_right)
"""


def test_accuracy_of_three_questions_one_in_two_wordings():
    with in_memory() as connection:
        rows = {row["field"]: row for row in extraction_accuracy(connection.sql(ITEMS)).to_pylist()}
    counts = {field: (row["n_questions"], row["n_right"], row["n_clusters"]) for field, row in rows.items()}
    assert counts == {
        **{"companies": (4, 4, 3), "years": (4, 3, 3), "scope": (4, 4, 3), "items": (4, 3, 3)},
        **{"items_named": (3, 3, 3), "items_likely": (1, 0, 1)},
    }
    # all alike: worth as many as there are questions; a single one says nothing
    assert (rows["companies"]["accuracy"], rows["companies"]["n_eff"]) == (1, 3)
    assert rows["companies"]["ci_low"] == pytest.approx(3 / (3 + Z**2))
    assert (rows["items_likely"]["ci_low"], rows["items_likely"]["ci_high"], rows["items_likely"]["n_eff"]) == (0, 1, 0)
    # years: deviations of the clusters -0.5, 0.25, 0.25: variance 3/2 * 0.375 / 16; naive (3/16) / 3; deff 0.5625, so 4
    # sizes 2, 1, 1 are worth 16 / 6 equal clusters
    n_eff = 4 * (Z / t.ppf(0.975, 16 / 6 - 1)) ** 2
    assert rows["years"]["n_eff"] == pytest.approx(n_eff)
    assert rows["years"]["ci_low"] == pytest.approx(float(wilson_interval(0.75, n_eff)[0]))


def test_no_questions_are_no_rows():
    with in_memory() as connection:
        none = extraction_accuracy(connection.sql(f"from ({ITEMS}) where false"))
    assert len(none) == 0
    kinds = [str(none.schema.field(name).type) for name in ("suite", "n_right", "accuracy")]
    assert kinds == ["string", "int64", "double"]


def test_sentences_of_a_company_are_no_independent_ones():
    """Two companies of three sentences, 2 and 1 of which agree: deviations of the clusters 0.5 and -0.5.

    Variance 2 * 0.5 / 36; naive 0.25 / 5; deff 5/9, so 6 sentences at most, and t(1) is 12.7062.
    """
    rows = "values ('eps', 'any', true, 1), ('eps', 'any', true, 1), ('eps', 'any', false, 1), "
    rows += "('eps', 'any', true, 2), ('eps', 'any', false, 2), ('eps', 'any', false, 2), ('debt', 'any', true, 1)"
    with in_memory() as connection:
        sentences = connection.sql(f"select * from ({rows}) as rows (kpi_label, measure, is_agreeing, cik)")
        debt, eps = shares_by(("kpi_label", "measure"), sentences).to_pylist()
        assert len(shares_by(("kpi_label", "measure"), sentences.filter("false"))) == 0
    assert (debt["n"], debt["n_clusters"], debt["n_eff"], debt["ci_low"], debt["ci_high"]) == (1, 1, 0, 0, 1)
    assert (eps["n"], eps["n_yes"], eps["n_clusters"], eps["share"]) == (6, 3, 2, 0.5)
    n_eff = 6 * (Z / 12.706204736432095) ** 2
    assert eps["n_eff"] == pytest.approx(n_eff)
    # two companies are few; each sentence of a company of its own is no dependence
    assert not eps["is_interval_reliable"] and share([True, *[False] * 29], range(30)).is_interval_reliable
    # Wilson's interval at one half: 1/2 ± z / (2 sqrt(n + z²))
    assert eps["ci_high"] == pytest.approx(0.5 + Z / 2 / (n_eff + Z**2) ** 0.5)
