"""The baseline of answer_question: sentences that cover the question's words, quoted, and formatted by answer type.

Only sentences of the question's companies and years are read. A figure is the amount of the measure that the question
names (figures), a list the reasons or items that the best sentence gives (causes), yes and no a comparison of two such
figures or what the best sentence says. Otherwise the words of a question have to be covered: a word weighs more the
fewer of the sentences hold it, and sentences are taken one by one, each time the one that covers most of what is left.
What the sentences do not hold is not answered. Nothing is generated, and equal inputs give equal answers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from finrag.tasks.answer_question import figures
from finrag.text import causes
from finrag.text.amounts import parse_years
from finrag.text.directions import FALLS, RISES
from finrag.text.stems import term
from finrag.text.vocabulary import ASKED, CAN, COMMON, FREQUENT, NEGATIONS, PARTS, TIMES, WILL, members
from finrag.text.years import YEAR_DIGITS

# Below this share of the question's weight no sentence answers it.
LEAST_COVERAGE = 0.3
# A further sentence has to add this share.
LEAST_GAIN = 0.12
MOST_SENTENCES = {"numeric": 1, "boolean": 2, "span": 3, "list": 8}
# Share of the measure's words that a sentence with a reason has before it.
LEAST_OF_MEASURE = 0.75

STOP_WORDS = (
    COMMON
    | FREQUENT
    | ASKED
    | members(TIMES, PARTS, CAN, WILL)
    | frozenset(
        """
    across between factor factors if including k many more much risk risks s said should so some such then there total
    where whose
    """.split()
    )
)
RISE = re.compile(rf"{RISES}|up$|exceed")
FALL = re.compile(rf"{FALLS}|down$|shr[aiu]nk")
NEGATION = re.compile(rf"\b(?:not|{NEGATIONS})\b|n't\b", re.IGNORECASE)
# Words of a question that name neither its measure nor its matter.
ASKING = frozenset(
    """
    according change changes between compared comparing higher lower amount percentage much drove drivers list name
    names factors reasons give gives put explaining
    """.split()
)
DATE_ASKED = re.compile(r"\b(?:what|which) date\b", re.I)
YEAR_END = re.compile(
    r"\b(?:year|years|period)\W+(?:\w+\W+){0,3}?end(?:ed|ing|s)\W+(?:on\W+)?"
    r"(?P<date>[A-Z][a-z]+ \d{1,2}, (?P<year>\d{4}))"
)
YEAR_RANGE = re.compile(rf"\b({YEAR_DIGITS})\s?(?:to|through|-|–)\s?({YEAR_DIGITS})\b")
QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|\d[\d,.]*\d|\d")


def answer(inputs: dict) -> dict:
    """Fields of an Answer for inputs question_text, answer_type, entities and contexts (see prompt.md)."""
    kind = inputs.get("answer_type")
    kind = kind if kind in MOST_SENTENCES else "span"
    question = inputs["question_text"]
    contexts = _of_the_question(question, inputs.get("entities") or {}, inputs.get("contexts") or [])
    found = _ANSWERERS[kind](question, contexts)
    if found is None:
        return {
            "answer_text": "The sentences given do not hold the answer.",
            "answer_type": kind,
            "is_answerable": False,
        }
    chosen, fields = found
    return {
        "answer_type": kind,
        "is_answerable": True,
        "answer_text": " ".join(context["text"].strip() for context in chosen),
        "cited_sentence_ids": list(dict.fromkeys(context["sentence_id"] for context in chosen)),
        **fields,
    }


def _numeric(question: str, contexts: Sequence[dict]) -> tuple[list[dict], dict] | None:
    years = sorted({year.value for year in parse_years(question)})
    known = figures.levels(question, _measure(question, contexts), contexts)
    if figures.CHANGE.search(question):
        return _change(question, contexts, years, known) if years else None
    figure = known.get(years[-1]) if years else next(iter(known.values()), None)
    if figure is None:
        return None
    return [figure.context], {"answer_numeric": figure.value, "answer_unit": _unit(figure, question)}


def _change(question: str, contexts: Sequence[dict], years: list[float], known: dict) -> tuple[list[dict], dict] | None:
    """The change between the years asked: of both levels, else as stated."""
    first, last = (known.get(year) for year in (years[0], years[-1]))
    if len(years) > 1 and figures.comparable(first, last):
        value, chosen = last.value - first.value, [first.context, last.context]
        value = float(f"{value:.10g}")
        unit = _unit(last, question)
    else:
        stated = figures.stated_change(question, _measure(question, contexts), contexts, years[-1])
        if stated is None:
            return None
        value, chosen, unit = stated.value, [stated.context], _unit(stated, question)
    word = "increase" if value >= 0 else "decrease"
    unique = list({context["sentence_id"]: context for context in chosen}.values())
    text = " ".join(context["text"].strip() for context in unique)
    said = f"{text} The change is {'an' if value >= 0 else 'a'} {word} of {figures.in_words(value, unit)}."
    return unique, {"answer_numeric": value, "answer_unit": unit, "answer_text": said}


def _boolean(question: str, contexts: Sequence[dict]) -> tuple[list[dict], dict] | None:
    years = [year.value for year in parse_years(question)]
    if figures.HIGHER.search(question) and len(years) == 2:
        known = figures.levels(question, _measure(question, contexts), contexts)
        first, second = (known.get(year) for year in years)
        if not figures.comparable(first, second):
            return None
        holds = (first.value < second.value) if figures.LOWER.search(question) else (first.value > second.value)
        chosen = list({each.context["sentence_id"]: each.context for each in (first, second)}.values())
    else:
        chosen = _chosen(question, contexts, MOST_SENTENCES["boolean"])
        if not chosen:
            return None
        holds = _holds(question, chosen[0]["text"])
    text = ("Yes. " if holds else "No. ") + " ".join(context["text"].strip() for context in chosen)
    return chosen, {"answer_boolean": holds, "answer_text": text}


def _list(question: str, contexts: Sequence[dict]) -> tuple[list[dict], dict] | None:
    """Reasons of each company asked, the drivers in one sentence, or else the sentences themselves."""
    asked = causes.subjects(question, _companies_named(question, contexts))
    if len(asked) > 1:
        found = []
        for name, what in asked.items():
            best = _why(what, _of_company(contexts, name))
            if best:
                found.append((best, f"{name}: {causes.reasons(best['text'])}"))
        return ([best for best, _ in found], {"answer_items": [item for _, item in found]}) if found else None
    best = _why(question, contexts)
    if best:
        return [best], {"answer_items": causes.drivers(best["text"])}
    if re.search(r"\b(?:factors|drivers|reasons)\b", question, re.I):
        return None
    chosen = _chosen(question, contexts, MOST_SENTENCES["list"])
    if not chosen:
        return None
    return chosen, {"answer_items": [context["text"].strip() for context in chosen]}


def _why(question: str, contexts: Sequence[dict]) -> dict | None:
    """The sentence with a reason whose effect covers most of what is asked, in its direction; all of its measure."""
    wanted = set(_measure(question, contexts))
    best: tuple[float, int, dict] | None = None
    for place, context in enumerate(contexts):
        text = context["text"]
        if causes.reasons(text) is None or not causes.goes_with(question, text):
            continue
        effect = {term(word) for word in _words(text[: causes.MARKER.search(text).start()])}
        share = len(wanted & effect) / len(wanted) if wanted else 0.0
        if share >= LEAST_OF_MEASURE and (best is None or (-share, place) < best[:2]):
            best = (-share, place, context)
    return best[2] if best else None


def _span(question: str, contexts: Sequence[dict]) -> tuple[list[dict], dict] | None:
    quoted = [words.lower() for words in QUOTED.findall(question) if words.lower() != "the year"]
    if quoted:
        contexts = [each for each in contexts if all(words in each["text"].lower() for words in quoted)]
    if DATE_ASKED.search(question):
        return _date(question, contexts)
    if re.match(r"(?:why|what drove)\b|.*\bexplains? the\b", question, re.I):
        best = _why(question, contexts)
        return ([best], {}) if best else None
    chosen = _chosen(question, contexts, MOST_SENTENCES["span"])
    return (chosen, {}) if chosen else None


def _date(question: str, contexts: Sequence[dict]) -> tuple[list[dict], dict] | None:
    """The date on which a year ends, one in the year asked first."""
    years = {str(int(year.value)) for year in parse_years(question)}
    found = [(context, match) for context in contexts for match in YEAR_END.finditer(context["text"])]
    found.sort(key=lambda pair: bool(years) and pair[1]["year"] not in years)  # stable: else in the order given
    return ([found[0][0]], {"answer_text": found[0][1]["date"]}) if found else None


_ANSWERERS = {"numeric": _numeric, "boolean": _boolean, "list": _list, "span": _span}


def _of_the_question(question: str, entities: dict, contexts: Sequence[dict]) -> list[dict]:
    """The sentences of the question's companies, in a report of a year asked or of the one after it, or naming it.

    Reports repeat the year before, so the next one serves too; those of the year itself come first.
    """
    companies = set(entities.get("companies") or ()) or set(_companies_named(question, contexts))
    years = {int(year.value) for year in parse_years(question)}
    for first, last in YEAR_RANGE.findall(question):
        years |= set(range(int(first), int(last) + 1))
    kept = [each for each in contexts if not companies or each.get("company_name") in companies]
    if not years:
        return kept
    own = [each for each in kept if each.get("report_year") in years]
    later = [
        each
        for each in kept
        if each.get("report_year") not in years and years & {int(year.value) for year in parse_years(each["text"])}
    ]
    return own + later


def _measure(question: str, contexts: Sequence[dict]) -> list[str]:
    """The words of a question that name what is measured, as stems in order: no company, year, verb of asking."""
    for name in dict.fromkeys(context.get("company_name") or "" for context in contexts):
        question = causes.mention_of(name).sub(" ", question, count=1) if name else question
    words = [word for word in _words(question) if word not in STOP_WORDS and word not in ASKING]
    words = [word for word in words if not (word[0].isdigit() or RISE.match(word) or FALL.match(word))]
    return list(dict.fromkeys(map(term, words)))


def _unit(figure: figures.Figure, question: str) -> str:
    return "USD per share" if figure.unit == "USD" and figures.PER_SHARE_ASKED.search(question) else figure.unit


def _chosen(question: str, contexts: Sequence[dict], most: int) -> list[dict]:
    """The sentences that answer, best first. A question that names several companies is asked of each in turn."""
    named = _companies_named(question, contexts)
    wanted = {term(word) for word in _words(question) if word not in STOP_WORDS and not word[0].isdigit()}
    wanted -= {word for name in named for word in _name_words(name)}
    if len(named) < 2:
        return _covering(wanted, contexts, most)
    each = max(1, most // len(named))
    return [context for name in named for context in _covering(wanted, _of_company(contexts, name), each)]


def _covering(wanted: set[str], contexts: Sequence[dict], most: int) -> list[dict]:
    """Sentences chosen one by one, each the one that covers most of what is left of the terms wanted."""
    covered_by = [_terms_of(context) for context in contexts]
    counts = Counter(term for terms in covered_by for term in terms)
    left = {term: math.log(1 + (len(contexts) + 1) / (counts[term] + 1)) for term in sorted(wanted)}
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
    words = [term(word) for word in _words(question)]
    names = dict.fromkeys(context.get("company_name") or "" for context in contexts)
    named = [name for name in names if _name_words(name) and _name_words(name) <= set(words)]
    return sorted(named, key=lambda name: min(words.index(part) for part in _name_words(name)))


def _terms_of(context: dict) -> set[str]:
    text = context["text"]
    return {term(word) for word in _words(text)}


def _words(text: str) -> list[str]:
    return [word.strip(",.") for word in _WORD.findall(text.lower().replace("’", "'").replace("'s", ""))]


def _name_words(name: str) -> set[str]:
    return {term(word) for word in _words(name) if word not in causes.OF_NAMES}


def _holds(question: str, text: str) -> bool:
    """Whether the sentence says what is asked; the opposite direction or a negation speaks against it."""
    asked, said = (tuple(any(map(words.match, _words(each))) for words in (RISE, FALL)) for each in (question, text))
    if asked[0] != asked[1] and said == asked[::-1]:
        return False
    return bool(NEGATION.search(text)) == bool(NEGATION.search(question))
