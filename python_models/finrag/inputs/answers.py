"""Files of answers that a system of one's own gave: JSON lines, JSON, or the layout of FinSights' saved responses.

A record has a question and an answer, and may have: question_id and suite (then the text is not matched), contexts,
model, input_tokens, output_tokens (or tokens), cost (USD), latency_seconds, answer_items, answer_numeric, answer_unit,
answer_boolean, is_answerable and cited_sentence_ids. A context is a text, or an object with text, sentence_id, cik and
report_year. An answer that is a number, true or false, or a list is answer_numeric, answer_boolean or answer_items as
well, unless these are stated; where there is no answer, one of these is it. FinSights' layout is query, answer, context
(one text with a header per passage) and metadata.llm.

Nothing is dropped: what cannot be read, and every value that is not of its kind, is a problem with its row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from finrag.inputs.rows import Amount, Boolean, Cik, Id, Number, Row, SourceRow, Text, Texts, Year, read_rows
from finrag.inputs.setting import Grammar, NamedFile
from finrag.scoring.citations import SENTENCE_ID
from finrag.text.words import WORDS_OF

GRAMMAR = Grammar("external_answers", "name=path pairs separated by spaces, globs allowed", "mine=runs/answers.jsonl")
UNKNOWN_MODEL = "unknown"
# The header of a passage in FinSights' context, e.g.
# === [ACME] Acme Inc. | FY 2018 | Doc: 0000000042_10-K_2018 | Item 7: … | Sentences: …_7_221 - …_7_227 ===
PASSAGE = re.compile(
    r"^=== \[(?P<ticker>[^\]]*)\] .*?\| FY (?P<year>\d{4}) \| Doc: (?P<filing>\S+) \|.*?"
    r"Sentences: (?P<first>\S+)(?: - (?P<last>\S+))? ===$",
    re.MULTILINE,
)
# Rules and titles around FinSights' passages.
BANNER = re.compile(r"^(?:[═=]{5,}|NARRATIVE CONTEXT - SEC FILINGS)\s*$", re.MULTILINE)


class AnswerRow(Row):
    """What a row states, in our names."""

    question: Text = None
    suite: Text = None
    question_id: Id = None
    answer: Text = None
    model: Text = None
    input_tokens: Amount = None
    output_tokens: Amount = None
    cost_usd: Amount = None
    latency_seconds: Amount = None
    answer_numeric: Number = None
    answer_items: Texts = None
    cited_sentence_ids: Texts = None
    answer_boolean: Boolean = None
    is_answerable: Boolean = None
    answer_unit: Text = None


class ContextRow(Row):
    """What an object among the contexts states."""

    text: Text = None
    sentence_id: Text = None
    sentence_ids: Texts = None
    cik: Cik = None
    report_year: Year = None


@dataclass(frozen=True)
class Context:
    """A passage that the system answered from. A passage of several sentences has all their ids."""

    text: str
    sentence_ids: tuple[str, ...] = ()
    cik: int | None = None
    report_year: int | None = None


@dataclass
class Record:
    """One answer of a file, or what is left of it. problems: (reason, detail)."""

    external_run: str
    file_path: str
    source_row: int
    stated: AnswerRow = field(default_factory=AnswerRow)
    contexts: tuple[Context, ...] | None = None  # None: not stated
    problems: list[tuple[str, str]] = field(default_factory=list)


def read_answers(file: NamedFile) -> Iterator[Record]:
    """The records of one file, in order; a file that is no JSON is one record with a problem."""
    for row in read_rows(file):
        yield read_record(file.name, row.as_object())


def read_record(external_run: str, row: SourceRow) -> Record:
    record = Record(external_run, row.path, row.number)
    if row.reason is not None:
        record.problems.append((row.reason, row.detail))
        return record
    is_finsights = isinstance(row.value.get("metadata"), Mapping)
    stated = flatten_finsights(row.value) if is_finsights else dict(row.value)
    stated.setdefault("cost_usd", stated.get("cost"))
    if stated.get("input_tokens") is None and stated.get("output_tokens") is None:
        stated["input_tokens"] = stated.get("tokens")
    found, faults = AnswerRow.read(stated | answer_of(stated))
    # a blank text is none
    record.stated = found.model_copy(
        update={name: None for name, value in found if isinstance(value, str) and not value.strip()}
    )
    record.problems += [("bad_value", f"{fault}; left out") for fault in faults.values()]
    if record.stated.question is None and record.stated.question_id is None:
        record.problems.append(("no_question", "neither question nor question_id is stated"))
    if record.stated.answer is None:
        record.problems.append(("no_answer", "the answer is missing or blank; it counts as an error"))
    read_contexts(record, stated.get("contexts"))
    return record


def answer_of(stated: Mapping) -> dict[str, object]:
    """The answer as text, and the field of its kind, where it is no text or only such a field states it."""
    answer = stated.get("answer")
    is_blank = answer is None or (isinstance(answer, str) and not answer.strip())
    for name, kind in KINDS.items():
        value = kind(stated.get(name) if is_blank else answer)
        if value is not None:
            return {"answer": in_words(value)} | ({name: value} if stated.get(name) is None else {})
    return {}


def as_number(value: object) -> int | float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) else None


def as_boolean(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def as_texts(value: object) -> list[str] | None:
    """The texts and numbers of a list; None where it holds anything else."""
    if not isinstance(value, list) or not all(isinstance(each, str) or as_number(each) is not None for each in value):
        return None
    return [each if isinstance(each, str) else in_words(each) for each in value]


def in_words(value: bool | float | list[str]) -> str:
    """Yes, 1577, 0.5, or an item per line."""
    if isinstance(value, bool):
        return WORDS_OF[value]
    if isinstance(value, list):
        return "\n".join(value)
    return str(int(value)) if value == int(value) else str(value)


# The fields that an answer which is no text may have, and what is of their kind.
KINDS = {"answer_numeric": as_number, "answer_boolean": as_boolean, "answer_items": as_texts}


def flatten_finsights(row: Mapping) -> dict:
    """A saved response of FinSights in our names."""
    metadata = row["metadata"]
    llm = metadata.get("llm") if isinstance(metadata.get("llm"), Mapping) else {}
    took = metadata.get("processing_time_ms")
    context = row.get("context")
    return {
        "question": row.get("query"),
        "answer": row.get("answer"),
        "contexts": passages(context) if isinstance(context, str) else context,
        "model": llm.get("model_id"),
        "input_tokens": llm.get("input_tokens"),
        "output_tokens": llm.get("output_tokens"),
        "cost": llm.get("cost"),
        "latency_seconds": took / 1000 if isinstance(took, int | float) and not isinstance(took, bool) else took,
    }


def passages(context: str) -> list[dict]:
    """The passages of FinSights' context; what stands before the first header (figures) is one without a source."""
    context = BANNER.sub("", context)
    headers = list(PASSAGE.finditer(context))
    ends = [match.start() for match in headers[1:]] + [len(context)]
    before = context[: headers[0].start()] if headers else context
    found: list[dict] = [{"text": before.strip()}] if before.strip() else []
    for match, end in zip(headers, ends, strict=True):
        filing = re.match(r"(\d{10})_", match["filing"])
        found.append(
            {
                "text": context[match.end() : end].strip(),
                "sentence_ids": id_range(match["first"], match["last"]),
                "cik": int(filing[1]) if filing else None,
                "report_year": int(match["year"]),
            }
        )
    return found


