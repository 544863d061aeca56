"""Judges against people: the statistics, scored summaries read from files, and the demo set."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import cohen_kappa_score

from databases import in_memory
from finrag.errors import FinragError
from finrag.inputs.calibration import SUMMEVAL_DIMENSIONS, load_summaries
from finrag.metrics.calibration import agreement, calibrate, levels, simultaneous_low, with_interval, with_shared_labels
from finrag.statistics.agreement import kappa_with_interval, rank_correlations, telling_clusters
from finrag.statistics.bootstrap import resample_weights

DEMO_COLUMNS = "id varchar, document_id varchar, system varchar, source varchar, reference varchar, summary varchar"


def ratings(seed: int, steps: int, size: int = 70) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two integer ratings with many ties, and 12 clusters in no order."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, steps, size)
    return first, np.clip(first + rng.integers(-2, 3, size), 0, steps - 1), rng.integers(0, 12, size)


@pytest.mark.parametrize(("seed", "steps"), [(1, 2), (2, 5), (3, 1000), (4, 3)])
def test_correlations_and_kappas_are_those_of_scipy_and_scikit_learn(seed, steps):
    first, second, clusters = ratings(seed, steps)
    found = rank_correlations(first, second, clusters, seed, resamples=10)
    assert found["spearman"][0] == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)
    assert found["kendall_tau_b"][0] == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)
    if steps <= 5:
        for is_quadratic, weights in ((False, None), (True, "quadratic")):
            expected = cohen_kappa_score(first, second, labels=[*range(steps)], weights=weights)
            value, _, _ = kappa_with_interval(first, second, clusters, seed, is_quadratic)
            assert value == pytest.approx(expected, abs=1e-12)


def test_real_numbers_without_ties_too():
    rng = np.random.default_rng(5)
    first = rng.normal(size=40)
    second = first + rng.normal(size=40)
    found = rank_correlations(first, -second, np.arange(40), 1, resamples=10)
    assert found["spearman"][0] == pytest.approx(spearmanr(first, -second).statistic, abs=1e-12)
    assert found["kendall_tau_b"][0] == pytest.approx(kendalltau(first, -second).statistic, abs=1e-12)


def test_intervals_are_those_of_written_out_resamples():
    first, second, clusters = ratings(6, 4)
    found = rank_correlations(first, second, clusters, 9, resamples=200)
    drawn = [
        np.repeat(np.arange(len(first)), row[clusters].astype(int))
        for row in np.vstack([*resample_weights(12, 9, 200)])
    ]
    for name, statistic in (("spearman", spearmanr), ("kendall_tau_b", kendalltau)):
        values = [statistic(first[items], second[items]).statistic for items in drawn]
        np.testing.assert_allclose(found[name][1:], np.quantile(values, [0.025, 0.975]), atol=1e-12)
    _, low, high = kappa_with_interval(first, second, clusters, 9)
    assert low < cohen_kappa_score(first, second) < high


@pytest.mark.parametrize("size", [0, 1, 20])
def test_what_is_undefined_is_nan_and_never_0(size):
    constant, varied, clusters = np.ones(size), np.arange(size), np.arange(size)
    for pair in ((constant, varied), (varied, constant), (constant, constant)):
        for value in rank_correlations(*pair, clusters, 1).values():
            if size != 1 or pair[0] is constant:
                assert np.isnan(value).all()
    assert np.isnan(kappa_with_interval(np.zeros(size, int), np.zeros(size, int), clusters, 1)).all()


def test_one_document_has_values_but_no_interval():
    first, second, _ = ratings(7, 4)
    found = rank_correlations(first, second, np.zeros(len(first), int), 1)
    assert not np.isnan(found["spearman"][0])
    assert np.isnan(found["spearman"][1:]).all()
    assert np.isnan(kappa_with_interval(first, second, np.zeros(len(first), int), 1)[1:]).all()


@pytest.fixture
def con():
    with in_memory() as connection:
        connection.execute(f"create table demo ({DEMO_COLUMNS}, human_score integer)")
        yield connection


def summaries(con, setting: str) -> list[dict]:
    relation = load_summaries(con, setting, con.table("demo"))
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def jsonl(path: Path, rows: list) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_summeval_has_sources_and_realsumm_references(con, tmp_path):
    summeval = {
        "article_id": "A0", "summary_id": "S1", "article": "Long.", "summary": "Short.",
        "coherence": 1.5, "fluency": 3.0, "consistency": 5.0, "relevance": 2,
    }  # fmt: skip
    realsumm = {
        "kind": "abs", "doc_id": 52, "system": "s.txt", "reference": "<t> one . </t>  <t> two </t>",
        "summary": "<t> uno </t>", "litepyramid_recall": 0.3, "rouge_l_f_score": 0.4, "rouge_l_recall": 0.5,
    }  # fmt: skip
    one = jsonl(tmp_path / "a.jsonl", [summeval, summeval | {"summary_id": "S2", "consistency": 4.9}])
    two = tmp_path / "b.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([realsumm]), two)
    first, second, third = summaries(con, f"se={one} rs={two}")
    assert (first["source_id"], first["document_id"], first["source_text"]) == ("A0/S1", "A0", "Long.")
    assert first["reference_text"] is None
    labels = {rating["name"]: (rating["score"], rating["label"]) for rating in first["ratings"]}
    assert labels["consistency"] == (5.0, "consistent")
    assert labels["relevance"] == (2.0, None)
    assert [rating["label"] for rating in second["ratings"] if rating["label"]] == ["inconsistent"]
    assert (third["reference_text"], third["summary_text"], third["source_text"]) == ("one . two", "uno", None)
    assert {(rating["rater"], rating["name"], rating["score"]) for rating in third["ratings"]} == {
        ("human", "litepyramid_recall", 0.3), ("judge", "published_rouge_l", 0.4),
        ("judge", "published_rouge_l_recall", 0.5),
    }  # fmt: skip


def test_labelled_answers_are_read_against_gold_and_evidence(con, tmp_path):
    published = {
        "financebench_id": "financebench_id_1", "model_name": "gpt-4", "eval_mode": "oracle", "temp": 0.01,
        "question": "What drove the margin?", "gold_answer": "Lower volume.", "model_answer": "Volume fell.",
        "label": "Correct Answer",
    }  # fmt: skip
    own = {"id": "a", "answer": "It rose.", "gold_answer": 8.7, "evidence": ["It", "fell."], "human_verdict": False}
    rows = [
        published,
        published | {"eval_mode": "closedBook", "label": "Incorrect Answer"},
        published | {"model_name": "llama2", "label": "Refusal"},
        published | {"model_name": "claude-2", "label": None},
        own,
        {"id": "b", "answer": "It rose.", "human_verdict": "partly", "human_use": 3, "judge_mine": "right"},
    ]
    found = summaries(con, f"fb={jsonl(tmp_path / 'a.jsonl', rows)}")
    assert [row["reason"] for row in found] == [None, None, "refusal", "no_human_rating", None, None]
    # all answers to a question are one cluster
    assert [(row["source_id"], row["document_id"], row["system"]) for row in found[:2]] == [
        ("financebench_id_1 gpt-4 oracle", "financebench_id_1", "gpt-4 oracle"),
        ("financebench_id_1 gpt-4 closedBook", "financebench_id_1", "gpt-4 closedBook"),
    ]
    assert (found[0]["summary_text"], found[0]["reference_text"], found[0]["source_text"]) == (
        "Volume fell.", "Lower volume.", None,
    )  # fmt: skip
    assert (found[4]["reference_text"], found[4]["source_text"]) == ("8.7", "It\nfell.")
    assert [[tuple(rating.values()) for rating in row["ratings"]] for row in found if row["reason"] is None] == [
        [("human", "correctness", 1.0, "consistent")],
        [("human", "correctness", 0.0, "inconsistent")],
        [("human", "verdict", 0.0, "inconsistent")],
        [("human", "verdict", None, "partly"), ("human", "use", 3.0, None), ("judge", "mine", 1.0, "consistent")],
    ]


def test_numbers_and_objects_of_an_answer_are_read_as_a_suite_has_them(con, tmp_path):
    """Faults are told by the names of the file: it has no column summary, reference or source."""
    base = {"answer": "x", "evidence": "It fell.", "human_verdict": True}
    published = {"financebench_id": "f1", "model_name": "m", "eval_mode": "o", "gold_answer": 0.66, "label": "Correct"}
    pieces = [{"evidence_text": "It fell.", "doc_name": "D"}, {"evidence_text": " "}, "By", 5, None]
    rows = [
        base | {"answer": 12.5, "gold_answer": 1234.5},
        base | {"answer": 12.0, "evidence": pieces},
        published | {"model_answer": 0.66},
        base | {"answer": True},
        base | {"evidence": [{"text": "It fell."}]},
        base | {"answer": " "},
        {"answer": "x", "human_verdict": True},
        published | {"model_answer": ["x"]},
        dict.fromkeys(SUMMEVAL_DIMENSIONS, 5) | {"article_id": "a", "summary_id": 1, "article": [], "summary": "S"},
    ]
    found = summaries(con, str(jsonl(tmp_path / "a.jsonl", rows)))
    assert [(row["summary_text"], row["reference_text"], row["source_text"]) for row in found[:3]] == [
        ("12.5", "1,234.5", "It fell."), ("12", None, "It fell.\nBy\n5"), ("0.66", "0.66", None)
    ]  # fmt: skip
    assert [(row["reason"], row["detail"]) for row in found] == [
        *[(None, None)] * 3,
        ("bad_value", "answer: 'True' is not a text or a whole number"),
        ("bad_value", "evidence: \"[{'text': 'It fell.'}]\" is not a text or a whole number"),
        ("no_summary", "answer is missing or blank"),
        ("nothing_to_compare_with", "evidence, gold_answer and judge_… are all missing"),
        ("bad_value", "model_answer: \"['x']\" is not a text or a whole number"),
        ("bad_value", "article: '[]' is not a text or a whole number"),
    ]


def test_rows_of_ones_own_are_used_or_rejected_with_a_reason(con, tmp_path):
    base = {"summary": "S", "source": "T", "human_score": 3}
    rows = [
        base | {"id": "a", "human_is_faithful": True, "judge_x": "Yes", "human_other": None},
        base | {"id": "b", "summary": ""},
        {"id": "c", "summary": "S", "source": "T", "judge_x": 1},
        base | {"id": "d", "human_score": [1]},
        {"id": "e", "summary": "S", "human_score": 1},
        base | {"id": "a"},
        {"id": "g", "summary": "S", "human_score": 1, "judge_x": 0.5},
        "text",
    ]
    found = summaries(con, str(jsonl(tmp_path / "own.jsonl", rows)))
    assert [row["reason"] for row in found] == [
        None, "no_summary", "no_human_rating", "bad_rating", "nothing_to_compare_with", "duplicate_id", None,
        "unreadable_row",
    ]  # fmt: skip
    assert found[0]["ratings"] == [
        {"rater": "human", "name": "score", "score": 3.0, "label": None},
        {"rater": "human", "name": "is_faithful", "score": 1.0, "label": "consistent"},
        {"rater": "judge", "name": "x", "score": None, "label": "yes"},
    ]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_what_a_table_writes_for_a_number_or_for_nothing_is_read_as_it_is_meant(con, tmp_path, kind):
    """4 of four kinds; nothing of people is no rating, that of a judge is its failure, and costs no other rating."""
    nothing = [None, float("nan")] if kind == "parquet" else [None, float("nan"), "NaN", " n/a ", "", " ", "null", "NA"]
    rows = [{"human_q": each, "judge_a": 2} for each in (4, "4", " 4.0 ", "4e0") if kind == "jsonl" or each == 4]
    rows += [{"human_q": 2, "human_r": each, "judge_a": each} for each in nothing]
    rows = [row | {"summary": "S", "source": f"T {place}"} for place, row in enumerate(rows)]
    path = tmp_path / f"own.{kind}"
    if kind == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        jsonl(path, rows)
    found = summaries(con, f"own={path}")
    assert {row["reason"] for row in found} == {None}
    said = [[(each["rater"], each["name"], each["score"], each["label"]) for each in row["ratings"]] for row in found]
    n_numbers = len(rows) - len(nothing)
    assert said[:n_numbers] == [[("human", "q", 4.0, None), ("judge", "a", 2.0, None)]] * n_numbers
    assert said[n_numbers:] == [[("human", "q", 2.0, None), ("judge", "a", None, None)]] * len(nothing)


def test_what_is_no_judgement_is_told_where_it_is_all_there_is(con, tmp_path):
    """No number is without bounds; a judge that failed is nothing to compare with; one that a row lacks has not."""
    rows = [
        {"summary": "S", "source": "T", "human_q": "inf"},
        {"summary": "S", "human_q": 1, "judge_a": None},
        {"summary": "S", "source": "T", "human_q": "n/a"},
        {"summary": "S", "source": "T", "human_q": "none", "judge_b": "4 of 5"},
    ]
    found = summaries(con, f"own={jsonl(tmp_path / 'own.jsonl', rows)}")
    assert [row["reason"] for row in found] == ["bad_rating", "nothing_to_compare_with", "no_human_rating", None]
    assert [(rating["score"], rating["label"]) for rating in found[3]["ratings"]] == [(None, "none"), (None, "4 of 5")]


def test_figures_that_are_no_number_are_no_label(con, tmp_path):
    """A comma for a point, or a share, would be a label that nobody else gave."""
    ratings = ("4,5", "4/5", "80 %", "4.5", "A1")
    rows = [{"id": rating, "summary": "S", "source": "T", "human_q": rating} for rating in ratings]
    found = summaries(con, f"own={jsonl(tmp_path / 'own.jsonl', rows)}")
    assert [row["reason"] for row in found] == ["bad_rating"] * 3 + [None] * 2
    assert found[0]["detail"] == "human_q is '4,5', neither a number nor a label"


def test_summaries_without_ids_are_of_their_row_and_file(con, tmp_path):
    """They are documents of their own where nothing says what they were read against."""
    for name in ("a", "b"):
        jsonl(tmp_path / f"{name}.jsonl", [{"summary": "S", "human_score": 1, "judge_x": 0.5}] * 2)
    found = summaries(con, f"own={tmp_path}/*.jsonl")
    names = ["1", "2", "b.jsonl#1", "b.jsonl#2"]
    assert [(row["source_id"], row["document_id"], row["reason"]) for row in found] == [(n, n, None) for n in names]


def test_what_is_no_text_where_one_is_meant_is_said_and_not_taken_for_missing(con, tmp_path):
    base = {"summary": "S", "source": "T", "human_score": 3}
    rows = [base | {"id": 3.0, "document_id": 7.0}, base | {"id": 1.5}, base | {"id": 5, "source": ["c"]}]
    rows.append({"article_id": 2.5, "article": "T", "summary": "S"} | dict.fromkeys(SUMMEVAL_DIMENSIONS, 5))
    rows.append({"doc_id": 2.5, "reference": "T", "summary": "S", "litepyramid_recall": 1.0})
    found = summaries(con, str(jsonl(tmp_path / "own.jsonl", rows)))
    assert (found[0]["source_id"], found[0]["document_id"], found[0]["reason"]) == ("3", "7", None)
    assert [(row["reason"], row["detail"]) for row in found[1:]] == [
        ("bad_value", "id: '1.5' is not a text or a whole number"),
        ("bad_value", "source: \"['c']\" is not a text or a whole number"),
        ("bad_value", "article_id: '2.5' is not a text or a whole number"),
        ("bad_value", "doc_id: '2.5' is not a text or a whole number"),
    ]


def test_a_setting_that_is_wrong_says_what_is_allowed(con):
    with pytest.raises(FinragError, match="CALIBRATION="):
        summaries(con, "nowhere.jsonl")


def test_every_value_has_an_interval():
    """Perfect agreement over 4 documents: Wilson's lower end of 4 of 4 on a range of 2. One document: anything."""
    nan = float("nan")
    assert with_interval(1.0, nan, nan, 12, 4) == (1, pytest.approx(2 * 4 / (4 + 1.959964**2) - 1, rel=1e-5), 1, False)
    assert with_interval(0.3, nan, nan, 12, 1) == (0.3, -1, 1, False)
    *undefined, is_reliable = with_interval(nan, nan, nan, 12, 4)
    assert np.isnan(undefined).all() and is_reliable is None
    # few documents: wider than the resamples are
    _, low, high, _ = with_interval(0.3, 0.1, 0.5, 12, 4)
    assert -1 < low < 0.1 and 0.5 < high < 1
    # 20 that tell something, not 19
    assert [with_interval(0.3, 0.1, 0.5, 60, 40, telling)[3] for telling in (19, 20, None)] == [False, True, True]
    # nor six documents with the rarer of equal and different labels
    assert [with_interval(0.3, 0.1, 0.5, 60, 40, 40, rarer)[3] for rarer in (6, 7)] == [False, True]
    # nor 40 documents that are worth 19 of one size, whose interval is theirs
    assert [with_interval(0.3, 0.1, 0.5, 60, 40, 40, 7, worth)[3] for worth in (19.0, 20.0)] == [False, True]
    of_few = with_interval(0.3, 0.1, 0.5, 60, 10, 10, 7)
    assert with_interval(0.3, 0.1, 0.5, 60, 40, 40, 7, 10.0)[:3] == of_few[:3]


