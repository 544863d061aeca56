"""Do the intervals hold the truth as often as they say, and do the tests keep their level? On simulated items.

Every case is 2,000 sets whose truth is known. The columns of one array are the sets, so the library's own functions
work on all of them at once. Yes-or-no items of a cluster share a probability that varies between clusters as a beta
distribution with the case's intraclass correlation (ICC); so do the wordings of a question. Weighted draws are as ours:
as many items of each company's rare and common kind, weighted by how many there are of each. Graded values are
1 / rank, 0 where nothing was found. Anchors with companies and repeated texts depend both ways: a latent normal value
is the sum of a company's part, a text's and the item's own, and an item is found where it is below the rate's
percentile.

benchmarks/repeated_builds.py has the alerts that look at every build, benchmarks/labelled_sets.py what is made of
counts of labels.

Writes docs/coverage.md. A case is flagged where finrag.statistics.reliability warns of most of its sets.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.special import ndtri, stdtrit
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).parents[1] / "python_models"))

import labelled_sets
from finrag.metrics.calibration import with_interval
from finrag.metrics.registry import Metric
from finrag.metrics.rollup import percentile_estimates
from finrag.statistics.agreement import rank_correlations, telling_clusters
from finrag.statistics.bootstrap import expanded, mean_intervals
from finrag.statistics.clustered import ClusteredMeans, cluster_sums, cluster_ways, clustered_means
from finrag.statistics.difference import difference_interval
from finrag.statistics.power import detectable_change, detectable_fall, detectable_mean_difference
from finrag.statistics.reliability import (
    is_bootstrap_reliable,
    is_difference_reliable,
    is_too_rare,
    is_wilson_reliable,
)
from finrag.statistics.sign_flip import sign_flip, sign_flip_of_ways
from finrag.statistics.wilson import wilson_interval
from finrag.threads import one_blas_thread
from repeated_builds import families, incidents, lines_of, repeated_builds, unlike_builds

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
SETS = 2000
RATES = (0.02, 0.1, 0.5, 0.9, 0.98)
ENOUGH, TOO_MUCH = 0.93, 0.97
MOST_REJECTED = 0.06
"""5 % but for chance."""
AGAIN = 10
"""Times as many sets for a case that is under and not flagged: its share is then known to 0.2 points."""
TURNS = 7
"""Until the difference is the one that its own sets call detectable."""
ENOUGH_POWER = 0.77
"""80 % but for chance and for the turns."""
RANKS = np.arange(1, 6)
# n, companies, texts that repeat, share of items that have one, parts of the variance of companies and of texts
CROSSED = (
    (300, 12, 20, 0.7, 0.1, 0.1), (300, 12, 100, 0.7, 0.1, 0.3), (300, 30, 20, 1.0, 0.2, 0.2),
    (300, 30, 40, 0.7, 0.1, 0.1), (600, 12, 30, 0.5, 0.1, 0.2), (600, 30, 30, 0.5, 0.0, 0.0),
    (600, 30, 30, 0.5, 0.1, 0.0), (600, 30, 30, 0.5, 0.0, 0.1), (600, 30, 30, 0.5, 0.1, 0.2),
    (600, 60, 30, 0.5, 0.1, 0.1), (600, 60, 60, 1.0, 0.2, 0.2), (600, 100, 100, 1.0, 0.1, 0.3),
    (400, 6, 60, 0.3, 0.1, 0.3), (400, 8, 60, 0.3, 0.1, 0.3),
)  # fmt: skip
# share and ICC of one run, and of the other
UNLIKE = (
    (0.02, 0.1, 0.02, 0.8), (0.05, 0.01, 0.05, 0.3), (0.1, 0.05, 0.1, 0.5), (0.5, 0.05, 0.5, 0.5),
    (0.9, 0.05, 0.7, 0.3),
)  # fmt: skip
RATED_SETS = 500
PERCENTILE_SETS = 1000
PERCENTILES = [
    Metric(f"p{100 * share:g}", 0, "distances", "percentile", share, ("all",), "every_run", False)
    for share in (0.1, 0.5, 0.9)
]
MOST_FREQUENT = (0.2, 0.8, 0.9)
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
    covered_by_own_variance: float = 0.0

    @property
    def is_under(self) -> bool:
        return self.covered < ENOUGH


def coverage(folder: Path) -> None:
    """Prints what lies outside 93–97 %, and writes all of it to docs/coverage.md."""
    began = time.perf_counter()
    results = [*grouped(), *pooled(), *crossed(), *wordings(), *graded(), *weighted(), *resampled()]
    results += [*percentiles(), *agreements(), *labels()]
    tests, unlike, changes = list(paired()), list(unlike_pairs()), list(unpaired())
    of_pairs = (tests, list(crossed_pairs()), unlike)
    series, mended = list(repeated_builds(SETS)), list(incidents(SETS))
    alerts = (series, mended, list(unlike_builds(SETS, UNLIKE)), list(families(SETS)))
    seconds = time.perf_counter() - began
    PAGE.write_text(page(results, of_pairs, changes, alerts, seconds), encoding="utf-8")
    under = [result for result in results if result.is_under]
    for one in (one for one in results if one.is_under or one.covered > TOO_MUCH):
        warned = f", flagged in {100 * one.flagged:.0f} %" if one.is_under else ""
        print(f"{one.table} {' '.join(one.design)}, share {one.rate:g}: {100 * one.covered:.1f} %{warned}")
    missed = len(unflagged(results))
    for *design, drop, _, _, last in series:
        print(f"{' '.join(map(str, design))}, drop {drop:g}: {100 * last:.1f} % of 20-build series alarm")
    for *design, _, _, _, later in mended:
        print(f"{' '.join(map(str, design))}, an incident that was mended: {100 * later:.1f} % alarm again")
    for *design, covered, level, flagged, unwarned in unlike:
        if covered < ENOUGH or level > MOST_REJECTED:
            told = f"{100 * covered:.1f} % covered, {100 * level:.1f} % rejected, {100 * unwarned:.1f} % not flagged"
            print(f"unlike {' '.join(map(str, design))}: {told}; flagged {100 * flagged:.0f} %")
    for names, weak in (
        ("paired", too_weak(tests, 7)),
        ("values", too_weak(changes, 6)),
        ("below", too_weak(changes, 8)),
    ):
        print(f"power at the MDE under {100 * ENOUGH_POWER:.0f} %, {names}: {len(weak)} cases {weak}")
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


def result(table: str, design: tuple, rate: float, seed: tuple[int, ...], simulate: Callable) -> Result:
    """simulate: from a generator to truth, values (items × sets), ways to cluster them and weights or None.

    A case that is under by chance or not flagged by chance is simulated on ten times as many sets, which then count.
    """
    found = shares(*simulate(np.random.default_rng(seed)))
    if found[0] < ENOUGH and found[1] < 0.5:
        again = [shares(*simulate(np.random.default_rng((*seed, turn)))) for turn in range(1, AGAIN + 1)]
        found = np.mean(again, axis=0)
    return Result(table, tuple(map(str, design)), rate, *map(float, found))


def shares(
    truth: float, values: np.ndarray, ways: tuple[np.ndarray, ...], weights: np.ndarray | None = None
) -> np.ndarray:
    """Of the sets: covered, flagged, and covered were the values' own variance to count."""
    found = cluster_ways(values, ways, weights).means
    covered = is_within(truth, found.mean, found.n_eff)
    own = is_within(truth, found.mean, found.n_eff * own_variance(found))
    return np.array([covered.mean(), (~is_wilson_reliable(found)).mean(), own.mean()])


