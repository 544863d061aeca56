"""What a published format is: the fields it is told by, the model of a row, and the way to a record of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import BaseModel


@dataclass(frozen=True)
class Format:
    """fields: those that every row has and no other format's; to_record: a valid row as fill.filled takes it.

    places_of: the documents that a row's evidence stands in, each with its page from 1, None for none stated.
    """

    name: str
    fields: frozenset[str]
    row: type[BaseModel]
    to_record: Callable[[BaseModel], dict]
    places_of: Callable[[BaseModel], list[tuple[str, int | None]]] = field(default=lambda row: [])
