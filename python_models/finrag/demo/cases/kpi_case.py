"""How a KPI case is written: present or absent under a label, with the figures that the sentence states."""

from __future__ import annotations

from finrag.demo.cases.case import V1, Case, Claim


def present(label: str, company: str, year: int, item: str, text: str, note: str, *claims: Claim) -> Case:
    return Case(company, year, item, text, V1, label, True, note, claims)


def absent(label: str, company: str, year: int, item: str, text: str, note: str) -> Case:
    return Case(company, year, item, text, V1, label, False, note)


def level(metric: str, shown: str, years_before: int = 0) -> Claim:
    return Claim(metric, years_before, "level", shown)