def test_an_agreement_is_known_from_what_is_not_alike():
    """29 of 30 summaries good and both raters right about the other: Wilson's lower end of 2 of 2, not of 30 of 30."""
    alike = [(str(place), None, "good", None, "good", False, "") for place in range(29)]
    [(_, value, *sizes)] = agreement([*alike, ("29", None, "bad", None, "bad", False, "")], ("d", "q"))
    assert value[0] == 1 and sizes == [30, 30, 2, 0, 30.0]
    assert with_interval(*value, *sizes)[1] == pytest.approx(2 * 2 / (2 + 1.959964**2) - 1, rel=1e-5)
    # a judge that calls all good: kappa is 0, and nothing is known
    [(_, value, *sizes)] = agreement([*alike, ("29", None, "bad", None, "good", False, "")], ("d", "q"))
    assert with_interval(*value, *sizes) == (0, -1, 1, False)
    # the rater with fewer others counts, two summaries of one document once, and all where halves are as large
    first, second = np.array([1, 1, 1, 0, 0, 0]), np.array([1, 1, 1, 1, 0, 0])
    assert telling_clusters(first, second, np.array([0, 1, 2, 3, 4, 4])) == 2
    assert telling_clusters(first, second, np.arange(6)) == 4
    assert telling_clusters(first, first, np.arange(6)) == 6


