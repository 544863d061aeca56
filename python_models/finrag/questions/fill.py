"""A question that states itself, its answer and its evidence: the other fields of the schema, told from these.

Evidence may be ids of sentences or texts. What was filled in is marked: its names stand in notes, and in filled_fields
of questions.int_external_questions. What a record states is never changed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from finrag.questions.schema import Question
from finrag.text.amounts import (
    CURRENCIES,
    NUMBER,
    PERCENT,
    PERCENT_OR_POINTS,
    POINTS,
    SIGNS,
    Unit,
    scale_of,
    whole_amount,
)
from finrag.text.plain_text import SCALES

# Other names that a field may have.
ALIASES = {"question": "question_text", "answer": "answer_text", "id": "question_id"}
EVIDENCE = "evidence"
# Fields that make one question two.
ASKED_IN = ("document", "page", "company", "company_name", "cik_int", "years", EVIDENCE, "evidence_sentence_ids")
NEEDED = ("question_text", "answer_text", "evidence_sentence_ids")
# What cannot be told from anything. The time says that it is none.
UNSTATED = {
    "difficulty": "medium",
    "gold_version": "unversioned",
    "created_by": "unknown",
    "created_at": "1970-01-01T00:00:00Z",
    "curation_confidence": 0.5,
}
NOTE = "filled in: "
NO_ANSWER = "The filings do not state this."
YES_OR_NO = re.compile(r"(?i)(yes|no)\b")
# The scale that a question wants its answer in: "(in USD millions)", "Answer in billions of dollars", "in $m", "(€bn)".
# What an amount is rounded to ("to the nearest million") is none.
ASKED_SCALE = re.compile(
    rf"(?:(?P<ahead>{SIGNS})\s?)?(?:\bin\s+|\()(?:in\s+)?(?P<before>{SIGNS}\s*|US\s?dollars?\s*)?\(?"
    r"(?:(?P<scale>thousand|million|billion)s?\b|(?<=[$€£A-Z\s])(?P<short>k|mm?|mn|mln|bn?|bln)(?![\w&]))"
    rf"(?P<after>\s+of\s+(?:(?:US\s+|U\.S\.\s+)?dollars|euros|pounds|yen)|\s+(?:{SIGNS}|US\s?dollars))?",
    re.I,
)

# Suites write the change of a margin, a rate or a ratio as "0.8%", whichever they mean; a change in percent is one, and
# the rate of a change is no change of a rate.
CHANGE_OF_SHARE = re.compile(
    r"(?<!percentage )(?<!percent )(?<!% )\b(?:change|difference|increase|decrease|improvement|decline|rise|fall)s?"
    r"\s(?:in|of)\s(?:(?!(?:growth|change)\b)[\w'’&.-]+\s){0,6}?(?:margin|rate|ratio)s?\b",
    re.I,
)


@dataclass(frozen=True)
class Sentence:
    """A sentence of the corpus that a piece of evidence stands for."""

    sentence_id: str
    cik: int
    company_name: str
    report_year: int
    section_id: str
    filing_id: str


def is_incomplete(record: object) -> bool:
    """Whether a record leaves out a field that the schema needs, or calls one otherwise."""
    required = (name for name, field in Question.model_fields.items() if field.is_required())
    return isinstance(record, dict) and any(record.get(name) is None for name in required)


def pieces_of(record: Mapping) -> list[str]:
    """The evidence as it is stated: ids, texts, or both."""
    stated = record.get("evidence_sentence_ids") or record.get(EVIDENCE)
    pieces = [stated] if isinstance(stated, str) else listed(stated)
    return [piece for piece in pieces if isinstance(piece, str) and piece.strip()]


def filled(record: dict, find: Callable[[str, Sequence, Sequence], list[Sentence]], row: Mapping | None = None) -> dict:
    """The record with the fields that it leaves out, as far as they can be told; their names under filled_fields.

    find: the sentences of a piece of evidence, among those of companies and years, of any where there are none.
    row: what the file states, where that is not the record.
    """
    known = {ALIASES.get(name, name): value for name, value in record.items() if name != EVIDENCE}
    pieces = pieces_of(record)
    made = told_of_answer(known, is_quoted=bool(pieces))
    found = {piece: find(piece, listed(known.get("cik_int")), listed(known.get("years"))) for piece in pieces}
    if found or known.get("answer_type") == "no_answer":
        # a piece that is nowhere stays as it is stated, so that it is seen to be missing
        ids = [name for piece, sentences in found.items() for name in ([s.sentence_id for s in sentences] or [piece])]
        made["evidence_sentence_ids"] = list(dict.fromkeys(ids))
    sentences = [sentence for each in found.values() for sentence in each]
    if sentences:
        names = dict(sorted({(each.cik, each.company_name) for each in sentences}))
        made |= {"cik_int": list(names), "company_name": list(names.values())}
        made["years"] = sorted({each.report_year for each in sentences})
        made["section_hints"] = sorted({each.section_id for each in sentences})
    if isinstance(known.get("question_text"), str):
        made["question_id"] = id_of(known["question_text"], record if row is None else row)
    stated = made | {name: value for name, value in known.items() if value is not None}
    made["retrieval_scope"] = scope(stated.get("cik_int"), stated.get("years"))
    # an answer that is no text is written as one
    is_form = "answer_text" in made and made["answer_text"] != known.get("answer_text")
    added = {name: value for name, value in (made | UNSTATED).items() if lacks(known, name)}
    told = ", ".join(name for name in added if name not in NEEDED)
    notes = [known["notes"]] if isinstance(known.get("notes"), str) else []
    answer = {"answer_text": made["answer_text"]} if is_form else {}
    return known | added | answer | {"notes": "; ".join([*notes, NOTE + told]), "filled_fields": told}


def id_of(question: str, row: Mapping) -> str:
    """An id of a question and of where its row says that it is asked, the same with every corpus."""
    asked_in = {name: row[name] for name in ASKED_IN if row.get(name) not in (None, "", [])}
    text = question + (json.dumps(asked_in, default=str) if asked_in else "")
    digest = hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    return f"q-{digest[:10]}"


def lacks(record: Mapping, name: str) -> bool:
    return record.get(name) is None


def listed(value: object) -> list:
    return value if isinstance(value, list) else []


def scope(companies: object, years: object) -> str:
    if isinstance(companies, list) and len(companies) > 1:
        return "cross_company"
    return "cross_year" if isinstance(years, list) and len(years) > 1 else "local"


def told_of_answer(known: Mapping, is_quoted: bool) -> dict[str, object]:
    """Type and value of the answer, as far as the type is not stated; of a question without one the text that its type
    has. is_quoted: whether it has evidence.

    Evidence without an answer measures retrieval; that the filings have no answer is nothing that a gap says.
    """
    answer, kind = known.get("answer_text"), known.get("answer_type")
    if answer in (None, ""):
        if is_quoted and kind is None:
            return {"answer_type": "unstated", "answer_text": ""}
        text = {"no_answer": NO_ANSWER, "unstated": ""}.get(kind) if isinstance(kind, str) else None
        return {} if text is None else {"answer_text": text}
    return answer_fields(answer, known.get("question_text")) if kind is None else {}


def answer_fields(answer: object, question: object = "") -> dict[str, object]:
    """Type and value of an answer, by its form; an answer that is an amount and nothing else is a number.

    An amount without a scale ("$1577.00") is in the one that the question asks for ("in USD millions").
    """
    if isinstance(answer, bool):
        return {"answer_type": "boolean", "answer_text": "Yes" if answer else "No"}
    if isinstance(answer, int | float):
        numeric = {"answer_type": "numeric", "answer_text": f"{answer:,}", "answer_numeric": float(answer)}
        return numeric | unit_field(Unit(NUMBER), question)
    if isinstance(answer, list):
        return {"answer_type": "list"}
    if YES_OR_NO.match(str(answer)):
        return {"answer_type": "boolean"}
    if amount := whole_amount(str(answer)):
        number, unit = amount
        return {"answer_type": "numeric", "answer_numeric": number} | unit_field(unit, question)
    return {"answer_type": "span"}


def unit_field(unit: Unit, question: object) -> dict[str, str]:
    """answer_unit of an amount: "%", "USD", "millions" or "USD millions"; nothing where nobody says it."""
    asked = list(ASKED_SCALE.finditer(question)) if isinstance(question, str) else []
    asked = [each for each in asked if each["scale"] or each["ahead"] or each["before"]]  # no "in m"
    name = "" if unit.name == NUMBER else unit.name
    is_scalable = unit.scale == 1.0 and (not name or name == "shares" or name in CURRENCIES.values())
    if is_scalable and len(scales := {scale_of(each["scale"] or each["short"]) for each in asked}) == 1:
        unit = Unit(name, *scales)
        name = name or currency_of(asked)
    if unit.name == PERCENT and isinstance(question, str) and CHANGE_OF_SHARE.search(question):
        return {"answer_unit": PERCENT_OR_POINTS}
    if unit == Unit(POINTS, 0.01):
        return {"answer_unit": "bps"}
    scale = next((word for word, factor in SCALES.items() if factor == unit.scale), "")
    parts = [scale, name] if name == "shares" else [name, scale and f"{scale}s"]
    stated = " ".join(filter(None, parts))
    return {"answer_unit": stated} if stated else {}


def currency_of(asked: Sequence[re.Match]) -> str:
    """The one that a question wants its answer in; nothing where it says none or several."""
    said = [each[place] for each in asked for place in ("ahead", "before", "after") if each[place]]
    words = [re.sub(r"^of\s|\s", "", text.strip().lower()) for text in said]
    names = {CURRENCIES.get(word, "USD") for word in words}  # "US dollars"
    return names.pop() if len(names) == 1 else ""
