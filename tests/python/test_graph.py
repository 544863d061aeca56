"""The shape of the graph: what a task's figures depend on, and that a part of it builds alone."""

from __future__ import annotations

import json
import re
import shutil

import pytest
import yaml

from warehouses import ROOT, environment, run_dbt


@pytest.fixture(scope="module")
def parents(demo) -> dict[str, set[str]]:
    """Every model with the models and seeds that it reads."""
    manifest = json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))
    names = {key: node["name"] for key, node in manifest["nodes"].items() if node["resource_type"] in ("model", "seed")}
    return {
        node["name"]: {names[parent] for parent in node["depends_on"].get("nodes", ())}
        for key, node in manifest["nodes"].items()
        if node["resource_type"] == "model"
    }


def ancestors(name: str, parents: dict[str, set[str]]) -> set[str]:
    """All models above one, seeds left out."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = (parents[waiting.pop()] & parents.keys()) - found
        found |= new
        waiting += new
    return found


def test_ancestors_are_counted():
    parents = {"a": {"b", "seed"}, "b": {"c"}, "c": set(), "d": {"c", "b"}}
    assert ancestors("a", parents) == {"b", "c"}
    assert ancestors("d", parents) == {"b", "c"}
    assert ancestors("c", parents) == set()


@pytest.mark.parametrize(
    ("scorecard", "most"), [("p1_scorecard", 45), ("p2_scorecard", 45), ("sentiment_scorecard", 15)]
)
def test_a_scorecard_depends_on_its_own_task(parents, scorecard, most):
    assert len(ancestors(scorecard, parents)) <= most


@pytest.mark.parametrize("scorecard", ["p1_scorecard", "p2_scorecard"])
def test_what_is_measured_of_anchors_depends_on_no_language_model(parents, scorecard):
    above = ancestors(scorecard, parents)
    assert not {name for name in above if name.endswith("_responses")}
    assert not {name for name in above if "question" in name or name.startswith("p3_") or name.startswith("int_p3_")}


@pytest.mark.parametrize("scorecard", ["p3_scorecard", "summary_scorecard"])
def test_what_is_measured_of_questions_depends_on_no_anchor(parents, scorecard):
    above = ancestors(scorecard, parents)
    assert "int_question_hits" in above
    assert not {name for name in above if "anchor" in name or name.startswith(("p1_", "p2_"))}


def test_what_holds_all_tasks_is_read_by_nothing_inside(parents):
    # what people open first
    assert {name for name, above in parents.items() if above & {"metric_values", "runs"}} == {"metric_values_by_run"}
    assert {name for name, above in parents.items() if "metric_values_by_run" in above} == {"bi_headline"}
    assert {name for name, above in parents.items() if "bi_headline" in above} == {"build_values"}
    # what holds all runs against others: a later build's and an earlier one's
    assert {name for name, above in parents.items() if "int_all_runs" in above} == {
        *("int_first_builds", "runs", "builds", "int_headline_scores", "int_baseline_comparisons"),
    }


def test_no_model_names_what_it_depends_on_in_a_comment():
    """A comment outlives what it is about; what reads another model, macros included, calls ref."""
    assert [path.name for path in (ROOT / "models").rglob("*.sql") if "depends_on" in path.read_text("utf-8")] == []


def test_selectors_name_what_is_there(demo, parents):
    """dbt takes a selector of a model that is gone for one of nothing, and only warns."""
    selectors = yaml.safe_load((ROOT / "selectors.yml").read_text(encoding="utf-8"))["selectors"]
    stated = [selector["definition"] for selector in selectors]
    terms = [term for definition in stated for term in definition.get("union", [definition])]
    assert {term["value"] for term in terms if term["method"] == "fqn"} - parents.keys() == set()
    groups = {
        group["name"] for group in yaml.safe_load((ROOT / "models/_groups.yml").read_text(encoding="utf-8"))["groups"]
    }
    assert {term["value"] for term in terms if term["method"] == "group"} - groups == set()
    assert {term["method"] for term in terms} == {"fqn", "group"}


# The setting that names the language models of each table of replies.
MODELS_OF = {
    "int_question_responses": "llm_questions",
    "int_answer_responses": "llm_answers",
    "int_summarise_mdna_responses": "llm_summaries",
    "int_judge_claims_responses": "llm_judges",
    "int_quiz_writing_responses": "llm_questions",
    "int_quiz_reading_responses": "llm_judges",
    "int_classify_sentiment_responses": "llm_sentiment",
}


def test_a_selector_says_whose_language_models_it_calls(demo, parents):
    assert {name for name in parents if name.endswith("_responses")} == MODELS_OF.keys()
    manifest = json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))
    groups = {node["name"]: node["group"] for node in manifest["nodes"].values() if node["resource_type"] == "model"}
    for selector in yaml.safe_load((ROOT / "selectors.yml").read_text(encoding="utf-8"))["selectors"]:
        terms = selector["definition"].get("union", [selector["definition"]])
        values = {term["value"] for term in terms}
        leaves = {name for name, group in groups.items() if name in values or group in values}
        built = leaves.union(*(ancestors(name, parents) for name in leaves))
        called = {MODELS_OF[name] for name in built & MODELS_OF.keys()}
        assert set(re.findall(r"llm_\w+", selector["description"])) == called, selector["name"]


def test_the_selectors_that_the_docs_name_are_those_there_are_and_one_builds_on_a_fresh_file(empty):
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    [(command, listed)] = re.findall(r"`\.venv/bin/finrag build\s--selector (\w+)`\. The selectors are ([^;]+);", page)
    selectors = yaml.safe_load((ROOT / "selectors.yml").read_text(encoding="utf-8"))["selectors"]
    assert re.findall(r"`(\w+)`", listed) == [selector["name"] for selector in selectors]
    empty.build("--write-json", "--selector", command)
    assert empty.value("select count(*) from metrics.sentiment_scorecard") > 0
    built = {schema for (schema,) in empty.rows("select distinct schema_name from duckdb_tables()")}
    assert "retrieval" not in built and "bundles" not in built
    dbt_alone(empty, "sentiment_scorecard")


def dbt_alone(warehouse, leaf: str) -> None:
    """What a dbt user does without make: a model broken and mended, by state, retry and show."""
    models = warehouse.project / "models"
    models.unlink()
    shutil.copytree(ROOT / "models", models)
    state = warehouse.project / "state"
    state.mkdir()
    shutil.copy(warehouse.target / "manifest.json", state)
    model = models / "metrics" / f"{leaf}.sql"
    text = model.read_text(encoding="utf-8")
    model.write_text(text + "\n-- broken by a test\nwhere no_such_column", encoding="utf-8")
    modified = ("build", "--write-json", "--select", "state:modified+", "--state", "state")
    failed = warehouse.dbt(*modified, "--exclude-resource-type", "unit_test")
    assert failed.returncode == 1, failed.stdout
    assert re.findall(r"START sql \w+ model (\S+)", failed.stdout) == [f"metrics.{leaf}"]
    model.write_text(text + "\n-- mended", encoding="utf-8")
    retried = run_dbt(["retry"], warehouse.project, environment())
    assert retried.returncode == 0, retried.stdout
    shown = warehouse.dbt("show", "--select", leaf, "--limit", "1")
    assert shown.returncode == 0 and "| run_id" in shown.stdout, shown.stdout


def test_docs_show_what_is_public_in_the_colour_of_its_group(demo):
    manifest = json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))
    models = [node for node in manifest["nodes"].values() if node["resource_type"] == "model"]
    hidden = {node["name"] for node in models if not node["docs"]["show"]}
    assert hidden == {node["name"] for node in models if node["access"] != "public"}
    colours = {(node["schema"], node["docs"]["node_color"]) for node in models}
    assert len(colours) == len({schema for schema, _ in colours}) == len({colour for _, colour in colours})
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for _, colour in colours)
    overview = manifest["docs"]["doc.finrag.__overview__"]["block_contents"]
    public = {f"{node['schema']}.{node['name']}" for node in models if node["access"] == "public"}
    named = set(re.findall(r"`([a-z]+\.\w+)`", overview))
    assert named and named <= public


def test_every_model_is_in_the_group_of_its_folder(demo):
    manifest = json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))
    placed = {
        (node["original_file_path"].split("/")[1], node["group"])
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model"
    }
    assert ("staging", "corpus") in placed
    assert {(folder, group) for folder, group in placed if folder != group} == {("staging", "corpus")}
    assert {group["name"] for group in manifest["groups"].values()} == {group for _, group in placed}


def test_the_quizzes_have_two_stages_of_requests_and_responses(parents):
    """Six tasks in four models; what is read depends on what was written, and not the other way round."""
    ends = ("_requests", "_responses")
    calls = {name for name in parents if "quiz" in name and name.endswith(ends)}
    assert calls == {f"int_quiz_{stage}{end}" for stage in ("writing", "reading") for end in ends}
    assert "int_quiz_writing_responses" in ancestors("int_quiz_reading_requests", parents)
    assert not {name for name in ancestors("int_quiz_writing_responses", parents) if "reading" in name}
    assert {f"int_quiz_{stage}_responses" for stage in ("writing", "reading")} <= ancestors("llm_calls", parents)


@pytest.fixture(scope="module")
def public(demo) -> dict[str, set[str]]:
    """The columns that the contract of every public table has, by its name with the schema."""
    manifest = json.loads((demo.target / "manifest.json").read_text(encoding="utf-8"))
    return {
        f"{node['schema']}.{node['name']}": set(node["columns"])
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model" and node["access"] == "public"
    }


def test_what_is_published_can_be_looked_over(public):
    """What an analyst wants: a table more needs a strong reason, rows or columns of one that is there mostly serve."""
    assert 70 <= len(public) <= 80


# What a name of a column must not be, and what it is called here.
OTHER_NAMES = {
    r"(^|_)(data_?set|corpus)_name$|^benchmark$": "dataset",
    r"^(?!second_cluster_id$|cluster_id$).*cluster(_id|_key)?$|^question_group$": "cluster_id",
    r"^(qid|query|query_key|query_no)$": "query_id",
    r"(^|_)(reject(ed|ion)?|drop(ped)?|skip(ped)?|exclu(ded|sion))_reason$|_because$": "reason",
    r"ci_(lo|hi|lower|upper|min|max)$|(^|_)(lower|upper)(_bound|_limit)?$|_(lower|upper)_ci$": "ci_low, ci_high",
}


def test_one_thing_has_one_name_in_every_contract(public):
    columns = {(table, name) for table, names in public.items() for name in names}
    for pattern, name in OTHER_NAMES.items():
        assert {column for column in columns if re.search(pattern, column[1])} == set(), name
    ends = {"ci_low": "ci_high", "ci_high": "ci_low"}
    for table, name in columns:
        for end, other in ends.items():
            assert not name.endswith(end) or (table, name.removesuffix(end) + other) in columns, (table, name)
    asked = {"gold.p3_questions", "gold.p3_evidence", "retrieval.retrieval_hits", "answers.answers"}
    assert {table for table in asked if "query_id" not in public[table]} == set()


def test_a_suite_is_no_data_set(demo, public):
    """A suite is asked or searched, a data set is read: no public table calls one by the other's name."""
    suites, datasets = set(), set()
    for table, columns in public.items():
        for name, found in (("suite", suites), ("dataset", datasets)):
            if name in columns:
                found |= {(value, table) for (value,) in demo.rows(f"select distinct {name} from {table}")}
    named = {value for value, _ in suites} - {"none"}
    known = {value for (value,) in demo.rows("select suite from gold.gold_versions")}
    published = {value for (value,) in demo.rows("select suite from seeds.published_figures")}
    assert known < named <= known | published
    assert {row for row in datasets if row[0] in named} == set()
    assert {"mdna", "demo"} < {value for value, _ in datasets}
