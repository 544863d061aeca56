"""BEIR (Thakur et al. 2021, arXiv:2104.08663): queries with graded judgements of documents, in a folder.

Read as https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset describes it: queries.jsonl, an object a line
with _id and text; qrels/test.tsv, a line with query-id, corpus-id and score below a header, parted by tabs; and
corpus.jsonl with _id, title and text, which is named as the corpus (finrag.corpus.documents.tables). A query of which
only another split (qrels/train.tsv, …) has judgements is none of the suite. Queries may have an answer; most have none,
and measure retrieval alone.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from finrag.inputs.files import Unreadable, decode_line, read_text, shorten
from finrag.inputs.rows import as_text
from finrag.inputs.suite_formats.form import Format, LooseId, MaybeAnswer, Place, Stated, Text

QUERIES, JUDGEMENTS = "queries.jsonl", "qrels/test.tsv"
# What makes a folder a suite.
FOLDER = (QUERIES, JUDGEMENTS)
# Names of columns of judgements.
HEADER = {"query-id", "query", "qid", "corpus-id", "doc-id", "docid", "document", "score", "relevance", "label"}


class Row(Stated):
    """A query with its judgements, score by document."""

    id: LooseId = Field(alias="_id")
    text: Text
    qrels: Annotated[dict[str, int], Field(description="judgements of documents")]
    answer: MaybeAnswer = None

    @field_validator("qrels")
    @classmethod
    def is_judged(cls, qrels: dict[str, int]) -> dict[str, int]:
        if not qrels:
            raise ValueError(f"{JUDGEMENTS} judges no document for this query")
        return qrels


def to_record(row: Row) -> dict:
    stated = {"answer": "", "answer_type": "unstated"} if row.answer is None else {"answer": row.answer}
    own = {"question_id": row.id, "question": row.text, "evidence_sentence_ids": [], "created_by": "BEIR"}
    return own | stated


def places_of(row: Row) -> list[Place]:
    return [Place(document, grade=grade) for document, grade in row.qrels.items()]


FORMAT = Format("beir", frozenset({"_id", "text", "qrels"}), Row, to_record, places_of)


def read_folder(folder: str) -> list[object]:
    """The queries with their judgements as qrels, in their order; lines that are no part of one are Unreadable.

    Raises OSError and ValueError for a file that cannot be read.
    """
    queries = [decode_line(line) for line in read_text(Path(folder) / QUERIES).split("\n") if line.strip()]
    # the second query of an id is told as that, with the judgements of the first
    asked = {query_id(query) for query in queries} - {None}
    judged, faults = judgements(read_text(Path(folder) / JUDGEMENTS), asked)
    elsewhere = {
        line.split("\t")[0].strip()
        for path in sorted((Path(folder) / "qrels").glob("*.tsv"))
        if path != Path(folder) / JUDGEMENTS
        for line in read_text(path).splitlines()
    }
    known = [query for query in queries if query_id(query) in judged or query_id(query) not in elsewhere]
    return [with_judgements(query, judged) for query in known] + faults


def query_id(query: object) -> str | None:
    stated = query.get("_id") if isinstance(query, dict) else None
    return as_text(stated)


def with_judgements(query: object, judged: dict[str, dict[str, int]]) -> object:
    return query | {"qrels": judged.get(query_id(query), {})} if isinstance(query, dict) else query


def judgements(text: str, asked: set[str]) -> tuple[dict[str, dict[str, int]], list[Unreadable]]:
    """Score by document by query, and the lines that judge nothing. asked: the queries that there are."""
    found: dict[str, dict[str, int]] = {}
    faults: list[Unreadable] = []
    lines = [
        (number, [field.strip() for field in line.split("\t")])
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    # some files have no header
    for number, fields in lines[1:] if lines and is_header(lines[0][1]) else lines:
        fault = None
        if not is_judgement(fields):
            fault = f"{shorten(' '.join(fields))} where query-id, corpus-id and score are expected, parted by tabs"
            if len(parts := " ".join(fields).split()) == 4 and is_number(parts[-1]):
                fault += "; it has four columns, as TREC's qrels have: leave out the second"
        elif fields[0] not in asked:
            fault = f"the query {shorten(fields[0])} is none of {QUERIES}"
        elif found.setdefault(fields[0], {}).setdefault(fields[1], int(float(fields[2]))) != int(float(fields[2])):
            fault = f"{shorten(fields[1])} is judged twice for {shorten(fields[0])}, with different scores"
        if fault:
            faults.append(Unreadable(f"{JUDGEMENTS}, line {number}: {fault}"))
    return found, faults


def is_judgement(fields: list[str]) -> bool:
    """Whether they are three, the last a whole number."""
    return len(fields) == 3 and all(fields) and is_number(fields[2]) and float(fields[2]).is_integer()


def is_header(fields: list[str]) -> bool:
    """Whether a first line names columns, which a damaged judgement does not."""
    names = {name for field in fields for name in field.lower().replace("_", "-").split()}
    return not is_number(fields[-1]) and not names.isdisjoint(HEADER)


def is_number(field: str) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False
