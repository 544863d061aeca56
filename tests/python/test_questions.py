"""Questions of our own on the demo warehouse, external suites beside them, and the way out to JSON and back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pyarrow
import pytest

from databases import in_memory
from emulator import Emulator
from finrag.errors import FinragError
from finrag.inputs.suites import suite_files
from finrag.questions.export import FIELDS, export_suite, records_of
from finrag.questions.perturb import Asked
from finrag.questions.stress import deck_of
from finrag.tasks.write_question import TASK
from finrag.text.companies import Companies
from finrag.text.wording import (
    because,
    filings_in_words,
    lower_clause,
    lower_first,
    short_name,
    third_person,
)
from same_tables import differences, public_tables
from suite_rows import read_suite
from warehouses import OTHER_ANSWERS, ROOT, Warehouse

CATEGORIES = list("ABCDEFGHIJ")
PUBLISHED = {"p3_gold_qtest_31q_ffhall": 31, "p3_gold_test_suite_31q": 31}
EXAMPLES = ROOT / "docs" / "examples" / "questions.json"
SHARED_PAIRS = [("007", "008"), ("010", "011"), ("013", "014"), ("015", "016"), ("017", "018")]
# The seeds of a copy are there, and a test may have changed their tables. A build without dbt's tests reads no tests.
MODELS_ALONE = ("--exclude-resource-type", "seed", "--select")


def rebuild(warehouse: Warehouse, *models: str, **variables: object) -> Warehouse:
    """Build models and what follows from them, within the questions, with vars of the test's own."""
    selected = [f"{model}+,config.schema:{schema}" for model in models for schema in ("questions", "gold")]
    return warehouse.build(*MODELS_ALONE, *selected, **variables)


