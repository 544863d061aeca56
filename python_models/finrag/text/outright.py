"""The yes or no that an answer has of its own, as a word: "No [1]", "so yes", "Final answer: No"."""

from __future__ import annotations

import re

from finrag.text.abstention import abstention
from finrag.text.replies import final_answer
from finrag.text.vocabulary import BE, DO, HAVE

QUOTES = " \"'“”"
LEADING_YES = re.compile(
    r"^(?:yes|yeah|yep|true|correct|affirmative|indeed|certainly|absolutely|definitely|of course|confirmed"
    r"|it (?:would )?(?:appears?|seems?) so|so it (?:appears|seems)"
    r"|y(?=\W*$|\s?[-–—,:;]))\b"
    r"(?!\s+and\s+no\b)(?![-/]|\s*/)|^(?:sure|right|exactly)(?=\s*(?:[,.:;!]|$|\s[-–—]))",
    re.I,
)
LEADING_NO = re.compile(
    r"^(?:no(?=\s*(?:[,.:;!(\[【\u2014\u2013-]|$|\s(?:the|it|they|there is no|this|because|since)\b))"
    r"|nope|false|incorrect|negative(?=[,.]|$)"
    r"|not\s(?:all|every|both|explicitly|directly|exactly|really|at all|entirely|fully|completely|wholly|quite|so\b"
    r"|in full"
    r"|yet\b|anymore|any (?:more|longer)|as of\b|before\b|at (?:the )?(?:year|end)\b|during\b|since\b|until\b"
    r"|(?:in|for|by) (?:(?:fiscal |calendar )?(?:year )?\d{4}|FY|that year)"
    r"|according)|not(?=\W*$)"
    r"|(?:on|quite) the contrary"
    r"|contrary to|by no means|n(?=\W*$|\s?[-–—,:;])|wrong(?=[,.:;!]|$)"
    r"|(?:quite\s)?the (?:opposite|reverse))(?!\.?\s*\d)",
    re.I,
)
# "Based on the filings, yes: …", "The answer is no.", "… to $78.8 million, so yes."
LATER = re.compile(
    r"(?:\banswer\s+(?:\w+\s+){0,4}?(?:is|(?:would|must|should)\sbe)|[,:;]|\bso|\btherefore|\bthus|\b(?:would|['’]d)\ssay)\s+(?:an?\s+|that\s+)?(?:clear\s+)?(?P<word>yes|no)(?=\s*(?:[.,:;!\[]|$|[-–—]))",
    re.I,
)
ADVERB = re.compile(
    r"^(?:(?:based on [^,]*, )?it (?:would |does )?(?:appears?|seems?) that"
    r"|unfortunately|most likely|likely|probably|apparently|essentially|technically|overall|in short"
    r"|generally|actually|in fact|undoubtedly|without (?:a |any )?doubt"
    r"|(?:there(?: is|['’]s) )?no (?:doubt|question)(?=,|\sthat\s)(?:\sthat)?)"
    r",?\s+",
    re.I,
)
LABEL = re.compile(
    r"^(?:(?:short|direct|final)?\s*answer|verdict|response|conclusion|item\s\d{1,2}[A-C]?)\s*[:\-–—]\s*", re.I
)
# "Correct, it did not rise." agrees with a no.
AGREED_NO = re.compile(
    rf"^(?:(?:that(?: is|['’]s)\s)?(?:correct|right|true)|exactly|indeed)\s?[,;:–—-]\s?(?:it|they|the company)\s"
    rf"(?:{DO}|{BE}|{HAVE})(?:\snot|n['’]t)\b",
    re.I,
)
IN_THE_END = re.compile(
    r"^(?:(?:so|thus|therefore|hence)?,?\s*|.*?[,;]\s(?=the answer))(?:the answer (?:is|would be)\s*)?(yes|no)\W*$",
    re.I,
)
UNDECIDED = re.compile(
    r"^(?:it(?:['’]s| is) (?:unclear|uncertain|not (?:clear|certain)|hard to|difficult to)|yes and no"
    r"|partially|partly|in part|mixed|unclear|it depends|maybe|possibly|perhaps)\b",
    re.I,
)


def said_at_last(answer: str) -> bool | None:
    """The yes or no of an answer's last label: "Greater China decreased.\\nFinal answer: No"."""
    last = final_answer(answer)
    word = re.match(r"\W*(yes|no|true|false)(?=\s*(?:[.,:;!(\[【—–-]|$))", last.split("\n")[0], re.I) if last else None
    return word[1].lower() in ("yes", "true") if word else None


def said_outright(first: str, found: list[str]) -> tuple[bool | None, str] | None:
    """What parse_boolean gives where the answer has a yes or a no of its own, or says that it is neither; else None."""
    if UNDECIDED.search(first) or re.match(r"yes\s+and\s+no\b|yes\s*/\s*no\b", first, re.I):
        return None, "undecided"
    if AGREED_NO.match(first):
        return False, "denial"
    if LEADING_YES.search(first):
        return True, "leading"
    if LEADING_NO.search(first):
        return False, "leading"
    alone = re.match(r"none\W*(?:$|[–—:;-]\s|\.\s)", first, re.I)
    if alone and (rest := " ".join([first[alone.end() :], *found[1:]]).strip()) and abstention(rest).kind == "none":
        return False, "leading"
    if later := LATER.search(first):
        return later["word"].lower() == "yes", "later"
    if len(found) > 1 and (last := IN_THE_END.match(found[-1])):
        return last[1].lower() == "yes", "later"
    return None
