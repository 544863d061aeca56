"""Which fiscal year a period is; the macro fiscal_year_of says the same in SQL."""

from __future__ import annotations

from datetime import date, timedelta

# A year of 52 or 53 weeks ends on a day of the week near the end of December, in some years in January.
DAYS_OF_JANUARY = 7


def fiscal_year_of(period_end: date) -> int:
    """The year in which the period ends, of one that ends in the first seven days of January the year before."""
    return (period_end - timedelta(DAYS_OF_JANUARY)).year
