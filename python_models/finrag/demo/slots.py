"""Fills templates for one filing.

A template is text with two kinds of slot:

- `{revenue}`, `{revenue.pct}`, `{stores:,}`: figures and names of the company-year, as str.format reads them;
- `[[3-9]]`, `[[2.0-4.5%]]`, `[[0.5-2.0%rev]]`: an incidental number from a range: a count, a percentage, or an amount
  of money stated as a share of revenue (rev) or of long-term debt (debt). `[[<1]]` is last year's value of the
  template's first such number, so that a comparative agrees with what last year's filing said.
"""

from __future__ import annotations

import re
from datetime import date

from finrag.demo import choices
from finrag.demo.finances import Statement
from finrag.demo.money import Amount, Metric, Percent, PerShare, decimal, divide
from finrag.demo.profile import STATEMENT_YEARS, Profile

RANGE = re.compile(r"\[\[(?:<(?P<back>\d+)|(?P<low>[\d.]+)-(?P<high>[\d.]+)(?P<unit>%(?:rev|debt)?)?)\]\]")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
VERBS = (("increased", "decreased"), ("rose", "fell"), ("grew", "declined"), ("increased", "declined"))


class Ratio:
    """A margin this year and last; change is in percentage points of revenue."""

    def __init__(self, now: tuple[int, int], prior: tuple[int, int]) -> None:
        self.now, self.prior = Percent(*now), Percent(*prior)
        self.change = Percent(now[0] * prior[1] - prior[0] * now[1], now[1] * prior[1])
        is_up = self.change.numerator >= 0
        self.rose, self.up = ("increased", "up") if is_up else ("decreased", "down")
        self.is_up = is_up

    def __format__(self, spec: str) -> str:
        return format(self.now, spec)


