"""Files of answers that a system of one's own gave: JSON lines, JSON, or the layout of FinSights' saved responses.

A record has a question and an answer, and may have: question_id and suite (then the text is not matched), contexts,
model, input_tokens, output_tokens (or tokens), cost (USD), latency_seconds, answer_items, answer_numeric, answer_unit,
answer_boolean, is_answerable and cited_sentence_ids. A context is a text, or an object with text, sentence_id, cik and
report_year. FinSights' layout is query, answer, context (one text with a header per passage) and metadata.llm.

Nothing is dropped: what cannot be read, and every value that is not of its kind, is a problem with its row.
"""

from __future__ import annotations

import glob
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from finrag.errors import FinragError
from finrag.scoring.citations import SENTENCE_ID

NAME = re.compile(r"[A-Za-z0-9_.-]+")
FORM = "ANSWERS takes name=path pairs separated by spaces, e.g. mine=runs/answers.jsonl; a path may be a glob."
UNKNOWN_MODEL = "unknown"
# The header of a passage in FinSights' context, e.g.
# === [WMT] Walmart Inc. | FY 2018 | Doc: 0000104169_10-K_2018 | Item 7: … | Sentences: …_7_221 - …_7_227 ===
PASSAGE = re.compile(
    r"^=== \[(?P<ticker>[^\]]*)\] .*?\| FY (?P<year>\d{4}) \| Doc: (?P<filing>\S+) \|.*?"
    r"Sentences: (?P<first>\S+)(?: - (?P<last>\S+))? ===$",
    re.MULTILINE,
)
# Rules and titles around FinSights' passages.
BANNER = re.compile(r"^(?:[═=]{5,}|NARRATIVE CONTEXT - SEC FILINGS)\s*$", re.MULTILINE)
NUMBERS = ("input_tokens", "output_tokens", "cost_usd", "latency_seconds", "answer_numeric")


@dataclass(frozen=True)
class Context:
    """A passage that the system answered from. A passage of several sentences has all their ids."""

    text: str
    sentence_ids: tuple[str, ...] = ()
    cik: int | None = None
    report_year: int | None = None


@dataclass
class Record:
    """One answer of a file, or what is left of it. problems: (problem, detail)."""

    external_run: str
    file_path: str
    source_row: int
    question: str | None = None
    suite: str | None = None
    question_id: str | None = None
    answer: str | None = None
    model: str = UNKNOWN_MODEL
    contexts: tuple[Context, ...] | None = None  # None: not stated
    fields: dict = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)


def parse_setting(setting: str, strategies: tuple[str, ...] = ()) -> list[tuple[str, Path]]:
    """(name, file) of `name=path` pairs. A name becomes a strategy, so it may be none of ours."""
    try:
        pairs = shlex.split(setting or "")
    except ValueError as error:
        raise FinragError(f"ANSWERS cannot be read: {error}. {FORM}") from error
    files: dict[tuple[str, Path], None] = {}
    for pair in pairs:
        name, separator, pattern = pair.partition("=")
        if not separator or not pattern:
            raise FinragError(f"ANSWERS names {pair!r} without a path. {FORM}")
        if not NAME.fullmatch(name):
            raise FinragError(
                f"ANSWERS names a run {name!r}. Allowed are letters, digits and the characters _ . and -. {FORM}"
            )
        if name.lower() in {strategy.lower() for strategy in strategies}:
            raise FinragError(f"ANSWERS names a run {name!r}, which is a strategy here. Give it another name.")
        found = sorted(Path(path) for path in glob.glob(pattern, recursive=True) if Path(path).is_file())
        if not found:
            raise FinragError(f"ANSWERS path {pattern!r} of {name} matches no file. {FORM}")
        files |= {(name, path): None for path in found}
    return list(files)


def read_answers(name: str, path: Path) -> list[Record]:
    """The records of one file, in order; a file that is no JSON is one record with a problem."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return [Record(name, str(path), 0, problems=[("unreadable_file", str(error))])]
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        if path.suffix.lower() == ".json" or not lines:
            return [Record(name, str(path), 0, problems=[("unreadable_file", f"no JSON: {error}")])]
        return [read_line(name, path, number, line) for number, line in lines]
    rows = whole if isinstance(whole, list) else [whole]
    return [read_record(Record(name, str(path), number), row) for number, row in enumerate(rows, start=1)]


def read_line(name: str, path: Path, number: int, line: str) -> Record:
    record = Record(name, str(path), number)
    try:
        return read_record(record, json.loads(line))
    except json.JSONDecodeError as error:
        record.problems.append(("unreadable_row", f"no JSON: {error}"))
        return record


def read_record(record: Record, row: object) -> Record:
    """Fill the record from what the file says."""
    if not isinstance(row, Mapping):
        record.problems.append(("unreadable_row", f"{type(row).__name__} where an object is expected"))
        return record
    stated = flatten_finsights(row) if isinstance(row.get("metadata"), Mapping) else dict(row)
    record.question = read_text(record, stated, "question")
    record.suite, record.question_id = (read_text(record, stated, name) for name in ("suite", "question_id"))
    record.answer = read_text(record, stated, "answer")
    record.model = read_text(record, stated, "model") or UNKNOWN_MODEL
    if record.question is None and record.question_id is None:
        record.problems.append(("no_question", "neither question nor question_id is stated"))
    if record.answer is None:
        record.problems.append(("no_answer", "the answer is missing or blank; it counts as an error"))
    read_contexts(record, stated.get("contexts"))
    stated.setdefault("cost_usd", stated.get("cost"))
    if stated.get("input_tokens") is None and stated.get("output_tokens") is None:
        stated["input_tokens"] = stated.get("tokens")
    for name in NUMBERS:
        record.fields[name] = read_number(record, name, stated.get(name), least=None if name == "answer_numeric" else 0)
    for name in ("answer_items", "cited_sentence_ids"):
        record.fields[name] = read_texts(record, name, stated.get(name))
    for name in ("answer_boolean", "is_answerable"):
        record.fields[name] = read_boolean(record, name, stated.get(name))
    record.fields["answer_unit"] = read_text(record, stated, "answer_unit")
    return record


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
            ids = context.get("sentence_ids") or [context.get("sentence_id")]
            found.append(
                Context(
                    str(context.get("text") or ""),
                    tuple(str(each) for each in ids if each),
                    whole(context.get("cik")),
                    whole(context.get("report_year")),
                )
            )
        else:
            bad_value(record, "contexts", context, "a text or an object")
    record.contexts = tuple(found)


def whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_text(record: Record, stated: Mapping, name: str) -> str | None:
    value = stated.get(name)
    if value is not None and not isinstance(value, str):
        bad_value(record, name, value, "a text")
        return None
    return value if value and value.strip() else None


def read_texts(record: Record, name: str, value: object) -> list[str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        bad_value(record, name, value, "a list of texts")
        return None
    return value


def read_boolean(record: Record, name: str, value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        bad_value(record, name, value, "true or false")
        return None
    return value


def read_number(record: Record, name: str, value: object, least: float | None) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not is_number or (least is not None and value < least):
        bad_value(record, name, value, "a number" if least is None else f"a number of at least {least}")
        return None
    return float(value)


def bad_value(record: Record, name: str, value: object, expected: str) -> None:
    """Note a value that is left out; the rest of the row is used."""
    record.problems.append(("bad_value", f"{name}: {str(value)[:80]!r} is not {expected}; left out"))
