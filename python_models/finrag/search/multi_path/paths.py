"""Where multi_path looks: one slot per company, year and item that a question names, and everything once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

ENTITY, GLOBAL, EXPANSION = "entity", "global", "expansion"


@dataclass(frozen=True)
class Budgets:
    """Sentences that a path may contribute. per_company is shared by the company's years."""

    per_company: int
    per_year: int
    overall: int


@dataclass(frozen=True)
class Slot:
    """One filtered search of a question: a value of None is not filtered by. budget: hits that are kept."""

    path: str
    budget: int
    cik: int | None = None
    report_year: int | None = None
    section_id: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the search is filtered by."""
        return tuple(name for name in ("cik", "report_year", "section_id") if getattr(self, name) is not None)

    @property
    def detail(self) -> str:
        """As in pipeline_steps: "cik=104169 report_year=2019", or "everything"."""
        return " ".join(f"{name}={getattr(self, name)}" for name in self.columns) or "everything"


def plan(
    ciks: Sequence[int],
    years: Sequence[int],
    section_ids: Sequence[str],
    spans_years: bool,
    filings: Collection[tuple[int, int]],
    budgets: Budgets,
) -> list[Slot]:
    """The slots of one question, the global one last.

    filings: (cik, report_year) of every filing; a company-year without one has no slot. spans_years: the question asks
    for a development without naming years, so each year of the company's filings has its slot; otherwise a company
    without years is one slot. Named items are searched within the company-year's slot and the company-year as a whole
    is searched too, at half the budget: the hint may be wrong.
    """
    slots: list[Slot] = []
    if not ciks:
        for year in sorted(set(years) & {year for _, year in filings}):
            slots += _with_sections(_share(budgets, len(years)), section_ids, None, year)
    for cik in ciks:
        filed = sorted(year for company, year in filings if company == cik)
        named: Sequence[int] = [year for year in years if year in filed]
        if not years and spans_years:
            named = filed
        if named:
            for year in named:
                slots += _with_sections(_share(budgets, len(named)), section_ids, cik, year)
        elif not years:
            slots += _with_sections(budgets.per_company, section_ids, cik, None)
    return [*slots, Slot(GLOBAL, budgets.overall)]


def _share(budgets: Budgets, years: int) -> int:
    """The budget of one of a company's years: at least one sentence, however many years."""
    return max(1, min(budgets.per_year, budgets.per_company // years))


def _with_sections(budget: int, section_ids: Sequence[str], cik: int | None, year: int | None) -> Iterable[Slot]:
    if section_ids:
        share = max(1, budget // len(section_ids))
        for section_id in section_ids:
            yield Slot(ENTITY, share, cik, year, section_id)
        budget = max(1, budget // 2)
    yield Slot(ENTITY, budget, cik, year)