def test_a_bound_of_many_figures_is_further_away():
    """Student's t of 100 documents: 1.984 at 97.5 %, 2.871 at 1 - 0.025 / 10; of two documents 12.706 and 25.452."""
    assert simultaneous_low(0.5, 0.4, 100, 1) == pytest.approx(0.4)
    assert simultaneous_low(0.5, 0.4, 100, 10) == pytest.approx(0.5 - 0.1 * 2.871 / 1.984, abs=1e-4)
    assert simultaneous_low(0.5, 0.4, 2, 2) == pytest.approx(0.5 - 0.1 * 25.452 / 12.706, abs=1e-4)
    # no lower than an agreement can be; with one document that is all that is known
    assert simultaneous_low(0.5, -0.9, 100, 10) == simultaneous_low(0.5, -1, 1, 10) == -1
    assert np.isnan(simultaneous_low(float("nan"), float("nan"), 100, 10))


def test_the_figures_of_a_judge_are_its_pooled_ones(con):
    """Two dimensions by two correlations, of 30 summaries of two systems: four, whatever another judge has."""
    rng = np.random.default_rng(8)
    con.execute("create table human (dataset varchar, summary_id varchar, document_id varchar, dimension varchar, "
                "score double, label varchar)")  # fmt: skip
    con.execute("create table judged (summary_id varchar, judge varchar, compared_with varchar, score double, "
                "label varchar, is_error boolean)")  # fmt: skip
    con.execute("create table summaries (summary_id varchar, system varchar)")
    for place, (one, two) in enumerate(rng.normal(size=(30, 2)).tolist()):
        con.execute(f"insert into summaries values ('s{place}', '{'ab'[place % 2]}')")
        for dimension in ("q", "r"):
            con.execute(f"insert into human values ('d', 's{place}', 'd{place}', '{dimension}', {one}, null)")
        for judge in ("j", "k"):
            con.execute(f"insert into judged values ('s{place}', '{judge}', 'source', {one + two}, null, false)")
    table = calibrate(con, *(con.table(name) for name in ("human", "judged", "summaries"))).to_pylist()
    assert {row["level"] for row in table} == {"pooled", "within_systems", "system"}
    for row in table:
        n_documents = 15 if row["level"] == "system" else 30
        assert row["simultaneous_low"] == simultaneous_low(row["value"], row["ci_low"], n_documents, 4) < row["ci_low"]
    # a third dimension of which all ratings are alike: both of its correlations are undefined, and no further figures
    con.execute("insert into human select dataset, summary_id, document_id, 'same', 1, null from human")
    again = calibrate(con, *(con.table(name) for name in ("human", "judged", "summaries"))).to_pylist()
    assert [row for row in again if row["dimension"] != "same"] == table
    assert {row["value"] for row in again if row["dimension"] == "same"} == {None}


