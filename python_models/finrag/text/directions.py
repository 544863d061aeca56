"""Words that say that something rose or fell, and the sign that they give to an amount: "a net loss of $350 million",
"fell 5%", "a 5% decrease", "used in"."""

from __future__ import annotations

import re

from finrag.text.vocabulary import APPROXIMATELY, COMPARISONS
from finrag.text.years import YEAR_DIGITS

# What such words end with. A name that only begins as they do has another ending: Dropbox, Gainsborough, Hikma.
ENDING = r"(?:e[ds]?|es|ed|en|ing(?:ly)?|s|n|th|ements?|d(?:s|ed|ing)?|sions?|p(?:ed|ing)|t?ions?|age)?\b"
# The words that say so wherever they stand. What else says so to one reader ("loss", "less", "slipped") stands with
# that reader. macros/patterns/change_words.sql has the words for SQL.
RISES = rf"(?:increas|grew|grow|rose|ris(?:e|es|en|ing)|higher|improv|expan|gain){ENDING}"
FALLS = rf"(?:decreas|declin|fell|fall|drop|lower|reduc|contract(?:ed|ing|ion)){ENDING}"
# Single words: what was, and what is more or less than before.
ROSE = "grew|rose|increased|climbed|jumped|surged"
FELL = "fell|decreased|declined|dropped|shrank|plunged|slipped"
HIGHER = "higher|more|greater|growth|rise|rising|additional"
LOWER = "lower|less|fewer|decline|declines|declined|reduction|reductions|reduced|falling"
COMPARATIVES = "higher|lower|more|less|larger|smaller|greater|fewer"
ABOUT = rf"(?:{APPROXIMATELY}|approx\.?|over|under|just|some|more|less|than|up|US|USD|as)"
# "10% ↓", "▲ 3%": of figures and of nothing else.
FALL_SIGNS, RISE_SIGNS = "▼↓⬇🔻📉", "▲↑⬆🔺📈"
SIGN_AFTER = re.compile(rf"\s?(?P<sign>[{FALL_SIGNS}{RISE_SIGNS}])(?!\W*\d)")
SIGN_BEFORE = re.compile(rf"(?P<sign>[{FALL_SIGNS}{RISE_SIGNS}])\W{{0,3}}$")
# Levels that are negative whatever verb follows; "loss ratio" and "the loss of exclusivity" are none.
LOSS = re.compile(
    rf"\b(?:loss(?:es)?(?!\s(?:ratio|carry|reserve|adjustment|contingenc|provision|rate|prevention|absor))"
    rf"(?!\sof\s(?!(?:{ABOUT}|the)\b)[a-z])|deficit|negative|(?:unfavou?rable|adverse)\s(?:\w+\s){{0,3}}(?:impact|effect)|minus|outflows?|shortfall|lost|losing"
    r"|cash\s(?:burn(?:ed)?|drain)|(?:was|were)\san?\s(?:net\s)?use\sof|cash\s(?:\w+\s){0,3}used|used\s(?:\w+\s){0,2}cash|(?:activities|operations)\s(?:used|consumed|burned)|used\s(?:in|by)\s(?:\w+\s){0,2}(?:activities|operations))\b"
    rf"|[{FALL_SIGNS}]",
    re.I,
)
FALL_VERBS = (
    r"decreas(?:ed|es|ing)|declin(?:ed|es|ing)|fell|falls|falling|dropp(?:ed|ing)|drops|reduc(?:ed|es|ing)|contracted"
    r"|shrank|shrunk|slipped|slid|sank|dipped|shed|plunged|tumbled|plummeted|cut|weakened|eroded|narrow(?:ed|ing|s)|compressed|softened|deteriorated|(?<!wrote\s)(?<!write\s)(?<!write-)(?<!written\s)(?<!writing\s)down|lower|paid\sdown|lowered|lowers|lowering|negatively\s(?:affected|impacted)|(?<=was\s)off|(?<=were\s)off"
)
FALL_NOUNS = r"decreases?|declines?|drop|fall|reductions?|contraction"
RISE_WORDS = (
    rf"{RISES}|(?<!made )(?<!make )(?<!makes )(?<!making )(?<!ended )up"
    r"|climbed|jumped|surged|widened|added|advanced"
)
# A level follows these, no change: "fell to $2.3 billion", "down from $50 million".
LEVEL = (
    rf"(?:{COMPARISONS}|at|below|above|was|were|is|totall?ed|reached|stood|and|but|while"
    r"|whereas|when|on)"
)
WORDS = rf"(?:[\s,*:~≈(]+(?!{LEVEL}\b)[a-z'’*&-]+){{0,9}}[\s,*:~≈(]*"
WORDS_AFTER_NOUN = r"(?:[\s,*:~≈(]+(?!(?:to|from|than|and|but|while)\b)[a-z'’*&-]+){0,9}[\s,*:~≈(]*"
CHANGE = re.compile(rf"\b(?:(?P<verb>{FALL_VERBS})|(?P<noun>{FALL_NOUNS})|(?P<rise>{RISE_WORDS}))\b", re.I)
# A level after a change that is said before it: "consistent growth, with total assets of", "fell, coming in at".
LEVEL_NAMED = re.compile(
    r"(?:[,:–—]|\swith)\s+(?!.*\b(?:change|difference)\b)(?:[\w'’&*-]+\s+){0,9}?"
    r"(?:of|at|reach\w+|total\w*|earn\w+|generat\w+|report\w+|record\w+|post\w+|amounting\sto)[\s*:~≈(]*$",
    re.I,
)
BEFORE_ALL = re.compile(r"^\W*(?:following|after|despite|amid|given|reflecting|notwithstanding)\b[^,]*$", re.I)
AFTER = re.compile(
    # "53.2%, below the limit of 65%" is no fall
    rf"^(?!\W*,\s(?:below|above|(?:{COMPARATIVES})\sthan)\b)"
    r"[^\w.;\n]{0,2}(?:(?<=\()an?\s)?(?:(?:revenue|sales|volume|organic|net|operating"
    r"|year[- ]o(?:ver|n)[- ]year|yoy|y/y|annual|total|overall|of|in|sharp|slight|modest)\s){0,3}"
    rf"(?:(?P<fall>{FALL_NOUNS}|lower|less|fewer|smaller|below)|(?P<loss>loss(?:es)?(?!\s(?:ratio|carry|reserve))|shortfall|deficit|outflow|(?<=\()negative(?=\)))"
    r"|(?P<rise>increase|rise|growth|gain|higher|more(?!\sthan\s(?:double|triple|twice|half|three|four))|larger|bigger|above|improvement)|(?P<income>(?:earnings|income|profit)(?!\s(?:\(|tax))))\b",
    re.I,
)
# The verb of these stands further back: "fell from $5 to $4 million, by $1 million", "it fell: the change was 3%".
OF_CHANGE = re.compile(
    r"\b(?:(?<!driven\s)(?<!offset\s)(?<!funded\s)(?<!caused\s)(?<!financed\s)by|(?:difference|change)\s(?:of|was|is|equals))\s+\W*$",
    re.I,
)
# Not in the clause of the amount: "income (loss)", "provided by (used in)", and years, which are no figures.
ASIDE = re.compile(
    rf"\((?:[a-z]+\s?){{1,3}}\)|\b{YEAR_DIGITS}\b"
    r"|\bas\sa\spercent(?:age)?\sof\s(?:net\s|total\s)?(?:sales|revenues?)\b",
    re.I,
)
# "used $5 million of cash": between the two words stands the amount.
USED = re.compile(
    r"\b(?:used|consum(?:ed|ing)|burn(?:ed|t|ing)|burned through)\s(?:about\s|nearly\s|roughly\s)?\W*$", re.I
)
OF_CASH = re.compile(r"\W{0,2}(?:of|in)\s(?:net\s|operating\s|free\s)?cash\b", re.I)
GAIN = re.compile(r"\b(?:income|profits?|earnings|EPS|revenues?|sales|provided|inflows?|surplus)\b", re.I)
NEGATIVE = re.compile(r"negative\s(?:[a-z]+\s){0,3}", re.I)  # "a negative gross profit"
LEVELS_OF_GAIN = {"income", "profit", "profits", "earnings", "eps", "provided", "inflow", "inflows", "surplus"}


