"""The metrics of retrieval as a function, for rankings that no warehouse holds.

    >>> from finrag import evaluate
    >>> evaluate({"q1": {"d2": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}}, cutoffs=[1, 3]).filter(metric="mrr")

The statement is that of metrics.retrieval_items (macros/metrics/retrieval_items.sql), the registry seeds/metrics.csv
and the roll-up finrag.metrics.rollup, so the figures are those of the warehouse: the definitions of trec_eval, and
the intervals of docs/coverage.md; but a ranking is whole, where the warehouse keeps so many hits of a query, so that
bounds over ties are of hits of equal score alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.errors import FinragError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb
    import polars

# Gain of nDCG; 0 is judged and not relevant.
GRADES = (0, 1, 2)
# Below the largest whole number that a column holds; deeper than any ranking.
DEEPEST = 2**62
METRICS = ("coverage", "hit", "recall", "mrr", "ndcg")
# The relations that the statement reads, in the columns that it needs of them.
TABLES = """
    create table runs as
        select 'run' as run_id, 'suite' as suite, 'open' as regime, 'run' as strategy, 'external' as method,
            'none' as embedding_model, '' as index_checksum, '' as gold_version, true as is_external,
            true as is_current;
    create table gold as
        select 'suite' as suite, query_id, 'none' as gold_window, 'judged' as gold_predicate, sentence_id, grade
        from judged where grade > 0;
    create table queries as
        select query_id, null::varchar as sentence_id, query_id as text_hash, query_id as filing_id, cluster_id,
            null::varchar as second_cluster_id, null::double as inclusion_probability
        from (select distinct query_id, cluster_id from judged);
    create table gold_counts as
        select 'suite' as suite, query_id, 'none' as gold_window, 'judged' as gold_predicate,
            count(*) filter (where grade > 0) as n_gold, count(*) filter (where grade = 2) as n_chosen,
            n_gold > 0 as is_covered
        from judged group by query_id;
    create table hits as
        with ranked as (
            select query_id, sentence_id, score,
                (row_number() over (partition by query_id order by score desc, sentence_id desc))::integer as rank
            from found
        )
        select 'run' as run_id, *, rank as raw_rank, null::float as distance, false as is_query_sentence
        from ranked
        -- all that could stand within the deepest cut-off if equal scores stood in another order
        qualify rank <= {kept}
            or score >= min(score) filter (where rank <= {deepest}) over (partition by query_id);
    create table query_states (
        suite varchar, index_checksum varchar, gold_version varchar, query_id varchar, is_lost boolean,
        gold_ids varchar[], distances float[]);
    create table sentences (sentence_id varchar, text_hash varchar);
"""
RELATIONS = ("runs", "hits", "gold", "gold_counts", "queries", "query_states", "sentences")


def evaluate(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    *,
    cutoffs: Sequence[int] = (1, 3, 5, 10, 20, 30),
    clusters: Mapping[str, str] | None = None,
) -> polars.DataFrame:
    """Coverage, Hit@k, Recall@k, MRR@k and nDCG@k of a ranking, each with its 95 % interval and the counts behind it;
    and the metrics that other packages add (finrag.plugins), of what was found down to the deepest cut-off and two
    more.

    qrels: by query, the grade of each judged document: 2, 1, or 0 for one that is not relevant. A query without a
    relevant one is not covered. run: by query, the score of each document found; ranked by score, equal scores by id,
    both descending, as trec_eval does. A query that it lacks scores 0; queries that qrels lack are left out, as are
    their documents. cutoffs: values of k. clusters: by query, what it depends on others through, such as the question
    that it is a wording of, text or a whole number; without it every query stands for itself. An interval takes the
    clusters for draws.

    One row per population (covered, or all queries, those without gold counting 0), metric and k, with the columns of
    metrics.metric_values that apply. Raises FinragError where a grade, a score, a cluster or a cut-off cannot be used,
    and where no query of a run is judged.
    """
    import duckdb
    import polars as pl

    from finrag.metrics.items import read_items
    from finrag.metrics.plugged import add_plugged
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import COLUMNS, Stratum, roll_up
    from finrag.project import product
    from finrag.search.runs import SPARE_HITS
    from finrag.threads import one_blas_thread

    cutoffs = checked_cutoffs(cutoffs)
    check(qrels, run, clusters)
    with duckdb.connect() as connection, one_blas_thread():
        read_in(connection, qrels, run, cutoffs[-1], clusters or {})
        connection.execute(f"create table items as {statement(cutoffs, {name: name for name in RELATIONS})}")
        registry = connection.read_csv(str(product() / "seeds" / "metrics.csv"))
        metrics = [m for m in read_metrics(registry, "retrieval_items", cutoffs) if m.name in METRICS]
        everything = Stratum("overall", "all", frozenset(qrels))
        tables = {name: connection.table(name) for name in ("items", "hits", "gold")}
        tables["hits"] = tables["hits"].filter(f"rank <= {cutoffs[-1] + SPARE_HITS}")
        metrics, with_plugged = add_plugged(metrics, connection, **tables)
        (items,) = read_items(with_plugged, metrics)
        rows = list(roll_up(items, [everything]))
    values = pl.DataFrame(rows, schema=COLUMNS, orient="row").with_columns(pl.col(pl.Float64).fill_nan(None))
    apply = [name for name in COLUMNS if not name.startswith("corpus_") and name not in ("stratum_by", "stratum")]
    return values.select(apply)


def checked_cutoffs(cutoffs: object) -> list[int]:
    """The values of k, each once, ascending. Raises FinragError where one is none."""
    from collections.abc import Iterable

    given = list(cutoffs) if isinstance(cutoffs, Iterable) else cutoffs
    if not isinstance(given, list) or not given or not all(map(is_cutoff, given)):
        raise FinragError(f"cutoffs are {given!r}. Allowed: a list of whole numbers from 1 to 2^62, at least one.")
    return sorted({int(k) for k in given})


def is_cutoff(k: object) -> bool:
    """Whether it is a whole number from 1 to DEEPEST, of any type of them, as numpy's; True is none."""
    from numbers import Integral

    return isinstance(k, Integral) and not isinstance(k, bool) and 0 < int(k) <= DEEPEST


