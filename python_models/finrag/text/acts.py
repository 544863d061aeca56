"""What an answer says was done with an item: "redeemed A and issued B" names one thing that was issued.

An item is governed by the last act before it in its sentence, or by the act that follows it where it is the subject.
"""

from __future__ import annotations

import re
from functools import lru_cache

from finrag.text.vocabulary import BE, HAVE, PARTS

ACTS = {
    name: re.compile(rf"\b(?:{words})\b", re.I)
    for name, words in {
        "issue": r"issu(?:ed?|es|ing)|offered",
        "redeem": r"redeem(?:s|ed|ing)?|rep(?:aid|ay|aying)|retir(?:ed|ing)|extinguish(?:ed|ing)?"
        r"|re-?purchas(?:ed?|es|ing)|b(?:ought|uy)\sback",
        "acquire": r"acquir(?:ed?|es|ing)|purchas(?:ed?|es|ing)|bought(?!\sback)|buys?(?!\sback)",
        "sell": r"sold|sell|sells|selling|divest\w*|dispos(?:ed|e|es|ing)|spun\soff",
        "open": r"open(?:s|ed|ing)?|launch(?:es|ed|ing)?|introduc(?:ed?|es|ing)|add(?:s|ed|ing)?|start(?:s|ed|ing)?",
        "close": r"clos(?:ed?|es|ing)|discontinu\w+|exit(?:s|ed|ing)?|shut(?:s|ting)?|dropp(?:ed|ing)",
        "operate": r"operat(?:es?|ed|ing)",
        "plan": r"plan(?:s|ned|ning)?\sto|building|constructing|developing"
        r"|intends?\sto|propos(?:es|ed|ing)\sto|will\s(?:open|build)",
        "own": r"owns?|owned|owning",
        "lease": r"leas(?:es?|ed|ing)|rent(?:s|ed|ing)?|charter(?:s|ed|ing)?|licens(?:es?|ed|ing)",
        "leave": r"left|leaves?|leaving|replacing|succeeding|depart(?:s|ed|ing)?|resign(?:s|ed|ing)?"
        r"|step(?:s|ped|ping)?\sdown|retir(?:ed?|es|ing)",
        "found": r"(?:co-?)?found(?:ed|ers?|ing)|established",
        "join": r"join(?:s|ed|ing)?|appoint(?:s|ed|ing)?|succeed(?:s|ed)?(?:\sby)?|replac(?:ed|es)(?:\sby)?"
        r"|elected|hired|promoted",
        "remain": r"remain(?:s|ed|ing)?|continu(?:e|es|ed|ing)|stay(?:s|ed|ing)?|keeps?|kept|retain(?:s|ed|ing)?",
        "settle": r"settl(?:ed?|es|ing)|resolv(?:ed?|es|ing)|dismiss\w*",
        "pend": r"pending|ongoing|unresolved|outstanding",
        "raise": r"upgrad(?:ed?|es|ing)",
        "lower": r"downgrad(?:ed?|es|ing)",
        "affirm": r"affirm(?:s|ed|ing)?|reaffirm(?:s|ed|ing)?|confirm(?:s|ed|ing)?|maintain(?:s|ed|ing)?",
        "approve": r"approv(?:ed?|es|ing|als?)",
        "reject": r"reject(?:s|ed|ing|ion)?|declin(?:ed?|es)\sto|withdr(?:ew|awn|aw|awal)",
    }.items()
}
OPPOSED = {
    "issue": {"redeem"},
    "redeem": {"issue"},
    "acquire": {"sell"},
    "sell": {"acquire", "remain"},
    "open": {"close", "sell"},
    "close": {"open", "remain"},
    "operate": {"plan"},
    "own": {"lease", "plan"},
    "lease": {"own"},
    "leave": {"join", "remain"},
    "join": {"leave", "remain"},
    "found": {"join", "leave"},
    "settle": {"pend"},
    "pend": {"settle"},
    "raise": {"lower", "affirm"},
    "lower": {"raise", "affirm"},
    "approve": {"reject"},
    "reject": {"approve"},
}
RELATIVE = re.compile(r"\b(?:which|who|whose|that)\b[^,;\x00]*", re.I)
SUBJECT = re.compile(rf"^\W*(?:(?:also|still|{PARTS}|{HAVE}|{BE}|been|be|being|then|later|now)\s)*$", re.I)
PHASE = re.compile(r"\b(phase|stage|level|tier|class|series|category|type)\s(\d+|[IVX]+|[A-C])\b", re.I)


@lru_cache(maxsize=4096)
def acts_of(text: str) -> frozenset[str]:
    return frozenset(name for name, words in ACTS.items() if words.search(text))


def is_undone(lead: str, tail: str, question: str) -> bool:
    """Whether the act on an item between lead and tail of its sentence opposes the one that is asked for."""
    asked = acts_of(question)
    opposed = set().union(*(OPPOSED.get(act, set()) for act in asked)) - asked
    if not opposed:
        return False
    said = governing(lead, tail)
    return bool(said & opposed) and not said & asked


def governing(lead: str, tail: str) -> set[str]:
    said = RELATIVE.sub(lambda match: " " * len(match[0]), lead)
    before = max((m.end() for words in ACTS.values() for m in words.finditer(said)), default=None)
    if before is not None:
        return {name for name, words in ACTS.items() for match in words.finditer(said) if match.end() == before}
    after = min((m.start() for words in ACTS.values() for m in words.finditer(tail)), default=None)
    if after is None or not SUBJECT.match(tail[:after]):
        return set()
    return {name for name, words in ACTS.items() for match in words.finditer(tail) if match.start() == after}


def is_of_another_phase(tail: str, question: str) -> bool:
    """ "is in Phase 1" of what is asked for in Phase 2."""
    asked, said = phases(question), phases(tail)
    return any(said[noun].isdisjoint(asked[noun]) for noun in asked.keys() & said.keys())


def phases(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for noun, number in PHASE.findall(text):
        found.setdefault(noun.lower(), set()).add(number.upper())
    return found