def direction(before: str, after: str) -> tuple[int, bool]:
    """-1 for a loss or a fall, 1 for a rise or an income, 0 where the words around an amount say neither; and whether
    they make it a change ("fell by $5 million"), no level ("a loss of $5 million", "fell to $5 million").

    before and after are the text next to the amount. Only its own clause counts: nothing past another figure, a full
    stop or a semicolon. "It fell from $5 to $4 million, by $1 million" goes back to its verb.
    """
    found = AFTER.match(after)
    if found and found["income"]:
        return 1, False
    if found:
        return (1, True) if found["rise"] else (-1, bool(found["fall"]))
    if OF_CASH.match(after) and USED.search(before):
        return -1, False
    before = ASIDE.sub("", before)
    clause = re.split(r"[.;]\s|[;\n|]|\d", before)[-1]
    changes = list(CHANGE.finditer(clause))
    gap = clause[changes[-1].end() :] if changes else ""
    if (
        changes
        and re.fullmatch(WORDS_AFTER_NOUN if changes[-1]["noun"] else WORDS, gap, re.I)
        and not LEVEL_NAMED.search(gap)
        and not ("," in gap and BEFORE_ALL.match(clause[: changes[-1].end()]))
    ):
        return (1 if changes[-1]["rise"] else -1), True
    if named := OF_CHANGE.search(clause):
        clause = re.split(r"(?<!\.[a-z])(?<!vs)[.;]\s|\n", before)[-1]
        changes = list(CHANGE.finditer(clause))
        if changes or named[0].startswith("by"):
            return (0 if not changes else 1 if changes[-1]["rise"] else -1), True
    losses, gains = list(LOSS.finditer(clause)), list(GAIN.finditer(clause))
    is_negative = losses and gains and NEGATIVE.fullmatch(clause[losses[-1].start() : gains[-1].start()])
    if losses and (is_negative or not gains or gains[-1].start() < losses[-1].end()):
        return -1, False
    return (1 if gains and gains[-1][0].lower() in LEVELS_OF_GAIN else 0), False


def arrow(before: str, after: str) -> int:
    """-1 or 1 for a percentage with an arrow beside it, 0 without one."""
    found = SIGN_AFTER.match(after) or SIGN_BEFORE.search(before[-4:])
    return 0 if not found else -1 if found["sign"] in FALL_SIGNS else 1
