"""The published file: whole or not at all, for readers that never wait and never make anyone wait."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from finrag.errors import FinragError
from finrag.publish.files import Publication
from finrag.publish.publish import WarehouseInUseError, publish
from warehouses import OPEN_TO_WRITE, ROOT

READERS = 20
# Each of the processes reads until it is told to stop. Within a connection the two figures have to agree, whenever they
# are read: the file says in bi_publication which content it is, and every row of the table carries the same number.
# They are forks of one interpreter. Of the ways to open a file, a new database is what a reader does, and takes ten
# times what a further file of an open one does, so each round has one of the first and four of the second.
READER = """
import json, os, pathlib, sys, time
import duckdb
file, stop, *results = map(pathlib.Path, sys.argv[1:])
result = next((result for result in results if not os.fork()), None)
if result is None:
    sys.exit(max(os.waitstatus_to_exitcode(os.wait()[1]) for _ in results))
seen, reads, problems = [], 0, []
opened = duckdb.connect()
def number_in(path):
    if path.name.endswith("parquet"):
        return opened.execute(f"select min(number) from '{path}/bi_numbers.parquet'").fetchone()[0]
    opened.execute(f"attach '{path}' as published (read_only)")
    try:
        return opened.execute("select min(number) from published.bi_numbers").fetchone()[0]
    finally:
        opened.execute("detach published")
while not stop.exists() or not reads:
    try:
        # by the paths that everyone knows: Parquet is no older than the file read before, no newer than the one after
        trio = number_in(file), number_in(file.with_name(file.stem + "_parquet")), number_in(file)
        if not trio[0] <= trio[1] <= trio[2]:
            problems.append(f"file, Parquet, file: {trio}")
        # by the link, looked up once
        folder = file.with_name(file.stem + "_current").resolve()
        pair = number_in(folder / file.name), number_in(folder / "parquet")
        if pair[0] != pair[1]:
            problems.append(f"of one publication: {pair}")
        # by the file, kept open
        opened.execute(f"attach '{file}' as held (read_only)")
        for _ in range(2):
            content = opened.execute("select content from held.bi_publication").fetchone()[0]
            numbers = opened.execute("select distinct number from held.bi_numbers").fetchall()
            if not seen or seen[-1] != [content, numbers[0][0]]:
                seen.append([content, numbers[0][0]])
            if len(numbers) != 1:
                problems.append(f"mixed rows: {numbers}")
            reads += 1
            time.sleep(0.25)
        opened.execute("detach held")
    except Exception as error:  # whatever a reader meets: the test asserts that none met anything
        problems.append(repr(error))
        break
result.write_text(json.dumps({"seen": seen, "reads": reads, "problems": problems}))
"""
# A publisher that takes its time over a table, so that it can be killed on the way.
SLOW_PUBLISHER = """
import pathlib, sys, time
from finrag.publish import publish as module
from finrag.publish.files import Publication
copy = module.copy_table
def slow(connection, table):
    copy(connection, table)
    print("copied", flush=True)
    time.sleep(float(sys.argv[4]))
