"""Which question of which suite a text is: the same text after normalisation, else one that differs in wording only.

Questions of a suite often differ in nothing but the year, the company or a word of the figure's name ("income taxes",
"income before income taxes"), and are 97 % alike then. So a similar text is the same question only if it names the same
numbers and companies, and if none of the two has a word of its own but for those of asking.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag.scoring.attribution import company
from finrag.text.stems import stem
from finrag.text.words import ASKING, STOP_WORDS, normalised

# rapidfuzz token_sort_ratio of the normalised texts; "How did" for "How does" costs 2.
LEAST_SIMILARITY = 92.0
# Two words of which one may be a slip of the other: "revenue", "reveneu". "Increase" and "decrease" have 75.
LEAST_SIMILARITY_OF_WORDS = 80.0
STEMS_OF_ASKING = frozenset(map(stem, ASKING))


@dataclass(frozen=True)
class Known:
    """A question that may be meant."""

    suite: str
    question_id: str
    text: str
    companies: tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """kind: exact or similar; score is 100 for exact ones."""

    question: Known
    kind: str
    score: float


class Questions:
    """The questions of all suites, ready to be matched."""

    def __init__(self, questions: Iterable[Known]) -> None:
        self.questions = sorted(questions, key=lambda known: (known.suite, known.question_id))
        self.texts = [normalised(known.text) for known in self.questions]
        self.names = sorted(
            {
                words
                for known in self.questions
                for name in known.companies
                if name.strip()
                for words in map(normalised, company(name, name, others=known.companies).names)
                if words
            }
        )
        self.entities = [self._entities(text) for text in self.texts]

    def match(self, text: str) -> list[Match]:
        """One question per suite, as the suites share questions and an answer is scored in each.

        Of a suite that asks several in the same words, all of them.
        """
        words = normalised(text)
        exact = [self.questions[place] for place, known in enumerate(self.texts) if known == words]
        if exact:
            # what is left out of words may tell two questions apart
            verbatim = {known.suite for known in exact if known.text == text}
            meant = [known for known in exact if known.text == text or known.suite not in verbatim]
            return [Match(known, "exact", 100.0) for known in meant]
        entities = self._entities(words)
        similar = [
            (place, score)
            for place, score in self._similar(words)
            if score >= LEAST_SIMILARITY and self.entities[place] == entities and asks_alike(words, self.texts[place])
        ]
        return [Match(self.questions[place], "similar", score) for place, score in self._first_of_suites(similar)]

    def nearest(self, text: str) -> tuple[Known, float] | None:
        """The most similar question, whatever it is about."""
        found = self._similar(normalised(text))
        return (self.questions[found[0][0]], found[0][1]) if found else None

    def _similar(self, words: str) -> list[tuple[int, float]]:
        from rapidfuzz import fuzz, process

        found = process.extract(words, self.texts, scorer=fuzz.token_sort_ratio, limit=None)
        return [(place, score) for _, score, place in sorted(found, key=lambda each: (-each[1], each[2]))]

    def _first_of_suites(self, places: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
        first: dict[str, tuple[int, float]] = {}
        for place, score in places:
            first.setdefault(self.questions[place].suite, (place, score))
        return list(first.values())

    def _entities(self, words: str) -> tuple[frozenset[str], frozenset[str]]:
        """Numbers and companies of a normalised text."""
        named = frozenset(name for name in self.names if re.search(rf"\b{re.escape(name)}\b", words))
        return frozenset(re.findall(r"\d+(?:\.\d+)?", words)), named


def asks_alike(one: str, other: str) -> bool:
    """Whether each word of two normalised texts has its like in the other, but for words of asking."""
    from rapidfuzz import fuzz

    words, others = (
        Counter(stem(word) for word in text.split() if word not in STOP_WORDS and stem(word) not in STEMS_OF_ASKING)
        for text in (one, other)
    )
    rest = list((others - words).elements())
    for word in (words - others).elements():
        like = next((each for each in rest if fuzz.ratio(word, each) >= LEAST_SIMILARITY_OF_WORDS), None)
        if like is None:
            return False
        rest.remove(like)
    return not rest
