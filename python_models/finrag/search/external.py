"""Hits of a retriever of one's own: read from files, checked, and ranked by one stated rule.

The rule, per query:

1. Rows that name no known query, or state neither a usable score nor a usable rank, are rejected.
2. Where every row has a score, in whichever file it is, scores decide (as 32-bit floats, which is what trec_eval
   reads), best first, and ranks in the file are ignored. Otherwise ranks decide, 1 first, and gaps are closed. Equals
   stand in descending order of sentence id, behind them chunks in the order of the files. The sentences of a chunk
   stand in its place, in the order of the document: they are no equals of each other.
3. A sentence that comes twice keeps its best place.
4. A sentence that the corpus does not hold keeps its place: it took one in the results, and is not relevant.
5. The query's own sentence is removed by id, and ranks count after that. What lies beyond the deepest rank is cut.
6. A query of a suite that the files cover but do not answer counts as an empty result.
7. A row with an error instead of a sentence says that the query's call failed. The query is then an error, in no value
   and in no zero, unless other rows answer it.

Whatever the rule had to settle becomes a row with the problem and its consequence. A file that cannot be read, a run of
which nothing can be used, one that names no sentence of the corpus, and one whose scores turn every list over stop the
build: all were asked for by name.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.files import QUOTED_CHARACTERS, shorten
from finrag.inputs.hits import as_table
from finrag.inputs.order import in_order
from finrag.project import command
from finrag.settings import named
from finrag.tables import is_of
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars

OF_RUN = ["external_run", "regime"]
OF_QUERY = [*OF_RUN, "query_id"]
# Queries whose ranks all run against their scores by chance in one of a thousand runs.
LEAST_TURNED = 10
BY_FILE = "descending order of sentence id, chunks in that of the files"
OUTPUT = {
    "kind": "string",
    "external_run": "string",
    "regime": "string",
    "suite": "string",
    "query_id": "string",
    "sentence_id": "string",
    "raw_rank": "int32",
    "rank": "int32",
    "score": "float32",
    "is_query_sentence": "bool",
    "file_path": "string",
    "source_row": "int64",
    "reason": "string",
    "detail": "string",
    "query_count": "int64",
    "answered_query_count": "int64",
    "failed_query_count": "int64",
    "row_count": "int64",
    "hit_count": "int64",
    "content_checksum": "string",
    "input_checksum": "string",
}


def rank_rows(
    session, rows, *, max_k: int, regimes, queries, sentences, filings, versions, of_anchors: bool, table: str
):
    """The table of runs, hits and problems of the rows that name an anchor (P1 and P2), or of all others.

    session: DuckDB connection. rows: relation of the rows of all files (finrag.inputs.hits). max_k: deepest rank that
    is measured. regimes, sentences, filings: relations of the seed and models of those names. queries, versions:
    relations of the anchors' or the questions' queries and gold versions. table: what the last build wrote; it is
    returned as it is while files, queries, corpus and settings are the same.
    """
    import polars

    read = rows.aggregate("input_checksum, list(distinct regime order by regime)").fetchall()
    if not read:
        return as_table([], OUTPUT)
    [(of_files, named)] = read
    filters = {name: (columns or "").split() for name, columns in regimes.project("regime, filter_columns").fetchall()}
    filters = {name: filters[name] for name in named}
    stamps = versions.project("suite, gold_version, corpus_version").order("suite").fetchall()
    decided_by = json.dumps([code_version(__name__), of_files, max_k, filters, stamps])
    checksum = hashlib.md5(decided_by.encode(), usedforsecurity=False).hexdigest()
    if is_of(session, table, OUTPUT, checksum):
        return session.sql(f"select * from {table}")
    stop_when_no_sentence_is_known(rows, sentences)
    # holds the checksum where the files say nothing of this kind of query
    marker = polars.DataFrame({"kind": ["input"]})
    ours = rows.filter(f"is_of_anchor = {of_anchors}").order("file_number, source_row").pl()
    if ours.is_empty():
        return as_table([marker], OUTPUT, input_checksum=checksum)
    faults = as_problems(ours.filter(polars.col("reason").is_not_null()))
    ours = ours.filter(polars.col("reason").is_null()).drop("reason", "detail")
    stop_when_scores_turn_all_over(ours)
    known_queries = queries.project(
        "query_id, suite, sentence_id as query_sentence_id, filing_id, cik, report_year, section_id, section_heading, "
        "form_type"
    ).pl()
    known_sentences = describe_sentences(session, ours, sentences, filings)
    tables = rank_hits(ours, faults, known_queries, known_sentences, filters, max_k)
    others = rows.filter(f"is_of_anchor != {of_anchors} and reason is null").project(", ".join(OF_RUN)).distinct().pl()
    stop_when_nothing_is_usable(ours, others, *tables)
    return as_table([*tables, marker], OUTPUT, input_checksum=checksum)


def describe_sentences(session, rows: polars.DataFrame, sentences, filings) -> polars.DataFrame:
    """The sentences among the hits that the corpus holds, with what regimes may filter by."""
    named = session.from_arrow(rows.select("sentence_id").drop_nulls().unique().to_arrow())
    found = sentences.project("sentence_id, filing_id, cik, report_year, section_id, section_heading").join(
        named, "sentence_id"
    )
    with_form = found.join(filings.project("filing_id, form_type"), "filing_id")
    return with_form.project("sentence_id, filing_id, cik, report_year, section_id, section_heading, form_type").pl()


def rank_hits(
    rows: polars.DataFrame,
    faults: polars.DataFrame,
    queries: polars.DataFrame,
    sentences: polars.DataFrame,
    filters: Mapping[str, Sequence[str]],
    max_k: int,
) -> list[polars.DataFrame]:
    """Tables of runs, hits and problems, by the rule at the top of this module.

    rows: as load_hits gives them, those without a reason. faults: problems found while
    reading. queries: query_id, suite, query_sentence_id and the columns a regime may filter by; sentences: sentence_id
    and the same columns, for the sentences among the hits that the corpus holds. Raises FinragError where nothing of a
    run can be used.
    """
    import polars as pl

    stated = rows.join(queries.select("query_id", "suite", "query_sentence_id"), "query_id", "left")
    rows = stated.filter(pl.col("error").is_null())
    usable, problems = reject_unusable(rows)
    problems.append(faults)
    failed, told = failed_queries(stated.filter(pl.col("error").is_not_null()), usable)
    problems.append(told)

    ordered = best_first(usable)
    is_first = pl.struct(*OF_QUERY, "sentence_id").is_first_distinct()
    kept = ordered.filter(is_first)
    # chunks may overlap
    problems.append(duplicates(ordered.filter(~is_first, pl.col("place").is_null()), kept))
    problems += rank_problems(usable, kept)
    kept = without_ties_in_chunks(kept, usable)

    is_anchor = (pl.col("sentence_id") == pl.col("query_sentence_id")).fill_null(False)
    ranked = kept.with_columns(
        is_query_sentence=is_anchor,
        raw_rank=pl.int_range(1, pl.len() + 1).over(OF_QUERY),
    ).with_columns(
        rank=pl.when(~pl.col("is_query_sentence")).then(
            pl.col("raw_rank") - pl.col("is_query_sentence").cast(pl.Int64).cum_sum().over(OF_QUERY)
        ),
    )
    problems.append(unknown_sentences(ranked, sentences))
    problems += [
        outside_filter(ranked.filter(pl.col("regime") == regime), queries, sentences, columns)
        for regime, columns in filters.items()
        if columns
    ]
    # one more than is measured, which tells whether a tie goes on there
    in_reach = (pl.col("rank") <= max_k + 1) | (pl.col("is_query_sentence") & (pl.col("raw_rank") <= max_k + 2))
    hits = ranked.filter(in_reach).with_columns(kind=pl.lit("hit"))
    runs = describe_runs(stated, hits, failed, queries)
    problems.append(missing_queries(runs, stated, queries))
    reported = pl.concat(problems, how="diagonal").with_columns(kind=pl.lit("problem"))
    hits = hits.join(runs.select("external_run", "regime", "suite", "content_checksum"), [*OF_RUN, "suite"])
    return [runs, hits, failed.with_columns(kind=pl.lit("failed")), reported]


def best_first(usable: polars.DataFrame) -> polars.DataFrame:
    """The rows in the order of the rule."""
    import polars as pl

    name = pl.when(pl.col("place").is_null()).then("sentence_id")
    return usable.with_columns(name=name).sort(
        [*OF_QUERY, "order_key", "name", "file_number", "source_row", "place"],
        descending=[False, False, False, False, True, False, False, False],
        nulls_last=True,
    )


def without_ties_in_chunks(kept: polars.DataFrame, usable: polars.DataFrame) -> polars.DataFrame:
    """Hits of which a chunk that no other hit equals has its score once, at its first sentence: what follows one
    another with one score is taken for equals (metrics.retrieval_items)."""
    import polars as pl

    if kept["place"].null_count() == len(kept):
        return kept
    rows = [*OF_QUERY, "order_key"]
    # chunks that begin with one sentence are the same as far as both go
    equals = usable.filter(states_row()).group_by(rows).agg(is_alone=pl.col("sentence_id").n_unique() == 1)
    is_first = pl.struct(*OF_QUERY, "file_number", "source_row").is_first_distinct()
    joined = kept.join(equals, rows, "left", maintain_order="left")
    return joined.with_columns(score=pl.when(is_first | ~pl.col("is_alone")).then("score"))


def states_row() -> polars.Expr:
    """Whether a row is the one that a row of a file counts by: a sentence, or of a chunk its first sentence."""
    import polars as pl

    return pl.col("place").fill_null(1) == 1


def failed_queries(stated: polars.DataFrame, usable: polars.DataFrame) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Queries whose call failed and that no other row answers, once each; and what to say of the rows."""
    import polars as pl

    error = pl.col("error").str.slice(0, QUOTED_CHARACTERS)
    is_known = pl.col("suite").is_not_null()
    is_answered = pl.struct(OF_QUERY).is_in(usable.select(pl.struct(OF_QUERY)).to_series().implode())
    detail = (
        pl.when(~is_known)
        .then(pl.lit("The warehouse has no such query (gold.retrieval_queries); the row is rejected."))
        .when(is_answered)
        .then(pl.format("The call failed ({}), and other rows answer it: they count.", error))
        .otherwise(pl.format("The call failed ({}): the query is an error (n_error), in no value.", error))
    )
    told = stated.sort(*OF_QUERY, "file_number", "source_row").with_columns(
        reason=pl.when(is_known).then(pl.lit("failed_query")).otherwise(pl.lit("unknown_query")), detail=detail
    )
    failed = told.filter(is_known & ~is_answered).unique(OF_QUERY, keep="first", maintain_order=True)
    # why stands with the rows that are told alone: what has a reason is a problem
    return failed.drop("reason", "detail"), as_problems(told)


