"""Real filings, all sources together: no row is lost, and the bundles keep their promises on real text."""

from __future__ import annotations

from warehouses import CORPUS_AND_BUNDLES


def test_all_sources_together(real):
    """Where sources overlap, one copy of a filing wins and the others' rows are rejected by name."""
    held = real.value("select sum(row_count) from staging.source_files where level = 'sentence' and status = 'loaded'")
    assert held == 48_788 + 7_418
    sentences, rejected = (
        real.value("select count(*) from corpus.fct_sentences where source = 'finsights'"),
        real.value("select count(*) from corpus.rejected_rows where source = 'finsights'"),
    )
    assert sentences + rejected == held
    assert real.value("select count(distinct cik) from corpus.dim_companies") == 51
    assert real.value("select count(*) - count(distinct (filing_id, source)) from corpus.dim_filings") == 0
    mixed = (
        "select count(*) from (select 1 from corpus.fct_sentences group by filing_id having count(distinct source) > 1)"
    )
    assert real.value(mixed) == 0


def test_every_row_of_the_sentence_tables_is_loaded_but_copies(real):
    """Within a table no id is stated twice, so that of each alone every row would be loaded."""
    twice = "select 1 from staging.stg_finsights__sentences group by file_path, sentence_id having count(*) > 1"
    assert real.rows(twice) == []
    reasons = "select distinct reason from corpus.rejected_rows where source = 'finsights' order by 1"
    assert real.rows(reasons) == [("duplicate_filing",), ("duplicate_sentence_id",)]


def test_every_filing_is_loaded_whole_but_copies(real):
    """Of 27 and 62 filings; what is rejected beside copies is items without text, and nothing else."""
    assert real.value("select count(distinct file_path) from corpus.int_item_rows") == 27 + 62
    reasons = "select distinct reason from corpus.rejected_rows where source = 'edgar_crawler' order by 1"
    assert real.rows(reasons) == [("duplicate_filing",), ("empty_text",)]
    neither = """
        select distinct file_path from corpus.int_item_rows
        anti join corpus.dim_filings using (file_path)
        anti join (from corpus.rejected_rows where reason = 'duplicate_filing') using (file_path)
        """
    assert real.rows(neither) == []
    lost = """
        select item_rows.filing_id, item_rows.section_id
        from corpus.int_item_rows as item_rows
        anti join corpus.fct_sentences using (filing_id, section_id)
        anti join corpus.rejected_rows using (file_path, source_row, section_label)
        where item_rows.item_text != ''
        """
    assert real.rows(lost) == []


def test_a_stub_item_is_kept(real):
    """Walt Disney's Item 8 for 2017 is one reference to its index."""
    stub = "select sentence_text from corpus.fct_sentences where filing_id = $filing and section_id = 'ITEM_8'"
    ((text,),) = real.rows(stub, {"filing": "0001001039_10-K_2017"})
    assert "See Index to Financial Statements" in text


def test_dbt_tests_hold_on_real_filings(real, real_corpus, real_facts, tmp_path):
    only_of_these = ("--indirect-selection", "cautious", "--exclude-resource-type", "unit_test")
    copy = real.copy(tmp_path / "real")
    done = copy.dbt("test", *CORPUS_AND_BUNDLES, *only_of_these, corpus=real_corpus, company_facts=real_facts)
    assert done.returncode == 0, copy.output[-4000:]


def test_bundles_on_real_filings(real):
    assert real.value("select min(len(years)) from bundles.v3_trend_bundles") >= 2
    assert real.rows("select min(company_count), max(company_count) from bundles.v4_cross_company_bundles") == [(2, 5)]
    assert real.value("select count(distinct topic_label) from bundles.v3_trend_bundles") >= 14
    assert real.value("select count(*) from bundles.v5_definition_bundles where candidate_type = 'definition'") > 50


def test_amounts_agree_with_the_facts_of_21_companies(real):
    told = real.rows("select kpi_label from bundles.kpi_agreement where measure = 'amount agreement' and n > 0")
    assert {"all", "revenue", "net_income", "cash_from_ops", "gross_margin"} <= {label for (label,) in told}
