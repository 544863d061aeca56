"""What a published format is: the fields it is told by, the model of a row, and the way to a record of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from finrag.inputs.rows import LARGEST_AMOUNT, as_text

ANSWER = "a text, a number, true or false, or a list of texts"
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.I)


def as_whole(value: object) -> object:
    """A whole number, also as 2.0, as tables with gaps have it, or as a text; None for blanks, any other as it is."""
    number = as_number(value)
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < LARGEST_AMOUNT
    return int(number) if is_whole else number


def as_number(value: object) -> object:
    """A number, also where a text is one; None for blanks, any other as it is."""
    if not isinstance(value, str):
        return value
    return float(value) if NUMBER.fullmatch(value.strip()) else value.strip() or None


def or_none(value: object) -> object:
    """None for an empty text, as tables have it in fields that say nothing."""
    return None if value == "" else value


def as_answer(answer: object) -> str | int | float | list[str]:
    """An answer as fill.filled takes it, the numbers of a list as texts. Raises ValueError for what is none."""
    each = answer if isinstance(answer, list) else [answer]
    is_stated = all(isinstance(one, str | int | float) and one != "" and one == one for one in each)
    if not each or not is_stated:
        raise ValueError(f"expected {ANSWER}")
    return [str(one) for one in each] if isinstance(answer, list) else answer


# Fields that have to be there. In published suites numbers may be texts, and ids numbers. What is allowed in a field is
# its description, which a fault says.
Text = Annotated[str, Field(min_length=1, description="a text that is not empty")]
LooseId = Annotated[
    str, Field(min_length=1, description="a text or a whole number, not empty"), BeforeValidator(as_text)
]
LooseWhole = Annotated[int, BeforeValidator(as_whole), Field(description="a whole number")]
LooseNumber = Annotated[float, BeforeValidator(as_number), Field(description="a number")]
Answer = Annotated[object, AfterValidator(as_answer), Field(description=ANSWER)]
# Fields that may say nothing.
MaybeText = Annotated[str | None, Field(description="a text")]
MaybeAnswer = Annotated[
    Annotated[object, AfterValidator(as_answer)] | None, BeforeValidator(or_none), Field(description=ANSWER)
]
MaybeWhole = Annotated[int | None, BeforeValidator(as_whole), Field(description="a whole number")]
MaybeAmount = Annotated[str | int | float | None, Field(description="a number or a text")]


class Stated(BaseModel):
    """What a row, or an object in it, states; fields that are not named are left alone."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)


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
    names_in_question: company is the question, which names it somewhere. names: by field of our schema the field of the
    format that it is told from, where that is called otherwise.
    """

    name: str
    fields: frozenset[str]
    row: type[Stated]
    to_record: Callable[[Stated], dict]
    places_of: Callable[[Stated], list[Place]] = field(default=lambda row: [])
    are_names: bool = False
    names_in_question: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
