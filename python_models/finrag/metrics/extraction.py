"""How often a field is extracted from a question exactly as its gold has it: metrics.int_extraction_accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.metrics.shares import share

if TYPE_CHECKING:
    import pyarrow

FIELDS = {
    "companies": "are_companies_right",
    "years": "are_years_right",
    "scope": "is_scope_right",
    "items": "are_items_right",
    "items_named": "are_items_right",
    "items_likely": "are_items_right",
}


def extraction_accuracy(items) -> pyarrow.Table:
    """Arrow table with suite, field, counts, accuracy and its 95 % interval, wordings of a question being a cluster.

    items: relation of extraction_items. items_named and items_likely are of questions that name an item, and of others.
    """
    import numpy as np
    import pyarrow

    columns = ("suite", "cluster_id", "is_item_named", *dict.fromkeys(FIELDS.values()))
    table = items.project(", ".join(columns)).order("all").to_arrow_table()
    suites, clusters = (table[name].to_numpy().astype(str) for name in columns[:2])
    is_named = table["is_item_named"].to_numpy().astype(bool)
    rows = []
    for suite in np.unique(suites):
        for field, column in FIELDS.items():
            chosen = suites == suite
            if field in ("items_named", "items_likely"):
                chosen &= is_named == (field == "items_named")
            if not chosen.any():
                continue
            found = share(table[column].to_numpy().astype(bool)[chosen], clusters[chosen])
            rows.append((str(suite), field, *found))
    kinds = dict.fromkeys(("suite", "field"), pyarrow.string())
    kinds |= dict.fromkeys(("n_questions", "n_right", "n_clusters"), pyarrow.int64())
    kinds |= dict.fromkeys(("n_eff", "accuracy", "ci_low", "ci_high"), pyarrow.float64())
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(kinds)
    arrays = [pyarrow.array(column, kind) for column, kind in zip(cells, kinds.values(), strict=True)]
    return pyarrow.table(arrays, names=list(kinds))
