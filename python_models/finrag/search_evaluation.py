"""A search that is a Python function, measured on the gold queries of a warehouse and held against a run of it.

    >>> from finrag import evaluate_search
    >>> print(evaluate_search(lambda query: my_index.search(query, k=40)))

What a build does with a file of hits is done with what the function returns: ranked by the same rule
(finrag.search.external), scored by the statement of metrics.retrieval_items, compared by finrag.metrics.comparisons and
judged by the statement of metrics.int_adjusted_comparisons, as one more primary comparison of that build. Nothing is
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.files import shorten
from finrag.project import command, product, warehouse
from finrag.search.export import QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb
    import polars

OURS = "function"
# What a search may return, best first: ids of sentences, or those with their scores; None where it found nothing.
Returned = Iterable[str] | Iterable[tuple[str, float]] | Mapping[str, float] | None
ALLOWED = "Allowed: ids of sentences, best first; pairs of id and score; scores by id; or None where nothing was found."
# Relations of the statement of metrics.retrieval_items, beside those that hold what the function found.
RELATIONS = {
    "gold": "gold.retrieval_gold",
    "gold_counts": "gold.int_query_gold_counts",
    "queries": "gold.retrieval_queries",
    "sentences": "corpus.fct_sentences",
    "places": "gold.int_sentence_places",
    "runs": "function_runs",
    "hits": "function_hits",
    "query_states": "function_states",
}
# What the statement of metrics.int_adjusted_comparisons reads that is no table of the schema metrics.
REFS = {
    "metrics": "seeds.metrics",
    "int_run_pairs": "all_pairs",
    "int_run_comparisons": "all_comparisons",
}
VALUES = ("metric", "k", "n_pairs", "value_a", "value_b", "difference", "ci_low", "ci_high", "p_value")
# What the verdict of a comparison that is not primary says where it is sure of a difference.
EXPLORATORY = "exploratory"
JUDGED = ("p_adjusted", "is_primary", "family_size", "verdict")


class Query(str):
    """The text of a query, with what a filter may use: query_id, suite, cik, report_year, section_id, section_heading
    and form_type.

    The last five are those of the anchor (p1, p2), or of the one company and year that a question is about; else None.
    """

    def __new__(cls, row: Mapping[str, object]) -> Query:
        query = super().__new__(cls, row["query_text"])
        for name in ("query_id", "suite", "cik", "report_year", "section_id", "section_heading", "form_type"):
            setattr(query, name, row[name])
        return query


@dataclass(frozen=True)
class Evaluation:
    """What came of it. b is the function, a what it is held against.

    comparisons: one row per gold window, gold predicate, metric and k, with difference (b minus a), its 95 % interval,
    p-values and verdict; that of the suite's endpoint first. problems: what was wrong with hits, as in
    staging.input_problems.
    """

    name: str
    against: str
    comparisons: polars.DataFrame
    problems: polars.DataFrame

    @property
    def primary(self) -> dict[str, object]:
        """The comparison that decides: that of the primary endpoint."""
        rows = self.comparisons.filter(self.comparisons["is_primary"]).rows(named=True)
        if not rows:
            raise FinragError(
                f"{self.against} is no reference of a primary comparison (seeds/primary_endpoints.csv), so none "
                "decides. Look at comparisons, or leave `against` out."
            )
        return rows[0]

    @property
    def verdict(self) -> str:
        """In words, as in metrics.run_comparisons."""
        return str(self.primary["verdict"])

    def __str__(self) -> str:
        """The comparison that decides; against what no primary comparison is held, the same figures as exploratory."""
        row = self.comparisons.row(0, named=True)
        verdict = str(row["verdict"])
        if not row["is_primary"] and EXPLORATORY not in verdict:
            verdict += f" ({EXPLORATORY})"
        told = [
            f"{self.name} against {self.against}, {row['n_pairs']} queries: {row['metric']}@{row['k']} "
            f"{row['value_b']:.3f} against {row['value_a']:.3f}, difference {row['difference']:+.3f} "
            f"({row['ci_low']:+.3f} to {row['ci_high']:+.3f})",
            verdict,
        ]
        if len(self.problems):
            counted = self.problems.group_by("reason").len().sort("len", "reason", descending=[True, False]).rows()
            told.append("problems: " + ", ".join(f"{count:,} {reason}" for reason, count in counted))
        return "\n".join(told)


def evaluate_search(
    search: Callable[[Query], Returned],
    *,
    suite: str = "p3",
    regime: str = "open",
    against: str | None = None,
    name: str = "function",
    database: Path | str | None = None,
) -> Evaluation:
    """Ask the function every gold query of a suite, and judge it against a current run as a build would.

    search: takes a Query, a text that knows what a filter may use, and returns ids of sentences, best first, or pairs
    of id and score, or scores by id; 31 or more, as the query's own sentence is removed. None is nothing found, which
    counts 0. A query at which it raises an exception is an error, in no value. regime: what it may look at, a row of
    seeds.retrieval_regimes. against: a strategy of the last build in that regime, or a run_id; the reference of the
    suite's primary comparison where it is left out. database: the warehouse; that of the folder where it is left out.

    Raises FinragError where the warehouse lacks the suite, the regime or the run, where every query fails, and where no
    sentence that was found is in the corpus.
    """
    import duckdb

    from finrag.threads import one_blas_thread

    path = Path(database or warehouse())
    if not path.exists():
        raise FinragError(f"There is no warehouse at {path}. Build it first: {command('build')}")
    with duckdb.connect(str(path), read_only=True) as connection, one_blas_thread():
        reference = find_reference(connection, suite, regime, against)
        queries = connection.sql(QUERIES, params={"suite": suite}).pl()
        found = ask(search, queries, name, regime)
        problems = rank(connection, found, queries, reference, depth := measured_depth(connection))
        score(connection, reference, depth)
        compared = judge(connection, reference, f"{regime} {name}")
    return Evaluation(name, reference["label"], compared, problems)


def find_reference(connection: duckdb.DuckDBPyConnection, suite: str, regime: str, against: str | None) -> dict:
    """The row of retrieval.retrieval_runs to compare with, and its label."""
    import duckdb

    try:
        runs = connection.sql("""
            select runs.*, concat_ws(' ', regime, strategy, nullif(embedding_model, 'none')) as label,
                coalesce(strategy = (
                    select any_value(endpoints.strategy) from metrics.int_suite_endpoints as endpoints
                    where compared = 'runs' and comparison_kind = 'strategy' and endpoints.suite = runs.suite
                ), false) as is_reference
            from retrieval.retrieval_runs as runs where is_current order by suite, regime, strategy, embedding_model
        """).pl()
    except duckdb.CatalogException as error:
        raise FinragError(f"The warehouse holds no runs of retrieval. Build it: {command('build')}") from error
    for column, asked in (("suite", suite), ("regime", regime)):
        allowed = runs[column].unique().sort().to_list()
        if asked not in allowed:
            raise FinragError(f"The last build searched no {column} {asked!r}. Allowed: {', '.join(allowed)}.")
        runs = runs.filter(runs[column] == asked)
    chosen = runs.filter(runs["is_reference"] if against is None else runs["strategy"] == against)
    if against is not None and not len(chosen):
        chosen = runs.filter(runs["run_id"] == against)
    if not len(chosen):
        allowed = ", ".join(f"{strategy} ({run_id})" for strategy, run_id in runs.select("strategy", "run_id").rows())
        raise FinragError(f"There is no run {against or 'of the reference'} of {suite}, {regime}. Allowed: {allowed}.")
    return chosen.row(0, named=True)


def ask(search: Callable[[Query], Returned], queries: polars.DataFrame, name: str, regime: str) -> polars.DataFrame:
    """What the function returns for each query, as rows of a file of hits."""
    import polars as pl

    from finrag.inputs.hits import with_numbers
    from finrag.progress import progress

    rows: list[tuple] = []
    with progress(f"Asking {name}", len(queries), "query") as asked:
        for number, row in enumerate(queries.iter_rows(named=True), start=1):
            try:
                rows += [(number, row["query_id"], *hit, None) for hit in hits_of(search(Query(row)))]
            except FinragError:
                raise
            except Exception as error:  # whatever the function meets is said of its query, as of a call that failed
                rows.append((number, row["query_id"], None, None, None, f"{type(error).__name__}: {error}"))
            asked.update(1)
    names = ("source_row", "query_id", "sentence_id", "rank_text", "score_text", "error")
    schema = {column: pl.Int64 if column == "source_row" else pl.String for column in names}
    found = with_numbers(pl.DataFrame(rows, schema=schema, orient="row"))
    if rows and found["error"].null_count() == 0:
        raise FinragError(f"The function failed at every query. The first: {found['error'][0]}")
    stated = {"external_run": name, "regime": regime, "file_path": "evaluate_search"}
    return found.with_columns(
        **{column: pl.lit(value) for column, value in stated.items()},
        file_number=pl.lit(0),
        reason=pl.lit(None, pl.String),
        detail=pl.lit(None, pl.String),
        place=pl.lit(None, pl.Int32),
    )


def hits_of(returned: Returned) -> list[tuple[str, str | None, str | None]]:
    """Sentence, rank and score of each hit, the numbers as text. Raises FinragError for anything else."""
    if returned is None:
        return []
    if isinstance(returned, str | bytes) or not isinstance(returned, Iterable):
        raise FinragError(f"The function returned {shorten(repr(returned))} in place of a list of hits. {ALLOWED}")
    pairs = list(returned.items() if isinstance(returned, Mapping) else returned)
    if all(isinstance(hit, str) for hit in pairs):
        return [(hit, str(rank), None) for rank, hit in enumerate(pairs, start=1)]
    if all(isinstance(hit, tuple | list) and len(hit) == 2 and isinstance(hit[0], str) for hit in pairs):
        return [(sentence, None, str(float(score))) for sentence, score in pairs]
    raise FinragError(f"The function returned {shorten(repr(pairs[0]))} among its hits. {ALLOWED}")


def rank(connection, found: polars.DataFrame, queries: polars.DataFrame, reference: dict, depth: int):
    """Make the tables function_runs, function_hits and function_states; the problems that ranking met."""
    import polars as pl

    from finrag.search import external

    rows = connection.from_arrow(found.to_arrow())
    sentences, filings = connection.table("corpus.fct_sentences"), connection.table("corpus.dim_filings")
    external.stop_when_no_sentence_is_known(rows, sentences, "The function")
    places = pl.int_range(1, pl.len() + 1).over("query_id")
    external.stop_when_scores_turn_all_over(found.with_columns(rank=places.cast(pl.Float64)), "The function")
    known = external.describe_sentences(connection, found, sentences, filings)
    columns = (reference["filter_columns"] or "").split()
    stated = found.drop("reason", "detail")
    described = queries.rename({"sentence_id": "query_sentence_id"}).drop("query_text")
    no_faults = external.as_problems(found.clear())
    _, hits, failed, problems = external.rank_hits(
        stated, no_faults, described, known, {reference["regime"]: columns}, depth
    )
    kept = hits.select("query_id", "sentence_id", "raw_rank", "rank", "score", "is_query_sentence")
    lost = failed.select("query_id")
    ours = {"suite": reference["suite"], "regime": reference["regime"], "gold_version": reference["gold_version"]}
    ours |= {"run_id": OURS, "strategy": OURS, "method": "external", "embedding_model": "none", "index_checksum": OURS}
    run = pl.DataFrame([ours | {"is_external": True, "is_current": True}])
    for name, table in (("kept", kept), ("lost", lost), ("run", run)):
        connection.register(name, table.to_arrow())
    connection.execute(f"""
        create temp table function_runs as from run;
        create temp table function_hits as
            select '{OURS}' as run_id, query_id, sentence_id, raw_rank::integer as raw_rank, rank::integer as rank,
                score::float as score, null::float as distance, is_query_sentence
            from kept;
        create temp table function_states as
            select suite, index_checksum, gold_version, query_id, true as is_lost, []::varchar[] as gold_ids,
                []::float[] as distances
            from lost cross join function_runs;
    """)
    return problems.filter(pl.col("reason").is_not_null())


def measured_depth(connection) -> int:
    return max(cutoffs_of(connection))


def cutoffs_of(connection) -> list[int]:
    """The values of k that the warehouse was built with."""
    columns = connection.table("metrics.retrieval_items").columns
    return [int(name.removeprefix("hit_at_")) for name in columns if name.startswith("hit_at_")]


def score(connection, reference: dict, depth: int) -> None:
    """Make the table function_items, beside it those of the reference."""
    from finrag.evaluation import statement

    cutoffs = cutoffs_of(connection)
    connection.execute(f"create temp table scored as {statement(cutoffs, RELATIONS)}")
    connection.execute(
        f"""
        create temp table function_items as
            select * from scored
            union all by name
            select * from metrics.retrieval_items where run_id = '{reference["run_id"]}'
        """
    )


def judge(connection, reference: dict, label: str) -> polars.DataFrame:
    """The comparison over all queries, corrected for all primary comparisons of the build and this one."""
    import jinja2
    import polars as pl

    from finrag.metrics.comparisons import compare_runs
    from finrag.metrics.registry import read_metrics

    pair = {
        "comparison_id": OURS,
        "comparison_kind": "strategy",
        "suite": reference["suite"],
        "run_id_a": reference["run_id"],
        "run_id_b": OURS,
        "label_a": reference["label"],
        "label_b": label,
        "strategy_a": reference["strategy"],
        "is_reference": reference["is_reference"],
        "is_chance": reference["strategy"] == "random",
    }
    connection.register("pair", pl.DataFrame([pair]).to_arrow())
    runs = "select run_id, suite, method, is_external from {} where run_id in ('{}', '{}')"
    of_both = " union all ".join(
        runs.format(table, OURS, reference["run_id"]) for table in ("function_runs", "retrieval.retrieval_runs")
    )
    compared = compare_runs(
        "retrieval_items",
        read_metrics(connection.table("seeds.metrics"), "retrieval_items", cutoffs_of(connection)),
        runs=connection.sql(of_both),
        pairs=connection.table("pair"),
        items=connection.table("function_items"),
        strata=connection.sql("select * from gold.int_query_strata where false"),
        done=set(),
    )
    connection.register("compared", compared)
    connection.execute("""
        create temp table all_pairs as from metrics.int_run_pairs union all by name from pair;
        create temp table all_comparisons as from metrics.int_run_comparisons union all by name from compared;
    """)
    model = (product() / "models" / "metrics" / "int_adjusted_comparisons.sql").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.globals["ref"] = lambda name: REFS.get(name, f"metrics.{name}")
    judged = environment.from_string(model).render()
    columns = ", ".join(("gold_window", "gold_predicate", *VALUES, *JUDGED))
    return connection.sql(
        f"""
        select {columns} from ({judged}) as judged
        where comparison_id = '{OURS}' and stratum_by = 'overall'
        order by
            exists (
                select 1 from metrics.int_suite_endpoints as endpoints
                where compared = 'runs' and comparison_kind = 'strategy' and endpoints.suite = judged.suite
                    and endpoints.gold_window = judged.gold_window and endpoints.gold_predicate = judged.gold_predicate
                    and endpoints.metric = judged.metric and endpoints.k = judged.k
            ) desc, metric, k, gold_window, gold_predicate
        """
    ).pl()
