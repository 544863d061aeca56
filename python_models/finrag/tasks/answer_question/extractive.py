"""The baseline of answer_question: sentences that cover the question's words, quoted, and formatted by answer type.

The words of a question, its companies and its years are what has to be covered. A word weighs more the fewer of the
context sentences hold it. Sentences are taken one by one, each time the one that covers most of what is still
uncovered, until nothing much is gained. Nothing is generated, and equal inputs give equal answers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

# Below this share of the question's weight no sentence answers it.
LEAST_COVERAGE = 0.3
# A further sentence has to add this share.
LEAST_GAIN = 0.12
MOST_SENTENCES = {"numeric": 1, "boolean": 2, "span": 3, "list": 8}
ENTITY_WEIGHT = 1.5

STOPWORDS = frozenset(
    """
    a about across after all also an and any are as at be been before between both but by can company companies
    could did do does during each explain explains explained describe describes described discuss filing filings
    fiscal for form from had has have how if in including into is it its item k many may more most much of on or
    other over per report reported reports s said say says section should so some state stated states such than
    that the their them then there these they this those to total under was were what when where which while who
    whose why will with would year years
    """.split()
)
RISE = frozenset("increase rise rose grow grew growth higher improve improved gain up exceed expand".split())
FALL = frozenset("decrease decline fall fell lower reduce reduction drop shrink shrank down".split())
NEGATION = re.compile(r"\b(?:no|not|never|neither|nor|none|cannot|without)\b|n't\b", re.IGNORECASE)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|\d[\d,.]*\d|\d")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_AMOUNT = re.compile(
    r"(?P<open>\()?(?P<minus>[-–−])?(?P<dollar>\$)?\s?(?P<inner>\()?(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"\)?(?:\s?(?P<percent>%|percent\b)|\s(?P<scale>thousand|million|billion|trillion)\b)?"
    r"(?P<share>\s(?:per|a)\s(?:diluted\s|basic\s|common\s)*share)?(?P<shares>\sshares)?",
    re.IGNORECASE,
)
_ENDINGS = re.compile(r"(?:ations?|ings?|ments?|ed|es|s|ly|e)$")
_COMPANY_FORMS = frozenset("inc corp co company ltd plc group holdings the of and llc lp".split())


def answer(inputs: dict) -> dict:
    """Fields of an Answer for inputs question_text, answer_type, entities and contexts (see prompt.md)."""
    kind = inputs.get("answer_type")
    kind = kind if kind in MOST_SENTENCES else "span"
    question = inputs["question_text"]
    contexts = inputs.get("contexts") or []
    chosen = _chosen(question, contexts, MOST_SENTENCES[kind])
    amount = _amount(chosen[0]["text"], question) if chosen and kind == "numeric" else None
    if not chosen or (kind == "numeric" and amount is None):
        return {
            "answer_text": "The sentences given do not hold the answer.",
            "answer_type": kind,
            "is_answerable": False,
        }
    texts = [context["text"].strip() for context in chosen]
    found: dict = {"answer_type": kind, "is_answerable": True, "answer_text": " ".join(texts)}
    found["cited_sentence_ids"] = [context["sentence_id"] for context in chosen]
    if kind == "numeric":
        found["answer_numeric"], found["answer_unit"] = amount
    elif kind == "list":
        found["answer_items"] = texts
    elif kind == "boolean":
        found["answer_boolean"] = _holds(question, texts[0])
        found["answer_text"] = ("Yes. " if found["answer_boolean"] else "No. ") + found["answer_text"]
    return found


def _chosen(question: str, contexts: Sequence[dict], most: int) -> list[dict]:
    """The sentences that answer, best first. A question that names several companies is asked of each in turn."""
    named = _companies_named(question, contexts)
    wanted = {f"year {year}" for year in _YEAR.findall(question)}
    wanted |= {_stem(word) for word in _words(question) if word not in STOPWORDS and not _YEAR.fullmatch(word)}
    wanted -= {word for name in named for word in _name_words(name)}
    if len(named) < 2:
        return _covering(wanted | {f"company {name}" for name in named}, contexts, most)
    each = max(1, most // len(named))
    return [context for name in named for context in _covering(wanted, _of_company(contexts, name), each)]


def _covering(wanted: set[str], contexts: Sequence[dict], most: int) -> list[dict]:
    """Sentences chosen one by one, each the one that covers most of what is left of the terms wanted."""
    covered_by = [_terms_of(context) for context in contexts]
    counts = Counter(term for terms in covered_by for term in terms)
    left = {
        term: ENTITY_WEIGHT if " " in term else math.log(1 + (len(contexts) + 1) / (counts[term] + 1))
        for term in sorted(wanted)
    }
    total = sum(left.values())
    chosen: list[int] = []
    while total and len(chosen) < min(most, len(contexts)):
        gains = [sum(weight for term, weight in left.items() if term in terms) / total for terms in covered_by]
        best = max((i for i in range(len(contexts)) if i not in chosen), key=lambda i: (gains[i], -i))
        if gains[best] < (LEAST_GAIN if chosen else LEAST_COVERAGE):
            break
        chosen.append(best)
        left = {term: weight for term, weight in left.items() if term not in covered_by[best]}
    return [contexts[i] for i in chosen]


def _of_company(contexts: Sequence[dict], name: str) -> list[dict]:
    return [context for context in contexts if context.get("company_name") == name]


def _companies_named(question: str, contexts: Sequence[dict]) -> list[str]:
    """Companies of the sentences whose whole name, legal forms apart, stands in the question; in their order there."""
    words = [_stem(word) for word in _words(question)]
    names = dict.fromkeys(context.get("company_name") or "" for context in contexts)
    named = [name for name in names if _name_words(name) and _name_words(name) <= set(words)]
    return sorted(named, key=lambda name: min(words.index(part) for part in _name_words(name)))


def _terms_of(context: dict) -> set[str]:
    text = context["text"]
    terms = {_stem(word) for word in _words(text)}
    named = set(_YEAR.findall(text)) or {str(context.get("report_year"))}
    terms |= {f"year {year}" for year in named}
    return terms | {f"company {context.get('company_name') or ''}"}


def _words(text: str) -> list[str]:
    return [word.strip(",.") for word in _WORD.findall(text.lower().replace("’", "'").replace("'s", ""))]


def _name_words(name: str) -> set[str]:
    return {_stem(word) for word in _words(name) if word not in _COMPANY_FORMS}


def _stem(word: str) -> str:
    """A word without its usual endings, so that increased and increases meet."""
    return _ENDINGS.sub("", word) if len(word) > 4 else word


def _amount(text: str, question: str) -> tuple[float, str] | None:
    """Value in base units and unit of the amount nearest after, or else before, the words of the question."""
    wanted = {_stem(word) for word in _words(question) if word not in STOPWORDS}
    places = [match.start() for match in _WORD.finditer(text.lower()) if _stem(match[0].strip(",.")) in wanted]
    wants_percent = re.search(r"percent|%|\brate\b|\bmargin\b|\bshare of\b", question, re.IGNORECASE) is not None
    best: tuple[tuple, tuple[float, str]] | None = None
    for match in _AMOUNT.finditer(text):
        unit = _unit(match)
        if unit is None and (_YEAR.fullmatch(match["number"]) or "," not in match["number"]):
            continue  # a year, a note number, a day
        distance = min(
            (match.start() - at if at <= match.start() else 200 + at - match.start() for at in places), default=0
        )
        rank = ((unit == "%") != wants_percent, distance, match.start())
        if best is None or rank < best[0]:
            best = (rank, (_value(match), unit or "shares"))
    return best[1] if best else None


def _unit(match: re.Match) -> str | None:
    if match["percent"]:
        return "%"
    if match["shares"]:
        return "shares"
    if match["dollar"]:
        return "USD per share" if match["share"] else "USD"
    return "USD" if match["scale"] else None


def _value(match: re.Match) -> float:
    value = float(match["number"].replace(",", "")) * SCALES.get((match["scale"] or "").lower(), 1.0)
    is_negative = match["minus"] or match["inner"] or (match["open"] and match[0].rstrip().endswith(")"))
    return -value if is_negative else value


def _holds(question: str, text: str) -> bool:
    """Whether the sentence says what is asked; the opposite direction or a negation speaks against it."""
    asked, said = ({_stem(word) for word in _words(each)} for each in (question, text))
    rise, fall = ({_stem(word) for word in words} for words in (RISE, FALL))
    if asked & rise and not asked & fall and said & fall and not said & rise:
        return False
    if asked & fall and not asked & rise and said & rise and not said & fall:
        return False
    return bool(NEGATION.search(text)) == bool(NEGATION.search(question))
