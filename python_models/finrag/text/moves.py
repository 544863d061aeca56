"""Rise and fall: what a sentence says to a question that asks for one of them, in words, by a denial or by figures."""

from __future__ import annotations

import re
from functools import lru_cache

from finrag.text.amounts import parse_amounts
from finrag.text.directions import ENDING, FALLS, RISES
from finrag.text.stems import stem
from finrag.text.vocabulary import ASKED, BE, CAN, CONTRASTS, DO, HAVE
from finrag.text.words import FALL, NEGATION, RISE, content_words
from finrag.text.years import YEAR_DIGITS, find_years

CREDIT_LOSS = re.compile(r"\b(?:credit|loan|impairment)\sloss\w*", re.I)
# Only the first sentence decides, and only where it answers with the question's own auxiliary.
DENIAL = re.compile(
    rf"\b(?:(?:{DO}|{BE}|{HAVE}|{CAN})(?:\s+not|n['’]t)|cannot)\b(?!\s+(?:only|just|merely|necessarily))"
    r"|\b(?:never|at no point)\b|^there (?:is|are|was|were) none\b"
    r"|^(?:neither|none of)\b|\bnot\s(?:correct|true|right|accurate|the case)\b|\b(?:is|was)\s+(?:incorrect"
    r"|false|untrue|wrong|inaccurate)\b",
    re.I,
)
# What comes after a denial: "It did not fall; it rose", "was no decrease but an increase".
TURN = re.compile(
    r"[;:,–—]\s?|\s(?:but|so)\s(?:rather\s|instead\s|actually\s|in fact\s)?|\s(?=because\b|due to\b)|\s-\s"
)
BARE_MOVE = re.compile(rf"^(?:(?:an?|rather|instead|actually|in fact)\s)?(?:{RISES}|{FALLS})", re.I)
# Clauses of which each may tell of another thing.
CLAUSES = re.compile(rf";\s|,\sand\s|,?\s(?:{CONTRASTS})\s", re.I)
OWNER = re.compile(r"\b[A-Z][\w&.-]*['’]s\b")
# What it was before, or follows from it: "fell 2%, following a 4% gain", "identified a weakness and concluded that …".
BEFORE_IT = re.compile(
    r",?\s(?:following|after|compared|versus|vs\.?|against|reversing|up from|down from|having (?:begun|started))\s",
    re.I,
)
# "12%, versus 11% for peers" is of no year before; "$9 million in 2022 and net income $5 million" of another thing.
OF_BEFORE = re.compile(
    rf"\b(?:after|following|reversing|begun|started|before|earlier|prior|previous|last|year|{YEAR_DIGITS})\b", re.I
)
OF_ANOTHER = re.compile(r"\b(?:and|but|while|whereas|with)\s(?![$€£(]*$|(?:in|for|during|at|then)\b)", re.I)
PRONOUN = re.compile(r"^(?:it|they|this|that|the company)\b", re.I)
THAN = re.compile(r"\s(?:than|versus|vs\.?|compared (?:to|with))\s", re.I)
IN_YEAR = re.compile(rf"\b(?:in|during|for)\s(?:fiscal\s|FY\s?|(?:the\s)?year\s)?({YEAR_DIGITS})\b", re.I)
# Why something rose or fell is not whether it did.
CAUSE = re.compile(
    r"\s(?:because|due to|as a result of|driven by|reflecting|attributable to|owing to|primarily)\b.*$", re.I
)
# Verbs that say no without a not.
UNDONE = re.compile(
    r"\b(?:refrain|suspend|discontinu|eliminat|ceas|halt|abstain|forgo|forwent|forego|omit|lack|avoid"
    r"|declined to|failed to|fails to|miss(?=\b|ed|es\b|ing)|f[ae]ll(?:s|ing)? short"
    r"|stopped|paused|withheld|free of|absence of|absent)\w*",
    re.I,
)
# Where a question looks for its answer is nothing that it asks.
SOURCE = re.compile(
    r"\b(?:based on|according to|as of|at the end of|at (?:fiscal )?year[- ]end|per (?:the|its))\s.*$", re.I | re.S
)
# Share of the question's words that a sentence repeats when it answers by saying it again, or by saying the opposite.
LEAST_RESTATED = 0.6
# Where "it" stands for the rest, or "no" denies it: "It paid $1.04 per share.", "There is no material litigation."
LEAST_RESTATED_SHORT = 0.5
# Neither a rise nor a fall.
FLAT = re.compile(r"\b(?:flat|unchanged|stable|steady|constant|the same|no change|neither|maintain(?:s|ed))\b", re.I)
LESS = re.compile(r"\b(?:below|less|smaller|fewer)\b", re.I)
WIDENED = re.compile(rf"\b(?:widen|boost|hik|climb|surg|jump|strengthen|accelerat){ENDING}", re.I)
NARROWED = re.compile(
    r"(?<!\ba\s)(?<!\bthe\s)(?<!\bits\s)(?<!\bnew\s)\bcontract(?:ed|ing)?(?=\s(?:in|by|to|from|during)\b|\W*$)"
    r"|\bcuts?\b|\bcutting\b|\b(?:trimm|slash|narrow|worsen|compress|weaken|deteriorat|slipp|slid|plung|tumbl|shr[aiu]nk|slowed)"
    rf"{ENDING}",
    re.I,
)
EXCEED = re.compile(r"\b(?:exceed\w*|rais(?:e|es|ed|ing)|above|more|greater|larger|higher)\b", re.I)


