"""What the rules say about an answer: right or wrong by its type, abstaining, citing, attributing, and a bad question.

An answer is judged once per version of the rules and content: verdict_key is a hash of everything it depends on.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from finrag.errors import FinragError
from finrag.scoring.alignment import align
from finrag.scoring.attribution import Attribution, Company, attribution, company
from finrag.scoring.bad_questions import CrossReferences, bad_question
from finrag.scoring.booleans import boolean_match
from finrag.scoring.citations import Label, cited_ids, cited_labels, score_citations, share
from finrag.scoring.key_points import points_stated
from finrag.scoring.lists import list_match
from finrag.scoring.numbers import NumericMatch, numeric_match
from finrag.scoring.relevance import answer_relevance, copied_share
from finrag.text.abstention import Abstention, abstention
from finrag.text.amounts import NUMBER, PERCENT, POINTS, Amount, parse_unit
from finrag.text.plain_text import without_long_runs
from finrag.text.replies import answer_of, without_thoughts
from finrag.text.words import sentences
from finrag.text.years import as_answered
from finrag.text.yes_no import parse_boolean, says_none
from finrag.versions import code_version

INPUT = (
    "content_key", "question_text", "answer_type", "gold_text", "gold_items", "gold_numeric", "gold_unit", "tolerance",
    "key_points", "evidence", "companies", "answer_text", "answer_items", "answer_numeric", "answer_unit",
    "answer_boolean", "is_answerable", "cited_sentence_ids", "existing_sentence_ids", "contexts", "altered_numeric",
)  # fmt: skip
OUTPUT = {
    "verdict_key": "varchar",
    "content_key": "varchar",
    "rules_version": "varchar",
    "numeric_match": "boolean",
    "numeric_reason": "varchar",
    "numeric_source": "varchar",
    "numeric_difference": "double",
    "answered_from": "varchar",
    "boolean_match": "boolean",
    "boolean_stated": "boolean",
    "boolean_reason": "varchar",
    "list_match": "boolean",
    "list_jaccard": "double",
    "list_matched_count": "integer",
    "list_reason": "varchar",
    "key_points_stated": "integer",
    "key_points_total": "integer",
    "abstention_kind": "varchar",
    "abstention_phrase": "varchar",
    "cited_count": "integer",
    "citation_existing_share": "double",
    "citation_in_context_share": "double",
    "citation_support_share": "double",
    "citation_evidence_recall": "double",
    "label_count": "integer",
    "label_support_share": "double",
    "attribution_checked_count": "integer",
    "misattributed_count": "integer",
    "misattributed_share": "double",
    "misattributed_clauses": "varchar[]",
    "is_meta_commentary": "boolean",
    "bad_question_reasons": "varchar[]",
    "answer_relevance": "double",
    "copied_share": "double",
    "sentence_count": "integer",
}
EVIDENCE_ID = re.compile(r"^(?P<cik>\d{10})_.+_(?P<year>\d{4})_section_(?P<item>\w+)_\d+$")
BATCH = 500  # answers that are in memory together, with all they were given to read


@dataclass(frozen=True)
class Answer:
    """One row of metrics.int_scored_answers; see its columns."""

    content_key: str
    question_text: str
    answer_type: str
    gold_text: str | None
    gold_items: list[str] | None
    gold_numeric: float | None
    gold_unit: str | None
    tolerance: float | None
    key_points: list[str] | None  # what a right answer states, where the suite says so
    # sentence_id, cik, report_year, section_id, text, stands_for (see gold.p3_evidence); cik to text are null outside
    # the corpus
    evidence: list[dict]
    companies: list[dict]  # cik, company_name, ticker
    answer_text: str
    answer_items: list[str] | None
    answer_numeric: float | None
    answer_unit: str | None
    answer_boolean: bool | None
    is_answerable: bool | None
    cited_sentence_ids: list[str] | None
    existing_sentence_ids: list[str]
    contexts: list[dict] | None  # cik, text, sentence_ids; None where an external answer does not state them
    altered_numeric: float | None = None  # the answer by a context with other figures in it, where that was given


def judge_answers(session, answers, patterns, done: Iterable[str]):
    """Relation with the columns OUTPUT for the distinct contents whose verdict_key done lacks.

    answers: relation with the columns INPUT and is_error. patterns: relation of seeds.cross_reference_patterns.
    """
    rows = [dict(zip(patterns.columns, row, strict=True)) for row in patterns.order("all").fetchall()]
    version = rules_version(rows)
    known = set(done)
    cross_reference = CrossReferences(rows)
    readable = answers.filter("not is_error and answer_text is not null")
    keys = {
        verdict_key(version, content_key): content_key
        for (content_key,) in readable.project("content_key").distinct().order("all").fetchall()
    }
    todo = [(key, content_key) for key, content_key in keys.items() if key not in known]
    verdicts: dict[str, dict] = {}
    for first in range(0, len(todo), BATCH):
        key_of = {content_key: key for key, content_key in todo[first : first + BATCH]}
        wanted = ", ".join(f"'{content_key}'" for content_key in key_of)
        for row in readable.filter(f"content_key in ({wanted})").project(", ".join(INPUT)).fetchall():
            answer = Answer(*row)
            key = key_of[answer.content_key]
            if key not in verdicts:
                head = {"verdict_key": key, "content_key": answer.content_key, "rules_version": version}
                verdicts[key] = head | judge(answer, cross_reference)
    return as_relation(session, list(verdicts.values()))


def verdict_key(version: str, content_key: str) -> str:
    return hashlib.md5(f"{version}|{content_key}".encode(), usedforsecurity=False).hexdigest()


def judge(answer: Answer, cross_reference: CrossReferences) -> dict:
    """The columns of OUTPUT but the first three."""
    # once, before all readers; what is cited may stand beside the tags of the answer
    reply = without_thoughts(without_long_runs(answer.answer_text))
    text = answer_of(reply)
    answer = replace(answer, answer_text=text, question_text=as_answered(answer.question_text, text))
    refusal = refusal_of(answer)
    in_corpus = [evidence["cik"] is not None for evidence in answer.evidence]
    # with the scores out of the way the seed's rule says whether both texts are commentary; thresholds come later
    quality = bad_question(
        answer.question_text,
        answer.gold_text,
        answer.answer_type,
        cross_reference,
        in_corpus or None,
        answer.answer_text,
        rouge_l=0.0,
        bert_score=1.0,
    )
    return {
        **numeric_columns(answer, refusal),
        "answered_from": answered_from(answer, refusal),
        **boolean_columns(answer, refusal),
        **list_columns(answer, refusal),
        **key_point_columns(answer, refusal),
        "abstention_kind": refusal.kind,
        "abstention_phrase": refusal.trigger,
        **citation_columns(replace(answer, answer_text=reply)),
        **attribution_columns(answer),
        "is_meta_commentary": quality.seed_flag,
        "bad_question_reasons": list(quality.reasons),
        **writing_columns(answer, refusal),
    }


def writing_columns(answer: Answer, refusal: Abstention) -> dict:
    """Relevance and copying, of answers that say something; copied from what they were given or from the evidence."""
    if refusal.is_abstention:
        return {"answer_relevance": None, "copied_share": None, "sentence_count": 0}
    sources = [each["text"] for each in (*answer.evidence, *(answer.contexts or ())) if each["text"]]
    return {
        "answer_relevance": answer_relevance(answer.question_text, answer.answer_text),
        "copied_share": copied_share(answer.answer_text, sources) if sources else None,
        "sentence_count": len(sentences(answer.answer_text)),
    }


def refusal_of(answer: Answer) -> Abstention:
    """The field decides where it says that there is no answer; otherwise the text. "There is no indication that …" says
    no where yes or no is asked, and "none" is a number where the gold is 0.
    """
    if answer.is_answerable is False:
        return Abstention("full", "is_answerable is false")
    refusal = abstention(answer.answer_text, answer.question_text if answer.answer_type == "no_answer" else None)
    if answer.answer_type == "boolean" and parse_boolean(answer.answer_text, answer.question_text)[0] is not None:
        return Abstention("none")
    if answer.gold_numeric == 0 and says_none(answer.answer_text, answer.question_text):
        return Abstention("none")
    if refusal.is_abstention and answer.answer_type == "list" and lists_some(answer, refusal.trigger):
        return Abstention("partial", refusal.trigger)
    return refusal


def lists_some(answer: Answer, trigger: str) -> bool:
    """Whether an answer states some of the list's items before it refuses: "A and B did. C is not mentioned"."""
    clauses = [clause for sentence in sentences(answer.answer_text) for clause in sentence.split("; ")]
    said = itertools.takewhile(lambda clause: trigger not in clause, clauses)
    return any(align(answer.gold_items or (), sentence, answer.question_text).found for sentence in said)