def test_no_judge_is_calibrated_by_a_label_that_hardly_occurs():
    """1,000 sets of 30 summaries, 5 % bad, of which a judge finds a fifth: kappa 0.32, in question is above 0.4."""
    generator = np.random.default_rng(6)
    passed = 0
    for _ in range(1000):
        is_bad = generator.random(30) < 0.05
        is_found = is_bad & (generator.random(30) < 0.2)
        # resamples tell nothing only where the two agree on all, which is what used to pass
        if is_bad.any() and (is_bad == is_found).all():
            nan = float("nan")
            passed += with_interval(1.0, nan, nan, 30, 30, telling_clusters(is_bad, is_found, np.arange(30)))[1] > 0.4
    assert passed <= 25


def test_each_pair_of_raters_gets_the_statistics_that_fit(con):
    """12 summaries of 4 documents: scores on one scale, labels, a judge that fails twice, and one that never varies."""
    rng = np.random.default_rng(10)
    human, judge = (np.array(rng.integers(1, 6, 12), float) for _ in range(2))
    con.execute(
        "create table human (dataset varchar, summary_id varchar, document_id varchar, dimension varchar, "
        "score double, label varchar)"
    )
    con.execute(
        "create table judged (summary_id varchar, judge varchar, compared_with varchar, score double, label varchar, "
        "is_error boolean)"
    )
    for place in range(12):
        label = "good" if human[place] > 3 else "bad"
        con.execute(
            "insert into human values ('d', ?, ?, 'q', ?, ?)",
            [f"s{place}", f"d{place % 4}", float(human[place]), label],
        )
        is_error = place < 2
        for name, score, said in (
            ("llm", float(judge[place]), "good" if judge[place] > 3 else "bad"),
            ("share", float(judge[place]) / 7, None),
            ("same", 0.5, None),
        ):
            row = [f"s{place}", name, None if is_error else score, None if is_error else said, is_error]
            con.execute("insert into judged values (?, ?, 'source', ?, ?, ?)", row)
    con.execute("create table summaries as select summary_id, 'one' as system from human")
    table = calibrate(con, con.table("human"), con.table("judged"), con.table("summaries")).to_pylist()
    assert {(row["level"], row["system"]) for row in table} == {("pooled", "all")}
    found = {(row["judge"], row["statistic"]): row for row in table}
    assert set(found) == {
        ("llm", "spearman"), ("llm", "kendall_tau_b"), ("llm", "quadratic_kappa"), ("llm", "cohen_kappa"),
        ("share", "spearman"), ("share", "kendall_tau_b"), ("same", "spearman"), ("same", "kendall_tau_b"),
    }  # fmt: skip
    kept = slice(2, 12)
    assert found["llm", "spearman"]["value"] == pytest.approx(spearmanr(human[kept], judge[kept]).statistic)
    weighted = cohen_kappa_score(human[kept], judge[kept], labels=[*range(1, 6)], weights="quadratic")
    assert found["llm", "quadratic_kappa"]["value"] == pytest.approx(weighted)
    plain = cohen_kappa_score(human[kept] > 3, judge[kept] > 3)
    assert found["llm", "cohen_kappa"]["value"] == pytest.approx(plain)
    assert all(
        (row["n_total"], row["n_measured"], row["n_error"], row["n_clusters"]) == (12, 10, 2, 4) for row in table
    )
    assert found["same", "spearman"]["value"] is found["same", "kendall_tau_b"]["simultaneous_low"] is None


