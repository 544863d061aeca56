"""How often a field is extracted from a question exactly as its gold has it: metrics.int_extraction_accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.metrics.shares import shares_by

if TYPE_CHECKING:
    import pyarrow

# Whether a field is right, and of which questions.
FIELDS = {
    "companies": ("are_companies_right", "true"),
    "years": ("are_years_right", "true"),
    "scope": ("is_scope_right", "true"),
    "items": ("are_items_right", "true"),
    "items_named": ("are_items_right", "is_item_named"),
    "items_likely": ("are_items_right", "not is_item_named"),
}


def extraction_accuracy(items) -> pyarrow.Table:
    """Arrow table with suite, field, counts, accuracy and its 95 % interval, wordings of a question being a cluster.

    items: relation of extraction_items.
    """
    of_fields = (
        items.filter(condition).project(f"suite, '{field}' as field, {column}, cluster_id")
        for field, (column, condition) in FIELDS.items()
    )
    found = shares_by(("suite", "field"), *of_fields)
    return found.rename_columns({"n": "n_questions", "n_yes": "n_right", "share": "accuracy"})
