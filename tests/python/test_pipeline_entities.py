"""What is found in a question: companies, years, items and scope, by hand-made cases and both published suites."""

from __future__ import annotations

import json

import pytest

from csv_files import rows_of
from finrag.errors import FinragError
from finrag.search.multi_path.entities import Extractor
from finrag.search.multi_path.scope import classify
from finrag.text.companies import Companies, Company, core_of, key_of
from finrag.text.sections import compile_patterns, find_sections, likely_sections
from finrag.text.years import as_answered, find_years
from warehouses import ROOT

# As registers write them, with former names and tickers.
COMPANIES = [
    Company(104169, "WALMART INC.", ("WALMART INC.", "WAL MART STORES INC"), "WMT"),
    Company(320193, "Apple Inc.", ("Apple Inc.",), "AAPL"),
    Company(789019, "MICROSOFT CORP", ("MICROSOFT CORP", "Microsoft Corporation"), "MSFT"),
    Company(200406, "JOHNSON & JOHNSON", ("JOHNSON & JOHNSON",), "JNJ"),
    Company(1326801, "Meta Platforms, Inc.", ("Meta Platforms, Inc.", "FACEBOOK INC"), "META"),
    Company(34088, "EXXON MOBIL CORP", ("EXXON MOBIL CORP",), "XOM"),
    Company(59478, "ELI LILLY & Co", ("ELI LILLY & Co",), "LLY"),
    Company(814585, "MBIA INC", ("MBIA INC",), "MBI"),
    Company(1276520, "GENWORTH FINANCIAL INC", ("GENWORTH FINANCIAL INC",), "GNW"),
    Company(1018724, "AMAZON COM INC", ("AMAZON COM INC",), "AMZN"),
    Company(1318605, "Tesla, Inc.", ("Tesla, Inc.",), "TSLA"),
    Company(1141391, "Mastercard Inc", ("Mastercard Inc",), "MA"),
    Company(1403161, "VISA INC.", ("VISA INC.",), "V"),
    Company(890926, "RADIAN GROUP INC", ("RADIAN GROUP INC",), "RDN"),
    Company(1065280, "NETFLIX INC", ("NETFLIX INC",), "NFLX"),
    Company(813762, "ICAHN ENTERPRISES L.P.", ("ICAHN ENTERPRISES L.P.",), "IEP"),
    Company(909832, "COSTCO WHOLESALE CORP /NEW", ("COSTCO WHOLESALE CORP /NEW",), "COST"),
    Company(1001039, "WALT DISNEY CO/", ("WALT DISNEY CO/",), "DIS"),
    Company(1001250, "ESTEE LAUDER COMPANIES INC", ("ESTEE LAUDER COMPANIES INC",), None),
    Company(1002682, "HORIZON FINANCIAL CORP", ("HORIZON FINANCIAL CORP",), None),
    Company(1, "SUMMIT POWER INC", ("SUMMIT POWER INC",), None),
    Company(2, "SUMMIT WATER CORP", ("SUMMIT WATER CORP",), None),
    Company(66740, "3M CO", ("3M CO",), "MMM"),
    Company(1804591, "23andMe Holding Co.", ("23andMe Holding Co.",), None),
    Company(4962, "AMERICAN EXPRESS CO", ("AMERICAN EXPRESS CO",), "AXP"),
    Company(799292, "M/I HOMES, INC.", ("M/I HOMES, INC.",), "MHO"),
    Company(1065088, "EBAY INC", ("EBAY INC",), "EBAY"),
    Company(1671584, "89bio, Inc.", ("89bio, Inc.",), "ETNB"),
    Company(63908, "MCDONALDS CORP", ("MCDONALDS CORP",), "MCD"),
    Company(749251, "GARTNER INC", ("GARTNER INC",), "IT"),
    Company(1477641, "Sweetgreen, Inc.", ("Sweetgreen, Inc.",), "SG"),
    Company(790816, "BRANDYWINE REALTY TRUST", ("BRANDYWINE REALTY TRUST",), "BDN"),
    Company(14846, "BRT Apartments Corp.", ("BRT Apartments Corp.",), "BRT"),
    Company(1402436, "SS&C Technologies Holdings Inc", ("SS&C Technologies Holdings Inc",), "SSNC"),
    Company(793733, "ROPER & DUNN INC", ("ROPER & DUNN INC",), None),
    Company(894081, "AmeriCann, Inc.", ("AmeriCann, Inc.",), "ACAN"),
    Company(51143, "INTERNATIONAL BUSINESS MACHINES CORP", ("INTERNATIONAL BUSINESS MACHINES CORP",), None),
]
NAMES = Companies(COMPANIES)
KNOWN_SECTIONS = [row["section_id"] for row in rows_of("seeds/sections.csv")]
PATTERNS = compile_patterns([(row["section_id"], row["pattern"]) for row in rows_of("seeds/section_mentions.csv")])
EXTRACTOR = Extractor(NAMES, PATTERNS, KNOWN_SECTIONS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was WALMART INC. revenue?", [(104169, "name")]),
        ("What was Walmart's revenue?", [(104169, "name")]),
        ("what was walmart revenue in 2019", [(104169, "name")]),
        ("How did Wal-Mart Stores grow?", [(104169, "name")]),
        ("Compare Apple and Microsoft.", [(320193, "name"), (789019, "name")]),
        ("Does the apple harvest matter?", []),
        ("Johnson & Johnson's vaccine", [(200406, "name")]),
        ("johnson and johnson vaccine sales", [(200406, "name")]),
        ("What does J&J say?", [(200406, "initials")]),
        ("What does JnJ say?", [(200406, "initials")]),
        ("What does jnj say?", []),
        ("What is the FY2018 capital expenditure amount for 3M?", [(66740, "name")]),
        ("Is 3M a capital-intensive business?", [(66740, "name")]),
        ("is 3m a capital-intensive business?", [(66740, "name")]),
        ("A pipe of 3m length was laid in 2019.", []),
        ("How did the 3M Company do?", [(66740, "name")]),
        ("How many kits did 23andMe sell in its 23 markets?", [(1804591, "short name")]),
        ("What drove the margin of AMEX?", [(4962, "initials")]),
        ("What drove the margin of AmEx?", []),
        ("Did IBM pay a dividend?", [(51143, "initials")]),
        ("Did M&A rise at M/I Homes?", [(799292, "name")]),
        ("Did eBay sell it?", [(1065088, "name")]),
        ("Did 89bio run a trial in the 19th month?", [(1671584, "name")]),
        ("Did McDonald's open restaurants?", [(63908, "name")]),
        ("What does IT cost at Gartner, what is IT risk?", [(749251, "name")]),
        ("Gartner (IT) sells research", [(749251, "name"), (749251, "ticker")]),
        ("Did SG&A or R&D rise?", []),
        ("Did SG rise?", [(1477641, "ticker")]),
        ("DID SG OR IT RISE?", []),
        ("What does BRT own?", [(14846, "ticker")]),
        ("What does SS&C sell?", [(1402436, "short name")]),
        ("Does the American market matter?", []),
        ("How does Meta use data?", [(1326801, "short name")]),
        ("Is the Metaverse a risk?", []),
        ("What did Facebook report?", [(1326801, "name")]),
        ("Exxon Mobil and Eli Lilly", [(34088, "name"), (59478, "name")]),
        ("Exxon's reserves", [(34088, "short name")]),
        ("Lilly's pipeline", [(59478, "short name")]),
        ("Amazon.com, Inc. and Amazon", [(1018724, "name"), (1018724, "short name")]),
        ("Genworth's capital", [(1276520, "short name")]),
        ("Icahn Enterprises L.P. units", [(813762, "name")]),
        ("Costco membership fees", [(909832, "short name")]),
        ("Disney parks", [(1001039, "short name")]),
        ("The Walt Disney Company", [(1001039, "name")]),
        ("Estée Lauder's brands", [(1001250, "name")]),
        ("What is the net income of MSFT and TSLA?", [(789019, "ticker"), (1318605, "ticker")]),
        ("A plant in Boston, MA", [(1141391, "ticker")]),
        ("visas for workers", []),
        ("Visa (V) volumes", [(1403161, "name"), (1403161, "ticker")]),
        ("NYSE: V at year end", [(1403161, "ticker")]),
        ("Exhibit V of the agreement", []),
        ("How did Micorsoft do?", [(789019, "similar name")]),
        ("How did Walmrt do?", [(104169, "similar name")]),
        ("How did Gennworth Financial do?", [(1276520, "similar name")]),
        ("How did Verizon Financial do?", []),
        ("Vista is no payment network", []),
        ("What does Boeing report?", []),
    ],
)
def test_companies(text, expected):
    mentions, _ = NAMES.find(text)
    assert [(mention.cik, mention.how) for mention in mentions] == expected