module.copy_table = slow
warehouse, file, manifest = map(pathlib.Path, sys.argv[1:4])
module.publish(warehouse, Publication(file), manifest)
"""


@dataclass
class Small:
    """A warehouse of two public tables, with a manifest."""

    folder: Path

    @property
    def warehouse(self) -> Path:
        return self.folder / "finrag.duckdb"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.json"

    @property
    def publication(self) -> Publication:
        return Publication(self.folder / "bi" / "finrag_bi.duckdb")

    def write(self, number: int) -> None:
        """What a build does: the tables again, with another number in every row."""
        with duckdb.connect(str(self.warehouse)) as connection:
            connection.execute("create schema if not exists metrics")
            connection.execute("create schema if not exists staging")
            connection.execute(
                f"create or replace table metrics.numbers as select {number} as number from range(20000)"
            )
            connection.execute("create or replace table metrics.int_steps as select 1 as step")
            connection.execute("create or replace table staging.stg_raw as select 1 as raw")
            connection.execute("""
                create or replace table metrics.nested as select
                    'a' as item_id, ['x', 'y'] as labels, {'low': 1, 'high': 2} as ends, '{"k": 1}'::json as how,
                    timestamptz '2026-01-02 03:04:05+00' as scored_at, 7::hugeint as big,
                    [{'text': 'p', 'amount': 1.5}, {'text': 'q', 'amount': 2.5}] as parts,
            """)
        columns = ("item_id", "labels", "ends", "how", "scored_at", "big", "parts")
        node = {"resource_type": "model", "schema": "metrics", "access": "public"}
        nodes = {
            "model.finrag.numbers": node
            | {"name": "numbers", "alias": "numbers", "description": "Numbers. It's one row per number."}
            | {"columns": {"number": {"description": "The number of the build."}}},
            "model.finrag.nested": node
            | {"name": "nested", "alias": "nested", "description": "One row per item."}
            | {"columns": {name: {"description": f"Column {name}."} for name in columns}},
            "model.finrag.int_steps": node
            | {"name": "int_steps", "alias": "int_steps", "description": "", "columns": {}, "access": "protected"},
            "test.finrag.unique": {
                "resource_type": "test",
                "attached_node": "model.finrag.nested",
                "test_metadata": {"name": "unique", "kwargs": {"column_name": "item_id"}},
            },
        }
        self.manifest.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")

    def publish(self) -> bool:
        return publish(self.warehouse, self.publication, self.manifest).is_new

    def rows(self, query: str) -> list[tuple]:
        with duckdb.connect(str(self.publication.file), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def slow_publisher(self, seconds: float) -> subprocess.Popen:
        arguments = [self.warehouse, self.publication.file, self.manifest, seconds]
        return start(SLOW_PUBLISHER, *arguments, stdout=subprocess.PIPE, text=True)


def start(code: str, *arguments: object, **options: object) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'python_models'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], env=environment, **options)


@pytest.fixture
def small(tmp_path) -> Small:
    small = Small(tmp_path)
    small.write(1)
    return small


def test_public_tables_and_nothing_else_are_published(small):
    assert small.publish()
    tables = small.rows("select schema_name || '.' || table_name from duckdb_tables() order by all")
    assert tables == [("main.bi_publication",), ("metrics.nested",), ("metrics.numbers",)]


def test_the_file_is_of_a_form_that_older_drivers_read(small):
    small.publish()
    [(form,)] = small.rows("select tags['storage_version'] from duckdb_databases() where database_name = 'finrag_bi'")
    assert form == "v1.4.0+"


def test_flat_views_have_plain_types_and_lose_nothing(small):
    small.publish()
    assert small.rows("from bi_nested") == [
        ("a", "x; y", 1, 2, '{"k": 1}', small.rows("select timestamp '2026-01-02 03:04:05'")[0][0], 7)
    ]
    assert [kind for (kind,) in small.rows("select column_type from (describe bi_nested)")] == [
        *("VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "VARCHAR", "TIMESTAMP", "BIGINT")
    ]
    assert small.rows("select item_id, position, text, amount from bi_nested_parts order by position") == [
        ("a", 1, "p", 1.5),
        ("a", 2, "q", 2.5),
    ]


def test_a_view_with_slices_says_so_in_its_name(small):
    """A figure by population and stratum is there several times; one per run is not, nor what is made to be read."""
    with duckdb.connect(str(small.warehouse)) as connection:
        for name in ("scorecard", "bi_headline", "plain"):
            connection.execute(
                f"create table metrics.{name} as select 'a' as run_id, 'all' as population, 0.5 as value"
            )
    manifest = json.loads(small.manifest.read_text())
    for name, grain in (("scorecard", ["run_id", "population"]), ("bi_headline", ["run_id", "population"])):
        node = manifest["nodes"]["model.finrag.numbers"] | {"name": name, "alias": name}
        metadata = {"name": "unique_combination", "kwargs": {"columns": grain}}
        test = {"resource_type": "test", "attached_node": f"model.finrag.{name}", "test_metadata": metadata}
        manifest["nodes"] |= {f"model.finrag.{name}": node, f"test.finrag.{name}": test}
    manifest["nodes"]["model.finrag.plain"] = manifest["nodes"]["model.finrag.numbers"] | {
        "name": "plain",
        "alias": "plain",
    }
    small.manifest.write_text(json.dumps(manifest))
    small.publish()
    views = {name for (name,) in small.rows("select view_name from duckdb_views() where not internal")}
    assert views == {"bi_scorecard_slices", "bi_headline", "bi_plain", "bi_numbers", "bi_nested", "bi_nested_parts"}


def test_descriptions_are_comments_on_tables_views_and_columns(small):
    small.publish()
    text = "Numbers. It's one row per number."
    assert small.rows("select comment from duckdb_tables() where table_name = 'numbers'") == [(text,)]
    assert small.rows("select comment from duckdb_views() where view_name = 'bi_numbers'") == [(text,)]
    assert small.rows("select comment from duckdb_columns() where table_name = 'bi_numbers'") == [
        ("The number of the build.",)
    ]


def test_parquet_holds_the_flat_views(small):
    small.publish()
    with duckdb.connect() as connection:
        parts = connection.read_parquet(str(small.publication.parquet / "bi_nested_parts.parquet"))
        assert parts.columns == ["item_id", "position", "text", "amount"]
        assert len(parts.fetchall()) == 2


def test_nothing_new_is_not_published_again(small):
    assert small.publish()
    file = small.publication.file.stat().st_ino
    assert not small.publish()
    small.write(1)
    assert not small.publish(), "the same rows written by another build are nothing new"
    assert small.publication.file.stat().st_ino == file
    small.write(2)
    assert small.publish()
    assert small.publication.file.stat().st_ino != file


def test_noise_in_the_last_digits_is_nothing_new(small):
    def set_share(share: str) -> None:
        with duckdb.connect(str(small.warehouse)) as connection:
            connection.execute(f"create or replace table metrics.numbers as select {share}::double as number")

    set_share("0.3")
    assert small.publish()
    set_share("0.30000000000000004")
    assert not small.publish()
    set_share("0.3001")
    assert small.publish()


def test_a_changed_description_is_published(small):
    small.publish()
    small.manifest.write_text(small.manifest.read_text().replace("of the build", "of this build"))
    assert small.publish()
    assert small.rows("select comment from duckdb_columns() where table_name = 'numbers'") == [
        ("The number of this build.",)
    ]


def test_an_open_connection_keeps_its_snapshot(small):
    small.publish()
    with duckdb.connect(str(small.publication.file), read_only=True) as before:
        assert before.execute("select distinct number from bi_numbers").fetchall() == [(1,)]
        small.write(2)
        small.publish()
        assert before.execute("select distinct number from bi_numbers").fetchall() == [(1,)]
    assert small.rows("select distinct number from bi_numbers") == [(2,)]


def test_a_client_that_locks_the_file_blocks_nothing(small):
    """Tools open DuckDB files for writing unless told not to: the lock is on the old file, and its log goes."""
    small.publish()
    client = start(
        "import sys, duckdb; c = duckdb.connect(sys.argv[1]); c.execute('create table mine (i int)'); "
        "print('open', flush=True); sys.stdin.read()",
        small.publication.file,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    client.stdout.readline()
    try:
        small.write(2)
        assert small.publish()
        assert small.rows("select distinct number from bi_numbers") == [(2,)]
    finally:
        client.communicate(b"")
    assert small.rows("select count(*) from duckdb_tables() where table_name = 'mine'") == [(0,)]


def test_a_warehouse_that_is_being_written_is_left_alone(small):
    small.publish()
    writer = start(OPEN_TO_WRITE, small.warehouse, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    writer.stdout.readline()
    try:
        os.utime(small.warehouse)
        with pytest.raises(WarehouseInUseError, match="being written by another process"):
            small.publish()
    finally:
        writer.communicate(b"")
    assert small.rows("select distinct number from bi_numbers") == [(1,)]


def test_a_file_that_is_no_warehouse_is_said_to_be_none(small):
    small.warehouse.write_bytes(b"nothing that DuckDB wrote" * 1000)
    with pytest.raises(FinragError, match=r"cannot be published: .*A warehouse is a DuckDB file that a build wrote"):
        small.publish()


@pytest.mark.parametrize("left", [b"", b'{"seen": [[1'])
def test_what_was_published_is_published_again_where_its_note_was_cut(small, left):
    assert small.publish()
    small.publication.state_file.write_bytes(left)
    assert small.publish() and not small.publish()


def test_a_manifest_that_was_cut_is_said_to_be_damaged(small):
    small.manifest.write_text('{"nodes": {"mod')
    with pytest.raises(FinragError, match=r"is damaged\. dbt writes it anew: "):
        small.publish()


def test_one_publisher_at_a_time(small):
    slow = small.slow_publisher(30)
    slow.stdout.readline()
    with pytest.raises(FinragError, match="Another process is publishing"):
        small.publish()
    slow.kill()
    slow.wait()
    assert small.publish()


def test_a_killed_publisher_changes_nothing_and_leaves_nothing_for_good(small):
    small.publish()
    small.write(2)
    slow = small.slow_publisher(30)
    slow.stdout.readline()
    slow.kill()
    slow.wait()
    assert small.rows("select distinct number from bi_numbers") == [(1,)]
    assert small.publication.partial.exists()
    assert small.publish()
    assert not list(small.publication.folder.rglob("*.partial*"))
    assert small.rows("select distinct number from bi_numbers") == [(2,)]


def test_a_publication_that_fails_changes_nothing(small, monkeypatch):
    small.publish()
    small.write(2)

    def fail(*_: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("finrag.publish.publish.write_parquet", fail)
        with pytest.raises(FinragError, match=r"No space left on device\. What was published before stands"):
            small.publish()
    assert small.rows("select distinct number from bi_numbers") == [(1,)]
    assert not list(small.publication.folder.rglob("*.partial*"))
    assert small.publish()


def test_a_log_beside_the_warehouse_counts(small):
    """A build that was killed leaves its last changes in DuckDB's log."""
    small.publish()
    killed = start(
        "import os, sys, duckdb; c = duckdb.connect(sys.argv[1]); "
        "c.execute('insert into metrics.numbers values (9)'); os._exit(1)",
        small.warehouse,
    )
    killed.wait()
    assert small.publish()
    assert (9,) in small.rows("select distinct number from bi_numbers")


