"""Items as running text, for the filing-level layouts."""

from __future__ import annotations

import textwrap

from finrag.demo.document import TITLES, Section, curly, straight
from finrag.demo.filing import Filing
from finrag.demo.profile import Profile

WRAP_COLUMNS = 79


def item_text(filing: Filing, section: Section) -> str:
    """Heading, paragraphs and list entries, one to a line; hard-wrapped for the years in which the company did so."""
    profile = filing.profile
    if not section.paragraphs:
        return ""
    heading = item_heading(profile, section)
    is_wrapped = filing.year in profile.wrapped_years
    lines = wrapped(heading) if is_wrapped else heading.split("\n")
    for paragraph in section.paragraphs:
        if paragraph.heading:
            lines.append(paragraph.heading)
        if paragraph.listed:
            for sentence in paragraph.sentences:
                lines += wrapped(sentence) if is_wrapped else bullet_lines(sentence, profile.bullets_apart)
        elif is_wrapped:
            lines += wrapped(" ".join(paragraph.sentences))
        else:
            lines.append(" ".join(paragraph.sentences))
    return "\n".join(lines)


def item_heading(profile: Profile, section: Section) -> str:
    """'Item 1. Business', in the company's typography; some have the title on a line of its own."""
    title = (straight if profile.straight_quotes else curly)(TITLES[section.item])
    return profile.heading.format(item=section.code, title=title, TITLE=title.upper())


def bullet_lines(sentence: str, apart: bool) -> list[str]:
    """Some extractors leave the bullet on a line of its own."""
    return ["•", sentence.removeprefix("• ")] if apart and sentence.startswith("• ") else [sentence]


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WRAP_COLUMNS, break_long_words=False, break_on_hyphens=False)
