"""Formats in which suites of questions are published, one a module, told by the fields of their rows.

A format turns a row into a record for finrag.questions.fill: what the suite states, in the words of our schema, and
nothing that it does not state.
"""

from __future__ import annotations

from finrag.inputs.suite_formats import beir, financebench, finder, finrate, ledger, pages, t2ragbench
from finrag.inputs.suite_formats.form import Format, Place

FORMATS = (
    *(financebench.FORMAT, pages.FORMAT, t2ragbench.FORMAT, finder.FORMAT, finrate.FORMAT, ledger.FORMAT),
    beir.FORMAT,
)


def recognised(records: list) -> Format | None:
    """The format of a file's rows, by the fields of the first object; None: our own schema, or none that is known."""
    first = next((record for record in records if isinstance(record, dict)), {})
    return next((form for form in FORMATS if form.fields <= first.keys()), None)


def form_of(record: object, form: Format | None) -> Format | None:
    """The format of a row of a file of a format; questions by page may stand beside those of our own schema."""
    if form not in (None, pages.FORMAT):
        return form
    return pages.FORMAT if isinstance(record, dict) and pages.FORMAT.fields <= record.keys() else None


__all__ = ["FORMATS", "Format", "Place", "form_of", "recognised"]