def test_a_judge_that_only_tells_systems_apart_agrees_within_none(con):
    """People give system a 1, 2, 3, 4 and system b 5, 6, 7, 8; the judge ranks b above a and either's own by chance.

    Own: rho of (1, 2, 3, 4) and (2, 1, 4, 3) is 1 - 6 * 4 / 60 = 0.6, of (2, 4, 1, 3) 1 - 6 * 10 / 60 = 0. Pooled, of
    the ranks (2, 1, 4, 3, 6, 8, 5, 7): 1 - 6 * 14 / 504. Within systems each rank occurs twice on either side.
    """
    con.execute("create table human (dataset varchar, summary_id varchar, document_id varchar, dimension varchar, "
                "score double, label varchar)")  # fmt: skip
    con.execute("create table judged (summary_id varchar, judge varchar, compared_with varchar, score double, "
                "label varchar, is_error boolean)")  # fmt: skip
    con.execute("create table summaries (summary_id varchar, system varchar)")
    for place, score in enumerate((2, 1, 4, 3, 16, 18, 15, 17)):
        con.execute(f"insert into human values ('d', 's{place}', 'd{place % 4}', 'q', {place + 1}, null)")
        con.execute(f"insert into judged values ('s{place}', 'j', 'source', {score}, null, false)")
        con.execute(f"insert into summaries values ('s{place}', '{'ab'[place // 4]}')")
    table = calibrate(con, *(con.table(name) for name in ("human", "judged", "summaries"))).to_pylist()
    rho = {(row["level"], row["system"]): row for row in table if row["statistic"] == "spearman"}
    values = {key: row["value"] for key, row in rho.items()}
    assert values == pytest.approx(
        {("pooled", "all"): 1 - 84 / 504, ("within_systems", "all"): 0.3, ("system", "a"): 0.6, ("system", "b"): 0}
    )
    within = rho["within_systems", "all"]
    assert (within["n_measured"], within["n_clusters"]) == (8, 4) and within["ci_low"] < 0.3 < within["ci_high"]
    assert {row["n_measured"] for row in table if row["level"] == "system"} == {4}