def reject_unusable(rows: polars.DataFrame) -> tuple[polars.DataFrame, list[polars.DataFrame]]:
    """Rows that can be ranked, with order_key (ascending is better) and is_by_score; and problems of the others."""
    import polars as pl

    is_known = pl.col("suite").is_not_null()
    unknown = rows.filter(~is_known).with_columns(
        reason=pl.lit("unknown_query"),
        detail=pl.lit("The warehouse has no such query (gold.retrieval_queries); the row is rejected."),
    )
    usable, rejected = in_order(rows.filter(is_known), OF_QUERY)
    ignored = pl.col("is_by_score") & pl.col("rank_text").is_not_null() & ~pl.col("rank_fits")
    told = usable.filter(ignored).with_columns(
        reason=pl.lit("bad_rank"),
        detail=pl.format(
            "Rank {} is not a whole number of up to 15 digits; it is ignored, since the score decides.",
            pl.col("rank_text").str.slice(0, QUOTED_CHARACTERS),
        ),
    )
    # a chunk names no sentence, and is one row of its file
    sentence_id = pl.when(pl.col("place").is_null()).then("sentence_id")
    stated = (table.filter(states_row()).with_columns(sentence_id=sentence_id) for table in (unknown, rejected, told))
    return usable, [as_problems(table) for table in stated]