def check(qrels: Mapping, run: Mapping, clusters: Mapping | None) -> None:
    """Raise FinragError at the first thing that cannot be used."""
    for what, judged, of in (("qrels", qrels, "grade"), ("run", run, "score")):
        check_ids(what, judged, of)
    if not qrels:
        raise FinragError("qrels are empty, so there is nothing to measure. Give at least one judged query.")
    for query, grades in qrels.items():
        for document, grade in grades.items():
            if grade not in GRADES:
                raise FinragError(f"qrels, query {query}, document {document}: grade {grade!r}. Allowed: 0, 1 and 2.")
    for query, scores in run.items():
        for document, score in scores.items():
            if not is_single(score):
                raise FinragError(
                    f"run, query {query}, document {document}: score {score!r}. Allowed: finite 32-bit numbers (up to "
                    "3.4e38), which is what scores are read as."
                )
    if run and not any(query in qrels for query in run):
        raise FinragError(
            f"run: none of its queries, such as {next(iter(run))!r}, is one of qrels, such as {next(iter(qrels))!r}. "
            "Call a query the same in both."
        )
    if clusters is not None:
        check_clusters(qrels, clusters)


def check_clusters(qrels: Mapping, clusters: Mapping) -> None:
    """Raise FinragError where a query of qrels has no cluster, or one that is no name."""
    from numbers import Integral

    if not is_mapping(clusters):
        raise FinragError(
            f"clusters are of type {type(clusters).__name__}. Allowed: a mapping of query to cluster, or None."
        )
    lacking = [query for query in qrels if query not in clusters]
    if lacking:
        such = f"{len(lacking)} {'query' if len(lacking) == 1 else 'queries'} of qrels, such as {lacking[0]}"
        raise FinragError(f"clusters name none for {such}. Name all.")
    for query in qrels:
        # None or nan of many queries would be one cluster
        if not isinstance(clusters[query], (str, Integral)):
            raise FinragError(
                f"clusters, query {query}: {clusters[query]!r}. Allowed: text or a whole number; of a query that "
                "depends on no other its own id."
            )


def check_ids(what: str, judged: object, of: str) -> None:
    """Raise FinragError where this is no mapping of texts to mappings of texts. what: its name; of: what these hold."""
    shape = f"Allowed: a mapping of query to a mapping of document to {of}, as {{'q1': {{'d1': 1}}}}."
    if not is_mapping(judged):
        raise FinragError(f"{what}: of type {type(judged).__name__}. {shape}")
    for query, documents in judged.items():
        if not is_mapping(documents):
            raise FinragError(f"{what}, query {query!r}: of type {type(documents).__name__}. {shape}")
        for name in (query, *documents):
            if not isinstance(name, str):
                raise FinragError(f"{what}: id {name!r} is of type {type(name).__name__}. Allowed: text, as '{name}'.")
            # neither fits into a table
            if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
                raise FinragError(
                    f"{what}: id {name!r} has a character that no file can hold. Allowed: text without NUL and without "
                    "halves of surrogate pairs."
                )


def is_mapping(value: object) -> bool:
    from collections.abc import Mapping

    return isinstance(value, Mapping)


def is_single(score: object) -> bool:
    """Whether it is a number, of any type, that a float of 32 bits can hold."""
    import struct
    from math import isfinite
    from numbers import Real

    try:
        return isinstance(score, Real) and isfinite(*struct.unpack("f", struct.pack("f", float(score))))
    except OverflowError:
        return False


def read_in(connection: duckdb.DuckDBPyConnection, qrels, run, deepest: int, clusters: Mapping[str, str]) -> None:
    """Make the tables that the statement reads."""
    import pyarrow

    # a query without a judged document is one row with neither document nor grade
    judged = [
        (query, str(clusters.get(query, query)), document, int(grade))
        for query, grades in qrels.items()
        for document, grade in (grades or {None: 0}).items()
    ]
    found = [
        (query, document, float(score))
        for query, scores in run.items()
        if query in qrels
        for document, score in scores.items()
    ]
    for name, rows, schema in (
        ("judged", judged, {"query_id": "string", "cluster_id": "string", "sentence_id": "string", "grade": "int32"}),
        # single precision, as trec_eval reads scores
        ("found", found, {"query_id": "string", "sentence_id": "string", "score": "float32"}),
    ):
        fields = pyarrow.schema([(column, pyarrow.type_for_alias(kind)) for column, kind in schema.items()])
        table = pyarrow.Table.from_pylist([dict(zip(schema, row, strict=True)) for row in rows], fields)
        connection.register(name, table)
    from finrag.search.runs import SPARE_HITS

    connection.execute(TABLES.format(deepest=deepest, kept=deepest + SPARE_HITS))


def statement(cutoffs: Sequence[int], relations: Mapping[str, str]) -> str:
    """The statement of metrics.retrieval_items. relations: the name of each of RELATIONS where it is run."""
    import jinja2

    from finrag.project import product

    macro = (product() / "macros" / "metrics" / "retrieval_items.sql").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.globals["var"] = {"metric_ks": list(cutoffs)}.__getitem__
    module = environment.from_string(macro).module
    return module.retrieval_items_statement(dict(relations), "", None, are_whole=True)