def numeric_columns(answer: Answer, refusal: Abstention) -> dict:
    if answer.gold_numeric is None:
        return {"numeric_match": None, "numeric_reason": None, "numeric_source": None, "numeric_difference": None}
    if refusal.is_abstention:
        verdict, source = NumericMatch("no_number", "abstains"), "text"
    else:
        verdict, source = compare_number(answer)
    return {
        "numeric_match": verdict.verdict == "matched",
        "numeric_reason": verdict.reason,
        "numeric_source": source,
        "numeric_difference": verdict.difference,
    }


def answered_from(answer: Answer, refusal: Abstention) -> str | None:
    """Whose figure an answer to altered evidence states: the context's or, from memory, that of the filing; neither is
    also who states both. None of answers to other contexts.
    """
    if answer.altered_numeric is None:
        return None
    if refusal.is_abstention:
        return "abstained"
    figures = {"context": answer.altered_numeric, "memory": answer.gold_numeric}
    stated = [
        source
        for source, figure in figures.items()
        if compare_number(replace(answer, gold_numeric=figure))[0].verdict == "matched"
    ]
    return stated[0] if len(stated) == 1 else "neither"


def compare_number(answer: Answer) -> tuple[NumericMatch, str]:
    """The number of the field if its unit is the gold's, else those of the text. Where the text states the field's
    number, its words give the sign and the scale and its digits the precision. A field without a unit, in which a model
    may as well have put dollars as millions, counts where the text has no number.
    """
    wanted = parse_unit(answer.gold_unit)
    gold = (answer.gold_numeric, answer.gold_unit, answer.tolerance)
    by_text = numeric_match(*gold, answer.answer_text, question=answer.question_text)
    if answer.answer_numeric is None or (not answer.answer_unit and by_text.verdict != "no_number"):
        return by_text, "text"
    try:
        given = parse_unit(answer.answer_unit, may_count=wanted.name == NUMBER)
    except FinragError:
        return by_text, "text"  # a unit that a model made up
    if given.name not in (wanted.name, parse_unit(None).name):
        return by_text, "text"
    by_field = numeric_match(
        *gold, answer.answer_numeric, question=answer.question_text, answer_unit=answer.answer_unit
    )
    value = answer.answer_numeric * given.scale
    if by_text.amount and by_text.verdict == "matched" and has_digits(value, by_text.amount):
        return by_text, "text"
    return by_field, "field"


