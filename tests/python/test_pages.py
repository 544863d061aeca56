"""README and the pages of docs/: short enough, with links, commands, settings and paths that exist, and as a site."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer
import yaml

from csv_files import rows_of
from documents import DOCS, ROOT, code_of, pages, table_of, text_of
from finrag import pages as site
from finrag.cli import toml
from finrag.cli.app import app
from finrag.errors import FinragError

MAKEFILE = text_of(ROOT / "Makefile")
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))
# What make takes, by the name before the = sign.
ARGUMENTS = {
    *re.findall(r"\b([A-Z]+):[a-z]+", MAKEFILE),
    *re.findall(r"\$\((?:if \$\()?([A-Z]+)\)", MAKEFILE),
    *re.findall(r"\$\(call option,([A-Z]+),", MAKEFILE),
    *re.findall(r"\$\$\{([A-Z]+):", MAKEFILE),
    # by way of the environment, as benchmarks/run.py reads them
    *("BENCH", "BENCH_ROWS", "BENCH_SCALE", "BENCH_HTML", "BENCH_CORPUS", "RAY_ADDRESS"),
    *("BENCH_FILINGS", "BENCH_PDFS", "BENCH_PDFS_MADE"),
}
VARIABLES = yaml.safe_load(text_of(ROOT / "dbt_project.yml"))["vars"]
COMMANDS = typer.main.get_command(app).commands
BENCHMARKS = set(re.findall(r'^    "(\w+)": "\w+",$', text_of(ROOT / "benchmarks" / "run.py"), re.MULTILINE))
EACH_PAGE = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
# Folders of the project, and of what builds make, by which a path is told from other code.
FOLDERS = ("models", "python_models", "macros", "seeds", "analyses", "tests", "benchmarks", "docs", "finrag")


def calls(page: Path, command: str) -> list[list[str]]:
    """The words after `make` or `finrag` wherever a page's code calls it, comments left out."""
    found = []
    for code in code_of(page):
        for line in re.split(r"\n|&&", code.replace("\\\n", " ")):
            told = re.match(rf"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?{command} (.*)", line)
            if told:
                found.append(shlex.split(told[1].replace("<", "").replace(">", ""), comments=True))
    return found


def faults_of_make(words: list[str]) -> list[str]:
    """What is wrong with the words after `make`."""
    given = dict(word.split("=", 1) for word in words if "=" in word)
    faults = [word for word in words if "=" not in word and word not in TARGETS]
    faults += [name for name in given if name not in ARGUMENTS]
    faults += [name for name in json.loads(given.get("VARS", "{}").replace(", …", "")) if name not in VARIABLES]
    faults += [name for name in given.get("BENCH", "").split() if name not in BENCHMARKS]
    if "analysis" in words and not (ROOT / "analyses" / f"{given['NAME']}.sql").exists():
        faults.append(given["NAME"])
    return faults


def faults_of_finrag(words: list[str]) -> list[str]:
    """What is wrong with the words after `finrag`; build passes options that it does not know on to dbt's."""
    name, *others = words
    if name.startswith("-") or name == "command":
        return []
    if name not in COMMANDS:
        return [name]
    # imported where it is needed: every worker imports this file
    from dbt.cli.main import cli as dbt

    passed_on = dbt.commands["build"].params if COMMANDS[name].context_settings.get("ignore_unknown_options") else []
    known = {
        option
        for parameter in (*COMMANDS[name].params, *passed_on)
        for option in (*parameter.opts, *parameter.secondary_opts)
    } | {"--help"}
    return [word for word in others if word.startswith("--") and word.split("=")[0] not in known]


