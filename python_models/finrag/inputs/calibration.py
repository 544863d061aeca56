"""Summaries and answers that people have scored: SummEval, REALSumm, FinanceBench, and a layout of one's own.

SummEval   JSONL with article_id, summary_id, article, summary and four scores from 1 to 5. It has the article and no
           reference, so a judge reads the source. A consistency of 5, full marks from all of its annotators, is also
           the label consistent, anything less inconsistent.
REALSumm   Parquet with doc_id, system, reference, summary, litepyramid_recall and published metrics. It has a
           reference and no source, so a judge reads the reference. The published metrics are judges under their names.
answers    The files in results/ of github.com/patronus-ai/financebench, with financebench_id, model_name, eval_mode,
           gold_answer, model_answer and what people said of it as label, or rows of one's own with ``answer``;
           ``gold_answer`` and/or ``evidence`` (a text, or a list of texts or of FinanceBench's objects with
           ``evidence_text``); and, as below, ``id``, ``system`` and
           ``human_<dimension>``. An answer is read as a summary is, against its evidence as the source and the gold
           answer as the reference; a refusal claims nothing that could be judged.
own        JSON, JSONL or Parquet with ``summary``; ``source`` and/or ``reference``; optional ``id``, ``document_id``
           and ``system``; at least one ``human_<dimension>``; and, for judges that ran elsewhere, ``judge_<name>``. A
           number, also one that is written as a text, is a score, another text a label. null, NaN and a blank are no
           judgement: of people nothing, of a judge that the row names a failure, which is counted.

Right or wrong, true or false, is the score 1 or 0 and the label consistent or inconsistent, which is what judges say.
A row that cannot be used is rejected with a reason.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType

from finrag.inputs.rows import SourceRow, as_text, id_as_text, read_rows, stated_texts, without_repeats
from finrag.inputs.setting import DEMO, Grammar
from finrag.tables import as_relation

GRAMMAR = Grammar(
    "calibration_data",
    '"path" or "name=path", several separated by spaces, globs allowed',
    "summeval=summaries/summeval.jsonl realsumm=summaries/realsumm.parquet",
    is_name_needed=False,
)
SUMMEVAL_DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
FULL_MARKS = 5.0
REALSUMM_JUDGES = {
    "published_rouge_l": "rouge_l_f_score",
    "published_rouge_l_recall": "rouge_l_recall",
    "published_bertscore": "bert_f_score",
    "published_bertscore_recall": "bert_recall_score",
    "published_mover_score": "mover_score",
}
# What people call an answer, in the words of FinanceBench and of everybody.
RIGHT = frozenset(["correct answer", "correct", "right", "true"])
WRONG = frozenset(["incorrect answer", "incorrect", "wrong", "false"])
REFUSED = frozenset(["refusal", "failed to answer"])
OWN_TEXTS = ("id", "document_id", "system", "summary", "source", "reference")
# How tables write as a text that there is no value.
NOTHING = frozenset(["", "na", "n/a", "nan", "null"])
SENTENCE_MARK = re.compile(r"</?t>")
OUTPUT = {
    "dataset": "varchar",
    "layout": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "source_id": "varchar",
    "document_id": "varchar",
    "system": "varchar",
    "source_text": "varchar",
    "reference_text": "varchar",
    "summary_text": "varchar",
    "ratings": "struct(rater varchar, name varchar, score double, label varchar)[]",
    "reason": "varchar",
    "detail": "varchar",
}


@dataclass(frozen=True)
class Rating:
    """What one rater says in one respect. rater: human or judge; name: the dimension or the judge.

    With neither score nor label it is a judge's that failed.
    """

    rater: str
    name: str
    score: float | None = None
    label: str | None = None

    @property
    def is_failure(self) -> bool:
        return self.score is None and self.label is None


@dataclass
class Summary:
    """A summary with its ratings, or why it is none (reason and detail)."""

    dataset: str
    layout: str
    file_path: str
    source_row: int
    source_id: str | None = None
    document_id: str | None = None
    system: str | None = None
    source_text: str | None = None
    reference_text: str | None = None
    summary_text: str | None = None
    ratings: list[Rating] = field(default_factory=list)
    reason: str | None = None
    detail: str | None = None

    def rejected(self, reason: str, detail: str) -> Summary:
        self.reason, self.detail = reason, detail
        return self


def load_summaries(session, setting: str, demo):
    """Relation with the columns OUTPUT, one row per summary, or per row of a file that is none (with a reason).

    session: DuckDB connection. setting: var calibration_data. demo: relation of the seed demo_calibration. Raises
    FinragError for a setting that is wrong.
    """
    if GRAMMAR.is_demo(setting):
        rows = demo.order("id").fetchall()
        found = (
            read_own(
                Summary(DEMO, "own", "seeds/demo_calibration.csv", number), dict(zip(demo.columns, row, strict=True))
            )
            for number, row in enumerate(rows, start=1)
        )
    else:
        found = (
            read_row(file.name, row.as_object())
            for file in GRAMMAR.parse(setting)
            for row in read_rows(file, has_nan=True)
        )
    return as_relation(session, [as_row(summary) for summary in without_repeats(found)], OUTPUT)


def read_row(dataset: str, row: SourceRow) -> Summary:
    """One row of any layout, told by its columns."""
    summary = Summary(dataset, "own", row.path, row.number)
    if row.reason is not None:
        return summary.rejected(row.reason, row.detail)
    stated = row.value
    if {"article", *SUMMEVAL_DIMENSIONS} <= stated.keys():
        summary.layout = "summeval"
        return read_summeval(summary, stated)
    if {"reference", "litepyramid_recall"} <= stated.keys():
        summary.layout = "realsumm"
        return read_realsumm(summary, stated)
    if "summary" not in stated and not {"answer", "model_answer"}.isdisjoint(stated):
        summary.layout = "answers"
        return read_answer(summary, stated)
    return read_own(summary, stated)


def read_summeval(summary: Summary, stated: Mapping) -> Summary:
    own = {f"human_{name}": stated[name] for name in SUMMEVAL_DIMENSIONS}
    texts, fault = stated_texts(stated, "article_id", "summary_id")
    if fault:
        return summary.rejected("bad_value", fault)
    article, number = texts.values()
    own |= {"document_id": article, "system": number, "source": stated["article"], "summary": stated.get("summary")}
    own["id"] = f"{article}/{number}"
    read_own(summary, own, {"source": "article"})
    summary.ratings = [
        Rating(rating.rater, rating.name, rating.score, "consistent" if rating.score >= FULL_MARKS else "inconsistent")
        if rating.name == "consistency" and rating.score is not None
        else rating
        for rating in summary.ratings
    ]
    return summary


def read_realsumm(summary: Summary, stated: Mapping) -> Summary:
    own = {f"judge_{name}": stated[column] for name, column in REALSUMM_JUDGES.items() if column in stated}
    texts, fault = stated_texts(stated, "kind", "doc_id", "system")
    if fault:
        return summary.rejected("bad_value", fault)
    kind, document, system = texts.values()
    own |= {"id": f"{document}/{kind}/{system}", "document_id": document, "system": f"{kind}/{system}"}
    own |= {name: without_marks(stated.get(name)) for name in ("reference", "summary")}
    return read_own(summary, own | {"human_litepyramid_recall": stated["litepyramid_recall"]})


def read_answer(summary: Summary, stated: Mapping) -> Summary:
    name_of_answer = "model_answer" if "model_answer" in stated else "answer"
    called = {"summary": name_of_answer, "reference": "gold_answer", "source": "evidence"}
    own = {name: value for name, value in stated.items() if name.startswith(("human_", "judge_"))}
    own |= {name: stated.get(name) for name in ("id", "document_id", "system")}
    own |= {name: number_as_text(stated.get(theirs)) for name, theirs in called.items()}
    own["source"] = joined(own["source"])
    if "model_answer" in stated:
        question = as_text(stated.get("financebench_id"))
        system = f"{stated.get('model_name')} {stated.get('eval_mode')}"
        own |= {"id": f"{question} {system}", "document_id": question, "system": system}
        own["human_correctness"] = stated.get("label")
    said = {str(value).strip().lower() for name, value in own.items() if name.startswith("human_")}
    if said & REFUSED:
        return summary.rejected("refusal", "an answer that was refused claims nothing that could be judged")
    return read_own(summary, own, called)


def joined(evidence: object) -> object:
    """A list of texts, or of FinanceBench's objects that hold one, as one text; anything else as it is."""
    if not isinstance(evidence, list):
        return evidence
    pieces = [each.get("evidence_text", each) if isinstance(each, Mapping) else each for each in evidence]
    numbered = {str(place): number_as_text(piece) for place, piece in enumerate(pieces)}
    texts, fault = stated_texts(numbered, *numbered)
    return evidence if fault else "\n".join(filter(None, texts.values()))


