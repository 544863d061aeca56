"""Small text helpers that the rules share."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

from finrag.text.directions import FALLS, RISES
from finrag.text.plain_text import without_long_runs
from finrag.text.vocabulary import (
    ARTICLES,
    BE,
    CAN,
    COMMON,
    FREQUENT,
    LEGAL,
    NEGATIONS,
    POSSESSIVES,
    PREPOSITIONS,
    WILL,
    members,
)

# A full stop ends a sentence before a capital, a quote or a bullet, but not after these. A capital is an initial, the K
# of "Form 10-K." is none.
ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|No|vs|approx|Mr|Ms|Dr|St|U\.S|e\.g|i\.e"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|(?<!\d-)\b[A-Z])\.$"
)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]*]*\s+(?=[\"'“‘(\[*-]*[A-Z0-9$])|\n+")
MARKUP = re.compile(r"^\s*(?:#+|[-*•–]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+|\*\*|__|`")
NEGATION = re.compile(rf"\b(?:not(?!\s(?:only|just|merely)\b)|{NEGATIONS})\b|n['’]t\b", re.I)
RISE = re.compile(rf"\b{RISES}|\bup\b", re.I)
FALL = re.compile(rf"\b(?:{FALLS}|loss(?:es)?\b|down\w*)", re.I)
# The legal form at the end of a company's name, whatever its case; macros/core_company_name.sql has it for SQL.
LEGAL_FORM = rf"(?:{LEGAL.lower()}|companies|l\.?p|n\.?v|s\.?a)\b\.?"
# Words that name nothing: what two texts may differ in and say the same.
SMALL_WORDS = members(ARTICLES, PREPOSITIONS, POSSESSIVES, BE, "as|with|and|or|be")
STOP_WORDS = (
    COMMON
    | FREQUENT
    | members(CAN, WILL)
    | frozenset(
        "being if more no not our up we within you your thousand million billion trillion percent dollars".split()
    )
)
# Words that ask and name nothing.
ASKING = members(
    "according|amount|company|disclose|figure|filing|fiscal|form|give|overall|please|report|show|state|tell|total|value"
    "|year"
)

OPENING_FENCE = re.compile(r"\s*+```\w*[^\S\n]*+\n")
CLOSING_FENCE = re.compile(r"\n[^\S\n]*+```\s*+$")
ANSWER_KEY = re.compile(r"answer|result|value|response|items|verdict", re.I)
# Keys that tell the answer, the plainest first, and those that tell something of it: is_answerable, answer_type.
ANSWERS = ("final_answer", "answer", "answer_text", "short_answer", "value", "result", "response")
OF_ANSWER = re.compile(
    r"^(?:is|can|has|was|could)_|answerable|_(?:type|found|format|kind|id|source|status|confidence)$"
)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s-]+")
REACH = 400  # characters, a long clause
# Characters from which a text that stands in a sentence is an excerpt of it; fewer stand in many.
LEAST_EXCERPT = 20
WORDS_OF = {True: "Yes", False: "No", None: "N/A"}


def unwrapped(text: str) -> str:
    """What a JSON object says: the value of its key answer (result, value, …) with its scale and unit, else its list,
    else the value of its only key; a list as JSON. Other texts, and objects with several other keys, as they are.
    An object whose answer is empty, or that says of a question only that it is not answerable, has none."""
    text = without_long_runs(text)
    body = unfenced(text).strip()
    if not body.startswith("{"):
        return body if body.startswith("[") else text
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return text
    key = answer_key(said)
    if key is None:
        return text
    value = said[key]
    if isinstance(value, dict | list):
        return json.dumps(value)
    if OF_ANSWER.search(underscored(key)):
        value = None if value is False else value
    words = WORDS_OF[value] if value is None or isinstance(value, bool) else str(value)
    return " ".join(str(part) for part in (words, said.get("scale"), said.get("unit")) if part)


def underscored(key: str) -> str:
    """A key of JSON as Python would name it: "finalAnswer" is final_answer."""
    return CAMEL.sub("_", key.strip()).lower()


def answer_key(said: dict) -> str | None:
    """The key of a JSON object that holds the answer, None where none can be told."""
    names = {key: underscored(key) for key in said}
    telling = [key for key in said if ANSWER_KEY.search(key) and not OF_ANSWER.search(names[key])]
    plain = [key for name in ANSWERS for key in telling if names[key] == name]
    lists = [key for key, value in said.items() if isinstance(value, list)]
    about = [key for key in said if ANSWER_KEY.search(key)]
    return next(iter([*plain, *telling, *lists, *about, *(said if len(said) == 1 else ())]), None)


def unfenced(text: str) -> str:
    """What stands in the one code fence that a text is; other texts as they are."""
    opening = OPENING_FENCE.match(text)
    closing = CLOSING_FENCE.search(text, opening.end()) if opening else None
    return text[opening.end() : closing.start()] if opening and closing else text


def before(text: str, place: int) -> str:
    """What leads to a place of a text, as far back as any rule looks: reading all of it would take quadratic time."""
    return text[max(0, place - REACH) : place]


def sentences(text: str) -> list[str]:
    """Sentences and lines, markdown marks removed; none of a blank text."""
    found: list[str] = []
    for line in text.splitlines():
        start = 0
        line = MARKUP.sub("", line).strip()
        for match in SENTENCE_END.finditer(line):
            # its end decides; searching all of it would take quadratic time
            if not ABBREVIATION.search(line[max(0, match.start() - 16) : match.start()]):
                found.append(line[start : match.start()])
                start = match.end()
        found.append(line[start:])
    return [sentence.strip() for sentence in found if sentence.strip()]


@lru_cache(maxsize=4096)
def normalised(text: str) -> str:
    """Lowercase words and numbers with single spaces: no accents, markup, punctuation or leading article."""
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("&", " and ").replace("%", " percent "))
    words = re.sub(r"['’]s\b|[^\w.\s]|\.(?!\d)|_", " ", text).split()
    return " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) and len(words) > 1 else words)


def content_words(text: str) -> set[str]:
    """Distinct words of three letters or more that carry meaning."""
    return {word for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in STOP_WORDS}
