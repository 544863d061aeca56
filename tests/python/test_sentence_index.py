"""The LanceDB tables follow the corpus, survive a kill, stay compact, and answer what the exact search answers."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import sentence_tables
from finrag.build.unchanged import stats
from finrag.errors import FinragError
from finrag.index import exact
from finrag.index import lance as index
from finrag.index.groups import Grouping
from finrag.index.lance import SentenceIndex
from finrag.index.regimes import chosen_regimes, filter_columns, filter_expressions
from finrag.keys import Places
from finrag.search import recall
from finrag.search.dense import IndexedVectors
from finrag.search.hits import sentence_order

SECTIONS = {(1, 2020, "ITEM_1"): 40, (1, 2021, "ITEM_1A"): 25, (2, 2020, "ITEM_7"): 60}


def sync(connection, target, **options):
    if target.dimension is not None:
        options = {"vectors": sentence_tables.vectors, "source": "1"} | options
    return index.sync(connection, connection.table("fct_sentences"), connection.table("dim_filings"), target, **options)


def vector_index(folder):
    return SentenceIndex.of_vectors(folder, "tiny/model", "0123456789abcdef", sentence_tables.DIMENSION)


def contents(target):
    """{sentence_id: everything else} of what is in the table."""
    rows = target.dataset().to_table().to_pylist()
    assert len({row["sentence_id"] for row in rows}) == len(rows)
    return {row.pop("sentence_id"): row for row in rows}


def expected(connection, target):
    payload = "sentence_text" if target.dimension is None else "text_hash"
    rows = connection.execute(
        f"select {', '.join(index.KEY_COLUMNS)}, {payload} from fct_sentences left join dim_filings using (filing_id)"
    ).fetchall()
    names = index.KEY_COLUMNS[1:]
    return {
        sentence_id: dict(zip(names, values, strict=True))
        | {target.payload: last if target.dimension is None else sentence_tables.vector(last).tolist()}
        for sentence_id, *values, last in rows
    }


@pytest.mark.parametrize("make", [vector_index, SentenceIndex.of_text])
def test_table_follows_the_corpus(tmp_path, make):
    connection, target = sentence_tables.connect(SECTIONS), make(tmp_path)
    first = sync(connection, target)
    assert (first.row_count, first.added_count, first.deleted_count) == (125, 125, 0)
    assert contents(target) == expected(connection, target)

    sentence_tables.add(connection, {(3, 2022, "ITEM_1"): 7})
    connection.execute("delete from fct_sentences where sentence_id = '1_2020_ITEM_1_3'")
    connection.execute("update fct_sentences set report_year = 2019 where sentence_id = '1_2020_ITEM_1_4'")
    connection.execute(
        "update fct_sentences set sentence_text = 'It''s new.', text_hash = ? where sentence_id = '1_2020_ITEM_1_5'",
        [sentence_tables.digest("It's new.")],
    )
    connection.execute("update dim_filings set form_type = '10-K/A' where filing_id = '2_2020'")
    second = sync(connection, target)
    assert contents(target) == expected(connection, target)
    assert (second.row_count, second.added_count, second.deleted_count) == (131, 7 + 2 + 60, 1 + 2 + 60)
    assert second.checksum != first.checksum


@pytest.mark.parametrize("make", [vector_index, SentenceIndex.of_text])
def test_nothing_to_do_writes_nothing(tmp_path, make):
    connection, target = sentence_tables.connect(SECTIONS), make(tmp_path)
    first = sync(connection, target)
    files, version = stats(target.folder), target.dataset().version

    def refuse(_):
        raise AssertionError("no vector is needed")

    again = sync(connection, target, **({"vectors": refuse} if target.dimension else {}))
    assert (stats(target.folder), target.dataset().version) == (files, version)
    assert (again.checksum, again.row_count, again.added_count, again.deleted_count) == (first.checksum, 125, 0, 0)


def test_the_result_does_not_depend_on_the_way_there(tmp_path):
    connection = sentence_tables.connect({(9, 2020, "ITEM_1"): 30})
    for make in (vector_index, SentenceIndex.of_text):
        sync(connection, make(tmp_path / "grown"))
    connection.execute("delete from fct_sentences")
    sentence_tables.add(connection, SECTIONS)
    for make in (vector_index, SentenceIndex.of_text):
        grown, fresh = sync(connection, make(tmp_path / "grown")), sync(connection, make(tmp_path / "fresh"))
        assert grown.checksum == fresh.checksum
        assert contents(make(tmp_path / "grown")) == contents(make(tmp_path / "fresh"))


def test_sentences_without_a_vector_are_left_out_and_come_in_when_they_have_one(tmp_path):
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)

    def some(text_hashes):
        found = sentence_tables.vectors(text_hashes)
        found[pc.less(text_hashes, "8").to_numpy(zero_copy_only=False)] = np.nan
        return found

    report = sync(connection, target, vectors=some, source="some")
    assert report.left_out_count > 0
    assert report.row_count == 125 - report.left_out_count
    assert sync(connection, target, source="all").row_count == 125


def test_changed_vectors_of_unchanged_texts_are_replaced(tmp_path):
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)
    sync(connection, target)
    changed = sync(connection, target, vectors=lambda hashes: sentence_tables.vectors(hashes)[:, ::-1], source="2")
    assert (changed.added_count, changed.deleted_count) == (125, 125)
    assert sync(connection, target, source="3").added_count == 125
    assert sync(connection, target, source="4").added_count == 0


def test_fifty_appends_leave_few_fragments(tmp_path, monkeypatch):
    monkeypatch.setattr(index, "BATCH_ROWS", 3)
    connection, target = sentence_tables.connect({(1, 2020, "ITEM_1"): 150}), SentenceIndex.of_text(tmp_path)
    assert sync(connection, target).fragment_count == 1
    assert target.dataset().version > 50
    for filing in range(2, 6):
        sentence_tables.add(connection, {(filing, 2020, "ITEM_1"): 7})
        report = sync(connection, target)
    assert report.row_count == 178
    assert report.fragment_count <= 2
    # and the files that compaction replaced are gone
    assert len(list(Path(target.path).glob("data/*.lance"))) <= 4


def test_checksum_sees_swapped_ids_and_vectors_and_no_order(tmp_path):
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)
    original = sync(connection, target)
    rows = target.dataset().to_table()

    def with_rows(changed):
        target.create().add(changed)
        return index.checksum(connection, target)

    assert with_rows(rows.take(pa.array(np.random.default_rng(1).permutation(len(rows))))) == original.checksum
    # the first and the last row differ in every column
    order = [len(rows) - 1, *range(1, len(rows) - 1), 0]
    for column in ("sentence_id", "filing_id", "cik", "section_id", "vector"):
        where = rows.schema.get_field_index(column)
        assert with_rows(rows.set_column(where, column, rows[column].take(order))) != original.checksum, column


def test_swapped_vectors_stay_for_the_metrics_to_find(tmp_path):
    """The sync compares keys, and vectors only with a changed store: it hides no fault of what wrote the table."""
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)
    original = sync(connection, target)
    rows = target.dataset().to_table()
    target.create().add(rows.set_column(len(rows.schema) - 1, "vector", rows["vector"].take(list(range(125))[::-1])))
    report = sync(connection, target)
    assert (report.added_count, report.deleted_count) == (0, 0)
    assert report.checksum != original.checksum


def test_damage_to_ids_is_mended(tmp_path):
    connection, target = sentence_tables.connect(SECTIONS), SentenceIndex.of_text(tmp_path)
    sync(connection, target)
    target.table().add(target.dataset().to_table().slice(0, 5))
    assert sync(connection, target).row_count == 125
    assert contents(target) == expected(connection, target)


KILLED = """
import sys, time
import sentence_tables
from finrag.index import lance as index