def duplicates(repeated: polars.DataFrame, kept: polars.DataFrame) -> polars.DataFrame:
    """One problem per row that repeats a sentence of its query."""
    import polars as pl

    keys = ["external_run", "regime", "query_id", "sentence_id"]
    first = kept.select(*keys, kept_path="file_path", kept_row="source_row")
    return as_problems(
        repeated.join(first, keys).with_columns(
            reason=pl.lit("duplicate_sentence"),
            detail=pl.format("The sentence keeps its best place, of row {} of {}.", "kept_row", "kept_path"),
        )
    )


def rank_problems(usable: polars.DataFrame, kept: polars.DataFrame) -> list[polars.DataFrame]:
    """Gaps and ties in the stated ranks, and scores that order otherwise than the ranks: one problem per query."""
    import polars as pl

    first, last, distinct = pl.col("rank").min(), pl.col("rank").max(), pl.col("rank").n_unique()
    ranked = usable.filter(pl.col("rank_fits").all().over(OF_QUERY), states_row())
    per_query = ranked.group_by(OF_QUERY).agg(
        pl.col("file_path").first(),
        is_by_score=pl.col("is_by_score").first(),
        first=first.cast(pl.Int64),
        last=last.cast(pl.Int64),
        # counted from 1, or from 0 where the file does
        missing=(last - first + 1 - distinct + pl.max_horizontal(first - 1, pl.lit(0))).cast(pl.Int64),
        tied=(pl.len() - distinct).cast(pl.Int64),
        is_of_chunks=pl.col("place").is_not_null().any(),
    )
    by_score = pl.when("is_by_score").then(pl.lit("they are ignored, since the scores decide."))
    gaps = per_query.filter(pl.col("missing") > 0).with_columns(
        reason=pl.lit("rank_gap"),
        detail=pl.format(
            "Ranks run from {} to {} and {} are missing; {}",
            "first",
            "last",
            "missing",
            by_score.otherwise(pl.lit("the gaps are closed.")),
        ),
    )
    ties = per_query.filter((pl.col("tied") > 0) & ~pl.col("is_by_score")).with_columns(
        reason=pl.lit("tied_ranks"),
        detail=pl.format(
            "{} rows share a rank with another; they stand in {}.",
            "tied",
            pl.when("is_of_chunks").then(pl.lit(BY_FILE)).otherwise(pl.lit("descending order of sentence id")),
        ),
    )
    before = pl.col("rank").shift(1).over(OF_QUERY)
    row = pl.struct("file_number", "source_row")
    is_other_row = row != row.shift(1).over(OF_QUERY)
    scores_tie = pl.col("score") == pl.col("score").shift(1).over(OF_QUERY)
    disagreeing = (
        kept.filter("is_by_score", pl.col("rank_fits").all().over(OF_QUERY))
        .with_columns(scores_tie=scores_tie, is_out_of_order=(pl.col("rank") <= before) & is_other_row)
        .filter("is_out_of_order")
        .group_by(OF_QUERY, maintain_order=True)
        .agg(
            pl.col("file_path", "source_row", "sentence_id").first(),
            count=pl.len(),
            only_ties=pl.col("scores_tie").all(),
        )
        .with_columns(
            reason=pl.lit("rank_disagrees_with_score"),
            detail=pl.format(
                "In {} places, first at this row, the ranks run against the order of the scores{}; the scores decide.",
                "count",
                pl.when("only_ties").then(pl.lit(", always between equal scores")).otherwise(pl.lit("")),
            ),
        )
    )
    return [as_problems(table) for table in (gaps, ties, disagreeing)]


