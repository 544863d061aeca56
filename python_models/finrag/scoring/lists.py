"""Unordered list answers: items are paired one to one, and the Jaccard similarity of the two sets decides.

Source: the seed's rule for lists, "unordered set match with Jaccard similarity >= 0.8".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from finrag.scoring.text import FALL, NEGATION, RISE, normalised

JACCARD_THRESHOLD = 0.8  # the seed's: of five items one may be missing, of four none
# rapidfuzz token_sort_ratio from which two items are the same: "cloud growth" and "growth in cloud" give 89 and pass,
# "cloud services" and "cloud security" give 71 and do not. Word order, plurals and articles cost less than 15.
ITEM_SIMILARITY = 85.0

BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+", re.M)


@dataclass(frozen=True)
class ListMatch:
    """is_match is None where the gold has no items. pairs holds (gold item, answer item, similarity of 0 to 100)."""

    is_match: bool | None
    jaccard: float | None
    gold_count: int
    answer_count: int
    matched_count: int
    pairs: tuple[tuple[str, str, float], ...]
    reason: str


def list_match(gold: Sequence[str] | str, answer: Sequence[str] | str | None) -> ListMatch:
    """Jaccard of gold and answer items: matched / (gold + answer - matched), order and repetitions ignored.

    Texts are split into items first. Two items match if equal after normalisation, or similar by ITEM_SIMILARITY and
    free of contradictions: other numbers, a negation, or increase for decrease. Of all pairings the one with the most
    matches counts. Reasons: matched, below_threshold, no_answer, no_gold.
    """
    from scipy.optimize import linear_sum_assignment

    wanted, given = distinct(as_items(gold)), distinct(as_items(answer))
    if not wanted:
        return ListMatch(None, None, 0, len(given), 0, (), "no_gold")
    if not given:
        return ListMatch(False, 0.0, len(wanted), 0, 0, (), "no_answer")
    scores = similarities(wanted, given)
    rows, columns = linear_sum_assignment(np.where(scores >= ITEM_SIMILARITY, 1000 + scores, 0), maximize=True)
    pairs = tuple(
        (wanted[row], given[column], float(scores[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if scores[row, column] >= ITEM_SIMILARITY
    )
    jaccard = len(pairs) / (len(wanted) + len(given) - len(pairs))
    is_match = jaccard >= JACCARD_THRESHOLD
    reason = "matched" if is_match else "below_threshold"
    return ListMatch(is_match, jaccard, len(wanted), len(given), len(pairs), pairs, reason)


def similarities(gold: Sequence[str], answer: Sequence[str]) -> np.ndarray:
    """token_sort_ratio of normalised items, shape (gold, answer); 0 where two items contradict each other."""
    from rapidfuzz import fuzz, process

    left, right = [normalised(item) for item in gold], [normalised(item) for item in answer]
    scores = np.array(process.cdist(left, right, scorer=fuzz.token_sort_ratio, dtype=np.float32), dtype=np.float64)
    for row, one in enumerate(gold):
        for column, other in enumerate(answer):
            if scores[row, column] < 100 and contradict(one, other):
                scores[row, column] = 0.0
    return scores


def contradict(one: str, other: str) -> bool:
    """Different numbers, a negation in one only, or opposite directions."""
    numbers = [set(re.findall(r"\d+(?:\.\d+)?", normalised(text))) for text in (one, other)]
    if numbers[0] != numbers[1]:
        return True
    if bool(NEGATION.search(one)) != bool(NEGATION.search(other)):
        return True
    directions = [(bool(RISE.search(text)), bool(FALL.search(text))) for text in (one, other)]
    return directions in ([(True, False), (False, True)], [(False, True), (True, False)])


def as_items(value: Sequence[str] | str | None) -> list[str]:
    return split_items(value) if isinstance(value, str) else list(value or [])


def split_items(text: str) -> list[str]:
    """Items of a text: a JSON list, bulleted or numbered lines, lines, semicolons, else commas and a final and."""
    text = text.strip()
    if text.startswith("["):
        try:
            return [str(item) for item in json.loads(text)]
        except ValueError:
            pass  # square brackets of another kind: read it as text
    if len(BULLET.findall(text)) > 1:
        first = BULLET.search(text).start()
        return [item.strip() for item in BULLET.split(text[first:]) if item.strip()]
    for separator in ("\n", ";"):
        if separator in text:
            parts = [re.sub(r"^\s*and\s+", "", part).strip() for part in text.split(separator)]
            return [BULLET.sub("", part) for part in parts if part]
    parts = re.split(r",\s+(?:and\s+|or\s+)?", text)
    last = re.split(r"\s+and\s+", parts[-1]) if len(parts) > 1 or len(text.split()) <= 8 else parts[-1:]
    return [part.strip().rstrip(".") for part in [*parts[:-1], *last] if part.strip(" .")]


def distinct(items: Sequence[str]) -> list[str]:
    """Items with different normalised texts, in order; blank ones left out."""
    return list({normalised(item): item for item in reversed(items) if normalised(item)}.values())[::-1]
