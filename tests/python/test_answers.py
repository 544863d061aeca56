"""Answers of others read and matched, and every answer scored: pairs, similarity, verdicts, rollups."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import tiny_models
from databases import in_memory, insert
from finrag.answers import matching, pairs, similarity, verdicts
from finrag.answers.external import OUTPUT, load_answers
from finrag.errors import FinragError
from finrag.inputs import answers as files
from finrag.inputs.setting import NamedFile
from finrag.metrics.items import TASKS, read_items
from finrag.metrics.registry import Metric
from finrag.metrics.rollup import COLUMNS, Stratum, roll_up
from finrag.scoring import bad_questions
from finrag.scoring.rouge import rouge_l
from finrag.statistics.wilson import Z, wilson_interval

ROOT = Path(__file__).resolve().parents[2]

QUESTIONS = [
    ("s1", "Q1", "What was the revenue of Acme Corp. in fiscal 2019?", ["Acme Corp."], "It was $5 million."),
    ("s1", "Q2", "What was the revenue of Acme Corp. in fiscal 2020?", ["Acme Corp."], "It was $6 million."),
    ("s1", "Q3", "What was the revenue of Borealis Inc. in fiscal 2019?", ["Borealis Inc."], "It was $7 million."),
    ("s2", "Q1", "What was the revenue of Acme Corp. in fiscal 2019?", ["Acme Corp."], "Five million dollars."),
    ("s2", "Q9", "Which risks does Acme Corp. name?", ["Acme Corp."], None),
]


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with in_memory() as found:
        found.execute(
            "create table questions (suite varchar, question_id varchar, question_text varchar, company_name varchar[],"
            " answer_text varchar)"
        )
        insert(found, "questions", QUESTIONS)
        found.execute("create table strategies as select 'dense' as strategy")
        yield found


def load(connection, setting: str) -> list[dict]:
    """What came of the rows of the files."""
    return [row for row in load_all(connection, setting) if row["reason"] != "missing_question"]


def load_all(connection, setting: str) -> list[dict]:
    relation = load_answers(connection, setting, connection.table("questions"), connection.table("strategies"))
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_an_answer_counts_in_every_suite_that_has_its_question(connection, tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        {
            "question": "what was the revenue of Acme Corp in fiscal 2019",
            "answer": "$5 million",
            "model": "m",
            "cost": 0.01,
        },
    )
    rows = load(connection, f"mine={path}")
    assert [(row["suite"], row["question_id"], row["match_kind"]) for row in rows] == [
        ("s1", "Q1", "exact"),
        ("s2", "Q1", "exact"),
    ]
    assert {(row["reason"], row["answer_model"], row["cost_usd"], row["answer_number"]) for row in rows} == {
        (None, "m", 0.01, 1)
    }
    assert len({row["source_answer_id"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What was Acme Corp.'s revenue in fiscal 2020?", [("s1", "Q2")]),
        ("What was the total revenue of Acme Corp. in fiscal 2020?", [("s1", "Q2")]),
        # 98 % alike, but another year, another company, or none
        ("What was the revenue of Acme Corp. in fiscal 2021?", []),
        ("What was the revenue of Borealis Inc. in fiscal 2020?", []),
        ("What was the revenue of Cumulus in fiscal 2019?", []),
        ("What was the net income of Acme Corp. in fiscal 2020?", []),
        ("", []),
    ],
)
def test_similar_questions_are_the_same_only_with_the_same_numbers_and_companies(text, found):
    known = matching.Questions(matching.Known(suite, name, words, tuple(of)) for suite, name, words, of, _ in QUESTIONS)
    assert [(match.question.suite, match.question.question_id) for match in known.match(text)] == found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("income taxes", False),
        ("net income before income taxes", False),
        ("income before interest and income taxes", False),
        ("total income before incme taxes", True),
    ],
)
def test_a_word_more_or_less_is_another_question(text, is_found):
    asked = "By how much did the {} of Acme Corp. change from fiscal 2024 to fiscal 2025?"
    known = matching.Known("s1", "Q1", asked.format("income before income taxes"), ("Acme Corp.",))
    assert bool(matching.Questions([known]).match(asked.format(text))) == is_found


def test_nothing_of_a_file_is_dropped(connection, tmp_path):
    asked = QUESTIONS[1][2]
    path = write(
        tmp_path / "a.jsonl",
        {"question": asked, "answer": "ok", "tokens": 7, "contexts": ["A text.", {"text": "B", "sentence_id": "x_1"}]},
        "{not json",
        [1, 2],
        {"answer": "no question"},
        {"question": asked, "answer": "  "},
        {"question": "What is the weather?", "answer": "fine"},
        {
            "question": asked,
            "answer": "ok",
            "cost": "free",
            "latency_seconds": -1,
            "output_tokens": True,
            "contexts": "A",
        },
        {"question_id": "Q1", "answer": "which suite?"},
        {"question_id": "Q1", "suite": "s2", "answer": "this one"},
        {"question_id": "Q77", "answer": "none such"},
    )
    rows = load(connection, f"mine={path}")
    problems = [(row["source_row"], row["reason"]) for row in rows if row["reason"]]
    assert problems == [
        (2, "unreadable_row"),
        (3, "unreadable_row"),
        (4, "no_question"),
        (5, "no_answer"),
        (6, "unmatched"),
        (7, "bad_value"),
        (7, "bad_value"),
        (7, "bad_value"),
        (7, "bad_value"),
        (8, "ambiguous"),
        (10, "unmatched"),
    ]
    answers = [row for row in rows if row["reason"] is None]
    assert [(row["source_row"], row["suite"], row["answer_number"]) for row in answers] == [
        (1, "s1", 1),
        (5, "s1", 2),
        (7, "s1", 3),
        (9, "s2", 1),
    ]
    assert (answers[0]["input_tokens"], answers[0]["output_tokens"]) == (7, None)
    assert [context["sentence_ids"] for context in json.loads(answers[0]["contexts"])] == [[], ["x_1"]]
    assert answers[1]["answer_text"] is None  # scored as an error
    assert (answers[2]["cost_usd"], answers[2]["contexts"]) == (None, None)
    assert "Q1 is a question of s1, s2" in next(row["detail"] for row in rows if row["reason"] == "ambiguous")


def test_what_a_run_leaves_out_of_a_suite_is_told(connection, tmp_path):
    path = write(tmp_path / "a.jsonl", {"question_id": "Q1", "suite": "s1", "answer": "ok"})
    told = [row for row in load_all(connection, f"mine={path}") if row["reason"] == "missing_question"]
    others = [
        (suite, question_id, text)
        for suite, question_id, text, *_ in QUESTIONS
        if suite == "s1" and question_id != "Q1"
    ]
    assert others and [(row["suite"], row["question_id"], row["question_text"]) for row in told] == others
    assert {(row["external_run"], row["file_path"], row["source_row"]) for row in told} == {("mine", None, None)}


def test_rows_of_failed_calls_are_of_the_one_model_that_a_run_names(connection, tmp_path):
    failed = {"question_id": "Q1", "suite": "s2", "error": "503"}
    stated = {"question_id": "Q1", "suite": "s1", "answer": "ok", "model": "a"}

    def models(*rows: dict) -> list[str]:
        found = load(connection, f"mine={write(tmp_path / 'a.jsonl', *rows)}")
        return [row["answer_model"] for row in found if row["reason"] is None]

    assert models(stated, failed) == ["a", "a"]
    assert models(stated, stated | {"model": "b"}, failed) == ["a", "b", "unknown"]
    assert models(failed) == ["unknown"]


def test_an_answer_may_be_a_number_yes_or_no_or_a_list(connection, tmp_path):
    asked = QUESTIONS[1][2]
    stated = [
        *({"answer": 1577}, {"answer": 0}, {"answer": 0.5}, {"answer": True}, {"answer": ["a", 2]}),
        *({"answer": None, "answer_numeric": 5.0}, {"answer": " ", "answer_boolean": False}),
        *({"answer": 3, "answer_numeric": 4.0}, {"answer": {"value": 3}}, {"answer": [["a"]]}, {"answer": []}),
    ]
    path = write(tmp_path / "a.jsonl", *({"question": asked} | row for row in stated))
    rows = load(connection, f"mine={path}")
    columns = ("answer_text", "answer_numeric", "answer_boolean", "answer_items")
    assert [tuple(row[name] for name in columns) for row in rows if row["reason"] is None] == [
        ("1577", 1577.0, None, None),
        ("0", 0.0, None, None),
        ("0.5", 0.5, None, None),
        ("Yes", None, True, None),
        ("a\n2", None, None, ["a", "2"]),
        ("5", 5.0, None, None),
        ("No", None, False, None),
        ("3", 4.0, None, None),
        (None, None, None, None),
        (None, None, None, None),
        (None, None, None, []),
    ]
    assert [(row["source_row"], row["reason"]) for row in rows if row["reason"]] == [
        *((9, "bad_value"), (9, "no_answer"), (10, "bad_value"), (10, "no_answer"), (11, "no_answer")),
    ]


@pytest.mark.parametrize("stated", [2, 2.0])
def test_an_id_may_be_a_number(connection, tmp_path, stated):
    connection.execute("insert into questions values ('fiqa', '2', 'Which?', [], 'That.')")
    rows = load(
        connection, f"mine={write(tmp_path / 'a.jsonl', {'question_id': stated, 'suite': 'fiqa', 'answer': 'That.'})}"
    )
    assert [(row["suite"], row["question_id"], row["reason"]) for row in rows] == [("fiqa", "2", None)]


def test_a_text_that_a_suite_asks_twice_is_ambiguous_unless_it_is_verbatim(connection, tmp_path):
    """Elsewhere it counts; of two that differ in their marks alone the one in the same letters is meant."""
    asked = [("twice", "a", "Was cash up?"), ("twice", "b", "Was cash up?"), ("once", "c", "Was cash up?")]
    asked += [("marks", "d", "Was cash (up)?"), ("marks", "e", "Was cash up?")]
    connection.executemany("insert into questions values (?, ?, ?, [], 'Yes.')", asked)
    rows = load(connection, f"mine={write(tmp_path / 'a.jsonl', {'question': 'Was cash up?', 'answer': 'Yes.'})}")
    assert [(row["suite"], row["question_id"]) for row in rows if row["reason"] is None] == [
        ("marks", "e"),
        ("once", "c"),
    ]
    [told] = [row for row in rows if row["reason"]]
    assert told["reason"] == "ambiguous" and told["detail"].startswith("twice asks this as a, b; state the question_id")


def test_a_file_that_is_no_json_is_one_problem(connection, tmp_path):
    (tmp_path / "b.json").write_bytes(b"\xff\xfe\x00")
    write(tmp_path / "c.json", "{")
    rows = load(connection, f"mine={tmp_path}/*.json")
    assert [(row["reason"], row["source_row"]) for row in rows] == [("unreadable_file", 0)] * 2


def test_no_external_answers_is_an_empty_table(connection):
    relation = load_answers(connection, "", connection.table("questions"), connection.table("strategies"))
    assert relation.columns == list(OUTPUT)
    assert relation.fetchall() == []


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("mine", "without a path"),
        ("=a.jsonl", "letters, digits"),
        ("my run=a.jsonl", "without a path"),
        ("dense=a.jsonl", "is a strategy here"),
        ("mine=nothing-here-*.jsonl", "matches no file"),
        ("mine='a", "cannot be read"),
    ],
)
def test_settings_that_are_wrong_say_what_is_allowed(connection, setting, said):
    with pytest.raises(FinragError, match=said):
        load(connection, setting)


def test_paths_are_of_files_and_home_is_known(connection, tmp_path, monkeypatch):
    write(tmp_path / "a.jsonl", {"question": "q", "answer": "yes"})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_all(connection, "mine=~/a.jsonl") == load_all(connection, f"mine={tmp_path}/a.jsonl")
    with pytest.raises(FinragError, match=r"names the folder .*Name the files in it"):
        load(connection, f"mine={tmp_path}")
    (tmp_path / "z.jsonl").symlink_to("z.jsonl")
    with pytest.raises(FinragError, match=r"z\.jsonl', a link that leads to no file"):
        load(connection, f"mine={tmp_path}/*.jsonl")


def test_lines_in_a_json_file_are_rows_and_csv_is_one_fault(connection, tmp_path):
    lines = '{"question": "q1", "answer": "yes"}\n{"question": "q2", "answer": "no"},\n'
    write(tmp_path / "a.json", lines)
    write(tmp_path / "b.csv", "question,answer\nq1,yes\nq2,no\n")
    found = [
        [(row.source_row, row.stated.answer, row.problems) for row in files.read_answers(NamedFile("mine", str(path)))]
        for path in (tmp_path / "a.json", tmp_path / "b.csv")
    ]
    (good, bad), (csv,) = found
    assert good == (1, "yes", []) and bad[2][0][0] == "unreadable_row"
    assert csv[0] == 0 and csv[2][0][1].startswith("is CSV, in which all values are texts; give JSON")


def test_passages_of_a_saved_response_have_their_source():
    context = (
        "═══════\nKPI SNAPSHOT\n═══════\nRevenue=$5\n\nNARRATIVE CONTEXT - SEC FILINGS\n"
        "=== [ACM] Acme | FY 2019 | Doc: 0000000042_10-K_2019 | Item 7: MD&A | Sentences: "
        "0000000042_10-K_2019_section_7_3 - 0000000042_10-K_2019_section_7_5 ===\n\nSales rose.\n"
    )
    before, passage = files.passages(context)
    assert before == {"text": "KPI SNAPSHOT\n\nRevenue=$5"}
    assert passage == {
        "text": "Sales rose.",
        "sentence_ids": [f"0000000042_10-K_2019_section_7_{place}" for place in (3, 4, 5)],
        "cik": 42,
        "report_year": 2019,
    }


@pytest.mark.parametrize(
    ("first", "last", "ids"),
    [
        ("a_7_3", None, ["a_7_3"]),
        ("a_7_3", "a_7_3", ["a_7_3"]),
        ("a_7_3", "b_7_4", ["a_7_3", "b_7_4"]),
        ("a_7_5", "a_7_3", ["a_7_5", "a_7_3"]),
    ],
)
def test_a_range_of_ids_stays_within_a_section(first, last, ids):
    assert files.id_range(first, last) == ids


def test_the_real_runs_are_read_and_matched(real_data, tmp_path):
    connection = duckdb.connect()
    connection.execute("create table strategies as select 'dense' as strategy")
    connection.execute(
        "create table questions as select parse_filename(filename, true) as suite, question_id, question_text,"
        " company_name, answer_text::varchar as answer_text from read_json(?, filename = true)",
        [str(real_data / "finsights" / "gold" / "*.json")],
    )
    rows = load(connection, f"finsights={real_data}/finsights/runs/*.json")
    answers = [row for row in rows if row["reason"] is None]
    assert len({row["source_answer_id"] for row in rows}) == 23
    assert len({row["source_answer_id"] for row in answers}) == 22
    assert [(row["reason"], row["question_text"][:24]) for row in rows if row["reason"]] == [
        ("unmatched", "For NVIDIA and Microsoft")
    ]
    assert {row["match_kind"] for row in answers} == {"exact"}
    assert all(row["cost_usd"] > 0 and row["latency_seconds"] > 1 and row["input_tokens"] > 1000 for row in answers)
    assert all(any(context["cik"] for context in json.loads(row["contexts"])) for row in answers)


def run_id_of(key_points: list[str] | None = None, **stated: object) -> str:
    """The run of one external answer to one question with these key points, as models/answers/answers.sql names it."""
    with in_memory() as connection:
        of_gold = "question_text answer_type answer_text answer_numeric answer_unit tolerance cik_int years".split()
        connection.execute(
            "create table p3_questions as select 's' as suite, 'Q1' as question_id, []::varchar[] as answer_items,"
            f" []::varchar[] as evidence_sentence_ids, {', '.join(f'null::varchar as {name}' for name in of_gold)}"
        )
        connection.execute(
            "create table int_suite_questions as select 's:Q1' as question_key, ?::varchar[] as key_points",
            [key_points],
        )
        requests = "item_id suite query_id strategy embedding_model retrieval_run_id".split()
        responses = (
            "item_id model_id provider is_baseline replicate status output input_tokens output_tokens cost_usd"
            " latency_seconds error call_key prompt_version"
        ).split()
        types = OUTPUT | {"output": "json", "replicate": "integer", "is_baseline": "boolean"}
        for table, names in (("int_answer_requests", requests), ("int_answer_responses", responses)):
            columns = [f"{name} {types.get(name, 'varchar')}" for name in names]
            connection.execute(f"create table {table} ({', '.join(columns)})")
        connection.execute(f"create table int_external_answers ({', '.join(f'{n} {t}' for n, t in OUTPUT.items())})")
        row = {"external_run": "mine", "suite": "s", "question_id": "Q1", "answer_model": "m", "answer_number": 1}
        row |= {"answer_text": "Five.", **stated}
        places = ", ".join("?" * len(row))
        connection.execute(f"insert into int_external_answers ({', '.join(row)}) values ({places})", [*row.values()])
        query = (ROOT / "models/answers/answers.sql").read_text(encoding="utf-8")
        [(run_id,)] = connection.sql(re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"\1", query)).project("run_id").fetchall()
    return run_id


def test_another_field_of_an_answer_makes_another_run():
    """Scores read the fields, so a file whose fields alone differ is no row of the earlier run."""
    fields = [
        *({"answer_items": items} for items in (["a", "b"], ["a, b"])),
        *({"answer_numeric": value} for value in (5.0, 6.0)),
        *({"answer_unit": "USD"}, {"answer_unit": "%"}, {"answer_numeric": 5.0, "answer_unit": "USD"}),
        *({"answer_boolean": True}, {"answer_boolean": False}, {"is_answerable": True}, {"is_answerable": False}),
        {"cited_sentence_ids": ["a"]},
    ]
    ids = [run_id_of(), *(run_id_of(**stated) for stated in fields)]
    assert len(set(ids)) == len(ids)
    assert run_id_of(answer_numeric=5.0) == run_id_of(answer_numeric=5.0)


def test_other_key_points_make_another_run():
    """They are scored, so two versions of a suite that differ in them alone are two runs."""
    ids = [run_id_of(key_points) for key_points in (None, ["$5 million."], ["$5 million.", "Sales rose."])]
    assert len(set(ids)) == 3
    assert run_id_of(["$5 million."]) == ids[1]


def scored(connection, rows: list[tuple]) -> duckdb.DuckDBPyRelation:
    connection.execute(
        "create or replace table answers (answer_id varchar, suite varchar, query_id varchar, answer_text varchar,"
        " is_error boolean)"
    )
    connection.executemany("insert into answers values (?, ?, ?, ?, ?)", rows)
    return connection.table("answers")


def test_every_answer_is_paired_with_its_gold_and_with_another(connection):
    answers = scored(
        connection,
        [
            ("a", "s1", "s1:Q1", "Five.", False),
            ("b", "s1", "s1:Q1", "Five.", False),
            ("c", "s1", "s1:Q2", None, True),
            ("d", "s2", "s2:Q1", "Five.", False),  # the only gold answer of its suite has no partner
            ("e", "s2", "s2:Q9", "None.", False),  # no gold answer
        ],
    )
    table = pairs.pair_answers(answers, connection.table("questions")).to_pylist()
    kinds = [(row["answer_id"], row["kind"]) for row in table]
    assert kinds == [("a", "own"), ("a", "shuffled"), ("b", "own"), ("b", "shuffled"), ("d", "own")]
    own, shuffled = table[:2]
    assert own["reference"] == "It was $5 million."
    assert shuffled["partner_query_id"] in ("s1:Q2", "s1:Q3")
    assert shuffled["reference"] != own["reference"]
    assert [row["pair_id"] for row in table[:2]] == [row["pair_id"] for row in table[2:4]]
    assert pairs.pair_id("ab", "c") != pairs.pair_id("a", "bc")


@pytest.mark.parametrize("cited", ["[0000104169_10-K_2018_section_7_142]", "[1, 2]", "[WMT, FY 2018, Item 7: MD&A]"])
def test_what_an_answer_cites_is_none_of_its_words(connection, cited):
    answers = scored(
        connection, [("a", "s1", "s1:Q1", f"It was $5 million {cited}.", False), ("b", "s1", "s1:Q1", cited, False)]
    )
    table = pairs.pair_answers(answers, connection.table("questions")).to_pylist()
    assert [row["candidate"] for row in table if row["kind"] == "own"] == ["It was $5 million.", cited]
    own = table[0]
    assert rouge_l([own["candidate"]], [own["reference"]]).f1.tolist() == [1.0]


@pytest.fixture
def registry(connection, tmp_path) -> duckdb.DuckDBPyRelation:
    path = tiny_models.bert(tmp_path / "tiny")
    connection.execute(
        "create table score_models (model_id varchar, kind varchar, model_name varchar, revision varchar,"
        " num_layers integer, max_tokens integer, rescale_precision double, rescale_recall double, rescale_f1 double)"
    )
    rows = [("tiny", "bertscore", path, 0.5), ("other", "bertscore", path, None)]
    connection.executemany(
        "insert into score_models select $1, $2, $3, null, 2, null, $4, $4, $4", [list(row) for row in rows]
    )
    return connection.table("score_models")


@pytest.mark.slow
def test_pairs_are_scored_once_per_version_of_the_scorers(connection, registry):
    connection.execute(
        "create table pairs as from (values ('p', 'net sales rose', 'net sales rose'),"
        " ('q', 'debt fell', 'net sales rose'), ('p', 'net sales rose', 'net sales rose'))"
        " as pairs (pair_id, candidate, reference)"
    )
    table = similarity.score_pairs(connection.table("pairs"), registry, "tiny", None, done=())
    assert table.column_names == list(similarity.COLUMNS)
    same, other = table.to_pylist()
    assert same["rouge_l"] == 1
    assert same["bertscore"] == pytest.approx(1, abs=1e-3)
    assert other["rouge_l"] == 0
    assert other["bertscore"] < same["bertscore"]
    assert same["bertscore_rescaled"] == pytest.approx(2 * same["bertscore"] - 1)
    assert (same["bertscore_model"], same["bertscore_layer"]) == ("tiny", 2)
    assert (same["bleurt"], same["cosine"], same["cosine_model"]) == (None, None, None)
    assert "no model of kind bleurt" in same["bleurt_reason"]
    done = {(row["pair_id"], row["scorer_version"]) for row in (same, other)}
    assert similarity.score_pairs(connection.table("pairs"), registry, "tiny", None, done).num_rows == 0
    assert similarity.score_pairs(connection.table("pairs"), registry, "tiny", None, list(done)[:1]).num_rows == 1
    assert similarity.score_pairs(connection.table("pairs"), registry, "", None, done).num_rows == 2


def test_two_score_models_of_a_kind_are_refused(connection, registry):
    with pytest.raises(FinragError, match=r"other and tiny|tiny and other"):
        similarity.one_of_each(similarity.registry_rows(registry), "tiny other")


def answer(**fields) -> verdicts.Answer:
    given = {
        "content_key": "k",
        "question_text": "What was revenue?",
        "answer_type": "span",
        "gold_text": "Revenue was $5.0 million.",
        "gold_items": [],
        "gold_numeric": None,
        "gold_unit": None,
        "tolerance": None,
        "key_points": None,
        "evidence": [],
        "companies": [],
        "answer_text": "Revenue was $5.0 million.",
        "answer_items": None,
        "answer_numeric": None,
        "answer_unit": None,
        "answer_boolean": None,
        "is_answerable": None,
        "cited_sentence_ids": None,
        "existing_sentence_ids": [],
        "contexts": [],
    }
    return verdicts.Answer(**given | fields)


def judged(**fields) -> dict:
    return verdicts.judge(answer(**fields), bad_questions.CrossReferences([]))


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({}, (None, None)),
        ({"key_points": ["Revenue was $5.0 million.", "Costs were $4.0 million."]}, (1, 2)),
        ({"key_points": ["Revenue was $5.0 million."], "answer_text": "The context does not say."}, (0, 1)),
    ],
)
def test_key_points_are_counted_where_the_suite_has_them(fields, counts):
    found = judged(**fields)
    assert (found["key_points_stated"], found["key_points_total"]) == counts


NUMBER = {"answer_type": "numeric", "gold_numeric": 5.0, "gold_unit": "USD millions", "tolerance": 0.05}
LATEST = {"question_text": "What was Oda's revenue in the fiscal year ended February 2, 2025?"}
IN_TURN = (
    "It was $2.0 million in fiscal 2021, $3.0 million in fiscal 2022, $4.0 million in fiscal 2023 and $5.0 million in "
)


@pytest.mark.parametrize(
    ("text", "matched"),
    [
        ("Revenue was $5.0 million in fiscal 2024.", True),
        ("Revenue was $5.0 million in fiscal 2025, compared with $4.0 million in fiscal 2024.", True),
        ("Revenue was $5.0 million in the fiscal year ended February 2, 2025 and $4.0 million in fiscal 2023.", True),
        # the figure of the year among many, by the name that the answer gives it
        (f"{IN_TURN}fiscal 2024.", True),
        (f"{IN_TURN}fiscal 2025.", True),
        ("Revenue was $4.0 million in fiscal 2023.", False),
        ("Revenue was $4.0 million in fiscal 2024 and $5.0 million in fiscal 2023.", False),
    ],
)
def test_a_year_may_be_called_by_its_end_or_by_its_beginning(text, matched):
    assert judged(**NUMBER | LATEST, answer_text=text)["numeric_match"] == matched


@pytest.mark.parametrize("year", ["fiscal 2024", "fiscal 2025", "the fiscal year ended February 2, 2025"])
def test_a_yes_may_call_the_year_by_its_end_or_by_its_beginning(year):
    asked = "Did Oda's revenue increase in the fiscal year ended February 2, 2025?"
    found = judged(
        question_text=asked,
        answer_type="boolean",
        gold_text="Yes. It rose.",
        answer_text=f"Revenue increased in {year}.",
    )
    assert found["boolean_match"] is True


@pytest.mark.parametrize(
    ("fields", "matched", "source", "reason"),
    [
        ({"answer_numeric": 5.04e6, "answer_unit": "USD"}, True, "field", "within_tolerance"),
        ({"answer_numeric": 5.04, "answer_unit": "USD millions"}, True, "field", "within_tolerance"),
        ({"answer_numeric": 5.06e6, "answer_unit": "USD"}, False, "field", "outside_tolerance"),
        ({"answer_numeric": 5.0, "answer_unit": "USD"}, True, "text", "within_tolerance"),
        ({"answer_text": "It was $5.", "answer_numeric": 5.0, "answer_unit": "USD"}, False, "field", "scale_error"),
        ({"answer_numeric": 5.0, "answer_unit": "%"}, True, "text", "within_tolerance"),
        ({"answer_numeric": 5.0, "answer_unit": "doubloons"}, True, "text", "within_tolerance"),
        ({}, True, "text", "within_tolerance"),
        ({"answer_text": "It rose."}, False, "text", "no_number"),
        ({"answer_text": "None."}, False, "text", "abstains"),
        ({"answer_text": "None.", "gold_numeric": 0.0}, True, "text", "within_tolerance"),
        ({"answer_text": "Not available.", "gold_numeric": 0.0}, False, "text", "abstains"),
        ({"is_answerable": False, "answer_numeric": 5e6, "answer_unit": "USD"}, False, "text", "abstains"),
    ],
)
def test_numbers_come_from_the_field_where_its_unit_fits(fields, matched, source, reason):
    found = judged(**NUMBER | fields)
    assert (found["numeric_match"], found["numeric_source"], found["numeric_reason"]) == (matched, source, reason)


@pytest.mark.parametrize(
    ("fields", "matched", "reason"),
    [
        ({"answer_boolean": True, "answer_text": "No."}, True, "field"),
        ({"answer_text": "No, it did not."}, False, "leading"),
        ({"is_answerable": False, "answer_boolean": True}, False, "abstains"),
        ({"gold_text": "Sales rose."}, None, "gold_unclear"),
        ({"gold_text": "Sales rose.", "is_answerable": False}, None, "gold_unclear"),
    ],
)
def test_yes_or_no(fields, matched, reason):
    found = judged(**{"answer_type": "boolean", "gold_text": "Yes. It did."} | fields)
    assert (found["boolean_match"], found["boolean_reason"]) == (matched, reason)


def test_lists_take_the_items_and_else_the_text():
    of_list = {"answer_type": "list", "gold_items": ["cloud growth", "new stores"]}
    assert judged(**of_list, answer_items=["New stores", "growth in cloud"])["list_match"] is True
    assert judged(**of_list, answer_text="- cloud growth\n- new stores")["list_jaccard"] == 1
    abstaining = judged(**of_list, is_answerable=False, answer_items=["new stores"])
    assert (abstaining["list_match"], abstaining["list_jaccard"], abstaining["list_reason"]) == (False, 0, "abstains")
    assert judged()["list_match"] is None


def test_a_span_has_no_verdict_and_an_abstention_is_told():
    found = judged(answer_text="The filing does not disclose revenue.")
    assert (found["numeric_match"], found["boolean_match"], found["list_match"]) == (None, None, None)
    assert found["abstention_kind"] == "full"
    assert judged()["abstention_kind"] == "none"


def evidence(name: str, cik: int | None = 42, text: str = "", stands_for: str | None = None) -> dict:
    place = {"cik": cik, "report_year": 2019, "section_id": "ITEM_7"}
    return {"sentence_id": name, **place, "text": text, "stands_for": [stands_for or name]}


def test_citations_count_against_context_gold_and_corpus():
    found = judged(
        cited_sentence_ids=["s1", "s2", "s3", "made_up"],
        existing_sentence_ids=["s1", "s2", "s3"],
        evidence=[evidence("s1"), evidence("s9")],
        contexts=[{"cik": 42, "text": "", "sentence_ids": ["s1", "s2"]}],
    )
    assert (found["cited_count"], found["citation_existing_share"], found["citation_in_context_share"]) == (
        4,
        0.75,
        0.5,
    )
    assert (found["citation_support_share"], found["citation_evidence_recall"]) == (0.25, 0.5)
    assert judged(cited_sentence_ids=["s1"], contexts=None)["citation_in_context_share"] is None


def test_a_fact_is_cited_by_any_sentence_that_states_it_and_once():
    gold = [evidence("s1"), evidence("s9"), *(evidence(f"{name}_again", stands_for=name) for name in ("s1", "s9"))]
    other = judged(cited_sentence_ids=["s1_again"], evidence=gold)
    assert (other["citation_support_share"], other["citation_evidence_recall"]) == (1, 0.5)
    twice = judged(cited_sentence_ids=["s1", "s1_again"], evidence=gold)
    assert (twice["citation_support_share"], twice["citation_evidence_recall"]) == (1, 0.5)
    assert judged(cited_sentence_ids=["s1", "s9_again"], evidence=gold)["citation_evidence_recall"] == 1


def test_labels_support_if_they_name_an_item_that_holds_the_evidence():
    outside = evidence("0000000042_10-K_2018_section_1a_3", cik=None)
    fields = {
        "answer_text": "Sales rose [ACM, FY 2019, Item 7: MD&A], risks [ACM, FY 2018, Item 1A]. [ACM, FY 2017, Item 7]",
        "evidence": [evidence("s1"), outside],
    }
    companies = [{"cik": 42, "company_name": "Acme Corp.", "ticker": "ACM"}]
    found = judged(**fields, companies=companies)
    assert (found["label_count"], found["label_support_share"]) == (3, pytest.approx(2 / 3))
    assert judged(**fields)["label_support_share"] is None  # no ticker is known


def test_one_companys_fact_told_of_another():
    companies = [
        {"cik": 1, "company_name": "Acme Corp.", "ticker": None},
        {"cik": 2, "company_name": "Borealis Inc.", "ticker": None},
    ]
    sources = [
        evidence("a", 1, "Interest expense rose to $15.9 million."),
        evidence("b", 2, "Interest expense was $3.2 million."),
    ]
    wrong = judged(answer_text="Acme interest expense rose to $3.2 million.", companies=companies, evidence=sources)
    right = judged(answer_text="Acme interest expense rose to $15.9 million.", companies=companies, evidence=sources)
    assert (wrong["misattributed_count"], wrong["misattributed_share"]) == (1, 1.0)
    assert (right["misattributed_count"], right["misattributed_share"]) == (0, 0.0)
    alone = judged(answer_text="Acme interest expense rose to $3.2 million.", companies=companies[:1], evidence=sources)
    assert (alone["attribution_checked_count"], alone["misattributed_share"]) == (0, None)


def test_content_is_judged_once_and_again_when_the_rules_change(connection):
    patterns = "create or replace table patterns as select 'include' as role, '{}' as pattern"
    connection.execute(patterns.format("see item"))
    columns = ", ".join(f"${name} as {name}" for name in verdicts.INPUT)
    values = vars(answer(evidence=[evidence("s1")], companies=[{"cik": 1, "company_name": "A", "ticker": "A"}]))
    values |= {"contexts": [{"cik": 1, "text": "t", "sentence_ids": ["s1"]}]}
    connection.execute(f"create table inputs as select {columns}, false as is_error", values)
    connection.execute("insert into inputs select * from inputs")  # the same content, answered twice
    connection.execute("insert into inputs select * replace ('failed' as content_key, true as is_error) from inputs")

    def judge(done=()):
        found = verdicts.judge_answers(connection, connection.table("inputs"), connection.table("patterns"), done)
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]

    (row,) = judge()
    assert list(row) == list(verdicts.OUTPUT)
    assert row["content_key"] == "k"
    assert judge({row["verdict_key"]}) == []
    connection.execute(patterns.format("refer to"))
    assert len(judge({row["verdict_key"]})) == 1


def test_the_seeds_rule_in_sql_has_the_seeds_thresholds():
    text = (ROOT / "models" / "metrics" / "answer_items.sql").read_text(encoding="utf-8")
    rule = f"rouge_l < {bad_questions.SEED_ROUGE_L} and own_scores.bertscore > {bad_questions.SEED_BERTSCORE} and"
    assert rule in text
    meta, other = "Reference is made to Item 8.", "Revenue rose."
    for gold, said, is_bad in ((meta, meta, True), (meta, other, False), (other, meta, False)):
        assert bad_questions.seed_rule(gold, said, 0.0, 1.0) is is_bad


def metric(name: str, kind: str) -> Metric:
    return Metric(name, 0, name, kind, 0, ("covered", "all"), "every_run", True)


@pytest.mark.parametrize("repeats", [1, 2])
def test_answers_to_one_question_are_one_cluster(repeats):
    connection = duckdb.connect()
    connection.execute(
        "create table items as select query_id || '#' || number as answer_id, query_id, query_id as cluster_id,"
        " query_id != 'd' as is_covered, query_id = 'c' as is_error, query_id = 'a' as is_right, 0.5 as score"
        f" from (values ('a'), ('b'), ('c'), ('d')) as questions (query_id), range({repeats}) as numbers (number)"
    )
    strata = [Stratum("overall", "all", frozenset("abcd")), Stratum("difficulty", "hard", frozenset("c"))]
    metrics = [metric("is_right", "proportion"), metric("score", "mean")]
    (items,) = read_items(connection.table("items"), metrics, TASKS["answer_items"])
    assert items.variant == ("none", "answer")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in roll_up(items, strata)]
    found = {(row["population"], row["stratum_by"], row["metric"]): row for row in rows}
    right = found["all", "overall", "is_right"]
    counts = [right[name] for name in ("n_total", "n_covered", "n_measured", "n_error", "n_clusters")]
    assert counts == [4 * repeats, 3 * repeats, 3 * repeats, repeats, 3]
    # One question of three right. Answered twice: variance 3/2 * (16 + 4 + 4)/9 / 36 = 1/9, naive (2/9) / 5, deff 5/2.
    low, high = wilson_interval(1 / 3, {1: 3, 2: 6 / 2.5}[repeats] * (Z / 4.302652729696142) ** 2)
    assert right["value"] == pytest.approx(1 / 3) and right["ci_method"] == "wilson"
    assert (right["ci_low"], right["ci_high"]) == (pytest.approx(float(low)), pytest.approx(float(high)))
    assert found["covered", "overall", "is_right"]["value"] == pytest.approx(1 / 2)
    failed = found["all", "difficulty", "is_right"]
    assert (failed["n_measured"], failed["n_error"]) == (0, repeats)
    # all scores are alike: as many effective items as questions
    assert found["all", "overall", "score"]["n_eff"] == 3
