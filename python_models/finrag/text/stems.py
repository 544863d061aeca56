"""What inflections of a word share, in the degrees in which readers need it."""

from __future__ import annotations

import re
from functools import lru_cache

STEM_LETTERS = 6  # depends and dependent
# Past forms that do not end in "ed".
PAST_OF = dict(
    pair.split(":")
    for pair in """
    paid:pay made:make sold:sell bought:buy held:hold took:take spent:spend met:meet kept:keep built:build gave:give
    wrote:write began:begin lost:lose laid:lay led:lead left:leave grew:grow rose:rise fell:fall won:win ran:run saw:see
    drew:draw went:go got:get came:come chose:choose drove:drive sought:seek stood:stand told:tell withdrew:withdraw
    lent:lend shut:shut
    """.split()
)
# Other words that say the same, or that lose too much with their ending.
SAME_AS = dict(
    pair.split(":")
    for pair in """
    single:one sole:one sued:sue closed:close recorded:report records:report record:report
    acquisition:acquire acquisitions:acquire
    """.split()
)
# Verbs of two words, by form, and the one that says the same.
OF_TWO_WORDS = {
    "buy back": "repurchase", "buys back": "repurchases", "bought back": "repurchased", "buying back": "repurchasing",
    "pay down": "repay", "pays down": "repays", "paid down": "repaid", "paying down": "repaying",
}  # fmt: skip
_OF_TWO_WORDS = re.compile(rf"\b(?:{'|'.join(OF_TWO_WORDS)})\b", re.I)
_ENDINGS = re.compile(r"(?:ing|ed|es|s|e)$")
_ENDINGS_OF_SHORT = re.compile(r"(?:s|(?<=\w{3})e)$")
_ENDINGS_OF_TERMS = re.compile(r"(?:ations?|ings?|ments?|ed|es|s|ly|e)$")
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "ers", "er", "es", "ly", "s", "e", "y")


@lru_cache(maxsize=65536)
def stem(word: str, letters: int = STEM_LETTERS) -> str:
    """The beginning that a verb's forms share, irregular ones too: paid, pays and paying are "pay"."""
    word = PAST_OF.get(word) or SAME_AS.get(word, word)
    return (_ENDINGS if len(word) > 4 else _ENDINGS_OF_SHORT).sub("", word)[:letters]


def in_one_word(text: str) -> str:
    """A text whose verbs of two words are one: "it bought back stock" is "it repurchased stock"."""
    return _OF_TWO_WORDS.sub(lambda match: OF_TWO_WORDS[match[0].lower()], text)


def bare(word: str) -> str:
    """A word without the ending of its form: reports, reported and reporting meet."""
    return _ENDINGS.sub("", word) if len(word) > 4 else word


def term(word: str) -> str:
    """A word without the ending of its form or of the noun made of it: invests and investments meet."""
    return _ENDINGS_OF_TERMS.sub("", word) if len(word) > 4 else word


def root(word: str) -> str:
    """A word without the longest ending that leaves four letters: accruals and accrual, lenders and lending meet."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word