@pytest.fixture(scope="module")
def exported(demo: Warehouse, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("suites") / "exported.json"
    with duckdb.connect(str(demo.database), read_only=True) as connection:
        assert export_suite(connection, path) == demo.value("select count(*) from gold.p3_questions where is_own")
    return path


@pytest.fixture(scope="module")
def with_suites(demo: Warehouse, exported: Path, real_data: Path, tmp_path_factory) -> Warehouse:
    """The demo warehouse with its own suite read back, the documented examples and both published suites.

    Its output is what the end of a build says of them.
    """
    copy = demo.copy(tmp_path_factory.mktemp("with_suites") / "demo")
    copy.linked("suites", exported, EXAMPLES, *real_data.glob("finsights/gold/*.json"))
    rebuild(copy, "int_external_questions", **OTHER_ANSWERS)
    done = copy.dbt("compile", "--quiet", "--inline", "{{ input_lines() | join('|') }}", **OTHER_ANSWERS)
    assert done.returncode == 0, done.stdout
    copy.keep_open()
    return copy


def test_the_end_of_a_build_says_of_each_suite_what_was_loaded(with_suites, exported):
    count = len(json.loads(exported.read_text(encoding="utf-8")))
    told = re.findall(r"suites +(\w+) +([\d,]+) rows, ([\d.]+) % of the evidence in the corpus", with_suites.output)
    assert ("exported", f"{count:,}", "100.0") in told, with_suites.output
    assert PUBLISHED.items() <= {suite: int(rows) for suite, rows, _ in told if suite in PUBLISHED}.items()


@pytest.mark.parametrize(("facts", "lines"), [("f.csv", 1), ("auto", 0)])
def test_the_end_of_a_build_says_how_many_facts_and_vectors_were_of_use(empty, facts, lines):
    with duckdb.connect(str(empty.database)) as made:
        made.execute(
            "create schema staging; create schema corpus; create table corpus.fct_sentences (sentence_id varchar);"
            " create schema seeds; create table seeds.kpi_fact_metrics as select 'revenue' as metric_key;"
            " create schema retrieval; create table retrieval.int_embedded_texts as"
            " select 'theirs' as model_id, 3 as embedded_count, 4 as text_count, 'imported' as precision"
        )
        made.execute(
            "create table staging.stg_xbrl__company_facts as"
            " select if(range < 300, 'revenue', 'Revenues') as metric_key from range(1200)"
        )
        made.execute(
            "create table staging.input_problems as select 'facts' as input, 'company_facts' as name,"
            " null::varchar as regime, 'no_metric' as reason from range(3)"
        )
    done = empty.dbt("compile", "--quiet", "--inline", "{{ input_lines() | join('|') }}", company_facts=facts)
    of_facts = r"facts +company_facts +1,200 rows, 25.0 % of a KPI \(kpi_fact_metrics\); 3 no metric"
    assert len(re.findall(of_facts, done.stdout)) == lines, done.stdout
    assert re.search(r"vectors +theirs +3 rows, 75.0 % of the texts have one", done.stdout), done.stdout


def test_every_category_has_questions(demo):
    counted = demo.rows(
        "select category, count(distinct paraphrase_group_id) from gold.p3_questions where is_own group by 1 order by 1"
    )
    assert [category for category, _ in counted] == CATEGORIES
    assert all(count >= 2 for _, count in counted), counted


def test_every_category_has_questions_about_real_filings(real):
    assert real.rows("select distinct category from gold.p3_questions order by 1") == [(each,) for each in CATEGORIES]


def shapes_that_failed(warehouse: Warehouse) -> dict[str, str]:
    return dict(
        warehouse.rows("select shape, reason from questions.p3_question_shapes where accepted_count = 0 order by shape")
    )


def test_every_shape_of_the_registry_is_asked_or_has_its_reason(demo):
    # one company has tags, so nothing is absent from one that others have
    none = "nothing in the corpus gives such a question"
    assert shapes_that_failed(demo) == {"absent_concept": none, "offset": none}


def test_every_shape_is_asked_about_real_filings_or_has_its_reason(real):
    failed = shapes_that_failed(real)
    # these files have no tags
    of_tags = {"tagged", "tagged_part", "tagged_change", "tagged_parts", "absent_concept"}
    assert of_tags <= failed.keys() and len(failed.keys() - of_tags) <= 3
    assert all(failed.values()), failed


def test_risks_are_of_five_topics(demo):
    topics = demo.rows("""
        select regexp_extract(notes, '\\w+$'), count(distinct paraphrase_group_id)
        from gold.p3_questions where is_own and category = 'C' group by 1
    """)
    assert len(topics) >= 5 and sum(count for _, count in topics) >= 10, topics


def test_a_date_is_asked_for_that_the_question_does_not_name(demo):
    asked = demo.rows("select question_text, answer_text from gold.p3_questions where is_own and category = 'I'")
    assert asked and not any(date in text for text, date in asked)


def test_evidence_is_no_heading_and_no_line_of_an_index(demo):
    assert not demo.rows("""
        select sentence_id, sentence_kind
        from gold.p3_evidence
        inner join gold.p3_questions using (suite, question_id)
        inner join corpus.fct_sentences using (sentence_id)
        where suite = 'p3' and (
            sentence_kind in ('heading', 'index_line')
            -- of a tagged figure also a row
            or (
                grade = 2 and matched_by != 'same_fact' and sentence_kind not in ('prose', 'list_item')
                and (sentence_kind != 'table_row' or bundle_id not like 'tags_%')
            )
        )
    """)
    rows = "select count(*) from gold.p3_evidence inner join corpus.fct_sentences using (sentence_id) where grade = 2"
    assert demo.value(f"{rows} and sentence_kind = 'written_row'") > 50


def test_no_category_exceeds_its_quota_or_a_shape_its_share_of_a_company(demo):
    assert not demo.rows("""
        select category, difficulty, count(distinct paraphrase_group_id) as asked
        from gold.p3_questions inner join seeds.question_quotas using (category, difficulty)
        group by all having asked > any_value(questions)
    """)
    assert not demo.rows("""
        select category, difficulty, shape, cik_ints[1], count(distinct candidate_id) as asked
        from questions.int_question_verdicts inner join seeds.question_quotas using (category, difficulty)
        where verdict = 'kept'
        group by all having asked > any_value(per_company)
    """)


def test_wordings_share_their_group_and_answer(demo):
    wordings = demo.rows("""
        select paraphrase_group_id, count(distinct question_text), count(*), count(distinct answer_text)
        from gold.p3_questions where is_own group by 1
    """)
    assert any(count == 3 for _, _, count, _ in wordings)
    assert all(texts == count and answers == 1 for _, texts, count, answers in wordings)


def test_numeric_answers_are_confirmed_by_facts(demo):
    """An amount that matches its fact, or the difference of two that do; never without unit and tolerance."""
    numeric = demo.value(
        "select count(*) from gold.p3_questions where answer_type = 'numeric' and answer_unit != 'year'"
    )
    confirmed = demo.value("""
        with matches as (
            select question_id, value
            from gold.p3_evidence inner join bundles.kpi_fact_matches using (sentence_id)
            where grade = 2 and is_match and match_basis = 'level'
            union all
            select question_id, value
            from gold.p3_evidence inner join gold.p3_questions using (suite, question_id)
            inner join corpus.fct_tagged_facts using (sentence_id)
            where grade = 2 and bundle_id like 'tags_%'
        )
        select count(*) from gold.p3_questions
        where
            answer_type = 'numeric' and answer_unit != 'year' and tolerance > 0
            and exists (
                select 1 from matches as one, matches as other
                where
                    one.question_id = p3_questions.question_id and other.question_id = p3_questions.question_id
                    and (
                        one.value = answer_numeric
                        or abs(other.value - one.value - answer_numeric) < 1e-6 * abs(answer_numeric)
                    )
            )
    """)
    assert numeric == confirmed >= 20


def test_yes_and_no_are_both_right_answers(demo):
    asked = "select distinct answer_text[:2] from gold.p3_questions where is_own and answer_type = 'boolean'"
    assert {verdict for (verdict,) in demo.rows(asked)} == {"Ye", "No"}


def test_negative_controls_have_no_answer_in_the_warehouse(demo):
    """The company's filing of the year is there; neither the tag nor the words of what is asked for are."""
    controls = demo.rows("""
        select question_id, cik_int[1], years[1], regexp_extract(notes, 'absent (\\w+) of (\\w+)', ['kind', 'topic'])
        from gold.p3_questions where answer_type = 'no_answer' and is_own
    """)
    assert controls
    for question_id, cik, year, what in controls:
        where = {"cik": cik, "year": year}
        there = "select count(*) from corpus.fct_sentences where cik = $cik and report_year = $year"
        assert demo.value(there, where) >= 150, question_id
        topic = {"topic": what["topic"]} | where
        if what["kind"] == "kpi":
            found = "bundles.v1_kpi_scan where kpi_label = $topic and cik_int = $cik and report_year = $year"
        elif what["kind"] == "risk":
            found = "bundles.v2_risk_atlas where risk_topic = $topic and cik_int = $cik and report_year = $year"
        else:
            topic["topic"] = what["topic"].replace("_", " ")
            found = "(from corpus.fct_sentences where cik = $cik and report_year = $year)"
            found += " where contains(lower(sentence_text), $topic)"
        assert demo.value(f"select count(*) from {found}", topic) == 0, question_id


def test_no_question_holds_its_answer(demo):
    leaked = demo.rows("""
        select question_id from gold.p3_questions
        where
            is_own and (
                contains(lower(question_text), lower(answer_text))
                or (answer_type = 'numeric' and regexp_matches(question_text, '\\$'))
                or len(list_filter(answer_items, lambda item: contains(lower(question_text), lower(item)))) > 0
            )
    """)
    assert leaked == []


def test_questions_are_english_about_named_companies_and_years(demo):
    for question_id, text, names, years in demo.rows(
        "select question_id, question_text, company_name, years from gold.p3_questions where is_own"
    ):
        assert text[0].isupper() and text[-1] in "?.", question_id
        assert "  " not in text and "None" not in text and "{" not in text, text
        # names are those of dim_companies, which may be in capitals
        assert all(short_name(name).casefold() in text.casefold() for name in names), text
        # of years that follow each other the first and the last: "fiscal 2018 to 2023"
        assert all(str(year) in text for year in (years[0], years[-1])), text
        assert all(str(year) in text for year in years) or f"{years[0]} to {years[-1]}" in text, text
        assert not any(word in text for word in (" INC", " CORP", "Inc.'s")), text


def test_evidence_is_in_the_corpus_and_of_the_companies_and_years_asked(demo):
    assert not demo.rows("""
        select question_id from gold.p3_evidence inner join gold.p3_questions using (suite, question_id)
        left join corpus.fct_sentences using (sentence_id)
        where
            is_own and (
                not in_corpus or not coalesce(list_contains(cik_int, cik), false)
                -- a tagged figure of the year stands in the next year's filing too
                or (matched_by is distinct from 'same_fact' and not list_contains(years, report_year))
            )
    """)


def test_a_rebuild_changes_nothing_and_another_seed_draws_others(demo, tmp_path, monkeypatch):
    """A model at a time, where the demo was built two at a time."""
    monkeypatch.setattr("warehouses.THREADS", 1)
    again = demo.copy(tmp_path / "again")
    rebuild(again, "int_question_pool")
    tables = [
        table for table in public_tables(demo.target / "manifest.json") if table.startswith(("questions.", "gold."))
    ]
    assert "gold.p3_questions" in tables and differences(again.database, demo.database, tables) == {}
    rebuild(again, "int_question_pool", **OTHER_ANSWERS)
    assert "gold.p3_questions" in differences(again.database, demo.database, tables)
    assert again.rows("select distinct category from gold.p3_questions order by 1") == [(each,) for each in CATEGORIES]


def test_a_reviewers_word_is_final(demo, tmp_path):
    reviewed = demo.copy(tmp_path / "reviewed")
    kept = [row[0] for row in demo.rows("select question_id from gold.p3_questions order by 1 limit 2")]
    gated = demo.value("""
        select min(question_id) from questions.int_question_verdicts where verdict = 'gate' and wording = 1
    """)
    with duckdb.connect(str(reviewed.database)) as connection:
        connection.executemany(
            "insert into seeds.p3_reviews values (?, ?, ?, ?, 'reviewer', 'reason', date '2026-11-21')",
            [
                (kept[0], "reject", None, None),
                (kept[1], "edit", "What is new in fiscal 2019?", None),
                (gated, "accept", None, None),
            ],
        )
    rebuild(reviewed, "int_suite_questions")
    assert reviewed.dbt("compile", "--quiet", "--select", "questions_to_review").returncode == 0, reviewed.output
    reviewed.keep_open()
    text = dict(reviewed.rows("select question_id, question_text from gold.p3_questions"))
    assert kept[0] not in text
    assert text[kept[1]] == "What is new in fiscal 2019?"
    assert gated in text
    assert reviewed.value("select curation_confidence from gold.p3_questions where question_id = ?", [gated]) >= 0.95
    assert reviewed.rows("select gate, detail from questions.p3_question_rejects where question_id = ?", [kept[0]]) == [
        ("review", "reviewer: reason")
    ]
    analysis = reviewed.target / "compiled" / "finrag" / "analyses" / "questions_to_review.sql"
    queued = {row[0] for row in reviewed.rows(f"select question_id from ({analysis.read_text(encoding='utf-8')})")}
    assert queued and not queued & {*kept, gated}


def test_our_suite_comes_back_as_it_went_out(with_suites):
    # whose key points stand elsewhere
    fields = ", ".join(name for name in FIELDS if name != "key_points")
    own = with_suites.rows(f"select {fields}, answer_items from gold.p3_questions where suite = 'p3' order by 1")
    back = with_suites.rows(f"select {fields}, answer_items from gold.p3_questions where suite = 'exported' order by 1")
    assert own == back
    evidence = (
        "select question_id, sentence_id, in_corpus, matched_by from gold.p3_evidence "
        "where suite = ? and evidence_rank is not null order by 1, 2"
    )
    assert with_suites.rows(evidence, ["p3"]) == with_suites.rows(evidence, ["exported"])


def test_the_gates_find_nothing_in_the_documented_examples(with_suites):
    assert with_suites.rows(
        "select question_id, flags, is_evidence_in_corpus from gold.p3_questions where suite = 'questions' order by 1"
    ) == [(f"EXAMPLE-{n}", [], True) for n in (1, 2, 3)]


def test_published_suites_load_whole_and_their_faults_are_flagged(with_suites, real_data):
    counts = dict(with_suites.rows("select suite, question_count from gold.p3_suite_coverage"))
    assert {suite: counts[suite] for suite in PUBLISHED} == PUBLISHED
    for suite in PUBLISHED:
        stated = json.loads((real_data / f"finsights/gold/{suite}.json").read_text(encoding="utf-8"))
        loaded = with_suites.rows(
            "select question_id, question_text, answer_text, answer_items from gold.p3_questions "
            "where suite = ? order by 1",
            [suite],
        )
        for question, (question_id, text, answer, items) in zip(stated, loaded, strict=True):
            assert (question["question_id"], question["question_text"]) == (question_id, text)
            assert question["answer_text"] in (answer, items)
    flagged = with_suites.rows("""
        select question_id, detail from questions.p3_question_rejects
        where suite = 'p3_gold_test_suite_31q' and gate = 'shared_by_year' and not is_dropped order by 1
    """)
    pairs = [(f"P3V2-Q{one}", f"P3V2-Q{other}") for one, other in SHARED_PAIRS]
    assert flagged == sorted([*pairs, *[(other, one) for one, other in pairs]])
    assert with_suites.rows("""
        select distinct question_id from questions.p3_question_rejects
        where
            gate = 'cross_reference_or_heading' and suite = 'p3_gold_test_suite_31q'
            and question_id in ('P3V2-Q001', 'P3V2-Q004')
        order by 1
    """) == [("P3V2-Q001",), ("P3V2-Q004",)]


def test_coverage_of_the_published_suites_by_the_real_corpus(real, real_data, tmp_path):
    copy = real.copy(tmp_path / "real")
    copy.linked("suites", *real_data.glob("finsights/gold/*.json"))
    copy.build(*MODELS_ALONE, "int_external_questions+,+p3_suite_coverage", **OTHER_ANSWERS)
    coverage = copy.rows("""
        select suite, evidence_id_count, in_corpus_by_id, in_corpus_by_text, not_in_corpus
        from gold.p3_suite_coverage where not is_own order by 1
    """)
    assert coverage == [("p3_gold_qtest_31q_ffhall", 90, 38, 0, 52), ("p3_gold_test_suite_31q", 45, 30, 0, 15)]


def test_what_a_language_model_writes_passes_the_same_gates(demo, tmp_path, monkeypatch):
    """A model that names neither company nor year, and one that does not answer in the schema, get no question in."""

    def reply(asked) -> str:
        shape = asked.blocks()[0]
        if "definition" in shape:
            return "I would rather not."
        return json.dumps(
            {"question_text": "What did they say about it?", "answer_text": "They said a great deal of it."}
        )

    with Emulator(tmp_path / "requests.jsonl", reply) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "key-0123456789")
        copy = demo.copy(tmp_path / "written")
        with duckdb.connect(str(copy.database)) as connection:
            connection.execute("update seeds.llm_models set requests_per_minute = null, tokens_per_minute = null")
        rebuild(
            copy,
            "int_question_responses",
            llm_questions="gpt-4o-mini",
            question_paraphrases=0,
            question_oversampling=0.2,
        )
    assert copy.value("select count(*) from gold.p3_questions") == 0
    gates = {row[0] for row in copy.rows("select distinct gate from questions.p3_question_rejects")}
    assert {"ambiguous_entity", "ambiguous_year", "not_written"} <= gates


