"""The parts of the report about search: scorecards, regimes, section length, strategies, drift."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section

BUCKETS = ["<10", "10-19", "20-39", "40+"]
TOLD = {
    "run": "run",
    "metric_name": "metric",
    "value": "value",
    "ci_low": "95 % from",
    "ci_high": "to",
    "n_measured": "n",
    "n_error": "errors",
    "model": "model",
    "run_id": "run id",
}
MEASURED = [
    Column("run", "Run"),
    Column("metric_name", "Metric"),
    Column("value", "Value", 3),
    Column("ci_low", "95 % from", 3),
    Column("ci_high", "to", 3),
    Column("n_measured", "n", 0),
    Column("n_total", "of", 0),
    Column("n_error", "Errors", 0),
    Column("model", "Model"),
    Column("run_id", "Run id"),
]
PREDICATE = Filter("gold_predicate", "Gold", "positional")
POPULATION = Filter("population", "Queries", "covered")
METRIC = Filter("metric_name", "Metric", "hit@5")
VALUES = """
    with widest as (
        select suite, max(gold_window) as gold_window
        from metrics.metric_values where suite in ('p1', 'p2', 'p3') group by suite
    )
    select
        values.suite, values.regime, values.strategy, values.gold_predicate, values.population, values.stratum_by,
        values.stratum, values.metric || coalesce('@' || nullif(values.k, 0), '') as metric_name, values.value,
        values.ci_low, values.ci_high, values.n_measured, values.n_total, values.n_error, values.run_id,
        if(values.embedding_model = 'none', 'no embeddings', values.embedding_model) as model,
        values.strategy
            || if(count(distinct values.embedding_model) over (partition by values.suite, values.strategy) > 1,
                ' ' || values.embedding_model, '') as label,
        label || ', ' || values.regime as run,
        false as is_baseline,
    from metrics.metric_values as values
    inner join widest using (suite, gold_window)
    where
        values.is_current
        and values.answer_model = 'none'
        and values.suite in ('p1', 'p2', 'p3')
        and values.value is not null
        and values.stratum_by = $stratum_by
        and values.metric || coalesce('@' || nullif(values.k, 0), '') in ($metrics)
    order by values.suite, values.regime, values.strategy, values.embedding_model, metric_name
