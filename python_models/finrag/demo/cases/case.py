"""What a planted case is."""

from __future__ import annotations

from dataclasses import dataclass

V1 = "v1_kpi_scan"
V2 = "v2_risk_atlas"
V3 = "v3_trend_bundles"
V4 = "v4_cross_company_bundles"
V5 = "v5_definition_bundles"
FACTS = "kpi_fact_matches"
REFERENCES = "cross_reference"
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
    note: str = ""
    claims: tuple[Claim, ...] = ()
