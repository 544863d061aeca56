"""Which of two runs is better, and is it sure: rows of metrics.verdicts in words."""

from __future__ import annotations

from finrag.errors import FinragError
from finrag.project import command, existing_warehouse

# Of the two ways to read a pair, the one whose candidate holds the first word, or else the one that is shown first.
VERDICTS = """
    with

    verdicts as (

        select
            *,
            concat_ws(' ', coalesce(suite, dataset), nullif(setting, '')) as place,
            concat_ws(
                ' ', '', place, comparison_kind, candidate, reference, metric, candidate_run_id, reference_run_id, ''
            ) as told,
        from metrics.verdicts

    )

    select
        place,
        sentence,
        metric || if(k > 0, '@' || k, '') as metric,
        candidate_value,
        reference_value,
        floor_value,
        n,
        n_clusters,
        p_adjusted,
    from verdicts
    where if(len($words) = 0, is_headline, list_bool_and([contains(told, ' ' || word || ' ') for word in $words]))
    qualify row_number() over (
        partition by
            least(candidate_run_id, reference_run_id), greatest(candidate_run_id, reference_run_id), comparison_kind,
            metric, k, gold_window, gold_predicate
        order by
            coalesce(contains(' ' || candidate || ' ', ' ' || $words[1] || ' '), false) desc,
            is_headline desc,
            is_primary desc
    ) = 1
    order by is_headline desc, place desc, abs(difference) desc, candidate, reference
    limit $limit
"""


def show(words: list[str], limit: int) -> None:
    """Print the verdicts that hold every word, the first word's as the candidate; without words, the headlines."""
    import duckdb

    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        try:
            found = connection.execute(VERDICTS, {"words": words, "limit": limit}).fetchall()
        except duckdb.CatalogException as error:
            raise FinragError(f"The warehouse holds no comparisons. Build it: {command('build')}") from error
    if not found:
        raise FinragError(
            f"No comparison speaks of {' and '.join(words) or 'a primary endpoint'}. {command('compare')} lists those "
            "that decide; each word is one of a suite, regime, strategy, model, system or metric, or a run_id."
        )
    for place, sentence, *figures in found:
        print(f"{place}: {sentence}\n    {in_figures(*figures)}")


def in_figures(
    metric: str,
    candidate: float,
    reference: float,
    floor: float | None,
    n: int,
    n_clusters: int,
    p_adjusted: float | None,
) -> str:
    """`hit@5 0.874 against 0.269, blind draws 0.000; n 238, 80 clusters; p 0.0004, corrected`."""
    blind = "" if floor is None else f", blind draws {floor:.3f}"
    tested = "no test" if p_adjusted is None else f"p {p_adjusted:.4f}, corrected"
    return f"{metric} {candidate:.3f} against {reference:.3f}{blind}; n {n:,}, {n_clusters:,} clusters; {tested}"
