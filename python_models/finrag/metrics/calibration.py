"""Agreement of every judge with every human score, per data set: the rows of metrics.judge_calibration.

What is computed depends on what both sides give: Spearman and Kendall's tau-b for scores; Cohen's kappa for labels;
quadratically weighted kappa for ratings on a scale of whole numbers, where those of both sides are. Every value has an
interval, by the rules of finrag.metrics.estimates for what is no mean.

A judge that is held against people in many ways exceeds a threshold in one of them by chance, so that every value has a
second lower bound, simultaneous_low: all of a judge's pooled ones that are defined hold together in 97.5 % of cases
(Bonferroni). What is undefined exceeds nothing.

A judge that only tells systems apart agrees with people over all summaries and on no system's own. Where summaries are
of several systems there are three levels: pooled, system (each for itself), and within_systems: the correlations of the
ranks that each score has among its own system's, as shares of them, in which systems differ by nothing, and the kappa
of labels against what chance explains in each system.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from finrag.metrics.estimates import resampled_estimate
from finrag.metrics.registry import Metric
from finrag.statistics.agreement import kappa_with_interval, rank_correlations, telling_clusters
from finrag.statistics.bootstrap import seed_of
from finrag.statistics.clustered import balanced_clusters, student_t

if TYPE_CHECKING:
    import pyarrow

LEAST_STEPS, MOST_STEPS = 3, 20
"""Fewer whole numbers are a share of 0 or 1, whole numbers further apart counts or amounts: neither is a scale."""
AGREEMENT = Metric("agreement", 0, "", "correlation", 0, (), "every_run", False)
"""All statistics here lie between -1 and 1."""
KEY = ("dataset", "dimension", "judge", "compared_with", "level", "system")
COUNTS = ("n_total", "n_measured", "n_error", "n_clusters")
NUMBERS = ("value", "ci_low", "ci_high")


def calibrate(session, human, judged, summaries) -> pyarrow.Table:
    """Arrow table with KEY, statistic, NUMBERS, is_interval_reliable, COUNTS and simultaneous_low.

    Undefined values are null.

    human: relation with dataset, summary_id, document_id, dimension, score and label. judged: relation with summary_id,
    judge, compared_with, score, label and is_error. summaries: relation with summary_id and system. session: DuckDB
    connection of all.
    """
    import pyarrow

    found = list(calibration_rows(session, human, judged, summaries))
    judge, level, value = KEY.index("judge"), KEY.index("level"), len(KEY) + 1
    n_figures = Counter(row[judge] for row in found if row[level] == "pooled" and row[value] == row[value])
    rows = [(*row[:-1], simultaneous_low(*row[value : value + 2], row[-1], n_figures[row[judge]])) for row in found]
    kinds = dict.fromkeys((*KEY, "statistic"), pyarrow.string()) | dict.fromkeys(NUMBERS, pyarrow.float64())
    kinds |= {"is_interval_reliable": pyarrow.bool_()} | dict.fromkeys(COUNTS, pyarrow.int64())
    kinds |= {"simultaneous_low": pyarrow.float64()}
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(kinds)
    arrays = [
        pyarrow.array(column, kind, from_pandas=kind == pyarrow.float64())
        for column, (name, kind) in zip(columns, kinds.items(), strict=True)
    ]
    return pyarrow.table(arrays, names=list(kinds))


def calibration_rows(session, human, judged, summaries) -> Iterator[tuple]:
    """What calibrate gives, and how many clusters each value is known from in place of its simultaneous_low."""
    session.register("human_ratings", human)
    session.register("judge_ratings", judged)
    session.register("rated_summaries", summaries.project("summary_id, system"))
    paired = session.execute(
        """
        select
            human_ratings.dataset, dimension, judge, compared_with, document_id,
            human_ratings.score, human_ratings.label, judge_ratings.score, judge_ratings.label, is_error,
            coalesce(system, '')
        from human_ratings
        inner join judge_ratings on human_ratings.summary_id = judge_ratings.summary_id
        inner join rated_summaries on human_ratings.summary_id = rated_summaries.summary_id
        order by 1, 2, 3, 4, 5, judge_ratings.summary_id
        """
    ).fetchall()
    session.unregister("human_ratings")
    session.unregister("judge_ratings")
    session.unregister("rated_summaries")
    groups: dict[tuple, list[tuple]] = defaultdict(list)
    for row in paired:
        groups[row[:4]].append(row[4:])
    for key, rows in groups.items():
        for level, system, of_level in levels(with_shared_labels(rows)):
            n_error = sum(row[5] for row in of_level)
            measured = [row for row in of_level if not row[5]]
            for statistic, value, *sizes in agreement(measured, key, level == "within_systems"):
                n_measured, n_clusters, n_telling, _, balanced = sizes
                yield (
                    *(*key, level, system, statistic),
                    *with_interval(*value, *sizes),
                    *(len(of_level), n_measured, n_error, n_clusters, min(n_telling, balanced)),
                )


def with_shared_labels(rows: list[tuple]) -> list[tuple]:
    """The rows, without the judge's labels where none is one of people's (int_unshared_labels)."""
    people, judge = ({row[place] for row in rows if row[2] is not None and row[4] is not None} for place in (2, 4))
    return rows if people & judge else [(*row[:4], None, *row[5:]) for row in rows]


def levels(rows: list[tuple]) -> Iterator[tuple[str, str, list[tuple]]]:
    """Level, system (all but of level system) and rows: document_id, human score and label, judge score and label,
    is_error, system. Only pooled where fewer than two systems are named; what names none is of no other level."""
    yield "pooled", "all", rows
    by_system = defaultdict(list)
    for row in rows:
        if row[6]:
            by_system[row[6]].append(row)
    if len(by_system) < 2:
        return
    yield "within_systems", "all", [row for own in by_system.values() for row in within_system(own)]
    for system, own in sorted(by_system.items()):
        yield "system", system, own


def within_system(rows: list[tuple]) -> list[list]:
    """The rows with each score as its mean rank among them, as a share of them; no score and no label that is alone."""
    from scipy.stats import rankdata

    found = [list(row) for row in rows]
    rated, labelled = (
        [row for row in found if row[place] is not None and row[place + 2] is not None and not row[5]]
        for place in (1, 2)
    )
    for place in (1, 3):
        ranks = rankdata([row[place] for row in rated]).tolist()
        for row, rank in zip(rated, ranks, strict=True):
            row[place] = (rank - 0.5) / len(rated) if len(rated) > 1 else None
    if len(labelled) == 1:
        labelled[0][2] = None
    return found


def with_interval(
    value: float, low: float, high: float, n_measured: int, n_clusters: int, *known_from: float | None
) -> tuple[float, float, float, bool | None]:
    """value, the bounds that it is published with and whether they are reliable; see resampled_estimate.

    known_from: n_telling, n_rarer and balanced.

    Of an undefined value all are nan, and the last None.
    """
    if value != value:
        return value, value, value, None
    found = resampled_estimate(AGREEMENT, value, low, high, n_measured, n_clusters, *known_from)
    return value, found.ci_low, found.ci_high, found.is_interval_reliable


def simultaneous_low(value: float, low: float, n_telling: float, n_figures: int) -> float:
    """The lower bound of a value, as far from it as for n_figures lower bounds to hold together in 97.5 % of cases."""
    if not low > -1 or n_telling < 2:
        return low
    return max(-1.0, value - float(student_t(n_telling, n_figures) / student_t(n_telling)) * (value - low))


def agreement(rows: list, key: tuple, is_within_systems: bool = False) -> Iterator[tuple]:
    """statistic, (value, ci_low, ci_high), n_measured, n_clusters, n_telling, n_rarer (of labels, which are equal or
    not; else None) and balanced, for each that applies.

    rows: as of levels, those of within_systems if it is them.
    """
    import numpy as np

    seed = seed_of(*key[:2])
    scored = [(row[0], row[1], row[3], row[6]) for row in rows if row[1] is not None and row[3] is not None]
    if scored:
        clusters = places([row[0] for row in scored])
        systems = places([row[3] for row in scored]) if is_within_systems else None
        first, second = (np.array([row[place] for row in scored], float) for place in (1, 2))
        telling = telling_clusters(first, second, clusters, systems)
        sizes = (len(scored), len(set(clusters.tolist())), telling, None, worth(clusters))
        for statistic, value in rank_correlations(first, second, clusters, seed).items():
            yield statistic, value, *sizes
        if is_scale(first, second):
            least = min(first.min(), second.min())
            ranks = ((first - least).astype(int), (second - least).astype(int))
            value = kappa_with_interval(*ranks, clusters, seed, is_quadratic=True)
            yield "quadratic_kappa", value, *sizes
    labelled = [(row[0], row[2], row[4], row[6]) for row in rows if row[2] is not None and row[4] is not None]
    if labelled:
        clusters = places([row[0] for row in labelled])
        systems = places([row[3] for row in labelled]) if is_within_systems else None
        first, second = (places([row[place] for row in labelled], labelled) for place in (1, 2))
        value = kappa_with_interval(first, second, clusters, seed, strata=systems)
        n_telling = telling_clusters(first, second, clusters, systems)
        is_equal = first == second
        n_rarer = min(worth(clusters[chosen]) for chosen in (is_equal, ~is_equal))
        yield "cohen_kappa", value, len(labelled), len(set(clusters.tolist())), n_telling, n_rarer, worth(clusters)


def worth(clusters) -> float:
    """As many clusters of one size as would be worth these, an integer from 0 per item."""
    import numpy as np

    return float(balanced_clusters(np.bincount(clusters)))


def places(names: list[str], rows: list[tuple] | None = None):
    """Each name as its place among the names, or among the labels of both raters in rows."""
    import numpy as np

    known = sorted({*names} if rows is None else {label for row in rows for label in row[1:3]})
    number = {name: place for place, name in enumerate(known)}
    return np.array([number[name] for name in names], int)


def is_scale(first, second) -> bool:
    """Whether both are whole numbers of one short scale."""
    whole = (first == first.round()).all() and (second == second.round()).all()
    has_steps = min(len(set(first.tolist())), len(set(second.tolist()))) >= LEAST_STEPS
    return bool(whole and has_steps and max(first.max(), second.max()) - min(first.min(), second.min()) < MOST_STEPS)
