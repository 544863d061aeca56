"""A small corpus in DuckDB and vectors for its texts, for the tests of the search."""

import hashlib

import duckdb
import numpy as np
import pyarrow as pa

DIMENSION = 8
WORDS = (
    "revenue margin debt cash risk supplier covenant cyber factory store loan patent inflation currency audit".split()
)


def connect(sections):
    """Tables fct_sentences and dim_filings. sections: {(cik, report_year, section_id): number of sentences}."""
    connection = duckdb.connect()
    connection.execute(
        "create table fct_sentences (sentence_id varchar, filing_id varchar, cik bigint, report_year integer, "
        "section_id varchar, sentence_text varchar, text_hash varchar, section_heading varchar)"
    )
    connection.execute("create table dim_filings (filing_id varchar, form_type varchar)")
    add(connection, sections)
    return connection


def add(connection, sections):
    rng = np.random.default_rng(len(sections))
    rows = []
    for (cik, year, section), count in sections.items():
        for position in range(count):
            text = " ".join(rng.choice(WORDS, 6)) + f" {cik} {year}"
            rows.append((f"{cik}_{year}_{section}_{position}", f"{cik}_{year}", cik, year, section, text, digest(text)))
    columns = [[*column] for column in zip(*rows, strict=True)]
    if rows:  # all at once: a statement for each takes 0.3 ms
        lists = ", ".join("unnest(?)" for _ in columns)
        connection.execute(f"insert into fct_sentences select {lists}, null", columns)
    connection.execute(
        "insert into dim_filings select distinct filing_id, '10-K' from fct_sentences "
        "where filing_id not in (select filing_id from dim_filings)"
    )


def filings(count: int):
    """Tables items, of so many filings with an item of 40 sentences, and rejected, the item of one; what to split."""
    session = duckdb.connect()
    session.execute(
        f"""
        create table items as
        select
            'f' || number as filing_id, number::bigint as cik, 'One Inc.' as company_name, 2020::integer as report_year,
            'ITEM_1' as section_id, '1' as item_label, '1' as section_label, 'edgar_corpus' as source,
            'one file for all' as file_path, number::bigint as source_row,
            repeat('Net sales rose by ' || number || ' percent. ', 40) as item_text,
            null::integer as first_page,
            null::varchar as headings,
        from range({count}) as numbers (number)
        """
    )
    session.execute("create table rejected as select file_path, source_row, section_label from items where cik = 7")
    return session, session.sql("select filing_id, file_path, length(item_text) from items order by all").fetchall()


def digest(text):
    return hashlib.md5(text.encode()).hexdigest()


def vector(text_hash):
    """The unit vector of a text."""
    values = np.random.default_rng(int(text_hash[:15], 16)).standard_normal(DIMENSION).astype(np.float32)
    return values / np.linalg.norm(values)


def vectors(text_hashes: pa.Array) -> np.ndarray:
    return np.array([vector(each) for each in text_hashes.to_pylist()], np.float32).reshape(-1, DIMENSION)