GOOD = {
    "question_id": "Q1",
    "cik_int": [1],
    "company_name": ["One"],
    "years": [2019],
    "question_text": "What was it?",
    "answer_type": "span",
    "answer_text": "It was good.",
    "evidence_sentence_ids": ["s1"],
    "retrieval_scope": "local",
    "difficulty": "easy",
    "gold_version": "v1",
    "created_by": "me",
    "created_at": "2025-01-01T00:00:00Z",
    "curation_confidence": 1,
}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"years": []}, "years"),
        ({"years": ["2019"]}, "years.0"),
        ({"cik_int": [1, 2]}, "same length"),
        ({"answer_type": "essay"}, "answer_type"),
        ({"answer_type": "numeric"}, "needs answer_numeric"),
        ({"answer_type": "list"}, "array for answer_type list"),
        ({"answer_text": ["a"]}, "array for answer_type list"),
        ({"curation_confidence": 1.2}, "curation_confidence"),
        ({"tolerance": -1.0}, "tolerance: -1.0; expected a number, 0 or more"),
        (
            {"created_at": "22/11/2026"},
            "created_at: '22/11/2026'; expected a date and time such as 2026-11-22T12:00:00Z",
        ),
        ({"created_at": "2026-02-30"}, "created_at: '2026-02-30'; expected a date and time"),
        ({"answer_type": "no_answer"}, "evidence is stated: leave one out"),
    ],
)
def test_a_question_that_breaks_the_schema_is_named_with_its_fault(tmp_path, change, problem):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps([GOOD, GOOD | {"question_id": "Q2"} | change, {"question_id": 3}, "text", GOOD]))
    rows = read_suite("suite", path)
    assert [row["question_id"] for row in rows] == ["Q1", "Q2", "3", "#3", "Q1#4"]
    assert rows[0].get("reason") is None
    assert problem in rows[1]["detail"]
    assert rows[3]["detail"] == '"text" where an object with the fields of a question is expected'
    assert "occurs earlier" in rows[4]["detail"]
    assert all(row["reason"] for row in rows[1:])


