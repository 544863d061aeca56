"""What a published format is: the fields it is told by, the model of a row, and the way to a record of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import BaseModel


@dataclass(frozen=True)
class Place:
    """Where a suite says that evidence stands. document: its id; page: from 1, None for none stated.

    grade: the suite's judgement of all that stands there, 0 for nothing to the point. None where it judges nothing:
    what stands on a page counts 1 then, and of a document only the evidence that is quoted, all of it if none is.
    """

    document: str
    page: int | None = None
    grade: int | None = None


@dataclass(frozen=True)
class Format:
    """fields: those that every row has and no other format's; to_record: a valid row as fill.filled takes it.

    A record may have, beside our fields, company, its name in words, and company_cik, its number.
    places_of: where a row's evidence stands. names_in_question: company is the question, which names it somewhere.
    """

    name: str
    fields: frozenset[str]
    row: type[BaseModel]
    to_record: Callable[[BaseModel], dict]
    places_of: Callable[[BaseModel], list[Place]] = field(default=lambda row: [])
    names_in_question: bool = False