def number_as_text(value: object) -> object:
    """An answer that is a number, as many are in FinanceBench's files, as text; None for NaN."""
    value = id_as_text(value)
    return f"{value:,}" if isinstance(value, float) and isfinite(value) else value


def as_verdict(rating: Rating) -> Rating:
    """Right and wrong in the words of a judge, and as a score for measures that have no words."""
    is_right = rating.label in RIGHT
    if not is_right and rating.label not in WRONG:
        return rating
    return Rating(rating.rater, rating.name, float(is_right), "consistent" if is_right else "inconsistent")


def without_marks(text: object) -> object:
    """REALSumm's text without the marks around its sentences."""
    return " ".join(SENTENCE_MARK.sub(" ", text).split()) if isinstance(text, str) else text


def read_own(summary: Summary, stated: Mapping, called: Mapping[str, str] = MappingProxyType({})) -> Summary:
    """called: what the file calls a field, where it is not by the name here."""
    names = {name: called.get(name, name) for name in OWN_TEXTS}
    theirs, fault = stated_texts({names[name]: stated.get(name) for name in names}, *names.values())
    texts = {name: theirs[names[name]] for name in names}
    summary.summary_text, summary.system = texts["summary"], texts["system"]
    summary.source_text, summary.reference_text = texts["source"], texts["reference"]
    summary.source_id = texts["id"]
    read_against = summary.source_text or summary.reference_text
    summary.document_id = texts["document_id"] or (checksum(read_against) if read_against else None)
    if fault:
        return summary.rejected("bad_value", fault)
    if summary.summary_text is None:
        return summary.rejected("no_summary", f"{names['summary']} is missing or blank")
    for column, value in stated.items():
        rater, _, name = str(column).partition("_")
        if rater not in ("human", "judge") or not name or (rater == "human" and is_nothing(value)):
            continue
        rating = Rating(rater, name) if is_nothing(value) else read_rating(rater, name, value)
        if rating is None:
            return summary.rejected("bad_rating", f"{column} is {str(value)[:80]!r}, neither a number nor a label")
        summary.ratings.append(rating)
    if not any(rating.rater == "human" for rating in summary.ratings):
        return summary.rejected("no_human_rating", "no column human_… holds a score or label")
    if read_against is None and all(rating.rater == "human" or rating.is_failure for rating in summary.ratings):
        missing = f"{names['source']}, {names['reference']} and judge_… are all missing"
        return summary.rejected("nothing_to_compare_with", missing)
    return summary


def is_nothing(value: object) -> bool:
    return value is None or value != value or (isinstance(value, str) and value.strip().lower() in NOTHING)


def read_rating(rater: str, name: str, value: object) -> Rating | None:
    """None for what is neither a number nor a label: figures without a letter, as 4,5 and 4/5, are no label."""
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            number = float(value)
        except ValueError:
            pass
        else:
            return Rating(rater, name, score=number) if isfinite(number) else None
    label = as_text(str(value) if isinstance(value, bool) else value)
    if label and any(map(str.isdigit, label)) and not any(map(str.isalpha, label)):
        return None
    return as_verdict(Rating(rater, name, label=label.lower())) if label else None


def checksum(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:16]


def as_row(summary: Summary) -> dict:
    ratings = [vars(rating) for rating in summary.ratings] if summary.reason is None else []
    return vars(summary) | {"document_id": summary.document_id or summary.source_id, "ratings": ratings}
