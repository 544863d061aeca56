"""What a similarity metric gives to unrelated texts: each candidate against another question's reference.

A BERTScore of 0.8 says little where unrelated answers get 0.78. The pairing is a derangement drawn by a seeded hash of
the question ids, so it depends neither on the order of the rows nor on which other runs are scored with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

SEED = "finrag"


def partners(references: Mapping[str, str], seed: str = SEED) -> dict[str, str | None]:
    """For each question the question whose reference its candidates are also scored against.

    Questions stand in a circle in the order of a seeded hash; the partner is the next one whose reference is another
    text, None if all are the same. With distinct references that is a derangement: each is used once, none by its own.
    """
    circle = sorted(references, key=lambda question: hashlib.sha256(f"{seed}|{question}".encode()).hexdigest())
    found: dict[str, str | None] = {}
    for place, question in enumerate(circle):
        following = circle[place + 1 :] + circle[:place]
        found[question] = next((other for other in following if references[other] != references[question]), None)
    return found
