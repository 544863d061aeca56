"""The parts of the report that set runs beside each other: paired differences."""

from __future__ import annotations

from finrag.report import charts
from finrag.report.data import Column, Figure, Filter, Reader, Row, Section
from finrag.report.measured import METRIC, defaults, n_range

HOW_TO_READ = (
    "Primary comparisons were chosen before looking (seeds.primary_endpoints), and their p is corrected for all of "
    "them in the build; the others are exploratory, corrected within their family, and a lead at most, as is a primary "
    "one that differs in too few clusters to be sure. Intervals are of one comparison alone: one can be clear of the "
    "dashed line where the corrected p is not small, and the verdict says why."
)
# One row's p in words, for colours.
STANDING = """
    case
        when is_significant and is_primary and coalesce(is_interval_reliable, true) then 'shown, primary'
        when is_significant then 'shown, a lead'
        when is_primary then 'not shown, primary'
        else 'not shown, exploratory'
    end
"""


def strategies(reader: Reader) -> Section | None:
    rows = differences(reader, "strategy")
    if not rows:
        return None
    section = Section(
        id="strategies",
        title="Strategies",
        lead=f"Differences between strategies on the same queries, the first named less the second. {HOW_TO_READ}",
        filters=[Filter("suite", "Suite", "p2"), METRIC],
    )
    section.figures = [difference_figure("strategy", "Paired differences", rows, section, on_queries(rows))]
    return section


def differences(reader: Reader, kind: str) -> list[Row]:
    if not reader.filled("metrics.run_comparisons"):
        return []
    rows = reader.rows(
        f"""
        with decided as (
            select distinct suite, gold_window, variant from metrics.bi_headline where task = 'retrieval'
        )
        select
            suite, gold_predicate, metric || coalesce('@' || nullif(k, 0), '') as metric_name,
            label_a, label_b, value_a, value_b, difference, ci_low, ci_high, n_pairs, p_adjusted, adjustment,
            run_id_a || ' / ' || run_id_b as run_id, {STANDING} as standing, verdict,
            false as is_baseline,
        from metrics.run_comparisons
        inner join decided using (suite, gold_window)
        where
            stratum_by = 'overall' and comparison_kind = ? and difference is not null
            and metric || coalesce('@' || nullif(k, 0), '') in ('hit@5', 'mrr@30', 'ndcg@10', 'recall@30')
            and label_a || label_b not like '%random%'
            and (comparison_kind = 'regime' or gold_predicate = variant)
        order by suite, gold_predicate, metric_name, label_b, label_a
        """,
        [kind],
    )
    return [row | {"pair": pair_label(row, kind)} for row in rows]


def summarisers(reader: Reader) -> Section | None:
    lead = (
        "Summarisers on the same sources, each less the one that it is set against: shares of all claims or questions "
        f"of the sources, which are what is paired. {HOW_TO_READ}"
    )
    return systems(reader, "task != 'sentiment'", "summarisers", "Summarisers compared", lead, "sources")


def labellers(reader: Reader) -> Section | None:
    lead = f"Sentiment labels of the same headlines, each system less the one that it is set against. {HOW_TO_READ}"
    return systems(reader, "task = 'sentiment'", "labellers", "Sentiment labels compared", lead, "headlines")


def systems(reader: Reader, condition: str, id_: str, title: str, lead: str, noun: str) -> Section | None:
    """Each pair of systems both ways, so that all can be set against the one that is chosen."""
    if not reader.filled("metrics.system_comparisons"):
        return None
    rows = reader.rows(
        f"""
        with chosen as (
            select * from metrics.system_comparisons
            where stratum_by = 'overall' and difference is not null and {condition}
        ),
        both_ways as (
            select *, system_b as system, system_a as against, run_id_a || ' / ' || run_id_b as run_id from chosen
            union all
            select
                * replace (
                    value_b as value_a, value_a as value_b, -difference as difference, -ci_high as ci_low,
                    -ci_low as ci_high,
                    case
                        when starts_with(verdict, 'better') then 'worse' || verdict[7:]
                        when starts_with(verdict, 'worse') then 'better' || verdict[6:]
                        else verdict
                    end as verdict
                ),
                system_a as system, system_b as against, run_id_b || ' / ' || run_id_a as run_id,
            from chosen
        )
        select
            dataset || ': ' || against as against, system || ' − ' || against as pair,
            concat_ws(
                ', ', metric, if(task = 'sentiment', 'read by ' || gold_predicate, 'judged by ' || judge_model),
                nullif(judge_calibration, 'no_judge')
            ) as metric_name,
            gold_predicate, value_a, value_b, difference, ci_low, ci_high, n_pairs, p_adjusted, adjustment, run_id,
            {STANDING} as standing, verdict, false as is_baseline,
        from both_ways
        order by metric != 'faithfulness', metric_name, against, pair
        """
    )
    if not rows:
        return None
    names = {"metric_name": "Metric", "against": "Against"}
    section = Section(
        id=id_,
        title=title,
        lead=lead,
        filters=[Filter(name, label, str(rows[0][name])) for name, label in names.items()],
    )
    note = f"Paired on the same {noun}; {n_range(rows, 'n_pairs')} pairs each."
    section.figures = [difference_figure(id_, "Paired differences", rows, section, note)]
    return section


def pair_label(row: Row, kind: str) -> str:
    """Both systems with their models; what both runs share is said once."""
    first, second = (str(row[name]) for name in ("label_a", "label_b"))
    if kind == "regime":
        return f"{row['suite']}: {second.split(' ', 1)[-1]}"
    regime = first.split(" ", 1)[0]
    if regime == second.split(" ", 1)[0]:
        return f"{regime}: {second.split(' ', 1)[-1]} − {first.split(' ', 1)[-1]}"
    return f"{second} − {first}"


def on_queries(rows: list[Row]) -> str:
    return (
        f"Paired on the same queries; {n_range(rows, 'n_pairs')} pairs each; positional gold (P3: the evidence) unless "
        "chosen otherwise. Strategy random is left out."
    )


def difference_figure(id_: str, title: str, rows: list[Row], section: Section, note: str) -> Figure:
    """Rows have the pair as `b − a` and the columns of metrics.run_comparisons."""
    chosen = {name: value for name, value in defaults(section).items() if name in rows[0]}
    told = {"pair": "difference of", "difference": "difference", "ci_low": "95 % from", "ci_high": "to"}
    told |= {"n_pairs": "pairs", "p_adjusted": "corrected p", "standing": "standing", "verdict": "verdict"}
    told |= {"run_id": "run ids"}
    return Figure(
        id=f"differences-{id_}",
        title=title,
        note=note,
        rows=rows,
        columns=[
            *(Column("pair", "Difference of"), Column("metric_name", "Metric"), Column("gold_predicate", "Gold")),
            *(Column("value_b", "First", 3), Column("value_a", "Second", 3), Column("difference", "Difference", 3)),
            *(Column("ci_low", "95 % from", 3), Column("ci_high", "to", 3), Column("n_pairs", "Pairs", 0)),
            *(
                Column("p_adjusted", "Corrected p", 4),
                Column("adjustment", "Correction"),
                Column("standing", "Standing"),
            ),
            *(Column("verdict", "Verdict"), Column("run_id", "Run ids")),
        ],
        filters=tuple(chosen),
        is_secondary=True,
        chart=charts.dots(
            rows,
            group="pair",
            group_title="difference of",
            colour="standing",
            axis_title="difference",
            told=told,
            filters=chosen,
            description=title,
            value="difference",
            zero_line=True,
        ),
    )
