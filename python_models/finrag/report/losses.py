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
    select
        suite, metric, value, ci_low, ci_high, n_measured, n_total, n_error, run_id, is_baseline,
        if(is_interval_reliable, '', 'few clusters') as warning,
        if(model_id = 'none', 'search only', model_id) as model,
        concat_ws(' ', regime, strategy, nullif(embedding_model, 'none')) as system_name,
        system_name || coalesce(', answered by ' || nullif(model_id, 'none'), '') as run,
    from metrics.metric_values_by_run
    where variant = 'facts' and stratum_by = 'overall' and is_current and value is not null
    order by suite, task desc, strategy, embedding_model, model_id, replicate, run_id
"""


def losses(reader: Reader) -> Section | None:
    if not reader.filled("metrics.metric_values_by_run"):
        return None
    rows = stacked(reader.rows(VALUES))
    if not rows:
        return None
    suites = list(dict.fromkeys(row["suite"] for row in rows))
    suite = Filter("suite", "Suite", "p3" if "p3" in suites else suites[0])
    section = Section(
        id="losses",
        title="Where evidence was lost",
        lead="Of the gold evidence of each question the share that got no further than each stage: it is not in the "
        "corpus; nothing was found of its company, filing or item, or not the sentence itself; it was found and not "
        "shown; it was shown and the answer is wrong, or a span, which no rule judges. What a search keeps is shown to "
        "an answerer, what answers keep is in a right one.",
        filters=[suite, Filter("metric_name", "Stage", most_lost(rows, suite.default))],
    )
    chosen = defaults(section)
    of_stage = [Column("metric_name", "Stage") if column.name == "metric_name" else column for column in MEASURED]
    of_stage.insert(-2, Column("warning", "Interval"))
    section.figures = [
        Figure(
            id="losses-by-stage",
            title="Shares by stage",
            note=told_n(rows, "questions", {"suite": suite.default}),
            rows=rows,
            columns=of_stage,
            filters=("suite",),
            chart=charts.shares(
                rows,
                parts=list(STAGES.values()),
                told=TOLD | {"metric_name": "stage"},
                filters={"suite": suite.default},
                description="Where the evidence of questions was lost, by system, as shares that add up to 1.",
            ),
        ),
        Figure(
            id="losses-intervals",
            title="One stage, with intervals",
            note=told_n(rows, "questions", chosen),
            rows=rows,
            columns=of_stage,
            filters=("suite", "metric_name"),
            is_secondary=True,
            chart=dots_by(
                *(rows, "run", "system", chosen, "Share of evidence at one stage by system"),
                axis_title="share of the evidence",
                shape="",
            ),
        ),
    ]
    return section


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


def most_lost(rows: list[Row], suite: str) -> str:
    """The stage that a reader looks at first: the one that costs the systems of a suite most."""
    sums: dict[str, float] = dict.fromkeys(list(STAGES.values())[:-2], 0.0)
    for row in rows:
        if row["suite"] == suite and row["metric_name"] in sums:
            sums[row["metric_name"]] += row["value"]
    return max(sums, key=lambda stage: sums[stage])
