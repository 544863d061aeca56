"""What makes a company: identity, the course of its figures, and prose that is its own (`data/companies/`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import TypeAdapter

from finrag.demo.data import names, read_yaml

YEARS = (2020, 2021, 2022)
# Statements reach one year further back, for the comparatives of the first filing.
STATEMENT_YEARS = (2019, *YEARS)


@dataclass(frozen=True)
class Shape:
    """The course of a company's statements. Money in units of $100,000, ratios in basis points, shares in 100,000s.

    Tuples of three cover YEARS, of four STATEMENT_YEARS; revenue_before and debt_before are those of the first of
    these. gross is None where the industry reports no gross profit.
    """

    revenue_before: int
    growth: tuple[int, ...]
    gross: tuple[int, ...] | None
    operating: tuple[int, ...]
    research: int
    depreciation: int
    capex: tuple[int, ...]
    working_capital: tuple[int, ...]
    tax: int
    debt_before: int
    debt_moves: tuple[int, ...]
    rate: tuple[int, ...]
    shares: tuple[int, ...]
    pays_dividends: bool = True


@dataclass(frozen=True)
class Segment:
    """A reportable segment: its share of revenue in 2019, the yearly drift of that share, and what moves its sales."""

    name: str
    share: int
    drift: int
    up: tuple[str, ...]
    down: tuple[str, ...]


@dataclass(frozen=True)
class RiskFactor:
    """A risk factor: the headline sentence, the sentences under it, and the topic they are about."""

    topic: str
    headline: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    """One fictional company. Prose fields hold templates (see slots.py); `*_yearly` ones change with the year."""

    key: str
    cik: int
    name: str
    ticker: str
    exchange: str
    sic: str
    industry: str
    state: str
    location: str
    city: str
    founded: int
    year_end: tuple[int, int]
    layout: str
    heading: str
    revenue: str
    revenue_plural: bool
    cost: str
    expenses: str
    money_style: str
    shape: Shape
    segments: tuple[Segment, ...]
    series: dict[str, tuple]
    revenue_causes: tuple[str, ...]
    revenue_offsets: tuple[str, ...]
    operating_causes: tuple[str, ...]
    business: tuple[str, ...]
    business_yearly: tuple[str, ...]
    risks: tuple[RiskFactor, ...]
    risk_yearly: tuple[str, ...]
    properties: tuple[str, ...]
    properties_yearly: tuple[str, ...]
    legal: tuple[str, ...]
    legal_yearly: tuple[str, ...]
    seasonality: tuple[str, ...]
    market_risk: tuple[str, ...]
    market_risk_yearly: tuple[str, ...]
    policies: tuple[str, ...]
    results_yearly: tuple[str, ...]
    definitions: tuple[str, ...]
    attributions: dict[int, tuple[str, ...]] = field(default_factory=dict)
    straight_quotes: bool = False
    lower_case_items: bool = False
    bullets_apart: bool = False
    wrapped_years: tuple[int, ...] = ()

    @property
    def padded_cik(self) -> str:
        return f"{self.cik:010d}"

    @property
    def has_fiscal_year(self) -> bool:
        """Whether its year ends on another day than December 31, so that prose says 'fiscal 2019'."""
        return self.year_end != (12, 31)


def profile(name: str) -> Profile:
    return TypeAdapter(Profile).validate_python(read_yaml(f"companies/{name}.yml"))


PROFILES = tuple(sorted(map(profile, names("companies")), key=lambda profile: profile.cik))
"""The fictional companies, in order of CIK."""
