"""What the name of a file says of its document, and the number of a company that is known by its name alone."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

HTML = (".htm", ".html")
ENDINGS = (".pdf", ".md", ".markdown", ".mmd", ".txt", *HTML)
# Companies that no number is known of: numbers beyond those that EDGAR has given out.
FIRST_OF_UNKNOWN = 9_000_000_000
NUMBERS_OF_UNKNOWN = 999_999_999

# Annual reports of LEDGER are called NYSE_SHW_2017.
_NAMED = re.compile(
    r"(?:(?:NYSE|NASDAQ|AMEX|LSE|AIM|ASX|TSX)_)?"
    r"(?P<company>[^_]+)_(?P<year>(?:19|20)\d\d)(?:Q[1-4])?(?:_(?P<form>[A-Za-z0-9-]+).*)?"
)


def named_in(doc_id: str) -> re.Match[str] | None:
    """company, year and form of `3M_2018_10K`; None of a name that states no year of a company."""
    return _NAMED.fullmatch(doc_id)


def doc_id_of(path: str) -> str:
    """The file's name without its endings, which is what suites call it by."""
    name = Path(path).name
    name = name[:-3] if name.lower().endswith(".gz") else name
    return name[: -len(Path(name).suffix)] if name.lower().endswith(ENDINGS) else name


def number_of(company: str) -> int:
    """A number for a company that is known by its name alone, the same in every document."""
    spelled = "".join(character for character in company.lower() if character.isalnum()) or company
    digest = hashlib.blake2b(spelled.encode(), digest_size=8).digest()
    return FIRST_OF_UNKNOWN + int.from_bytes(digest, "big") % NUMBERS_OF_UNKNOWN
