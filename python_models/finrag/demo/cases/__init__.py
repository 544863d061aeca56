"""The register of planted cases: what a model of the warehouse must find in the demo corpus, and what it must not."""

from __future__ import annotations

from finrag.demo.cases import causes, definitions, facts, kpi, references, risk
from finrag.demo.cases.case import Case

CASES: tuple[Case, ...] = (
    *kpi.CASES,
    *risk.CASES,
    *causes.CASES,
    *definitions.CASES,
    *facts.CASES,
    *references.CASES,
)