def moved(question: str, sentence: str) -> bool | None:
    """Whether two figures go the way that is asked for: "It was $801 million in 2021 and $884 million in 2022".

    None where no rise or fall is asked for, the sentence says one in words or is not of it, or none of the two figures
    is the earlier one by its year, by "from … to" or by what compares them.
    """
    asked = directions_of(lowercase(question))
    if len(asked) != 1 or directions_of(sentence) or is_negative(question) or is_negative(sentence):
        return None
    amounts = [amount for amount in parse_amounts(sentence) if not re.fullmatch(YEAR_DIGITS, amount.text.strip())]
    if len(amounts) != 2 or amounts[0].unit != amounts[1].unit or not is_of(question, sentence):
        return None
    first, second = amounts
    between = f" {sentence[first.end : second.start].lstrip()}"
    years = [(int(year[0]), year.start()) for year in re.finditer(YEAR_DIGITS, sentence)]
    # figures before each: both years stand before theirs, or both after
    places = [sum(place > amount.start for amount in amounts) for _, place in years]
    if OF_ANOTHER.search(between):
        return None
    if places in ([0, 1], [1, 2]) and years[0][0] != years[1][0]:
        is_later = years[1][0] > years[0][0]
    elif re.search(r"\bfrom\s\W*$", sentence[: first.start]) and re.search(r"\bto\s\W*$", between):
        is_later = True
    elif BEFORE_IT.search(between) and OF_BEFORE.search(sentence[first.end :]):
        is_later = False
    else:
        return None
    earlier, later = (first, second) if is_later else (second, first)
    return later.value > earlier.value if "rise" in asked else later.value < earlier.value


def is_of(question: str, sentence: str) -> bool:
    """Whether a sentence has half of a question's words, without its names and words of rising or falling."""
    words = {stem(word) for word in content_words(lowercase(SOURCE.sub("", question))) if not directions_of(word)}
    return len(words & {stem(word) for word in content_words(sentence)}) >= LEAST_RESTATED_SHORT * len(words)


def says_by_denial(question: str, found: list[str]) -> bool | None:
    """What "It did not decrease; it increased" says to a question for one of them; None of other denials.

    What comes after the denial decides, where it is of what is asked; otherwise the denial of the opposite.
    """
    asked = directions_of(lowercase(question))
    head, *clauses = TURN.split(found[0])
    denied = directions_of(head)
    if len(asked) != 1 or is_negative(question) or not DENIAL.search(head) or len(denied) > 1:
        return None
    clauses += [clause for sentence in found[1:2] if PRONOUN.match(sentence) for clause in TURN.split(sentence)]
    for clause in map(str.strip, clauses):
        is_meant = PRONOUN.match(clause) or BARE_MOVE.match(clause) or is_of(question, clause)
        said = directions_of(clause) if is_meant and not CAUSE.match(f" {clause}") else frozenset()
        if is_meant and not said and FLAT.search(clause):
            return False
        if len(said) == 1:
            return (said == asked) != is_negative(clause)
    return denied != asked if denied and (PRONOUN.match(head) or is_of(question, head)) else None


def is_of_a_year_before(question: str, sentence: str) -> bool:
    asked = [int(year) for year in IN_YEAR.findall(question)]
    sentence = THAN.split(sentence)[0] or sentence
    return bool(asked and IN_YEAR.search(sentence)) and max(find_years(sentence)[0], default=max(asked)) < min(asked)


def says_in_a_clause(question: str, sentence: str) -> bool | None:
    """What the clause with most of the question's words says, where clauses say that one thing rose and another fell.

    None where two have as many, or one has a word of the question that it lacks.
    """
    asked = directions_of(lowercase(question))
    if len(asked) != 1 or len(directions_of(sentence)) != 2:
        return None
    words = content_words(OWNER.sub("", SOURCE.sub("", question))) - ASKED
    wanted = {stem(word) for word in words if not directions_of(word)}
    clauses = CLAUSES.split(sentence)
    found, words = [], set()
    for clause in clauses:
        said = {stem(word) for word in content_words(clause)} & wanted
        words = words | said if BARE_MOVE.match(clause) else said  # "rose in 2023 but fell in 2024"
        if not is_of_a_year_before(question, clause):
            found.append((words, clause))
    most, best = max(found, key=lambda each: len(each[0]), default=(set(), ""))
    others = [words for words, clause in found if clause != best]
    moves = directions_of(CAUSE.sub("", best))
    if len(clauses) < 2 or len(most) < LEAST_RESTATED * len(wanted) or len(moves) != 1:
        return None
    if any(not words < most for words in others):
        return None
    return (moves == asked) == (is_negative(question) == is_negative(best))


def is_negative(text: str) -> bool:
    return bool(NEGATION.search(text)) or bool(UNDONE.search(text))


@lru_cache(maxsize=4096)  # rules ask it of each word of a question, and of each sentence several times
def directions_of(text: str) -> frozenset[str]:
    text = CREDIT_LOSS.sub(" ", re.sub(r"\bGreater\s(?=[A-Z])", "", text))  # "Greater China"
    rises = RISE.search(text) or EXCEED.search(text) or WIDENED.search(text)
    falls = FALL.search(text) or LESS.search(text) or NARROWED.search(text)
    return frozenset(name for name, is_said in (("rise", rises), ("fall", falls)) if is_said)


def lowercase(question: str) -> str:
    """Without its names: an answer says "it"."""
    return re.sub(r"\b[A-Z][\w'’&.-]*", " ", question)