def is_within(truth: float, mean: np.ndarray, n_eff: np.ndarray) -> np.ndarray:
    low, high = wilson_interval(mean, n_eff)
    return (low <= truth) & (truth <= high)


def own_variance(found: ClusteredMeans) -> np.ndarray:
    """p (1 - p) / variance of the items: 1 for yes and no, more for values between, which Wilson's interval ignores."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = found.mean * (1 - found.mean) / (found.naive_variance * (found.n - 1))
    return np.where(np.isnan(found.deff), 1.0, ratio)


def grouped() -> Iterator[Result]:
    """Anchors of companies."""
    designs = itertools.product((60, 150, 300, 600), (6, 12, 20, 30, 60, 100, 300), (True, False), (0, 0.05, 0.2, 0.5))
    for number, (n, clusters, is_equal, icc) in enumerate(designs):
        if clusters > n or (clusters == n and (icc or not is_equal)):
            continue
        sizes = cluster_sizes(n, clusters, is_equal)
        for place, rate in enumerate(RATES):
            design = (n, clusters, "equal" if is_equal else "unequal", icc)
            yield result("grouped", design, rate, (1, number, place), partial(drawn_at, sizes, rate, icc))


def pooled() -> Iterator[Result]:
    """Claims of sources, eight on average, whose numbers vary as a log-normal."""
    designs = itertools.product((30, 60, 120), (0.5, 0.8, 1.2), (0, 0.1, 0.3))
    for number, (sources, spread, icc) in enumerate(designs):
        claims = np.exp(spread * np.random.default_rng((13, number)).normal(size=sources))
        sizes = np.maximum(1, np.round(8 * claims / claims.mean())).astype(int)
        for place, rate in enumerate(RATES):
            simulate = partial(drawn_at, sizes, rate, icc)
            yield result("pooled", (sources, spread, icc), rate, (13, number, place), simulate)


def drawn_at(sizes: np.ndarray, rate: float, icc: float, generator) -> tuple:
    ids, values = draw(generator, sizes, rate, icc)
    return rate, values, (ids,)


def crossed() -> Iterator[Result]:
    """Anchors of companies, of which some share a text with anchors of other companies."""
    for number, design in enumerate(CROSSED):
        for place, rate in enumerate(RATES):
            yield result("crossed", design, rate, (8, number, place), partial(crossed_at, *design, rate))


def crossed_at(n: int, companies: int, texts: int, repeated: float, own: float, shared: float, rate: float, generator):
    ways, latent = crossed_draw(generator, n, companies, texts, repeated, own, shared)
    return rate, (latent < ndtri(rate)).astype(float), ways


def crossed_draw(
    generator, n: int, companies: int, texts: int, repeated: float, own: float, shared: float
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Companies and texts of n items, and latent values, items × sets; repeated: share of items with a text of many.

    own, shared: parts of the variance that companies and texts have.
    """
    company, text = generator.integers(0, companies, n), generator.integers(0, texts, n)
    text = np.where(generator.random(n) < repeated, text, texts + np.arange(n))
    parts = ((own, companies, company), (shared, texts + n, text), (1 - own - shared, n, np.arange(n)))
    return (company, text), sum(
        part**0.5 * generator.standard_normal((count, SETS), dtype=np.float32)[ids] for part, count, ids in parts
    )


