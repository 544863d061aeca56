"""Question suites that others wrote: JSON arrays in the schema of ``finrag.questions.schema``, and published formats,
as JSON, JSONL, Parquet or, BEIR's, a folder.

Those are found by the fields of their rows (finrag.inputs.suite_formats).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from finrag.errors import FinragError
from finrag.inputs import suite_faults
from finrag.inputs.files import check, decode_line, read_content, read_text, shorten
from finrag.inputs.rows import id_as_text, json_values, parquet_rows
from finrag.inputs.setting import Grammar, NamedFile
from finrag.inputs.suite_documents import Document, Documents, documents_of
from finrag.inputs.suite_formats import Format, Place, beir, form_of, recognised
from finrag.questions import fill
from finrag.questions.evidence import Evidence, told
from finrag.questions.schema import Question
from finrag.tables import as_relation
from finrag.text.companies import Companies

# Our own suites; values of metrics are told apart by these names.
OWN_SUITES = ("p1", "p2", "p3", "mdna")
GRAMMAR = Grammar(
    "question_suites",
    'JSON, JSONL or Parquet files, or folders in BEIR\'s form, as "path" or "name=path", several separated by spaces, '
    "globs allowed",
    "suites/*.json",
    is_name_needed=False,
    folder=beir.FOLDER,
)
LINES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
PARQUET = ".parquet"
# What an object that is a question has, and one that holds questions has not.
QUESTION = {"question", "question_text"}
ENDINGS = (".json", *LINES, PARQUET)
# Characters from which a piece of evidence is a page and no sentence.
PAGE = 1000
# Of a question that states no year.
NOT_DATED = "years: none is stated, and the evidence that would tell them stands nowhere in the corpus"
NOTHING_RELEVANT = "nothing is judged above 0, so that nothing that is found could be right"
OUTPUT = {
    "suite": "varchar",
    "file_path": "varchar",
    "source_row": "integer",
    "question_id": "varchar",
    "record": "varchar",
    "filled_fields": "varchar",
    "unfound": "varchar",
    "pages": "varchar",
    "reason": "varchar",
    "detail": "varchar",
}


@dataclass(frozen=True)
class Read:
    """A question as its file states it, as a record of our schema, complete or not, and what its format refuses.

    places: where its evidence stands; those that the corpus has are of filings, by their ids, and those that it has not
    are missing, unless they are judged irrelevant, and called as the suite does. form: the format that it was read in.
    """

    stated: object
    record: object
    fault: ValueError | None = None
    places: tuple[Place, ...] = ()
    filings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    form: Format | None = None


class UnknownError(ValueError):
    """A question is about what is not here: a document, a company, one of several. reason: as its row says."""

    def __init__(self, reason: str, fault: str) -> None:
        super().__init__(fault)
        self.reason = reason


def read_suites(session, question_suites: str, sentences=None, companies: Companies | None = None, filings=None):
    """Relation with one row per question of every file; one that breaks the schema has a reason, its faults in detail.

    question_suites: the setting; sentences: relation of fct_sentences, from which fields that a question leaves out are
    filled in (finrag.questions.fill); companies and filings: those of the corpus, as Companies and relation of
    dim_filings, by which published suites say where they ask.
    record is the validated question as JSON, its lists and numbers typed; as found in the file where it is not valid.
    unfound has the pieces of its evidence that stand nowhere (finrag.questions.evidence), and the documents and pages
    that it names and the corpus does not have; pages the pages of the corpus that it stands on.
    Raises FinragError for a file that is missing or holds no questions.
    """
    known = documents_of(filings)
    read = [(file, located(records_of(file), companies, known)) for file in suite_files(question_suites)]
    asked = [each.record for _, questions in read for each in questions if not each.fault]
    lacking = [record for record in asked if fill.is_incomplete(record)]
    # whole pages whose company is known are aligned: of 26 filings, all are searched for a dozen of them in a second
    pieces = {
        (piece, cik) for record in lacking for piece in fill.pieces_of(record) for cik in ciks_of(record) or [None]
    }
    searched = [(piece, cik) for piece, cik in sorted(pieces, key=str) if cik is None or len(piece) < PAGE]
    is_asked = pieces or any(each.filings for _, questions in read for each in questions)
    forms = {document.filing_id: document.form_type for document in known.documents.values()}
    evidence = Evidence(session, sentences, searched, forms) if is_asked and sentences is not None else None
    return as_relation(session, [row for file, records in read for row in rows_of(file, records, evidence)], OUTPUT)


def ciks_of(record: dict) -> list[int]:
    """The companies that a record is about, as far as they are numbers that a company may have."""
    stated = record.get("cik_int")
    return [cik for cik in stated if type(cik) is int and 0 <= cik < 2**63] if isinstance(stated, list) else []


def located(read: list[Read], companies: Companies | None, known: Documents) -> list[Read]:
    """Questions whose documents are in the corpus have their companies and years; others whose company is stated in
    words have its number, where the words are one company of the corpus.

    Evidence is looked for nowhere else: the same words may stand in anybody's filings.
    """
    return [locate(each, companies, known) for each in read]


def locate(read: Read, companies: Companies | None, known: Documents) -> Read:
    is_named = isinstance(read.record, dict) and isinstance(read.record.get("company"), str)
    if read.fault or not (is_named or read.places) or read.record.get("cik_int"):
        return read
    if read.places and not any(place.is_gold for place in read.places):
        return replace(read, fault=UnknownError("nothing_relevant", NOTHING_RELEVANT))
    named = ((place, known.find(place.document)) for place in read.places)
    found = {
        place.document: document
        for place, document in named
        if document and not (place.is_guess and contradicts(read.record, document, companies))
    }
    if found:
        return in_documents(read, found)
    if companies is None:
        return read
    if not is_named:
        fault = f"document: {shorten(read.places[0].document)} is none of the corpus. Name its file, without the ending"
        return replace(read, fault=UnknownError("unknown_document", fault))
    return of_company(read, companies)


def contradicts(record: dict, document: Document, companies: Companies | None) -> bool:
    """Whether a record states a company or years, and a document is of neither."""
    name, cik, years = (record.get(field) for field in ("company", "company_cik", "years"))
    ciks = {cik, *(mention.cik for mention in companies.find(name)[0])} if name and companies else {cik}
    return bool(name or cik or years) and document.cik not in ciks and document.report_year not in (years or [])


def in_documents(read: Read, found: dict[str, Document]) -> Read:
    """A question with the companies and years of its documents, by their names in the suite, that the corpus has."""
    gold = {place.document for place in read.places if place.is_gold}
    # what is judged irrelevant is no more what a question asks of than the rest of the corpus
    telling = [document for name, document in found.items() if name in gold] or [*found.values()]
    names = {document.cik: document.company_name for document in telling}
    years = sorted({document.report_year for document in telling})
    record = read.record | {"cik_int": [*names], "company_name": [*names.values()], "years": years}
    places = tuple(
        replace(place, document=found[place.document].filing_id) if place.document in found else place
        for place in read.places
    )
    filings = tuple(dict.fromkeys(document.filing_id for document in found.values()))
    are_names = read.form is not None and read.form.are_names
    missing = dict.fromkeys(place.document for place in read.places if place.is_gold and place.document not in found)
    return replace(read, record=record, places=places, filings=filings, missing=() if are_names else tuple(missing))


def of_company(read: Read, companies: Companies) -> Read:
    """A question with the number of the company that it states in words."""
    name = read.record["company"]
    ciks = {mention.cik for mention in companies.find(name)[0]}
    if len(ciks) != 1 and read.record.get("company_cik") in companies.written:
        ciks = {read.record["company_cik"]}
    if len(ciks) != 1:
        count = "several companies" if ciks else "no company"
        said = f"question: {shorten(name)} names" if read.form and read.form.names_in_question else None
        fault = f"{said or f'company: {shorten(name)} is'} {count} of the corpus. "
        return replace(
            read, fault=UnknownError("unknown_company", fault + "State cik_int, or add a name (company_aliases)")
        )
    [cik] = ciks
    return replace(read, record=read.record | {"cik_int": [cik], "company_name": [companies.written[cik]]})


def suite_files(question_suites: str) -> list[NamedFile]:
    """The files, sorted; a suite is named after its file unless stated, and no two may share a name."""
    asked = question_suites or ""
    found = [file for file in GRAMMAR.parse(asked) if is_suite(file.path) or file.path in asked]
    files = sorted(found, key=lambda file: Path(file.path))
    counts = Counter(file.name for file in files)
    repeated = sorted(name for name, count in counts.items() if count > 1 or name in OWN_SUITES)
    if repeated:
        raise FinragError(
            f"A question suite is named after its file, and these names are taken more than once: "
            f"{', '.join(repeated)}. Rename the files, or name them, name=path ({', '.join(OWN_SUITES)} are our own)."
        )
    return files


def is_suite(path: str) -> bool:
    """Whether a glob that finds it means it."""
    return path.lower().endswith(ENDINGS) or os.path.isdir(path)


def records_of(file: NamedFile) -> list[Read]:
    """What a file or a folder holds. Raises FinragError where that is no list of anything."""
    from pyarrow import ArrowException

    path = file.path
    try:
        records, form = values_of(path)
    except (OSError, ValueError, ArrowException) as error:
        raise FinragError(
            f"The question suite {path} cannot be read: {error}. It must be {what_it_is(path)}."
        ) from error
    if not isinstance(records, list) or not records:
        held = "no question" if records == [] else type(records).__name__
        raise FinragError(f"The question suite {path} holds {held} where a JSON array of questions is expected.")
    form = form or recognised(records)
    forms = [form_of(record, form) for record in records]
    return [converted(record, its) if its else of_ours(record) for record, its in zip(records, forms, strict=True)]


def values_of(path: str) -> tuple[object, Format | None]:
    """What is there, and the format of a folder. Raises OSError, ValueError and ArrowException."""
    name = path.lower()
    if os.path.isdir(path):
        return beir.read_folder(path), beir.FORMAT
    if name.endswith(PARQUET):
        # by way of JSON, so that its values are told as those of the others are
        rows = [json.dumps(row, default=str) for _, row in parquet_rows(read_content(path))]
        return [decode_line(row) for row in rows], None
    return json_of(read_text(path), has_lines=name.endswith(LINES)), None


def json_of(text: str, has_lines: bool) -> object:
    """An array, or the objects of its lines, whatever its name says; one object where it is no question.

    has_lines: whether its name says lines. Raises ValueError for what is no JSON.
    """
    held, _ = json_values(text, has_lines)
    is_question = isinstance(held, dict) and (recognised([held]) or not QUESTION.isdisjoint(held))
    return [held] if is_question or (has_lines and not isinstance(held, list)) else held


def what_it_is(path: str) -> str:
    """What a suite of this name has to be."""
    name = path.lower()
    if os.path.isdir(path):
        return f"a folder with {' and '.join(beir.FOLDER)} in UTF-8"
    if name.endswith(PARQUET):
        return "a Parquet file"
    return "an object per line" if name.endswith(LINES) else "a JSON array"


def of_ours(record: object) -> Read:
    """A row in our schema, an id that is a whole number as a text."""
    if not isinstance(record, dict):
        return Read(record, record)
    return Read(record, record | {name: id_as_text(record[name]) for name in ("id", "question_id") if name in record})


def converted(record: object, form: Format) -> Read:
    """A row of a published suite as a record of our schema."""
    try:
        check(record)
        if not isinstance(record, dict):
            return Read(record, record)
        row = form.row.model_validate(record)
        return Read(record, form.to_record(row), places=tuple(form.places_of(row)), form=form)
    except ValidationError as error:
        return Read(record, record, ValueError(suite_faults.of_row(error, record, form)))
    except ValueError:
        # what is unreadable is told with its row
        return Read(record, record)


def rows_of(file: NamedFile, questions: list[Read], evidence: Evidence | None) -> list[dict]:
    """evidence: the corpus' (None: nothing is looked up)."""
    ids: set[str] = set()
    return [_row(file, number, each, ids, evidence) for number, each in enumerate(questions, start=1)]


