"""What is known to be wrong before a build starts: registries, settings and files, all at once."""

from __future__ import annotations

import csv
import re
import shutil

import pytest

from csv_files import rows_of
from finrag.build import checks
from finrag.corpus.documents import tables
from finrag.errors import FinragError
from finrag.inputs import registries
from finrag.settings import default_variables
from warehouses import ROOT


@pytest.fixture
def seeds(tmp_path):
    """A copy of the product's registries."""
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds")
    return tmp_path / "seeds"


@pytest.fixture
def registries_in_order(monkeypatch):
    """They are, as another test says; looking again takes most of a second."""
    monkeypatch.setattr(registries, "check", lambda folder: None)


def fault(seeds) -> str:
    with pytest.raises(FinragError) as error:
        registries.check(seeds)
    return str(error.value)


def test_the_product_and_its_defaults_are_in_order():
    defaults = default_variables()
    checks.check_before(defaults, defaults)
    for path in sorted((ROOT / "seeds").glob("*.csv")):
        assert registries.Registry(path).key, path


@pytest.mark.parametrize(
    ("name", "column", "value", "said"),
    [
        ("alert_rules", "threshold", "much", "line 2, column threshold: 'much' is no"),
        ("alert_rules", "stratum_by", "sector", "line 2, column stratum_by: 'sector' is not allowed. Allowed: overall"),
        ("alert_rules", "threshold", "-1", "line 2, it must hold that threshold >= 0"),
        ("embedding_models", "dimension", "384.6", "line 2, column dimension: '384.6' is no integer"),
        ("embedding_models", "model_id", "", "line 2, column model_id: it must not be empty"),
        ("llm_prices", "model_id", "nobody", "line 2, column model_id: the registry llm_models has no 'nobody'"),
        ("risk_patterns", "pattern", "(", "line 2, column pattern: it is no RE2 pattern"),
        ("llm_prices", "input_usd_per_million", "-1", "line 2, it must hold that input_usd_per_million >= 0 and"),
        (
            "retrieval_strategies",
            "method",
            "hybrid",
            "line 2, it must hold that method not in ('hybrid', 'multi_path') or",
        ),
        ("risk_patterns", "role", "perhaps", "line 2, column role: 'perhaps' is not allowed. Allowed: include"),
    ],
)
def test_a_value_that_the_schema_does_not_allow_names_row_and_column(seeds, name, column, value, said):
    path = seeds / f"{name}.csv"
    rows = rows_of(path)
    rows[0][column] = value
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert said in fault(seeds)


