"""Pairs of runs with what may be concluded of them."""

from __future__ import annotations

import shutil

from finrag.errors import FinragError
from finrag.project import command, existing_warehouse

PAIRS = """
    select
        suite,
        label_b as run,
        label_a as against,
        metric || '@' || k as metric,
        n_pairs as n,
        round(difference, 3) as difference,
        format('{:.3f} to {:.3f}', ci_low, ci_high) as interval_95,
        round(p_adjusted, 4) as p_adjusted,
        verdict,
    from metrics.run_comparisons
    where
        stratum_by = 'overall'
        and is_primary >= (len($words) = 0)
        and list_bool_and(
            [
                contains(concat_ws(' ', suite, comparison_kind, label_a, label_b, run_id_a, run_id_b, metric), word)
                for word in $words
            ] || [true]
        )
    order by is_primary desc, suite, label_a, label_b, metric, k, gold_window, gold_predicate
    limit $limit
"""


def show(words: list[str], limit: int) -> None:
    """Print the comparisons that hold every word; without words, those that decide."""
    import duckdb

    width = max(shutil.get_terminal_size((160, 40)).columns, 120)
    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        try:
            found = connection.sql(PAIRS, params={"words": words, "limit": limit})
        except duckdb.CatalogException as error:
            raise FinragError(f"The warehouse holds no comparisons. Build it: {command('build')}") from error
        if not found.shape[0]:
            raise FinragError(f"No comparison speaks of {' and '.join(words) or 'a primary endpoint'}.")
        found.show(max_width=width, max_rows=limit)