def test_raters_that_share_no_label_have_no_kappa():
    """Of the pair as a whole: a system of which people say only good and the judge only bad has one, of 0."""
    rows = [("d1", 0.1, "good", 0.2, "yes", False, "a"), ("d2", 0.3, "bad", 0.4, "no", False, "a")]
    assert with_shared_labels(rows) == [
        ("d1", 0.1, "good", 0.2, None, False, "a"), ("d2", 0.3, "bad", 0.4, None, False, "a")
    ]  # fmt: skip
    shared = [*rows, ("d3", None, "good", None, "bad", False, "b"), ("d4", None, "yes", None, None, True, "b")]
    assert with_shared_labels(shared) == shared


def labelled_by_system(n_documents: int, says) -> list[list[tuple]]:
    """Levels of two systems' summaries of as many documents. People call every tenth of system a bad and every tenth of
    b good. says: of a system and a document's number, the judge's label."""
    rows = []
    for number in range(n_documents):
        for system, usual, other in (("a", "good", "bad"), ("b", "bad", "good")):
            people = other if number % 10 == 0 else usual
            rows.append((f"d{number}", None, people, None, says(system, number), False, system))
    return list(levels(rows))


def test_a_judge_of_labels_that_only_tells_systems_apart_agrees_within_none():
    """It calls all of a good and all of b bad, as people do 9 in 10: kappa 0.9 - 0.5 in 0.5 pooled, within systems as
    many differ as by chance, and nothing is known, as it has no two labels of any system."""
    found = {}
    for level, system, rows in labelled_by_system(40, lambda system, _: "good" if system == "a" else "bad"):
        [(statistic, value, *sizes)] = agreement(rows, ("d", "q"), level == "within_systems")
        assert statistic == "cohen_kappa"
        found[level, system] = (value[0], *sizes)
    assert found == {
        ("pooled", "all"): (pytest.approx(0.8), 80, 40, 40, 4, 40), ("within_systems", "all"): (0, 80, 40, 0, 4, 40),
        ("system", "a"): (0, 40, 40, 0, 4, 40), ("system", "b"): (0, 40, 40, 0, 4, 40),
    }  # fmt: skip


