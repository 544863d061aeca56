"""A project of one's own: finrag.toml, rows of registries, the dbt project set up for it, and what doctor finds."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib

import duckdb
import pytest
import yaml
from typer.main import get_command
from typer.testing import CliRunner

from csv_files import rows_of
from finrag import settings
from finrag.build import checks
from finrag.build.run import who_builds
from finrag.cli import doctor, place
from finrag.cli.app import app
from finrag.cli.choices import Choice, choices, hand_over
from finrag.corpus.paths import expand
from finrag.edgar.client import contact
from finrag.engine.choice import chosen
from finrag.errors import FinragError
from finrag.inputs import hits
from finrag.project import FRONT, command, name_of_make, registry_of
from warehouses import OPEN_TO_WRITE, ROOT

EMBEDDING = '[[registry.embedding_models]]\nmodel_id = "mine"\nmodel_name = "models/mine"\ndimension = 8\n'


@pytest.fixture
def project(tmp_path, monkeypatch, taken_back):
    """A new project, which is where the test stands."""
    for name in [name for name in os.environ if name.startswith(("FINRAG_", "DBT_")) or name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    place.make(tmp_path / "mine")
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path / "mine"


def written(project, text: str) -> None:
    (project / "finrag.toml").write_text(text, encoding="utf-8")


def test_a_new_project_builds_the_demo_and_is_made_once(project):
    place.enter()
    assert {name: choice.value for name, choice in choices({}).items() if choice.origin != "default"} == {
        "corpus": "demo"
    }
    with pytest.raises(FinragError, match="is there already"):
        place.make(project)
    with pytest.raises(FinragError, match="is a clone, which needs no"):
        place.make(ROOT)
    assert command("build") == "finrag build"
    assert os.environ[FRONT] == "finrag"
    assert command("build", force=True) == "finrag build --force"
    assert command("export queries") == "finrag export queries"
    assert command("baseline", "mine", note="'why'") == "finrag baseline mine --note 'why'"


def test_a_project_that_is_set_up_is_written_no_more(project):
    """So that what only reads works in a folder that cannot be written."""

    def times() -> dict:
        return {path: path.lstat().st_mtime_ns for path in (project / ".finrag").rglob("*")}

    place.enter()
    for path in times():
        os.utime(path, ns=(1, 1), follow_symlinks=False)
    place.enter()
    assert set(times().values()) == {1}


@pytest.mark.parametrize("name", ["o'neil", "a [1]", "st*r", "what?", "a\\b"])
def test_a_folder_that_dbt_or_duckdb_would_misread_is_refused_early(tmp_path, monkeypatch, taken_back, name):
    """By init, by every command in one that is there already, doctor and those of a clone among them."""
    folder = tmp_path / name / "mine"
    with pytest.raises(FinragError, match="cannot hold a project"):
        place.make(folder)
    assert not folder.exists()
    folder.mkdir(parents=True)
    (folder / "finrag.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir(folder)
    said = str(CliRunner().invoke(app, ["doctor"]).exception)
    [character] = set(name) & set(place.NOT_IN_FOLDER)
    assert f": {character} in the name of the folder {name} is not read as such" in said
    assert said.startswith(str(folder)) and said.endswith("rename the folder, or go to another.")
    assert not (folder / ".finrag").exists()


def stated_version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_a_build_says_the_version_of_the_clone_not_of_its_installation(tmp_path, monkeypatch):
    assert who_builds()["BUILD_VERSION"] == stated_version()
    (tmp_path / "dbt_project.yml").write_text('version: "0.9.9"\n')
    monkeypatch.setattr("finrag.project.product", lambda: tmp_path)
    assert who_builds()["BUILD_VERSION"] == "0.9.9"


def test_in_a_clone_messages_name_make(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert command("build", force=True) == "make build FORCE=1"
    assert command("build", suites="a.json", hits='"m@open=b"') == 'make build QUESTIONS=a.json HITS="m@open=b"'
    assert command("export queries") == "make export-queries"
    assert command("baseline", "mine", note="'why'") == "make baseline NAME=mine NOTE='why'"


def test_messages_name_a_setting_as_it_is_set_there(project, monkeypatch):
    """In a project by its key in finrag.toml and the option of finrag, in a clone by make's option or the var."""
    example = ("external_hits", "mine@open=a.trec")
    assert settings.named("external_hits") == "hits in finrag.toml (or --hits)"
    assert settings.named("company_facts", begins=True) == "corpus.facts in finrag.toml (or --facts)"
    assert settings.named("llm_budget_usd", begins=True) == "budgets.usd in finrag.toml (or --vars)"
    assert settings.named("p1_anchors") == "settings.p1_anchors in finrag.toml (or --vars)"
    assert settings.assigned(*example) == 'hits = "mine@open=a.trec" in finrag.toml'
    assert registry_of("llm_models") == "[[registry.llm_models]] in finrag.toml"
    monkeypatch.chdir(ROOT)
    assert [settings.named(name) for name in ("external_hits", "question_suites")] == ["HITS", "QUESTIONS"]
    assert settings.named("llm_budget_usd", begins=True) == "The var llm_budget_usd"
    assert settings.assigned(*example) == 'HITS="mine@open=a.trec"'
    assert settings.assigned("p1_anchors", "all") == """VARS='{"p1_anchors": "all"}'"""
    assert registry_of("llm_models") == "seeds/llm_models.csv"