def has_digits(value: float, amount: Amount) -> bool:
    """Whether a value is a text's figure, of either sign and in any scale: 1,284 of "$1,284 million", 0.12 of "12%"."""
    scales = (1.0, 1e2) if amount.unit in (PERCENT, POINTS) else (1.0, 1e3, 1e6, 1e9, 1e12)
    sizes = abs(value), abs(amount.value)
    return any(math.isclose(max(sizes), scale * min(sizes)) for scale in scales)


def boolean_columns(answer: Answer, refusal: Abstention) -> dict:
    if answer.answer_type != "boolean" or answer.gold_text is None:
        return {"boolean_match": None, "boolean_stated": None, "boolean_reason": None}
    given = None if refusal.is_abstention else answer.answer_boolean
    if given is None and not refusal.is_abstention:
        given = answer.answer_text
    match = boolean_match(answer.gold_text, given, answer.question_text)
    is_gold_unclear = match.reason == "gold_unclear"
    reason = "abstains" if refusal.is_abstention and not is_gold_unclear else match.reason
    return {
        "boolean_match": None if is_gold_unclear else match.verdict == "matched",
        "boolean_stated": match.stated,
        "boolean_reason": reason,
    }


def list_columns(answer: Answer, refusal: Abstention) -> dict:
    if answer.answer_type != "list":
        return {"list_match": None, "list_jaccard": None, "list_matched_count": None, "list_reason": None}
    given = None if refusal.is_abstention else (answer.answer_items or answer.answer_text)
    match = list_match(answer.gold_items or answer.gold_text or [], given, answer.question_text)
    return {
        "list_match": match.is_match,
        "list_jaccard": match.jaccard,
        "list_matched_count": match.matched_count,
        "list_reason": "abstains" if refusal.is_abstention else match.reason,
    }


