"""company_facts.csv: what XBRL would say about each company-year, in the columns of a table of EDGAR facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag.demo.finances import Statement
from finrag.demo.layouts.identifiers import accession_number, filed_on
from finrag.demo.money import UNIT_USD, decimal
from finrag.demo.profile import Profile

COLUMNS = (
    "cik",
    "ticker",
    "year",
    "metric_gaap",
    "metric_code",
    "metric_key",
    "metric_label",
    "metric_type",
    "value",
    "unit",
    "form",
    "filed_date",
    "accession_no",
)
# metric_key, us-gaap concept, label, field of Statement
METRICS = (
    ("revenue", "Revenues", "Revenue", "revenue"),
    ("net_income", "NetIncomeLoss", "Net Income", "net_income"),
    ("operating_income", "OperatingIncomeLoss", "Operating Income", "operating_income"),
    ("cfo", "NetCashProvidedByUsedInOperatingActivities", "Operating Cash Flow", "cfo"),
    ("gross_profit", "GrossProfit", "Gross Profit", "gross_profit"),
    ("eps_diluted", "EarningsPerShareDiluted", "Diluted EPS", "eps"),
    ("long_term_debt", "LongTermDebt", "Long-Term Debt", "debt"),
    ("capex", "PaymentsToAcquirePropertyPlantAndEquipment", "Capital Expenditures", "capex"),
    ("interest_expense", "InterestExpense", "Interest Expense", "interest_expense"),
)


def rows(profile: Profile, statements: dict[int, Statement]) -> Iterator[Sequence[str]]:
    """One row per year and metric reported; 2017 too, because the first filing compares with it."""
    for year, statement in statements.items():
        for metric_key, concept, label, name in METRICS:
            value = getattr(statement, name)
            if value is None:
                continue
            per_share = metric_key == "eps_diluted"
            yield (
                profile.padded_cik,
                profile.ticker,
                str(year),
                f"us-gaap:{concept}",
                f"us-gaap:{concept}",
                metric_key,
                label,
                "gaap",
                decimal(value, 2).replace(",", "") if per_share else str(value * UNIT_USD),
                "USD per share" if per_share else "USD",
                "10-K",
                filed_on(profile, year).isoformat(),
                accession_number(profile, year),
            )