def slug(heading: str) -> str:
    """The anchor of a heading on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_readme_is_short():
    assert len(text_of(ROOT / "README.md").splitlines()) <= 200


@EACH_PAGE
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        path, _, anchor = target.partition("#")
        if path.startswith("https://"):
            continue
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", text_of(linked), re.MULTILINE)
            assert anchor in {slug(heading) for heading in headings}, target


@EACH_PAGE
def test_commands_exist(page):
    assert [fault for words in calls(page, "make") for fault in faults_of_make(words)] == []
    assert [fault for words in calls(page, "finrag") for fault in faults_of_finrag(words)] == []


def test_commands_are_found_and_faults_told():
    readme = calls(ROOT / "README.md", "make")
    assert ["build"] in readme and ["baseline", "NAME=first", "NOTE=before the new encoder"] in readme
    assert ["init", "mine"] in calls(ROOT / "README.md", "finrag")
    assert sum(len(calls(page, "make")) for page in pages()) > 50
    assert faults_of_make(["biuld", "CORPSE=x", 'VARS={"p9_anchors": 1}']) == ["biuld", "CORPSE", "p9_anchors"]
    assert faults_of_make(["bench", "BENCH=growth nothing"]) == ["nothing"]
    assert faults_of_make(["analysis", "NAME=no_such"]) == ["no_such"]
    assert faults_of_finrag(["build", "--force", "--select", "a", "--selct=b"]) == ["--selct=b"]
    assert faults_of_finrag(["biuld"]) == ["biuld"] and faults_of_finrag(["compare", "--limt", "5"]) == ["--limt"]


def queries_of(page: Path) -> list[str]:
    """What a page's code asks of the warehouse's tables."""
    return [code for code in code_of(page) if re.match(r"(?:with|select)\b.*\bfrom \w+\.\w+", code, re.DOTALL)]


def test_queries_on_a_page_find_something(demo):
    asked = [query for page in pages() for query in queries_of(page)]
    assert "select * from metrics.bi_headline" in asked and len(asked) > 3
    for query in asked:
        assert demo.rows(query), query


@EACH_PAGE
def test_python_on_a_page_imports_what_there_is(page):
    for code in re.findall(r"^```python\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(node.module)
                assert [alias.name for alias in node.names if not hasattr(module, alias.name)] == []


@EACH_PAGE
def test_settings_on_a_page_are_read(page, tmp_path):
    for text in re.findall(r"^```toml\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE):
        (tmp_path / "finrag.toml").write_text(text, encoding="utf-8")
        toml.variables(tmp_path / "finrag.toml", VARIABLES)


@EACH_PAGE
def test_files_that_are_named_exist(page):
    named = {code for code in code_of(page) if re.fullmatch(rf"(?:{'|'.join(FOLDERS)})/[\w./-]+", code)}
    missing = [
        path
        for path in sorted(named)
        if not any(
            (folder / path).exists() or list(folder.glob(f"{path}.*")) for folder in (ROOT, ROOT / "python_models")
        )
    ]
    assert missing == []


def test_every_metric_is_defined_as_in_its_registry():
    registry = [
        {"Metric": f"`{row['metric']}`", "Of": f"`{row['items']}`", "Definition": row["description"]}
        for row in rows_of("seeds/metrics.csv")
    ]
    assert table_of(DOCS / "statistics.md", "Metric") == registry


def test_every_page_has_its_place_in_the_site():
    nav = [path for entry in yaml.safe_load(text_of(ROOT / "mkdocs.yml"))["nav"] for path in entry.values()]
    assert {site.place(str(page.relative_to(ROOT))) for page in pages()} <= set(nav)
    assert len(nav) == len(set(nav))


def test_the_pages_are_a_site_that_needs_no_network(tmp_path):
    (tmp_path / "static_index.html").write_text("what dbt wrote", encoding="utf-8")
    site.build(tmp_path / "static_index.html", tmp_path / "site")
    assert (tmp_path / "site" / "dbt.html").read_text(encoding="utf-8") == "what dbt wrote"
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "site").glob("*.html")}
    assert 'href="statistics.html#alerts"' in written["retrieval.html"]
    assert 'href="dbt.html"' in written["tables.html"] and 'href="CONTRIBUTING.html"' in written["index.html"]
    assert "<li>" in written["CHANGELOG.html"]
    loaded = [
        link for text in written.values() for link in re.findall(r'<(?:script|link|img)[^>]*"(?:https?:)?//', text)
    ]
    assert loaded == []


@pytest.mark.parametrize(("fault", "told"), [("[x](nowhere.md)", "nowhere.md"), ("[x](data.md#no-such)", "no-such")])
def test_a_link_that_leads_nowhere_ends_the_build(tmp_path, monkeypatch, fault, told):
    source = tmp_path / "project"
    shutil.copytree(DOCS, source / "docs")
    (source / "analyses").mkdir()
    for name in (*site.PAGES, "analyses/README.md"):
        if name != "docs":
            shutil.copy(ROOT / name, source / name)
    with (source / "docs" / "tables.md").open("a", encoding="utf-8") as stream:
        stream.write(f"\n{fault}\n")
    (tmp_path / "static_index.html").touch()
    monkeypatch.setattr(site, "product", lambda: source)
    with pytest.raises(FinragError, match=f"(?s)The pages have faults.*{told}"):
        site.build(tmp_path / "static_index.html", tmp_path / "site")


def test_lists_and_links_follow_into_the_site():
    assert site.with_spaced_lists("Text\n- one\n- two\n  more\n- three") == "Text\n\n- one\n- two\n  more\n- three"
    assert site.with_spaced_lists("```\nText\n- one\n```") == "```\nText\n- one\n```"
    assert (
        site.with_links("[a](docs/data.md#x) [b](analyses/README.md)", "README.md") == "[a](data.md#x) [b](analyses.md)"
    )
    assert site.with_links("[a](../README.md) [b](#here)", "docs/data.md") == "[a](index.md) [b](#here)"
    assert site.with_links("[a](https://example.org/b.md)", "README.md") == "[a](https://example.org/b.md)"
