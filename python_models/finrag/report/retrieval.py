"""The parts of the report about search: scorecards, filtered and open, and section length."""

from __future__ import annotations

from finrag.report.comparisons import difference_figure, differences, on_queries
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section
from finrag.report.measured import MEASURED, METRIC, defaults, dots_by, told_n

BUCKETS = ["<10", "10-19", "20-39", "40+"]
PREDICATE = Filter("gold_predicate", "Gold", "positional")
POPULATION = Filter("population", "Queries", "covered")
VALUES = """
    with widest as (
        select suite, max(gold_window) as gold_window
        from metrics.metric_values_by_run where suite in ('p1', 'p2', 'p3') group by suite
    )
    select
        values.suite, values.regime, values.strategy, values.variant as gold_predicate, values.population,
        values.stratum_by, values.stratum, values.metric || coalesce('@' || nullif(values.k, 0), '') as metric_name,
        coalesce(values.corpus_value, values.value) as value, coalesce(values.corpus_ci_low, values.ci_low) as ci_low,
        coalesce(values.corpus_ci_high, values.ci_high) as ci_high, values.value as drawn, values.estimand,
        if(values.is_interval_reliable, '', 'few clusters') as warning, values.n_measured, values.n_total,
        values.n_error, values.run_id,
        if(values.embedding_model = 'none', 'no embeddings', values.embedding_model) as model,
        concat_ws(' ', values.strategy, nullif(values.embedding_model, 'none')) as system_name,
        system_name || ', ' || values.regime as run,
        false as is_baseline,
    from metrics.metric_values_by_run as values
    inner join widest using (suite, gold_window)
    where
        values.is_current
        and values.task = 'retrieval'
        and values.suite in ('p1', 'p2', 'p3')
        and values.value is not null
        and values.stratum_by = $stratum_by
        and values.metric || coalesce('@' || nullif(values.k, 0), '') in ($metrics)
    order by values.suite, values.regime, values.strategy, values.embedding_model, metric_name
"""
# The corpus comes first where anchors were drawn, and the draw beside it.
OF_DRAW = [*MEASURED[:5], Column("drawn", "Of the draw", 3), *MEASURED[5:8]]
WHERE = [Column("gold_predicate", "Gold"), Column("population", "Queries")]
SPEAKS_OF = [Column("estimand", "Speaks of"), Column("warning", "Interval")]
HEADLINE = ("hit@1", "hit@5", "hit@10", "recall@30", "mrr@30", "ndcg@10")


def values(reader: Reader, stratum_by: str, metrics: tuple[str, ...]) -> list[Row]:
    quoted = ", ".join(f"'{metric}'" for metric in metrics)
    return reader.rows(VALUES.replace("$metrics", quoted), {"stratum_by": stratum_by})


def scorecards(reader: Reader) -> Section | None:
    if not reader.filled("metrics.metric_values_by_run"):
        return None
    rows = values(reader, "overall", HEADLINE)
    section = Section(
        id="retrieval",
        title="Retrieval",
        lead="How often a search finds what stands next to a sentence (P1: within a fixed window; P2: the window grows "
        "until it holds gold), within the sentence's company, year and item (filtered) and in the whole corpus (open). "
        "Values are those of the corpus: each query counts for the sentences that it was drawn from.",
        filters=[METRIC, PREDICATE, POPULATION],
    )
    for suite, name in (("p1", "P1, fixed window"), ("p2", "P2, adaptive window")):
        of_suite = [row for row in rows if row["suite"] == suite]
        if of_suite:
            section.figures.append(
                Figure(
                    id=f"scorecard-{suite}",
                    title=f"{name}: filtered and open",
                    note=told_n(of_suite, "queries", defaults(section)),
                    rows=of_suite,
                    columns=[*OF_DRAW, *WHERE, *SPEAKS_OF, *MEASURED[8:]],
                    filters=("metric_name", "gold_predicate", "population"),
                    chart=dots_by(of_suite, "system_name", "system", defaults(section), f"{name} by system and regime"),
                )
            )
    regimes = differences(reader, "regime")
    if regimes:
        title = "What filtering adds: filtered − open, on the same queries"
        section.figures.append(difference_figure("regimes", title, regimes, section, on_queries(regimes)))
    return section


def sections_by_length(reader: Reader) -> Section | None:
    if not reader.filled("metrics.metric_values_by_run"):
        return None
    rows = values(reader, "section_length_bucket", ("hit@5",))
    rows = [row for row in rows if row["suite"] == "p2" and row["population"] == "covered"]
    covered = values(reader, "section_length_bucket", ("coverage",))
    covered = [row for row in covered if row["suite"] == "p2" and row["population"] == "all"]
    seen, coverage = set(), []
    for row in covered:
        if (key := (row["stratum"], row["gold_predicate"])) not in seen:
            seen.add(key)
            coverage.append(row | {"regime": "coverage", "system_name": "coverage"})
    if not rows:
        return None
    systems = list(dict.fromkeys(row["system_name"] for row in rows))
    first = next((name for name in systems if name.startswith("dense")), systems[0])
    filters = [Filter("gold_predicate", "Gold", "positional"), Filter("system_name", "System", first)]
    section = Section(
        id="section-length",
        title="Section length",
        lead="Short items are found easily once a search is told where to look, and often have no neighbour to be "
        "judged by. P2 asks in items of every length.",
        filters=filters,
    )
    stratum = Column("stratum", "Sentences in the item")
    chosen = defaults(section)
    section.figures = [
        Figure(
            id="length-hit",
            title="Hit@5 by sentences in the item",
            note=told_n(rows, "covered queries", chosen),
            rows=rows,
            columns=[stratum, *MEASURED],
            filters=tuple(chosen),
            is_secondary=True,
            chart=dots_by(
                *(rows, "stratum", "sentences", chosen, "Hit@5 by section length", BUCKETS),
                "Hit@5: share of covered queries, from 0 to 1",
            ),
        ),
        Figure(
            id="length-coverage",
            title="Coverage by sentences in the item",
            note="Queries with at least one gold sentence. It is a property of the gold, the same for every run.",
            rows=coverage,
            columns=[stratum, Column("gold_predicate", "Gold"), *MEASURED[2:8]],
            filters=("gold_predicate",),
            is_secondary=True,
            chart=dots_by(
                *(coverage, "stratum", "sentences", {"gold_predicate": "positional"}, "Coverage by section length"),
                *(BUCKETS, "share of queries with gold, from 0 to 1", ""),
            ),
        ),
    ]
    return section
