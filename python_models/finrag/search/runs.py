"""Search what the planned runs ask for: every gold query, in every regime, by every strategy, once."""

from __future__ import annotations

import json
from dataclasses import dataclass

from finrag.search.told import search_told
from finrag.tables import name_relations

# Hits kept beyond the deepest rank measured: the query's own sentence, which loses its rank, and one more, which tells
# whether a tie goes on there.
SPARE_HITS = 2

# Hits of other runs are brought, put together from paths, or told.
IS_SEARCHED = "not is_external and method not in ('multi_path', 'gold', 'gold_filings')"
# Runs that ask for the same lists share them: P1 and P2 often have an anchor in common.
NEW_SEARCHES = f"""
    create or replace temp table new_searches as
    select
        (row_number() over (order by method, embedding_model, regime, filter_columns, parameters))::integer as search,
        *,
    from (
        select distinct method, embedding_model, regime, filter_columns, parameters
        from new_runs
        where {IS_SEARCHED}
    )
"""

# Distinct queries, numbered from 0. Two suites' queries are one where they have text and filing in common.
NUMBERED_QUERIES = f"""
    create or replace temp table numbered_queries as
    select
        *,
        dense_rank() over (
            order by text_hash, query_text, filing_id, cik, report_year, section_id, section_heading, form_type
        )::integer - 1 as number,
    from queries_of_runs
    where suite in (select suite from new_runs where {IS_SEARCHED})
"""

# The query's own sentence keeps its raw rank and loses its rank; those below it move up by one.
HITS_OF_NEW_RUNS = """
    with found as (
        select
            new_runs.run_id,
            numbered_queries.query_id,
            new_hits.sentence_id,
            new_hits.raw_rank,
            new_hits.score,
            new_runs.method,
            coalesce(new_hits.sentence_id = numbered_queries.sentence_id, false) as is_query_sentence,
        from new_runs
        inner join new_searches using (method, embedding_model, regime, filter_columns, parameters)
        inner join numbered_queries using (suite)
        inner join new_hits
            on new_searches.search = new_hits.search
            and numbered_queries.number = new_hits.query
        where not new_runs.is_external
    )
    select
        run_id,
        query_id,
        sentence_id,
        raw_rank,
        case
            when not is_query_sentence
                then raw_rank - coalesce(
                    raw_rank > min(raw_rank) filter (where is_query_sentence) over (partition by run_id, query_id),
                    false
                )::integer
        end as rank,
        score,
        case when method = 'dense' then (1 - score)::float end as distance,
        is_query_sentence,
    from found
    union all
    select
        steps.run_id,
        steps.query_id,
        steps.sentence_id,
        steps.final_rank as raw_rank,
        steps.final_rank as rank,
        any_value(steps.final_score) as score,
        null::float as distance,
        false as is_query_sentence,
    from steps_of_runs as steps
    semi join new_runs using (run_id)
    where steps.final_rank is not null
    group by steps.run_id, steps.query_id, steps.sentence_id, steps.final_rank
    union all
    select
        run_id,
        query_id,
        sentence_id,
        raw_rank,
        raw_rank as rank,
        score,
        null::float as distance,
        false as is_query_sentence,
    from told_hits
    union all
    select
        new_runs.run_id,
        external.query_id,
        external.sentence_id,
        external.raw_rank,
        external.rank,
        external.score,
        null::float as distance,
        external.is_query_sentence,
    from external_of_runs as external
    inner join new_runs
        on external.external_run = new_runs.strategy
        and external.regime = new_runs.regime
        and external.suite = new_runs.suite
    where new_runs.is_external
"""


NO_STEPS = """
    select null::varchar as run_id, null::varchar as query_id, null::varchar as sentence_id,
        null::integer as final_rank, null::float as final_score
    where false
"""


@dataclass(frozen=True)
class Search:
    """One set of hit lists: all queries, one regime's filter, one strategy, one embedding model ('none' for bm25)."""

    method: str
    embedding_model: str
    regime: str
    filter_columns: str
    parameters: str


def search_new_runs(
    session, planned, done, queries, external_rows, pipeline_steps, registry, lance: str, max_k: int, gold=None
):
    """Relation of the hits of every planned run that `done` does not hold yet, as int_anchor_hits describes it.

    session: DuckDB connection of the model. planned, queries, external_rows, registry: relations of the planned
    runs, their queries, what the files of external retrievers hold, and embedding_models. pipeline_steps: relation of
    int_pipeline_steps, whose final lists are the hits of multi_path, or None where it has no part. gold: relation of
    int_p3_gold, for strategies that are told it, or None where none is. done: the table of hits so far, or None. lance:
    folder of the vectors. max_k: the deepest rank that is measured; SPARE_HITS more are kept.
    """
    name_relations(
        session,
        planned_of_runs=planned,
        queries_of_runs=queries,
        external_of_runs=external_rows.filter("kind = 'hit'"),
        steps_of_runs=session.sql(NO_STEPS) if pipeline_steps is None else pipeline_steps,
    )
    known = f"where run_id not in (select run_id from {done})" if done else ""
    session.execute(f"create or replace temp table new_runs as select * from planned_of_runs {known}")
    session.execute(NEW_SEARCHES)
    session.execute(NUMBERED_QUERIES)
    session.execute(
        "create or replace temp table new_hits "
        "(search integer, query integer, sentence_id varchar, score float, raw_rank integer)"
    )
    search_told(session, gold, registry, lance, max_k + SPARE_HITS)
    searches = session.execute("select * from new_searches order by search").fetchall()
    if searches:
        _search_all(session, searches, registry, lance, max_k + SPARE_HITS)
    return session.sql(HITS_OF_NEW_RUNS)


def _search_all(session, searches: list[tuple], registry, lance: str, depth: int) -> None:
    """Fill new_hits with the lists of every search."""
    from finrag.progress import progress
    from finrag.search.engines import Engines

    distinct = session.sql(
        """
        select distinct on (number) number::varchar as query_id, * exclude (suite, query_id, number)
        from numbered_queries
        order by number
        """
    ).to_arrow_table()
    fused = [json.loads(parameters).get("depth") or 0 for *_, parameters in searches]
    engines = Engines(lance, registry, distinct, deepest=max(depth, *fused))
    with progress(f"Searching {len(distinct):,} queries", len(searches), "ranking") as searches_done:
        for number, *search in searches:
            session.register("found", engines.search(Search(*search), depth))
            session.execute(
                f"insert into new_hits select {number}, query_id::integer, sentence_id, score, raw_rank from found"
            )
            session.unregister("found")
            searches_done.update(1)