def test_an_alert_rule_of_a_figure_that_nothing_measures_is_named():
    """Its cut-off is in metric_ks, or among those that a setting left out; a metric without one has none."""
    rows = {"p1-filtered-hit-5": "7", "p1-self": "5"}
    registry = [row | {"k": rows.get(row["rule_id"], row["k"])} for row in rows_of(ROOT / "seeds/alert_rules.csv")]
    defaults = {"metric_ks": [1, 5]}
    said = list(checks.unmeasured(registry, {"hit"}, {"metric_ks": [1]}, defaults))
    assert [line.partition(", ")[2] for line in said] == [
        "p1-self: self_at_1 is not measured at k = 5. Allowed: 0.",
        "p1-filtered-hit-5: hit is not measured at k = 7. Allowed: 1, 5 (metric_ks).",
    ]
    assert not list(checks.unmeasured(registry[4:5], {"hit"}, {"metric_ks": [7]}, defaults))


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("llm_budget_usd", float("nan"), "llm_budget_usd is nan. Allowed: a number of at least 0."),
        ("llm_budget_usd", "NaN", "llm_budget_usd is 'NaN'"),
        ("llm_budget_usd", -1, "llm_budget_usd is -1"),
        ("llm_budget_usd", True, "llm_budget_usd is True"),
        ("llm_concurrency", 2.5, "llm_concurrency is 2.5. Allowed: a whole number of at least 1."),
        ("llm_replicates", 0, "llm_replicates is 0. Allowed: a whole number of at least 1."),
        ("chunkings", "nope", "chunkings names nope"),
        ("external_chunks", "mine=none.parquet", "CHUNKS path 'none.parquet'"),
        ("p1_anchors", "most", "p1_anchors is 'most'. Allowed: a whole number of at least 0, or all."),
        ("near_duplicate_similarity", 1.2, "Allowed: a number from 0 to 1."),
        ("sentiment_negative_below", -2, "Allowed: a number from -1 to 1."),
        ("metric_ks", [], "metric_ks is []. Allowed: a list of whole numbers"),
        ("metric_ks", [1, "five"], "Allowed: a list of whole numbers"),
        ("metric_ks", 5, "Allowed: a list of whole numbers"),
        ("written_rows", "no", "written_rows is 'no'. Allowed: true or false."),
        ("retrieval_strategies", "dense bm52", "names bm52, no row of seeds/retrieval_strategies.csv. Allowed: dense"),
        ("embedding_models", "nobody", "embedding_models names nobody"),
        ("external_hits", "mine=none.trec", "HITS path 'none.trec' of mine matches no file"),
        ("external_answers", "dense=none.json", "ANSWERS gives the name 'dense', which is a strategy here"),
        ("question_suites", "none*.json", "QUESTIONS path 'none*.json'"),
        ("corpus", "none/*.json", "CORPUS path 'none/*.json' matches no file"),
        ("corpus", "o'neil.json", "CORPUS cannot be read: No closing quotation"),
        ("compare_runs", "0123456789abcdef:fedcba9876543210 one", "COMPARE: 'one' is not a pair of runs"),
        ("compare_runs", "abc:def", "COMPARE: 'abc:def' is not a pair of runs. Write run_id:run_id, two of "),
        ("compare_runs", "0123456789abcdef:0123456789abcdef", "is not a pair of runs"),
        (
            "compare_reference",
            "p3 bm52",
            "compare_reference names bm52, and no run is called so. Did you mean bm25? Allowed: a run_id, or words",
        ),
        ("pipeline_reranker", "bleurt-20", "pipeline_reranker names 'bleurt-20'. Allowed: "),
        ("company_aliases", "google=GOOGL, meta", "The company aliases hold 'meta'. Write alias=company"),
        ("gold_seed", "it's", """gold_seed is "it's". Allowed: a text without an apostrophe."""),
        ("chunk_min_coverage", "abc", "chunk_min_coverage is 'abc'. Allowed: shares above 0 up to 1"),
        ("chunk_min_coverage", "0.5 2", "Allowed: shares above 0 up to 1"),
        ("p1_anchors", 10**20 - 1, "a whole number of at least 0 and at most 2,147,483,647, or all."),
        ("metric_ks", [1, 5.0], "metric_ks is [1, 5.0]. Allowed: a list of whole numbers of at least 1, each once"),
        ("metric_ks", [5, 5], "Allowed: a list of whole numbers of at least 1, each once"),
        ("pipeline_searched_text", "questoin", "is 'questoin'. Allowed: remainder, question."),
        (
            "health_long_items",
            "ITEM_99",
            "health_long_items names ITEM_99, no row of seeds/sections.csv. Allowed: ITEM",
        ),
        ("retrieval_strategies", 5, "retrieval_strategies is 5. Allowed: a text such as 'dense bm25"),
        ("retrieval_strategies", ["dense", "bm25"], "a text, with blanks between its words: 'dense bm25'."),
        ("corpus", None, "CORPUS is None. Allowed: a text such as 'demo'."),
        ("questions_created_at", "yesterday", "questions_created_at is 'yesterday'. Allowed: a date and time"),
        # a date to Python, and none to DuckDB
        ("questions_created_at", "20261121", "questions_created_at is '20261121'. Allowed: a date and time"),
    ],
)
def test_a_setting_that_cannot_be(registries_in_order, setting, value, said):
    defaults = default_variables()
    with pytest.raises(FinragError) as error:
        checks.check_before(defaults | {setting: value}, defaults)
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"itm_1": "item1"}, "itm_1 is a column of no layout. Did you mean item_1? Allowed: docID, "),
        ({"zzz": "item1"}, "zzz is a column of no layout. Allowed: docID, sentenceID,"),
        ({"item1": "item_1"}, 'of no layout. The name of the layout stands first: item_1 = "item1". Allowed: '),
        ({"item_99": "item99"}, "item_99 is a column of no layout."),
        ({"item_1": "item1", "item_7": "Item1"}, "item_1 and item_7 are both 'item1', whose text would be read twice."),
        ({"item_1": 5}, "is {'item_1': 5}. Allowed: a table of names"),
        ("item_1", "is 'item_1'. Allowed: a table of names"),
    ],
)
def test_a_name_that_no_layout_has_is_told_with_its_nearest(columns, said):
    (found,) = checks.wrong_columns({"corpus_columns": columns})
    assert said in found and found.startswith("The var corpus_columns")
    assert not list(checks.wrong_columns({"corpus_columns": {"Item_1": "item1", "cik": "CIK number"}}))


