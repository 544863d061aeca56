"""Amounts in the items of lists, compared as numeric answers are (finrag.scoring.numbers): "$1.6132 billion" is
"$1,613.2 million", and "$1,613.2" is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.scoring.numbers import states
from finrag.text.amounts import Amount, parse_amounts, stated_scale
from finrag.text.items import mention_of
from finrag.text.plain_text import plain
from finrag.text.words import NEGATION, normalised

# Between a label and its amount. Two cells of a row are one item, so their bar goes; a share may stand before it.
TO_AMOUNT = r"[\s:|*(=–—-]+(?:\d[\d.]*\s?%[,;]?\s)?(?:(?!and\b|or\b)[^\W\d]+[\s:|*(=–—-]+){0,4}?"
TOTAL = re.compile(r"^\W*(?:for\s)?(?:an?\s|the\s)?(?:(?:grand|overall|combined)\s)?(?:total|sum)\b", re.I)
TO_LABEL = r"\s(?:\(|(?:for|from|in|at|by)\s)(?:the\s)?"


def figures_differ(gold: str, answer: str) -> bool:
    """Whether two items have other figures: amounts by their values where both have as many, the rest by digits."""
    mine, theirs = parse_amounts(gold), parse_amounts(answer)
    if len(mine) != len(theirs):
        return digits(gold) != digits(answer)
    left = list(theirs)
    for amount in mine:
        same = next((other for other in left if states(amount, other)), None)
        if same is None:
            return True
        left.remove(same)
    return digits(without(mine, gold)) != digits(without(theirs, answer))


def digits(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", normalised(text)))


def without(amounts: Sequence[Amount], text: str) -> str:
    """A text plainly, its amounts blanked."""
    text = plain(text)
    for amount in amounts:
        text = f"{text[: amount.start]}{' ' * (amount.end - amount.start)}{text[amount.end :]}"
    return text


def in_amounts_of(wanted: Sequence[str], answer: str, question: str | None = None) -> str:
    """An answer with the amounts of the wanted items as these write them, each beside its label as it stands there:
    "Snacks $310.4 million" of "$310,400,000 for Snacks" and of a row under "($ millions)".
    """
    golds = [(item, amount) for item in wanted for amount in parse_amounts(item) if not amount.is_bare]
    if not golds:
        return answer
    text = plain(answer)
    for amount in reversed(parse_amounts(answer, question if stated_scale(question) else None)):
        said = [gold for _, gold in golds if states(gold, amount)]
        if said and not any(gold.text == amount.text for gold in said):
            nearest = min(said, key=lambda gold: abs(gold.value - amount.value))
            answer = text = f"{text[: amount.start]}{nearest.text}{text[amount.end :]}"
    for item, amount in golds:
        if item.endswith(amount.text) and item not in answer:
            answer = beside_label(answer, item, amount.text)
    return in_order(answer, [item.removesuffix(amount.text).strip(" :") for item, amount in golds])


def beside_label(answer: str, item: str, amount: str) -> str:
    """An answer that writes an item as it is wanted where it has its label and its amount in other words."""
    label = item.removesuffix(amount).strip(" :")
    if not label:
        return answer
    named, figure = named_as(label), rf"(?<![\w$-]){re.escape(amount)}(?![\w%])"
    both = re.compile(rf"{figure}{TO_LABEL}{named}\)?|{named}{TO_AMOUNT}{figure}", re.I)
    return both.sub(lambda match: match[0] if NEGATION.search(match[0]) else item, answer)


def named_as(label: str) -> str:
    """A pattern of a label, also turned round: "product sales" for "Sales of products"."""
    head, of, tail = label.partition(" of ")
    turned = rf"|(?<![\w$])(?<!\bof\s){mention_of(tail.removesuffix('s')).pattern}\s{re.escape(head)}\b" if of else ""
    return f"(?:{mention_of(label).pattern}{turned})"


def in_order(answer: str, labels: Sequence[str]) -> str:
    """An answer that names all labels and then as many amounts, as a line for each pair: "A and B were $1 million and
    $2 million, respectively"."""
    text = plain(answer)
    said = [re.search(named_as(label), text, re.I) for label in labels if label]
    amounts = [amount for amount in parse_amounts(text) if not amount.is_bare]
    if len(said) < 2 or not all(said) or len(said) != len(amounts) or len(labels) != len(said):
        return answer
    named = sorted(zip(said, labels, strict=True), key=lambda each: each[0].start())
    if named[-1][0].end() > amounts[0].start or NEGATION.search(text):
        return answer
    return "\n".join(f"{label}: {amount.text}" for (_, label), amount in zip(named, amounts, strict=True))


def without_total(items: Sequence[str]) -> list[str]:
    """Items without a total that is the sum of the amounts of the others, but for their rounding."""
    figures = [parse_amounts(item) for item in items]
    totals = [place for place, item in enumerate(items) if TOTAL.match(item) and len(figures[place]) == 1]
    others = [found for place, found in enumerate(figures) if place not in totals]
    if len(totals) != 1 or len(others) < 2 or any(len(found) != 1 for found in others):
        return list(items)
    (total,), parts = figures[totals[0]], [found[0] for found in others]
    rounding = total.rounding + sum(part.rounding for part in parts)
    is_sum = abs(total.value - sum(part.value for part in parts)) <= rounding * (1 + 1e-9)
    is_sum = is_sum and {part.unit for part in parts} == {total.unit}
    return [item for place, item in enumerate(items) if not (is_sum and place in totals)]