def id_range(first: str, last: str | None) -> list[str]:
    """Every sentence id from first to last of one section; both ends alone where they are of two."""
    stem, _, start = first.rpartition("_")
    other, _, end = (last or first).rpartition("_")
    if stem != other or not (start.isdigit() and end.isdigit()) or int(end) < int(start):
        return [first, *([last] if last and last != first else [])]
    return [f"{stem}_{position}" for position in range(int(start), int(end) + 1)]


def read_contexts(record: Record, stated: object) -> None:
    if stated is None:
        return
    if not isinstance(stated, list):
        bad_value(record, "contexts", stated, "a list of texts or objects")
        return
    found = []
    for context in stated:
        if isinstance(context, str):
            found.append(Context("", (context,)) if SENTENCE_ID.fullmatch(context) else Context(context))
        elif isinstance(context, Mapping):
            stated, faults = ContextRow.read(context)
            record.problems += [("bad_value", f"contexts: {fault}; left out") for fault in faults.values()]
            ids = stated.sentence_ids or [stated.sentence_id]
            found.append(
                Context(stated.text or "", tuple(each for each in ids if each), stated.cik, stated.report_year)
            )
        else:
            bad_value(record, "contexts", context, "a text or an object")
    record.contexts = tuple(found)


def bad_value(record: Record, name: str, value: object, expected: str) -> None:
    """Note a value that is left out; the rest of the row is used."""
    record.problems.append(("bad_value", f"{name}: {str(value)[:80]!r} is not {expected}; left out"))
