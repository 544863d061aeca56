"""What figures are listed under: "| Apparel | $5 |" in a table, "Apparel: $5", and "apparel $5, footwear $6"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from finrag.text.amounts import Amount
from finrag.text.directions import FELL, ROSE
from finrag.text.vocabulary import BE, HAVE
from finrag.text.words import REACH, STOP_WORDS

VERB = re.compile(
    rf"\b(?:{BE}|{HAVE}|{ROSE}|{FELL}|holds?|held|owns?|owned|totall?ed|amounted|stood"
    r"|came|reached|contributed|represented|accounted|made\sup|expanded|contracted|gained)\b",
    re.I,
)
LABEL = re.compile(r"(?:^|[\s(*-])([A-Za-z][\w&'’. -]{1,40}):[\s*]*[$€£(-]?$")  # "medical: 33%"
# What stands between two figures of a list, or before its first.
ITEM = re.compile(r"(?:^|[:;,|\n]|\band\b|-\s)\s*((?:[A-Za-z][\w&'’.-]*\s){1,5})[$€£(-]*$")
ITEM_ENDS = re.compile(r"\s*(?:[.,;|(\n]|and\b|$)")


def label_of(amount: Amount, amounts: Sequence[Amount], text: str) -> str:
    """The first cell of its row, what stands before its colon, or the words alone between it and the figure before."""
    far = max(0, amount.start - REACH)
    line_start = max(text.rfind("\n", far, amount.start) + 1, far)
    line = text[line_start : amount.start]
    if line.lstrip().startswith("|"):
        cell, *others = line.strip(" |").split("|")
        return cell.strip() if others or line.rstrip(" $€£(-").endswith("|") else ""
    if label := LABEL.search(line):
        return label[1]
    place = bisect_left(amounts, amount.start, key=lambda each: each.start)
    beside = [each for each in (place - 1, place + 1) if 0 <= each < len(amounts)]
    item = item_of(place, amounts, text)
    return item if item and any(item_of(each, amounts, text) for each in beside) else ""


def item_of(place: int, amounts: Sequence[Amount], text: str) -> str:
    """The words alone between a figure of a list and the one before it."""
    amount = amounts[place]
    first = max(amount.start - REACH, amounts[place - 1].end if place else 0)
    item = ITEM.search(text[first : amount.start])
    words = item[1].lower().split() if item else []
    is_name = words and not {words[0], words[-1]} & STOP_WORDS and not VERB.search(item[1])
    return item[1].strip() if is_name and ITEM_ENDS.match(text, amount.end) else ""
