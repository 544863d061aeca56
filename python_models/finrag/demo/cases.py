"""The register of planted cases: what a model of the warehouse must find in the demo corpus, and what it must not.

`data/cases.csv` holds them, a row per case; claims are `metric years_before kind wording`, separated by bars.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag.demo.data import read_csv

CORPUS = "corpus"


@dataclass(frozen=True)
class Claim:
    """A figure that a sentence states: metric_key, years before the filing's, what of it, and its wording (a template).

    kind: level, change, percent_change, margin (gross profit over revenue), operating_margin or margin_change (in basis
    points).
    """

    metric: str
    years_before: int
    kind: str
    shown: str


@dataclass(frozen=True)
class Case:
    """A planted sentence and one expectation about it.

    present means that the model holds the sentence under the label; for v3 and v4, which draw a few sentences from
    many, that the sentence qualifies. absent means that it must never stand there. Cases with the same company, year,
    item and text share one sentence.
    """

    company: str
    year: int
    item: str
    text: str
    model: str
    label: str
    present: bool
    note: str
    claims: tuple[Claim, ...]


def case(row: dict[str, str]) -> Case:
    claims = (claim.split(" ", 3) for claim in row["claims"].split(" | ") if claim)
    return Case(
        row["company"],
        int(row["year"]),
        row["item"],
        row["text"],
        row["model"],
        row["label"],
        row["is_present"] == "true",
        row["note"],
        tuple(Claim(metric, int(years_before), kind, shown) for metric, years_before, kind, shown in claims),
    )


CASES = tuple(case(row) for row in read_csv("cases.csv"))
