"""Words that mean the opposite of one another without being a rise or a fall, which finrag.text.directions has."""

from __future__ import annotations

import re
from functools import lru_cache

from finrag.text.acts import OPPOSED, acts_of
from finrag.text.stems import bare

LEAST_LETTERS = 5  # "come" is no opposite of "income"
PAIRS = (
    "new:old new:existing early:late earlier:later strong:weak stronger:weaker favorable:adverse long:short"
    " longer:shorter domestic:foreign domestic:international open:close opening:closing inflow:outflow"
    " internal:external fixed:variable fixed:floating asset:liability gain:loss acquisition:divestiture"
    " purchase:sale buy:sell issue:redeem issuance:repayment issuance:redemption hire:layoff good:bad better:worse"
    " acquisition:sale borrow:repay borrowing:repayment income:loss profit:loss earnings:loss income:expense net:gross"
    " receivable:payable include:exclude widen:narrow basic:diluted"
    " wholesale:retail warm:cold warmer:colder public:private owned:leased residential:commercial import:export"
)
OPPOSITES = {tuple(map(bare, pair.split(":"))) for pair in PAIRS.split()}
WORD = re.compile(r"[a-z]+")
NEGATING = ("un", "in", "im", "ir", "il", "non", "dis")
ENDING = re.compile(r"\w{1,3}")


def say_opposites(one: str, other: str) -> bool:
    """Whether a word of one text is the opposite of a word of the other, neither of which has both: "new" and "old",
    "favorable" and "unfavorable"."""
    mine, theirs = words_of(one), words_of(other)
    left, right = mine - theirs, theirs - mine
    return any(is_opposite(a, b) or is_opposite(b, a) for a in left for b in right)


def words_of(text: str) -> set[str]:
    return {bare(word) for word in WORD.findall(re.sub(r"\bnon[\s-]", "non", text.lower()))}


@lru_cache(maxsize=65_536)
def are_opposed(word: str, other: str) -> bool:
    """Whether a word is the opposite of another, in whatever form, or says the opposite act: "sold" and "acquired"."""
    one, two = bare(word), bare(other)
    if is_opposite(one, two) or is_opposite(two, one):
        return True
    return any(OPPOSED.get(act, set()) & acts_of(other) for act in acts_of(word))


def is_opposite(word: str, other: str) -> bool:
    return negates(other, word) or (word, other) in OPPOSITES


def negates(other: str, word: str) -> bool:
    """Whether a word is another one, in whatever form, with a prefix that negates: "ineffectively" of "effective"."""
    stem = word[:-1]
    for prefix in NEGATING if len(word) >= LEAST_LETTERS else ("non",):
        if other.startswith(prefix + stem) and ENDING.fullmatch(other, len(prefix + stem)):
            return True
    return False