def test_what_is_no_known_company_is_reported():
    assert NAMES.find("What does Boeing report?")[1] == ["Boeing"]
    assert NAMES.find("How did Summit do?")[1] == ["Summit"]
    twins = Companies([Company(1, "One Inc", ("One Trust Inc",)), Company(2, "One Ltd", ("One Trust Ltd",))])
    assert twins.find("How did One Trust do?") == ([], ["One Trust (several companies)"])


def test_a_users_own_names():
    own = Companies(COMPANIES, aliases="Big Blue = 51143, the Mouse=dis,AmEx=AXP")
    assert [(each.cik, each.how) for each in own.find("Did Big Blue outgrow the Mouse and AmEx?")[0]] == [
        (51143, "alias"), (1001039, "alias"), (4962, "alias"),
    ]  # fmt: skip
    assert Companies(COMPANIES).find("Did Big Blue grow?")[0] == []
    for wrong in ("Big Blue", "Big Blue=XYZ", "=AXP"):
        with pytest.raises(FinragError, match="company aliases hold"):
            Companies(COMPANIES, aliases=wrong)


def test_initials_of_two_companies_are_nobodys():
    twins = [Company(1, "Alpha Beta Gamma", ("Alpha Beta Gamma",)), Company(2, "Able Big Game", ("Able Big Game",))]
    assert Companies(twins).find("Did ABG grow?")[0] == []
    assert [each.cik for each in Companies(twins[:1]).find("Did ABG grow?")[0]] == [1]