def test_kappa_within_systems_is_against_each_systems_own_chance():
    """Of 40 documents the judge finds the 4 that are unusual, and 4 of system a more: 4 of 80 differ. By chance in a,
    where people call 4 bad and the judge 8, (36 * 8 + 4 * 32) / 40 = 10.4, in b, where both call 4 good, 2 * 36 * 4 /
    40 = 7.2. People's unusual ones are 4 documents, which count twice."""
    unusual = {"a": "bad", "b": "good"}
    usual = {"a": "good", "b": "bad"}
    found = labelled_by_system(
        40, lambda system, number: (unusual if number % (5 if system == "a" else 10) == 0 else usual)[system]
    )
    [rows] = [rows for level, _, rows in found if level == "within_systems"]
    [(_, (value, low, high), *sizes)] = agreement(rows, ("d", "q"), is_within_systems=True)
    assert value == pytest.approx(1 - 4 / 17.6) and low < value < high and sizes == [80, 40, 8, 4, 40]


def test_systems_that_say_nothing_within_are_left_out():
    """A label alone of its system agrees with nothing there; summaries that name no system are of no system."""
    rows = [(f"d{number}", None, "good", None, "good", False, "abc"[number]) for number in range(3)]
    assert [(level, system) for level, system, _ in levels([*rows[:1], (*rows[1][:6], "")])] == [("pooled", "all")]
    found = {(level, system): rows for level, system, rows in levels([*rows, (*rows[0][:6], "")])}
    assert [len(each) for each in found.values()] == [4, 3, 1, 1, 1]
    assert list(agreement(found["within_systems", "all"], ("d", "q"), is_within_systems=True)) == []
    # a rater's most frequent rating is each system's own: of a 1, of b 0
    ratings, systems = np.array([1, 1, 0, 0, 0, 1]), np.array([0, 0, 0, 1, 1, 1])
    assert telling_clusters(ratings, ratings, np.arange(6), systems) == 4