def unknown_sentences(ranked: polars.DataFrame, sentences: polars.DataFrame) -> polars.DataFrame:
    """One problem per hit that is not in the corpus."""
    import polars as pl

    return as_problems(
        ranked.join(sentences.select("sentence_id"), "sentence_id", "anti").with_columns(
            reason=pl.lit("unknown_sentence"),
            detail=pl.format("The corpus holds no such sentence; it keeps rank {} and is not relevant.", "rank"),
        )
    )


def outside_filter(
    ranked: polars.DataFrame, queries: polars.DataFrame, sentences: polars.DataFrame, columns: Sequence[str]
) -> polars.DataFrame:
    """One problem per query with hits that the regime's filter excludes: the retriever searched more than it should."""
    import polars as pl

    wanted = queries.select("query_id", *(pl.col(column).alias(f"query_{column}") for column in columns))
    compared = ranked.join(wanted, "query_id").join(sentences.select("sentence_id", *columns), "sentence_id")
    differs = pl.any_horizontal(pl.col(column) != pl.col(f"query_{column}") for column in columns)
    return as_problems(
        compared.filter(differs)
        .sort("external_run", "regime", "query_id", "raw_rank")
        .group_by("external_run", "regime", "query_id", maintain_order=True)
        .agg(pl.col("file_path", "source_row", "sentence_id").first(), count=pl.len())
        .with_columns(
            reason=pl.lit("outside_filter"),
            detail=pl.format(
                "{} sentences, first this one, differ from the query in {}; they keep their places.",
                "count",
                pl.lit(" or ".join(columns)),
            ),
        )
    )