def test_the_registry_of_layouts_names_every_column_that_staging_reads():
    known = set(checks.columns_of_layouts())
    read = {name for names in tables.COLUMNS.values() for name in names}
    for row in rows_of(ROOT / "seeds" / "corpus_layouts.csv"):
        for path in (ROOT / "models" / "staging").glob(f"stg_{row['layout']}__*.sql"):
            text = path.read_text(encoding="utf-8")
            lists = re.findall(r"columns = \[(.*?)\]|read_corpus_files\('\w+', \[(.*?)\]", text, re.S)
            read |= {name for found in lists for name in re.findall(r"'(\w+)'", "".join(found))}
            prefix = re.search(r"columns.append\('(\w+_)' ~ item\)", text)
            items = re.search(r"items = \[(.*?)\]", text, re.S)
            read |= {prefix[1] + item for item in re.findall(r"'(\w+)'", items[1])} if prefix else set()
    assert len(read) > 70 and read == known


ITEMS = '{"cik": "1", "company": "A", "filing_type": "10-K", "filing_date": "2020-01-01", "item_1": "We sell."}'


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"", "the file is empty. Expected the columns of finsights"),
        ("a.csv", b"cik,company,filing_type,filing_date,item_1\n", "the file has no rows."),
        ("a.json", b"[]", "the file has no rows."),
        ("a.json", b'{"cik": "1", "company": "A"', "not readable as json"),
        ("a.parquet", b"PAR1 cut", "not readable as parquet"),
        ("a.csv", b"name;text\nA;B\n", "parts its columns by semicolons; save it with commas."),
        ("a.json", b'{"cik": "1", "company": "A", "filing_type": "10-K"}', "for edgar_crawler (cik, company,"),
        ("a.pdf", b"", "the file is empty."),
        ("a.docx", b"PK", "not a supported format."),
    ],
)
def test_a_corpus_of_which_no_file_can_be_loaded_is_told_before_a_build(
    tmp_path, registries_in_order, name, content, said
):
    (tmp_path / name).write_bytes(content)
    defaults = default_variables()
    values = defaults | {"corpus": str(tmp_path / name)}
    with pytest.raises(FinragError) as error:
        checks.check_before(values, defaults)
    assert f"The corpus file cannot be loaded: {tmp_path / name}: " in str(error.value)
    assert said in str(error.value) and "\n" not in str(error.value)
    # one that seems in order is enough
    (tmp_path / "b.json").write_text(ITEMS, encoding="utf-8")
    checks.check_before(values | {"corpus": f"{tmp_path / name} {tmp_path / 'b.json'}"}, defaults)
    (tmp_path / "b.json").write_text(ITEMS.replace("item_1", "item1"), encoding="utf-8")
    renamed = {"corpus": str(tmp_path / "b.json"), "corpus_columns": {"item_1": "item1"}}
    checks.check_before(defaults | renamed, defaults)


def test_a_damaged_line_is_no_reason_to_turn_down_the_corpus(tmp_path, registries_in_order):
    defaults = default_variables()
    (tmp_path / "a.jsonl").write_text('{"cik": \n' + ITEMS, encoding="utf-8")
    checks.check_before(defaults | {"corpus": str(tmp_path / "a.jsonl")}, defaults)


def test_all_faults_are_said_at_once(registries_in_order):
    defaults = default_variables()
    wrong = {"llm_budget_usd": "NaN", "embedding_models": "nobody", "corpus": "none/*.json", "external_hits": "m=none"}
    with pytest.raises(FinragError) as error:
        checks.check_before(defaults | wrong, defaults)
    assert len(str(error.value).splitlines()) == 4


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("p1_anchors", "all"),
        ("p1_anchors", "600"),
        ("summary_chunk_tokens", 2000),
        ("llm_budget_usd", "0.5"),
        ("written_rows", False),
        ("gold_seed", 7),
        ("chunk_min_coverage", 0.5),
        ("pipeline_searched_text", "question"),
        ("health_brief_items", ""),
        ("company_aliases", "google=GOOGL, big blue = 0000051143,"),
    ],
)
def test_a_setting_that_can(registries_in_order, setting, value):
    defaults = default_variables()
    checks.check_before(defaults | {setting: value}, defaults)


