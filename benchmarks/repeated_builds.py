"""Do alerts that look at every build keep their rate, and do they find a real drop? Part of BENCH=coverage.

A series is 20 builds of the same anchors against one baseline. Some anchors come and go: their outcome is chance, in
the baseline as in every build, so an unlucky baseline looks like a change in all of them. A rule alarms when the
evidence of all builds so far reaches the limit (finrag.statistics.e_values); its threshold and its interval, which
metrics.alerts wants too, can only make that rarer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from finrag.statistics import e_values

BUILDS = 20
SHOWN = (1, 5, 20)
SIZES = ((60, 19), (600, 19), (600, 100))  # anchors, companies
DROPS = (0.0, 0.05)
HITS = 0.75
THRESHOLD, ICC = 0.95, 0.05


def repeated_builds(sets: int) -> Iterator[tuple]:
    """Rule, anchors, companies, share that comes and goes, drop, and the shares of series with an alarm by SHOWN."""
    changes = itertools.product(["change"], SIZES, (0.05, 0.3), DROPS)
    shares = itertools.product([f"below {THRESHOLD}"], SIZES, (0.3,), DROPS)
    for number, (rule, (anchors, companies), noise, drop) in enumerate((*changes, *shares)):
        generator = np.random.default_rng((7, number))
        of_builds = changed if rule == "change" else under
        process, alarms = np.zeros(sets), []
        for build, found in enumerate(of_builds(generator, sets, anchors, companies, noise, drop), start=1):
            process += e_values.weight(build) * found
            if build in SHOWN:
                alarms.append(float((process >= e_values.LIMIT).mean()))
        yield rule, anchors, companies, noise, drop, *alarms


def changed(generator, sets: int, anchors: int, companies: int, noise: float, drop: float) -> Iterator[np.ndarray]:
    """E-values of each build's differences from the baseline; drop: share of anchors whose hit is lost for good."""
    chances = settled(generator, np.full((anchors, sets), HITS), noise, 0.5)
    starts = company_starts(anchors, companies)
    before = generator.random(chances.shape) < chances
    lost = generator.random(chances.shape) < drop / HITS
    for _ in range(BUILDS):
        after = (generator.random(chances.shape) < chances) & ~lost
        sums = np.add.reduceat(after.astype(float) - before, starts, axis=0)
        yield np.array([e_values.symmetric(one) for one in sums.T])


def under(generator, sets: int, anchors: int, companies: int, noise: float, drop: float) -> Iterator[np.ndarray]:
    """E-values of each build against the threshold; companies' own shares vary around it, or around drop less."""
    rate = THRESHOLD - drop
    shares = generator.beta(rate * (1 - ICC) / ICC, (1 - rate) * (1 - ICC) / ICC, (companies, sets))
    starts = company_starts(anchors, companies)
    sizes = np.diff(starts, append=anchors).astype(float)
    of_anchors = np.repeat(shares, sizes.astype(int), axis=0)
    chances = settled(generator, of_anchors, noise, of_anchors)
    for _ in range(BUILDS):
        hits = (generator.random(chances.shape) < chances).astype(float)
        means = np.add.reduceat(hits, starts, axis=0) / sizes[:, None]
        yield np.array([e_values.at_least(one, sizes, THRESHOLD) for one in means.T])


def settled(generator, chances: np.ndarray, noise: float, of_noisy: float | np.ndarray) -> np.ndarray:
    """Chances of 0 or 1 for anchors whose outcome is always the same, of_noisy for the share that comes and goes."""
    is_noisy = generator.random(chances.shape) < noise
    return np.where(is_noisy, of_noisy, generator.random(chances.shape) < chances)


def company_starts(anchors: int, companies: int) -> np.ndarray:
    return np.arange(companies) * anchors // companies


def lines_of(series: list[tuple]) -> list[str]:
    """Their section of docs/coverage.md."""
    lines = [
        "",
        "## Alerts: 20 builds of the same anchors",
        "",
        "Percentage of series in which the evidence of all builds so far has reached 20 (`e_process` in",
        "`metrics.alerts`) after 1, 5 and 20 builds. Without a drop at most 5 may ever; with one, more is better.",
        f"The rule `change` compares with a baseline of {HITS:.0%} hits, in pairs; "
        f"`below {THRESHOLD}` asks whether the",
        f"share is at least that (ICC of companies {ICC}), and is tried at it and {DROPS[-1]} below it. Come and go:",
        "share of anchors whose outcome is chance in every build. Sixty anchors, or so many that come and go, are too",
        "few for a drop of 5 points; the alerts then say so.",
        "",
        "| rule | anchors | companies | come and go | drop | 1 build | 5 builds | 20 builds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for *design, first, fifth, last in series:
        figures = (*map(str, design), *(f"{100 * share:.1f}" for share in (first, fifth, last)))
        lines.append(f"| {' | '.join(figures)} |")
    return lines