def test_questions_that_are_faulty_or_without_evidence_are_counted(demo, tmp_path):
    path = tmp_path / "mixed.json"
    path.write_text(json.dumps([GOOD, GOOD | {"question_id": "Q2", "difficulty": "insane"}]))
    known = demo.rows("""
        select sentence_id, cik, report_year from corpus.fct_sentences
        where sentence_kind = 'prose' order by sentence_id limit 42
    """)
    suite = [
        GOOD | {"question_id": f"H{n}", "cik_int": [cik], "years": [year], "evidence_sentence_ids": [sentence_id]}
        for n, (sentence_id, cik, year) in enumerate(known)
    ]
    # answerable, and nothing of their evidence is in the corpus
    suite.append(GOOD | {"question_id": "none", "evidence_sentence_ids": []})
    suite.append(GOOD | {"question_id": "unknown", "evidence_sentence_ids": ["0000000099_10-K_2018_section_7_1"]})
    items = {"answer_type": "list", "answer_text": ["one", "two"]}
    suite.append(GOOD | {"question_id": "list", "evidence_sentence_ids": ["F1", "F2"]} | items)
    (tmp_path / "hand.json").write_text(json.dumps(suite))
    copy = demo.copy(tmp_path / "mixed")
    copy.linked("suites", path, tmp_path / "hand.json")
    rebuild(copy, "int_external_questions", **OTHER_ANSWERS).keep_open()
    asked = "select question_count, no_answer_count, covered_question_count from gold.p3_suite_coverage where suite = ?"
    assert copy.rows(asked, ["hand"]) == [(45, 0, 42)]
    assert copy.rows("select query_count, covered_count from gold.gold_versions where suite = 'hand'") == [(45, 42)]
    assert copy.rows("select suite from questions.p3_question_rejects where suite = 'hand' and is_dropped") == []
    assert copy.rows("select question_id, is_evidence_in_corpus from gold.p3_questions where suite = 'mixed'") == [
        ("Q1", False)
    ]
    rejects = copy.rows(
        "select question_id, is_dropped from questions.p3_question_rejects where gate = 'invalid_schema'"
    )
    assert rejects == [("Q2", True)]


