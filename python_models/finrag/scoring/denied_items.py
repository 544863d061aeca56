"""Whether what an answer says of an item takes it back: denied, sold, still to come, or moved the other way."""

from __future__ import annotations

import re

from finrag.scoring.gold_words import LETTERS, VERB, Gold, Mention, key_of, small
from finrag.text.acts import is_of_another_phase, is_undone
from finrag.text.vocabulary import (
    BE,
    CAN,
    DEMONSTRATIVES,
    DO,
    HAVE,
    PERSONS,
    WILL,
)
from finrag.text.words import REACH
from finrag.text.years import YEAR_DIGITS

BOUNDARY = re.compile(
    r";|:(?=\s|$)|\s[–—-]{1,2}\s|—|(?<=[a-z\d)\]%]{2})[.!?](?=\s|$)"
    r"|,?\s(?:while|whereas|although|though|but|however|albeit|partially\soffset|partly\soffset|offset|compared\s(?:with|to)|versus)\b"
    r"|,\s(?=(?:which|who|whose|where|with\s(?:the|each|both|all|its|most)|as\s(?!well)|reflecting|indicating|bringing|making|resulting|according|each|none|all\sof|both\sof|some\sof)\b)"
    rf"|,?\s(?:and|so)\s(?=(?:{PERSONS}|{DEMONSTRATIVES}|that|the\s(?:company|filing|firm|10-K|notes?))\s)",
    re.I,
)
CONTRAST = re.compile(r"while|whereas|although|though|but|however|albeit", re.I)
OFFSET = re.compile(r"offset|compared|versus", re.I)
DENIAL = re.compile(
    r"\b(?:not(?!\s(?:only|just|merely|limited))|no(?!\.)|never|neither|nor|cannot|none)\b|n['’]t\b", re.I
)
EXCLUSION = re.compile(
    r"\b(?:leav(?:es?|ing)\sout|left\sout|omit\w*|without|excluding|excluded?s?|except|other\sthan|rather\sthan|instead\sof|unlike|besides|aside\sfrom|apart\sfrom)\b"
    r"(?![^,]*,(?=.*\w{3}))",
    re.I,
)
# "having sold B in 2016": it was one.
ENDED = (
    r"(?:clos|sold|sell|sale\sof|divest|dispos|exit|discontinu|terminat|spun\soff|spin-?off|wound\sdown|ceas|shut|dropp"
    r"|repaid|redeem|retire)\w*"
)
LEFT = r"(?:left|resigned|departed|stepped\sdown|retired)"
ENDED_BEFORE = re.compile(
    rf"\b(?:having|after|following|since)\s(?:since\s|already\s|recently\s|the\s|it\s)?{ENDED}[^,;]*$"
    r"|\b(?:it|they|which|who|company|and)\s(?:has\s|have\s|had\s|since\s|later\s)?"
    r"(?:exited|sold\s(?:its|the)|divested|discontinued|terminated|closed|dropped|shut|retired|withdrew\sfrom)\s(?:[a-z]+\s){0,2}$"
    r"|\b(?:former|previously\sowned)\b[^,;]*$",
    re.I,
)
TO_COME = re.compile(
    r"\b(?:(?:is|are)\s(?:opening|building|planning|constructing|developing|considering)|plans?\sto|intends?\sto)\b[^,;]*$",
    re.I,
)
OTHER_ROLE = re.compile(r"\band\s(?:also\s)?(?:an?|its|one)\s(?P<role>(?:[a-z]+\s){1,3})(?:in|at)\s$")
ENDED_AFTER = re.compile(
    rf"^(?:,\s(?:which|who)\s|\s(?:[a-z]+\s){{0,2}}?)(?:was|were|has\sbeen|have\sbeen|had\sbeen)\s(?:since\s|later\s)?{ENDED}"
    rf"|^(?:,\swho)?\s(?:has\s|have\s|had\s)?(?:since\s|later\s)?{LEFT}\b",
    re.I,
)
DENIED_AFTER = re.compile(
    rf"^[^,;\x00]{{0,40}}?\b(?:(?:{BE}|{DO}|{HAVE}|{WILL}|{CAN})\s?(?:not|n['’]t|never)\b(?!\s(?:only|limited))"
    r"|(?:has\s|have\s|had\s)?(?:expired|lapsed|ended)\b"
    r"|(?:is|are|was|were|fell|falls|stayed|came\sin)\s(?:below|excluded|outside|absent|omitted|missing|discontinued|divested|removed)\b"
    r"|(?:declin|decreas|dropp|fell\b|lower\b)(?P<fall>\w*))",
    re.I,
)
UNCHANGED = re.compile(
    r"^\s(?:was|were|is|are|remained|stayed|held)\s(?:\w+ly\s)?(?:flat|unchanged|stable|steady|constant|immaterial|insignificant|negligible)\b",
    re.I,
)
ASKS_CAUSE = re.compile(r"\b(?:led\sto|caus\w+|drove|driv\w+|contribut\w+|why|reason\w*|explain\w*|result\w*)\b", re.I)
RISING = re.compile(r"\b(?:increas|grew|grow|rise|rose|higher|driv|drove|contribut|gain|improv)", re.I)
ALSO = re.compile(r"\b(?:also|too|as\swell|likewise|similarly)\b", re.I)
PREDICATE = re.compile(rf"[^,;\x00]{{0,30}}?\s(?:{BE}|{HAVE}|did|does|remained|became)\b", re.I)
ACTION = re.compile(r"\s[a-z]{2,}ed\s", re.I)
YEAR = re.compile(rf"\b{YEAR_DIGITS}\b")
# A clause that says something of its first item too: "A rose; B fell".
HEADING = re.compile(r"^\W*[^,;]{1,60}?\s(?:is|are|was|were|covers|includes|means|refers|comprises)\s", re.I)
FALL_OF = re.compile(r"\b(?:decrease|decline|reduction|drop|fall)s?\s(?:in|of)\s(?:the\s|its\s)?$", re.I)
CLIMBS = re.compile(r"\b(?:increas|grew|rise|rose|higher|gain|improv)", re.I)
FALLING = re.compile(
    r"\b(?:decreas|declin|fell|fall|lower|reduc|offset|mitigat|hurt|weigh|drop|faded|eased|slowed|subsided)", re.I
)


