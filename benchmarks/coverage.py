"""Do the intervals hold the truth as often as they say, and do the tests keep their level? On simulated items.

Every case is 2,000 sets whose truth is known. The columns of one array are the sets, so the library's own functions
work on all of them at once. Yes-or-no items of a cluster share a probability that varies between clusters as a beta
distribution with the case's intraclass correlation (ICC); so do the wordings of a question. Weighted draws are as ours:
as many items of each company's rare and common kind, weighted by how many there are of each. Graded values are
1 / rank, 0 where nothing was found.

benchmarks/repeated_builds.py has the alerts that look at every build.

Writes docs/coverage.md. A case is flagged where finrag.statistics.reliability warns of most of its sets.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "python_models"))

from finrag.statistics.bootstrap import expanded, mean_intervals
from finrag.statistics.clustered import ClusterSums, cluster_sums, clustered_means, means_of_sums
from finrag.statistics.power import detectable_difference
from finrag.statistics.reliability import is_bootstrap_reliable, is_wilson_reliable
from finrag.statistics.sign_flip import sign_flip
from finrag.statistics.wilson import wilson_interval
from repeated_builds import lines_of, repeated_builds

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
SETS = 2000
RATES = (0.02, 0.1, 0.5, 0.9, 0.98)
ENOUGH, TOO_MUCH = 0.93, 0.97
RANKS = np.arange(1, 6)
PATTERNS = 2000
"""Of signs, instead of the 10,000 of a build: the level of a test is known as well over 2,000 sets."""


@dataclass(frozen=True)
class Result:
    """Shares of a case's sets."""

    table: str
    design: tuple[str, ...]
    rate: float
    covered: float
    flagged: float

    @property
    def is_under(self) -> bool:
        return self.covered < ENOUGH


def coverage(folder: Path) -> None:
    """Prints what lies outside 93–97 %, and writes all of it to docs/coverage.md."""
    began = time.perf_counter()
    results = [*grouped(), *wordings(), *graded(), *weighted(), *resampled()]
    tests = list(paired())
    series = list(repeated_builds(SETS))
    seconds = time.perf_counter() - began
    PAGE.write_text(page(results, tests, series, seconds), encoding="utf-8")
    under = [result for result in results if result.is_under]
    for one in (one for one in results if one.is_under or one.covered > TOO_MUCH):
        warned = f", flagged in {100 * one.flagged:.0f} %" if one.is_under else ""
        print(f"{one.table} {' '.join(one.design)}, share {one.rate:g}: {100 * one.covered:.1f} %{warned}")
    missed = len(unflagged(results))
    for *design, drop, _, _, last in series:
        print(f"{' '.join(map(str, design))}, drop {drop:g}: {100 * last:.1f} % of 20-build series alarm")
    print(f"{len(results)} cases, {len(under)} under 93 %, {missed} of them not flagged, {seconds:.0f} s")


def cluster_sizes(n: int, clusters: int, is_equal: bool) -> np.ndarray:
    """Items by cluster; unequal ones fall as rank ** -0.7, so that of 30 the largest holds about an eighth."""
    shares = np.ones(clusters) if is_equal else np.arange(1, clusters + 1) ** -0.7
    ends = np.cumsum(shares / shares.sum() * (n - clusters)).round().astype(int)
    return 1 + np.diff(ends, prepend=0)


def probabilities(generator, clusters: int, rate: float | np.ndarray, icc: float) -> np.ndarray:
    """Clusters × sets."""
    rate = np.broadcast_to(np.asarray(rate, float).reshape(-1, 1), (clusters, SETS))
    if icc == 0:
        return rate
    return generator.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc)