def test_a_number_that_cannot_be_is_called_as_it_is_set_there(project):
    [said] = checks.wrong_numbers({"llm_deadline_seconds": -3}, {"llm_deadline_seconds": 300})
    assert said == "budgets.seconds_per_call in finrag.toml (or --vars) is -3. Allowed: a whole number of at least 1."


def test_every_setting_has_a_key_and_every_option_of_a_build_a_setting():
    known = yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))["vars"].keys()
    assert set(settings.KEYS.values()) <= known
    given = {option for parameter in get_command(app).commands["build"].params for option in parameter.opts}
    assert {f"--{option}" for option in settings.OPTIONS} <= given
    of_make = set(re.findall(r"^# |\b([A-Z]+):([a-z]+)\b", (ROOT / "Makefile").read_text(encoding="utf-8"))) - {
        ("", "")
    }
    assert {(name_of_make(option), option) for option in settings.OPTIONS} == of_make - {("VARS", "vars")}


def test_no_error_names_a_setting_by_itself():
    """named() does, in the words of the place."""
    of_make = "|".join(map(name_of_make, settings.OPTIONS))
    by_itself = re.compile(rf"\b(?:{of_make})\b|\b[Tt]he vars? [a-z_]+")
    said = [
        (path.name, node.lineno, constant.value)
        for path in (ROOT / "python_models/finrag").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise)
        for constant in ast.walk(node)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    ]
    assert len(said) > 300
    assert [found for found in said if by_itself.search(found[2])] == []


def test_the_page_says_what_each_option_is_called():
    rows = re.findall(
        r"^\| `([A-Z]+)` \| `([a-z.]+)` \| `--([a-z]+)` \|$",
        (ROOT / "docs/project.md").read_text(encoding="utf-8"),
        re.M,
    )
    assert rows == [(name_of_make(option), settings.KEY_OF[name], option) for option, name in settings.OPTIONS.items()]


def test_what_no_file_is_found_for_is_said_in_the_words_of_the_place(project, monkeypatch):
    with pytest.raises(FinragError) as inside:
        hits.GRAMMAR.parse("mine=none.trec")
    assert str(inside.value).startswith("hits in finrag.toml (or --hits) path 'none.trec'")
    assert 'e.g. hits = "mine@filtered=runs/mine.trec" in finrag.toml' in str(inside.value)
    monkeypatch.chdir(ROOT)
    with pytest.raises(FinragError, match=r"^HITS path 'none.trec' .* e\.g\. HITS=\"mine@filtered=runs/mine.trec\""):
        hits.GRAMMAR.parse("mine=none.trec")