def describe_runs(
    rows: polars.DataFrame, hits: polars.DataFrame, failed: polars.DataFrame, queries: polars.DataFrame
) -> polars.DataFrame:
    """One row per run, regime and suite that the run's files name a query of, also where no hit of it can be used.

    content_checksum covers queries, sentences, ranks and scores, and which queries failed: another file with the same
    hits is the same run.
    """
    import polars as pl

    of_run = ["external_run", "regime", "suite"]
    counted = (
        rows.filter(pl.col("suite").is_not_null() & states_row()).group_by(of_run).agg(row_count=pl.len()).sort(of_run)
    )
    checksums = {
        key: hashlib.md5(group.select("query_id", "sentence_id", "raw_rank", "score").write_csv().encode()).hexdigest()
        for key, group in hits.sort(*of_run, "query_id", "raw_rank").group_by(of_run, maintain_order=True)
    }
    for key, group in failed.sort(*of_run, "query_id").group_by(of_run, maintain_order=True):
        lost = group.select("query_id").write_csv()
        checksums[key] = hashlib.md5(f"{checksums.get(key, '')} failed {lost}".encode()).hexdigest()
    empty = hashlib.md5(b"").hexdigest()
    counted = counted.with_columns(
        kind=pl.lit("run"),
        content_checksum=pl.Series(
            [checksums.get(key, empty) for key in counted.select(of_run).rows()], dtype=pl.String
        ),
    )
    answered = hits.group_by(of_run).agg(hit_count=pl.len(), answered_query_count=pl.col("query_id").n_unique())
    per_suite = queries.group_by("suite").agg(query_count=pl.len())
    not_answered = failed.group_by(of_run).agg(failed_query_count=pl.len())
    joined = counted.join(answered, of_run, "left").join(not_answered, of_run, "left").join(per_suite, "suite")
    return joined.with_columns(pl.col("hit_count", "answered_query_count", "failed_query_count").fill_null(0))


def missing_queries(runs: polars.DataFrame, rows: polars.DataFrame, queries: polars.DataFrame) -> polars.DataFrame:
    """One problem per query of a covered suite that no row names."""
    import polars as pl

    wanted = runs.select("external_run", "regime", "suite").join(queries.select("query_id", "suite"), "suite")
    missing = wanted.join(rows, ["external_run", "regime", "query_id"], "anti").sort("external_run", "query_id")
    return as_problems(
        missing.with_columns(
            reason=pl.lit("missing_query"),
            detail=pl.format(
                "The files answer other queries of {}, not this one; it counts as an empty result.", "suite"
            ),
        )
    )