def test_threshold_is_a_setting():
    strict = Companies(COMPANIES, fuzzy_threshold=0.99)
    assert strict.find("How did Micorsoft do?")[0] == []
    assert [mention.score for mention in NAMES.find("How did Micorsoft do?")[0]] == [0.889]


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("WALMART INC.", "walmart"),
        ("ICAHN ENTERPRISES L.P.", "icahn enterprises"),
        ("ELI LILLY & Co", "eli lilly"),
        ("The Walt Disney Company", "walt disney"),
        ("Inc.", "inc"),
    ],
)
def test_names_without_legal_form(name, core):
    assert " ".join(core_of(key_of(name))) == core


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("revenue in 2018", [2018]),
        ("from 2018 to 2020", [2018, 2019, 2020]),
        ("from 2018–2020", [2018, 2019, 2020]),
        ("fiscal 2018-2020 10-K filings", [2018, 2019, 2020]),
        ("2018-19", [2018, 2019]),
        ("2018 through fiscal 2020", [2018, 2019, 2020]),
        ("between 2022 and 2024", [2022, 2023, 2024]),
        ("between fiscal 2020 and fiscal 2021", [2020, 2021]),
        ("between fiscal year 2021 and fiscal year 2019", [2019, 2020, 2021]),
        ("comparing fiscal 2021 with fiscal 2019", [2019, 2021]),
        ("2015 and 2016", [2015, 2016]),
        ("in fiscal 2019, 2020, 2021 and 2022", [2019, 2020, 2021, 2022]),
        ("FY19", [2019]),
        ("FY2019 and FY 2021", [2019, 2021]),
        ("FY18-FY20", [2018, 2019, 2020]),
        ("FY'98", [1998]),
        ("as of December 31, 2010", [2010]),
        ("the fiscal year ended February 2, 2025", [2025]),
        ("the fiscal year ended January 28, 2024 and the fiscal year ended February 2, 2025", [2024, 2025]),
        ("for the years ended December 31, 2018 to 2020", [2018, 2019, 2020]),
        ("the fiscal years ended in 2025", [2025]),
        ("its COVID-19 vaccine in 2021", [2021]),
        ("the 2019 10-K's 'the year'", [2019]),
        ("a charge of $2,019 or $2019 in 2012", [2012]),
        ("with 2,000 stores and 2012 employees in 2013", [2013]),
        ("senior notes due 2031 as of 2020", [2020]),
        ("notes maturing in March 2027", []),
        ("the Dodd-Frank Act of 2010", []),
        ("ASU 2016-02 adopted in 2019", [2019]),
        ("in 1850 or 2150", []),
        ("over time", []),
    ],
)
def test_years(text, years):
    assert find_years(text)[0] == years


