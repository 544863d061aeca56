"""The dashboards of dashboards/ against the published file of the demo: every query runs, every column is there.

Superset itself is in no test: the archive is held against what its import reads, and its queries are run by way of
SQLAlchemy, as it runs them. Evidence's pages are run as it does: the sources by DuckDB, the queries over their tables.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import duckdb
import pytest
import yaml

from finrag.errors import FinragError
from finrag.publish.files import Publication
from finrag.publish.superset import FOLDER, write_archive
from warehouses import ROOT

EVIDENCE = ROOT / "dashboards" / "evidence"


@pytest.fixture(scope="module")
def published(demo) -> Path:
    return demo.project / "warehouse" / "bi" / "finrag_bi.duckdb"


@pytest.fixture(scope="module")
def archive(published, tmp_path_factory) -> dict[str, dict]:
    """The files of the archive, parsed, by their path below its one folder."""
    path = tmp_path_factory.mktemp("superset") / "finrag.zip"
    write_archive(path, Publication(published))
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        assert all(name.startswith(f"{FOLDER}/") for name in names)
        return {name.removeprefix(f"{FOLDER}/"): yaml.safe_load(opened.read(name)) for name in names}


def of(archive: dict[str, dict], folder: str) -> dict[str, dict]:
    return {held["uuid"]: held for name, held in archive.items() if name.startswith(f"{folder}/")}


def test_the_archive_holds_together(archive):
    assert archive["metadata.yaml"]["type"] == "Dashboard"
    [database], [dashboard] = of(archive, "databases"), of(archive, "dashboards").values()
    datasets, charts = of(archive, "datasets"), of(archive, "charts")
    assert {dataset["database_uuid"] for dataset in datasets.values()} == {database}
    assert {chart["dataset_uuid"] for chart in charts.values()} == datasets.keys()
    laid_out = [part for part in dashboard["position"].values() if isinstance(part, dict)]
    placed = {part["meta"]["uuid"]: part for part in laid_out if part["type"] == "CHART"}
    assert placed.keys() == charts.keys()
    assert {uuid: part["meta"]["sliceName"] for uuid, part in placed.items()} == {
        uuid: chart["slice_name"] for uuid, chart in charts.items()
    }
    parts = dashboard["position"]
    reached = [parts[child]["children"] for child in parts["GRID_ID"]["children"]]
    assert {parts[child]["meta"]["uuid"] for children in reached for child in children} == charts.keys()


def test_a_dashboard_of_nothing_is_refused(tmp_path):
    with pytest.raises(FinragError, match="Nothing is published at"):
        write_archive(tmp_path / "finrag.zip", Publication(tmp_path / "none.duckdb"))
    assert list(tmp_path.iterdir()) == []


def test_every_dataset_runs_as_superset_runs_it_and_has_its_columns(archive, published):
    import sqlalchemy

    [database] = of(archive, "databases").values()
    assert database["sqlalchemy_uri"] == f"duckdb:///{published}?access_mode=read_only"
    engine = sqlalchemy.create_engine(database["sqlalchemy_uri"], poolclass=sqlalchemy.pool.NullPool)
    with engine.connect() as connection:
        for dataset in of(archive, "datasets").values():
            rows = connection.execute(sqlalchemy.text(f"select * from ({dataset['sql']}) as virtual_table limit 3"))
            assert list(rows.keys()) == [column["column_name"] for column in dataset["columns"]]
            assert rows.fetchall() or dataset["table_name"] == "finrag_problems", dataset["table_name"]
    with duckdb.connect(str(published), read_only=True) as reader:
        for dataset in of(archive, "datasets").values():
            described = reader.sql(f"describe {dataset['sql']}").fetchall()
            assert [row[1] for row in described] == [column["type"] for column in dataset["columns"]]


def test_every_chart_is_of_columns_that_its_dataset_has(archive):
    datasets = of(archive, "datasets")
    for chart in of(archive, "charts").values():
        columns = {column["column_name"] for column in datasets[chart["dataset_uuid"]]["columns"]}
        params = chart["params"]
        named = [*params.get("all_columns", []), *params.get("groupby", []), *filter(None, [params.get("x_axis")])]
        named += [metric["column"]["column_name"] for metric in params.get("metrics", [])]
        named += [each["subject"] for each in params["adhoc_filters"]]
        assert named and set(named) <= columns, chart["slice_name"]
        assert params["viz_type"] == chart["viz_type"]


@pytest.fixture(scope="module")
def sources(published):
    """A database as Evidence makes it: a table of the schema finrag for each file of sources/finrag."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{published}' as published (read_only); create schema finrag; use published")
        for file in sorted((EVIDENCE / "sources" / "finrag").glob("*.sql")):
            connection.execute(f"create table memory.finrag.{file.stem} as {file.read_text(encoding='utf-8')}")
        connection.execute("use memory")
        yield connection


def test_both_tools_ask_the_same(archive):
    of_superset = {held["table_name"].removeprefix("finrag_"): held["sql"] for held in of(archive, "datasets").values()}
    files = (EVIDENCE / "sources" / "finrag").glob("*.sql")
    assert of_superset == {file.stem: file.read_text(encoding="utf-8") for file in files}


def test_every_query_of_the_pages_runs_and_components_name_its_columns(sources):
    page = (EVIDENCE / "pages" / "index.md").read_text(encoding="utf-8")
    queries = dict(re.findall(r"```sql (\w+)\n(.*?)```", page, re.DOTALL))
    found = {name: sources.sql(query) for name, query in queries.items()}
    assert all(relation.fetchall() for name, relation in found.items() if name != "problems")
    components = re.findall(r"<(?!Ref)\w+ data=\{(\w+)\}([^>]*)>", page)
    assert {name for name, _ in components} == queries.keys()
    for name, options in components:
        assert set(re.findall(r"\b(?:x|y|groupBy)=(\w+)", options)) <= set(found[name].columns)


def test_the_figures_are_those_of_the_table_to_start_from(sources, published):
    """One row per run and figure: an average over them is one over runs."""
    with duckdb.connect(str(published), read_only=True) as reader:
        rows = reader.sql("select count(*), count(distinct (run_id, metric, k, variant)) from bi_headline").fetchall()
    assert rows == sources.sql("select count(*), count(*) from finrag.headline").fetchall()


def test_the_path_of_the_source_is_that_of_the_published_file():
    stated = yaml.safe_load((EVIDENCE / "sources/finrag/connection.yaml").read_text(encoding="utf-8"))
    path = (EVIDENCE / "sources" / "finrag" / stated["options"]["filename"]).parent.resolve()
    assert path == ROOT / "warehouse" / "bi" and stated["options"]["filename"].endswith("/finrag_bi.duckdb")
