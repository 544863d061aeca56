"""Rows of the sentence-level layouts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from finrag.demo.choices import number
from finrag.demo.document import TITLES, Section, curly, straight
from finrag.demo.filing import Filing

# A filing whose table is sampled: rows of this item are left out, and the positions keep their gaps.
SAMPLED = ("harrowgate", 2022, "ITEM_8")


def sentence_rows(filing: Filing, section: Section) -> Iterator[tuple[int, str]]:
    """(position, sentence) of one item. Headings are rows of their own, or begin the sentence that follows them."""
    title = (straight if filing.profile.straight_quotes else curly)(TITLES[section.item])
    if filing.profile.heading == "merged":
        rows = section.rows(merge_headings=True)
        rows[:1] = [" ".join([f"Item {section.code} {title.upper()}", *rows[:1]])]
    else:
        rows = [f"Item {section.code}. {title}.", *section.rows()]
    is_sampled = (filing.profile.key, filing.year, section.item) == SAMPLED
    for position, sentence in enumerate(rows):
        if is_sampled and number("sampled", position, sentence) % 4 == 0:
            continue
        yield position, sentence


def jsonl(rows: Iterable[dict[str, object]]) -> bytes:
    """One JSON object per line, UTF-8, newline after every row."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return "".join(line + "\n" for line in lines).encode("utf-8")
