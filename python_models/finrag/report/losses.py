"""The part of the report about evidence: at which stage between a question and its answer it was lost."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section
from finrag.report.measured import MEASURED, TOLD, defaults, dots_by, told_n

# The metrics in the order of the stages, as a reader calls them.
STAGES = {
    "lost_at_corpus": "corpus",
    "lost_at_company": "company",
    "lost_at_document": "filing",
    "lost_at_section": "item",
    "lost_at_sentence": "sentence",
    "lost_at_context": "context",
    "lost_at_answer": "answer",
    "evidence_not_judged": "not judged",
    "evidence_kept": "kept",
}
VALUES = """
    with searched as (
        select run_id, any_value(task) as task, any_value(retrieval_run_id) as search_id, any_value(regime) as regime
        from metrics.evidence_losses
        group by run_id
    )
    select
        stated.suite, stated.metric, stated.value, stated.ci_low, stated.ci_high, stated.n_measured, stated.n_total,
        stated.n_error, stated.run_id, stated.is_baseline, searched.task, searched.search_id, searched.regime,
        if(stated.is_interval_reliable, '', 'few clusters') as warning,
        if(stated.model_id = 'none', 'search only', stated.model_id) as model,
        concat_ws(' ', stated.strategy, nullif(stated.embedding_model, 'none')) as system_name,
        concat_ws(
            ', ', system_name, nullif(searched.regime, 'open'), 'answered by ' || nullif(stated.model_id, 'none'),
            'replicate ' || nullif(stated.replicate, 1)
        ) as run,
    from metrics.metric_values_by_run as stated
    inner join searched on stated.run_id = searched.run_id
    where stated.variant = 'facts' and stated.stratum_by = 'overall' and stated.is_current and stated.value is not null
    order by
        stated.suite, searched.task desc, stated.strategy, stated.embedding_model, stated.model_id, stated.replicate,
        stated.run_id
"""


def losses(reader: Reader) -> Section | None:
    if not (reader.filled("metrics.metric_values_by_run") and reader.filled("metrics.evidence_losses")):
        return None
    rows = stacked(reader.rows(VALUES))
    if not rows:
        return None
    suites = list(dict.fromkeys(row["suite"] for row in rows))
    suite = "p3" if "p3" in suites else suites[0]
    section = Section(
        id="losses",
        title="Where evidence was lost",
        lead="The share of each question's gold evidence that got no further than a stage: nothing found of its "
        "company, filing, item, or not the sentence; found, not shown; shown, and the answer wrong, or a span, which "
        "no rule judges.",
        filters=[Filter("suite", "Suite", suite)] if len(suites) > 1 else [],
    )
    chosen = defaults(section)
    of_stage = [Column("metric_name", "Stage") if column.name == "metric_name" else column for column in MEASURED]
    of_stage.insert(-2, Column("warning", "Interval"))
    bars = whole(rows)
    section.figures = [
        Figure(
            id="losses-by-stage",
            title="Shares by stage",
            note=told_n(rows, "questions", chosen) + " Of a search without answers what is kept is shown.",
            rows=rows,
            columns=of_stage,
            filters=tuple(chosen),
            chart=charts.shares(
                bars,
                parts=list(STAGES.values()),
                told=TOLD | {"metric_name": "stage"},
                filters=chosen,
                description="Where the evidence of questions was lost, by system, as shares that add up to 1.",
            ),
        ),
        Figure(
            id="losses-intervals",
            title="Each stage with its interval",
            note=told_n(rows, "questions", chosen),
            rows=bars,
            columns=of_stage,
            filters=tuple(chosen),
            is_secondary=True,
            chart=dots_by(
                *(bars, "metric_name", "stage", chosen, "Share of evidence by stage and system", list(STAGES.values())),
                axis_title="share of the evidence",
                shape="",
            ),
        ),
    ]
    return section


def whole(rows: list[Row]) -> list[Row]:
    """Without searches whose answers are there: these lose the same up to the context, and then go on."""
    answered = {row["search_id"] for row in rows if row["task"] == "answer"}
    return [row for row in rows if row["run_id"] not in answered]


def stacked(rows: list[Row]) -> list[Row]:
    """The rows in the order of the stages, each with the ends of its part of the run's bar."""
    names = list(STAGES)
    ends: dict[object, float] = {}
    placed = []
    for row in sorted(rows, key=lambda row: names.index(row["metric"])):
        start = ends.get(row["run_id"], 0.0)
        ends[row["run_id"]] = start + row["value"]
        placed.append(row | {"metric_name": STAGES[row["metric"]], "start": start, "end": ends[row["run_id"]]})
    runs = list(dict.fromkeys(row["run_id"] for row in rows))
    return sorted(placed, key=lambda row: runs.index(row["run_id"]))
