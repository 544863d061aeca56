"""Risk topics in Item 1A: sentences of each topic, and words of a topic used in another sense."""

from __future__ import annotations

from finrag.demo.cases.case import V2, V4, Case


def present(topic: str, company: str, year: int, text: str, note: str) -> Case:
    return Case(company, year, "ITEM_1A", text, V2, topic, True, note)


def absent(topic: str, company: str, year: int, text: str, note: str) -> Case:
    return Case(company, year, "ITEM_1A", text, V2, topic, False, note)


CASES = (
    # regulatory
    present(
        "regulatory",
        "quillon",
        2018,
        "The SEC and the Department of Justice could open an investigation of our export practices.",
        "SEC and DOJ",
    ),
    present(
        "regulatory",
        "velmora",
        2019,
        "Noncompliance with FDA requirements may result in civil penalties or the seizure of products.",
        "noncompliance, penalties",
    ),
    present(
        "regulatory",
        "pinemarsh",
        2020,
        "New environmental rules may require us to install scrubbers at the Alder Bluff plant.",
        "environmental rules",
    ),
    absent(
        "regulatory",
        "nimbrel",
        2018,
        "Pages load in 1.2 sec. on average, and slower pages would drive users away.",
        "sec. for seconds, not the SEC",
    ),
    absent(
        "regulatory",
        "larkspur_vane",
        2019,
        "Fine furniture sells slowly when households feel poorer.",
        "fine in the sense of high quality",
    ),
    # liquidity_credit
    present(
        "liquidity_credit",
        "skyfennel",
        2018,
        "We might default on aircraft loans if liquidity fell below the minimum set by our lenders.",
        "default, liquidity",
    ),
    present(
        "liquidity_credit",
        "wrenlight",
        2021,
        "Rating agencies may lower our credit rating, which would make it harder to refinance our notes.",
        "credit rating, refinance",
    ),
    present(
        "liquidity_credit",
        "harrowgate",
        2020,
        "A run on deposits could force the savings bank to borrow from the central bank.",
        "funding, without the word liquidity",
    ),
    absent(
        "liquidity_credit",
        "nimbrel",
        2019,
        "Customers rarely change the default settings of our applications.",
        "default settings",
    ),
    absent(
        "liquidity_credit",
        "tarnwick",
        2019,
        "Natural gas liquids are heavier than methane and condense in pipelines.",
        "gas liquids",
    ),
    # market_competitive
    present(
        "market_competitive",
        "larkspur_vane",
        2021,
        "Rivals with deeper pockets may open stores beside ours and undercut our prices.",
        "rivals, undercut",
    ),
    present(
        "market_competitive",
        "fernhollow",
        2020,
        "Competitors may offer lower rates in order to win our largest accounts.",
        "competitors",
    ),
    absent(
        "market_competitive",
        "copperpot",
        2021,
        "Employees who win the annual cooking competition receive a week of vacation.",
        "a cooking competition",
    ),
    absent(
        "market_competitive",
        "velmora",
        2021,
        "The drug binds to the same receptor as the natural hormone and is a competitive inhibitor.",
        "competitive inhibitor",
    ),
    # operational_supply_chain
    present(
        "operational_supply_chain",
        "orthevia",
        2021,
        "A supplier of sterile pouches may be unable to deliver, which would halt shipments from our plants.",
        "supplier, shipments",
    ),
    present(
        "operational_supply_chain",
        "quillon",
        2021,
        "A power failure could scrap every wafer in process and stop manufacturing for a week.",
        "manufacturing",
    ),
    absent(
        "operational_supply_chain",
        "orthevia",
        2019,
        "Surgeons who have performed more than a hundred such operations report fewer complications.",
        "surgical operations",
    ),
    absent(
        "operational_supply_chain",
        "velmora",
        2022,
        "Ocusend is often prescribed after cataract operations on both eyes.",
        "surgical operations",
    ),
    # cybersecurity_tech
    present(
        "cybersecurity_tech",
        "skyfennel",
        2021,
        "Hackers could disable our reservation system or steal the passport data of our passengers.",
        "hackers",
    ),
    present(
        "cybersecurity_tech",
        "pinemarsh",
        2022,
        "Malware in the control systems of a substation could cut the power of a whole city.",
        "malware",
    ),
    absent(
        "cybersecurity_tech",
        "velmora",
        2020,
        "Patients infected with a virus were excluded from the trial.",
        "a biological virus",
    ),
    absent(
        "cybersecurity_tech",
        "orthevia",
        2022,
        "Patients with a history of heart attack recover more slowly.",
        "a heart attack",
    ),
    # legal_ip_litigation
    present(
        "legal_ip_litigation",
        "wrenlight",
        2019,
        "Composers may sue us for infringement of their copyrights.",
        "infringement, copyrights",
    ),
    present(
        "legal_ip_litigation",
        "quillon",
        2020,
        "An adverse verdict in a patent lawsuit could oblige us to pay royalties for many years.",
        "patent lawsuit",
    ),
    absent(
        "legal_ip_litigation",
        "larkspur_vane",
        2020,
        "Shoes of patent leather scratch easily and are often returned.",
        "patent leather",
    ),
    absent(
        "legal_ip_litigation",
        "copperpot",
        2020,
        "Many Little Ladle counters stand in food courts, whose visitors are hard to predict.",
        "food courts",
    ),
    # general_risk
    present(
        "general_risk",
        "harrowgate",
        2021,
        "How often such events recur is more uncertain than our models assume.",
        "a risk of no specific topic",
    ),
    present(
        "general_risk",
        "tarnwick",
        2021,
        "Volatility of this kind is likely to continue.",
        "volatility, no specific topic",
    ),
    present(
        "general_risk",
        "wrenlight",
        2022,
        "The tastes of viewers are unpredictable, and any series may disappoint.",
        "a risk of no specific topic",
    ),
    # v4: topics that several companies share in one year, and a sentence that must not be drawn
    Case(
        "larkspur_vane",
        2022,
        "ITEM_1A",
        "Ransomware that encrypted our store systems could close every register for days.",
        V4,
        "cybersecurity_tech",
        True,
        "2022: one of several companies on this topic",
    ),
    Case(
        "quillon",
        2022,
        "ITEM_1A",
        "A cyber attack on our fabs could destroy recipes that took years to perfect.",
        V4,
        "cybersecurity_tech",
        True,
        "2022: one of several companies on this topic",
    ),
    Case(
        "harrowgate",
        2022,
        "ITEM_1A",
        "Information security failures at a vendor could expose the medical records of claimants.",
        V4,
        "cybersecurity_tech",
        True,
        "2022: one of several companies on this topic",
    ),
    Case(
        "velmora",
        2018,
        "ITEM_1A",
        "A cell that is under attack by the immune system releases proteins that our assay detects.",
        V4,
        "cybersecurity_tech",
        False,
        "an attack by the immune system",
    ),
)
