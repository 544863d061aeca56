"""The pattern cases as a corpus: every sentence of the fixtures goes through the whole build, macros included.

test_kpi_patterns.py and test_text_patterns.py check the registries by themselves; this checks what the models make of
them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from csv_files import rows_of
from warehouses import Warehouse

SECTION_OF = {
    "kpi_pattern_cases": "ITEM_7",
    "risk_pattern_cases": "ITEM_1A",
    "causal_pattern_cases": "ITEM_7",
    "definition_pattern_cases": "ITEM_7",
}


def cases(name: str) -> list[dict[str, str]]:
    return rows_of(f"tests/fixtures/{name}.csv")


def labels(joined: str) -> set[str]:
    return set(joined.split("|")) if joined else set()


@pytest.fixture(scope="module")
def tagged(tmp_path_factory) -> Warehouse:
    folder = tmp_path_factory.mktemp("cases")
    warehouse = Warehouse(folder / "cases")
    models = ("+v1_kpi_scan", "+v2_risk_atlas", "+int_causal_matches", "+int_definition_matches")
    corpus = warehouse.linked("corpus", write_corpus(folder / "cases.jsonl"))
    warehouse.build("--select", *models, corpus=corpus, company_facts="")
    warehouse.keep_open()
    return warehouse


def write_corpus(path: Path) -> Path:
    """One filing per fixture, one sentence per case, its sentence id being the case's.

    Cases stand ten places apart, since a risk topic is read beside the sentences of its passage.
    """
    with path.open("w", encoding="utf-8") as stream:
        for number, (name, section) in enumerate(SECTION_OF.items(), start=1):
            for position, case in enumerate(cases(name)):
                row = {
                    "cik": str(number),
                    "name": name,
                    "report_year": 2020,
                    "docID": f"{number:010}_10-K_2020",
                    "sentenceID": case["case_id"],
                    "section_name": section,
                    "sentence_index": position * 10,
                    "sentence": case["sentence"],
                }
                stream.write(json.dumps(row) + "\n")
    return path


def found(warehouse: Warehouse, query: str) -> dict[str, set[str]]:
    """Labels by sentence id."""
    tags: dict[str, set[str]] = {}
    for sentence_id, label in warehouse.rows(query):
        tags.setdefault(sentence_id, set()).add(label)
    return tags


def check(name: str, expected: dict[str, set[str]], tags: dict[str, set[str]]) -> None:
    sentence = {case["case_id"]: case["sentence"] for case in cases(name)}
    wrong = [
        f"{case_id}: expected {sorted(want)}, got {sorted(tags.get(case_id, set()))}: {sentence[case_id]}"
        for case_id, want in expected.items()
        if tags.get(case_id, set()) != want
    ]
    assert not wrong, f"{len(wrong)} of {len(expected)}:\n" + "\n".join(wrong)


def test_every_case_is_in_the_corpus(tagged):
    assert tagged.value("select count(*) from corpus.fct_sentences") == sum(len(cases(name)) for name in SECTION_OF)


def test_kpi_labels(tagged):
    expected = {case["case_id"]: labels(case["expected_labels"]) for case in cases("kpi_pattern_cases")}
    tags = found(tagged, "select sentence_id, kpi_label from bundles.v1_kpi_scan")
    check("kpi_pattern_cases", expected, tags)


def test_risk_topics_and_primary_topic(tagged):
    expected = {case["case_id"]: labels(case["expected_topics"]) for case in cases("risk_pattern_cases")}
    check("risk_pattern_cases", expected, found(tagged, "select sentence_id, risk_topic from bundles.v2_risk_atlas"))
    primary = {
        case["case_id"]: labels(case["expected_primary"]) & labels(case["expected_topics"])
        for case in cases("risk_pattern_cases")
    }
    query = "select sentence_id, risk_topic from bundles.v2_risk_atlas where is_primary"
    check("risk_pattern_cases", primary, found(tagged, query))


def test_connectors(tagged):
    expected = {case["case_id"]: labels(case["expected_connectors"]) for case in cases("causal_pattern_cases")}
    query = "select sentence_id, unnest(connectors) from bundles.int_causal_matches"
    check("causal_pattern_cases", expected, found(tagged, query))


def test_definitions_and_verifications(tagged):
    """A driver is a verification only where the sentence also says why, which the fixture leaves open."""
    causal = {row[0] for row in tagged.rows("select sentence_id from bundles.int_causal_matches")}
    expected = {
        case["case_id"]: {
            label
            for label in labels(case["expected_labels"])
            if label.startswith("definition") or case["case_id"] in causal
        }
        for case in cases("definition_pattern_cases")
    }
    query = "select sentence_id, candidate_type || ':' || topic_label from bundles.int_definition_matches"
    check("definition_pattern_cases", expected, found(tagged, query))
