"""The primary endpoints from build to build, beside what was frozen."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.data import Column, Figure, Filter, Reader, Section

# Older ones stand in metrics.build_values.
SHOWN = 30
VALUES = """
    with

    builds as (
        select *, strftime(finished_at, '%Y-%m-%d %H:%M:%S') as finished
        from metrics.builds
        where finished_at is not null
        order by finished_at desc
        limit ?
    )

    select
        builds.finished, builds.build_id[:8] as build, builds.version, builds.git_commit,
        if(builds.n_failed > 0, builds.n_failed || ' failed', 'succeeded') as ended,
        concat_ws(
            ', ', coalesce(nullif(of.suite, 'none'), of.dataset), of.metric || coalesce('@' || nullif(of.k, 0), '')
        ) as endpoint,
        concat_ws(
            ' ', coalesce(nullif(of.strategy, 'none'), nullif(of.system, of.model_id)),
            nullif(of.embedding_model, 'none'), nullif(of.model_id, 'none')
        ) as system_name,
        coalesce(nullif(of.regime, 'none'), nullif(of.judge_model, 'none'), 'all') as setting,
        of.value, of.ci_low, of.ci_high, of.n, of.run_id,
    from metrics.build_values as of
    inner join builds on of.build_id = builds.build_id
    where of.value is not null and of.strategy is distinct from 'random'
    order by of.suite != 'p3', of.metric != 'hit', endpoint, builds.finished_at, system_name, setting
"""
# What later figures are held against, whenever it was frozen, so it comes first.
FROZEN = """
    select distinct
        'baseline ' || baseline_id as finished, null as build, null as version, null as git_commit, 'frozen' as ended,
        suite || ', ' || metric || '@' || k as endpoint,
        concat_ws(' ', strategy, nullif(baseline_model, 'none')) as system_name,
        regime as setting, baseline_value as value, null as ci_low, null as ci_high, n, baseline_id as run_id,
    from metrics.alerts
    where stratum_by = 'overall' and metric = 'hit' and baseline_value is not null
"""


def over_builds(reader: Reader) -> Section | None:
    """A line for each system, a point for each build; with one build, a point."""
    if not reader.filled("metrics.builds") or not reader.filled("metrics.build_values"):
        return None
    rows = reader.rows(VALUES, [SHOWN])
    if not rows:
        return None
    chosen = {"endpoint": str(rows[0]["endpoint"])}
    endpoints = {row["endpoint"] for row in rows}
    frozen = reader.rows(FROZEN) if reader.filled("metrics.alerts") else []
    rows = [*(row for row in frozen if row["endpoint"] in endpoints), *rows]
    told = {"system_name": "system", "setting": "in", "finished": "built", "git_commit": "commit", "value": "value"}
    told |= {"ci_low": "95 % from", "ci_high": "to", "n": "n", "run_id": "run id"}
    n_builds = len({row["build"] for row in rows} - {None})
    baseline = ", and the frozen baseline" if any(row["build"] is None for row in rows) else ""
    return Section(
        id="builds",
        title="Builds",
        lead="What the verdicts are about, from build to build. A run that a build took over unchanged has the same "
        "value. Two builds in words: finrag compare build:last-1 build:last.",
        filters=[Filter("endpoint", "Endpoint", chosen["endpoint"])],
        figures=[
            Figure(
                id="over-builds",
                title="Primary endpoints over builds",
                note=f"The last {n_builds} builds that ended{baseline}; metrics.build_values has all.",
                rows=rows,
                columns=[
                    *(Column("finished", "Built (UTC)"), Column("build", "Build"), Column("git_commit", "Commit")),
                    *(Column("ended", "It ended"), Column("endpoint", "Endpoint"), Column("system_name", "System")),
                    *(Column("setting", "In"), Column("value", "Value", 3), Column("ci_low", "95 % from", 3)),
                    *(Column("ci_high", "to", 3), Column("n", "n", 0), Column("run_id", "Run id")),
                ],
                filters=("endpoint",),
                is_secondary=True,
                chart=charts.course(
                    rows, time="finished", shape="setting", told=told, filters=chosen, title="the endpoint chosen"
                ),
            )
        ],
    )
