"""Whether the evidence of a claim says what the claim does of names, directions, opposites and denials."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from finrag.judging.sources import Case, joined, names_of
from finrag.text.causes import MARKER
from finrag.text.opposites import are_opposed
from finrag.text.plain_text import SCALES
from finrag.text.stems import PAST_OF
from finrag.text.tokens import DOWN, MODAL, UP, direction, directions, is_negation, is_number, key, tokens
from finrag.text.vocabulary import CONTRASTS, members
from finrag.text.years import MONTH_OF

# Tokens to either side that a rise or fall is told by.
WINDOW = 6
# Similarity of what the source knows at all, from which a name in it is in place of another.
NAMED_ALIKE = 0.8
OTHER_CLAUSE = members(CONTRASTS)
NOTHING = (0, 0, 0)


@dataclass(frozen=True)
class Move:
    """A rise or a fall: the place of its word, which of both, the words near before and after it, and what it is of,
    with the figure right after it."""

    place: int
    turn: str
    before: frozenset[str]
    after: frozenset[str]
    subject: frozenset[str]


def check_names(case: Case) -> tuple[str, str]:
    stated = {token.removesuffix("'s") for token in case.stated}
    words, best = case.words, case.found[0]
    for name in names_of(case.claim):
        parts = [part.removesuffix("'s") for part in tokens(name)]
        if all(part in stated or MONTH_OF.get(part) in stated for part in parts):
            continue
        others = [other for sentence in case.found for other in sentence.names if other not in words]
        is_known = all(part in case.source.words or part in case.known for part in parts)
        if is_known and not others:
            continue
        if is_known:
            return "", f"The evidence does not name {name.title()}."
        if others and rest_covered(case) >= NAMED_ALIKE and case.is_rewording:
            return f"It names {name.title()}, the evidence {others[0].title()}.", ""
        return "", f"{name.title()} is not in the source."
    first, theirs = words[0], best.tokens[0]
    is_other = first not in case.source.words and first not in case.known and theirs not in words
    if is_other and key(first) and key(theirs) and direction(first) is None:
        return "", f"It begins with {first}, which is not in the source, the evidence with {theirs}."
    return "", ""


def rest_covered(case: Case) -> float:
    """Of the claim's words that the source knows at all, the share of weight that the evidence covers."""
    terms = {term for term in case.keys if term in case.source.holders}
    total = math.fsum(map(case.source.weight, terms))
    covered = {term for sentence in case.found for term in sentence.keys}
    return math.fsum(case.source.weight(term) for term in terms & covered) / total if total else 0.0


def check_directions(case: Case) -> tuple[str, str]:
    """Whether each rise and fall is one of the same thing in the evidence, and not that of its cause."""
    words = case.words
    mine_all = moves_of(words)
    theirs_all = [move for sentence in case.found for move in moves_of(sentence.tokens)]
    own = Counter(move.turn for move in mine_all)
    nearest = [max((overlap(mine, theirs) for mine in mine_all), default=NOTHING) for theirs in theirs_all]
    for mine in mine_all:
        word = words[mine.place]
        if not theirs_all:
            return "", f"The evidence does not say {word}."
        overlaps = [overlap(mine, theirs) for theirs in theirs_all]
        most = max(overlaps)
        best = [number for number, each in enumerate(overlaps) if each == most]
        turns = {theirs_all[number].turn for number in best}
        if turns == {DOWN if mine.turn == UP else UP}:
            # another word of the claim may stand nearer to it, and this one speaks of something else
            agreeing = [
                overlap(other, theirs_all[number]) for number in best for other in mine_all if other.turn != mine.turn
            ]
            is_nearest = any(nearest[number] == most for number in best)
            if most > NOTHING and is_nearest and max(agreeing, default=NOTHING) < most:
                return f"It says {word}, and the evidence the opposite.", ""
            return "", f"The evidence says the opposite of {word}, maybe of something else."
        is_excess = own[mine.turn] > sum(theirs.turn == mine.turn for theirs in theirs_all)
        if len(turns) == 2 and is_excess and case.is_rewording:
            return f"It says {word} where the evidence says the opposite.", ""
    return "", ""


def moves_of(words: Sequence[str]) -> list[Move]:
    turns = directions(words)
    edges = {place for place, _ in turns}
    edges |= {place for place, word in enumerate(words) if is_number(word) or word in OTHER_CLAUSE}
    found = []
    for place, turn in turns:
        before, after = range(place - 1, max(-1, place - 1 - WINDOW), -1), range(place + 1, len(words))[:WINDOW]
        start = subject_after(words, place)
        around = before if start is None else range(start, len(words))[:WINDOW]
        subject = takewhile(lambda other: other not in edges, around)
        sides = [near_words([words[other] for other in each]) for each in (before, after, subject)]
        if found and start is None and words[place - 1] in ("and", "but", "then"):
            sides[2] = found[-1].subject  # "sales rose 9% in 2020 and fell 3% in 2021"
        sides[2] |= set(filter(is_number, words[place + 1 : place + 3]))
        found.append(Move(place, turn, *sides))
    return found