def crossed_pairs() -> Iterator[tuple]:
    """A design; sets with p <= 0.05 where there is no difference, as tested and by the larger way alone; so covered."""
    for number, design in enumerate(CROSSED):
        generator = np.random.default_rng((9, number))
        ways, latent = crossed_draw(generator, *design)
        differences = (latent > 1).astype(float) - (latent < -1)
        clustering = cluster_ways(differences, ways)
        tested, sums = sign_flip_of_ways(clustering, seed=number), clustering.sums
        alone = sign_flip(sums.sums, sums.counts, seed=number)
        halves = cluster_ways((latent < 0).astype(float), ways).means
        covered = (is_within(0.5, halves.mean, n_eff) for n_eff in (halves.n_eff, halves.n_eff * halves.crossing))
        yield *design, *(float(each.mean()) for each in (tested <= 0.05, alone <= 0.05, *covered))


def wordings() -> Iterator[Result]:
    """Questions with two or three wordings."""
    designs = itertools.product((30, 53, 82, 103, 200, 300), (2, 3), (0.5, 0.7, 0.8, 0.95))
    for number, (questions, each, correlation) in enumerate(designs):
        sizes = np.full(questions, each)
        for place, rate in enumerate(RATES):
            simulate = partial(drawn_at, sizes, rate, correlation)
            yield result("wordings", (questions, each, correlation), rate, (2, number, place), simulate)


def graded() -> Iterator[Result]:
    """Means of values between 0 and 1 that are not yes or no: some mostly at the ends, some nowhere near them."""
    designs = itertools.product(("1 / rank", "overlap"), (150, 600), (12, 30, 100), (0, 0.2, 0.5))
    for number, (kind, n, clusters, icc) in enumerate(designs):
        for place, rate in enumerate(RATES):
            sizes = cluster_sizes(n, clusters, True)
            simulate = partial(ranks_at if kind == "1 / rank" else overlaps_at, sizes, rate, icc)
            yield result("graded", (kind, n, clusters, icc), rate, (3, number, place), simulate)


def ranks_at(sizes: np.ndarray, rate: float, icc: float, generator) -> tuple:
    """1 / rank among the first five, 0 where nothing was found."""
    ids, found = draw(generator, sizes, rate, icc)
    return rate * (1 / RANKS).mean(), found / generator.integers(RANKS[0], RANKS[-1] + 1, found.shape), (ids,)


def overlaps_at(sizes: np.ndarray, rate: float, icc: float, generator) -> tuple:
    """Such as ROUGE-L: each item a share of its own around its cluster's, which vary a third as much as yes and no."""
    ids = np.repeat(np.arange(len(sizes)), sizes)
    around = np.clip(probabilities(generator, len(sizes), rate, icc / 3), 1e-6, 1 - 1e-6)[ids]
    return rate, generator.beta(8 * around, 8 * (1 - around)), (ids,)