def test_files_that_are_no_suite_are_named(tmp_path):
    with pytest.raises(FinragError, match=r"QUESTIONS path .*nowhere.json. matches no file"):
        suite_files(str(tmp_path / "nowhere.json"))
    for text, fault in (("{", "cannot be read"), ('{"a": 1}', "JSON array")):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(FinragError, match=fault):
            read_suite("bad", tmp_path / "bad.json")
    (tmp_path / "other").mkdir()
    for folder in (tmp_path, tmp_path / "other"):
        (folder / "same.json").write_text("[]")
    with pytest.raises(FinragError, match="taken more than once: same"):
        suite_files(f"{tmp_path}/same.json {tmp_path}/other/same.json")
    (tmp_path / "p3.json").write_text("[]")
    with pytest.raises(FinragError, match="are our own"):
        suite_files(str(tmp_path / "p3.json"))


def test_export_says_what_is_missing(demo, tmp_path):
    with pytest.raises(FinragError, match=r"The table gold\.p3_questions is missing\. Build it first: make build"):
        export_suite(duckdb.connect(), tmp_path / "out.json")
    with (
        duckdb.connect(str(demo.database), read_only=True) as connection,
        pytest.raises(FinragError, match="no question of the suite 'nobody'"),
    ):
        export_suite(connection, tmp_path / "out.json", "nobody")


