"""Which amount is a KPI's, through the five models that tell, with DuckDB alone.

tests/fixtures/kpi_statement_cases.csv: a sentence with its phrase and amounts (`raw|unit|is_change`), and the amount
that is the KPI's; empty where none is, `year unknown` or `no amount` where a list has none. Cases of one filing share
its years, and the first row of a sentence with several phrases names the amounts. An amount is worth its digits, below
zero with brackets; sign is "-" where words make the KPI's amount negative, "+" where it is an outlay in brackets.
"""

from __future__ import annotations

from databases import in_memory
from sql_models import create_models, macro
from warehouses import ROOT

MODELS = (
    *("int_filing_year_orders", "int_amount_lists", "int_kpi_phrase_parts"),
    *("int_kpi_amount_links", "int_kpi_statements"),
)
MACROS = (
    *map(macro, ("change_words", "link_words", "loss_words", "year_run")),
    macro("years_of_run", "year_run"),
    *(macro(name, "link_words") for name in ("of_a_part", "in_a_period", "expectations")),
)
PARENTS = f"""
create table cases as
    select *, coalesce(filing, case_id) as filing_id, string_split(amounts, ';') as stated
    from read_csv('{ROOT}/tests/fixtures/kpi_statement_cases.csv', header = true, all_varchar = true);

create table int_kpi_phrases as
    select
        case_id as sentence_id, kpi_label, filing_id, 2020 as report_year, sentence as sentence_text,
        strpos(sentence, phrase) as phrase_pos, strpos(sentence, phrase) + length(phrase) as phrase_end
    from cases;

create table fct_sentences as
    select distinct
        case_id as sentence_id, filing_id, 2020 as report_year, 'prose' as sentence_kind, sentence as sentence_text
    from cases;

create table int_kpi_amounts as
    with amounts as (
        select
            * exclude (raw_text), unnest(range(len(stated)))::integer as amount_index,
            string_split(unnest(stated), '|') as parts
        from cases
    )
    select
        case_id as sentence_id, filing_id, amount_index, parts[1] as raw_text,
        strpos(sentence, raw_text)::integer as start_pos,
        regexp_replace(raw_text, '[^0-9.]', '', 'g')::double * if(contains(raw_text, '('), -1, 1) as value,
        0.5 * pow(10, -length(regexp_extract(raw_text, '[.]([0-9]*)', 1))) as rounding,
        parts[2] as unit, parts[3] = '1' as is_change,
        if(contains(raw_text, 'basis points'), 'basis points', null) as scale_word,
        null::varchar as range_role, false as is_instrument_rate
    from amounts
"""
WANTED = """
    select
        cases.case_id, cases.kpi_label, cases.sentence, cases.kpi_role, amounts.amount_index,
        abs(amounts.value)
        * if(cases.sign = '-' or (cases.sign is distinct from '+' and amounts.value < 0), -1, 1) as value,
        amounts.unit, cases.listed_year::integer as listed_year,
        if(amounts.raw_text is null, cases.raw_text, null) as amount_reason
    from cases
    left join int_kpi_amounts as amounts on cases.case_id = amounts.sentence_id and cases.raw_text = amounts.raw_text
    where cases.raw_text is not null
    order by all
"""
FOUND = """
    select
        statements.sentence_id, statements.kpi_label, cases.sentence, kpi_role, amount_index, value, unit, listed_year,
        amount_reason
    from int_kpi_statements as statements
    left join (select distinct case_id, sentence from cases) as cases on statements.sentence_id = cases.case_id
    order by all
"""


def test_the_amount_of_a_kpi_is_chosen_by_grammar():
    with in_memory() as connection:
        connection.execute(PARENTS)
        create_models(connection, "bundles", MODELS, MACROS)
        wanted, found = connection.execute(WANTED).fetchall(), connection.execute(FOUND).fetchall()
    assert len(wanted) > 70
    assert found == wanted