"""
HEADLINE = ("hit@1", "hit@5", "hit@10", "recall@30", "mrr@30", "ndcg@10")


def values(reader: Reader, stratum_by: str, metrics: tuple[str, ...]) -> list[Row]:
    quoted = ", ".join(f"'{metric}'" for metric in metrics)
    return reader.rows(VALUES.replace("$metrics", quoted), {"stratum_by": stratum_by})


def scorecards(reader: Reader) -> Section | None:
    if not reader.filled("metrics.metric_values"):
        return None
    rows = values(reader, "overall", HEADLINE)
    section = Section(
        id="retrieval",
        title="Retrieval",
        lead="How often a search finds what stands next to a sentence (P1: within a fixed window; P2: the window grows "
        "until it holds gold), within the sentence's company, year and item (filtered) and in the whole corpus (open).",
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
                    columns=[*MEASURED, Column("gold_predicate", "Gold"), Column("population", "Queries")],
                    filters=("metric_name", "gold_predicate", "population"),
                    chart=dots_by(of_suite, "label", "regime", defaults(section), f"{name} by strategy and regime"),
                )
            )
    regimes = differences(reader, "regime")
    if regimes:
        section.figures.append(
            difference_figure("regimes", "What filtering adds: filtered − open, on the same queries", regimes, section)
        )
    return section


def sections_by_length(reader: Reader) -> Section | None:
    if not reader.filled("metrics.metric_values"):
        return None
    rows = values(reader, "section_length_bucket", ("hit@5",))
    rows = [row for row in rows if row["suite"] == "p2" and row["population"] == "covered"]
    covered = values(reader, "section_length_bucket", ("coverage",))
    covered = [row for row in covered if row["suite"] == "p2" and row["population"] == "all"]
    seen, coverage = set(), []
    for row in covered:
        if (key := (row["stratum"], row["gold_predicate"])) not in seen:
            seen.add(key)
            coverage.append(row | {"regime": "coverage"})
    if not rows:
        return None
    filters = [Filter("gold_predicate", "Gold", "positional"), Filter("label", "Strategy", "dense")]
    section = Section(
        id="section-length",
        title="Section length",
        lead="Short items are found easily once a search is told where to look, and often have no neighbour to be "
        "judged by. P2 asks in items of every length.",
        filters=[choice for choice in filters if choice.name != "label" or any(r["label"] == "dense" for r in rows)],
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
            chart=dots_by(rows, "stratum", "regime", chosen, "Hit@5 by section length", BUCKETS, "Hit@5"),
        ),
        Figure(
            id="length-coverage",
            title="Coverage by sentences in the item",
            note="Queries with at least one gold sentence. It is a property of the gold, the same for every run.",
            rows=coverage,
            columns=[stratum, Column("gold_predicate", "Gold"), *MEASURED[2:8]],
            filters=("gold_predicate",),
            chart=dots_by(
                *(coverage, "stratum", "regime", {"gold_predicate": "positional"}, "Coverage by section length"),
                *(BUCKETS, "Coverage"),
            ),
        ),
    ]
    return section


def strategies(reader: Reader) -> Section | None:
    rows = differences(reader, "strategy")
    if not rows:
        return None
    section = Section(
        id="strategies",
        title="Strategies",
        lead="Differences between strategies on the same queries, the first named less the second. An interval "
        "clear of the dashed line and a Holm-adjusted p below 0.05 say that a difference is not chance.",
        filters=[Filter("suite", "Suite", "p2"), METRIC],
    )
    section.figures = [difference_figure("strategy", "Paired differences", rows, section)]
    return section


def differences(reader: Reader, kind: str) -> list[Row]:
    if not reader.filled("metrics.run_comparisons"):
        return []
    rows = reader.rows(
        """
        with widest as (select suite, max(gold_window) as gold_window from metrics.run_comparisons group by suite)
        select
            suite, gold_predicate, metric || coalesce('@' || nullif(k, 0), '') as metric_name,
            label_a, label_b, value_a, value_b, difference, ci_low, ci_high, n_pairs, p_holm, test,
            run_id_a || ' / ' || run_id_b as run_id, if(is_significant, 'clear', 'not clear') as verdict,
            false as is_baseline,
        from metrics.run_comparisons
        inner join widest using (suite, gold_window)
        where
            stratum_by = 'overall' and comparison_kind = ? and difference is not null
            and metric || coalesce('@' || nullif(k, 0), '') in ('hit@5', 'mrr@30', 'ndcg@10', 'recall@30')
            and label_a || label_b not like '%random%'
            and (comparison_kind = 'regime' or gold_predicate in ('positional', 'evidence'))
        order by suite, gold_predicate, metric_name, label_b, label_a
        """,
        [kind],
    )
    models = reader.rows("select distinct embedding_model from metrics.metric_values where embedding_model != 'none'")
    only = f" {models[0]['embedding_model']}" if len(models) == 1 else ""
    return [row | {"pair": pair_label(row, kind, only)} for row in rows]


def pair_label(row: Row, kind: str, only_model: str) -> str:
    """Short enough for an axis: what both runs share is said once, the only embedding model not at all."""
    first, second = (str(row[name]).removesuffix(only_model) for name in ("label_a", "label_b"))
    if kind == "regime":
        return f"{row['suite']}: {second.split(' ', 1)[-1]}"
    regime = first.split(" ", 1)[0]
    if regime == second.split(" ", 1)[0]:
        return f"{regime}: {second.split(' ', 1)[-1]} − {first.split(' ', 1)[-1]}"
    return f"{second} − {first}"


def difference_figure(id_: str, title: str, rows: list[Row], section: Section) -> Figure:
    names = ("suite", "metric_name", "gold_predicate")
    chosen = {choice.name: choice.default for choice in section.filters if choice.name in names}
    told = {"pair": "difference of", "difference": "difference", "ci_low": "95 % from", "ci_high": "to"}
    told |= {"n_pairs": "pairs", "p_holm": "p (Holm)", "verdict": "verdict", "run_id": "run ids"}
    return Figure(
        id=f"differences-{id_}",
        title=title,
        note=f"Paired on the same queries; {n_range(rows, 'n_pairs')} pairs each; positional gold (P3: the evidence) "
        "unless chosen otherwise. Strategy random is left out.",
        rows=rows,
        columns=[
            *(Column("pair", "Difference of"), Column("metric_name", "Metric"), Column("gold_predicate", "Gold")),
            *(Column("value_a", "First", 3), Column("value_b", "Second", 3), Column("difference", "Difference", 3)),
            *(Column("ci_low", "95 % from", 3), Column("ci_high", "to", 3), Column("n_pairs", "Pairs", 0)),
            *(Column("p_holm", "p (Holm)", 4), Column("test", "Test"), Column("verdict", "Verdict")),
            Column("run_id", "Run ids"),
        ],
        filters=tuple(chosen),
        chart=charts.dots(
            rows,
            group="pair",
            colour="verdict",
            colour_title="",
            axis_title="difference",
            told=told,
            filters=chosen,
            description=title,
            value="difference",
            zero_line=True,
        ),
    )


def drift(reader: Reader) -> Section | None:
    """Every run that the warehouse remembers, and the frozen baselines, in the order of time."""
    if not reader.has("metrics.metric_values", "retrieval.retrieval_runs"):
        return None
    rows = reader.rows(
        """
        with widest as (
            select suite, max(gold_window) as gold_window from metrics.metric_values
            where suite in ('p1', 'p2', 'p3') group by suite
        )
        select
            values.suite, values.metric || '@' || values.k as metric_name, values.gold_predicate,
            strftime(runs.built_at, '%Y-%m-%d %H:%M') as measured_at,
            values.strategy, values.embedding_model as model, values.regime,
            values.value, values.ci_low, values.ci_high, values.n_measured, values.run_id,
            if(values.is_current, 'current', 'earlier run') as state,
        from metrics.metric_values as values
        inner join retrieval.retrieval_runs as runs using (run_id)
        inner join widest on values.suite = widest.suite and values.gold_window = widest.gold_window
        where
            values.stratum_by = 'overall' and values.population = 'all' and values.value is not null
            and values.gold_predicate in ('positional', 'evidence') and values.answer_model = 'none'
            and (values.metric, values.k) in (('hit', 5), ('mrr', 30))
            and values.strategy != 'random'
        order by runs.built_at, values.strategy, values.regime
        """
    )
    if reader.filled("seeds.baseline_items") and reader.has("seeds.baselines"):
        rows += reader.rows(
            """
            with items as (
                select * from seeds.baseline_items
                qualify gold_window = max(gold_window) over (partition by suite) and gold_predicate = 'positional'
            ),
            figures as (
                unpivot (
                    select
                        baseline_id, suite, regime, strategy, embedding_model, gold_predicate,
                        avg(hit_at_5::int) as "hit@5", avg(rr_at_30) as "mrr@30", count(*) as n_measured,
                    from items group by all
                ) on "hit@5", "mrr@30" into name metric_name value value
            )
            select
                figures.suite, figures.metric_name, figures.gold_predicate,
                strftime(baselines.frozen_on, '%Y-%m-%d') || ' baseline' as measured_at,
                figures.strategy, figures.embedding_model as model, figures.regime,
                figures.value, null as ci_low, null as ci_high, figures.n_measured, baselines.run_id,
                'baseline ' || figures.baseline_id as state,
            from figures
            inner join seeds.baselines using (baseline_id, suite, regime, strategy, embedding_model)
            """
        )
    if not rows:
        return None
    rows.sort(key=lambda row: row["measured_at"].replace(" baseline", ""))
    models = {row["model"] for row in rows if row["model"] != "none"}
    for row in rows:
        name = row["model"] if len(models) > 1 and row["model"] != "none" else None
        row["run"] = ", ".join(filter(None, [row["strategy"], name, row["regime"]]))
    chosen = {"suite": "p1", "metric_name": "hit@5"}
    told = {"run": "run", "measured_at": "measured", "state": "state", "value": "value", "ci_low": "95 % from"}
    told |= {"ci_high": "to", "n_measured": "n", "run_id": "run id"}
    columns = [
        Column("measured_at", "Measured (UTC)"),
        Column("run", "Run"),
        Column("state", "State"),
        Column("model", "Model"),
        *MEASURED[1:6],
    ]
    return Section(
        id="drift",
        title="Drift",
        lead="The same figure from run to run, over all queries, beside the frozen baseline that the alerts compare "
        "with. Runs of earlier builds stay here when the corpus, the model or the code has changed since.",
        filters=[Filter("suite", "Suite", "p1"), METRIC],
        figures=[
            Figure(
                id="course",
                title="Figures over the runs",
                note=f"{len({row['run_id'] for row in rows})} runs; {n_range(rows, 'n_measured')} queries each.",
                rows=rows,
                columns=[*columns, Column("run_id", "Run id")],
                filters=tuple(chosen),
                chart=charts.course(
                    rows, time="measured_at", colour="run", told=told, filters=chosen, title="value over all queries"
                ),
            )
        ],
    )


def defaults(section: Section) -> dict[str, str]:
    return {choice.name: choice.default for choice in section.filters}


def dots_by(
    rows: list[Row],
    group: str,
    colour: str,
    chosen: dict[str, str],
    description: str,
    order: list[str] | None = None,
    axis_title: str = "value",
):
    return charts.dots(
        rows,
        group=group,
        colour=colour,
        colour_title="",
        axis_title=axis_title,
        told=TOLD,
        filters=chosen,
        description=description,
        order=order,
    )


def n_range(rows: list[Row], name: str = "n_measured") -> str:
    low, high = min(row[name] for row in rows), max(row[name] for row in rows)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def told_n(rows: list[Row], noun: str, chosen: dict[str, str]) -> str:
    """n of what is shown before anything else is chosen; of all rows where that is nothing."""
    shown = [row for row in rows if all(not value or row[name] == value for name, value in chosen.items())]
    rows = shown or rows
    errors = max(row["n_error"] for row in rows)
    return f"n = {n_range(rows)} {noun}" + (
        f"; up to {errors} failed and are left out." if errors else "; none failed."
    )
