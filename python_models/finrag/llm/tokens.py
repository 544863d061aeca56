"""An estimate of how many tokens a text has, without any model's tokenizer."""

from __future__ import annotations

import re

_PIECE = re.compile(r"(?P<word>[A-Za-z]+)|(?P<digits>\d+)|(?P<other>[^\W\d_]+)|[^\w\s]|_|\n+")


def estimate_tokens(text: str) -> int:
    """Tokens of a text, roughly as today's large vocabularies cut English.

    Ordinary words are one token and long ones more, numbers a token for every three digits, signs one each, other
    scripts a token for about 1.5 letters. A model's own counts, once the ledger holds some, correct the estimate
    (``finrag.llm.estimate``).
    """
    tokens = 0.0
    for piece in _PIECE.finditer(text):
        length = piece.end() - piece.start()
        if piece.lastgroup == "word":
            tokens += 1 if length <= 9 else 1 + (length - 9 + 5) // 6
        elif piece.lastgroup == "digits":
            tokens += (length + 2) // 3
        elif piece.lastgroup == "other":
            tokens += length / 1.5
        else:
            tokens += 1
    return round(tokens)


def most_tokens(text: str) -> int:
    """No tokenizer makes more tokens than a text has bytes; a few are added for the roles of the messages."""
    return len(text.encode("utf-8", "replace")) + 32