def key_point_columns(answer: Answer, refusal: Abstention) -> dict:
    """How many of the question's key points are stated; None of both counts where it has none."""
    points = answer.key_points or []
    stated: list[bool] = []
    if points and not refusal.is_abstention:
        stated = points_stated(points, answer.answer_text, answer.question_text, companies_of(answer))
    return {"key_points_stated": sum(stated) if points else None, "key_points_total": len(points) or None}


def companies_of(answer: Answer) -> list[Company]:
    """The question's companies, by the names that an answer may give them."""
    names = [each["company_name"] for each in answer.companies]
    return [company(str(each["cik"]), each["company_name"], each["ticker"], others=names) for each in answer.companies]


def citation_columns(answer: Answer) -> dict:
    gold = {evidence["sentence_id"]: set(evidence["stands_for"]) for evidence in answer.evidence}
    context = {each for passage in answer.contexts or () for each in passage["sentence_ids"] or ()}
    cited = cited_ids(answer.answer_text, answer.cited_sentence_ids)
    score = score_citations(cited, context, gold, {*answer.existing_sentence_ids, *context, *gold})
    labels = cited_labels(answer.answer_text)
    supported = label_sources(answer)
    return {
        "cited_count": len(score.cited),
        "citation_existing_share": score.existing_share,
        "citation_in_context_share": None if answer.contexts is None else score.in_context_share,
        "citation_support_share": score.support_share,
        "citation_evidence_recall": score.evidence_recall,
        "label_count": len(labels),
        "label_support_share": share(sum(label in supported for label in labels), len(labels)) if supported else None,
    }


def label_sources(answer: Answer) -> set[Label]:
    """The items of filings that hold the gold evidence, as an answer would cite them; none without a known ticker."""
    tickers = {each["cik"]: each["ticker"] for each in answer.companies if each["ticker"]}
    found = set()
    for evidence in answer.evidence:
        cik, year, section = evidence["cik"], evidence["report_year"], evidence["section_id"]
        if cik is None and (stated := EVIDENCE_ID.match(evidence["sentence_id"])):
            cik, year, section = int(stated["cik"]), int(stated["year"]), f"ITEM_{stated['item'].upper()}"
        if cik in tickers:
            found.add(Label(tickers[cik], year, section))
    return found


def attribution_columns(answer: Answer) -> dict:
    """Only answers about several companies can take one for another."""
    result = Attribution((), 0, 0, None)
    if len(answer.companies) > 1:
        texts: dict[str, list[str]] = defaultdict(list)
        for source in [*answer.evidence, *(answer.contexts or ())]:
            if source["cik"] is not None and source["text"]:
                texts[str(source["cik"])].append(source["text"])
        result = attribution(answer.answer_text, companies_of(answer), texts)
    return {
        "attribution_checked_count": result.checked_count,
        "misattributed_count": result.misattributed_count,
        "misattributed_share": result.misattributed_share,
        "misattributed_clauses": [clause.text for clause in result.clauses if clause.verdict == "other"],
    }


def rules_version(patterns: Iterable[Mapping]) -> str:
    """Checksum of the rules' code and patterns."""
    decided_by = f"{sorted(map(str, patterns))}{code_version(__name__)}"
    return hashlib.md5(decided_by.encode(), usedforsecurity=False).hexdigest()


def as_relation(session, rows: list[dict]):
    import pyarrow

    kinds = {
        "varchar": pyarrow.string(),
        "varchar[]": pyarrow.list_(pyarrow.string()),
        "integer": pyarrow.int32(),
        "double": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in OUTPUT.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(rows, schema=schema))
