"""What the gate says of a run that lost a known share of its hits: how often it fails, cannot tell, or passes.

A frozen run and the one in its place are simulated on the same anchors, SETS times, and held against each other with
the library's own test. Some anchors come and go: their outcome is chance, before as after. What is lost is lost alike
in all companies, or in a quarter of them alone. The other runs of the family are as they were frozen (p = 1), so that
Holm multiplies the p of this one by all of them. Seeds are (14, number of the case).

Prints the table of docs/gate.md.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from coverage import SETS
from finrag.statistics.clustered import cluster_sums
from finrag.statistics.sign_flip import sign_flip
from repeated_builds import HITS, company_starts, settled

SIZES = ((600, 12), (600, 100))  # anchors, companies
NOISE = (0.05, 0.3)
LOSSES = (0.0, 0.05, 0.1)
FAMILY = 23
"""Frozen runs of the demo."""
LEVEL, STATED = 0.05, 0.03
"""Of models/metrics/gate.sql, and of seeds/primary_endpoints.csv for hit@5."""
ROUNDING = 1e-9


def gate_losses(_: Path) -> None:
    """Prints the share of the sets by decision."""
    print("| anchors | companies | come and go | lost | in companies | fails | cannot tell | passes |")
    print("|---:|---:|---:|---:|---|---:|---:|---:|")
    cases = itertools.product(SIZES, NOISE, LOSSES, (1.0, 0.25))
    for number, (size, noise, lost, of_companies) in enumerate(cases):
        if not lost and of_companies < 1:
            continue
        shares = decisions(np.random.default_rng((14, number)), *size, noise, lost, of_companies)
        told = (*size, noise, lost, "all" if of_companies == 1 else "a quarter")
        print(f"| {' | '.join((*map(str, told), *(f'{100 * share:.1f}' for share in shares)))} |", flush=True)


def decisions(
    generator, anchors: int, companies: int, noise: float, lost: float, of_companies: float
) -> tuple[float, float, float]:
    """Shares of the sets whose run fails, cannot be told and passes, as models/metrics/gate.sql decides."""
    ids, differences = compared(generator, anchors, companies, noise, lost, of_companies)
    sums = cluster_sums(differences, ids)
    p_values = sign_flip(sums.sums, sums.counts, seed=0)
    difference = differences.mean(0)
    is_shown = np.minimum(1, FAMILY * p_values) < LEVEL
    fails = is_shown & (difference < 0)
    cannot_tell = ~is_shown & (difference <= ROUNDING - STATED)
    return float(fails.mean()), float(cannot_tell.mean()), float((~fails & ~cannot_tell).mean())


def compared(
    generator, anchors: int, companies: int, noise: float, lost: float, of_companies: float
) -> tuple[np.ndarray, np.ndarray]:
    """Company by anchor, and anchors × sets: hit now less hit when it was frozen."""
    ids = np.repeat(np.arange(companies), np.diff(company_starts(anchors, companies), append=anchors))
    chances = settled(generator, np.full((anchors, SETS), HITS), noise, 0.5)
    before = generator.random(chances.shape) < chances
    is_hurt = ids < round(companies * of_companies)
    # of settled and unsettled hits alike
    of_hits = lost / is_hurt.mean() / (HITS * (1 - noise) + 0.5 * noise)
    lasts = generator.random(chances.shape) >= np.where(is_hurt, of_hits, 0.0)[:, None]
    after = (generator.random(chances.shape) < chances) & lasts
    return ids, after.astype(float) - before
