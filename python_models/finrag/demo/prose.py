"""Prose that companies share: one file of `data/prose/` per part of the form, each list under a name.

Whatever stands verbatim in several filings comes from here.
"""

from __future__ import annotations

from types import SimpleNamespace

from finrag.demo.data import read_yaml


def part(name: str) -> SimpleNamespace:
    return SimpleNamespace(**read_yaml(f"prose/{name}.yml"))


business = part("business")
causes = part("causes")
governance = part("governance")
liquidity = part("liquidity")
market_risk = part("market_risk")
mda = part("mda")
notes = part("notes")
results = part("results")
risk = part("risk")