def test_the_day_on_which_a_year_ends_is_part_of_its_name():
    text = (
        "Why did sales rise in the fiscal year ended February 2, 2025, and in the years ended on May 31, 2019 and 2018?"
    )
    assert find_years(text)[1] == ["fiscal year ended February 2, 2025", "years ended on May 31, 2019", "2018"]


EARLY = "What were sales in the fiscal year ended January 28, 2024 and the fiscal year ended February 2, 2025?"


@pytest.mark.parametrize(
    ("question", "answer", "answered"),
    [
        (EARLY, "$5 in fiscal 2024, $4 in fiscal 2023", "What were sales in fiscal 2023 and fiscal 2024?"),
        (EARLY, "$5 in FY24", "What were sales in fiscal 2023 and fiscal 2024?"),
        (EARLY, "$5 in fiscal 2025, $4 in fiscal 2024", "What were sales in fiscal 2024 and fiscal 2025?"),
        # who speaks of the day, of the years before alone, or of none
        (EARLY, "$5 in the year that ended on February 2, 2025 (fiscal 2024)", EARLY),
        (EARLY, "$4 in fiscal 2023", EARLY),
        (EARLY, "$5", EARLY),
        # later ends are of the year in which they lie
        ("In the fiscal year ended June 30, 2025?", "In fiscal 2024", "In the fiscal year ended June 30, 2025?"),
        ("In fiscal 2025?", "In fiscal 2024", "In fiscal 2025?"),
    ],
)
def test_a_question_calls_its_years_as_the_answer_does(question, answer, answered):
    assert as_answered(question, answer) == answered


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("in Item 1A", ["ITEM_1A"]),
        ("in Items 7 and 7A of", ["ITEM_7", "ITEM_7A"]),
        ("Item 7, Item 8", ["ITEM_7", "ITEM_8"]),
        ("Item 7 of the 2019 10-K", ["ITEM_7"]),
        ("item 7 and 2019", ["ITEM_7"]),
        ("Item 99", []),
        ("its risk-factor disclosures", ["ITEM_1A"]),
        ("2019 Risk Factors section", ["ITEM_1A"]),
        ("its MD&A", ["ITEM_7"]),
        ("Management’s Discussion", ["ITEM_7"]),
        ("notes to the consolidated financial statements", ["ITEM_8"]),
        ("in Note 12", ["ITEM_8"]),
        ("convertible notes", []),
        ("Legal Proceedings and Controls and Procedures", ["ITEM_3", "ITEM_9A"]),
        ("what business is it in", []),
        ("line items and other items", []),
    ],
)
def test_sections(text, sections):
    assert find_sections(text, PATTERNS, KNOWN_SECTIONS)[0] == sections