def test_several_in_one_text_are_told_to_be_a_list(project):
    """As doctor finds it, and not what has just been refused."""
    written(
        project,
        'hits = "mine@open=a.json other@open=b.json"\nsuites = "a.json b.json"\n[corpus]\npaths = "a.json b.json"\n',
    )
    said = [line for line in CliRunner().invoke(app, ["doctor"]).output.splitlines() if line.startswith("!")]
    assert len(said) == 3
    assert (
        '/). Write a list: ["mine@open=a.json", "other@open=b.json"]. It takes name@regime=path pairs in a list'
        in said[0]
    )
    assert all('/). Write a list: ["a.json", "b.json"]. It takes' in line for line in said[1:])
    assert all("in a list, or separated by spaces after the option" in line for line in said)
    (project / "a b.json").write_text("[]", encoding="utf-8")
    written(project, 'suites = "a b.json"')
    assert CliRunner().invoke(app, ["doctor"]).output.endswith("\nNo faults.\n")


@pytest.mark.parametrize("front", ["finrag", "make"])
def test_messages_in_tables_name_the_command_that_is_there(empty, monkeypatch, front):
    monkeypatch.setenv(FRONT, front)
    done = empty.dbt("compile", "--quiet", "--inline", "select '{{ command('baseline') }}'")
    assert f"select '{front} baseline'" in done.stdout, done.stdout


