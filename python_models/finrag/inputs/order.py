"""The order that the rows of a query's hits state: one rule for sentences and for chunks, whatever file they are in.

Where every row of a query has a score, scores decide (as 32-bit floats, which is what trec_eval reads), best first, and
ranks are ignored. Otherwise ranks decide, 1 first. A row that states neither a usable score nor a usable rank is
rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from finrag.inputs.files import QUOTED_CHARACTERS
from finrag.inputs.rows import LARGEST_AMOUNT

if TYPE_CHECKING:
    import polars


def with_numbers(rows: polars.DataFrame) -> polars.DataFrame:
    """rank and score as doubles, null where the text is no number; the score rounded to 32 bits."""
    import polars as pl

    return rows.with_columns(
        rank=pl.col("rank_text").cast(pl.Float64, strict=False),
        score=pl.col("score_text").cast(pl.Float64, strict=False).cast(pl.Float32),
    )


def in_order(rows: polars.DataFrame, of_query: Sequence[str]) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Rows that can be placed, with order_key (ascending is better), is_by_score, rank_fits; and others, with a reason.

    rows: as with_numbers gives them. of_query: the columns that tell one query's rows from those of others.
    """
    import polars as pl

    score_stated, rank_stated = pl.col("score_text").is_not_null(), pl.col("rank_text").is_not_null()
    is_whole = pl.col("rank").is_finite() & (pl.col("rank") == pl.col("rank").round())
    rank_fits = (is_whole & (pl.col("rank").abs() <= LARGEST_AMOUNT)).fill_null(False)
    reason, detail = fault_of_row(score_stated, rank_stated, rank_fits)
    rows = rows.with_columns(reason=reason, detail=detail, rank_fits=rank_fits)
    rejected = rows.filter(pl.col("reason").is_not_null())
    rows = rows.filter(pl.col("reason").is_null()).with_columns(
        is_by_score=score_stated.all().over(of_query), is_by_rank=pl.col("rank_fits").all().over(of_query)
    )
    # Some rows of a query with scores, some without, and not all with ranks: those without cannot be placed.
    unplaced = ~pl.col("is_by_score") & ~pl.col("is_by_rank") & ~score_stated
    lacking = rows.filter(unplaced).with_columns(
        reason=pl.lit("missing_score"),
        detail=pl.lit("Other rows of the query have a score and no rank, this one has none; it is rejected."),
    )
    placed = rows.filter(~unplaced).with_columns(is_by_score=pl.col("is_by_score") | ~pl.col("is_by_rank"))
    # 0.0 is added so that minus zero becomes zero
    order_key = pl.when("is_by_score").then(-pl.col("score").cast(pl.Float64) + 0.0).otherwise(pl.col("rank"))
    return placed.with_columns(order_key=order_key), pl.concat([rejected, lacking], how="diagonal")


def fault_of_row(score_stated: polars.Expr, rank_stated: polars.Expr, rank_fits: polars.Expr) -> tuple:
    """Why a row cannot be placed whatever the others of its query say, null where it can; and what to say of it."""
    import polars as pl

    bad_score = score_stated & ~pl.col("score").is_finite().fill_null(False)
    bad_rank = ~score_stated & rank_stated & ~rank_fits
    has_none = ~score_stated & ~rank_stated
    score = pl.col("score_text").str.slice(0, QUOTED_CHARACTERS)
    rank = pl.col("rank_text").str.slice(0, QUOTED_CHARACTERS)
    told = (
        (bad_score, "bad_score", pl.format("Score {} is not a finite 32-bit number; the row is rejected.", score)),
        (
            bad_rank,
            "bad_rank",
            pl.format("Rank {} is not a whole number of up to 15 digits; the row is rejected.", rank),
        ),
        (has_none, "no_score_or_rank", pl.lit("Neither score nor rank is stated; the row is rejected.")),
    )
    reasons, details = [], []
    for is_so, reason, detail in told:
        reasons.append(pl.when(is_so).then(pl.lit(reason)))
        details.append(pl.when(is_so).then(detail))
    return pl.coalesce(reasons), pl.coalesce(details)