def test_real_data_is_read_to_the_last_row(con, real_data):
    found = summaries(con, f"se={real_data}/summaries/summeval.jsonl rs={real_data}/summaries/realsumm.parquet")
    assert [row["reason"] for row in found] == [None] * 4100
    assert sum(row["dataset"] == "se" for row in found) == 1600
    assert {len(row["ratings"]) for row in found if row["dataset"] == "se"} == {4}
    assert len({row["document_id"] for row in found if row["dataset"] == "rs"}) == 100


def test_published_rouge_correlates_with_people_as_scipy_says(con, real_data):
    """Ours on the columns that REALSumm states is scipy's, on 2,500 summaries of 100 documents."""
    table = parquet.read_table(real_data / "summaries/realsumm.parquet")
    human, rouge, documents = (table[name].to_numpy() for name in ("litepyramid_recall", "rouge_l_recall", "doc_id"))
    found = rank_correlations(human, rouge, documents, 1, resamples=50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found["spearman"][0] == pytest.approx(spearmanr(human, rouge).statistic, abs=1e-10)
        assert found["kendall_tau_b"][0] == pytest.approx(kendalltau(human, rouge).statistic, abs=1e-10)
    assert found["spearman"][1] < found["spearman"][0] < found["spearman"][2]


def test_the_demo_set_fills_the_table_and_calibrates_no_judge(demo):
    judges = demo.rows("select distinct judge from metrics.judge_calibration")
    assert {("rouge_l",), ("bertscore",), ("cosine",), ("baseline_faithfulness",), ("second_reader",)} <= set(judges)
    assert demo.rows("select * from metrics.int_calibrated_judges") == []
    assert demo.value("select count(*) from metrics.judge_calibration where n_measured = 24 and is_demo") > 30
    human, judge = zip(
        *demo.rows(
            "select h.score, j.score from calibration.int_human_scores as h "
            "inner join calibration.int_judge_scores as j using (summary_id) "
            "where j.judge = 'second_reader' and h.dimension = 'faithfulness' order by summary_id"
        ),
        strict=True,
    )
    stated = demo.value(
        "select value from metrics.judge_calibration where judge = 'second_reader' and statistic = 'quadratic_kappa'"
    )
    assert stated == pytest.approx(cohen_kappa_score(human, judge, labels=[1, 2, 3, 4, 5], weights="quadratic"))


def test_two_data_sets_may_be_labelled_alike_and_a_silent_judge_is_counted(demo, tmp_path):
    """People say yes and no, judge x good and bad, judge y nothing of one summary; both files hold the same."""
    copy = demo.copy(tmp_path / "demo")
    rows = [
        {"summary": "S", "source": "T", "human_q": "yes", "judge_x": "good", "judge_y": "yes"},
        {"summary": "U", "source": "V", "human_q": "no", "judge_x": "bad", "judge_y": None},
    ]
    setting = " ".join(f"{name}={jsonl(copy.project / name, rows).name}" for name in ("dev", "test"))
    done = copy.dbt(
        *("build", "--select", "int_calibration_rows+,+int_unshared_labels", "--exclude-resource-type", "unit_test"),
        *("--exclude", "int_calibration_similarity", "int_calibration_faithfulness"),
        calibration_data=setting,
    )
    assert done.returncode == 0, copy.output
    unshared = copy.rows("select dataset, judge, detail from calibration.int_unshared_labels order by dataset")
    detail = "human_q says no, yes and judge x (stated) bad, good: they share no label, so that they have no kappa"
    assert unshared == [("dev", "x", detail), ("test", "x", detail)]
    told = "select summary_id, judge from calibration.int_judge_scores where is_error order by all"
    assert copy.rows(told) == [("dev:2", "y"), ("test:2", "y")]
