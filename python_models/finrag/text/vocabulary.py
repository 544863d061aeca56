"""Words that say little by themselves, by class, and turns of phrase that several readers look for.

Each class is written as the alternatives of a pattern ("is|are|was|were"), to be put into patterns as it is; ``words``
makes a set of them. A reader adds what only it knows.
"""

from __future__ import annotations


def members(*classes: str) -> frozenset[str]:
    """The words of classes that are alternatives of plain words."""
    return frozenset(word for each in classes for word in each.split("|"))


ARTICLES = "a|an|the"
BE = "is|are|was|were"
HAVE = "has|have|had"
DO = "does|do|did"
CAN = "can|could"
WILL = "will|would"
MAY = "may|might"
AT = "at|for|from|in|on"
PREPOSITIONS = f"{AT}|by|of|to"
LIMITS = "over|per|than|under"
TIMES = "after|before|during"
PLACES = "across|among|between|since|through"
POSSESSIVES = "its|our|their"
PERSONS = "he|it|she|they"
DEMONSTRATIVES = "these|this|those"
QUESTIONS = "how|what|when|which|who"
PARTS = "all|both|each"
NEGATIONS = "no|never|neither|nor|without|cannot|none"  # and not, where nothing but a no can follow
# The clause after these says something else than the one before.
CONCESSIVES = "although|though|while|whereas"
CONTRASTS = f"but|however|{CONCESSIVES}"
# "about $5 million"
APPROXIMATELY = "nearly|almost|about|roughly|around|approximately"
ORDINALS = "first|second|third|fourth|fifth"
# What is compared or counted from stands after these.
COMPARISONS = "from|than|to|versus|vs|against"
# Beginnings of verbs by which a text names things.
NAMING = "nam|list|cit|includ|report|identif|operat"
# Words that every text is full of, and others that most are.
COMMON = members(
    *(ARTICLES, BE, HAVE, DO, PREPOSITIONS, LIMITS, QUESTIONS, DEMONSTRATIVES),
    "as|with|its|their|that|it|and|or|all|also|any|may|while",
)
FREQUENT = members("about|be|been|but|into|companies|company|most|other|them|they")
# What questions about filings say whatever they ask.
ASKED = members(
    "according|describe|described|describes|discuss|explain|explained|explains|filing|filings|fiscal|form|item|report"
    "|reported|reports|say|says|section|state|stated|states|why|year|years"
)
# Verbs that only lead to a figure.
STATING = "amounted|came|posted|reach|reached|recognized|record|recorded|reported|stood|total|totaled|totalled"
# Legal forms as companies write them. What else may end a name stands with its readers.
LEGAL = "Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|plc|LLC"
