"""Names and dates of a filing, shared by the layouts."""

from __future__ import annotations

from datetime import date, timedelta

from finrag.demo.choices import between
from finrag.demo.document import TITLES, Section
from finrag.demo.filing import Filing
from finrag.demo.profile import Profile
from finrag.demo.slots import period_end

# Codes of financial-reports-sec: the position of the item in the form.
CODES = {item: code for code, item in enumerate(TITLES)}


def filing_id(profile: Profile, year: int) -> str:
    return f"{profile.padded_cik}_10-K_{year}"


def sentence_id(filing: Filing, section: Section, position: int) -> str:
    return f"{filing_id(filing.profile, filing.year)}_section_{section.code}_{position}"


def filed_on(profile: Profile, year: int) -> date:
    """About two months after the fiscal year ends, on a weekday."""
    day = period_end(profile, year) + timedelta(days=between(52, 72, "filed", profile.key, year))
    return day - timedelta(days=max(0, day.weekday() - 4))


def accession_number(profile: Profile, year: int) -> str:
    return f"{profile.padded_cik}-{filed_on(profile, year).year % 100:02d}-000001"


def previous_weekday(day: date) -> date:
    return day - timedelta(days=3 if day.weekday() == 0 else 1)


def next_weekday(day: date, days: int = 1) -> date:
    later = day + timedelta(days=days)
    return later + timedelta(days=max(0, 7 - later.weekday()) if later.weekday() > 4 else 0)
