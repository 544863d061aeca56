"""The parts of the report about what language models do: answers, summaries, sentiment, judges, cost."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.cases import wrong_labels
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section
from finrag.report.measured import MEASURED, TOLD, defaults, told_n
from finrag.report.scorecards import long_rows, telling_apart

STRATA = {"overall": "all", "difficulty": "difficulty", "retrieval_scope": "scope", "category": "category"}
# More runs than these are shown one stratum at a time.
RUNS_SIDE_BY_SIDE = 6
DIFFICULTIES = ["easy", "medium", "hard"]
ANSWER_METRICS = ("answer_accuracy", "rouge_l", "bertscore", "cosine", "no_answer_accuracy", "evidence_in_context")
OF_MODEL = [Column("provider", "Provider"), *MEASURED]


def questions(reader: Reader) -> Section | None:
    """P3: the answers by kind of question, and whether the search had found the evidence."""
    if not reader.filled("metrics.metric_values_by_run"):
        return None
    names = ", ".join(f"'{name}'" for name in ANSWER_METRICS)
    rows = reader.rows(
        f"""
        select
            values.stratum_by, values.stratum, values.metric || coalesce('@' || nullif(values.k, 0), '') as metric_name,
            values.value, values.ci_low, values.ci_high, values.n_measured, values.n_total, values.n_error,
            values.run_id, values.is_baseline, values.model_id as model, values.strategy,
            if(values.task = 'retrieval', 'search only', coalesce(runs.provider, values.model_id)) as provider,
            concat_ws(' ', values.strategy, nullif(values.embedding_model, 'none')) as search,
            search || if(values.task = 'retrieval', '', ', answered by ' || values.model_id) as system_name,
            system_name as run,
        from metrics.metric_values_by_run as values
        left join {"answers.answer_runs" if reader.has("answers.answer_runs") else "(select '' run_id, '' provider)"}
            as runs using (run_id)
        where
            values.suite = 'p3' and values.is_current and values.population = 'all' and values.value is not null
            and values.stratum_by in ('overall', 'difficulty', 'retrieval_scope', 'category')
            and (
                (values.task != 'retrieval' and values.metric in ({names}))
                or (values.task = 'retrieval' and values.metric = 'hit' and values.k = 5)
            )
        order by values.metric = 'hit', metric_name, run, values.stratum
        """
    )
    if not rows:
        return None
    named = category_names(reader)
    for row in rows:
        row["metric_name"] = row["metric_name"].replace("hit@5", "evidence hit@5")
        if row["stratum_by"] == "category":
            row["stratum"] = named.get(row["stratum"], row["stratum"])
    section = Section(
        id="answers",
        title="Answers",
        lead="Business questions (P3) by how hard they are, how far they reach and what they ask. Similarity to the "
        "gold answer says little by itself: metrics.p3_scorecard has what unrelated texts get.",
        filters=[Filter("metric_name", "Metric", "answer_accuracy")],
    )
    for stratum_by, name in STRATA.items():
        of_stratum = [row for row in rows if row["stratum_by"] == stratum_by]
        if of_stratum:
            section.figures.append(
                Figure(
                    id=f"answers-{stratum_by}".replace("_", "-"),
                    title="All questions" if stratum_by == "overall" else f"By {name}",
                    note=told_n(of_stratum, "questions", defaults(section)),
                    rows=of_stratum,
                    columns=[Column("stratum", name.capitalize()), *OF_MODEL],
                    filters=("metric_name",),
                    is_secondary=stratum_by != "overall",
                    chart=dots(of_stratum, "run" if stratum_by == "overall" else "stratum", defaults(section), name),
                )
            )
    return section


def category_names(reader: Reader) -> dict[str, str]:
    if not reader.has("questions.p3_question_shapes"):
        return {}
    rows = reader.rows("select distinct category, category_name from questions.p3_question_shapes")
    return {row["category"]: f"{row['category']} {row['category_name'].replace('_', ' ')}" for row in rows}


def dots(rows: list[Row], group: str, chosen: dict[str, str], name: str):
    return charts.dots(
        rows,
        group=group,
        group_title="system" if group == "run" else name,
        axis_title="the metric chosen",
        told=TOLD | {"stratum": "stratum", "provider": "provider", "is_baseline": "baseline"},
        filters=chosen,
        description=f"Figures by {name}",
        order=DIFFICULTIES if name == "difficulty" else None,
    )


def scorecard(reader: Reader, table: str, id_: str, title: str, lead: str, strata: dict[str, str]) -> Section | None:
    """A section from a scorecard: overall, and by each stratum that it has."""
    if not reader.filled(table):
        return None
    rows = long_rows(reader, table)
    section = Section(id=id_, title=title, lead=lead)
    if not rows:
        section.figures = [as_table(reader, table, f"{id_}-all", title)]
        return section
    metrics = list(dict.fromkeys(row["metric_name"] for row in rows))
    preferred = next((m for m in metrics if m in ("faithfulness", "accuracy", "exact_match", "spearman")), metrics[0])
    section.filters = [Filter("metric_name", "Metric", preferred)]
    for stratum_by, name in ({"overall": "all"} | strata).items():
        of_stratum = [row for row in rows if row["stratum_by"] == stratum_by]
        if not of_stratum:
            continue
        chosen = {"metric_name": preferred}
        is_crowded = stratum_by != "overall" and len({row["run"] for row in of_stratum}) > RUNS_SIDE_BY_SIDE
        if is_crowded:
            chosen["stratum"] = of_stratum[0]["stratum"]
            section.filters.append(Filter("stratum", name.capitalize(), chosen["stratum"]))
        group = "run" if stratum_by == "overall" or is_crowded else "stratum"
        section.figures.append(
            Figure(
                id=f"{id_}-{stratum_by}".replace("_", "-"),
                title="Overall" if stratum_by == "overall" else f"By {name}",
                note=told_n(of_stratum, "items", chosen),
                rows=of_stratum,
                columns=[Column("stratum", name.capitalize()), *OF_MODEL],
                filters=tuple(chosen),
                is_secondary=stratum_by != "overall",
                chart=dots(of_stratum, group, chosen, name),
            )
        )
    return section


def as_table(reader: Reader, table: str, id_: str, title: str) -> Figure:
    """A table as it stands, for shapes without a chart of their own."""
    rows = reader.rows(f"select * from {table} order by all limit 200")
    columns = [
        Column(name, name.replace("_", " "), 3 if isinstance(rows[0][name], float) else None) for name in rows[0]
    ]
    return Figure(id=id_, title=title, note=f"{table}, {len(rows)} rows", rows=rows, columns=columns)


def summaries(reader: Reader) -> Section | None:
    return scorecard(
        *(reader, "metrics.summary_scorecard", "summaries", "Summaries"),
        "Whether what a summary says stands in its source: claims that are true / all claims, by theme.",
        {"theme": "theme", "length": "length of the source", "company": "company", "report_year": "year"},
    )


def sentiment(reader: Reader) -> Section | None:
    section = scorecard(
        *(reader, "metrics.sentiment_scorecard", "sentiment", "Sentiment"),
        "Labels given to headlines and sentences, against the gold labels.",
        {"class": "label", "label": "label", "dataset": "data set"},
    )
    if section:
        section.cases = wrong_labels(reader)
    table = "metrics.sentiment_confusion"
    if not reader.filled(table):
        return section
    section = section or Section(id="sentiment", title="Sentiment", lead="Labels given, against the gold labels.")
    rows = reader.rows(f"select * from {table} order by all")
    naming = telling_apart(rows)
    rows = [row | {"of_run": ", ".join(str(row[name]) for name in naming) or "all"} for row in rows]
    rows = counted_once(rows)
    first = rows[0]["of_run"]
    section.filters.append(Filter("of_run", "Confusion of", first))
    section.figures.append(
        Figure(
            id="sentiment-confusion",
            title="Confusion: gold labels by given labels",
            note=f"n = {sum(row['n_headlines'] for row in rows if row['of_run'] == first):,} items ({first}).",
            rows=rows,
            columns=[
                *(Column("of_run", "Run"), Column("gold_label", "Gold"), Column("predicted_label", "Given")),
                *(Column("n_headlines", "Items", 0), Column("is_baseline", "Baseline")),
            ],
            filters=("of_run",),
            is_secondary=True,
            chart=charts.confusion(rows, filters={"of_run": first}),
        )
    )
    return section


def counted_once(rows: list[Row]) -> list[Row]:
    """One row per run and pair of labels; pairs that never came up count 0."""
    sums: dict[tuple, Row] = {}
    for row in rows:
        for other in rows:
            labels = {"gold_label": row["gold_label"], "predicted_label": other["predicted_label"]}
            sums.setdefault((row["of_run"], *labels.values()), row | labels | {"n_headlines": 0})
    for row in rows:
        sums[row["of_run"], row["gold_label"], row["predicted_label"]]["n_headlines"] += row["n_headlines"]
    return list(sums.values())


def calibration(reader: Reader) -> Section | None:
    return scorecard(
        *(reader, "metrics.judge_calibration", "calibration", "Judges"),
        "How far the judge can be trusted: its verdicts against human labels or planted cases.",
        {"dimension": "what people judged", "label": "label", "bucket": "stated confidence"},
    )


def calls_in_words(rows: list[Row]) -> str:
    """Calls of these runs to language models; apart from them the answers of systems elsewhere, which report theirs."""
    made = [row for row in rows if row["source"] == "warehouse" and not row["is_baseline"]]
    reported = [row for row in rows if row["source"] == "external"]
    told = f"{counted(made, 'n_calls')} calls to language models, {counted(made, 'n_failed_calls')} of them failed"
    if reported:
        told += f"; {counted(reported, 'n_answers')} answers of systems elsewhere, with what these report"
    return f"{told}."


def counted(rows: list[Row], name: str) -> str:
    return f"{sum(row[name] or 0 for row in rows):,}"


def cost(reader: Reader) -> Section | None:
    if not reader.filled("metrics.answer_costs"):
        return None
    rows = reader.rows(
        "select *, concat_ws(', ', strategy, answer_model) as run from metrics.answer_costs order by cost_usd desc, run"
    )
    section = Section(
        id="cost",
        title="Cost",
        lead="What the answers took in dollars, tokens and seconds. The baseline calls nothing and costs nothing.",
        figures=[
            Figure(
                id="answer-costs",
                title="What answers cost",
                note=calls_in_words(rows),
                rows=rows,
                columns=[
                    *(Column("run", "Run"), Column("provider", "Provider"), Column("n_answers", "Answers", 0)),
                    *(Column("n_failed_calls", "Failed calls", 0), Column("cost_usd", "USD", 4)),
                    Column("cost_per_answer_usd", "USD per answer", 5),
                    *(Column("input_tokens", "Tokens in", 0), Column("output_tokens", "Tokens out", 0)),
                    *(Column("latency_seconds_p50", "Seconds, median", 2), Column("latency_seconds_p95", "p95", 2)),
                    *(Column("is_baseline", "Baseline"), Column("run_id", "Run id")),
                ],
            )
        ],
    )
    if reader.filled("answers.llm_calls"):
        calls = reader.rows(
            "select task, model_id, provider, status, count(*) as calls, sum(cost_usd) as cost_usd, "
            "sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, "
            "quantile_cont(latency_seconds, 0.5) as seconds "
            "from (select distinct on (call_key) * from answers.llm_calls) "
            "group by task, model_id, provider, status order by task, model_id, status"
        )
        section.figures.append(
            Figure(
                id="calls",
                is_secondary=True,
                title="Calls to language models, by task and status",
                note="answers.llm_calls, the ledger of everything sent.",
                rows=calls,
                columns=[
                    *(Column("task", "Task"), Column("model_id", "Model"), Column("provider", "Provider")),
                    *(Column("status", "Status"), Column("calls", "Calls", 0), Column("cost_usd", "USD", 4)),
                    *(Column("input_tokens", "Tokens in", 0), Column("output_tokens", "Tokens out", 0)),
                    Column("seconds", "Seconds, median", 2),
                ],
            )
        )
    return section
