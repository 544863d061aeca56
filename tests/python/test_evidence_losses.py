"""Where evidence was lost, told again from hits, contexts and answers by a loop, and shown in the report."""

from __future__ import annotations

from collections import defaultdict

import pytest

from finrag.report.data import Reader
from finrag.report.losses import STAGES, losses, whole
from warehouses import Warehouse

PASSED = ("corpus", "company", "document", "section", "sentence", "context")


def fate(places: list[tuple], found: list[tuple], shown: set[str]) -> str | None:
    """The stage that none of the sentences that state a fact gets through. places, found: id, cik, filing, item."""
    if not places:
        return "corpus"
    depth = 1
    for sentence in places:
        for hit in found:
            same = [hit[1] == sentence[1], hit[2] == sentence[2], hit[3] == sentence[3], hit[0] == sentence[0]]
            reached = next((number for number, is_same in enumerate(same) if not is_same), len(same))
            depth = max(depth, 1 + reached + (reached == len(same) and sentence[0] in shown))
    return None if depth == len(PASSED) else PASSED[depth]


@pytest.fixture(scope="module")
def expected(demo: Warehouse) -> dict[tuple[str, str], dict[str | None, float]]:
    """Shares by stage of every search and question of the demo; None is what was shown."""
    place = {
        row[0]: row for row in demo.rows("select sentence_id, cik, filing_id, section_id from corpus.fct_sentences")
    }
    facts: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for query_id, sentence_id, stands_for in demo.rows(
        "select query_id, sentence_id, stands_for from gold.p3_evidence where grade > 0"
    ):
        for fact in stands_for:
            facts[query_id][fact].append(place[sentence_id])
    shown = defaultdict(set)
    for run_id, query_id, sentence_id in demo.rows("select run_id, query_id, sentence_id from retrieval.contexts"):
        shown[run_id, query_id].add(sentence_id)
    found = defaultdict(list)
    for run_id, query_id, sentence_id, rank in demo.rows("""
        select run_id, query_id, sentence_id, rank from retrieval.retrieval_hits
        semi join retrieval.retrieval_runs using (run_id)
        where rank is not null and query_id like 'p3:%'
    """):
        if rank <= 30 or sentence_id in shown[run_id, query_id]:
            found[run_id, query_id].append(place[sentence_id])
    runs = demo.rows(
        "select run_id from retrieval.retrieval_runs where suite = 'p3' and is_current and method != 'random'"
    )
    shares = {}
    for (run_id,) in runs:
        for query_id, of_query in facts.items():
            key = (run_id, query_id)
            fates = [fate(places, found[key], shown[key]) for places in of_query.values()]
            shares[key] = {stage: fates.count(stage) / len(fates) for stage in (*PASSED, None)}
    return shares


def test_searches_lose_what_a_loop_over_their_hits_says(demo, expected):
    columns = ", ".join(f"lost_at_{stage}" for stage in PASSED)
    rows = demo.rows(
        f"select run_id, query_id, {columns}, kept from metrics.evidence_losses "
        "where task = 'retrieval' and reason is null"
    )
    assert len(rows) == len(expected) > 1000
    for run_id, query_id, *shares in rows:
        assert shares == pytest.approx(list(expected[run_id, query_id].values())), (run_id, query_id)
    assert {stage for shares in expected.values() for stage, share in shares.items() if share} >= {
        *("company", "document", "section", "sentence", None),
    }


def test_answers_keep_what_is_shown_to_right_ones(demo, expected):
    rows = demo.rows("""
        select losses.retrieval_run_id, losses.query_id, items.is_correct, lost_at_answer, not_judged, kept
        from metrics.evidence_losses as losses
        inner join metrics.answer_items as items using (answer_id)
        where losses.reason is null
    """)
    assert rows
    for run_id, query_id, is_correct, *shares in rows:
        share = expected[run_id, query_id][None]
        assert shares == pytest.approx([share * (is_correct is verdict) for verdict in (False, None, True)])


def test_values_are_the_means_of_the_shares(demo):
    [differing] = demo.rows("""
        select count(*) from metrics.metric_values_by_run as stated
        inner join (
            select run_id, avg(lost_at_section) as lost_at_section, avg(kept) as evidence_kept, count(kept) as n
            from metrics.evidence_losses where not is_error group by run_id
        ) as items using (run_id)
        where stated.variant = 'facts' and stratum_by = 'overall' and (
            n_measured != n
            or (metric = 'lost_at_section' and abs(value - lost_at_section) > 1e-9)
            or (metric = 'evidence_kept' and abs(value - evidence_kept) > 1e-9)
        )
    """)
    assert differing == (0,)


def test_the_parts_of_every_bar_add_up_to_one(demo):
    section = losses(Reader(demo.database))
    bars = defaultdict(list)
    for row in section.figures[0].rows:
        bars[row["run_id"]].append(row)
    assert len(bars) == 8
    for rows in bars.values():
        assert [row["metric_name"] for row in rows] == [name for name in STAGES.values() if name in
                                                        {row["metric_name"] for row in rows}]  # fmt: skip
        assert [row["start"] for row in rows] == [0, *(row["end"] for row in rows[:-1])]
        assert rows[-1]["end"] == pytest.approx(1)
        assert all(row["ci_low"] <= row["value"] <= row["ci_high"] for row in rows)


def test_a_search_whose_answers_are_shown_has_no_bar_of_its_own():
    runs = [
        {"run_id": "s", "task": "retrieval", "search_id": "s"},
        {"run_id": "alone", "task": "retrieval", "search_id": "alone"},
        {"run_id": "a", "task": "answer", "search_id": "s"},
        {"run_id": "made elsewhere", "task": "answer", "search_id": None},
    ]
    assert [row["run_id"] for row in whole(runs)] == ["alone", "a", "made elsewhere"]
