"""Definitions of measures, and attributions that a reader may want to verify."""

from __future__ import annotations

from finrag.demo.cases.case import V5, Case


def definition(company: str, year: int, item: str, text: str, note: str, present: bool = True) -> Case:
    return Case(company, year, item, text, V5, "definition", present, note)


def verification(company: str, year: int, item: str, text: str, note: str, present: bool = True) -> Case:
    return Case(company, year, item, text, V5, "verification", present, note)


CASES = (
    definition(
        "larkspur_vane",
        2020,
        "ITEM_7",
        "We define Adjusted EBITDA as operating income before depreciation, amortization and stock-based compensation.",
        "term: Adjusted EBITDA",
    ),
    definition(
        "nimbrel",
        2021,
        "ITEM_7",
        "Adjusted EBITDA is defined as net income before interest, taxes, depreciation, amortization and stock-based "
        "compensation.",
        "term: Adjusted EBITDA",
    ),
    definition(
        "wrenlight",
        2021,
        "ITEM_7",
        "Free cash flow means cash provided by operating activities less purchases of property and equipment.",
        "term: free cash flow; the verb is means",
    ),
    definition(
        "pinemarsh",
        2021,
        "ITEM_7",
        "We refer to net income without storm costs as adjusted earnings, a non-GAAP measure.",
        "term: adjusted earnings; we refer to … as",
    ),
    definition(
        "copperpot",
        2023,
        "ITEM_7",
        "Comparable sales represent sales of restaurants that have been open for at least eighteen months.",
        "term: comparable sales; the verb is represent",
    ),
    definition(
        "larkspur_vane",
        2023,
        "ITEM_7",
        "Comparable sales are defined as sales of stores open for thirteen months, including online orders.",
        "term: comparable sales",
    ),
    definition(
        "quillon",
        2023,
        "ITEM_7",
        "Non-GAAP operating income excludes amortization of acquired intangible assets and restructuring charges.",
        "term: non-GAAP operating income; the verb is excludes",
    ),
    definition(
        "orthevia",
        2020,
        "ITEM_1",
        "The borders of a sales territory are well defined and seldom change.",
        "defined in its ordinary sense",
        present=False,
    ),
    definition(
        "velmora",
        2021,
        "ITEM_1",
        "The patient population is poorly defined in several countries.",
        "defined in its ordinary sense",
        present=False,
    ),
    verification(
        "quillon",
        2019,
        "ITEM_7",
        "Revenue was reduced by $6.3 million due to unfavorable foreign currency exchange rates.",
        "attribution: foreign currency",
    ),
    verification(
        "velmora",
        2019,
        "ITEM_7",
        "Foreign exchange had a favorable effect of $4.1 million on net product revenues, mainly because of the euro.",
        "attribution: foreign currency",
    ),
    verification(
        "larkspur_vane",
        2022,
        "ITEM_7",
        "Freight surcharges absorbed 60 basis points of gross margin as a result of supply chain congestion.",
        "attribution: supply chain",
    ),
    verification(
        "fernhollow",
        2022,
        "ITEM_7",
        "Deliveries of 640 tractors moved into the next year due to supply chain shortages.",
        "attribution: supply chain",
    ),
    verification(
        "skyfennel",
        2020,
        "ITEM_7",
        "We carried 21.5 million fewer passengers because of the COVID-19 pandemic.",
        "attribution: pandemic",
    ),
    verification(
        "copperpot",
        2020,
        "ITEM_7",
        "Dining rooms were closed for an average of 74 days as a result of the pandemic.",
        "attribution: pandemic",
    ),
    verification(
        "tarnwick",
        2023,
        "ITEM_7",
        "Interest on our revolving loans increased by $5.2 million, driven by higher interest rates.",
        "attribution: interest rates",
    ),
    verification(
        "pinemarsh",
        2023,
        "ITEM_7",
        "Financing costs rose primarily due to the increase in short-term interest rates.",
        "attribution: interest rates",
    ),
    verification(
        "nimbrel",
        2018,
        "ITEM_7",
        "Employees may spend three months abroad under our foreign exchange program for engineers.",
        "exchange of people, not of money",
        present=False,
    ),
    verification(
        "larkspur_vane",
        2018,
        "ITEM_7",
        "A gold chain is supplied with each pendant sold in our jewelry department.",
        "chain and supplied, not a supply chain",
        present=False,
    ),
)