def draw(generator, sizes: np.ndarray, rate: float, icc: float) -> tuple[np.ndarray, np.ndarray]:
    """Clusters of the items, and items × sets of 0 and 1."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    chances = probabilities(generator, len(sizes), rate, icc)[clusters]
    return clusters, (generator.random(chances.shape) < chances).astype(float)


def result(table: str, design: tuple, rate: float, truth: float, values, clusters, weights=None) -> Result:
    found = clustered_means(values, clusters, weights)
    low, high = wilson_interval(found.mean, found.n_eff)
    covered = ((low <= truth) & (truth <= high)).mean()
    return Result(table, tuple(map(str, design)), rate, float(covered), float((~is_wilson_reliable(found)).mean()))


def grouped() -> Iterator[Result]:
    """Anchors of companies."""
    designs = itertools.product((60, 150, 300, 600), (6, 12, 20, 30, 60, 100, 300), (True, False), (0, 0.05, 0.2, 0.5))
    for number, (n, clusters, is_equal, icc) in enumerate(designs):
        if clusters > n or (clusters == n and (icc or not is_equal)):
            continue
        sizes = cluster_sizes(n, clusters, is_equal)
        for place, rate in enumerate(RATES):
            ids, values = draw(np.random.default_rng((1, number, place)), sizes, rate, icc)
            design = (n, clusters, "equal" if is_equal else "unequal", icc)
            yield result("grouped", design, rate, rate, values, ids)


def wordings() -> Iterator[Result]:
    """Questions with two or three wordings."""
    designs = itertools.product((30, 53, 82, 103, 200, 300), (2, 3), (0.5, 0.7, 0.8, 0.95))
    for number, (questions, each, correlation) in enumerate(designs):
        sizes = np.full(questions, each)
        for place, rate in enumerate(RATES):
            ids, values = draw(np.random.default_rng((2, number, place)), sizes, rate, correlation)
            yield result("wordings", (questions, each, correlation), rate, rate, values, ids)


def graded() -> Iterator[Result]:
    """Means of values between 0 and 1 that are not yes or no."""
    designs = itertools.product((150, 600), (12, 30, 100), (0, 0.2, 0.5))
    for number, (n, clusters, icc) in enumerate(designs):
        for place, rate in enumerate(RATES):
            generator = np.random.default_rng((3, number, place))
            ids, found = draw(generator, cluster_sizes(n, clusters, True), rate, icc)
            values = found / generator.integers(RANKS[0], RANKS[-1] + 1, found.shape)
            yield result("graded", (n, clusters, icc), rate, rate * (1 / RANKS).mean(), values, ids)


def weighted() -> Iterator[Result]:
    """A balanced draw of companies' rare and common sentences; these are found less often and nine times as many."""
    designs = itertools.product((300, 600), (12, 19, 30, 60), (0, 0.05, 0.2))
    for number, (n, companies, icc) in enumerate(designs):
        for place, rate in enumerate(RATES):
            generator = np.random.default_rng((4, number, place))
            each = n // companies // 2
            sizes = np.full(companies, 2 * each)
            is_common = np.tile(np.repeat([True, False], each), companies)
            # companies differ in size by a factor of up to four
            weights = np.where(is_common, 9.0, 1.0) * np.repeat(np.linspace(1, 4, companies), 2 * each)
            chances = probabilities(generator, companies, rate, icc)[np.repeat(np.arange(companies), sizes)]
            chances = np.where(is_common[:, None], chances * 0.8, chances)
            values = (generator.random(chances.shape) < chances).astype(float)
            truth = float(weights @ (rate * np.where(is_common, 0.8, 1.0)) / weights.sum())
            ids = np.repeat(np.arange(companies), sizes)
            yield result("weighted", (n, companies, icc), rate, truth, values, ids, weights)


def resampled() -> Iterator[Result]:
    """Bootstrap over clusters of five values; rate is 0, there is none."""
    for number, (clusters, kind) in enumerate(itertools.product((6, 12, 20, 30, 60, 100), ("even", "skewed"))):
        generator = np.random.default_rng((5, number))
        values = 0.6 * generator.normal(size=(clusters, 1, SETS)) + 0.8 * generator.normal(size=(clusters, 5, SETS))
        values, truth = (values, 0.0) if kind == "even" else (np.exp(values), float(np.exp(0.5)))
        low, high = mean_intervals(values.sum(1), np.full((clusters, SETS), 5.0), seed=number)
        anywhere = (-np.inf, np.inf)
        bounds = (expanded(*ends, clusters, anywhere) for ends in zip(values.mean((0, 1)), low, high, strict=True))
        covered = np.mean([lower <= truth <= upper for lower, upper in bounds])
        flagged = float(not is_bootstrap_reliable(clusters, is_skewed=kind == "skewed"))
        yield Result("bootstrap", (str(clusters), kind), 0.0, float(covered), flagged)


def paired() -> Iterator[tuple]:
    """Pairs, clusters, ICC, rate, sets with p <= 0.05 where there is no difference, the MDE, and those found at it."""
    designs = itertools.product((60, 164, 600), (7, 12, 30, 82, 300), (0, 0.2, 0.8), (0.1, 0.5))
    for number, (n, clusters, icc, rate) in enumerate(designs):
        if clusters * 2 > n:
            continue
        effect, level, share = 0.0, 0.0, None
        # no difference; then the one that the sets before call detectable, until it is what its own sets call so
        for turn in range(4):
            if rate + effect > 0.95:
                share = None
                break
            sums = paired_sums(np.random.default_rng((6, number, turn)), n, clusters, icc, rate, effect)
            found = means_of_sums(sums)
            p_values = sign_flip(sums.sums, sums.counts, seed=turn, patterns=PATTERNS)
            share = float((p_values <= 0.05).mean())
            if turn == 0:
                level = share
            if turn < 3:
                detectable = detectable_difference(found.standard_error, found.n_clusters)
                effect = float(np.nanmedian(detectable))
        if share is not None:
            yield n, clusters, icc, rate, level, effect, share


