"""Which of two runs is better, and is it sure? The sentences of metrics.verdicts, by suite."""

from __future__ import annotations

from dataclasses import dataclass

from finrag.report import side_by_side
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section

# Beyond these a suite's lines stand in the table alone.
LINES = 6
# Business questions first, as they are what a system is for.
ORDER = "suite desc nulls last, dataset, comparison_kind = 'regime', compared != 'runs', setting, candidate"
DECIDED = ("better", "worse")
TITLES = {"p3": "Business questions (suite p3)", "p1": "Neighbours of sentences (suite p1)"}
TITLES |= {"p2": "Neighbours of sentences of all sections (suite p2)"}


@dataclass(frozen=True)
class Line:
    """One comparison in words, with the values behind it, and where on the page its queries are."""

    sentence: str
    verdict: str
    is_lead: bool
    values: str
    queries: str


@dataclass(frozen=True)
class Group:
    """The lines of a suite, or of a data set."""

    title: str
    lines: list[Line]
    undecided: list[Line]
    more: int


def rows_of(reader: Reader) -> list[Row]:
    """All verdicts. Names are whole as they stand there."""
    if not reader.filled("metrics.verdicts"):
        return []
    return reader.rows(
        f"""
        select
            *, coalesce(suite, dataset, 'all') as of_suite,
            concat_ws(', ', reference, nullif(setting, '')) as against,
            metric || coalesce('@' || nullif(k, 0), '') as metric_name,
            candidate_run_id || ' / ' || reference_run_id as run_id,
        from metrics.verdicts order by {ORDER}
        """
    )


def groups(reader: Reader) -> list[Group]:
    """What the first screen says: the primary comparisons, or those with the reference that was chosen."""
    by_suite: dict[str, list[Line]] = {}
    links = side_by_side.links(reader)
    for row in rows_of(reader):
        if row["is_headline"]:
            line = line_of(row, links.get(row["verdict_id"], ""))
            by_suite.setdefault(row["of_suite"], []).append(line)
    return [
        Group(
            TITLES.get(suite, suite),
            decided[:LINES],
            [line for line in lines if line.verdict not in DECIDED][:LINES],
            max(0, len(decided) - LINES) + max(0, len(lines) - len(decided) - LINES),
        )
        for suite, lines in by_suite.items()
        for decided in [[line for line in lines if line.verdict in DECIDED]]
    ]


def nothing(reader: Reader) -> str:
    """Why the first screen has no line, where it has none: what was chosen is as the last build was asked for."""
    if not reader.filled("metrics.verdicts"):
        return "Nothing to compare: metrics.verdicts is not there or has no row."
    asked = []
    if reader.has("metrics.builds"):
        asked = reader.rows(
            "select coalesce(settings ->> 'compare_reference', variables ->> 'compare_reference') as reference "
            "from metrics.builds order by started_at desc limit 1"
        )
    if asked and asked[0]["reference"]:
        return f"No pair has the reference {asked[0]['reference']} (compare.reference). All pairs stand in Verdicts."
    return "No pair is a primary one (seeds.primary_endpoints). All pairs stand in Verdicts."


def line_of(row: Row, queries: str) -> Line:
    floors = [row["floor_value"], row["reference_floor_value"] if row["comparison_kind"] == "regime" else None]
    chance = " against ".join(f"{floor:.2f}" for floor in floors if floor is not None)
    floor = f", chance {chance}" if chance else ""
    where = f"{row['setting']}: " if row["setting"] else ""
    values = (
        f"{where}{row['metric_name']} {row['candidate_value']:.2f} against {row['reference_value']:.2f}{floor}; "
        f"n = {row['n']:,} in {row['n_clusters']:,} clusters"
    )
    is_lead = row["verdict"] in DECIDED and not row["is_sure"]
    return Line(row["sentence"], row["verdict"], is_lead, values, queries)


def verdicts(reader: Reader) -> Section | None:
    """Every pair, read both ways, so that all can be set against the one that is chosen."""
    rows = rows_of(reader)
    if not rows:
        return None
    return Section(
        id="verdicts",
        title="Verdicts",
        lead="Each pair of runs under the metric of a primary endpoint, read both ways. What chance scores on the same "
        'queries stands beside; "sure" is said of what was chosen before looking (seeds.primary_endpoints).',
        filters=[Filter("of_suite", "Suite"), Filter("against", "Against")],
        figures=[
            Figure(
                id="verdicts-all",
                title="Candidate against reference",
                note=f"metrics.verdicts, {len(rows):,} rows. Values are of the queries as drawn.",
                rows=rows,
                columns=[
                    *(Column("of_suite", "Suite"), Column("candidate", "Candidate"), Column("against", "Reference")),
                    *(Column("verdict", "Verdict"), Column("sentence", "In words"), Column("metric_name", "Metric")),
                    *(Column("candidate_value", "Value", 3), Column("reference_value", "Reference's", 3)),
                    *(Column("floor_value", "Chance", 3), Column("difference", "Difference", 3)),
                    *(Column("ci_low", "95 % from", 3), Column("ci_high", "to", 3)),
                    *(Column("p_adjusted", "Corrected p", 4), Column("n", "n", 0), Column("n_clusters", "Clusters", 0)),
                    *(Column("n_needed", "n that would show", 0), Column("n_clusters_needed", "from clusters", 0)),
                    Column("stated_difference", "this difference", 2),
                    Column("run_id", "Run ids"),
                ],
                filters=("of_suite", "against"),
            )
        ],
    )