def subject_after(words: Sequence[str], place: int) -> int | None:
    """Where what rises or falls begins after its word, as in "higher sales", "an increase in sales" and "an increase of
    5% in sales"; None where it stands before it, as in "sales increased because of" and "the increase in 2020"."""
    after = words[place + 1 : place + 1 + WINDOW]
    empty = list(takewhile(lambda word: key(word) is None or word in SCALES, after))
    is_past = words[place].endswith("ed") or words[place] in PAST_OF
    if not is_past and {"in", "of"}.intersection(takewhile(lambda word: not is_number(word), reversed(empty))):
        return place + 1 + len(empty)
    is_next = after and not empty and not after[0].endswith("ly") and not MARKER.match(f"{joined(after)} ")
    return place + 1 if is_next else None


def near_words(words: Sequence[str]) -> frozenset[str]:
    terms = set(filter(None, map(key, words))) - {UP, DOWN}
    return frozenset(terms.union(filter(is_number, words)))


def overlap(mine: Move, theirs: Move) -> tuple[int, int, int]:
    """Words that rise or fall in both, that stand around both, and that stand on the same side of both."""
    around = (mine.before | mine.after) & (theirs.before | theirs.after)
    sided = len(mine.before & theirs.before) + len(mine.after & theirs.after)
    return len(mine.subject & theirs.subject), len(around), sided


def check_opposites(case: Case) -> tuple[str, str]:
    """A word for its opposite: sold for acquired, loss for income, gross for net.

    Next to the same word, and nowhere so in the evidence, it stands in the opposite's place. Elsewhere it is a doubt
    where the evidence has the one nowhere and the claim not the other.
    """
    best = case.found[0]
    mine, theirs = pairs(case.words), pairs(best.tokens)
    stated = {pair[:-1] for sentence in case.found for pair in pairs(sentence.tokens)}
    claimed = {pair[:-1] for pair in mine}
    both = {frozenset(pair[1:3]) for pair in theirs}  # "income (loss)" is either
    covered = {term for sentence in case.found for term in sentence.keys}
    doubt = ""
    for side, beside, term, word in mine:
        if (side, beside, term) in stated:
            continue
        for there, near, their_term, other in theirs:
            if (there, near, their_term) in claimed or {term, their_term} in both or not are_opposed(word, other):
                continue
            told = f"It says {word}, the evidence {other}."
            is_in_place = (side, beside) == (there, near)
            if is_in_place and case.is_rewording:
                return told, ""
            if is_in_place or (term not in covered and their_term not in case.keys):
                doubt = doubt or told
    return "", doubt


def pairs(words: Sequence[str]) -> list[tuple[int, str | None, str | None, str]]:
    """Each word of content with that before it (-1) and with that after it (1), as their keys, and as it is written."""
    said = [word for word in words if key(word)]
    after = [(1, key(two), key(one), one) for one, two in pairwise(said)]
    return after + [(-1, key(one), key(two), two) for one, two in pairwise(said)]


def check_negation(case: Case) -> tuple[str, str]:
    best = case.found[0]
    mine, theirs = negated_terms(case.words), negated_terms(best.tokens)
    anywhere = [terms for sentence in case.found for terms in negated_terms(sentence.tokens)]
    sides = (
        (mine, theirs, anywhere, best.keys, "It negates what the evidence says."),
        (theirs, mine, mine, case.keys, "The evidence negates it."),
    )
    for negated, others, denied, keys, told in sides:
        alone = [each for each in negated if not any(each & other for other in denied)]
        # beside another negation, one that says nothing more, or of what the other side leaves out, denies nothing
        if any(each <= keys and (each or not others) for each in alone) and case.is_rewording:
            return told, ""
        if alone and not others:
            return "", told
    return "", ""


def negated_terms(words: Sequence[str]) -> list[set[str]]:
    """What each negation is about: the first two words of content between it and the next. "No. 142" is none."""
    numbered = {place for place, (word, after) in enumerate(pairwise(words)) if word == "no" and is_number(after)}
    places = [place for place, word in enumerate(words) if is_negation(word) and place not in numbered]
    return [
        set([term for term in map(key, words[place + 1 : end]) if term][:2])
        for place, end in pairwise((*places, len(words)))
    ]


def check_modality(case: Case) -> tuple[str, str]:
    best = case.found[0]
    # the month of May is a capitalised may
    may = {"may"} if re.search(r"\bmay\b", best.text) else set()
    modal = {token for token in best.tokens if MODAL.match(token)} | may
    own = {token for token in case.words if MODAL.match(token)} | ({"may", "will"} & set(case.words))
    return "", f"The evidence says {min(modal)}, it does not." if modal and not own else ""


def check_end(case: Case) -> tuple[str, str]:
    """Whether the claim ends within a word of the evidence, as a reply that was cut off does."""
    last = case.words[-1]
    if not case.claim.rstrip().endswith(last[-1]) or last in case.source.words or not last.isalpha():
        return "", ""
    for sentence in case.found:
        for before, token in pairwise(sentence.tokens):
            if before == case.words[-2:][0] and token.startswith(last) and token[len(last) :] not in ("s", "es"):
                return "", f"It breaks off in {token}."
    return "", ""