def test_an_old_publication_goes_with_the_one_after_next(small):
    for number in (1, 2, 3, 4):
        small.write(number)
        small.publish()
    versions = [path for path in small.publication.versions.iterdir() if path.is_dir()]
    assert len(versions) == 2
    assert small.publication.current.resolve() in [path.resolve() for path in versions]


def test_file_and_parquet_of_an_earlier_version_go_behind_the_link(small):
    """Up to version 0.9 the file stood at its path and a link of its own led to the Parquet folder."""
    small.publish()
    publication, version = small.publication, small.publication.current.resolve()
    for path in (publication.current, publication.file, publication.parquet):
        path.unlink()
    (version / "finrag_bi.duckdb").rename(publication.file)
    (version / "parquet").rename(publication.folder / "finrag_bi_parquet.old")
    publication.parquet.symlink_to("finrag_bi_parquet.old")
    shutil.rmtree(publication.versions)
    small.write(2)
    with duckdb.connect(str(publication.file), read_only=True) as before:
        assert small.publish()
        assert before.execute("select distinct number from bi_numbers").fetchall() == [(1,)]
    assert small.rows("select distinct number from bi_numbers") == [(2,)]
    assert sorted(path.name for path in publication.folder.glob("[!.]*")) == [
        *("finrag_bi.duckdb", "finrag_bi_current", "finrag_bi_parquet", "finrag_bi_versions"),
    ]
    assert (publication.versions / "before" / "parquet" / "bi_numbers.parquet").exists()


