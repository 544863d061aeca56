"""BM25 through the text index: total order, filters, and query texts that look like query syntax."""

import math
from pathlib import Path

import pyarrow as pa
import pytest

import sentence_tables
from csv_files import rows_of
from finrag.index import lance as index
from finrag.index.lance import SentenceIndex
from finrag.search import bm25

TEXTS = {
    "s01": "Net sales rose on higher volume.",
    "s02": "Net sales fell.",
    "s03": 'The so-called "poison pill" was adopted by the board.',
    "s04": "Café Ventures operates cafes in Zürich.",
    "s05": "Risks: liquidity risk, credit risk and market risk.",
    "s06": "It is what it is.",
    "s07": "Our debt covenants limit dividends AND NOT repurchases.",
    "s08": "sentence_text:debt OR (section_id = 'ITEM_1')",
}


@pytest.fixture(scope="module")
def text_index(tmp_path_factory):
    connection = sentence_tables.connect({})
    rows = [(each, "f1", 1, 2020, "ITEM_1", text, sentence_tables.digest(text), None) for each, text in TEXTS.items()]
    # the same text forty times, in two sections, ten of them under a heading
    toc = ("Table of contents", sentence_tables.digest("toc"))
    rows += [
        (f"t{n:02}", "f2", 2, 2021, f"ITEM_{n % 2 + 7}", *toc, "The year's outlook" if n < 10 else None)
        for n in range(40)
    ]
    connection.executemany("insert into fct_sentences values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute("insert into dim_filings values ('f1', '10-K'), ('f2', '10-K')")
    target = SentenceIndex.of_text(tmp_path_factory.mktemp("lance"))
    index.sync(connection, connection.table("fct_sentences"), connection.table("dim_filings"), target)
    return target


def search(text_index, text, k=30, columns=(), **values):
    queries = pa.table({"query_id": ["q"], "query_text": [text]} | {name: [value] for name, value in values.items()})
    hits = bm25.search(text_index, queries, k, columns)
    assert hits["raw_rank"].to_pylist() == list(range(1, len(hits) + 1))
    return hits["sentence_id"].to_pylist()


def test_scores_are_bm25(text_index):
    """Stop words gone, s02 is 'net sale fell' and s01 'net sale rose higher volum'. Of the 47 texts with words (s06 has
    none) two hold net and sale, one holds fell. k1 is 1.2, b is 0.75.
    """
    hits = bm25.search(text_index, pa.table({"query_id": ["q"], "query_text": ["Net sales fell."]}), 5)
    assert hits["sentence_id"].to_pylist() == ["s02", "s01"]
    table = text_index.table()
    texts = [*TEXTS.values(), *["Table of contents"] * 40]
    lengths = [len(table.tokenize(text, column="sentence_text")) for text in texts]
    assert lengths[:2] == [5, 3]
    mean = sum(lengths) / 47

    def weight(holding, length):
        inverse = math.log(1 + (47 - holding + 0.5) / (holding + 0.5))
        return inverse * 2.2 / (1 + 1.2 * (0.25 + 0.75 * length / mean))

    expected = [2 * weight(2, 3) + weight(1, 3), 2 * weight(2, 5)]
    assert hits["score"].to_pylist() == pytest.approx(expected, rel=1e-6)


def test_ties_are_cut_by_sentence_id_descending(text_index):
    """Forty equal scores: the first ten are the ten last ids, whichever the index returns first."""
    assert search(text_index, "Table of contents", k=10) == [f"t{n}" for n in range(39, 29, -1)]
    odd = [f"t{n:02}" for n in range(39, 0, -2)]
    assert search(text_index, "Table of contents", 10, ["cik", "section_id"], cik=2, section_id="ITEM_8") == odd[:10]
    assert search(text_index, "Table of contents", 39, ["section_id"], section_id="ITEM_8") == odd


def test_a_heading_is_filtered_by_like_an_item(text_index):
    """The regime filtered_heading: under the heading of the query, or where it has none, what stands under none."""
    regimes = rows_of("seeds/retrieval_regimes.csv")
    columns = {row["regime"]: row["filter_columns"].split() for row in regimes}["filtered_heading"]
    of_query = {"cik": 2, "report_year": 2021, "section_id": "ITEM_7"}
    headed = search(text_index, "Table of contents", 30, columns, **of_query, section_heading="The year's outlook")
    assert headed == ["t08", "t06", "t04", "t02", "t00"]
    others = search(text_index, "Table of contents", 30, columns, **of_query, section_heading=None)
    assert others == [f"t{n:02}" for n in range(38, 8, -2)]


def test_filter_comes_before_the_search(text_index):
    assert search(text_index, "table net", 2, ["cik"], cik=1) == ["s02", "s01"]
    assert search(text_index, "Table of contents", 2, ["cik"], cik=1) == []
    assert search(text_index, "net", 2, ["cik"], cik=77) == []


def test_words_are_folded_and_stemmed(text_index):
    assert search(text_index, "CAFE zurich")[0] == "s04"
    assert search(text_index, "liquidity risks")[0] == "s05"


@pytest.mark.parametrize("text", ["", "   ", "?!", "It is what it is.", "xylophone"])
def test_a_query_without_a_known_word_has_no_hits(text_index, text):
    assert search(text_index, text) == []


@pytest.mark.parametrize(
    ("plain", "dressed"),
    [
        ("net sales", '"net" +sales'),
        ("net sales", "net AND sales"),
        ("net sales", "-net -sales"),
        ("net sales", "net~2 sales^9"),
        ("net sales", "(net) [sales] {}\\ /"),
        ("poison pill", '"poison pill'),
        ("poison pill", "pill* 'poison"),
        ("debt", "(((debt"),
        ("debt", '{"debt": []}'),
    ],
)
def test_query_text_is_words_and_never_syntax(text_index, plain, dressed):
    assert search(text_index, dressed) == search(text_index, plain)
    assert search(text_index, plain)


def test_a_field_name_in_the_text_is_a_word(text_index):
    """s07 has the word debt; s08 has all of the words, of which `sentence_text:` would otherwise name a column."""
    assert search(text_index, "sentence_text:debt")[0] == "s08"
    assert set(search(text_index, "sentence_text:debt")) == {"s07", "s08"}


def test_filter_values_cannot_leave_their_quotes(text_index):
    assert search(text_index, "net", 5, ["section_id"], section_id="x' or 'a' = 'a") == []


def test_many_queries_keep_their_own_hits(text_index):
    queries = pa.table(
        {"query_id": ["b", "none", "a", "c"], "query_text": ["Net sales fell.", "it is", "poison pill", "credit risk"]}
    )
    hits = bm25.search(text_index, queries, 1)
    assert hits["query_id"].to_pylist() == ["b", "a", "c"]
    assert hits["sentence_id"].to_pylist() == ["s02", "s03", "s05"]
    assert bm25.search(text_index, queries.slice(0, 0), 5).num_rows == 0


def test_an_index_in_parts_gives_the_hits_and_scores_of_one_in_one_part(tmp_path, monkeypatch):
    """12,000 sentences of 60 words each out of 2,000, which take more than one MiB."""
    connection = sentence_tables.connect({})
    connection.execute(
        """
        insert into fct_sentences
        select printf('s%05d', i), 'f1', 1, 2020, 'ITEM_1', text, md5(text), null
        from range(12_000) as sentences(i), lateral (
            select string_agg(printf('w%04dx', hash(i, j) % 2_000), ' ') as text from range(60) as words(j)
        )
        """
    )
    connection.execute("insert into dim_filings values ('f1', '10-K')")
    asked = "sentence_id as query_id, array_to_string(string_split(sentence_text, ' ')[:3], ' ') as query_text, cik"
    queries = connection.table("fct_sentences").project(asked).order("query_id").limit(20).to_arrow_table()
    found = {}
    for memory in (1, index.FULLTEXT_MEMORY):
        monkeypatch.setattr(index, "FULLTEXT_MEMORY", memory)
        target = SentenceIndex.of_text(tmp_path / f"{memory}")
        index.sync(connection, connection.table("fct_sentences"), connection.table("dim_filings"), target)
        parts = len(list(Path(target.path).glob("_indices/*/part_*_docs.lance")))
        found[parts] = [bm25.search(target, queries, 30, columns) for columns in ((), ("cik",))]
    fewest, most = sorted(found)
    assert fewest == 1 < most
    assert found[fewest] == found[most]
    assert [hits.num_rows for hits in found[most]] == [600, 600]
