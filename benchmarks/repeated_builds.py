"""Do alerts that look at every build keep their rate, and do they find a real drop? Part of BENCH=coverage.

A series is 20 builds of the same anchors against one baseline. Some anchors come and go: their outcome is chance, in
the baseline as in every build, so an unlucky baseline looks like a change in all of them. A rule alarms when the
evidence of all builds so far reaches the limit (finrag.statistics.e_values); its threshold and its interval, which
metrics.alerts wants too, can only make that rarer. As there, a build after the limit that shows no change starts the
series again: in the series with an incident a large drop is there for five builds, and then it is mended.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from finrag.statistics import e_values

BUILDS = 20
SHOWN = (1, 5, 20)
SIZES = ((60, 19), (600, 19), (600, 100))  # anchors, companies
DROPS = (0.0, 0.05)
INCIDENT, INCIDENT_BUILDS = 0.25, 5
HITS = 0.75
THRESHOLD, ICC = 0.95, 0.05
# What each build of a series lacks.
Drops = Sequence[float]


def repeated_builds(sets: int) -> Iterator[tuple]:
    """Rule, anchors, companies, share that comes and goes, drop, and the shares of series with an alarm at SHOWN."""
    changes = itertools.product(["change"], SIZES, (0.05, 0.3), DROPS)
    shares = itertools.product([f"below {THRESHOLD}"], SIZES, (0.3,), DROPS)
    for number, (rule, size, noise, drop) in enumerate((*changes, *shares)):
        alarms = alarms_of(rule, (7, number), sets, size, noise, [drop] * BUILDS)
        yield rule, *size, noise, drop, *(float(alarms[build - 1].mean()) for build in SHOWN)


def incidents(sets: int) -> Iterator[tuple]:
    """Rule, anchors, companies, and the shares of series with an alarm: at the end of the incident; at the build in
    which it is mended; at the last; at any from the fifth after it was mended on."""
    mended_at = INCIDENT_BUILDS + 1
    drops = [INCIDENT] * INCIDENT_BUILDS + [0.0] * (BUILDS - INCIDENT_BUILDS)
    rules = itertools.product(("change", f"below {THRESHOLD}"), SIZES)
    for number, (rule, size) in enumerate(rules):
        alarms = alarms_of(rule, (8, number), sets, size, 0.3, drops)
        shown = (alarms[mended_at - 2], alarms[mended_at - 1], alarms[-1], alarms[mended_at + 4 :].any(axis=0))
        yield rule, *size, *(float(share.mean()) for share in shown)


def alarms_of(rule: str, seed: tuple, sets: int, size: tuple[int, int], noise: float, drops: Drops) -> np.ndarray:
    """Builds × sets: whether the evidence so far is enough, as metrics.alerts adds it up and starts it again."""
    of_builds = changed if rule == "change" else under
    process, counted, alarms = np.zeros(sets), np.zeros(sets), []
    for found in of_builds(np.random.default_rng(seed), sets, *size, noise, drops):
        is_started_again = (process >= e_values.LIMIT) & (found <= 1)
        counted = np.where(is_started_again, 1, counted + 1)
        process = np.where(is_started_again, 0, process) + e_values.weight(counted) * found
        alarms.append(process >= e_values.LIMIT)
    return np.array(alarms)


def changed(generator, sets: int, anchors: int, companies: int, noise: float, drops: Drops) -> Iterator[np.ndarray]:
    """E-values of each build's differences from the baseline; drops: share of anchors whose hit each build lacks."""
    chances = settled(generator, np.full((anchors, sets), HITS), noise, 0.5)
    starts = company_starts(anchors, companies)
    before = generator.random(chances.shape) < chances
    lasts = generator.random(chances.shape)
    for drop in drops:
        after = (generator.random(chances.shape) < chances) & (lasts >= drop / HITS)
        sums = np.add.reduceat(after.astype(float) - before, starts, axis=0)
        yield np.array([e_values.symmetric(one) for one in sums.T])


def under(generator, sets: int, anchors: int, companies: int, noise: float, drops: Drops) -> Iterator[np.ndarray]:
    """E-values of each build against the threshold; companies' own shares vary around the last build's drop below it,
    and what a build lacks beyond that is lost anywhere."""
    rate = THRESHOLD - drops[-1]
    shares = generator.beta(rate * (1 - ICC) / ICC, (1 - rate) * (1 - ICC) / ICC, (companies, sets))
    starts = company_starts(anchors, companies)
    sizes = np.diff(starts, append=anchors).astype(float)
    of_anchors = np.repeat(shares, sizes.astype(int), axis=0)
    chances = settled(generator, of_anchors, noise, of_anchors)
    for drop in drops:
        hits = (generator.random(chances.shape) < chances * (1 - (drop - drops[-1]) / rate)).astype(float)
        means = np.add.reduceat(hits, starts, axis=0) / sizes[:, None]
        yield np.array([e_values.at_least(one, sizes, THRESHOLD) for one in means.T])


def settled(generator, chances: np.ndarray, noise: float, of_noisy: float | np.ndarray) -> np.ndarray:
    """Chances of 0 or 1 for anchors whose outcome is always the same, of_noisy for the share that comes and goes."""
    is_noisy = generator.random(chances.shape) < noise
    return np.where(is_noisy, of_noisy, generator.random(chances.shape) < chances)


def company_starts(anchors: int, companies: int) -> np.ndarray:
    return np.arange(companies) * anchors // companies


def lines_of(series: list[tuple], mended: list[tuple]) -> list[str]:
    """Their section of docs/coverage.md."""
    lines = [
        "",
        "## Alerts: 20 builds of the same anchors",
        "",
        "Percentage of series whose evidence of all builds since the start is 20 or more (`e_process` in",
        "`metrics.alerts`) at the 1st, 5th and 20th build. Without a drop at most 5 may; with one, more is better.",
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
    lines += [
        "",
        f"An incident: a drop of {INCIDENT} for the first {INCIDENT_BUILDS} builds, then as before. Percentage of",
        "series whose evidence is enough at its last build, at the one that mends it, and at the twentieth; and at",
        f"any build from the fifth after that one on ({INCIDENT_BUILDS + 6} to {BUILDS}), of which at most 5 may.",
        "",
        "| rule | anchors | companies | in it | mended | 20 builds | any later |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for *design, within, at_once, last, later in mended:
        figures = (*map(str, design), *(f"{100 * share:.1f}" for share in (within, at_once, last, later)))
        lines.append(f"| {' | '.join(figures)} |")
    return lines