@pytest.mark.slow
def test_twenty_readers_through_three_publications_one_of_them_killed(small, tmp_path):
    """Readers see the old or the new pair of file and Parquet, never a newer file than Parquet or the reverse."""
    small.publish()
    stop = tmp_path / "stop"
    results = [tmp_path / f"reader_{number}.json" for number in range(READERS)]
    readers = start(READER, small.publication.file, stop, *results)
    try:
        time.sleep(1)
        small.write(2)
        killed = small.slow_publisher(1)
        killed.stdout.readline()
        killed.kill()
        killed.wait()
        for number in (3, 4, 5):
            small.write(number)
            assert small.slow_publisher(0.2).wait(timeout=60) == 0
        time.sleep(1)
    finally:
        stop.touch()
        assert readers.wait(timeout=60) == 0
    told = [json.loads(result.read_text()) for result in results]
    assert [reader["problems"] for reader in told] == [[]] * READERS
    contents: dict[str, set[int]] = {}
    for reader in told:
        numbers = [number for _, number in reader["seen"]]
        assert numbers == sorted(numbers), "no reader sees an older publication after a newer one"
        assert 2 not in numbers, "the killed one was never published"
        for content, number in reader["seen"]:
            contents.setdefault(content, set()).add(number)
    assert all(len(numbers) == 1 for numbers in contents.values())
    assert {number for numbers in contents.values() for number in numbers} >= {1, 5}
    assert sum(reader["reads"] for reader in told) > 10 * READERS


