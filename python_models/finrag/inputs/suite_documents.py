"""The documents of the corpus by the names that suites give them: in any case, with a folder or an ending."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PureWindowsPath

from finrag.corpus.names import doc_id_of


@dataclass(frozen=True)
class Document:
    """A filing of the corpus, report_year 0 where it states none."""

    filing_id: str
    cik: int
    company_name: str
    report_year: int
    form_type: str = "document"


class Documents:
    """Documents by name."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        self.documents = {spelled(document.filing_id): document for document in documents}

    def find(self, name: str) -> Document | None:
        """The document of that name, else of the name without what a path has more than it."""
        return next((self.documents[each] for each in spellings(name) if each in self.documents), None)


def documents_of(filings) -> Documents:
    """Those of a relation of dim_filings, none of None."""
    columns = "filing_id, cik, company_name, report_year, form_type"
    rows = filings.project(columns).fetchall() if filings is not None else []
    return Documents(Document(*row) for row in rows)


def spellings(name: str) -> Iterator[str]:
    """A name as it is, without blanks around it, without its folder, and without its ending, too."""
    bare = name.strip()
    # parts folders by / and by \
    file_name = PureWindowsPath(bare).name
    yield from map(spelled, (name, bare, file_name, doc_id_of(bare), doc_id_of(file_name)))


def spelled(name: str) -> str:
    """A name as names are compared: file systems write é as one letter or as two."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
