"""The demo corpus plants a case for every model, present or absent; the built warehouse must agree with each."""

from __future__ import annotations

import pytest

from csv_files import rows_of
from warehouses import Warehouse

# Where a planted case of a model would show: a query that yields a row when it is there.
FOUND = {
    "v1_kpi_scan": """
        from bundles.v1_kpi_scan where filing_id = $filing and sentence_text = $text and kpi_label = $label
    """,
    "v2_risk_atlas": """
        from bundles.v2_risk_atlas where filing_id = $filing and sentence_text = $text and risk_topic = $label
    """,
    # a bundle takes the best few sentences of a year, so a candidate that may be chosen is what is planted
    "v3_trend_bundles": """
        from bundles.int_topic_sentences
        where filing_id = $filing and sentence_text = $text and topic_label = $label and is_causal
    """,
    "v4_cross_company_bundles": """
        from bundles.int_topic_sentences where filing_id = $filing and sentence_text = $text and topic_label = $label
    """,
    "v5_definition_bundles": """
        from bundles.v5_definition_bundles_sentences
        where filing_id = $filing and sentence_text = $text and candidate_type = $label
    """,
    "kpi_fact_matches": """
        from bundles.kpi_fact_matches inner join corpus.fct_sentences using (sentence_id)
        where kpi_fact_matches.filing_id = $filing and sentence_text = $text and kpi_label = $label and is_match
    """,
}


@pytest.fixture(scope="session")
def planted(demo: Warehouse) -> list[dict[str, str]]:
    return rows_of(demo.project / "warehouse/demo/planted_cases.csv")


@pytest.mark.parametrize("model", sorted(FOUND))
def test_planted_cases_are_found_and_near_misses_are_not(demo, planted, model):
    cases = [case for case in planted if case["model"] == model]
    assert {case["expectation"] for case in cases} == {"present", "absent"}
    wrong = []
    for case in cases:
        text = case["sentence_text"].replace("\u00a0", " ")  # the corpus has plain spaces for hard ones
        parameters = {"filing": case["docID"], "text": text, "label": case["label"]}
        in_corpus = demo.rows(
            "select 1 from corpus.fct_sentences where filing_id = $filing and sentence_text = $text",
            {key: parameters[key] for key in ("filing", "text")},
        )
        found = bool(in_corpus) and bool(demo.rows("select 1 " + FOUND[model], parameters))
        if not in_corpus or found != (case["expectation"] == "present"):
            note = "" if in_corpus else " (not in the corpus)"
            wrong.append(f"{case['label']} should be {case['expectation']}{note}: {case['sentence_text']}")
    assert not wrong, f"{len(wrong)} of {len(cases)} planted cases of {model}:\n" + "\n".join(wrong)


def test_unit_tests_hold(demo, tmp_path):
    """The data tests have run in `make build`: test_wheel."""
    copy = demo.copy(tmp_path / "demo")
    done = copy.dbt("test", "--select", "test_type:unit")
    assert done.returncode == 0, copy.output[-4000:]


def test_every_layout_and_length_bucket_is_exercised(demo):
    assert demo.rows("select distinct source from corpus.fct_sentences order by 1") == [
        ("edgar_corpus",),
        ("edgar_crawler",),
        ("edgar_html",),
        ("finsights",),
        ("hf_financial_reports",),
    ]
    buckets = demo.rows(
        "select count(*) filter (where n < 10), count(*) filter (where n between 10 and 19), "
        "count(*) filter (where n between 20 and 39), count(*) filter (where n >= 40) "
        "from (select count(*) as n from corpus.fct_sentences group by filing_id, section_id)"
    )[0]
    assert all(count > 0 for count in buckets), buckets


def test_repetition_is_that_of_a_real_corpus(demo):
    sentences, repeated = demo.rows("select count(*), avg((duplicate_count > 1)::integer) from corpus.fct_sentences")[0]
    assert 7_500 <= sentences <= 10_000
    assert 0.35 <= repeated <= 0.50


def test_every_label_topic_and_kind_of_bundle_is_there(demo):
    assert demo.value("select count(distinct kpi_label) from bundles.v1_kpi_scan") == 9
    assert demo.value("select count(distinct risk_topic) from bundles.v2_risk_atlas") == 7
    assert demo.value("select count(distinct bundle_type) from bundles.v3_trend_bundles") == 2
    assert demo.value("select count(distinct bundle_type) from bundles.v4_cross_company_bundles") == 2
    assert demo.value("select count(distinct candidate_type) from bundles.v5_definition_bundles") == 2


def test_flat_and_nested_bundles_hold_the_same_sentences(demo):
    for name, sentences in (
        ("v3_trend_bundles", "sentences"),
        ("v4_cross_company_bundles", "company_sentences"),
        ("v5_definition_bundles", "sentences"),
    ):
        nested = f'select bundle_id, unnest({sentences})."sentenceID" as id from bundles.{name}'
        flat = f'select bundle_id, "sentenceID" as id from bundles.{name}_sentences'
        assert (
            demo.value(
                f"select (select count(*) from (({nested}) except all ({flat}))) "
                f"+ (select count(*) from (({flat}) except all ({nested})))"
            )
            == 0
        ), name


def test_the_baseline_is_right_where_it_was_given_the_evidence(demo):
    """Question by question: right with all the evidence in the context, more often than without it, and not less."""
    questions, with_it, without_it, better, worse = demo.rows("""
        with answers as (
            select query_id, evidence_in_context >= 1 as has_evidence, is_correct::integer as is_right
            from metrics.answer_items semi join answers.answers using (answer_id)
            where is_baseline and is_correct is not null and evidence_in_context is not null
        ), questions as (
            select
                query_id,
                avg(is_right) filter (has_evidence) as with_it,
                avg(is_right) filter (not has_evidence) as without_it,
            from answers group by query_id having with_it is not null and without_it is not null
        )
        select
            count(*), avg(with_it), avg(without_it), count(*) filter (with_it > without_it),
            count(*) filter (with_it < without_it)
        from questions
    """)[0]
    assert questions >= 30
    assert with_it - without_it > 0.3
    assert better > 5 * worse


def test_no_theme_of_the_summaries_is_empty_for_every_filing(demo):
    empty = demo.rows("""
        select theme from summaries.summaries where dataset = 'mdna' and is_baseline group by theme
        having bool_and(coalesce(summary_text, '') = '')
    """)
    assert empty == []