def test_every_key_reaches_its_var(project):
    written(
        project,
        'suites = ["a.json", "b*.json"]\nheadlines = "h.json"\n'
        '[corpus]\npaths = ["f/*.json", "g.parquet"]\nfacts = "facts.csv"\n'
        'columns = { item_1 = "item1" }\n'
        'aliases = { "Big Blue, Inc." = "IBM", Mouse = 1001039 }\n'
        '[hits]\n"mine@open" = "o.trec"\n"mine@filtered" = ["f1.trec", "f 2.trec"]\n'
        '[answers]\nmine = "a.jsonl"\n[summaries]\nx = "s.jsonl"\n[replies]\nx = "r.jsonl"\n'
        '[calibration]\nx = "c.jsonl"\n[chunks]\nmine = "k.parquet"\n'
        '[vectors]\nm = "v/*.parquet"\n'
        '[models]\nembedding = ["m", "n"]\nscores = "s"\nreranker = "c"\nquestions = "q"\nanswers = ["a"]\n'
        'judges = "j"\nsummaries = "y"\nsentiment = "z"\n'
        "[budgets]\nusd = 2.5\nseconds_per_call = 60\ncalls_at_a_time = 4\nreplicates = 2\n"
        '[compare]\nreference = "bm25 open"\npairs = ["r1:r2"]\n'
        "[settings]\np1_anchors = 50\nmetric_ks = [1, 5]\n",
    )
    place.enter()
    made = {name: choice.value for name, choice in choices({}).items() if choice.origin == "finrag.toml"}
    assert made == {
        **{"corpus": "f/*.json g.parquet", "company_facts": "facts.csv"},
        "corpus_columns": {"item_1": "item1"},
        **{"company_aliases": "Big Blue  Inc.=IBM, Mouse=1001039", "imported_vectors": "m=v/*.parquet"},
        "external_hits": "mine@open=o.trec mine@filtered=f1.trec 'mine@filtered=f 2.trec'",
        "external_chunks": "mine=k.parquet",
        **{"compare_runs": "r1:r2", "compare_reference": "bm25 open"},
        **{"question_suites": "a.json b*.json", "external_answers": "mine=a.jsonl"},
        **{"summary_pairs": "x=s.jsonl", "sentiment_data": "h.json", "sentiment_replies": "x=r.jsonl"},
        **{"calibration_data": "x=c.jsonl", "embedding_models": "m n", "score_models": "s", "pipeline_reranker": "c"},
        **{"llm_questions": "q", "llm_answers": "a", "llm_judges": "j", "llm_summaries": "y", "llm_sentiment": "z"},
        **{"llm_budget_usd": 2.5, "llm_deadline_seconds": 60, "llm_concurrency": 4, "llm_replicates": 2},
        **{"p1_anchors": 50, "metric_ks": [1, 5]},
    }
    assert set(settings.KEYS.values()) <= made.keys()
    beaten = choices({"corpus": "other.json"}, '{"p1_anchors": 9}')
    assert (beaten["corpus"].value, beaten["p1_anchors"].value) == ("other.json", 9)
    [_, variables] = hand_over(beaten)
    assert json.loads(variables) == {"metric_ks": [1, 5]}
    of_the_run = json.loads(os.environ["FINRAG_SETTINGS"])
    assert of_the_run["p1_anchors"] == 9 and of_the_run["external_hits"].startswith("mine@open=o.trec ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[corpus", "finrag.toml cannot be read"),
        ("[corpus]\npath = 'x'", "finrag.toml: corpus.path is unknown. Did you mean corpus.paths or"),
        ("[corpus]\npaths = 3", "corpus.paths is 3. Allowed: a text, or a list"),
        ("[hits]\nmine = 3", "hits.mine is 3. Allowed: a path"),
        (
            "[models]\nanswers = 'baseline gpt'",
            r"models.answers is 'baseline gpt'. Write a list: \[\"baseline\", \"gpt\"\]",
        ),
        ("[models]\nembedding = ['my model']", r"embedding is \['my model'\]. Write a list: \[\"my\", \"model\"\]"),
        ("[compare]\npairs = 'a:b c:d'", r"compare.pairs is 'a:b c:d'. Write a list: \[\"a:b\", \"c:d\"\]"),
        ("[settings]\nretrieval_regimes = ['open all']", r"regimes is .*Write a list: \[\"open\", \"all\"\]"),
        ("[corpus]\naliases = {AB = true}", r"aliases is {'AB': True}. Allowed: a table of CIK or ticker by name"),
        ("[corpus]\naliases = {AB = 'A, B'}", r"aliases is {'AB': 'A, B'}. Allowed: a table of CIK or ticker by name"),
        ('[engine]\naddress = "10.0.0.4:6379"', 'engine.address is of a cluster.*Write name = "ray" beside it'),
        ("[budgets]\nusd = 'five'", "budgets.usd is 'five'. Allowed: a number"),
        ("[settings]\ncorpus = 'x'", "settings.corpus is unknown. Write corpus.paths"),
        ("[corpsu]\npaths = 'x'", r"finrag.toml: corpsu is unknown. Did you mean \[corpus\] or"),
        ("[settings]\np1_anchor = 3", r"Did you mean settings.p1_anchors"),
        ("[models]\nllm_answers = 'x'", "Write models.answers"),
    ],
)
def test_what_finrag_toml_cannot_say(project, text, said):
    written(project, text)
    with pytest.raises(FinragError, match=said):
        place.enter()
        choices({})


def test_all_that_the_file_cannot_state_is_said_at_once(project):
    written(
        project,
        '[corpus]\npaths = 5\nfact = "x.csv"\n[edgar]\ncontact = 7\nmail = "x"\n[engine]\nnme = "ray"\n'
        '[budgets]\nusd = "five"\n' + EMBEDDING.replace("8", '"many"'),
    )
    with pytest.raises(FinragError) as error:
        place.enter()
    told = [line.removeprefix("finrag.toml").lstrip(":, ").partition(" ")[0] for line in str(error.value).splitlines()]
    assert told == [
        *("edgar.contact", "edgar.mail", "engine.nme"),
        *("registry.embedding_models,", "corpus.paths", "corpus.fact", "budgets.usd"),
    ]
    written(project, "[corpus")
    with pytest.raises(FinragError) as error:
        place.enter()
    assert len(str(error.value).splitlines()) == 1


