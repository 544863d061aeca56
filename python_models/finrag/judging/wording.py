"""Whether the evidence of a claim says what the claim does of names, directions, opposites and denials."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from finrag.judging.sources import Case, names_of
from finrag.text.opposites import are_opposed
from finrag.text.tokens import DOWN, MODAL, UP, direction, directions, is_negation, is_number, key, tokens

# Tokens to either side that a rise or fall is told by.
WINDOW = 6
# Similarity of what the source knows at all, from which a name in it is in place of another.
NAMED_ALIKE = 0.8


def check_names(case: Case) -> tuple[str, str]:
    stated = {token.removesuffix("'s") for token in case.stated}
    words, best = case.words, case.found[0]
    for name in names_of(case.claim):
        parts = [part.removesuffix("'s") for part in tokens(name)]
        if all(part in stated for part in parts):
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
    words = case.words
    theirs = [(place, turn, sentence) for sentence in case.found for place, turn in directions(sentence.tokens)]
    own = Counter(turn for _, turn in directions(words))
    mine_around = [(place, turn, near_words(words, place)) for place, turn in directions(words)]
    theirs_around = [(turn, near_words(sentence.tokens, place)) for place, turn, sentence in theirs]
    nearest = [max((len(around & mine) for _, _, mine in mine_around), default=0) for _, around in theirs_around]
    for place, mine, around in mine_around:
        word = words[place]
        if not theirs:
            return "", f"The evidence does not say {word}."
        overlaps = [len(around & other) for _, other in theirs_around]
        most = max(overlaps)
        best = [number for number, overlap in enumerate(overlaps) if overlap == most]
        turns = {theirs_around[number][0] for number in best}
        if turns == {DOWN if mine == UP else UP}:
            # another word of the claim may stand nearer to it, and this one speaks of something else
            agreeing = [
                len(around_it & theirs_around[number][1])
                for number in best
                for _, turn, around_it in mine_around
                if turn != mine
            ]
            is_nearest = any(nearest[number] == most for number in best)
            if most >= 1 and is_nearest and max(agreeing, default=0) < most:
                return f"It says {word}, and the evidence the opposite.", ""
            return "", f"The evidence says the opposite of {word}, maybe of something else."
        is_excess = own[mine] > sum(turn == mine for turn, _ in theirs_around)
        if len(turns) == 2 and is_excess and case.is_rewording:
            return f"It says {word} where the evidence says the opposite.", ""
    return "", ""


def near_words(words: Sequence[str], place: int) -> set[str]:
    around = (*words[max(0, place - WINDOW) : place], *words[place + 1 : place + 1 + WINDOW])
    return {term for term in map(key, around) if term and term not in (UP, DOWN)} | set(filter(is_number, around))


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
