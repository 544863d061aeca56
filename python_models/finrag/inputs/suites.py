"""Question suites that others wrote: JSON arrays in the schema of ``finrag.questions.schema``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from finrag.errors import FinragError
from finrag.inputs.files import check, decode, read_text, shorten
from finrag.inputs.setting import Grammar, NamedFile
from finrag.questions import fill
from finrag.questions.schema import Question
from finrag.tables import as_relation, name_relations

# Our own suites; values of metrics are told apart by these names.
OWN_SUITES = ("p1", "p2", "p3", "mdna")
GRAMMAR = Grammar(
    "question_suites",
    'JSON files, as "path" or "name=path", several separated by spaces, globs allowed',
    "suites/*.json",
    is_name_needed=False,
)
OUTPUT = {
    "suite": "varchar",
    "file_path": "varchar",
    "source_row": "integer",
    "question_id": "varchar",
    "record": "varchar",
    "filled_fields": "varchar",
    "reason": "varchar",
    "detail": "varchar",
}


# Sentences by a piece of evidence: by id, else by text, else those that hold it or stand in it. $pieces: texts.
FOUND = """
    with pieces as (
        select piece, lower(trim(regexp_replace(piece, '\\s+', ' ', 'g'))) as text,
        from (select unnest($pieces) as piece)
    ),

    named as (
        select
            pieces.piece,
            case
                when sentences.sentence_id = pieces.piece then 1
                when sentences.text_hash = md5(pieces.text) then 2
                when contains(lower(sentences.sentence_text), pieces.text) then 3
                else 4
            end as way,
            sentences.*,
        from pieces
        inner join sentences
            on sentences.sentence_id = pieces.piece
            or sentences.text_hash = md5(pieces.text)
            or (
                len(pieces.text) >= 20
                and (
                    contains(lower(sentences.sentence_text), pieces.text)
                    or (sentences.word_count >= 6 and contains(pieces.text, lower(sentences.sentence_text)))
                )
            )
    )

    select piece, way, sentence_id, cik, company_name, report_year, section_id
    from named
    order by piece, way, sentence_id
"""


def read_suites(session, question_suites: str, sentences=None):
    """Relation with one row per question of every file; one that breaks the schema has a reason, its faults in detail.

    question_suites: the setting; sentences: relation of the corpus, from which fields that a question leaves out are
    filled in (finrag.questions.fill). record is the validated question as JSON, its lists and numbers typed; as found
    in the file where it is not valid. Raises FinragError for a file that is missing or holds no JSON array.
    """
    read = [(file, records_of(file)) for file in suite_files(question_suites)]
    lacking = [record for _, records in read for record in records if fill.is_incomplete(record)]
    pieces = sorted({piece for record in lacking for piece in fill.pieces_of(record)})
    known = found_evidence(session, sentences, pieces) if pieces and sentences is not None else {}
    return as_relation(session, [row for file, records in read for row in rows_of(file, records, known)], OUTPUT)


def found_evidence(session, sentences, pieces: list[str]) -> dict[str, list[tuple[int, fill.Sentence]]]:
    """The sentences of each piece of evidence, with how they were found, 1 to 4, best first."""
    name_relations(session, sentences=sentences)
    found: dict[str, list[tuple[int, fill.Sentence]]] = {}
    for piece, way, *sentence in session.execute(FOUND, {"pieces": pieces}).fetchall():
        found.setdefault(piece, []).append((way, fill.Sentence(*sentence)))
    return found


def chosen(known: dict, piece: str, companies: Sequence, years: Sequence) -> list[fill.Sentence]:
    """The sentences of a piece that were found the best way, of one filing.

    Raises ValueError where several filings have it and neither companies nor years say which is meant.
    """
    fitting = [
        (way, sentence)
        for way, sentence in known.get(piece, [])
        if (not companies or sentence.cik in companies) and (not years or sentence.report_year in years)
    ]
    best = [sentence for way, sentence in fitting if way == fitting[0][0]]
    filings = {(sentence.cik, sentence.report_year) for sentence in best}
    if len(filings) > 1:
        raise ValueError(
            f"evidence: {shorten(piece)} stands in {len(filings)} filings, such as {best[0].sentence_id} and "
            f"{best[-1].sentence_id}. State cik_int and years, or ids of sentences"
        )
    # an excerpt of several sentences is all of them, a sentence that is repeated is its first
    return best if best and fitting[0][0] == 4 else best[:1]


def suite_files(question_suites: str) -> list[NamedFile]:
    """The files, sorted; a suite is named after its file unless stated, and no two may share a name."""
    asked = question_suites or ""
    found = [file for file in GRAMMAR.parse(asked) if file.path.lower().endswith(".json") or file.path in asked]
    files = sorted(found, key=lambda file: Path(file.path))
    counts = Counter(file.name for file in files)
    repeated = sorted(name for name, count in counts.items() if count > 1 or name in OWN_SUITES)
    if repeated:
        raise FinragError(
            f"A question suite is named after its file, and these names are taken more than once: "
            f"{', '.join(repeated)}. Rename the files, or name them, name=path ({', '.join(OWN_SUITES)} are our own)."
        )
    return files


def read_suite(file: NamedFile) -> list[dict]:
    """Rows of one file, read without a corpus."""
    return rows_of(file, records_of(file), {})


def records_of(file: NamedFile) -> list:
    """What a file holds. Raises FinragError where that is no array of anything."""
    path = file.path
    try:
        records = decode(read_text(path))
    except (OSError, ValueError) as error:
        raise FinragError(f"The question suite {path} cannot be read: {error}. It must be a JSON array.") from error
    if not isinstance(records, list) or not records:
        held = "no question" if records == [] else type(records).__name__
        raise FinragError(f"The question suite {path} holds {held} where a JSON array of questions is expected.")
    return records


def rows_of(file: NamedFile, records: list, known: dict) -> list[dict]:
    """known: sentences by piece of evidence (found_evidence)."""
    ids: set[str] = set()
    return [_row(file, number, record, ids, known) for number, record in enumerate(records, start=1)]


def _row(file: NamedFile, number: int, record: object, ids: set[str], known: dict) -> dict:
    stated_id = record.get("question_id") if isinstance(record, dict) else None
    question_id = stated_id if isinstance(stated_id, str) and stated_id else f"#{number - 1}"
    row = {"suite": file.name, "file_path": file.path, "source_row": number, "question_id": question_id}
    try:
        check(record)
    except ValueError as fault:
        return row | {"question_id": f"#{number - 1}", "reason": "unreadable_row", "detail": shorten(str(fault))}
    stated = record
    try:
        if fill.is_incomplete(record):
            record = fill.filled(record, lambda *asked: chosen(known, *asked))
            row["filled_fields"] = record.get("filled_fields")
            if isinstance(record.get("question_id"), str):
                question_id = row["question_id"] = record["question_id"]
        question = Question.model_validate(record)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'question'}: {fault['msg']}" for fault in error.errors()
        )
        return row | {"record": json.dumps(stated, ensure_ascii=False), "reason": "invalid_schema", "detail": faults}
    except ValueError as fault:
        stated = json.dumps(stated, ensure_ascii=False)
        return row | {"record": stated, "reason": "invalid_schema", "detail": str(fault)}
    row["record"] = question.model_dump_json()
    if question_id in ids:
        return row | {
            "question_id": f"{question_id}#{number - 1}",
            "reason": "duplicate_id",
            "detail": "question_id: occurs earlier in the file",
        }
    ids.add(question_id)
    return row