@pytest.fixture(scope="module")
def published(demo) -> Path:
    """The file that the build of the demo warehouse has published."""
    return demo.project / "warehouse" / "bi" / "finrag_bi.duckdb"


def test_the_flat_views_of_the_demo_warehouse_are_described_and_of_plain_types(published):
    with duckdb.connect(str(published), read_only=True) as reader:
        nested = reader.execute("""
            select table_name || '.' || column_name from information_schema.columns
            where table_schema = 'main' and regexp_matches(data_type, '\\[|STRUCT|MAP|UNION|JSON|ZONE|INT128|DECIMAL')
        """).fetchall()
        assert nested == []
        undescribed = reader.execute(
            "select table_name, column_name from duckdb_columns() "
            "where not internal and schema_name = 'main' and comment is null"
        ).fetchall()
        assert undescribed == []


def test_sqlalchemy_and_pandas_read_it(published):
    """What Superset and notebooks do. Pooled connections would keep the old file, so there is no pool."""
    import pandas
    import sqlalchemy

    engine = sqlalchemy.create_engine(
        f"duckdb:///{published}", connect_args={"read_only": True}, poolclass=sqlalchemy.pool.NullPool
    )
    frame = pandas.read_sql(
        "select suite, count(*) as runs from bi_retrieval_runs group by suite order by suite", engine
    )
    assert list(frame["suite"]) == ["p1", "p2", "p3"]
    inspector = sqlalchemy.inspect(engine)
    assert "bi_alerts" in inspector.get_view_names("main")
    columns = {column["name"]: column for column in inspector.get_columns("bi_alerts", "main")}
    assert columns["alert_id"]["comment"] == "Hash of rule and run."


def test_polars_reads_the_parquet(demo, published):
    import polars

    folder = Publication(published).parquet
    runs = polars.read_parquet(folder / "bi_runs.parquet")
    assert {"retrieval", "answer"} <= set(runs["task"])
    assert runs["run_id"].is_unique().all()
    values = polars.scan_parquet(folder / "bi_metric_values_slices.parquet").select(polars.len()).collect().item()
    assert values == demo.value("select count(*) from metrics.metric_values")


def test_arrow_reads_every_parquet_file_in_plain_types(published):
    """What R's arrow does, which is the same library: read_parquet of one file, columns that a data frame can hold."""
    from pyarrow import parquet, types

    folder = Publication(published).parquet
    files = sorted(folder.glob("*.parquet"))
    assert {"bi_runs", "bi_headline", "bi_metric_values_slices", "bi_p1_scorecard_slices"} <= {
        file.stem for file in files
    }
    nested = [
        f"{file.stem}.{field.name}"
        for file in files
        for field in parquet.read_schema(file)
        if types.is_nested(field.type) or types.is_dictionary(field.type)
    ]
    assert nested == []
    with duckdb.connect(str(published), read_only=True) as reader:
        for file in files:
            rows = reader.execute(f"select count(*) from {file.stem}").fetchone()[0]
            assert parquet.read_table(file).num_rows == rows, file.stem