def stop_when_nothing_is_usable(rows: polars.DataFrame, others: polars.DataFrame, runs, hits, failed, problems) -> None:
    """Stop where all rows of a run are of this kind of query, and none of them can be used.

    rows: those of this kind of query; others: the runs with rows of the other. runs, hits, failed, problems: what
    rank_hits made of the rows.
    """
    import polars as pl

    unusable = rows.select(OF_RUN).unique()
    for usable in (hits, failed, others):
        unusable = unusable.join(usable, OF_RUN, "anti")
    for name, regime in unusable.sort(OF_RUN).rows():
        of_this = problems.filter(external_run=name, regime=regime).filter(pl.col("source_row").is_not_null())
        first = of_this.row(0, named=True)
        raise FinragError(
            f"{named('external_hits')}: none of the {of_this.height:,} rows of {name}@{regime} can be used. The first, "
            f"row {first['source_row']} of {first['file_path']}, names query {shorten(first['query_id'] or 'none')}: "
            f"{first['detail']} `{command('export queries')}` writes the queries to answer."
        )


def stop_when_scores_turn_all_over(rows: polars.DataFrame, source: str = "") -> None:
    """Stop where the best rank has the lowest score in every query of a run: its scores are distances, as a rule.

    rows: of all files, those without a reason. source: as stop_when_no_sentence_is_known takes it.
    """
    import polars as pl

    rank, score = pl.col("rank"), pl.col("score")
    stated = rows.filter(states_row(), rank.is_finite(), score.is_finite()).sort(*OF_QUERY, "score")
    steps = stated.select(
        *OF_QUERY,
        is_step=score > score.shift(1).over(OF_QUERY),
        is_against=rank > rank.shift(1).over(OF_QUERY),
    ).filter("is_step")
    per_query = steps.group_by(OF_QUERY).agg(pl.col("is_against").all())
    turned = per_query.group_by(OF_RUN).agg(n=pl.len(), is_turned=pl.col("is_against").all())
    for name, regime, count, _ in turned.filter("is_turned", pl.col("n") >= LEAST_TURNED).sort(OF_RUN).rows():
        raise FinragError(
            f"{source or named('external_hits')}: in all {count:,} queries of {name}@{regime} with several scores the "
            "order runs against them: what stands first has the lowest. Scores decide, the highest first, so that "
            "every list would be turned over. Write distances with a minus in front, or leave scores out, and the "
            "order decides; turn an order around that begins with the worst."
        )


def stop_when_no_sentence_is_known(rows, sentences, source: str = "") -> None:
    """Stop where a run names sentences, none of which the corpus holds: each of its figures would be 0.

    rows, sentences: relations of the rows of all files and of the corpus. source: what the rows are of, for the
    message; the setting where it is left out.
    """
    stated = rows.filter("reason is null and error is null").set_alias("stated")
    known = sentences.project("sentence_id as known_id").set_alias("known")
    first = "arg_min(sentence_id, (file_number, source_row))"
    per_run = stated.join(known, "sentence_id = known_id", "left").aggregate(
        f"external_run, regime, count(*) as n, count(known_id) as n_known, {first}", "external_run, regime"
    )
    for name, regime, count, _, example in per_run.filter("n_known = 0").order("external_run, regime").fetchall():
        raise FinragError(
            f"{source or named('external_hits')}: {name}@{regime} has {count:,} rows, and 0 % of the sentences that "
            f"they name are in the corpus. They look like {shorten(example)!r}, those of the corpus like "
            f"{example_of(known)!r}. "
            f"`{command('export corpus')}` writes the sentences with their ids."
        )


def example_of(known) -> str:
    """An id of the corpus. known: relation of one column."""
    return known.aggregate("coalesce(min(known_id), 'none')").fetchall()[0][0]


def as_problems(table: polars.DataFrame) -> polars.DataFrame:
    """The columns of a problem, those that it has no value for null."""
    import polars as pl

    types = {"source_row": pl.Int64}
    names = ("external_run", "regime", "file_path", "reason", "query_id", "sentence_id", "source_row", "detail")
    return table.select(
        pl.col(name).cast(types.get(name, pl.String))
        if name in table.columns
        else pl.lit(None, types.get(name, pl.String)).alias(name)
        for name in names
    )
