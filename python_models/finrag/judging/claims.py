"""A text as claims: its sentences and lines, and the parts that a semicolon, a bullet or a spaced period separates.

Claims are cut by rules, not by the judge, so that every judge rules on the same ones and none can leave one out. A
sentence that says two things is one claim: it is true only if both are. A bare "Yes." claims nothing by itself.
"""

from __future__ import annotations

import re

from finrag.scoring.text import sentences

# Tokenised text, as many summarisers write, has a space before the period and often no capital after it.
PART = re.compile(r";\s+|(?<=\s)[.!?]\s+|\s*[•●▪]\s*")
NO_CLAIM = re.compile(r"[\W_]*(?:yes|no)?[\W_]*", re.IGNORECASE)


def split_claims(summary: str | None) -> list[str]:
    """The claims of a text in order; none of a blank one."""
    parts = (part.strip() for sentence in sentences(summary or "") for part in PART.split(sentence))
    return [part for part in parts if not NO_CLAIM.fullmatch(part)]
