"""Two runs of answers compared question by question, with the tests of finrag.metrics.comparisons."""

from __future__ import annotations

import hashlib

from finrag.metrics.answer_rollup import ITEMS, VARIANT
from finrag.metrics.comparisons import Pairs, compare, to_table
from finrag.metrics.items import Items, read_items
from finrag.metrics.registry import code_checksum, read_metrics
from finrag.metrics.rollup import Stratum, read_strata
from finrag.threads import one_blas_thread

# Groupings that are compared; the many small groups of the others tell runs apart only by chance.
STRATA = ("difficulty", "retrieval_scope", "answer_type")


def compare_answers(*, pairs, items, strata, registry, done: set[tuple[str, str]]):
    """Arrow table of the comparisons of all pairs, without those that done holds as (pair_id, comparison_version).

    pairs, items, strata, registry: relations of int_answer_run_pairs, answer_items, int_query_strata and the seed
    metrics. The columns are those of int_run_comparisons.
    """
    metrics = [metric for metric in read_metrics(registry, ITEMS, []) if metric.is_compared]
    versions = dict(items.aggregate("run_id, max(metrics_version)", "run_id").fetchall())
    suite_of = dict(items.aggregate("run_id, any_value(suite)", "run_id").fetchall())
    base = (
        metrics,
        code_checksum(),
        strata.aggregate("bit_xor(hash(suite, query_id, stratum_by, stratum))").fetchall(),
    )
    read: dict[str, Items] = {}
    strata_of: dict[str, list[Stratum]] = {}
    rows: list[tuple] = []

    def of_run(run_id: str) -> Items:
        if run_id not in read:
            found = items.filter(f"run_id = '{run_id}'")
            read[run_id] = next(read_items(found, metrics, variant=(), item_id="query_id"))
        return read[run_id]

    with one_blas_thread():
        for run_a, run_b in pairs.project("run_id_a, run_id_b").distinct().order("all").fetchall():
            pair_id = f"{run_a}:{run_b}"
            decided_by = repr((versions[run_a], versions[run_b], base))
            version = hashlib.md5(decided_by.encode(), usedforsecurity=False).hexdigest()
            if (pair_id, version) in done:
                continue
            suite = suite_of[run_b]
            if suite not in strata_of:
                found = read_strata(strata.filter(f"suite = '{suite}'"))
                strata_of[suite] = [stratum for stratum in found if stratum.stratum_by in STRATA]
            for _, values in compare([Pairs.of(of_run(run_a), of_run(run_b))], metrics, strata_of[suite]):
                rows.append((pair_id, run_a, run_b, *VARIANT, *values, version))
    return to_table(rows)
