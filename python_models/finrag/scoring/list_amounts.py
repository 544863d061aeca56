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

# Between a label and its amount. Two cells of a row are one item, so their bar goes.
TO_AMOUNT = r"[\s:|*(=–—-]+(?:(?!and\b|or\b)[^\W\d]+[\s:|*(=–—-]+){0,4}?"
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
    return answer


def beside_label(answer: str, item: str, amount: str) -> str:
    """An answer that writes an item as it is wanted where it has its label and its amount in other words."""
    label = item.removesuffix(amount).strip(" :")
    if not label:
        return answer
    named, figure = mention_of(label).pattern, rf"(?<![\w$-]){re.escape(amount)}(?![\w%])"
    both = re.compile(rf"{figure}{TO_LABEL}{named}\)?|{named}{TO_AMOUNT}{figure}", re.I)
    return both.sub(lambda match: match[0] if NEGATION.search(match[0]) else item, answer)