def test_key_points_go_out_with_their_question():
    """And with every wording of it in a stress deck; one without any has none."""
    examples = [each | {"key_points": None} for each in json.loads(EXAMPLES.read_text(encoding="utf-8"))]
    examples[0]["key_points"] = ["Revenue was $5 million."]
    rows = [
        {name: each.get(name) for name in FIELDS}
        | {"query_id": f"own:{each['question_id']}", "suite": "own", "answer_items": []}
        | ({"answer_items": each["answer_text"], "answer_text": ""} if each["answer_type"] == "list" else {})
        for each in examples
    ]
    with in_memory() as connection:
        connection.register("rows", pyarrow.Table.from_pylist(rows))
        connection.execute("create schema gold; create schema questions")
        connection.execute(
            "create table gold.p3_questions as select * exclude (key_points) "
            "replace (created_at::timestamptz as created_at) from rows"
        )
        connection.execute(
            "create table questions.int_suite_questions as select query_id as question_key, key_points from rows"
        )
        found = records_of(connection, "own")
    assert [each["key_points"] for each in found] == [["Revenue was $5 million."], None, None]
    deck, _ = deck_of(found[:1], lambda each: Asked(each["question_id"], "What was it in 2019?", Companies([]), {}))
    assert len(deck) > 1
    assert {tuple(each["key_points"]) for each in deck} == {("Revenue was $5 million.",)}


