"""Four years of statements that add up, from a company's shape.

Revenue less cost of revenue is gross profit, less expenses is operating income, less interest and tax is net income;
debt moves by what is issued and repaid; cash moves by what comes in and goes out.
"""

from __future__ import annotations

from dataclasses import dataclass

from finrag.demo.choices import between
from finrag.demo.money import divide
from finrag.demo.profile import STATEMENT_YEARS, Profile


@dataclass(frozen=True)
class Statement:
    """One company-year. Units of $100,000, except eps (cents) and shares (100,000s). gross_profit may be None."""

    year: int
    revenue: int
    cost: int
    gross_profit: int | None
    research: int
    expenses: int
    operating_income: int
    interest_expense: int
    interest_income: int
    pretax: int
    tax: int
    net_income: int
    shares: int
    eps: int
    depreciation: int
    stock_compensation: int
    cfo: int
    capex: int
    issued: int
    repaid: int
    debt: int
    dividends: int
    repurchases: int
    cash: int
    segments: tuple[int, ...]

    @property
    def free_cash_flow(self) -> int:
        return self.cfo - self.capex

    @property
    def adjusted_ebitda(self) -> int:
        return self.operating_income + self.depreciation + self.stock_compensation


@dataclass(frozen=True)
class Year:
    """A fiscal year of a company before its statement is made; before: the statement of the year before, if any."""

    profile: Profile
    index: int
    year: int
    before: Statement | None

    def share(self, of: int, points: int, what: str, around: int) -> int:
        """points of `of`, give or take a few, so that no ratio comes out round."""
        return divide(of * (points + between(-around, around, self.profile.key, what, self.year)), 10_000)


def statements(profile: Profile) -> dict[int, Statement]:
    """Statements by fiscal year, 2019 to 2022."""
    result: dict[int, Statement] = {}
    for index, year in enumerate(STATEMENT_YEARS):
        of = Year(profile, index, year, result.get(year - 1))
        operating = operations(of)
        debt = borrowing(of)
        income = earnings(of, **operating, **debt)
        cash = cash_flow(of, **operating, **debt, **income)
        segments = segment_revenue(profile, operating["revenue"], index)
        result[year] = Statement(year, **operating, **debt, **income, **cash, segments=segments)
    return result


def operations(of: Year) -> dict[str, int | None]:
    """From revenue to operating income."""
    shape, index, before = of.profile.shape, of.index, of.before
    if before is None:
        revenue = shape.revenue_before
    else:
        revenue = before.revenue + of.share(before.revenue, shape.growth[index - 1], "growth", 9)
    operating_income = of.share(revenue, shape.operating[index], "operating", 6)
    research = of.share(revenue, shape.research, "research", 20) if shape.research else 0
    if shape.gross is None:
        gross_profit, cost = None, divide(revenue * 62, 100)
    else:
        gross_profit = of.share(revenue, shape.gross[index], "gross", 6)
        cost = revenue - gross_profit
    return {
        **{"revenue": revenue, "cost": cost, "gross_profit": gross_profit, "research": research},
        **{"expenses": revenue - cost - research - operating_income, "operating_income": operating_income},
    }


def borrowing(of: Year) -> dict[str, int]:
    """What is issued, repaid and owed, and its interest."""
    shape, before = of.profile.shape, of.before
    moved = 0 if before is None else shape.debt_moves[of.index - 1]
    rolled = of.share(shape.debt_before, 900, "rolled", 300) // 50 * 50
    issued, repaid = rolled + max(moved, 0), rolled + max(-moved, 0)
    debt = shape.debt_before if before is None else before.debt + issued - repaid
    average_debt = debt if before is None else (debt + before.debt) // 2
    interest_expense = of.share(average_debt, shape.rate[of.index], "rate", 4)
    return {"issued": issued, "repaid": repaid, "debt": debt, "interest_expense": interest_expense}


def earnings(of: Year, revenue: int, operating_income: int, interest_expense: int, **_: object) -> dict[str, int]:
    """From operating income to net income, and what of it a share has."""
    shape = of.profile.shape
    interest_income = of.share(revenue, 18, "interest income", 6)
    pretax = operating_income - interest_expense + interest_income
    tax = of.share(pretax, shape.tax, "tax", 60)
    shares = shape.shares[of.index]
    return {
        **{"interest_income": interest_income, "pretax": pretax, "tax": tax, "net_income": pretax - tax},
        **{"shares": shares, "eps": divide((pretax - tax) * 100, shares)},
    }


def cash_flow(of: Year, revenue: int, net_income: int, issued: int, repaid: int, **_: object) -> dict[str, int]:
    """What comes in and goes out, and the cash that is left."""
    shape = of.profile.shape
    depreciation = of.share(revenue, shape.depreciation, "depreciation", 12)
    stock_compensation = of.share(revenue, 120, "stock", 15)
    cfo = net_income + depreciation + stock_compensation
    cfo += of.share(revenue, shape.working_capital[of.index], "working capital", 15)
    capex = of.share(revenue, shape.capex[of.index], "capex", 9)
    dividends = max(0, divide(net_income * 28, 100)) if shape.pays_dividends else 0
    opening_cash = divide(revenue * (11 if shape.pays_dividends else 26), 100) if of.before is None else of.before.cash
    available = opening_cash + cfo - capex + issued - repaid - dividends
    spare = divide((available - of.share(revenue, 1_150, "cash", 150)) * 3, 4)
    repurchases = 0 if of.year == 2020 else max(0, min(spare, divide(net_income * 12, 10)))
    return {
        **{"depreciation": depreciation, "stock_compensation": stock_compensation, "cfo": cfo, "capex": capex},
        **{"dividends": dividends, "repurchases": repurchases, "cash": available - repurchases},
    }


def segment_revenue(profile: Profile, revenue: int, index: int) -> tuple[int, ...]:
    """Revenue by segment; the last segment takes the remainder, so that the parts sum to the whole."""
    parts = [
        divide(revenue * (part.share + part.drift * index + between(-25, 25, profile.key, part.name, index)), 10_000)
        for part in profile.segments[:-1]
    ]
    return (*parts, revenue - sum(parts))
