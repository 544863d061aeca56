"""Do alerts that look at every build keep their rate, and do they find a real drop? Part of BENCH=coverage.

A series is 20 builds of the same anchors against one baseline. Some anchors come and go: their outcome is chance, in
the baseline as in every build, so an unlucky baseline looks like a change in all of them. A rule alarms when the
evidence of all builds so far reaches the limit (finrag.statistics.e_values); its threshold and its interval, which
metrics.alerts wants too, can only make that rarer. As there, a build after the limit that shows no change starts the
series again: in the series with an incident a large drop is there for five builds, and then it is mended.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from finrag.statistics import e_values
from finrag.statistics.clustered import cluster_sums, clustered_means
from finrag.statistics.difference import difference_interval
from finrag.statistics.reliability import is_difference_reliable

BUILDS = 20
SHOWN = (1, 5, 20)
SIZES = ((60, 19), (600, 19), (600, 100))  # anchors, companies
DROPS = (0.0, 0.05)
INCIDENT, INCIDENT_BUILDS = 0.25, 5
HITS = 0.75
THRESHOLD, ICC = 0.95, 0.05
CHANGE, RELATIVE_CHANGE = 0.07, 0.5
UNLIKE_SIZES = ((600, 12), (600, 20), (600, 60), (600, 100))
FAMILY, FAMILY_SIZE = {"change": 6, f"below {THRESHOLD}": 8}, (600, 12)
"""Rows of metrics.alerts in the demo that are measured, and their anchors and companies."""
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


def families(sets: int) -> Iterator[tuple]:
    """Series of one rule each, the share that comes and goes, and the shares of sets in which any alarms at SHOWN and
    at any build: the demo's rules of anchors, nothing being wrong. Each has anchors of its own, where the demo's rules
    share theirs, so that more alarm here."""
    rules = [rule for rule, count in FAMILY.items() for _ in range(count)]
    for place, noise in enumerate((0.05, 0.3)):
        of_rules = [
            alarms_of(rule, (9, place, number), sets, FAMILY_SIZE, noise, [0.0] * BUILDS)
            for number, rule in enumerate(rules)
        ]
        alarms = np.any(of_rules, axis=0)
        shown = (*(alarms[build - 1] for build in SHOWN), alarms.any(axis=0))
        yield len(rules), noise, *(float(share.mean()) for share in shown)


def unlike_builds(sets: int, designs: Sequence[tuple]) -> Iterator[tuple]:
    """Anchors, companies, share and ICC of the baseline and of the builds after it; and the shares of series with an
    alarm at SHOWN, in which the rule fires at any build, and in which it does so without a warning.

    The model that stands in the baseline's place is as good and varies differently between companies, which nothing
    in the data says. The rule's threshold is P1's.
    """
    for number, (size, (rate, icc, other, other_icc)) in enumerate(itertools.product(UNLIKE_SIZES, designs)):
        if rate != other:
            continue
        found, could_fire, is_reliable = [], [], []
        of_builds = differences_of_unlike(np.random.default_rng((10, number)), sets, *size, (rate, icc, other_icc))
        for differences, ids, baseline in of_builds:
            means, moved, ones = clustered_means(differences, ids), np.abs(differences).mean(0), np.ones(sets)
            low, high = difference_interval(means.mean, moved, ones, means.n_eff_balanced)
            is_exceeded = np.abs(means.mean) > np.minimum(CHANGE, RELATIVE_CHANGE * baseline)
            could_fire.append(is_exceeded & ((low > 0) | (high < 0)))
            is_reliable.append(is_difference_reliable(means, moved, ones))
            found.append(np.array([e_values.symmetric(one) for one in cluster_sums(differences, ids).sums.T]))
        alarms = np.array(list(accumulated(found)))
        fires = alarms & could_fire
        shown = (*(alarms[build - 1] for build in SHOWN), fires.any(axis=0), (fires & is_reliable).any(axis=0))
        yield *size, rate, icc, other_icc, *(float(share.mean()) for share in shown)


def differences_of_unlike(
    generator, sets: int, anchors: int, companies: int, shares: tuple[float, float, float]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of every build: anchors × sets of differences from the baseline, companies, and the baseline's hits."""
    rate, *iccs = shares
    ids = np.repeat(np.arange(companies), np.diff(company_starts(anchors, companies), append=anchors))
    before_chances, chances = (
        generator.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc, (companies, sets))[ids] for icc in iccs
    )
    before = (generator.random(chances.shape) < before_chances).astype(float)
    for _ in range(BUILDS):
        yield (generator.random(chances.shape) < chances) - before, ids, before.mean(0)


def alarms_of(rule: str, seed: tuple, sets: int, size: tuple[int, int], noise: float, drops: Drops) -> np.ndarray:
    """Builds × sets: whether the evidence so far is enough."""
    of_builds = changed if rule == "change" else under
    return np.array(list(accumulated(of_builds(np.random.default_rng(seed), sets, *size, noise, drops))))


def accumulated(found: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """By build, of its e-values: whether the evidence is enough, as metrics.alerts adds it up and starts it again."""
    process = counted = np.zeros(())
    for of_build in found:
        is_started_again = (process >= e_values.LIMIT) & (of_build <= 1)
        counted = np.where(is_started_again, 1, counted + 1)
        process = np.where(is_started_again, 0, process) + e_values.weight(counted) * of_build
        yield process >= e_values.LIMIT


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


def lines_of(series: list[tuple], mended: list[tuple], unlike: list[tuple], together: list[tuple]) -> list[str]:
    """Their sections of docs/coverage.md."""
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
    return lines + unlike_lines(unlike) + together_lines(together)


def unlike_lines(unlike: list[tuple]) -> list[str]:
    fired, unwarned = (100 * max(case[place] for case in unlike) for place in (-2, -1))
    lines = [
        "",
        "## Alerts where nothing is wrong and sums are skewed",
        "",
        f"The rule `change` (threshold {CHANGE}, or {RELATIVE_CHANGE:g} of the baseline if less), where a model that",
        "finds as much takes the baseline's place and varies differently between companies, as in the paired tests",
        "above: percentage of series with enough evidence at the 1st, 5th and 20th build, of those that fire at any",
        "(threshold and interval too), and of those that do so without a warning (`is_interval_reliable` is true).",
        f"At most 5 may, if clusters' sums were symmetric. Up to {fired:.1f} fire, {unwarned:.1f} without a warning.",
        "",
        "| anchors | companies | share, ICC before: after | 1 build | 5 builds | 20 builds | fire | no warning |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for anchors, companies, rate, icc, other_icc, *figures in unlike:
        shown = " | ".join(f"{100 * share:.1f}" for share in figures)
        lines.append(f"| {anchors} | {companies} | {rate:g}, {icc:g}: {other_icc:g} | {shown} |")
    return lines


def together_lines(together: list[tuple]) -> list[str]:
    lines = [
        "",
        "## All alerts of the demo together",
        "",
        f"Percentage of series with enough evidence for any of {together[0][0]} rules and runs, as many as the demo",
        f"measures, each of {FAMILY_SIZE[0]} anchors of {FAMILY_SIZE[1]} companies, nothing being wrong: changes",
        "from a baseline, and shares that are just at their threshold. All have anchors of their own; rules that share",
        "theirs err together, in fewer builds.",
        "",
        "| come and go | 1st build | 5th build | 20th build | any of 20 builds |",
        "|---:|---:|---:|---:|---:|",
    ]
    for _, noise, *figures in together:
        lines.append(f"| {noise} | {' | '.join(f'{100 * share:.1f}' for share in figures)} |")
    return lines
