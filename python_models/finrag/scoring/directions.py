"""The sign that words give to an amount: "a net loss of $350 million", "fell 5%", "a 5% decrease", "used in"."""

from __future__ import annotations

import re

ABOUT = r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|just|some|more|less|than|up|US|USD|as)"
# Levels that are negative whatever verb follows; "loss ratio" and "the loss of exclusivity" are none.
LOSS = re.compile(
    rf"\b(?:loss(?:es)?(?!\s(?:ratio|carry|reserve|adjustment|contingenc|provision|rate|prevention|absor))"
    rf"(?!\sof\s(?!(?:{ABOUT}|the)\b)[a-z])|deficit|negative|minus|outflows?|shortfall|lost"
    r"|cash\s(?:\w+\s){0,3}used|used\s(?:\w+\s){0,2}cash|activities\sused|used\s(?:in|by)\s(?:\w+\s){0,2}(?:activities|operations))\b",
    re.I,
)
FALL_VERBS = (
    r"decreas(?:ed|es|ing)|declin(?:ed|es|ing)|fell|falls|falling|dropp(?:ed|ing)|drops|reduc(?:ed|es|ing)|contracted"
    r"|shrank|shrunk|slipped|slid|sank|plunged|tumbled|plummeted|cut|weakened|eroded|down|lower|paid\sdown"
)
FALL_NOUNS = r"decreases?|declines?|drop|fall|reductions?|contraction"
RISE_WORDS = (
    r"increas\w+|gr(?:ew|ow|own|owth|owing|ows)|r[oi]se|rises|rising|up|higher|improv\w+|expan\w+|gain(?:ed|s)?|climbed"
    r"|jumped|surged|widened|added|advanced"
)
# A level follows these, no change: "fell to $2.3 billion", "down from $50 million".
LEVEL = r"(?:to|at|from|than|below|above|versus|vs|against|was|were|is|totall?ed|reached|stood|and|but|while|whereas|when|on)"
STEP = rf"(?:[\s,*:~≈(]+(?!{LEVEL}\b)[a-z'’*&-]+){{0,9}}[\s,*:~≈(]*"
STEP_OF_NOUN = r"(?:[\s,*:~≈(]+(?!(?:to|from|than|and|but|while)\b)[a-z'’*&-]+){0,9}[\s,*:~≈(]*"
CHANGE = re.compile(
    rf"\b(?:(?P<verb>{FALL_VERBS}){STEP}|(?P<noun>{FALL_NOUNS}){STEP_OF_NOUN}|(?P<rise>{RISE_WORDS}){STEP})$", re.I
)
AFTER = re.compile(
    r"^\W{0,2}(?:(?:net|operating|year[- ]over[- ]year|annual|total|overall|of|in|sharp|slight|modest)\s){0,3}"
    rf"(?:(?P<fall>{FALL_NOUNS}|loss(?:es)?(?!\s(?:ratio|carry|reserve))|lower|less|fewer|below|shortfall|deficit|outflow)"
    r"|(?P<rise>increase|rise|growth|gain|higher|more|above|improvement|profit))\b",
    re.I,
)
BRACKETED_WORDS = re.compile(r"\((?:[a-z]+\s?){1,3}\)", re.I)  # "income (loss)", "provided by (used in)"


def direction(before: str, after: str) -> int:
    """-1 for a loss or a fall, 1 for a rise, 0 where the words around an amount say neither.

    before and after are the text next to the amount. Only its own clause counts: nothing past another figure, a full
    stop or a semicolon.
    """
    clause = re.split(r"[.;]\s|[;\n|]|\d", BRACKETED_WORDS.sub("", before))[-1]
    after_match = AFTER.match(after)
    if after_match:
        return -1 if after_match["fall"] else 1
    change = CHANGE.search(clause)
    if change:
        return 1 if change["rise"] else -1
    return -1 if LOSS.search(clause) else 0