def _row(file: NamedFile, number: int, read: Read, ids: set[str], evidence: Evidence | None) -> dict:
    record = read.record
    stated_id = record.get("question_id") if isinstance(record, dict) else None
    question_id = stated_id if isinstance(stated_id, str) and stated_id else f"#{number - 1}"
    row = {"suite": file.name, "file_path": file.path, "source_row": number, "question_id": question_id}
    try:
        check(read.stated)
    except ValueError as fault:
        return row | {"question_id": f"#{number - 1}", "reason": "unreadable_row", "detail": shorten(str(fault))}
    if not isinstance(read.stated, dict):
        return row | {"reason": "invalid_schema", "detail": suite_faults.not_an_object(read.stated)}
    as_stated = {"record": json.dumps(read.stated, ensure_ascii=False), "reason": "invalid_schema"}
    unfound: dict[str, float | None] = {}
    try:
        if read.fault:
            raise read.fault
        if fill.is_incomplete(record):
            find = evidence.finder(unfound, read.places, read.filings) if evidence else lambda *_: []
            record = fill.filled(record, find, read.stated)
            row["filled_fields"] = record.get("filled_fields")
            if isinstance(record.get("question_id"), str):
                question_id = row["question_id"] = record["question_id"]
            if unfound and record.get("cik_int") and not record.get("years"):
                raise UnknownError("evidence_not_found", NOT_DATED)
        question = Question.model_validate(record)
    except ValidationError as error:
        detail = suite_faults.of_question(error, record, read.stated, read.form, bool(unfound))
        return row | as_stated | {"detail": detail}
    except UnknownError as fault:
        return row | as_stated | {"reason": fault.reason, "detail": str(fault)}
    except ValueError as fault:
        return row | as_stated | {"detail": str(fault)}
    unfound |= missing_of(read, evidence)
    row |= {"record": question.model_dump_json(), "unfound": told(unfound, read.missing)}
    # a document that holds no answer says where a question is asked, and is no gold
    row["pages"] = None if question.answer_type == "no_answer" else pages_of(read)
    if question_id in ids:
        return row | {
            "question_id": f"{question_id}#{number - 1}",
            "reason": "duplicate_id",
            "detail": "question_id: occurs earlier in the file",
        }
    ids.add(question_id)
    return row


def missing_of(read: Read, evidence: Evidence | None) -> dict[str, float | None]:
    """The documents and the pages that a question names and the corpus does not have, with the score that they are told
    with: 0 for a document that is judged, which is gold of its own."""
    judged = {place.document for place in read.places if place.grade}
    documents = {name: 0.0 if name in judged else None for name in read.missing}
    named = [(place.document, place.page) for place in read.places if place.document in read.filings and place.is_gold]
    gone = [place for place in named if evidence and place[1] and place not in evidence.pages]
    return documents | {f"page {page} of {document}": None for document, page in gone}


def pages_of(read: Read) -> str | None:
    """What of the corpus a question names as JSON: [{"filing_id", "page_no"}], with grade where it is judged.

    page_no is null of a document without a page; what is judged irrelevant is left out.
    """
    pages = [
        {"filing_id": place.document, "page_no": place.page} | ({} if place.grade is None else {"grade": place.grade})
        for place in read.places
        if place.document in read.filings and place.is_gold
    ]
    once = [page for number, page in enumerate(pages) if page not in pages[:number]]
    return json.dumps(once, ensure_ascii=False) if once else None