index.BATCH_ROWS, index.ADDED_BYTES = 10, 0
connection = sentence_tables.connect({(1, 2020, "ITEM_1"): 500})


def vectors(text_hashes):
    print("batch", flush=True)
    time.sleep(0.05)
    return sentence_tables.vectors(text_hashes)


target = index.SentenceIndex.of_vectors(sys.argv[1], "tiny", "0123456789abcdef", sentence_tables.DIMENSION)
sentences, filings = connection.table("fct_sentences"), connection.table("dim_filings")
index.sync(connection, sentences, filings, target, vectors=vectors, source="1")
"""


@pytest.mark.slow
def test_a_killed_sync_is_completed_by_the_next(tmp_path, monkeypatch):
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *(path for path in sys.path if path)])
    }
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    for _ in range(6):
        assert process.stdout.readline() == "batch\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    target = SentenceIndex.of_vectors(tmp_path, "tiny", "0123456789abcdef", sentence_tables.DIMENSION)
    written = target.dataset().count_rows()
    assert 0 < written < 500
    monkeypatch.setattr(index, "BATCH_ROWS", 10)
    monkeypatch.setattr(index, "ADDED_BYTES", 0)
    # of another process than the one that was killed, as the next build is
    report = sync(sentence_tables.connect({(1, 2020, "ITEM_1"): 500}), target)
    assert (report.added_count, report.row_count) == (500 - written, 500)
    assert len(contents(target)) == 500


def test_a_table_killed_before_its_first_version_is_made_anew(tmp_path):
    target = SentenceIndex.of_text(tmp_path)
    data = Path(target.path, "data")
    data.mkdir(parents=True)
    (data / "half.lance").write_bytes(b"half")
    connection = sentence_tables.connect(SECTIONS)
    assert sync(connection, target).row_count == 125


def test_a_half_written_memory_file_is_ignored(tmp_path):
    connection, target = sentence_tables.connect(SECTIONS), SentenceIndex.of_text(tmp_path)
    first = sync(connection, target)
    target.memory.write_text(json.dumps({"corpus": "x"})[:-3])
    again = sync(connection, target)
    assert (again.checksum, again.added_count) == (first.checksum, 0)


def test_partitions_are_the_square_root_of_the_rows_up_to_so_many_that_time_stays_linear():
    rows = (0, 2, 100, 1_000_000, 1_048_576, 30_000_000)
    assert [index.partitions(each) for each in rows] == [1, 1, 10, 1_000, 1_024, 1_024]


def test_vector_index_above_the_flat_size(tmp_path, monkeypatch):
    connection, target = (
        sentence_tables.connect({(1, 2020, "ITEM_1"): 250, (2, 2020, "ITEM_1"): 250}),
        vector_index(tmp_path),
    )
    assert sync(connection, target, flat_rows=1000).index_type == "flat"
    indexed = sync(connection, target, flat_rows=500)
    assert indexed.index_type == "ivf_flat"
    assert json.loads(indexed.index_parameters) == {"distance": "dot", "partitions": 22}
    trained = target.remembered()["trained_rows"]
    sentence_tables.add(connection, {(3, 2020, "ITEM_1"): 100})
    sync(connection, target, flat_rows=500)
    assert target.remembered()["trained_rows"] == trained == 500
    assert target.table().index_stats("vector_idx").num_unindexed_rows == 0
    connection.execute("delete from fct_sentences where cik = 1")
    assert sync(connection, target, flat_rows=500).index_type == "flat"


@pytest.mark.parametrize("is_indexed", [False, True])
def test_lancedb_returns_min_k_and_slice_size_for_every_size(tmp_path, is_indexed):
    """Slices from none to beyond k, by LanceDB with its prefilter (with and without an index) and exactly."""
    k = 30
    sizes = list(range(k + 4))
    connection = sentence_tables.connect({(size, 2020, "ITEM_1"): size for size in sizes})
    target = vector_index(tmp_path)
    sync(connection, target, flat_rows=1 if is_indexed else 10_000)
    queries = pa.table({"query_id": [f"q{size}" for size in sizes], "cik": sizes})
    vectors = np.random.default_rng(1).standard_normal((len(sizes), sentence_tables.DIMENSION)).astype(np.float32)
    settings = recall.search_settings(target.partition_count(), is_filtered=True)
    assert settings == ({"minimum_nprobes": 24, "maximum_nprobes": 24} if is_indexed else {"use_index": False})
    found = [
        recall.nearest(target.dataset(), query, k, condition, **settings).num_rows
        for query, condition in zip(vectors, filter_expressions(queries, ["cik"]), strict=True)
    ]
    assert found == [min(k, size) for size in sizes]
    hits = IndexedVectors(target).search(queries, vectors, k, ["cik"])
    counted = Counter(hits["query_id"].to_pylist())
    assert [counted[f"q{size}"] for size in sizes] == found


@pytest.mark.parametrize("kept_bytes", [0, 2**30])
def test_exact_search_of_an_index(tmp_path, monkeypatch, kept_bytes):
    monkeypatch.setattr("finrag.search.dense.KEPT_BYTES", kept_bytes)
    monkeypatch.setattr("finrag.search.parts.PART_ROWS", 50)
    monkeypatch.setattr(index, "BATCH_ROWS", 16)
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)
    sync(connection, target)
    indexed = IndexedVectors(target)
    chosen = [3, 50, 124]
    keys = target.dataset().to_table()
    queries = keys.take(chosen).append_column("query_id", pa.array(["a", "b", "c"]))
    hits = indexed.search(queries, indexed.take(np.array(chosen)), 30, ["cik", "report_year", "section_id"])
    best = hits.filter(pc.equal(hits["raw_rank"], 1))
    assert best["sentence_id"].to_pylist() == queries["sentence_id"].to_pylist()
    assert best["score"].to_numpy() == pytest.approx([1, 1, 1])
    assert len(hits) == 30 + 25 + 30
    whole = indexed.search(queries, indexed.take(np.array(chosen)), 30)
    every = np.array([sentence_tables.vector(each) for each in keys["text_hash"].to_pylist()])
    assert indexed.order.tolist() == sentence_order(keys["sentence_id"]).tolist()
    reference = exact.search(every[chosen], every, 30, order=indexed.order)
    assert whole["sentence_id"].to_pylist() == keys["sentence_id"].take(reference.row).to_pylist()
    assert whole["score"].to_numpy().tolist() == reference.score.tolist()


def test_keys_are_read_in_streams_and_are_those_of_the_whole_table(tmp_path, monkeypatch):
    """Ids sorted on disk, ids of scattered rows, and a draw by hash, each against the same from the whole table."""
    connection, target = sentence_tables.connect(SECTIONS), vector_index(tmp_path)
    sync(connection, target)
    connection.execute("delete from fct_sentences where sentence_id like '%3'")
    sentence_tables.add(connection, {(4, 2020, "ITEM_1"): 9})
    sync(connection, target)
    monkeypatch.setattr(index, "BATCH_ROWS", 8)
    keys = target.dataset().to_table(columns=["sentence_id"], with_row_id=True)
    ids, row_ids = keys["sentence_id"].to_pylist(), keys["_rowid"].to_numpy()
    assert target.id_order().tolist() == [sorted(ids).index(each) for each in ids]
    asked = [7, 100, 7, 0]
    assert target.ids_of(keys["_rowid"].take(asked)).to_pylist() == [ids[place] for place in asked]
    assert target.row_ids().of(row_ids[asked]).tolist() == asked
    drawn = sorted(range(len(ids)), key=lambda place: hashlib.md5(ids[place].encode()).digest()[:8])[:20]
    assert recall._drawn(target, 20).tolist() == sorted(drawn)


def test_recall_counts_what_an_index_misses(tmp_path, monkeypatch):
    connection, target = (
        sentence_tables.connect({(cik, 2020, "ITEM_1"): 100 for cik in range(6)}),
        vector_index(tmp_path),
    )
    regimes = {"open": (), "filtered": ("cik",)}
    sync(connection, target)
    # all of six companies' queries alike are worth six: 6 / (6 + 1.96²)
    for each in recall.recall(IndexedVectors(target), regimes, 50):
        assert (each.recall, each.n_clusters, each.ci_high, each.is_interval_reliable) == (1, 6, 1, False)
        assert each.ci_low == pytest.approx(6 / (6 + 1.959964**2), rel=1e-5)
    sync(connection, target, flat_rows=1)
    monkeypatch.setattr(recall, "PROBED_SHARE", 0.05)
    measured = {(each.regime, each.k): each for each in recall.recall(IndexedVectors(target), regimes, 50)}
    assert measured["filtered", 30].recall == 1
    assert 0 < measured["open", 30].recall < 0.95
    assert measured["open", 30].n_queries == 50
    assert measured["open", 30].ci_low < measured["open", 30].recall < measured["open", 30].ci_high


@pytest.mark.parametrize(("companies", "is_reliable"), [(9, False), (10, True)])
def test_recall_from_under_ten_companies_is_not_reliable(tmp_path, companies, is_reliable):
    """Two sentences a company, all asked for: as many right answers as companies, and all of one size."""
    connection = sentence_tables.connect({(cik, 2020, "ITEM_1"): 2 for cik in range(companies)})
    target = vector_index(tmp_path)
    sync(connection, target)
    for each in recall.recall(IndexedVectors(target), {"open": ()}):
        assert (each.n_queries, each.n_clusters, each.recall) == (2 * companies, companies, 1)
        assert each.ci_low == pytest.approx(companies / (companies + 1.959964**2), rel=1e-5)
        assert each.is_interval_reliable == is_reliable


def test_recall_measured_without_a_flag_is_measured_again(tmp_path):
    """As a version before wrote it, without the column or with nothing in it; what has a flag stands."""
    connection = sentence_tables.connect({(1, 2020, "ITEM_1"): 3, (2, 2020, "ITEM_1"): 3})
    sync(connection, vector_index(tmp_path))
    indexes = connection.sql("""
        select
            'tiny/model' as model_id, 'a' as checksum, 'flat' as index_type, '{}' as index_parameters,
            '0123456789abcdef' as fingerprint, 'vector' as index_kind, 6 as row_count
    """)
    regimes = connection.sql("select 'open' as regime, '' as filter_columns")

    def measured(known):
        return recall.measure_recall(indexes, regimes, "open", str(tmp_path), known)

    first = measured(None)
    connection.register("before", first)
    assert first.num_rows == 3 and measured(connection.table("before")).num_rows == 0
    for older in ("* exclude (is_interval_reliable)", "* replace (null::boolean as is_interval_reliable)"):
        assert measured(connection.sql(f"select {older} from before")).num_rows == 3


def test_recall_by_hand():
    """Five rows on a line, the query being the first of them: what else is near is 4, 3, 3 and 1 away.

    The first answer lacks 4, so its best is wrong, and of four others it holds two.
    """
    vectors = np.array([[5], [4], [3], [3], [1]], np.float32)
    row_ids = Places([(np.arange(10, 15, dtype=np.uint64), np.arange(5))])

    class Indexed:
        def take(self, rows):
            return vectors[rows]

    query = np.array([[1.0]], np.float32)
    truth = exact.search(query, vectors, 30)

    def shares(truth, *rows):
        answer = pa.table({"_rowid": pa.array(rows, pa.uint64())})
        found = recall._shares(Indexed(), row_ids, query, np.array([0]), truth, [answer])
        return {k: share.tolist() for k, share in found.items()}

    assert shares(truth, 10, 13, 14) == {1: [0.0], 5: [0.5], 30: [0.5]}
    assert shares(truth, 10) == {1: [0.0], 5: [0.0], 30: [0.0]}  # finding oneself is no feat
    three = exact.search(query, vectors, 3)
    assert shares(three, 10, 11, 12)[5] == [1.0]
    # the copy that ranks lower is as near, and an answer without the query itself is none the worse
    assert shares(three, 11, 13)[5] == [1.0]


def test_no_op_is_fast_at_135_thousand_sentences(tmp_path):
    connection, target = sentence_tables.connect({}), SentenceIndex.of_text(tmp_path)
    connection.execute(
        "insert into fct_sentences select 's' || n, 'f' || n // 2000, n // 20000, 2020, 'ITEM_1', 'Sentence ' || n, "
        "md5(n::varchar), null from range(135000) as numbers(n)"
    )
    sync(connection, target)
    fastest = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        sync(connection, target)
        fastest = min(fastest, time.perf_counter() - start)
    assert fastest < 1


def test_filters_quote_their_values():
    queries = pa.table({"cik": [7, 8], "section_id": ["it's' or true --", None]})
    assert filter_expressions(queries, ["cik", "section_id"]) == [
        "cik = 7 and section_id = 'it''s'' or true --'",
        "cik = 8 and section_id is null",
    ]
    assert filter_expressions(queries, []) == [None, None]


def test_groups_are_equal_exactly_where_values_are():
    rows = pa.table({"cik": [1, 1, 2, 2, 2], "section_id": ["a", "b", "a", "a", None]})
    queries = pa.table({"cik": [2, 1, 3, 2], "section_id": ["a", "b", "a", None]})
    grouping = Grouping(rows.to_batches(max_chunksize=2), ["cik", "section_id"])
    assert (grouping.of(queries)[:, None] == grouping.rows.codes[None, :]).astype(int).tolist() == [
        [0, 0, 1, 1, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]
    assert Grouping([], ["cik"]).of(queries).tolist() == [-1] * 4
    assert Grouping(rows.to_batches(), []).of(queries).tolist() == [0] * 4


def test_faults_in_the_registry_are_named():
    connection = sentence_tables.connect({})
    connection.execute("create table regimes as select 'open' as regime, null::varchar as filter_columns")
    connection.execute("insert into regimes values ('odd', 'cik company')")
    regimes = connection.table("regimes")
    assert chosen_regimes(regimes, "open open") == {"open": ()}
    with pytest.raises(
        FinragError,
        match=r"odd filters by company\. Allowed: filing_id, cik, report_year, section_id, section_heading, form_type",
    ):
        chosen_regimes(regimes, "open odd")
    with pytest.raises(FinragError, match=r"names filtered\. Allowed: odd, open"):
        chosen_regimes(regimes, "filtered")
    assert filter_columns("x", " section_id  cik ") == ("section_id", "cik")


def test_an_index_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FinragError, match=r"There is no index at .*Run `dbt build --select int_sentence_index`"):
        vector_index(tmp_path).batches()