class Slots:
    """Everything that the templates of one filing may name."""

    def __init__(self, profile: Profile, statements: dict[int, Statement], year: int) -> None:
        self.profile, self.statements, self.year = profile, statements, year
        self.now, self.before = statements[year], statements[year - 1]
        self.values = {**self.identity(), **self.calendar(), **self.figures(), **self.segments(), **self.series()}

    def fill(self, template: str) -> str:
        if "[[" in template:
            template = self.incidental(template)
        return template.format_map(self.values) if "{" in template else template

    def incidental(self, template: str) -> str:
        ranges = [match for match in RANGE.finditer(template) if not match["back"]]
        position = -1

        def value(match: re.Match[str]) -> str:
            nonlocal position
            if match["back"]:
                earlier = int(match["back"]) - 1
                return self.number(template, earlier, ranges[earlier], self.year - 1)
            position += 1
            return self.number(template, position, match, self.year)

        return RANGE.sub(value, template)

    def number(self, template: str, position: int, match: re.Match[str], year: int) -> str:
        places = len(match["low"].partition(".")[2])
        low, high = (int(match[name].replace(".", "")) for name in ("low", "high"))
        drawn = choices.between(low, high, "incidental", self.profile.key, template, position, year)
        unit = match["unit"]
        if unit in ("%rev", "%debt"):
            statement = self.statements[year]
            base = statement.revenue if unit == "%rev" else statement.debt
            return format(Amount(divide(base * drawn, 100 * 10**places), "m"))
        return decimal(drawn, places) + (unit or "")

    def identity(self) -> dict[str, object]:
        profile = self.profile
        return {
            "name": profile.name,
            "ticker": profile.ticker,
            "exchange": profile.exchange,
            "city": profile.city,
            "founded": profile.founded,
            "rev": profile.revenue.lower(),
            "Rev": profile.revenue,
            # A segment has revenue, but not "total" or "operating" revenue.
            "part_rev": re.sub(r"^(?:total|operating) ", "", profile.revenue.lower()),
            "rev_was": "were" if profile.revenue_plural else "was",
            "Cost": profile.cost,
            "Expenses": profile.expenses,
        }

    def calendar(self) -> dict[str, object]:
        prefix = "fiscal " if self.profile.has_fiscal_year else ""
        return {
            "year": self.year,
            "prior_year": self.year - 1,
            "next_year": self.year + 1,
            "fy": f"{prefix}{self.year}",
            "pfy": f"{prefix}{self.year - 1}",
            "nfy": f"{prefix}{self.year + 1}",
            "year_end": long_date(period_end(self.profile, self.year)),
            "prior_year_end": long_date(period_end(self.profile, self.year - 1)),
        }

    def metric(self, name: str) -> Metric:
        verbs = choices.pick(VERBS, "verbs", self.profile.key, self.year, name)
        return Metric(getattr(self.now, name), getattr(self.before, name), self.profile.money_style, verbs)

    def figures(self) -> dict[str, object]:
        now, before = self.now, self.before
        names = ("revenue", "cost_of_revenue", "operating_income", "net_income", "cfo", "capex", "debt", "cash")
        figures: dict[str, object] = {
            name: self.metric("cost" if name == "cost_of_revenue" else name) for name in names
        }
        figures |= {
            "opex": self.metric("expenses"),
            "interest": self.metric("interest_expense"),
            "interest_income": self.metric("interest_income"),
            "research": self.metric("research"),
            "depreciation": self.metric("depreciation"),
            "stock_compensation": self.metric("stock_compensation"),
            "fcf": self.metric("free_cash_flow"),
            "ebitda": self.metric("adjusted_ebitda"),
            "issued": self.metric("issued"),
            "repaid": self.metric("repaid"),
            "dividends": self.metric("dividends"),
            "repurchases": self.metric("repurchases"),
            "eps": PerShare(now.eps),
            "eps_prior": PerShare(before.eps),
            "eps_change": PerShare(abs(now.eps - before.eps)),
            "eps_rose": "increased" if now.eps >= before.eps else "decreased",
            "shares": decimal(now.shares, 1) + " million",
            "shares_prior": decimal(before.shares, 1) + " million",
            "operating_margin": Ratio((now.operating_income, now.revenue), (before.operating_income, before.revenue)),
            "opex_share": Ratio((now.expenses, now.revenue), (before.expenses, before.revenue)),
            "capex_share": Ratio((now.capex, now.revenue), (before.capex, before.revenue)),
            "tax_rate": Ratio((now.tax, now.pretax), (before.tax, before.pretax)),
        }
        # Figures for planted disagreements: 13% and 37 cents off, so that no rounding can bring them back.
        for name in ("revenue", "net_income", "operating_income", "debt", "capex", "cfo", "interest"):
            figures[f"off_{name}"] = Amount(divide(figures[name].units * 113, 100), self.profile.money_style)
        figures["off_eps"] = PerShare(now.eps + 37)
        figures["capex_low"], figures["capex_high"] = self.capex_plan(self.year + 1)
        figures["capex_low_now"], figures["capex_high_now"] = self.capex_plan(self.year)
        if now.gross_profit is not None and before.gross_profit is not None:
            figures["gross_profit"] = self.metric("gross_profit")
            figures["gross_margin"] = Ratio((now.gross_profit, now.revenue), (before.gross_profit, before.revenue))
        return figures

    def capex_plan(self, year: int) -> tuple[Amount, Amount]:
        """The range announced for a year, in steps of $5 million ($1 million if small); it holds what was spent."""
        plan = self.statements[year].capex if year in self.statements else divide(self.now.capex * 104, 100)
        step = 50 if plan > 1_000 else 10
        return Amount(plan * 94 // 100 // step * step, "m0"), Amount(-(-plan * 105 // 100 // step) * step, "m0")

    def segments(self) -> dict[str, object]:
        result: dict[str, object] = {}
        style = self.profile.money_style
        for index, segment in enumerate(self.profile.segments):
            now, prior = self.now.segments[index], self.before.segments[index]
            verbs = choices.pick(VERBS, "verbs", self.profile.key, self.year, segment.name)
            result[f"s{index + 1}"] = segment.name
            result[f"s{index + 1}_revenue"] = Metric(now, prior, style, verbs)
            result[f"s{index + 1}_share"] = Ratio((now, self.now.revenue), (prior, self.before.revenue))
        return result

    def series(self) -> dict[str, object]:
        index = STATEMENT_YEARS.index(self.year)
        result: dict[str, object] = {}
        for name, values in self.profile.series.items():
            result[name], result[f"{name}_prior"] = values[index], values[index - 1]
        return result


def period_end(profile: Profile, year: int) -> date:
    month, day = profile.year_end
    return date(year, month, day)


def long_date(day: date) -> str:
    """'January 31, 2019', whatever the locale of the machine."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"