@pytest.mark.parametrize(
    ("text", "kpis", "risks", "sections"),
    [
        ("What was the revenue?", ["revenue"], [], ["ITEM_7", "ITEM_8"]),
        ("Why did revenue decrease?", ["revenue"], [], ["ITEM_7"]),
        ("What cybersecurity risks are there?", [], ["cybersecurity_tech"], ["ITEM_1A"]),
        ("What regulations apply?", [], ["regulatory"], []),
        ("Who audits it?", [], [], []),
    ],
)
def test_likely_sections(text, kpis, risks, sections):
    assert likely_sections(text, kpis, risks) == sections


@pytest.mark.parametrize(
    ("text", "companies", "years", "scope"),
    [
        ("revenue in 2020", 1, 1, "local"),
        ("revenue", 1, 0, "local"),
        ("debt in 2019 and 2020", 1, 2, "cross_year"),
        ("Over time, how", 1, 0, "cross_year"),
        ("Across multiple Form 10-K filings", 1, 0, "cross_year"),
        ("how each describes it", 3, 1, "cross_company"),
        ("how both changed", 2, 3, "cross_company"),
        ("how do large issuers describe", 0, 0, "cross_company"),
        ("Which companies had losses in 2020", 0, 1, "cross_company"),
        ("how does it compare with other companies", 1, 1, "cross_company"),
        ("what is a covenant", 0, 0, "open"),
        ("what happened in 2020", 0, 1, "open"),
    ],
)
def test_scope(text, companies, years, scope):
    assert classify(text, companies, years)[0] == scope


def test_everything_of_one_question():
    found = EXTRACTOR.extract(
        "In Item 7 of their 10-Ks for 2018 to 2019, how do Walmart and Micorsoft explain revenue and Baby Care?",
        ["revenue"],
    )
    assert found.ciks == (104169, 789019)
    assert found.years == (2018, 2019)
    assert (found.section_ids, found.likely_section_ids) == (("ITEM_7",), ())
    assert found.scope == "cross_company"
    assert found.unresolved == ("Baby Care",)
    assert [mention["how"] for mention in found.how["companies"]] == ["name", "similar name"]
    assert found.how["years"] == ["2018 to 2019"]


def test_a_pattern_that_is_none_is_named():
    with pytest.raises(FinragError, match=r"section_mentions\.csv, ITEM_7"):
        compile_patterns([("ITEM_7", "(")])


# Questions that cannot be right by their text: a sample of filings without a name, years that are not said, and a range
# of which the gold lists eight years of fourteen.
UNSAID = {
    ("p3_gold_qtest_31q_ffhall", "P3V3-Q010", "companies"),
    ("p3_gold_qtest_31q_ffhall", "P3V3-Q010", "years"),
    ("p3_gold_qtest_31q_ffhall", "P3V3-Q002", "years"),
    ("p3_gold_qtest_31q_ffhall", "P3V3-Q009", "years"),
    ("p3_gold_test_suite_31q", "P3V3-Q002", "years"),
}


def test_both_published_suites(real_data):
    wrong = set()
    for path in sorted((ROOT / real_data / "finsights/gold").glob("*.json")):
        for question in json.loads(path.read_text(encoding="utf-8")):
            found = EXTRACTOR.extract(question["question_text"])
            for field, is_right in (
                ("companies", set(found.ciks) == set(question["cik_int"])),
                ("years", list(found.years) == sorted(question["years"])),
                ("scope", found.scope == question["retrieval_scope"]),
            ):
                if not is_right:
                    wrong.add((path.stem, question["question_id"], field))
    assert wrong == UNSAID
