"""Pure cross-references, which say nothing by themselves, and sentences that refer and also say something."""

from __future__ import annotations

from finrag.demo.cases.case import REFERENCES, Case


def pure(company: str, year: int, item: str, text: str) -> Case:
    return Case(company, year, item, text, REFERENCES, "cross_reference", True, "only points elsewhere")


def substantive(company: str, year: int, item: str, text: str) -> Case:
    return Case(company, year, item, text, REFERENCES, "cross_reference", False, "points elsewhere and says something")


CASES = (
    pure("larkspur_vane", 2018, "ITEM_7", "See Note 7 to the consolidated financial statements for further details."),
    pure("quillon", 2020, "ITEM_7", "Refer to Item 1A for a discussion of risks."),
    pure("harrowgate", 2021, "ITEM_8", "See Note 14."),
    pure(
        "velmora",
        2019,
        "ITEM_3",
        "For a description of legal proceedings, see Note 6 in Part II, Item 8 of this report.",
    ),
    pure("skyfennel", 2022, "ITEM_7", "See Part II, Item 7A of this report for additional information."),
    pure("nimbrel", 2022, "ITEM_8", "Additional information about leases is provided in Note 6."),
    pure(
        "pinemarsh",
        2020,
        "ITEM_11",
        "The information required by this item is incorporated herein by reference to our proxy statement.",
    ),
    pure("orthevia", 2022, "ITEM_8", "See the notes to the consolidated financial statements."),
    substantive(
        "larkspur_vane",
        2021,
        "ITEM_7",
        "As described in Note 4, we closed nine stores and recorded severance for 1,130 employees.",
    ),
    substantive(
        "quillon", 2022, "ITEM_8", "We redeemed the 2024 notes in June 2022 at a premium of 1.2% (see Note 9)."
    ),
    substantive("pinemarsh", 2021, "ITEM_3", "The commission denied our petition in May 2021, as explained in Note 3."),
)