def test_every_path_that_finds_nothing_is_said_at_once(project):
    (project / "a.json").touch()
    with pytest.raises(FinragError) as error:
        expand(None, "a.json b*.json c.json", "d.csv")
    assert [line.split("'")[1] for line in str(error.value).splitlines()] == ["b*.json", "c.json", "d.csv"]
    with pytest.raises(FinragError) as error:
        hits.GRAMMAR.parse("mine=a.json mine=b.json b=")
    assert [line.split("'")[1] for line in str(error.value).splitlines()] == ["b.json", "b="]


def test_all_that_is_wrong_is_said_at_once(project):
    written(project, "[corpus]\npath = 'x'\n[hits]\nmine = 3\n[budgets]\nusd = 'five'\n[mdels]\nanswers = 'x'")
    with pytest.raises(FinragError) as raised:
        place.enter()
    said = str(raised.value).splitlines()
    assert all(line.startswith("finrag.toml: ") for line in said)
    assert [line.split()[1] for line in said] == ["corpus.path", "hits.mine", "budgets.usd", "mdels"]
    written(project, "[[registry.alert_rule]]\nrule_id = 'x'\n" + EMBEDDING.replace("8", '"many"'))
    with pytest.raises(FinragError, match=r"Did you mean alert_rules.*\n.*'many' is no integer"):
        place.enter()


def test_own_rows_are_added_to_the_product_s_and_take_the_place_of_their_like(project):
    (project / "registry").mkdir()
    (project / "registry" / "llm_prices.csv").write_text(
        "model_id,valid_from,input_usd_per_million,output_usd_per_million,source_note\nmine,2026-01-01,1,2,me\n"
    )
    written(
        project,
        EMBEDDING + '[[registry.llm_models]]\nmodel_id = "mine"\nprovider = "openai"\nmodel_name = "m"\n'
        '[[registry.judge_thresholds]]\nstatistic = "spearman"\nthreshold = 0.5\n'
        '[[registry.alert_rules]]\nrule_id = "p1-filtered-hit-5"\nthreshold = 0.05\nnote = ""\n',
    )
    place.enter()

    def rows(name: str) -> list[dict]:
        return rows_of(project / f".finrag/seeds/{name}.csv")

    def product(name: str) -> list[dict]:
        return rows_of(f"seeds/{name}.csv")

    assert rows("embedding_models")[:-1] == product("embedding_models")
    assert rows("embedding_models")[-1]["dimension"] == "8"
    assert rows("llm_prices")[-1]["valid_from"] == "2026-01-01"
    before = {row["statistic"]: row["threshold"] for row in product("judge_thresholds")}
    assert {row["statistic"]: row["threshold"] for row in rows("judge_thresholds")} == before | {"spearman": "0.5"}
    assert "spearman" in before
    # what a row leaves out is as it was, what it leaves empty is empty
    rules = {row["rule_id"]: row for row in product("alert_rules")}
    changed = rules["p1-filtered-hit-5"] | {"threshold": "0.05", "note": ""}
    assert {row["rule_id"]: row for row in rows("alert_rules")} == rules | {"p1-filtered-hit-5": changed}
    assert (project / ".finrag/seeds/kpi_patterns.csv").resolve() == ROOT / "seeds" / "kpi_patterns.csv"

    written(project, "")
    (project / "registry" / "llm_prices.csv").unlink()
    place.enter()
    assert (project / ".finrag/seeds/embedding_models.csv").resolve() == ROOT / "seeds" / "embedding_models.csv"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("registry = 5", r"registry is no table. Write \[\[registry.embedding_models\]\] and the like"),
        ("[[registry.models]]\na = 1", "registry.models, row 1: there is no registry models. Did you mean"),
        ("[registry]\nzzz = []", "finrag.toml: there is no registry zzz"),
        ("[[registry.zzz]]\na = 1", "there is no registry zzz. Registries: alert_rules"),
        ("[registry.embedding_models]\nmodel_id = 'x'", r"holds no rows. Write \[\[registry.embedding_models\]\]"),
        (EMBEDDING.replace("8", '"many"'), "embedding_models, row 1, column dimension: 'many' is no integer"),
        (EMBEDDING.replace("dimension = 8", ""), "row 1, column dimension: it must not be empty"),
        (EMBEDDING + "size = 3", "row 1, column size: there is none. Columns: model_id, model_name"),
        (EMBEDDING + EMBEDDING, "row 2, column model_id: finrag.toml, registry.embedding_models, row 1 has the same"),
        (
            '[[registry.alert_rules]]\nrule_id = "x"\nseverity = "P7"',
            "row 1, column severity: 'P7' is not allowed. Allowed: P0, P1, P2",
        ),
        (
            '[[registry.llm_prices]]\nmodel_id = "nobody"\nvalid_from = 2026-01-01\ninput_usd_per_million = 1\n'
            'output_usd_per_million = 1\nsource_note = "me"',
            "column model_id: the registry llm_models has no 'nobody'",
        ),
        (
            '[[registry.kpi_patterns]]\npattern_id = "x"\nkpi_label = "eps"\nrole = "include"\npattern = "(?=a)"',
            "row 1, column pattern: it is no RE2 pattern",
        ),
        (
            '[[registry.kpi_patterns]]\npattern_id = "x"\nkpi_label = "backlog"\nrole = "include"\npattern = "a"',
            "row 1, column kpi_label: 'backlog' is not allowed. Allowed: revenue, net_income",
        ),
        (
            '[[registry.risk_patterns]]\npattern_id = "x"\nrisk_topic = "climate"\nrole = "include"\npattern = "a"',
            "row 1, column risk_topic: 'climate' is not allowed. Allowed: regulatory",
        ),
        (
            '[[registry.kpi_patterns]]\npattern_id = "x"\nkpi_label = "eps"\npattern = "a"',
            "row 1, column role: it must not be empty",
        ),
    ],
)
def test_rows_that_do_not_fit_are_named_with_their_column(project, text, said):
    written(project, text)
    with pytest.raises(FinragError, match=said):
        place.enter()