@pytest.mark.parametrize(
    "settings",
    [
        {"compare_reference": "bm25 open"},
        {"compare_reference": "p2 (filtered) dense all-MiniLM-L6-v2"},
        {"compare_reference": "answers hybrid baseline #2"},
        {"compare_reference": "demo majority class"},
        {"compare_reference": "0123456789abcdef"},
        # what a file names within is known to the build alone
        {"compare_reference": "theirs", "external_answers": "mine=a.jsonl"},
    ],
)
def test_a_reference_that_a_run_can_be_called(settings):
    assert not list(checks.wrong_reference(default_variables() | settings))


def test_a_reference_may_be_called_as_a_file_is(tmp_path):
    (tmp_path / "mine.trec").write_text("")
    settings = {"external_hits": f"mine@open={tmp_path / 'mine.trec'}", "compare_reference": "mine"}
    assert not list(checks.wrong_reference(default_variables() | settings))
    (found,) = checks.wrong_reference(default_variables() | settings | {"compare_reference": "minr"})
    assert "names minr, and no run is called so. Did you mean mine?" in found


@pytest.mark.parametrize("name", ["p1", "p3", "mdna"])
def test_a_suite_with_a_name_of_our_own_is_told_so(tmp_path, name):
    (tmp_path / f"{name}.json").write_text("[]")
    (found,) = checks.wrong_files(default_variables() | {"question_suites": str(tmp_path / f"{name}.json")})
    assert "these names are taken" in found


@pytest.mark.parametrize(
    ("model_name", "said"),
    [
        ("./nowhere", "'./nowhere' is neither a folder nor a name on the Hugging Face hub"),
        ("owner/model", "owner/model is no folder here, and on the hub needs a revision"),
        ("package:nobodys_weights", "nobodys_weights"),
    ],
)
def test_a_model_in_use_whose_files_cannot_be_is_said_before_anything_runs(seeds, monkeypatch, model_name, said):
    """Of a registry of one's own; one that is not in use is nobody's fault."""
    with (seeds / "embedding_models.csv").open("a", encoding="utf-8") as stream:
        stream.write(f"mine,{model_name},,8,,,,,\n")
    monkeypatch.setattr(checks, "seeds_folder", lambda: seeds)
    assert not list(checks.wrong_models({"embedding_models": "all-MiniLM-L6-v2"}))
    (found,) = checks.wrong_models({"embedding_models": "all-MiniLM-L6-v2 mine"})
    assert said in found


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FINRAG_ENGINE", "spark", "FINRAG_ENGINE is 'spark'. Allowed: here (this process) and ray (a cluster)."),
        ("FINRAG_THREADS", "many", "FINRAG_THREADS is 'many'"),
        ("FINRAG_MEMORY_LIMIT", "4XB", "FINRAG_MEMORY_LIMIT is '4XB'"),
    ],
)
def test_what_the_environment_says_of_the_machine(monkeypatch, name, value, said):
    assert not list(checks.wrong_machine())
    monkeypatch.setenv(name, value)
    (found,) = checks.wrong_machine()
    assert found.startswith(said)


def test_a_baseline_is_whole_before_a_build_starts(tmp_path, monkeypatch, registries_in_order):
    """The frozen scores that an ignore rule left out, those of another freeze, and a file that was cut."""
    defaults, whole = default_variables(), ROOT / "seeds" / "baseline_scores.parquet"
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds")
    named, file = tmp_path / "seeds" / "baselines.csv", tmp_path / "seeds" / "baseline_scores.parquet"
    monkeypatch.setattr(checks, "seeds_folder", lambda: tmp_path / "seeds")
    for held in (whole, file):
        monkeypatch.setattr(checks, "frozen_file", lambda held=held: held)
        assert list(checks.wrong_baseline()) == []
    named.write_text(named.read_text(encoding="utf-8").replace("demo,", "second,"), encoding="utf-8")
    [said] = checks.wrong_baseline()
    assert "names the baseline second, but" in said and "holds demo." in said and "Git LFS" in said
    for content in (whole.read_bytes()[:2000], b"version https://git-lfs.github.com/spec/v1", None):
        file.unlink() if content is None else file.write_bytes(content)
        with pytest.raises(FinragError, match=r"cannot be read as Parquet .*freeze anew \(.* baseline\)"):
            checks.check_before(defaults, defaults)