def weighted() -> Iterator[Result]:
    """A balanced draw of companies' rare and common sentences; these are found less often and nine times as many."""
    designs = itertools.product((300, 600), (12, 19, 30, 60), (0, 0.05, 0.2))
    for number, (n, companies, icc) in enumerate(designs):
        for place, rate in enumerate(RATES):
            simulate = partial(balanced_draw, n, companies, rate, icc)
            yield result("weighted", (n, companies, icc), rate, (4, number, place), simulate)


def balanced_draw(n: int, companies: int, rate: float, icc: float, generator) -> tuple:
    each = n // companies // 2
    ids = np.repeat(np.arange(companies), 2 * each)
    is_common = np.tile(np.repeat([True, False], each), companies)
    # companies differ in size by a factor of up to four
    weights = np.where(is_common, 9.0, 1.0) * np.repeat(np.linspace(1, 4, companies), 2 * each)
    chances = probabilities(generator, companies, rate, icc)[ids]
    chances = np.where(is_common[:, None], chances * 0.8, chances)
    values = (generator.random(chances.shape) < chances).astype(float)
    return float(weights @ (rate * np.where(is_common, 0.8, 1.0)) / weights.sum()), values, (ids,), weights


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


def percentiles() -> Iterator[Result]:
    """Of 500 distances in clusters; rate is the share of the values below."""
    designs = itertools.product((12, 20, 40), (True, False), (0.1, 0.5))
    for number, (clusters, is_equal, icc) in enumerate(designs):
        sizes = cluster_sizes(500, clusters, is_equal)
        found = percentile_shares(np.random.default_rng((12, number)), sizes, icc, PERCENTILE_SETS)
        if any(covered < ENOUGH and flagged < 0.5 for covered, flagged in found):
            found = percentile_shares(np.random.default_rng((12, number, 1)), sizes, icc, AGAIN * PERCENTILE_SETS)
        design = (str(clusters), "equal" if is_equal else "unequal", str(icc))
        for metric, (covered, flagged) in zip(PERCENTILES, found, strict=True):
            yield Result("percentiles", design, metric.share, float(covered), float(flagged))


def percentile_shares(generator, sizes: np.ndarray, icc: float, sets: int) -> np.ndarray:
    """By percentile, sets covered and flagged. Values are normal around 1, as distances are between 0 and 2."""
    ids, n, found = np.repeat(np.arange(len(sizes)), sizes), sizes.sum(), []
    truths = [1 + 0.2 * ndtri(metric.share) for metric in PERCENTILES]
    for _ in range(sets):
        of_clusters, own = generator.normal(size=len(sizes))[ids], generator.normal(size=n)
        values = 1 + 0.2 * (icc**0.5 * of_clusters + (1 - icc) ** 0.5 * own)
        order = np.argsort(values)
        estimates = percentile_estimates(values[order], order, ids, 1.0, PERCENTILES, seed=1)
        found.append(
            [
                (one.ci_low <= truth <= one.ci_high, not one.is_interval_reliable)
                for one, truth in zip(estimates, truths, strict=True)
            ]
        )
    return np.mean(found, axis=0)


def agreements() -> Iterator[Result]:
    """Spearman's rho of two ratings from 1 to 5, one a document; rate is the share of the most frequent rating."""
    for number, design in enumerate(itertools.product((30, 60, 100), (0.3, 0.8))):
        for place, rate in enumerate(MOST_FREQUENT):
            truth = spearmanr(*ratings(np.random.default_rng((10, number, place)), 10**6, design[1], rate)).statistic
            generator = np.random.default_rng((11, number, place))
            sets = [rated(ratings(generator, *design, rate), seed) for seed in range(RATED_SETS)]
            known = [(low <= truth <= high, not is_reliable) for _, low, high, is_reliable in sets if low == low]
            yield Result("agreement", tuple(map(str, design)), rate, *map(float, np.mean(known, axis=0)))


def labels() -> Iterator[Result]:
    """Measures of counts of labels; rate is the share of the rarest label. A measure and design stand together."""
    with one_blas_thread():
        found = sorted(labelled_sets.labelled_sets(), key=lambda case: case[:-2])
    for kind, measure, clusters, each, is_skewed, icc, right, rarest, covered, flagged in found:
        design = (f"{kind}: {measure}", clusters, each, "skewed" if is_skewed else "equal", icc, right)
        yield Result("labels", tuple(map(str, design)), rarest, covered, flagged)