def test_every_pattern_of_one_s_own_is_checked(project):
    pattern = '[[registry.kpi_patterns]]\npattern_id = "{}"\nkpi_label = "eps"\nrole = "include"\npattern = "{}"\n'
    written(project, "".join(pattern.format(*row) for row in (("x", "per unit"), ("y", "[0-9"), ("z", "(?=a)"))))
    with pytest.raises(FinragError) as raised:
        place.enter()
    faults = [line for line in str(raised.value).splitlines() if "no RE2 pattern" in line]
    assert [", row 2," in faults[0], ", row 3," in faults[1], len(faults)] == [True, True, 2]


def test_a_line_of_a_csv_is_named(project):
    (project / "registry").mkdir()
    (project / "registry" / "judge_thresholds.csv").write_text("statistic,threshold\nspearman,0.5\nkendall,high\n")
    with pytest.raises(FinragError, match=r"judge_thresholds.csv, line 3, column threshold: 'high' is no double"):
        place.enter()
    (project / "registry" / "judge_thresholds.csv").write_text("statistic,threshold\nspearman,0.5,6\n")
    with pytest.raises(FinragError, match=r"judge_thresholds.csv, line 2: it has 3 values where there are 2 columns"):
        place.enter()


def test_a_column_that_stands_twice_is_told(project):
    (project / "registry").mkdir()
    (project / "registry" / "judge_thresholds.csv").write_text("statistic,threshold,threshold\nspearman,0.5,0.6\n")
    with pytest.raises(FinragError, match=r"line 1: the column threshold stands there twice. Take one away."):
        place.enter()


