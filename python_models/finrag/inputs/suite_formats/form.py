"""What a published format is: the fields it is told by, the model of a row, and the way to a record of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from finrag.inputs.rows import as_whole, or_none


def as_answer(answer: object) -> str | int | float | list[str]:
    """An answer as fill.filled takes it, the numbers of a list as texts. Raises ValueError for what is none."""
    each = answer if isinstance(answer, list) else [answer]
    is_stated = all(isinstance(one, str | int | float) and one != "" and one == one for one in each)
    if not each or not is_stated:
        raise ValueError("expected a text, a number, true or false, or a list of texts")
    return [str(one) for one in each] if isinstance(answer, list) else answer


Text = Annotated[str, Field(min_length=1)]
Answer = Annotated[object, AfterValidator(as_answer)]
# Fields that may say nothing.
MaybeAnswer = Annotated[Answer | None, BeforeValidator(or_none)]
MaybeWhole = Annotated[int | None, BeforeValidator(as_whole)]


@dataclass(frozen=True)
class Place:
    """Where a suite says that evidence stands. document: its id; page: from 1, None for none stated.

    is_guess: whether others may have that name, so that it is one of the company or the year that the row states.
    evidence: the piece of evidence that is quoted from there, None where the suite does not say which is from where.
    grade: the suite's judgement of all that stands there, 0 for nothing to the point. None where it judges nothing:
    what stands on a page counts 1 then, and of a document only the evidence that is quoted, all of it if none is.
    """

    document: str
    page: int | None = None
    grade: int | None = None
    evidence: str | None = None
    is_guess: bool = False

    @property
    def is_gold(self) -> bool:
        """Whether it is not judged to be nothing to the point."""
        return self.grade is None or self.grade > 0


@dataclass(frozen=True)
class Format:
    """fields: those that every row has and no other format's; to_record: a valid row as fill.filled takes it.

    A record may have, beside our fields, company, its name in words, and company_cik, its number.
    places_of: where a row's evidence stands. are_names: these are names of one place, any of which will do.
    names_in_question: company is the question, which names it somewhere.
    """

    name: str
    fields: frozenset[str]
    row: type[BaseModel]
    to_record: Callable[[BaseModel], dict]
    places_of: Callable[[BaseModel], list[Place]] = field(default=lambda row: [])
    are_names: bool = False
    names_in_question: bool = False
