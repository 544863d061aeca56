"""Which sentences of a text are worth asking about: checkable, complete, and from all parts of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from finrag.quizzes.changes import draw
from finrag.text.statements import Sentence, is_lower, split
from finrag.text.vocabulary import BE, DEMONSTRATIVES, DO, HAVE, PERSONS, PREPOSITIONS

LEAST_WORDS, MOST_WORDS = 7, 45
# What only the sentence before explains, what only points elsewhere, and what is said in every report.
DANGLING = re.compile(
    rf"^(?:{DEMONSTRATIVES}|that|{PERSONS}|its|their|such|however|therefore|thus|consequently|accordingly"
    r"|as a result|in addition|additionally|also|furthermore|moreover|but|and|or|because|both|the (?:former|latter)"
    r"|the (?:increase|decrease|change|growth|decline)s? (?:was|were|is|are|resulted|reflects?|primarily))\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    r"\b(?:see|refer to|as discussed|as described|as set forth|set forth in|incorporated (?:herein )?by reference"
    r"|table (?:above|below)|following (?:table|discussion)|discussed (?:above|below)"
    r"|item \d|note \d|forward-looking)\b",
    re.IGNORECASE,
)

# A heading that runs into its sentence: "Income Taxes Income tax …", "Financing We have …", "Dividends: In fiscal …".
HEADED = re.compile(
    r"\b((?i:[a-z][\w&' ]{5,60}?)) (?i:\1)\b|^[^.,$]{1,60}?\s?[:•–—-]\s[A-Z]"
    r"|•|^(?:[A-Z]{2,}\s){2,}|^([A-Z][\w-]+)(?:\s[\w&,']+){0,5}\s\2\s"
    rf"|^(?:[A-Z][\w&',]*\s(?:(?:{PREPOSITIONS}|and|the)\s)*){{1,9}}(?:We|Our|The|In|During|As|For|On|At|It|Total)\s"
)
# A finite verb, roughly; headings and bullets have none.
VERB = re.compile(
    rf"\b(?:{BE}|{HAVE}|{DO}|will|expect|believe|estimate|grew|rose|fell|shrank|paid|sold|"
    r"bought|spent|held|made|began|lost|won|took|came|went|led|remains?|includes?|represents?|bears?|matures?|"
    r"(?!(?:compared|based|limited|related|consolidated|diluted|united|combined|adjusted|unaudited|ended)\b)\w{2,}ed)\b",
    re.IGNORECASE,
)


def askable(text: str, count: int) -> list[Sentence]:
    """The sentences to choose count from: those that can be checked, and others only where there are too few."""
    whole = [sentence for sentence in split(text) if is_whole(sentence, is_lower(text))]
    checkable = [sentence for sentence in whole if has_fact(sentence)]
    return checkable if len(checkable) >= count else whole


def is_checkable(sentence: Sentence) -> bool:
    """A full sentence that stands by itself and states a figure, a direction or a year."""
    return is_whole(sentence) and has_fact(sentence)


def has_fact(sentence: Sentence) -> bool:
    return bool(sentence.amounts or sentence.years or sentence.has_direction)


def is_whole(sentence: Sentence, is_lower_case: bool = False) -> bool:
    """A full sentence that stands by itself. is_lower_case: of a text without capitals."""
    words = sentence.text.split()
    letters = sum(character.isalpha() for character in sentence.text)
    return bool(
        LEAST_WORDS <= len(words) <= MOST_WORDS
        and sentence.text.rstrip("\"”’')").endswith(".")
        and (is_lower_case or sentence.text[0].isupper() or sentence.text[0] in '$"“')
        and letters >= 0.6 * len(sentence.text.replace(" ", ""))
        and sentence.word_count >= 2
        and VERB.search(sentence.text)
        and not DANGLING.match(sentence.text)
        and not HEADED.search(sentence.text)
        and not POINTING.search(sentence.text)
        and "?" not in sentence.text
    )


def worth(sentence: Sentence) -> int:
    """Figures first, then directions, then years."""
    return 3 * min(len(sentence.amounts), 2) + 2 * sentence.has_direction + bool(sentence.years)


def spread(sentences: Sequence[Sentence], count: int, seed: str) -> list[Sentence]:
    """count of the sentences, the most telling of as many equal stretches of the text; no text twice.

    Sentences that are equally telling are drawn by a hash of seed and text.
    """
    distinct = list({sentence.key: sentence for sentence in sentences}.values())

    def rank(sentence: Sentence) -> tuple[int, int]:
        return -worth(sentence), draw(seed, sentence.key)

    count = min(count, len(distinct))
    edges = [len(distinct) * edge // count for edge in range(count + 1)] if count else []
    return [min(distinct[first:last], key=rank) for first, last in pairwise(edges)]