def test_settings_of_other_types_are_texts_or_told(project):
    """A date of TOML and a list of words are taken; what is none of it is a fault for doctor, not a traceback."""
    written(
        project,
        "[settings]\nquestions_created_at = 2026-11-21T00:00:00Z\nretrieval_strategies = ['dense', 'bm25']\n"
        "[registry]\nembedding_models = []",
    )
    place.enter()
    hand_over(choices({}))
    assert json.loads(os.environ["FINRAG_SETTINGS"]) == {
        "questions_created_at": "2026-11-21T00:00:00Z",
        "retrieval_strategies": "dense bm25",
    }
    assert CliRunner().invoke(app, ["doctor"]).output.endswith("\nNo faults.\n")
    written(project, "[settings]\nretrieval_strategies = 5\n")
    done = CliRunner().invoke(app, ["doctor"])
    assert "! settings.retrieval_strategies in finrag.toml (or --vars) is 5. Allowed: a text such as" in done.output
    written(project, "[settings]\nretrieval_strategies = [5]\n")
    with pytest.raises(FinragError, match=r"settings.retrieval_strategies is \[5\]. Allowed: a text, or a list"):
        choices({})


def test_what_the_file_sets_in_the_environment_is_called_by_its_key(project, monkeypatch):
    """Told once, by doctor as before a build; a variable that was set is called so, though the file names it too."""
    for name in ("FINRAG_ENGINE", "FINRAG_EDGAR_CONTACT"):  # so that what the command sets is gone afterwards
        monkeypatch.setenv(name, ".")
        monkeypatch.delenv(name)
    written(project, '[engine]\nname = "spark"\n[edgar]\ncontact = "Jane"\n[corpus]\npaths = "demo"\n')
    output = CliRunner().invoke(app, ["doctor"]).output
    told = "engine.name in finrag.toml is 'spark'. Allowed: here (this process) and ray (a cluster)."
    engine, address = [line for line in output.splitlines() if line.startswith("!")]
    assert engine == f"! {told}" and address.startswith("! contact ")
    with pytest.raises(FinragError, match=r"edgar.contact in finrag.toml is 'Jane', without .*Set FINRAG_EDGAR"):
        contact()
    monkeypatch.delenv("FINRAG_SET_BY_FILE")
    with pytest.raises(FinragError, match=r"^FINRAG_ENGINE is 'spark'"):
        chosen()


def test_columns_that_are_no_table_are_told_what_they_could_be(project):
    written(project, '[corpus]\ncolumns = "item1"\n')
    with pytest.raises(FinragError) as error:
        choices({})
    allowed = 'Allowed: a table of names in your files, such as item_1 = "item1".'
    assert str(error.value) == f"finrag.toml: corpus.columns is 'item1'. {allowed}"


def test_a_frozen_baseline_takes_the_place_of_the_demo_s(project):
    (project / "registry").mkdir()
    header = (ROOT / "seeds" / "baselines.csv").read_text(encoding="utf-8").partition("\n")[0]
    row = "mine,p1,open,dense,m,r,c,g,3,2026-01-01,\n"
    (project / "registry" / "baselines.csv").write_text(f"{header}\n{row}")
    place.enter()
    assert (project / ".finrag/seeds/baselines.csv").read_text() == f"{header}\n{row}"


