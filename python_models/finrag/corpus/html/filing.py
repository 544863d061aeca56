"""One 10-K in HTML: what its cover says and its items, as rows of the staging model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.corpus.html import items as headings
from finrag.corpus.html.cover import Cover, read_cover
from finrag.corpus.html.document import Document, UnreadableError, read_document
from finrag.corpus.names import doc_id_of, named_in, number_of
from finrag.corpus.splitting import END_OF_ROW

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BY_REFERENCE = "incorporated by reference: it says no more than where its text stands"
SHARED = "missing item: its text stands with that of Item {}"
NOT_FOUND = "missing item: neither its heading was found nor a place that the table of contents leads to"


@dataclass
class FiledItem:
    """fault: why its text, if there is any, is none of the item's, as "missing item: …"."""

    label: str
    text: str | None
    fault: str | None = None


@dataclass
class Filing:
    """places: of each line of an item, (the item's label, letters and digits of the item before the line)."""

    document: Document
    cover: Cover
    items: list[FiledItem]
    places: dict[int, tuple[str, int]]


class NoFilingError(UnreadableError):
    """An HTML page that neither has the items of a 10-K nor says that it is one."""


def read_filing(path: str) -> Filing:
    """A local file that is one.

    Raises NoFilingError for a page that does not claim to be one, UnreadableError for any other file, and OSError.
    """
    document = read_document(path)
    found = headings.find_items(document)
    stated = [item.label for item in found if item.lines]
    cover = read_cover(document, path)
    if len(stated) < headings.LEAST_ITEMS:
        is_said_to_be = cover.is_form_stated and cover.form_type.startswith("10-K")
        raise (UnreadableError if is_said_to_be else NoFilingError)(
            f"is no 10-K whose items can be found: {named(stated)}. Expected headings such as 'Item 7. Management's "
            f"Discussion', or a table of contents that leads to them, of {headings.LEAST_ITEMS} items or more."
        )
    complete(cover, doc_id_of(path))
    texts = {item.label: item_text(document, item.lines) for item in found if not item.with_item}
    faulty = faulty_items(found, cover, texts)
    items = [FiledItem(label, text, faulty.pop(label, None)) for label, text in texts.items()]
    items += [FiledItem(label, None, fault) for label, fault in faulty.items()]
    return Filing(document, cover, items, places_of(document, found))


def complete(cover: Cover, doc_id: str) -> None:
    """What a cover leaves out is what the file's name says, as of other documents: 3M_2018_10K.htm.

    A company without its number has one of its name. A number in a file's name is a year, or was read as the company's.
    """
    named = named_in(doc_id)
    company = named["company"] if named and not named["company"].isdecimal() else cover.company_name
    if not cover.cik and company:
        cover.company_name = cover.company_name or company
        cover.cik = str(number_of(company))
    if not cover.report_year and named:
        cover.report_year, cover.report_year_source = named["year"], "file_name"


def faulty_items(found: Iterable[headings.Item], cover: Cover, texts: Mapping[str, str]) -> dict[str, str]:
    """By label, what is wrong with an item: no more than a reference, or not there. texts: of those that are."""
    found = list(found)
    faulty = {label: BY_REFERENCE for label, text in texts.items() if headings.is_by_reference(label, text)}
    faulty |= {item.label: SHARED.format(item.with_item) for item in found if item.with_item}
    # an amendment states what it amends
    if not cover.form_type.endswith("/A"):
        year = int(cover.report_year) if cover.report_year else None
        faulty |= dict.fromkeys(headings.missing({item.label for item in found}, year), NOT_FOUND)
    return faulty


def places_of(document: Document, found: Iterable[headings.Item]) -> dict[int, tuple[str, int]]:
    places = {}
    for item in found:
        before = 0
        for index in item.lines:
            places[index] = (item.label, before)
            before += document.lines[index].end - document.lines[index].start
    return places


def item_text(document: Document, lines: Iterable[int]) -> str:
    """The lines of an item, a row of a table being a text of its own."""
    text = ""
    for index in lines:
        line = document.lines[index]
        if line.cells:
            text += f"{END_OF_ROW}\n{line.text}{END_OF_ROW}\n"
        else:
            text += line.text + "\n"
    return text.replace(f"{END_OF_ROW}\n{END_OF_ROW}\n", f"{END_OF_ROW}\n").removeprefix(f"{END_OF_ROW}\n")


def named(labels: list[str]) -> str:
    return "it has no heading of an item" if not labels else f"it has the headings of {', '.join(labels)} alone"