def test_every_request_of_the_demo_corpus_is_written_by_rules(demo):
    for _, inputs in demo.rows("select item_id, inputs from questions.int_question_requests"):
        written = TASK.baseline(json.loads(inputs))
        assert TASK.baseline(json.loads(inputs)) == written
    with pytest.raises(FinragError, match="'poem'"):
        TASK.baseline({"shape": "poem"})


def test_templates_call_years_by_the_names_that_they_are_given(demo):
    for _, inputs in demo.rows("select item_id, inputs from questions.int_question_requests"):
        request = json.loads(inputs)
        names = [f"the fiscal year ended June 30, {year}" for year in request["years"]]
        written = TASK.baseline(request | {"years": names, "paraphrase_count": 9})
        wordings = [written.question_text, *written.paraphrases]
        assert [name for text in wordings for name in names if name not in text] == []
        called = re.findall(r"fiscal \d{4}", " ".join([*wordings, written.answer_text]))
        assert [year for year in called if year not in json.dumps(request["details"])] == []


def test_a_year_by_its_end_reads_as_people_write_it():
    request = {
        **{"shape": "tagged", "companies": ["Oda, Inc."], "seed": "00000002", "paraphrase_count": 2},
        **{"years": ["the fiscal year ended February 2, 2025"]},
        "details": {"kpi_name": "goodwill", "raw_text": "$5 million", "is_instant": True},
    }
    written = TASK.baseline(request)
    assert [written.question_text, *written.paraphrases] == [
        "According to its 10-K for the fiscal year ended February 2, 2025, what did Oda state for goodwill at the end "
        "of that year?",
        "What figure does Oda, Inc. give for goodwill at the end of the fiscal year ended February 2, 2025?",
        "How much did Oda report for goodwill at the end of the fiscal year ended February 2, 2025?",
    ]
    assert written.answer_text == (
        "Oda reported goodwill of $5 million at the end of the fiscal year ended February 2, 2025."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we fail to renew our leases", "it fails to renew its leases"),
        ("we are unable to comply or are fined", "it is unable to comply or is fined"),
        ("we cannot retain our staff, we may suffer", "it cannot retain its staff, it may suffer"),
        ("we successfully apply it", "it successfully applies it"),
        ("charges us for the U.S. plant", "charges it for the U.S. plant"),
        ("We define EBITDA as income", "It defines EBITDA as income"),
        ("If we again see a glut", "If it again sees a glut"),
        ("we lost 7 customers and we led the market", "it lost 7 customers and it led the market"),
        ("we withdrew it, and we got and drove more", "it withdrew it, and it got and drove more"),
        ("we or our suppliers fail and are fined", "it or its suppliers fail and are fined"),
        ("we and our staff agree", "it and its staff agree"),
        ("we both make and sell toys", "it both makes and sell toys"),
        (
            "we no longer sell toys, therefore we together with others lose",
            "it no longer sells toys, therefore it together with others lose",
        ),
        ("we self-insure and we underwent an audit", "it self-insures and it underwent an audit"),
        ("we rebuilt and we overcame it, we thought", "it rebuilt and it overcame it, it thought"),
        (
            "we release and we undergo it, we repay and outgrow it",
            "it releases and it undergoes it, it repays and outgrow it",
        ),
    ],
)
def test_third_person(text, expected):
    assert third_person(text) == expected


