"""All KPI cases, label by label."""

from __future__ import annotations

from finrag.demo.cases import kpi_cash_and_debt, kpi_results

CASES = (
    *kpi_results.REVENUE,
    *kpi_results.NET_INCOME,
    *kpi_results.OPERATING_INCOME,
    *kpi_cash_and_debt.CASH_FROM_OPS,
    *kpi_results.GROSS_MARGIN,
    *kpi_results.EPS,
    *kpi_cash_and_debt.DEBT,
    *kpi_cash_and_debt.CAPEX,
    *kpi_cash_and_debt.INTEREST_EXPENSE,
    *kpi_results.MIXED,
)
