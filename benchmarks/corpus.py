"""A generated corpus of any size: neutral prose of about 200 characters a sentence, a tenth of it worth tagging.

Sections have the lengths that real ones have, from a handful of sentences to 1,500; about two sentences in five repeat
another's text.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

# Words that no pattern of the registries matches, so that exactly the planted tenth is tagged.
WORDS = """
    the our of and in to a for with that by on we are their its other these such which each this people city team
    garden house school paper music table water stone window bridge harbour orchard meadow valley village lantern kettle
    basket blanket carpet ladder hammer copper silver timber cotton linen pepper ginger walnut almond barley clover
    heather willow maple cedar falcon heron otter badger rabbit sparrow beetle spider marble pebble shadow candle mirror
    pillow button ribbon thread needle bottle saucer platter mention describe arrange gather deliver prepare observe
    carry follow measure older younger wider narrow gentle quiet bright simple usual recent several many both early
    evening morning autumn
""".split()
PHRASES = [
    "net sales increased 4% to $2.3 billion",
    "net cash provided by operating activities was $1.2 billion",
    "operating income declined $45 million",
    "diluted earnings per share were $3.10",
    "long-term debt stood at $780 million",
    "capital expenditures were $310 million",
    "gross margin rose to 41.2%",
    "interest expense was $12 million",
    "net income fell to $95 million because of foreign currency",
    "a data breach or ransomware attack could disrupt us",
    "new regulation could raise the cost of compliance",
    "we depend on our suppliers and a supply chain interruption",
    "intense competition and pricing pressure could reduce share",
    "litigation over patents could be decided against us",
    "we may be unable to refinance or to meet a covenant",
    "an uncertain economy could adversely affect results",
]
# A filing's sections and their sentences: most sections are short, most sentences stand in long ones.
SECTIONS = ("ITEM_1B", "ITEM_3", "ITEM_7A", "ITEM_1", "ITEM_7", "ITEM_1A")
SECTION_LENGTHS = (6, 15, 30, 120, 400, 1500)
# Of a file: what is held at once, and what a reader's thread takes.
SLICE_ROWS, GROUP_ROWS = 1_000_000, 122_880


def create_sentences(connection: duckdb.DuckDBPyConnection, rows: int, start: int = 0) -> None:
    """Create the temporary table generated (row_id, company, report_year, section, position, sentence) of so many rows
    from the row_id `start` on; the same whatever else is generated."""
    connection.execute("create or replace temp table word as select unnest(?) as word", [WORDS])
    connection.execute(
        """
        create or replace temp table clause as
        with vocabulary as (select list(word) as words from word)
        select array_to_string(
            list_transform(range(10), lambda n: words[1 + (hash(clause_id, n) % len(words))::bigint]), ' '
        ) as clause
        from range(20000) as ids(clause_id), vocabulary
        """
    )
    starts = []
    total = 0
    for length in SECTION_LENGTHS:
        starts.append(total)
        total += length
    connection.execute(
        f"""
        create or replace temp table generated as
        with clauses as (select list(clause) as clauses from clause),
        numbered as (
            select
                row_id,
                row_id // {total} as cycle,
                (row_id % {total})::integer as place,
                -- two rows in five take the text of an earlier one
                case when hash(row_id) % 5 < 2 then row_id // 7 else row_id end as text_id,
            from range({start}, {start + rows}) as ids(row_id)
        ),
        placed as (
            select
                *,
                list_count(list_filter({starts}, lambda start: start <= place)) as section_number,
            from numbered
        )
        select
            row_id,
            cycle // 12 as company,
            (2000 + cycle % 12)::integer as report_year,
            section_number,
            {list(SECTIONS)}[section_number] as section,
            (place - {starts}[section_number])::integer as position,
            concat_ws(' ',
                clauses[1 + (hash(text_id, 1) % 20000)::bigint],
                case when hash(text_id, 9) % 10 = 0
                    then {PHRASES}[1 + (text_id // 10 % {len(PHRASES)})::bigint] end,
                clauses[1 + (hash(text_id, 2) % 20000)::bigint],
                clauses[1 + (hash(text_id, 3) % 20000)::bigint],
                text_id
            ) || '.' as sentence,
        from placed, clauses
        """
    )


def write_corpus(path: Path, rows: int) -> None:
    """Write the generated sentences as one FinSights Parquet file."""
    writer = None
    with duckdb.connect() as connection:
        for start in range(0, rows, SLICE_ROWS):
            create_sentences(connection, min(SLICE_ROWS, rows - start), start)
            slice_rows = connection.sql(
                """
                select
                    lpad((9100000 + company)::varchar, 10, '0') as cik,
                    'Generated ' || company as name,
                    report_year,
                    cik || '_10-K_' || report_year as "docID",
                    "docID" || '_section_' || section[6:] || '_' || position as "sentenceID",
                    section as section_name,
                    position as sentence_index,
                    sentence,
                from generated
                order by row_id
                """
            ).to_arrow_table()
            writer = writer or pq.ParquetWriter(path, slice_rows.schema, compression="zstd")
            writer.write_table(slice_rows, row_group_size=GROUP_ROWS)
    writer.close()


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]), int(sys.argv[2]))
