"""Cosine of sentence embeddings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from finrag.scoring.rouge import check_pairs


def cosine(
    candidates: Sequence[str], references: Sequence[str], encode: Callable[[list[str]], np.ndarray]
) -> np.ndarray:
    """Cosine of each candidate with its reference, shape (pairs,), between -1 and 1.

    encode gives one vector per text, shape (texts, dimension), of any length; it is called once, with the distinct
    texts. A text without words, or whose vector is 0, scores 0.
    """
    check_pairs(candidates, references)
    places = {text: place for place, text in enumerate(dict.fromkeys([*candidates, *references]))}
    if not places:
        return np.empty(0)
    vectors = np.asarray(encode(list(places)), dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    unit[[place for text, place in places.items() if not text.strip()]] = 0
    left, right = ([places[text] for text in texts] for texts in (candidates, references))
    return np.einsum("pd,pd->p", unit[left], unit[right])