def test_doctor_says_where_a_value_comes_from_and_never_shows_a_key(project, monkeypatch):
    (project / "mine.json").write_text("{}")
    written(
        project,
        'suites = ["mine.json", "none*.json"]\n[models]\nanswers = ["gpt-4.1-mini", "gemini-2.5-flash", "nobody"]\n',
    )
    monkeypatch.setenv("OPENAI_API_KEY", "not-to-be-shown")
    done = CliRunner().invoke(app, ["doctor", "--vars", '{"p1_anchors": 9}'])
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert lines[0].startswith(f"finrag {stated_version()}, Python 3.")
    assert done.exit_code == 1
    assert "models.answers gpt-4.1-mini gemini-2.5-flash nobody (finrag.toml)" in lines
    assert "settings.p1_anchors 9 (command line)" in lines
    assert "corpus.paths demo (default)" in lines
    assert "OPENAI_API_KEY present" in lines and "not-to-be-shown" not in done.output
    unknown, unmatched, absent = [line for line in lines if line.startswith("!")]
    # what a build would stop at, in its words
    assert unknown.startswith("! models.answers in finrag.toml (or --vars) names nobody, no row of ")
    assert unmatched.startswith("! suites in finrag.toml (or --suites) path 'none*.json' matches no file")
    assert absent == "! GEMINI_API_KEY absent, and needed by gemini-2.5-flash"
    assert lines[-1] == "Faults, marked with !: 3"


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("sk-SECRET", "  GEMINI_API_KEY               present"),
        ("sk\u2013SECRET", "! GEMINI_API_KEY               has a sign"),
    ],
)
def test_doctor_finds_a_key_that_no_request_can_carry(monkeypatch, capsys, key, said):
    monkeypatch.setenv("GEMINI_API_KEY", key)
    doctor.keys(doctor.Findings(), {role: Choice("gemini-2.5-flash", "") for role in settings.ROLES})
    told = capsys.readouterr().out
    assert said in told and "SECRET" not in told


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        ("Jane", f"! {'contact':28} The SEC asks everyone"),
        ("Jane Doe jane@example.com", f"  {'contact':28} Jane Doe jane@example.com\n"),
    ],
)
def test_doctor_says_whom_edgar_would_refuse(monkeypatch, capsys, contact, said):
    monkeypatch.setenv("FINRAG_EDGAR_CONTACT", contact)
    found = doctor.Findings()
    doctor.who_asks(found)
    assert said in capsys.readouterr().out
    assert found.faults == (contact == "Jane")


@pytest.mark.parametrize("state", ["damaged", "whole", "locked"])
def test_doctor_opens_the_warehouse(project, state):
    database = project / "warehouse/finrag.duckdb"
    database.parent.mkdir(exist_ok=True)
    if state == "damaged":
        database.write_bytes(b"no database" * 1000)
    else:
        duckdb.connect(str(database)).close()
    arguments = [sys.executable, "-c", OPEN_TO_WRITE, str(database)] if state == "locked" else ["echo", "open"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        done = CliRunner().invoke(app, ["doctor"])
        other.stdin.close()
    [told] = [" ".join(line.split()) for line in done.output.splitlines() if line[2:].startswith("warehouse")]
    if state == "damaged":
        assert told.startswith("! warehouse ") and done.exit_code == 1
        assert "/warehouse/finrag.duckdb is no DuckDB database: it is damaged" in told
    else:
        assert told.startswith("warehouse ") and "finrag.duckdb: 0 MB" in told and done.exit_code == 0
        assert ("(open in another process)" in told) == (state == "locked")


def test_doctor_counts_the_files_that_a_build_reads(project):
    for name in ("filings[2020].json", "year=2020/a.json", "year=2020/b.json", "mine.jsonl", "mine=1.json"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("{}")
    (project / "year=2020/gone.json").symlink_to(project / "nowhere.json")
    written(
        project,
        'suites = ["mine=1.json"]\n[corpus]\npaths = ["filings[2020].json", "year=2020/*.json"]\n'
        '[answers]\nmine = "*.jsonl"\n',
    )
    done = CliRunner().invoke(app, ["doctor"])
    told = done.output.partition("\nFiles\n")[2].partition("\n\n")[0]
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert lines[:4] == [
        "corpus.paths filings[2020].json: 1 file, 0.0 MB",
        "corpus.paths year=2020/*.json: 3 files, 0.0 MB",
        "suites mine=1.json: 1 file, 0.0 MB",
        "answers mine=*.jsonl: 1 file, 0.0 MB",
    ]


def test_doctor_finds_a_folder_that_no_build_could_write(project, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, _mode: path != project)
    found = doctor.Findings()
    doctor.machine(found)
    assert found.faults == 1 and f"{project} cannot be written, as every build does" in capsys.readouterr().out