def paired_sums(generator, n: int, clusters: int, icc: float, rate: float, effect: float) -> ClusterSums:
    """Two runs on the same items; what a cluster has in common is drawn anew for each, as where one question fails."""
    sizes = cluster_sizes(n, clusters, True)
    (ids, first), (_, second) = draw(generator, sizes, rate, icc), draw(generator, sizes, rate + effect, icc)
    return cluster_sums(second - first, ids)


def unflagged(results: list[Result]) -> list[Result]:
    return [one for one in results if one.is_under and one.flagged < 0.5]


COLUMNS = {
    "grouped": ("n", "clusters", "sizes", "ICC"),
    "wordings": ("questions", "wordings", "correlation"),
    "graded": ("n", "clusters", "ICC"),
    "weighted": ("n", "companies", "ICC"),
    "bootstrap": ("clusters", "values"),
}
TITLES = {
    "grouped": "Anchors of companies: shares of n items in clusters",
    "wordings": "Questions with several wordings",
    "graded": "Values between 0 and 1: 1 / rank of the first five, 0 where nothing was found",
    "weighted": "The corpus from a balanced draw: weighted shares",
    "bootstrap": "What has no range of 0 to 1: bootstrap over clusters of five, widened",
}


def page(results: list[Result], tests: list[tuple], series: list[tuple], seconds: float) -> str:
    """docs/coverage.md."""
    lines = [
        "# How often the intervals hold the truth",
        "",
        f"Written by `make bench BENCH=coverage` (benchmarks/coverage.py): {SETS:,} simulated sets of items per case,",
        "their truth known, through the functions that the warehouse uses.",
        f"{len(results):,} cases, {len(tests)} of paired tests and {len(series)} of repeated builds in {seconds:.0f} s",
        f"on {os.cpu_count()} cores.",
        f"A share of {SETS:,} sets is itself known to about one point.",
        "",
        "A figure is the percentage of sets whose 95 % interval holds the truth. **Bold** is under 93, with the",
        "percentage of sets in brackets of which `metrics.metric_values.is_interval_reliable` is false; *italic* is",
        "over 97, an interval wider than needed. The rule behind the flag is `finrag.statistics.reliability`; it looks",
        "at the data of a set alone, so it also warns of many sets whose intervals are good.",
        "",
        "| Cases | all | 93 to 97 | over 97 | under 93 | of them flagged | lowest not flagged | flagged without need |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for table in COLUMNS:
        mine = [one for one in results if one.table == table]
        under, over = [one for one in mine if one.is_under], [one for one in mine if one.covered > TOO_MUCH]
        missed = unflagged(mine)
        lowest = f"{min(100 * one.covered for one in missed):.1f}" if missed else "–"
        needless = sum(not one.is_under and one.flagged >= 0.5 for one in mine)
        counts = (len(mine), len(mine) - len(under) - len(over), len(over), len(under), len(under) - len(missed))
        lines.append(f"| {table} | " + " | ".join(map(str, (*counts, lowest, needless))) + " |")
    for table, names in COLUMNS.items():
        mine = [one for one in results if one.table == table]
        rates = sorted({one.rate for one in mine})
        heads = [f"share {rate:g}" for rate in rates] if len(rates) > 1 else ["covered"]
        lines += ["", f"## {TITLES[table]}", "", f"| {' | '.join((*names, *heads))} |"]
        lines.append("|" + "---:|" * (len(names) + len(heads)))
        for design, of_design in itertools.groupby(mine, key=lambda one: one.design):
            lines.append(f"| {' | '.join((*design, *map(cell, of_design)))} |")
    return "\n".join([*lines, *test_lines(tests), *lines_of(series)]) + "\n"


def cell(one: Result) -> str:
    text = f"{100 * one.covered:.1f}"
    if one.is_under:
        return f"**{text}** ({100 * one.flagged:.0f})"
    return f"*{text}*" if one.covered > TOO_MUCH else text


def test_lines(tests: list[tuple]) -> list[str]:
    lines = [
        "",
        "## Paired tests: signs of clusters' sums are flipped",
        "",
        "Two runs on the same items; each finds a cluster's items with a probability of its own. Level: percentage of",
        "sets with p ≤ 0.05 where there is no difference, at most 5 but for chance (up to 6). MDE: the difference that",
        "the sets themselves call detectable (median). Power: percentage of sets with p ≤ 0.05 where it is the",
        "true one; 80 is meant. With 7 clusters only 1, 2 and 3 of 64 are below 0.05: the test finds less than t.",
        "Differences that would not fit into the rate are left out.",
        "",
        "| pairs | clusters | ICC | rate | level | MDE | power |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for *design, level, effect, power in tests:
        figures = (*map(str, design), f"{100 * level:.1f}", f"{effect:.3f}", f"{100 * power:.1f}")
        lines.append(f"| {' | '.join(figures)} |")
    return lines
