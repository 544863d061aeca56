"""Slots and their budgets, the sentences around a hit, one list without repeated texts, the cross-encoder."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

import tiny_models
from finrag.encoders.rerank import CrossEncoder, reranker
from finrag.encoders.score_models import ScoreModel
from finrag.errors import FinragError
from finrag.search.hits import hit_schema
from finrag.search.multi_path import assembly
from finrag.search.multi_path import strategy as multi_path
from finrag.search.multi_path.expansion import expansion_scores, neighbours
from finrag.search.multi_path.paths import Budgets, Slot, plan
from finrag.search.multi_path.remainder import remainder
from finrag.search.multi_path.strategy import Parameters, Question, SlotHit, steps

BUDGETS = Budgets(per_company=20, per_year=10, overall=7)
FILINGS = {(1, 2018), (1, 2019), (1, 2020), (1, 2021), (2, 2020)}
PARAMETERS = Parameters(60, 50, 20, 10, 2, 1, 3, 0.5, "")


def slots(ciks=(), years=(), sections=(), spans_years=False):
    return [(slot.detail, slot.budget) for slot in plan(ciks, years, sections, spans_years, FILINGS, BUDGETS)]


def test_one_company_one_year():
    assert slots([1], [2019]) == [("cik=1 report_year=2019", 10), ("everything", 7)]


def test_years_share_the_budget_of_their_company():
    assert slots([1], [2018, 2019, 2020, 2021])[:4] == [(f"cik=1 report_year={year}", 5) for year in range(2018, 2022)]
    three = slots([1], [2018, 2019, 2020])
    assert [budget for _, budget in three[:3]] == [6, 6, 6]


def test_a_year_has_at_least_one_sentence():
    many = Budgets(per_company=2, per_year=10, overall=7)
    assert [slot.budget for slot in plan([1], [2018, 2019, 2020], [], False, FILINGS, many)[:3]] == [1, 1, 1]


def test_companies_do_not_share():
    assert slots([1, 2], [2020]) == [
        ("cik=1 report_year=2020", 10),
        ("cik=2 report_year=2020", 10),
        ("everything", 7),
    ]


def test_company_years_without_a_filing_have_no_slot():
    assert slots([2], [2019]) == [("everything", 7)]
    assert slots([1, 2], [2019]) == [("cik=1 report_year=2019", 10), ("everything", 7)]


def test_a_company_without_years():
    assert slots([2]) == [("cik=2", 20), ("everything", 7)]
    assert [detail for detail, _ in slots([1], spans_years=True)] == [
        *(f"cik=1 report_year={year}" for year in range(2018, 2022)),
        "everything",
    ]


def test_no_company():
    assert slots() == [("everything", 7)]
    assert slots(years=[2020, 2099]) == [("report_year=2020", 10), ("everything", 7)]


def test_named_items_share_the_budget_and_the_whole_year_gets_half():
    assert slots([1], [2019], ["ITEM_7", "ITEM_8"]) == [
        ("cik=1 report_year=2019 section_id=ITEM_7", 5),
        ("cik=1 report_year=2019 section_id=ITEM_8", 5),
        ("cik=1 report_year=2019", 5),
        ("everything", 7),
    ]


HOW = {"companies": [{"text": "Tesla, Inc"}, {"text": "Tesla"}], "years": ["2019", "2020"], "items": ["Item 1A"]}
FILTERS = ("cik", "report_year", "section_id")


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What was the gross profit of Tesla, Inc. in fiscal 2019?", "What was the gross profit?"),
        ("Why did Tesla's gross profit rise in fiscal 2020?", "Why did gross profit rise?"),
        ("In Item 1A of its fiscal 2019 10-K, what does Tesla, Inc. say about rates?", "what does say about rates?"),
        ("How did debt change between fiscal 2019 and fiscal 2020?", "How did debt change?"),
        ("According to its fiscal 2019 annual report, what were costs?", "what were costs?"),
        # nothing is left, so the question itself is searched for
        ("What does Tesla report for 2019?", "What does Tesla report for 2019?"),
        # a longer word that holds the name is none, nor is a year within a number
        ("What are Teslameters of 20190 units in 2019?", "What are Teslameters of 20190 units?"),
    ],
)
def test_what_is_left_of_a_question(question, left):
    assert remainder(question, HOW, FILTERS).removesuffix("?") == left.removesuffix("?")


def test_the_day_on_which_a_year_ends_is_not_searched_for():
    ended = "fiscal year ended February 2, 2025"
    how = {"companies": [{"text": "Tesla, Inc"}, {"text": "Tesla"}], "years": [ended], "items": []}
    asked = (
        f"According to the 10-K of Tesla, Inc. for the {ended}, what was Tesla's goodwill at the end of the {ended}?"
    )
    assert remainder(asked, how, FILTERS) == "what was goodwill at the end?"


def test_only_what_is_filtered_by_is_left_out():
    question = "What was the gross profit of Tesla in 2019?"
    assert remainder(question, HOW, ()) == question
    assert remainder(question, HOW, ("cik",)) == "What was the gross profit in 2019?"
    assert remainder(question, HOW, ("report_year",)) == "What was the gross profit of Tesla?"


def hits_of(*rows):
    columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    return pa.table([pa.array(column) for column in columns], names=hit_schema().names).cast(hit_schema())


def test_sentences_of_other_kinds_leave_their_rank_to_the_next():
    hits = hits_of(("0", "a", 1, 0.9), ("0", "b", 2, 0.8), ("0", "c", 3, 0.7), ("1", "b", 1, 0.9), ("1", "a", 2, 0.8))
    ranks = multi_path._without(hits, pa.array(["b"])).select(["query_id", "sentence_id", "raw_rank"]).to_pylist()
    assert [tuple(row.values()) for row in ranks] == [("0", "a", 1), ("0", "c", 2), ("1", "a", 1)]
    assert multi_path._without(hits, pa.array([], pa.string())) is hits
    assert multi_path._without(hits, pa.array(["a", "b", "c"])).num_rows == 0


def test_hidden_kinds_are_those_not_named():
    connection = duckdb.connect()
    sentences = connection.sql(
        "select * from (values ('a', 'prose'), ('b', 'heading'), ('c', 'index_line')) as s (sentence_id, sentence_kind)"
    )
    assert multi_path.sentences_not_of(sentences, "prose heading").to_pylist() == ["c"]
    assert len(multi_path.sentences_not_of(sentences, "")) == 0


def test_each_text_is_searched_once():
    schema = pa.schema(
        [("query_id", pa.string()), ("text_hash", pa.string()), ("query_text", pa.string()), ("cik", pa.int64())]
    )
    slots_of_two = (Slot("entity", 2, 1), Slot("global", 1))
    questions = [
        Question(0, "q", "a of X?", slots_of_two, ("a?", "a of X?")),
        Question(1, "r", "a of Y?", slots_of_two, ("a?", "a of Y?")),
    ]
    table = multi_path.searched_texts(schema, questions)
    assert table["query_text"].to_pylist() == ["a?", "a of X?", "a of Y?"]
    assert table["cik"].null_count == 3
    assert len(set(table["text_hash"].to_pylist())) == 3


@pytest.fixture
def session():
    connection = duckdb.connect()
    connection.execute(
        """
        create table pipeline_sentences as
        select
            'f' || filing || '_' || section || '_' || position as sentence_id,
            'f' || filing as filing_id,
            section as section_id,
            position as sentence_pos,
            1::bigint as cik,
            2018 + filing as report_year,
            md5(sentence_id) as text_hash,
            'sales of position ' || position as sentence_text,
        from range(2) as filings (filing), (values ('a'), ('b')) as sections (section), range(20) as places (position)
        where position != 11
        """
    )
    return connection


def test_neighbours_are_those_of_the_section_within_the_window(session):
    found = neighbours(session, [(0, "f0_a_10"), (1, "f1_b_0")], 3)
    assert {(sentence_id, distance) for _, sentence_id, distance in found[0]} == {
        ("f0_a_7", 3), ("f0_a_8", 2), ("f0_a_9", 1), ("f0_a_12", 2), ("f0_a_13", 3),
    }  # fmt: skip
    assert [sentence_id for _, sentence_id, _ in found[1]] == ["f1_b_1", "f1_b_2", "f1_b_3"]
    assert neighbours(session, [(0, "f0_a_10")], 0) == {}


def test_a_neighbour_takes_its_score_from_the_hit_that_gives_most():
    around = [("h1", "x", 2), ("h2", "x", 1), ("h1", "h2", 1), ("h1", "y", 1)]
    assert expansion_scores({"h1": 0.8, "h2": 0.6}, around, 0.5) == {"x": ("h2", 0.3), "y": ("h1", 0.4)}


def test_fusion_of_paths_by_hand():
    scores = assembly.fuse_paths([("a", 1), ("b", 2), ("b", 1)], 60)
    assert scores == {"a": 1 / 61, "b": 1 / 61 + 1 / 62}
    assert assembly.ranked(scores) == ["b", "a"]
    assert assembly.ranked({"a": 1.0, "c": 1.0, "b": 2.0}) == ["b", "c", "a"]


def repeated(asked, *sentences):
    facts = {name: assembly.Sentence(text, cik, year) for name, text, cik, year in sentences}
    return assembly.duplicates(facts, facts.__getitem__, asked)


def test_a_text_counts_once():
    copies = [("a", "t", 1, 2019), ("b", "t", 1, 2018), ("c", "u", 1, 2019), ("d", "t", 2, 2019)]
    assert repeated(set(), *copies) == {"b": "a", "d": "a"}


def test_each_company_year_that_is_asked_for_keeps_one_copy():
    copies = [("a", "t", 1, 2019), ("b", "t", 1, 2018), ("c", "t", 1, 2018), ("d", "t", 1, 2017)]
    assert repeated({(1, 2018), (1, 2019)}, *copies) == {"c": "a", "d": "a"}
    assert repeated({(None, 2018)}, *copies) == {"c": "a", "d": "a"}
    assert repeated({(1, None)}, *copies) == {"c": "a"}


def rows_of(session, hits, parameters=PARAMETERS, depth=31, cross_encoder=None, text="sales"):
    question = Question(0, "q", text, (Slot("entity", 2, 1, 2018), Slot("global", 1)))
    found = [SlotHit(question.slots[slot], name, rank, 1.0) for slot, name, rank in hits]
    rows = steps(session, [question], {0: found}, parameters, depth, cross_encoder)
    return {(row["path"], row["sentence_id"]): row for row in rows}


def test_every_sentence_has_its_fate(session):
    session.execute("update pipeline_sentences set text_hash = 'same' where sentence_id in ('f0_a_10', 'f1_a_10')")
    rows = rows_of(
        session,
        [(0, "f0_a_10", 1), (0, "f0_b_5", 2), (0, "f0_b_6", 3), (1, "f1_a_10", 1), (1, "f0_b_5", 2)],
    )
    fates = {key: (row["status"], row.get("drop_reason"), row.get("final_rank")) for key, row in rows.items()}
    # f0_a_10 and f1_a_10 tie at 1/61, the later id first; 2019 is not asked for, but its copy stands higher
    assert fates[("global", "f1_a_10")] == ("kept", None, 1)
    assert fates[("entity", "f0_a_10")] == ("kept", None, 2)
    assert fates[("entity", "f0_b_5")] == ("kept", None, 3)
    assert fates[("entity", "f0_b_6")] == ("dropped", "over budget", None)
    assert fates[("global", "f0_b_5")] == ("dropped", "over budget", None)
    # only the best hit is expanded; its nearest neighbours come first, of two as near the later id
    expanded = {key[1]: fate[2] for key, fate in fates.items() if key[0] == "expansion"}
    assert expanded == {"f1_a_9": 4, "f1_a_8": 5, "f1_a_12": 6, "f1_a_7": 7, "f1_a_13": 8}
    assert rows[("expansion", "f1_a_9")]["path_detail"] == "beside f1_a_10"


def test_the_copy_of_a_year_that_nobody_asked_for_is_dropped(session):
    session.execute("update pipeline_sentences set text_hash = 'same' where sentence_id in ('f0_a_10', 'f1_a_10')")
    rows = rows_of(session, [(0, "f0_a_10", 1), (1, "f0_a_10", 1), (1, "f1_a_10", 2)])
    assert rows[("global", "f1_a_10")]["drop_reason"] == "over budget"
    wide = Question(0, "q", "sales", (Slot("entity", 2, 1, 2018), Slot("global", 5)))
    hits = [SlotHit(wide.slots[0], "f0_a_10", 1, 1.0), SlotHit(wide.slots[1], "f1_a_10", 2, 1.0)]
    rows = {row["sentence_id"]: row for row in steps(session, [wide], {0: hits}, PARAMETERS, 31, None)}
    assert (rows["f1_a_10"]["drop_reason"], rows["f1_a_10"]["duplicate_of"]) == ("duplicate text", "f0_a_10")


def test_the_list_is_cut_at_its_depth(session):
    rows = rows_of(session, [(0, "f0_a_10", 1), (0, "f0_b_5", 2)], depth=1)
    assert rows[("entity", "f0_a_10")]["final_rank"] == 1
    assert rows[("entity", "f0_b_5")]["drop_reason"] == "below the last rank kept"
    assert rows[("entity", "f0_b_5")]["final_rank"] is None


def test_a_question_without_hits_has_no_rows(session):
    assert rows_of(session, []) == {}


def cross_encoder_of(folder, **options):
    return CrossEncoder(ScoreModel("tiny", "cross_encoder", tiny_models.bert(folder, **options)))


def test_a_neighbour_of_a_hidden_kind_is_none(session):
    question = Question(0, "q", "sales", (Slot("entity", 2, 1, 2018),))
    found = [SlotHit(question.slots[0], "f0_a_10", 1, 1.0)]
    rows = steps(session, [question], {0: found}, PARAMETERS, 31, None, ["f0_a_9"])
    assert sorted(row["sentence_id"] for row in rows) == ["f0_a_10", "f0_a_12", "f0_a_13", "f0_a_7", "f0_a_8"]


def test_cross_encoder_ranks_hits_and_neighbours(session, tmp_path):
    encoder = cross_encoder_of(tmp_path, labels=1, seed=3)
    rows = rows_of(session, [(0, "f0_a_10", 1), (0, "f0_b_5", 2)], cross_encoder=encoder)
    order = sorted((row["final_rank"], row["sentence_id"]) for row in rows.values() if row["final_rank"])
    texts = dict(session.execute("select sentence_id, sentence_text from pipeline_sentences").fetchall())
    scores = {name: encoder.score([("sales", texts[name])])[0] for _, name in order}
    assert len(order) == 7
    assert [name for _, name in order] == sorted(
        scores, key=lambda name: (round(-scores[name], 5), [-ord(letter) for letter in name])
    )
    assert rows[("entity", "f0_a_10")]["final_score"] == pytest.approx(scores["f0_a_10"], abs=1e-5)


def test_cross_encoder_is_chosen_by_registry_row(tmp_path):
    rows = [
        {"model_id": "tiny", "kind": "cross_encoder", "model_name": tiny_models.bert(tmp_path, labels=1)},
        {"model_id": "other", "kind": "bleurt", "model_name": "x"},
    ]
    assert reranker(rows, "") is None
    assert len(reranker(rows, "tiny").score([("net sales", "sales rose"), ("net sales", "costs fell")])) == 2
    assert reranker(rows, "tiny").score([]) == []
    for name in ("other", "unknown"):
        with pytest.raises(FinragError, match=f"pipeline_reranker names '{name}'. Allowed: tiny"):
            reranker(rows, name)


def test_a_classifier_is_no_cross_encoder(tmp_path):
    with pytest.raises(FinragError, match="3 labels"):
        cross_encoder_of(tmp_path, labels=3).score([("q", "t")])


def test_scores_that_are_stored_alike_tie():
    assert multi_path._float32(0.1) != 0.1
    assert multi_path._float32(1 / 3) == multi_path._float32(1 / 3 + 1e-12)
