def model(dbt, session):
    """Grain: one row per pair of systems' runs, gold predicate, stratum and metric."""
    from finrag.metrics.rollup import done_before
    from finrag.metrics.system_comparisons import compare_systems

    return compare_systems(
        pairs=dbt.ref("int_system_pairs"),
        scores=dbt.ref("int_system_scores"),
        registry=dbt.ref("metrics"),
        done=done_before(dbt, session, "pair_id", "comparison_version"),
    )
