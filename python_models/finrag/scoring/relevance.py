"""Whether an answer is about its question, and whether it is written or copied. Both count words; no model is asked.

Sources: the framework's reading of ROUGE-L (an answer that repeats the filing word by word has synthesised nothing) and
the usual split of answer quality into relevance and faithfulness.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from finrag.text.stems import bare
from finrag.text.vocabulary import ASKED
from finrag.text.words import content_words
from finrag.text.years import YEAR_DIGITS

# Words in a row that two texts share by copying: of answers written by people eight in a row are rare, names apart.
RUN = 8
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# What every question says and no answer has to repeat.
ASKING = ASKED | frozenset("disclose give gives list name names".split())


def answer_relevance(question: str, answer: str) -> float | None:
    """Share of the question's words that the answer takes up, years among them; None without any."""
    asked = terms(question)
    return len(asked & terms(answer)) / len(asked) if asked else None


def terms(text: str) -> set[str]:
    return set(map(bare, content_words(text) - ASKING)) | set(re.findall(rf"\b{YEAR_DIGITS}\b", text))


def copied_share(answer: str, sources: Iterable[str]) -> float | None:
    """Share of the answer's words in runs of RUN or more that stand in a source word by word; None below RUN words."""
    words = words_of(answer)
    if len(words) < RUN:
        return None
    known: set[tuple[str, ...]] = set()
    for source in sources:
        theirs = words_of(source)
        known.update(tuple(theirs[start : start + RUN]) for start in range(len(theirs) - RUN + 1))
    copied = [False] * len(words)
    for start in range(len(words) - RUN + 1):
        if tuple(words[start : start + RUN]) in known:
            copied[start : start + RUN] = [True] * RUN
    return sum(copied) / len(words)


def words_of(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]