def ratings(generator, n: int, correlation: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Two normal values cut into five steps, of which the last has the share rate and the others as much each."""
    first, other = generator.standard_normal((2, n))
    second = correlation * first + (1 - correlation**2) ** 0.5 * other
    cuts = ndtri((1 - rate) * np.arange(1, 5) / 4)
    return np.searchsorted(cuts, first), np.searchsorted(cuts, second)


def rated(scores: tuple[np.ndarray, np.ndarray], seed: int) -> tuple[float, float, float, bool | None]:
    """As metrics.judge_calibration has it; nan where a rater says the same of all."""
    documents = np.arange(len(scores[0]))
    found = rank_correlations(*scores, documents, seed)["spearman"]
    return with_interval(*found, len(documents), len(documents), telling_clusters(*scores, documents))


def paired() -> Iterator[tuple]:
    """Pairs, clusters, sizes, ICC, rate, sets with p <= 0.05 where there is no difference, the MDE, and those found at
    it; nan and nan where most sets say that no possible difference would be found in 80 % of the cases."""
    designs = itertools.product(
        (60, 164, 600), (7, 12, 30, 82, 300), ("equal", "unequal"), (0, 0.2, 0.8), (0.02, 0.1, 0.5)
    )
    for number, (n, clusters, sizes, icc, rate) in enumerate(designs):
        if clusters * 2 > n:
            continue
        # no difference; then the one that the sets before call detectable, until it is what its own sets call so
        effect, level, share = 0.0, 0.0, float("nan")
        for turn in range(TURNS):
            generator = np.random.default_rng((6, number, turn))
            ids, differences = paired_differences(generator, n, clusters, sizes == "equal", icc, rate, effect)
            if turn in (0, TURNS - 1):
                sums = cluster_sums(differences, ids)
                share = float((sign_flip(sums.sums, sums.counts, seed=turn, patterns=PATTERNS) <= 0.05).mean())
            if turn == 0:
                level = share
            if turn < TURNS - 1:
                seen = np.abs(differences).mean(0)
                found = clustered_means(differences, ids)
                room = max(rate, 1 - rate)
                detectable = detectable_mean_difference(found, seen, 1.0, found.n_independent, room)
                # where none is found, the largest possible one
                step = float(np.median(np.nan_to_num(detectable, nan=1 - rate)))
                effect = step if turn < 2 else (effect + step) / 2
        is_possible = effect < 0.97 * (1 - rate)
        yield n, clusters, sizes, icc, rate, level, *((effect, share) if is_possible else (float("nan"),) * 2)


def paired_differences(generator, n: int, clusters: int, is_equal: bool, icc: float, rate: float, effect: float):
    """Two runs on the same items; what a cluster has in common is drawn anew for each, as where one question fails."""
    sizes = cluster_sizes(n, clusters, is_equal)
    ids, first = draw(generator, sizes, rate, icc)
    return ids, draw(generator, sizes, min(rate + effect, 0.999), icc)[1] - first


def unlike_pairs() -> Iterator[tuple]:
    """Two runs that differ in how they vary between clusters, which no flip of signs makes alike: n, clusters, sizes,
    shares and ICCs; of the sets those whose interval holds the difference, with p <= 0.05 (nan where there is one),
    flagged, and with such a p and no flag."""
    designs = itertools.product(
        ((150, 12), (198, 66), (300, 100), (600, 7), (600, 12), (600, 20), (600, 60), (600, 300), (1200, 60)),
        ("equal", "unequal"),
        UNLIKE,
    )
    for number, ((n, clusters), kind, (rate_a, icc_a, rate_b, icc_b)) in enumerate(designs):
        generator, sizes = np.random.default_rng((10, number)), cluster_sizes(n, clusters, kind == "equal")
        ids, first = draw(generator, sizes, rate_a, icc_a)
        differences = draw(generator, sizes, rate_b, icc_b)[1] - first
        found, sums, moved = (
            clustered_means(differences, ids),
            cluster_sums(differences, ids),
            np.abs(differences).mean(0),
        )
        low, high = difference_interval(found.mean, moved, np.ones(SETS), found.n_eff_balanced)
        is_covered = (low <= rate_b - rate_a) & (rate_b - rate_a <= high)
        is_shown = sign_flip(sums.sums, sums.counts, seed=number, patterns=PATTERNS) <= 0.05
        is_flagged = ~is_difference_reliable(found, moved, np.ones(SETS))
        level = (is_shown, is_shown & ~is_flagged) if rate_a == rate_b else (np.full(SETS, np.nan),) * 2
        shares_of = (float(each.mean()) for each in (is_covered, level[0], is_flagged, level[1]))
        yield n, clusters, kind, rate_a, icc_a, rate_b, icc_b, *shares_of


def unpaired() -> Iterator[tuple]:
    """The MDE of values and of rules `below`, and how often it is found: n, clusters, sizes, ICC, rate, and for either
    the MDE and the share of the sets; nan and nan where most sets say that there is none."""
    designs = itertools.product((60, 164, 600), (7, 12, 30, 82, 300), ("equal", "unequal"), (0, 0.2), RATES)
    for number, (n, clusters, kind, icc, rate) in enumerate(designs):
        if clusters * 2 > n:
            continue
        generator, sizes = np.random.default_rng((7, number)), cluster_sizes(n, clusters, kind == "equal")
        ids, values = draw(generator, sizes, rate, icc)
        found = clustered_means(values, ids)
        effects = np.where(is_too_rare(found), np.nan, detectable_change(found))
        below = np.full(SETS, np.nan) if rate < 0.5 else detectable_fall(found, rate)
        effect, effect_below = usual(effects), usual(below)
        # a value moves towards the middle, a share falls below its threshold
        there = at(generator, sizes, rate + np.copysign(np.nan_to_num(effect), 0.5 - rate), icc)
        under = at(generator, sizes, rate - np.nan_to_num(effect_below), icc)
        power = float("nan") if np.isnan(effect) else float(is_apart(found, there).mean())
        power_below = float("nan") if np.isnan(effect_below) else float(is_below(under, rate).mean())
        yield n, clusters, kind, icc, rate, effect, power, effect_below, power_below


def usual(effects: np.ndarray) -> float:
    """Median of the effects; nan where most sets have none."""
    return float("nan") if np.isnan(effects).mean() >= 0.5 else float(np.nanmedian(effects))


def at(generator, sizes: np.ndarray, rate: float, icc: float) -> ClusteredMeans:
    return clustered_means(*draw(generator, sizes, rate, icc)[::-1])


def is_apart(first: ClusteredMeans, second: ClusteredMeans) -> np.ndarray:
    """Welch's test of two means of clusters."""
    variances = np.nan_to_num(first.standard_error) ** 2, np.nan_to_num(second.standard_error) ** 2
    total = np.maximum(sum(variances), 1e-12)
    freedom = (first.n_clusters - 1) * total**2 / np.maximum(sum(one**2 for one in variances), 1e-24)
    return np.abs(first.mean - second.mean) > stdtrit(np.maximum(freedom, 1), 0.975) * total**0.5


def is_below(found: ClusteredMeans, threshold: float) -> np.ndarray:
    return wilson_interval(found.mean, found.n_eff)[1] < threshold


def unflagged(results: list[Result]) -> list[Result]:
    return [one for one in results if one.is_under and one.flagged < 0.5]


COLUMNS = {
    "grouped": ("n", "clusters", "sizes", "ICC"),
    "pooled": ("sources", "log-sd of claims", "ICC"),
    "crossed": ("n", "companies", "texts", "repeated", "of companies", "of texts"),
    "wordings": ("questions", "wordings", "correlation"),
    "graded": ("values", "n", "clusters", "ICC"),
    "weighted": ("n", "companies", "ICC"),
    "bootstrap": ("clusters", "values"),
    "percentiles": ("clusters", "sizes", "ICC"),
    "agreement": ("documents", "correlation"),
    "labels": ("measure", "clusters", "items of each", "sizes", "ICC", "right"),
}
TITLES = {
    "grouped": "Anchors of companies: shares of n items in clusters",
    "pooled": "Claims of sources: pooled shares, very unequal numbers of claims",
    "crossed": "Anchors of companies whose texts repeat in other companies: shares, clustered both ways",
    "wordings": "Questions with several wordings",
    "graded": "Values between 0 and 1: 1 / rank, 0 where nothing was found; overlaps such as ROUGE-L",
    "weighted": "The corpus from a balanced draw: weighted shares",
    "bootstrap": "What has no range of 0 to 1: bootstrap over clusters of five, widened",
    "percentiles": f"Percentiles of 500 values; share: of the values below; {PERCENTILE_SETS} sets a case",
    "agreement": f"Spearman's rho of two ratings; share: of the most frequent rating; {RATED_SETS} sets a case",
    "labels": f"F1, precision, recall, MCC and kappa; share: of the rarest label; {labelled_sets.SETS} sets a case, "
    f"{labelled_sets.AGAIN * labelled_sets.SETS:,} of what is under and not flagged",
}


def page(
    results: list[Result],
    of_pairs: tuple[list[tuple], list[tuple], list[tuple]],
    changes: list[tuple],
    repeated: tuple[list[tuple], ...],
    seconds: float,
) -> str:
    """docs/coverage.md."""
    lines = [
        "# How often the intervals hold the truth",
        "",
        f"Written by `make bench BENCH=coverage` (benchmarks/coverage.py): {SETS:,} simulated sets of items per case,",
        "their truth known, through the functions that the warehouse uses.",
        f"{len(results):,} cases, {sum(map(len, of_pairs))} of paired tests, {len(changes)} of values and",
        f"thresholds and {sum(map(len, repeated))} of repeated builds in {seconds:.0f} s on {os.cpu_count()} cores.",
        f"A share of {SETS:,} sets is itself known to about one point. A case under 93 that is not flagged is",
        f"simulated on {AGAIN * SETS:,} others, which then count (to 0.4).",
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
        lowest = f"{min(100 * one.covered for one in missed):.2f}" if missed else "–"
        needless = sum(not one.is_under and one.flagged >= 0.5 for one in mine)
        counts = (len(mine), len(mine) - len(under) - len(over), len(over), len(under), len(under) - len(missed))
        lines.append(f"| {table} | " + " | ".join(map(str, (*counts, lowest, needless))) + " |")
    lines += ["", *graded_lines([one for one in results if one.table == "graded"])]
    for table, names in COLUMNS.items():
        mine = [one for one in results if one.table == table]
        rates = sorted({one.rate for one in mine})
        heads = [f"share {rate:g}" for rate in rates] if len(rates) > 1 else ["covered"]
        lines += ["", f"## {TITLES[table]}", "", f"| {' | '.join((*names, *heads))} |"]
        lines.append("|" + "---:|" * (len(names) + len(heads)))
        for design, of_design in itertools.groupby(mine, key=lambda one: one.design):
            lines.append(f"| {' | '.join((*design, *map(cell, of_design)))} |")
    tests, crossed_tests, unlike = of_pairs
    more = (test_lines(tests), unlike_lines(unlike), crossed_lines(crossed_tests), change_lines(changes))
    more = (*more, lines_of(*repeated))
    return "\n".join([*lines, *itertools.chain(*more)]) + "\n"


def graded_lines(graded: list[Result]) -> list[str]:
    """Why their intervals are wider than needed."""
    over = sum(one.covered > TOO_MUCH for one in graded)
    own = [one.covered_by_own_variance for one in graded]
    under = [one for one in graded if one.covered_by_own_variance < ENOUGH]
    return [
        "Graded values (MRR, nDCG, ROUGE-L, shares of a list) have intervals wider than needed: Wilson's interval",
        "allows for the variance p (1 - p) of yes and no with their mean, and they vary less.",
        f"{over} of {len(graded)} cases are over 97. With the values' own variance",
        f"{sum(ENOUGH <= one <= TOO_MUCH for one in own)} would be within 93 to 97, but {len(under)} under 93,",
        f"down to {100 * min(own):.1f}, {sum(one.flagged < 0.5 for one in under)} of them where nothing in the data",
        "warns: a few rare low values decide. So the definition stays, on the safe side. Paired comparisons do not pay",
        "for it; their intervals go by what the differences vary.",
    ]


def cell(one: Result) -> str:
    text = f"{100 * one.covered:.1f}"
    if one.is_under:
        return f"**{text}** ({100 * one.flagged:.0f})"
    return f"*{text}*" if one.covered > TOO_MUCH else text


def too_weak(tests: list[tuple], place: int) -> list[tuple]:
    """Those whose power, right after the MDE at the place, is too low."""
    return [(*test[:5], round(test[place], 3)) for test in tests if test[place] < ENOUGH_POWER]


def effect_cell(effect: float, power: float) -> str:
    """An MDE with its power in brackets, in bold where that is too low."""
    if np.isnan(effect):
        return "none"
    return f"{effect:.3f} ({100 * power:.1f})" if power >= ENOUGH_POWER else f"{effect:.3f} (**{100 * power:.1f}**)"


def by_rate(cases: list[tuple], name: str, told: Callable[[tuple], str]) -> list[str]:
    """A table with a row per pairs or n, clusters, sizes and ICC, and a column per rate, which stands behind them."""
    rates = sorted({case[4] for case in cases})
    lines = [
        f"| {name} | clusters | sizes | ICC | {' | '.join(f'share {rate:g}' for rate in rates)} |",
        "|---:|---:|---|---:|" + "---:|" * len(rates),
    ]
    for design, of_design in itertools.groupby(cases, key=lambda case: case[:4]):
        lines.append(f"| {' | '.join((*map(str, design), *map(told, of_design)))} |")
    return lines


def test_lines(tests: list[tuple]) -> list[str]:
    told = [test for test in tests if not np.isnan(test[-1])]
    lines = [
        "",
        "## Paired tests: signs of clusters' sums are flipped",
        "",
        "Two runs on the same items; each finds a cluster's items with a probability of its own. Level: percentage of",
        "sets with p ≤ 0.05 where there is no difference, at most 5 but for chance (up to 6). MDE: the difference that",
        "the sets themselves call detectable (median); none, where most of them say that no possible difference would",
        "be found in 80 % of the cases. Power: percentage of sets with p ≤ 0.05 where the MDE is the true difference;",
        f"80 or more is meant. {len(told)} of {len(tests)} cases have an MDE; the lowest power is",
        f"{100 * min(test[-1] for test in told):.1f},",
        f"{len(too_weak(tests, 7))} are under {100 * ENOUGH_POWER:.0f} (**bold**).",
        "In a cell: level, MDE and, in brackets, power.",
        "",
    ]
    return lines + by_rate(tests, "pairs", lambda test: f"{100 * test[5]:.1f}, {effect_cell(*test[6:])}")


def unlike_lines(tests: list[tuple]) -> list[str]:
    under = [test for test in tests if test[7] < ENOUGH or test[8] > MOST_REJECTED]
    flagged, needless = (sum(test[9] >= 0.5 for test in some) for some in (under, [t for t in tests if t not in under]))
    most, most_unwarned = (100 * np.nanmax([test[place] for test in tests]) for place in (8, 10))
    heads = [f"{a:g}, {b:g}: {c:g}, {d:g}" for a, b, c, d in UNLIKE]
    lines = [
        "",
        "## Paired tests of runs that vary differently",
        "",
        "The tests above are of runs that vary alike, of which flipped signs are exact. Where one finds all in some",
        "clusters and the other a little in each, sums are skewed, and the test rejects more often. In a cell: the",
        "percentage of sets whose interval holds the true difference (flagged: `is_interval_reliable` is false); with",
        "p ≤ 0.05, where there is no difference (with p ≤ 0.05 and no flag). **Bold** is under 93 or over 6:",
        f"{len(under)} of {len(tests)} cases. Most sets are flagged of {flagged} of these, and of {needless} others.",
        f"Up to {most:.1f} reject, {most_unwarned:.1f} without a flag.",
        "",
        f"| pairs | clusters | sizes | share, ICC: {' | '.join(heads)} |",
        "|---:|---:|---|" + "---:|" * len(heads),
    ]
    for design, of_design in itertools.groupby(tests, key=lambda test: test[:3]):
        lines.append(f"| {' | '.join((*map(str, design), *map(unlike_cell, of_design)))} |")
    return lines


def unlike_cell(test: tuple) -> str:
    covered, level, flagged, unwarned = (100 * share for share in test[7:])
    text = f"{covered:.1f} ({flagged:.0f})" + ("" if np.isnan(level) else f"; {level:.1f} ({unwarned:.1f})")
    return f"**{text}**" if covered < 100 * ENOUGH or level > 100 * MOST_REJECTED else text


def crossed_lines(tests: list[tuple]) -> list[str]:
    lines = [
        "",
        "## Companies and repeated texts: what the second way to cluster is for",
        "",
        "Percentage of sets with p ≤ 0.05 where there is no difference, and of those whose interval holds a share of a",
        "half: as the warehouse has them, and were the way that leaves fewer effective items to count alone.",
        "",
        "| n | companies | texts | repeated | of companies | of texts | level | one way | covered | one way |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for *design, level, level_alone, covered, covered_alone in tests:
        figures = (f"{100 * share:.1f}" for share in (level, level_alone, covered, covered_alone))
        lines.append(f"| {' | '.join((*map(str, design), *figures))} |")
    return lines


def change_lines(changes: list[tuple]) -> list[str]:
    lines = [
        "",
        "## Values and thresholds: what another run, or an alert `below`, would show",
        "",
        "MDE of a value: the difference from an independent run on as many items, towards the middle, and the",
        "percentage of sets in which Welch's test of the means finds it. MDE of a threshold: how far below it a share",
        "lies whose interval is below it, and in how many sets it is.",
        f"{len(too_weak(changes, 6))} and {len(too_weak(changes, 8))} cases are under",
        f"{100 * ENOUGH_POWER:.0f} (**bold**).",
        "None: there is no possible one, or the rarer outcome is in too few items to know how much they vary.",
        "In a cell: the MDE of the value / that of the threshold, each with its power in brackets.",
        "",
    ]
    return lines + by_rate(changes, "n", lambda one: f"{effect_cell(*one[5:7])} / {effect_cell(*one[7:])}")