@pytest.mark.parametrize(
    ("years", "words"),
    [
        ([2019], "fiscal 2019 10-K"),
        ([2018, 2019], "fiscal 2018 and 2019 10-Ks"),
        ([2018, 2019, 2020], "fiscal 2018 to 2020 10-Ks"),
        ([2018, 2020, 2021], "fiscal 2018, 2020 and 2021 10-Ks"),
        (["the fiscal year ended May 31, 2019"], "10-K for the fiscal year ended May 31, 2019"),
        (
            ["the fiscal year ended in 2018", "the fiscal year ended May 31, 2019"],
            "10-Ks for the fiscal year ended in 2018 and the fiscal year ended May 31, 2019",
        ),
    ],
)
def test_filings_in_words(years, words):
    assert filings_in_words(years) == words


def test_filings_of_a_company_and_of_several():
    ended = ["the fiscal year ended May 31, 2019"]
    assert filings_in_words([2018, 2019], "Oda") == "fiscal 2018 and 2019 10-Ks of Oda"
    assert filings_in_words(ended, "Oda") == "10-K of Oda for the fiscal year ended May 31, 2019"
    assert filings_in_words([2019], is_several=True) == "fiscal 2019 10-Ks"
    assert filings_in_words(["the fiscal years ended in 2019"], is_several=True) == (
        "10-Ks for the fiscal years ended in 2019"
    )


def test_wording():
    assert short_name("Amazon.com, Inc.") == "Amazon.com"
    assert short_name("Eli Lilly and Company") == "Eli Lilly"
    assert lower_first("Net sales in Europe") == "net sales in Europe"
    assert lower_first("Windows revenue") == "Windows revenue"
    assert lower_first("Other Bets operating loss") == "Other Bets operating loss"
    assert lower_first("Commercial and Industrial revenues") == "Commercial and Industrial revenues"
    assert lower_clause("Interruptions in service") == "interruptions in service"
    assert lower_clause("New AI offerings") == "new AI offerings"
    assert lower_clause("European rules") == "European rules"
    assert lower_clause("U.S. tariffs") == "U.S. tariffs"
    assert because("increase", "primarily due to", "our stores", ("partially offset by", "currency")) == (
        "The increase was primarily due to its stores, partially offset by currency."
    )
    assert because("decrease", "mainly reflecting", "lower prices") == "The decrease mainly reflected lower prices."
    assert because("decrease", "resulting primarily from", "lower prices") == (
        "The decrease resulted primarily from lower prices."
    )
