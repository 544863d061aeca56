"""Sentences and the amounts that they state, through the three models that read them, with DuckDB alone.

tests/fixtures/amount_cases.csv holds one row per expected amount. A case starts with its sentence; further amounts of
the same sentence repeat the case_id and leave the sentence empty. earlier_scale is what a caption in the sentence
before says, row_scale and text_scale how the filing writes dollars. A case that must give no amount has its sentence
and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from databases import in_memory
from sql_models import create_models, macro
from warehouses import ROOT

MODELS = ("int_amount_expressions", "int_stated_amounts", "int_kpi_amounts")
PARENTS = f"""
create table expected as
    select * from read_csv('{ROOT}/tests/fixtures/amount_cases.csv', header = true, all_varchar = true);

create table cases as
    select *, regexp_extract(sentence, '(?i)[(][^()]*\\bin (?:thousand|million|billion)s') as caption
    from expected
    where sentence is not null;

-- twice, as sentences come in that hold two KPI labels
create table int_kpi_matches as
    select
        case_id as sentence_id, case_id as filing_id, 'ITEM_7' as section_id, 1 as sentence_pos,
        'prose' as sentence_kind, sentence as sentence_text
    from cases, range(2);

create table int_scale_captions as
    select
        case_id as sentence_id, case_id as filing_id, 'ITEM_7' as section_id, 1 as sentence_pos,
        strpos(sentence, caption) as caption_pos,
        lower(regexp_extract(caption, '(?i)thousand|million|billion')) as caption_scale, null::integer as table_end_pos
    from cases
    where caption != ''
    union all
    select 'the sentence before ' || case_id, case_id, 'ITEM_7', 0, 1, earlier_scale, null
    from cases
    where earlier_scale is not null;

create table int_dollar_conventions as
    select case_id as filing_id, 'ITEM_7' as section_id, row_scale, text_scale, null as dollar_code
    from cases
"""
WANTED = """
    select
        case_id, amount_index::integer as amount_index, raw_text,
        -- where it first occurs
        strpos(replace(max(sentence) over (partition by case_id), chr(160), ' '), raw_text)::integer as start_pos,
        value::double as value, unit, unit_reason, scale_word, scale_source, rounding::double as rounding,
        is_change::boolean as is_change, change_direction, range_role, is_instrument_rate::boolean as is_instrument_rate
    from expected
    qualify amount_index is not null
"""


@pytest.fixture(scope="module")
def amounts() -> Iterator[duckdb.DuckDBPyConnection]:
    with in_memory() as connection:
        connection.execute(PARENTS)
        create_models(connection, "bundles", MODELS, [macro("change_words")])
        yield connection


def test_amounts_are_read_as_written(amounts):
    wanted = amounts.execute(f"{WANTED} order by all").fetchall()
    found = amounts.execute("select * exclude (filing_id) from int_kpi_amounts order by all").fetchall()
    assert len(wanted) > 200
    by_case = {row[:2]: row[2:] for row in wanted}
    assert {row[:2]: row[2:] for row in found} == by_case
    assert len(found) == len(wanted)