def is_denied(text: str, bare: str, mention: Mention, gold: Gold, question: str) -> bool:
    """bare is the text with its mentions blanked."""
    start = max(0, mention.start - REACH)
    before = max(BOUNDARY.finditer(text, start, mention.start), key=lambda match: match.end(), default=None)
    cut = BOUNDARY.search(text, mention.end, mention.end + REACH)
    after = cut.start() if cut else mention.end + REACH
    lead = text[before.end() if before else start : mention.start]
    tail = text[mention.end : after]
    if not DENIAL.search(gold.text):
        if DENIAL.search(text, mention.start, mention.end):
            return True
        if any(words.search(lead) and not words.search(question) for words in (DENIAL, EXCLUSION)):
            return True
        if (no := DENIED_AFTER.search(tail)) and (
            no["fall"] is None
            or (
                not re.search(r"\sand\s", tail[: no.start("fall")])
                and not gold.sign
                and RISING.search(question)
                and not FALLING.search(question)
            )
        ):
            return True
    if is_taken_back(text, bare, mention, after, gold, question):
        return True
    cue = before[0] if before else ""
    if FALL_OF.search(lead) and not gold.sign and not FALLING.search(question):
        return True
    if UNCHANGED.match(tail) and (RISING.search(question) or FALLING.search(question) or ASKS_CAUSE.search(question)):
        return True
    if OFFSET.search(cue) and RISING.search(question) and not FALLING.search(question):
        return True
    clause = lead + tail
    if ALSO.search(clause):
        return False
    if CONTRAST.search(cue) and not gold.sign:
        return opposes(clause, question) or bool(
            is_subject(lead) and PREDICATE.match(tail) and not is_asked(tail, question)
        )
    first = text[max(0, before.start() - REACH) : before.start()] if before else ""
    if (
        cue.strip() == ";"
        and is_subject(lead)
        and ACTION.match(tail)
        and not (VERB.search(first) or ACTION.search(first))
    ):
        return True  # "A and B; C joined later"
    if cue.strip() == ";" and is_subject(lead) and PREDICATE.match(tail):
        years = set(YEAR.findall(question))
        other_year = bool(
            years and YEAR.search(tail) and not years & set(YEAR.findall(tail)) and years & set(YEAR.findall(first))
        )
        return other_year or (not is_asked(tail, question) and (not HEADING.match(first) or is_asked(first, question)))
    return False


def is_taken_back(text: str, bare: str, mention: Mention, after: int, gold: Gold, question: str) -> bool:
    """Whether an item was sold, closed or left, is to come or is something else than what is asked for."""
    said = bare[max(0, mention.start - REACH) : mention.start].rpartition(";")[2]
    is_past = ENDED_BEFORE.search(said) or ENDED_AFTER.match(text[mention.end : mention.end + REACH])
    if is_past and not re.search(rf"\b(?:{ENDED}|{LEFT}|leave|resign|depart|step\sdown|former)", question, re.I):
        return True
    if TO_COME.search(said) and not re.search(
        r"\b(?:plan|intend|build|construct|develop|open|will|expect|us(?:e|es|ed)|priorit|goal|aim|objective|strateg"
        r"|initiative|target|outlook)",
        question,
        re.I,
    ):
        return True
    if gold.is_name and (role := OTHER_ROLE.search(said)) and role_differs(role["role"], question):
        return True
    tail = text[mention.end : after]
    return is_undone(said, bare[mention.end : after], question) or is_of_another_phase(tail, question)


def role_differs(role: str, question: str) -> bool:
    """Whether "a sales office in" is no answer to a question about factories."""
    asked = {key_of(word) for word in LETTERS.findall(question)}
    return not any(key_of(word) in asked for word in LETTERS.findall(role))


def is_subject(lead: str) -> bool:
    return bool(re.fullmatch(r"\W*(?:the\s|its\s|an?\s)?", lead, re.I))


def is_asked(predicate: str, question: str) -> bool:
    """Whether a predicate has a content word of the question."""
    question = re.sub(r"\b(?:rather\sthan|instead\sof|other\sthan|and\snot|not)\s\w+", "", question)
    asked = {key_of(word) for word in LETTERS.findall(question) if not small(word) and len(word) > 3}
    return any(key_of(word) in asked for word in LETTERS.findall(predicate))


def opposes(clause: str, question: str) -> bool:
    """Whether a clause tells of a fall where a rise is asked for, or the other way round."""
    asks = bool(RISING.search(question)), bool(FALLING.search(question))
    tells = bool(CLIMBS.search(clause)), bool(FALLING.search(clause))
    return tells != (True, True) and ((asks[1] and not asks[0] and tells[0]) or (not asks[1] and tells[1]))
